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
	if i := slices.IndexFunc(fields, func(f Field) bool { return isMasked(f.Field) }); i >= 0 {
		return c.reject(plan.RollupRulePolicy, c.nameOf(fields[i].Field), message)
	}
	return nil
}

// isMasked reports whether the reader sees other values of a field than the rollup was made from.
func isMasked(f *catalog.Field) bool {
	return slices.ContainsFunc(f.Dataset.Plain, func(plain *catalog.Field) bool { return plain != f && plain.Name == f.Name })
}

func appendDatasetsOfPath(datasets []*catalog.Dataset, path []catalog.JoinStep) []*catalog.Dataset {
	for _, s := range path {
		if d := s.TargetDataset(); !slices.Contains(datasets, d) {
			datasets = append(datasets, d)
		}
	}
	return datasets
}

// fieldsComputedWith lists the fields that the branch reads, and those of the measures and conditions of both.
func fieldsComputedWith(c *candidate) []Field {
	out := slices.Clone(c.Reached)
	add := func(e sqlexpr.Expr) {
		for r := range sqlexpr.Refs(e) {
			out = append(out, NewField(nil, c.In.Cat.FieldByID(r.ID)))
		}
	}
	for _, m := range c.Measures {
		for _, e := range append(m.Measure.ArgumentAndOrderKey(), m.Where) {
			add(e)
		}
	}
	for _, m := range c.rollup.Measures {
		for _, e := range m.Measure.ArgumentAndOrderKey() {
			add(e)
		}
	}
	for _, w := range c.rollup.Where {
		add(w.Expr)
	}
	return out
}
