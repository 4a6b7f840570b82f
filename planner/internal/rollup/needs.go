package rollup

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
)

// needs collects what a table must hold to serve a branch, by the rules that a rollup is judged by.
type needs struct {
	*Branch
	rules        *candidate // of no rollup: only the clocks are read
	fields       []neededField
	out          *plan.RollupNeed
	missing      *plan.RollupRejection // the first rule that no table of the home can meet
	exactMeasure *catalog.Measure      // one that has no value over several groups; nil for none
}

// neededField is a field that the table holds: its values, or buckets that each of the asked units is made of.
type neededField struct {
	at     Field
	raw    bool
	grains []sqlexpr.Grain // that serve; nil where none has been asked
}

// Needs returns what a table of the home of a branch must hold to serve it; its Missing is the rule that no table meets.
func Needs(b *Branch) *plan.RollupNeed {
	t, err := newTrial(b)
	if err != nil {
		return nil
	}
	n := &needs{Branch: b, rules: &candidate{trial: t}, out: &plan.RollupNeed{Home: b.Home.Name}}
	n.rules.begin(new(catalog.Rollup))
	for _, check := range []func(*candidate) *plan.RollupRejection{checkLODFields, checkHome} {
		if n.out.Missing = check(n.rules); n.out.Missing != nil {
			return n.out
		}
	}
	n.addMeasures()
	if n.exactMeasure != nil {
		n.addExactGroups()
	} else {
		n.addGroups()
		n.addConditions()
		n.addRanges()
	}
	n.addInnerPaths()
	for _, f := range n.fields {
		n.out.Fields = append(n.out.Fields, n.describe(f))
	}
	n.out.Missing = n.missing
	return n.out
}

// reject notes a rule that no table meets.
func (n *needs) reject(rule, subject, message string) {
	if n.missing == nil {
		first := *n.rules.reject(rule, subject, message)
		n.missing = &first
	}
}

// field returns the entry of a field, which is added where it is not there.
func (n *needs) field(f Field) *neededField {
	at := slices.IndexFunc(n.fields, func(known neededField) bool { return known.at.IsSame(f) })
	if at < 0 {
		at, n.fields = len(n.fields), append(n.fields, neededField{at: f})
	}
	return &n.fields[at]
}

// canHold reports whether a column of the table can be of a field; otherwise it notes why not.
func (n *needs) canHold(f Field, rule string) bool {
	name := f.Field.QualifiedName()
	switch {
	case slices.ContainsFunc(f.Path, func(s catalog.JoinStep) bool { return s.Rel.Err != nil || !s.Safe() }):
		n.reject(plan.RollupRuleFanned, name, "the query reaches "+name+" by relationships that repeat rows of "+n.Home.Name)
	case visitsTwice(n.Home, f.Path):
		n.reject(rule, name, "the path to "+name+" leads to a dataset twice, which no rollup names")
	case f.Field.IsNoDimension():
		n.reject(rule, name, name+" is declared not to be a dimension, so that no rollup has it as a group")
	case f.Field.IsVolatile():
		n.reject(rule, name, name+" depends on the time of the query or on the engine")
	default:
		return true
	}
	return false
}

// visitsTwice reports whether a path from a dataset leads to one of its datasets again.
func visitsTwice(home *catalog.Dataset, path []catalog.JoinStep) bool {
	return len(appendDatasetsOfPath([]*catalog.Dataset{home}, path)) <= len(path)
}

// addValues adds the values of a field: those that an added field of the query is made of.
func (n *needs) addValues(f Field, rule string) {
	if !n.canHold(f, rule) {
		return
	}
	if !n.In.Cat.IsFieldOfQuery(f.Field) {
		n.field(f).raw = true
		return
	}
	e := f.Field.Expr.ForDialect(n.In.Target.Dialect)
	if len(sqlexpr.ColumnReferences(e)) > 0 {
		n.reject(rule, f.Field.QualifiedName(), "the query adds "+f.Field.QualifiedName()+", which reads a column that is not a field")
	}
	for r := range sqlexpr.Refs(e) {
		n.addValues(NewField(f.Path, n.In.Cat.FieldByID(r.ID)), rule)
	}
}

// addValuesOf adds the values of the fields of an expression over the home.
func (n *needs) addValuesOf(e sqlexpr.Expr, rule string) {
	if e == nil {
		return
	}
	if len(sqlexpr.ColumnReferences(e)) > 0 {
		n.reject(rule, sqlexpr.Format(e), "a condition reads a column that is not a field")
	}
	for r := range sqlexpr.Refs(e) {
		n.addValues(NewField(nil, n.In.Cat.FieldByID(r.ID)), rule)
	}
}

