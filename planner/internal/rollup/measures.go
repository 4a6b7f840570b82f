package rollup

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/plan"
)

// checkMeasures tries the rule measure: every aggregate is computed from stored columns.
func checkMeasures(c *candidate) *plan.RollupRejection {
	if c.OfSnapshots {
		return c.reject(plan.RollupRuleMeasure, c.Home.Name, "a measure over snapshots needs the rows of single days")
	}
	for i, m := range c.Measures {
		s, ok := c.computeMeasure(c.wanted[i])
		if !ok {
			return c.rejectMeasure(plan.RollupRuleMeasure, m.Measure, "no column of the rollup gives ", "")
		}
		c.measures = append(c.measures, computedMeasure{m.Measure, s})
		if m.Where != nil && !c.readsRawGroups(m.Where) {
			return c.reject(plan.RollupRuleMeasure, m.Measure.Name, "its filter reads a field that is not a group of the rollup")
		}
		if m.SingleRows || c.CopiesRows && s.Form >= FormGroup {
			return c.reject(plan.RollupRuleMeasure, m.Measure.Name, "the window computes it again from single rows")
		}
	}
	return nil
}

// rejectMeasure is reject with a message that contains the text of a measure.
func (c *candidate) rejectMeasure(rule string, m *catalog.Measure, before, after string) *plan.RollupRejection {
	if !c.explains {
		return &c.rejection
	}
	return c.reject(rule, m.Name, before+measureText(c.In.Cat, m)+after)
}

// wantedMeasure is a measure of a branch, with those from which it can be computed.
type wantedMeasure struct {
	measure    *catalog.Measure
	sum, count *wantedMeasure // of which the measure is the quotient; nil for other aggregates
	// inner is the measure without the condition of its argument, and cond is that; nil for none.
	inner *wantedMeasure
	cond  sqlexpr.Expr
	same  map[*catalog.Measure]bool // by the measure of a column, whether it is the measure
}

func newWantedMeasure(m *catalog.Measure) *wantedMeasure {
	out := &wantedMeasure{measure: m}
	if m.Agg == catalog.AggAvg {
		sum, count := *m, *m
		sum.Agg, count.Agg = catalog.AggSum, catalog.AggCount
		out.sum, out.count = &wantedMeasure{measure: &sum}, &wantedMeasure{measure: &count}
	}
	if inner, cond := withoutCondition(m); inner != nil {
		out.inner, out.cond = newWantedMeasure(inner), cond
	}
	return out
}

// computeMeasure returns how a measure is computed: by the first row of the table of forms that fits it as it is, and then without the
// condition of its argument.
func (c *candidate) computeMeasure(m *wantedMeasure) (StoredMeasure, bool) {
	if s, ok := c.findMeasure(m); ok {
		return s, true
	}
	if m.inner == nil || !c.readsRawGroups(m.cond) {
		return StoredMeasure{}, false
	}
	s, ok := c.computeMeasure(m.inner)
	if s.Form != FormGroup { // whose argument holds the condition
		s.Conds = append(s.Conds, m.cond)
	}
	return s, ok
}

// findMeasure returns how a measure without a condition is computed.
func (c *candidate) findMeasure(wanted *wantedMeasure) (StoredMeasure, bool) {
	m, column := wanted.measure, c.columnOf(wanted)
	if column != "" {
		switch m.Agg {
		case catalog.AggSum:
			return StoredMeasure{Form: FormSum, Column: column}, true
		case catalog.AggCount:
			return StoredMeasure{Form: FormCount, Column: column}, true
		}
		if m.Agg.Class() == catalog.ClassLattice {
			return StoredMeasure{Form: FormLattice, Column: column}, true
		}
	}
	if wanted.sum != nil {
		if s, n := c.columnOf(wanted.sum), c.columnOf(wanted.count); s != "" && n != "" {
			return StoredMeasure{Form: FormAverage, Column: s, Counts: n}, true
		}
	}
	if isOverDistinctValues(m.Agg) && c.isRawGroup(m.Arg) {
		return StoredMeasure{Form: FormGroup}, true
	}
	return StoredMeasure{Form: FormSameGroups, Column: column}, column != ""
}

// isOverDistinctValues reports whether an aggregate has one value over some values and over the distinct ones among them.
func isOverDistinctValues(a catalog.Agg) bool {
	switch a {
	case catalog.AggMin, catalog.AggMax, catalog.AggAnyValue, catalog.AggCountDistinct, catalog.AggSumDistinct, catalog.AggAvgDistinct:
		return true
	}
	return false
}

// isRawGroup reports whether an expression over the home is a field whose values are stored.
func (c *candidate) isRawGroup(e sqlexpr.Expr) bool {
	if r, ok := e.(*sqlexpr.Ref); ok {
		f := NewField(nil, c.In.Cat.FieldByID(r.ID))
		return c.holdsValues(f)
	}
	// Under a condition, which is NULL on other rows.
	when, cond := singleWhen(e)
	return when != nil && c.readsRawGroups(cond) && c.isRawGroup(when)
}

// readsRawGroups reports whether all fields of an expression over the home are stored with their values.
func (c *candidate) readsRawGroups(e sqlexpr.Expr) bool {
	for r := range sqlexpr.Refs(e) {
		f := NewField(nil, c.In.Cat.FieldByID(r.ID))
		if !c.holdsValues(f) {
			return false
		}
	}
	letters := readsLettersOf(c, e, func(id int) Field { return NewField(nil, c.In.Cat.FieldByID(id)) })
	return len(sqlexpr.ColumnReferences(e)) == 0 && !letters
}

