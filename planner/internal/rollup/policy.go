package rollup

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/plan"
)

const (
	messageOfRows  = "the rollup was made from rows that a policy keeps from the reader, and does not hold what tells them apart"
	messageOfValue = "the rollup was made from values that a policy keeps from the reader"
)

// checkPolicy tries the rule policy: the rules on the rows of the datasets that the rollup stands for read its columns alone, and no field that the
// branch or a condition of the rollup reads is masked.
func checkPolicy(c *candidate) *plan.RollupRejection {
	if c.In.Target.Rollups.OfReader {
		return c.reject(plan.RollupRulePolicy, c.Home.Name, "the warehouse decides which rows each reader sees")
	}
	if !c.isRestricted {
		return nil
	}
	if d := ruledWithin(c); d != nil {
		return c.reject(plan.RollupRulePolicy, d.Name, messageOfRows)
	}
	if d := addRules(c); d != nil {
		return c.reject(plan.RollupRulePolicy, d.Name, messageOfRows)
	}
	fields := append(fieldsRead(c), fieldsOfConditions(c)...) // columns of other measures are not read
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Field.IsMasked() }); i >= 0 {
		return c.reject(plan.RollupRulePolicy, c.nameOf(fields[i].Field), messageOfValue)
	}
	m, needs := needsSameGroups(c)
	if rules := c.table().Rules; needs && len(rules.Shown) > 0 {
		return c.reject(plan.RollupRulePolicy, m.Name, "groups of the rollup are one group for the reader, and "+measureText(c.In.Cat, m)+" does not follow from its values in each")
	}
	return nil
}

// ruledWithin returns a dataset with a rule whose rows the measures and the conditions of the rollup have read; nil for none. Fresh rows are made
// under the rules, and those of the table are not.
func ruledWithin(c *candidate) *catalog.Dataset {
	for _, f := range fieldsWithin(c) {
		for _, s := range f.Path {
			if joins.HasRule(s.TargetDataset()) {
				return s.TargetDataset()
			}
		}
	}
	if c.rollup.Refresh == nil || !c.rollup.Refresh.Fresh {
		return nil
	}
	if joins.HasRule(c.Home) {
		return c.Home
	}
	for _, s := range c.table().Fields {
		for _, step := range s.Path {
			if joins.HasRule(step.TargetDataset()) {
				return step.TargetDataset()
			}
		}
	}
	return nil
}

// addRules adds the rules of the reader to the table. It returns a dataset of which the columns of the table do not hold what its rule reads, where
// the branch needs it; nil for none.
func addRules(c *candidate) *catalog.Dataset {
	table := c.table()
	rules := &table.Rules
	rules.Admits, rules.Shown = nil, nil
	if joins.HasRule(c.Home) {
		e, ok := ruleExpr(c, nil, c.Home)
		if !ok {
			return c.Home
		}
		rules.Admits = append(rules.Admits, e)
	}
	var admitted [][]catalog.JoinStep
	for _, path := range table.Matched {
		for i, s := range path {
			prefix, d := path[:i+1], s.TargetDataset()
			if !joins.HasRule(d) || slices.ContainsFunc(admitted, func(o []catalog.JoinStep) bool { return slices.Equal(o, prefix) }) {
				continue
			}
			e, ok := ruleExpr(c, prefix, d)
			if !ok {
				return d
			}
			rules.Admits, admitted = append(rules.Admits, e), append(admitted, prefix)
		}
	}
	read := fieldsRead(c)
	for _, s := range table.Fields {
		shown, failed := shownCondition(c, s)
		switch {
		case failed == nil && shown != nil:
			if rules.Shown == nil {
				rules.Shown = map[string]sqlexpr.Expr{}
			}
			rules.Shown[s.Column] = shown
		case failed == nil:
		case slices.ContainsFunc(read, Field{s.Path, s.Field}.IsSame):
			return failed
		default:
			c.unshown = append(c.unshown, s.Column)
		}
	}
	return nil
}

// shownCondition returns the condition on which the reader sees a column of a dataset that LEFT relationships lead to; nil where that is so on all rows.
// It returns a dataset of which the columns of the table do not hold what its rule reads; nil for none.
func shownCondition(c *candidate, s joins.StoredField) (shown sqlexpr.Expr, failed *catalog.Dataset) {
	within := readFields{of: c}
	within.addFieldsOf(s.Path, s.Field.Expr.ForDialect(c.dialect))
	for _, f := range within.list { // whose values were read before the rules
		for i, step := range f.Path {
			if i >= len(s.Path) && joins.HasRule(step.TargetDataset()) {
				return nil, step.TargetDataset()
			}
		}
	}
	for i, step := range s.Path {
		prefix, d := s.Path[:i+1], step.TargetDataset()
		if !joins.HasRule(d) || c.table().IsMatched(prefix) {
			continue
		}
		e, ok := ruleExpr(c, prefix, d)
		switch {
		case !ok:
			return nil, d
		case shown == nil:
			shown = e
		default:
			shown = sqlexpr.And(shown, e)
		}
	}
	return shown, nil
}

// ruleExpr returns the rule of the dataset at the end of a path over the columns of the table; false where they do not hold what it reads. Without
// its other rows, a version is valid until another one begins.
func ruleExpr(c *candidate, path []catalog.JoinStep, d *catalog.Dataset) (sqlexpr.Expr, bool) {
	if len(path) > 0 {
		if v := path[len(path)-1].Rel.Valid; v != nil && v.To == nil {
			return nil, false
		}
	}
	return c.table().RuleExpr(c.In.Cat, c.In.Target.Dialect, c.In.Target.Caps, path, d)
}

// readFields are fields that expressions read, those of joined datasets that these read, and so on.
type readFields struct {
	of   *candidate
	list []Field
}

func (l *readFields) add(f Field) {
	if slices.ContainsFunc(l.list, f.IsSame) {
		return
	}
	l.list = append(l.list, f)
	l.addFieldsOf(f.Path, f.Field.Expr.ForDialect(l.of.dialect))
}

// addFieldsOf adds the fields of an expression over the dataset at the end of a path.
func (l *readFields) addFieldsOf(path []catalog.JoinStep, e sqlexpr.Expr) {
	for r := range sqlexpr.Refs(e) {
		l.add(NewField(path, l.of.In.Cat.FieldByID(r.ID)))
	}
}

// fieldsRead lists the fields that the branch reads, with those of its measures.
func fieldsRead(c *candidate) []Field {
	out := readFields{of: c}
	for _, f := range c.Reached {
		out.add(f)
	}
	for _, m := range c.Measures {
		for _, e := range append(m.Measure.ArgumentAndOrderKey(), m.Where) {
			out.addFieldsOf(nil, e)
		}
	}
	return out.list
}

// fieldsWithin lists the fields that the measures and the conditions of the rollup have read.
func fieldsWithin(c *candidate) []Field {
	out := readFields{of: c}
	for _, m := range c.rollup.Measures {
		for _, e := range m.Measure.ArgumentAndOrderKey() {
			out.addFieldsOf(nil, e)
		}
	}
	return append(out.list, fieldsOfConditions(c)...)
}

// fieldsOfConditions lists the fields that the conditions of the rollup have read.
func fieldsOfConditions(c *candidate) []Field {
	out := readFields{of: c}
	for _, w := range c.rollup.Where {
		out.addFieldsOf(nil, w.Expr)
	}
	return out.list
}
