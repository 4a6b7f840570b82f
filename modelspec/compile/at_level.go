package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// QueryLevel is the level of a metric of a query: texts that name fields as group-bys do.
type QueryLevel struct {
	Include, Exclude, Only, Unfiltered []string
	HasOnly                            bool // Only is given
	DropsRowConditions                 bool
}

// newAtLevel parses the references of a level.
func (c *compiler) newAtLevel(q QueryLevel, location string) (*catalog.AtLevel, *modelspec.CompileError) {
	out := &catalog.AtLevel{
		Exclude: q.Exclude, Only: q.Only, HasOnly: q.HasOnly, Unfiltered: q.Unfiltered, DropsRowConditions: q.DropsRowConditions, Location: location,
	}
	for _, text := range q.Include {
		reference, unit := catalog.SplitReferenceAndUnit(text)
		path := catalog.PathOfReference(reference)
		if len(path) == 0 {
			return nil, queryPartError(CodeUnknownDimensionInQuery, location, "write a field as a group-by does: dataset.field, or field:month", "include names %q, which is not a field", shortenText(text))
		}
		prefixed := len(path) > 2 || len(path) == 2 && c.findDataset(path[0]) == nil
		out.Include = append(out.Include, catalog.NewIncludedGroup(reference, unit, path, prefixed))
	}
	return out, nil
}

// checkLevelDepth rejects levels that stand in each other more often than they may.
func (c *compiler) checkLevelDepth(m *catalog.Metric) *modelspec.CompileError {
	if m.At == nil || levelDepth(m, map[*catalog.Metric]int{}) <= catalog.MaxLevelDepth {
		return nil
	}
	return queryPartError(CodeBadRequest, m.At.Location, "compute it with fewer levels", "the metric %s has more than %d levels in each other", m.Name, catalog.MaxLevelDepth)
}

// levelDepth returns how many levels stand in each other in a metric, its own among them.
func levelDepth(m *catalog.Metric, known map[*catalog.Metric]int) int {
	if n, ok := known[m]; ok {
		return n
	}
	known[m] = 0 // of a circle, which is an error
	n := 0
	for _, member := range m.MemberMetrics() {
		n = max(n, levelDepth(member, known))
	}
	if m.At != nil {
		n++
	}
	known[m] = n
	return n
}

// compileAtMetric lowers the expression of a metric of the model that is at another level.
func (c *compiler) compileAtMetric(m *metricInProgress, d *extension.DerivedMetricBlock) {
	at, err := c.newAtLevel(QueryLevel{
		Include: d.At.Include, Exclude: d.At.Exclude, Only: d.At.Only, HasOnly: d.At.HasOnly,
		Unfiltered: d.At.Unfiltered, DropsRowConditions: d.At.DropsRowConditions,
	}, "")
	if err != nil {
		c.failMetric(m, invalidPayloadError(d.Place, "derive", "%s", err.Message))
		return
	}
	home, err := c.resolveDeclaredHome(m)
	if err != nil {
		c.failMetric(m, err)
		return
	}
	m.cat.At = at
	m.cat.Derive = &catalog.DeriveBlock{Compose: true, Text: d.Expr.Text}
	l := &metricLowering{
		compiler: c, owner: m.doc.Place, place: &d.Expr.Place, src: newDialectEntryOfQueryExpression(d.Expr.Expr, d.Expr.Text), level: at,
		home: home, homeOf: m.ext.Dataset, form: &catalog.ArithmeticOverOperands{}, table: &c.measures,
	}
	if m.cat.Forms.Default, err = l.lowerToArithmeticForm(); err != nil {
		c.failMetric(m, err)
	}
}

// hasOuterAggregates reports whether the aggregates of the expression run over rows of included groups.
func (l *metricLowering) hasOuterAggregates() bool { return l.level != nil && len(l.level.Include) > 0 }

// lowerOuterAggregate returns an aggregate over the rows of included groups, in which operands stand for metrics and aggregates; nil
// where it cannot be one.
func (l *metricLowering) lowerOuterAggregate(call *sqlexpr.Call) sqlexpr.Expr {
	agg, ok := l.aggregateFunctionOfCall(call)
	if !ok {
		return nil
	}
	out := *call
	out.Args = make([]sqlexpr.Expr, len(call.Args))
	for i, arg := range call.Args {
		out.Args[i] = sqlexpr.Rewrite(arg, l.replaceInOuterAggregate)
	}
	if l.first != nil {
		return nil
	}
	if len(out.Args) > 0 && !l.checkTypeOfAggregateArgument(call, agg, sqlexpr.TypeOf(out.Args[0], operandTyper(l.form))) {
		return nil
	}
	return &out
}

// replaceInOuterAggregate replaces what the argument of an outer aggregate names: metrics and aggregates by operands, included fields by
// their columns.
func (l *metricLowering) replaceInOuterAggregate(e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Call:
		if sqlexpr.InfoOfFunction(e.Fn).Class != sqlexpr.ClassAggregate {
			return nil
		}
		if measure := l.lowerAggregate(e); measure != nil {
			return l.newOperandRef(e.Position, measure)
		}
		return e
	case *sqlexpr.Column:
		if len(e.Path) == 1 {
			name := e.Path[0]
			if other := l.findMetricByName(name.Text); other != nil && (!name.Quoted || other.cat.Name == name.Text) {
				return l.newOperandRef(e.Position, other.cat)
			}
		}
		path := make([]string, len(e.Path))
		for i, n := range e.Path {
			path[i] = n.Text
		}
		if i := l.level.IncludedNamed(path); i >= 0 {
			return &sqlexpr.Column{Position: e.Position, Path: []sqlexpr.Name{{Text: l.level.Include[i].Column, Quoted: true}}}
		}
		l.findMetric(e) // which lists the error
		return e
	}
	return nil
}
