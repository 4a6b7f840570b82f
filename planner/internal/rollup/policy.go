package rollup

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// checkPolicy tries the rule policy: the reader sees all rows of the datasets that the rollup stands for, and no field that the branch or the
// rollup computes with is masked.
func checkPolicy(c *candidate) *plan.RollupRejection {
	const message = "a policy limits what the reader sees of the rows that the rollup stands for"
	if c.In.Target.Rollups.OfReader {
		return c.reject(plan.RollupRulePolicy, c.Home.Name, message)
	}
	fields := fieldsComputedWith(c)
	datasets := []*catalog.Dataset{c.Home}
	for _, f := range fields {
		datasets = appendDatasetsOfPath(datasets, f.Path)
	}
	for _, s := range c.table().Fields {
		datasets = appendDatasetsOfPath(datasets, s.Path)
	}
	if i := slices.IndexFunc(datasets, func(d *catalog.Dataset) bool { return d.Rows != nil }); i >= 0 {
		return c.reject(plan.RollupRulePolicy, datasets[i].Name, message)
	}
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Field.IsMasked() }); i >= 0 {
		return c.reject(plan.RollupRulePolicy, c.nameOf(fields[i].Field), message)
	}
	return nil
}

func appendDatasetsOfPath(datasets []*catalog.Dataset, path []catalog.JoinStep) []*catalog.Dataset {
	for _, s := range path {
		if d := s.TargetDataset(); !slices.Contains(datasets, d) {
			datasets = append(datasets, d)
		}
	}
	return datasets
}

// computedFields are the fields that the branch reads, those of the measures and conditions of both, and the joined fields that these read.
type computedFields struct {
	of   *candidate
	list []Field
}

func fieldsComputedWith(c *candidate) []Field {
	out := computedFields{of: c}
	for _, f := range c.Reached {
		out.add(f)
	}
	for _, m := range c.Measures {
		for _, e := range append(m.Measure.ArgumentAndOrderKey(), m.Where) {
			out.addFieldsOf(nil, e)
		}
	}
	for _, m := range c.rollup.Measures {
		for _, e := range m.Measure.ArgumentAndOrderKey() {
			out.addFieldsOf(nil, e)
		}
	}
	for _, w := range c.rollup.Where {
		out.addFieldsOf(nil, w.Expr)
	}
	return out.list
}

func (l *computedFields) add(f Field) {
	if slices.ContainsFunc(l.list, f.IsSame) {
		return
	}
	l.list = append(l.list, f)
	l.addFieldsOf(f.Path, f.Field.Expr.ForDialect(l.of.dialect))
}

// addFieldsOf adds the fields of an expression over the dataset at the end of a path.
func (l *computedFields) addFieldsOf(path []catalog.JoinStep, e sqlexpr.Expr) {
	for r := range sqlexpr.Refs(e) {
		l.add(NewField(path, l.of.In.Cat.FieldByID(r.ID)))
	}
}