// columnOf returns the column that holds a measure; "" where none does.
func (c *candidate) columnOf(m *wantedMeasure) string {
	for i := range c.rollup.Measures {
		if s := &c.rollup.Measures[i]; isOf(c.trial, m, s.Measure) {
			return s.Column
		}
	}
	return ""
}

// isOf reports whether a stored measure is a wanted one.
func isOf(t *trial, m *wantedMeasure, stored *catalog.Measure) bool {
	return stored == m.measure || isSameAggregate(stored, m.measure) && isSameMeasure(t, stored, m)
}

// isSameMeasure reports whether a measure of the same aggregate is a wanted one. Many rollups store one measure, so that it is compared once.
func isSameMeasure(t *trial, stored *catalog.Measure, m *wantedMeasure) bool {
	same, known := m.same[stored]
	if !known {
		same = m.measure.Agg == catalog.AggCount && isConstant(stored.Arg) && isConstant(m.measure.Arg) ||
			isSameArgument(t, stored.Arg, m.measure.Arg) && isSameArgument(t, stored.OrderBy, m.measure.OrderBy)
		if m.same == nil {
			m.same = map[*catalog.Measure]bool{}
		}
		m.same[stored] = same
	}
	return same
}

func isSameAggregate(a, b *catalog.Measure) bool {
	return a.Home == b.Home && a.Agg == b.Agg && a.Options == b.Options && a.NonAdditive == nil && b.NonAdditive == nil
}

// isSameArgument compares two arguments as expressions over the columns of the base tables.
func isSameArgument(t *trial, a, b sqlexpr.Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	x, y := overBase(t, a), overBase(t, b)
	return x != nil && y != nil && sqlexpr.Equal(sqlexpr.Normalize(x), sqlexpr.Normalize(y))
}

// isConstant reports whether COUNT of an argument counts all rows: of none, or of a literal that is not NULL.
func isConstant(e sqlexpr.Expr) bool {
	switch e.(type) {
	case nil, *sqlexpr.Number, *sqlexpr.String, *sqlexpr.Bool, *sqlexpr.TypedLiteral:
		return true
	}
	return false
}

// overBase returns an expression over the home as it reads the base tables; nil where it cannot.
func overBase(t *trial, e sqlexpr.Expr) sqlexpr.Expr {
	return overTree(baseTree(t), e, func(id int) Field { return NewField(nil, t.In.Cat.FieldByID(id)) })
}

// overTree returns an expression over fields as it reads the tables of a tree; nil where it cannot.
func overTree(t *joins.Tree, e sqlexpr.Expr, field func(id int) Field) sqlexpr.Expr {
	failed := false
	out := sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr {
		if r.ID < 0 && field(r.ID).Field == nil {
			failed = true
			return r
		}
		f := field(r.ID)
		value, err := joins.PathFieldExpr(t, f.Path, false, f.Field)
		if err != nil {
			failed = true
			return r
		}
		return value
	})
	if failed {
		return nil
	}
	return out
}

// withoutCondition returns a measure over f(CASE WHEN p THEN x END) without the condition, and the condition; nil for any other measure.
func withoutCondition(m *catalog.Measure) (*catalog.Measure, sqlexpr.Expr) {
	then, cond := singleWhen(m.Arg)
	if then == nil || m.OrderBy != nil {
		return nil, nil
	}
	out := *m
	out.Arg = then
	if m.Agg == catalog.AggCount && isConstant(then) {
		out.Arg = nil
	}
	return &out, cond
}

// singleWhen returns the value and the condition of CASE WHEN p THEN x END; nil for any other expression.
func singleWhen(e sqlexpr.Expr) (then, cond sqlexpr.Expr) {
	c, ok := e.(*sqlexpr.Case)
	if !ok || c.Operand != nil || len(c.Whens) != 1 {
		return nil, nil
	}
	if _, isNull := c.Else.(*sqlexpr.Null); c.Else != nil && !isNull {
		return nil, nil
	}
	return c.Whens[0].Then, c.Whens[0].Cond
}

// needsSameGroups reports whether a measure is right only where the branch has the groups of the rollup.
func needsSameGroups(c *candidate) (*catalog.Measure, bool) {
	for _, m := range c.measures {
		if m.from.Form == FormSameGroups {
			return m.measure, true
		}
	}
	return nil, false
}

// measureText returns a measure as a model writes it.
func measureText(cat *catalog.Catalog, m *catalog.Measure) string {
	for _, e := range m.ArgumentAndOrderKey() {
		for r := range sqlexpr.Refs(e) {
			if !isFound(cat, cat.FieldByID(r.ID)) {
				return m.Name // of a revealed object, whose parts are not shown
			}
		}
	}
	name := func(e sqlexpr.Expr) sqlexpr.Expr {
		return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr { return cat.FieldByID(r.ID).QualifiedNameExpr() })
	}
	var arg, orderBy sqlexpr.Expr
	if m.Arg != nil {
		arg = name(m.Arg)
	}
	if m.OrderBy != nil {
		orderBy = name(m.OrderBy)
	}
	return sqlexpr.Format(m.AggregateCall(arg, orderBy))
}