// addBuckets adds a field by buckets that meet a condition; by its values where none does.
func (n *needs) addBuckets(f Field, serves func(sqlexpr.Grain) bool) {
	if n.In.Cat.IsFieldOfQuery(f.Field) || !n.canHold(f, plan.RollupRuleGrain) {
		n.addValues(f, plan.RollupRuleGrain)
		return
	}
	var grains []sqlexpr.Grain
	known := n.field(f)
	for _, g := range f.Field.Grains() {
		if (known.grains == nil || slices.Contains(known.grains, g)) && hasClockOfModel(n.rules.trial, f) && serves(g) {
			grains = append(grains, g)
		}
	}
	if known.grains = grains; len(grains) == 0 {
		n.addValues(f, plan.RollupRuleGrain)
	}
}

func (n *needs) addMeasures() {
	if n.OfSnapshots {
		n.reject(plan.RollupRuleMeasure, n.Home.Name, "a measure over snapshots needs the rows of single days")
	}
	for _, m := range n.Measures {
		n.addValuesOf(m.Where, plan.RollupRuleMeasure)
		if m.SingleRows {
			n.reject(plan.RollupRuleMeasure, m.Measure.Name, "a window computes "+measureText(n.In.Cat, m.Measure)+" again from single rows")
		}
		if m.Measure.NonAdditive == nil {
			n.addMeasure(m.Measure)
		}
	}
}

// addMeasure adds the columns of a measure: those of the first form that rows of several groups have a value by.
func (n *needs) addMeasure(m *catalog.Measure) {
	inner, cond := m, sqlexpr.Expr(nil)
	if then, when := withoutCondition(m); then != nil {
		inner, cond = then, when
	}
	switch {
	case m.Agg == catalog.AggSum, m.Agg == catalog.AggCount, m.Agg.Class() == catalog.ClassLattice:
		n.addColumn(m)
	case m.Agg == catalog.AggAvg:
		sum, count := *m, *m
		sum.Agg, count.Agg = catalog.AggSum, catalog.AggCount
		sum.Name, count.Name = m.Name+"_sum", m.Name+"_count"
		n.addColumn(&sum)
		n.addColumn(&count)
	case isOverDistinctValues(m.Agg) && isField(inner.Arg) && !n.CopiesRows:
		n.addValuesOf(inner.Arg, plan.RollupRuleMeasure)
		n.addValuesOf(cond, plan.RollupRuleMeasure)
	default:
		n.exactMeasure = m
		n.addColumn(m)
		if n.CopiesRows || n.MergesGroups {
			n.reject(plan.RollupRuleSameGroups, m.Name, measureText(n.In.Cat, m)+afterSeveralGroups)
		}
	}
}

func isField(e sqlexpr.Expr) bool {
	_, ok := e.(*sqlexpr.Ref)
	return ok
}

func (n *needs) addColumn(m *catalog.Measure) {
	for _, e := range m.ArgumentAndOrderKey() {
		if !n.isOfModel(e) {
			n.reject(plan.RollupRuleMeasure, m.Name, measureText(n.In.Cat, m)+" reads a column that is not a field of the model, or the present time")
			return
		}
	}
	if added := (plan.RollupMeasure{Expression: measureText(n.In.Cat, m), Column: m.Name}); !slices.Contains(n.out.Measures, added) {
		n.out.Measures = append(n.out.Measures, added)
	}
}

// isOfModel reports whether an expression over the home reads fields of the model alone, and has one value at all times.
func (n *needs) isOfModel(e sqlexpr.Expr) bool {
	if len(sqlexpr.ColumnReferences(e)) > 0 || sqlexpr.IsVolatile(e) {
		return false
	}
	for r := range sqlexpr.Refs(e) {
		if n.In.Cat.IsFieldOfQuery(n.In.Cat.FieldByID(r.ID).SourceField()) {
			return false
		}
	}
	return true
}

// addGroups adds the fields of the groups.
func (n *needs) addGroups() {
	for _, g := range n.Groups {
		if g.Expression != nil || g.isRaw() || g.Period != nil {
			for _, f := range g.fields() {
				n.addValues(f, plan.RollupRuleGroupBy)
			}
			continue
		}
		n.addBuckets(g.Field, func(stored sqlexpr.Grain) bool {
			for _, unit := range append([]sqlexpr.Grain{g.unit()}, g.Spans...) {
				if !divides(n.rules.trial, stored, unit, g.Part) {
					return false
				}
			}
			return true
		})
	}
}

// addConditions adds the fields of the conditions. Those that are ranges of time are added with the ranges.
func (n *needs) addConditions() {
	for _, cond := range n.Conditions {
		if cond.Dropped || cond.Interval != nil {
			continue
		}
		for _, id := range cond.Read {
			n.addValues(cond.Fields[id], plan.RollupRuleFilter)
		}
	}
}

func (n *needs) addRanges() {
	for r := range n.rules.allRanges() {
		n.addBuckets(r.Field, func(stored sqlexpr.Grain) bool { return n.rules.isAligned(r, stored) })
	}
}

// addExactGroups adds the groups as they are asked, for a measure that has no value over several of them. A condition on another field is a condition of the
// table.
func (n *needs) addExactGroups() {
	n.out.Exact = true
	text := measureText(n.In.Cat, n.exactMeasure) + " needs a table with the groups of the query"
	if len(n.fields) > 0 { // which conditions of measures, or values that are counted once, read
		n.reject(plan.RollupRuleSameGroups, n.exactMeasure.Name, text+", and other measures read further fields")
	}
	for _, g := range n.Groups {
		if g.Expression != nil || g.Part != sqlexpr.PartNone || g.Period != nil || n.In.Cat.IsFieldOfQuery(g.Field.Field) {
			n.reject(plan.RollupRuleSameGroups, n.exactMeasure.Name, text+", and "+g.Name+" is computed from a field")
			return
		}
		if !n.canHold(g.Field, plan.RollupRuleGroupBy) {
			return
		}
		known := n.field(g.Field)
		if known.raw || known.grains != nil {
			n.reject(plan.RollupRuleSameGroups, n.exactMeasure.Name, text+", and two of them are of one field")
			return
		}
		known.raw = g.isRaw()
		if !g.isRaw() {
			known.grains = []sqlexpr.Grain{g.Grain}
			switch {
			case !hasClockOfModel(n.rules.trial, g.Field) || !divides(n.rules.trial, g.Grain, g.Grain, sqlexpr.PartNone):
				n.reject(plan.RollupRuleSameGroups, n.exactMeasure.Name, text+", and its periods are those of another clock")
			case slices.ContainsFunc(g.Spans, func(unit sqlexpr.Grain) bool { return !divides(n.rules.trial, g.Grain, unit, sqlexpr.PartNone) }):
				n.reject(plan.RollupRuleSameGroups, n.exactMeasure.Name, text+", and a window needs shorter periods")
			}
		}
	}
	n.addExactConditions(text)
}

// addExactConditions declares the conditions that the groups do not decide, as they are.
func (n *needs) addExactConditions(text string) {
	isGroup := func(f Field) bool {
		return slices.ContainsFunc(n.fields, func(known neededField) bool { return known.at.IsSame(f) && known.raw })
	}
	for _, cond := range n.Conditions {
		switch {
		case cond.Dropped:
		case cond.IsMember:
			n.reject(plan.RollupRuleSameGroups, n.exactMeasure.Name, text+", and a condition compares with the rows of a query")
		case slices.ContainsFunc(cond.Read, func(id int) bool { return !isGroup(cond.Fields[id]) }):
			for _, id := range cond.Read {
				n.canHold(cond.Fields[id], plan.RollupRuleFilter)
			}
			n.out.Where = append(n.out.Where, n.conditionText(cond))
		}
	}
	for _, r := range n.Ranges {
		aligned := isGroup(r.Field) || slices.ContainsFunc(n.fields, func(known neededField) bool {
			return known.at.IsSame(r.Field) && n.rules.isAligned(r, known.grains[0])
		})
		if !aligned {
			n.reject(plan.RollupRuleSameGroups, n.exactMeasure.Name, text+", and the bounds of "+r.Text+" are not those of its periods")
		}
	}
	slices.Sort(n.out.Where)
}

// conditionText writes a condition as a rollup declares it.
func (n *needs) conditionText(cond Condition) string {
	return sqlexpr.Format(sqlexpr.Rewrite(cond.Expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID >= 0 {
			return n.spell(cond.Fields[r.ID]).AsColumnExpr()
		}
		return nil
	}))
}

// addInnerPaths names the INNER relationships along which the branch drops rows: two branches that drop different rows need two tables.
func (n *needs) addInnerPaths() {
	var inner innerPaths
	for _, f := range n.Reached {
		inner.addField(n.In.Cat, f, n.In.Target.Dialect)
	}
	for _, path := range n.Inner {
		inner.add(path)
	}
	for _, path := range inner {
		n.out.Inner = append(n.out.Inner, resolve.PathText(path))
	}
	slices.Sort(n.out.Inner)
}

// spell returns the reference by which a rollup names a field: with its path where there are several.
func (n *needs) spell(f Field) resolve.Ref {
	paths := n.In.Cat.WithoutView().SafePaths(n.Home, f.Field.Dataset, 2)
	if len(paths) == 1 && slices.Equal(paths[0], f.Path) {
		return resolve.Ref{Field: f.Field}
	}
	return resolve.Ref{Prefix: f.Path, Field: f.Field}
}

func (n *needs) describe(f neededField) plan.RollupField {
	ref := n.spell(f.at)
	out := plan.RollupField{Field: ref.Text(), Column: ref.OutputName()}
	if !f.raw {
		out.Grains = f.grains
	}
	return out
}

func appendDatasetsOfPath(datasets []*catalog.Dataset, path []catalog.JoinStep) []*catalog.Dataset {
	for _, s := range path {
		if d := s.TargetDataset(); !slices.Contains(datasets, d) {
			datasets = append(datasets, d)
		}
	}
	return datasets
}
