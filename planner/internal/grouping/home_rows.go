package grouping

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// HomeRowCollector collects what the aggregates of a branch read of the rows of its home, where each of
// these counts once in a group:
//
//	rows ──HomeRows by k, key──► (k, key, x) ──Aggregate by k──► (k, SUM(x))
//
// While the aggregates are planned, Ref{ID ≥ 0} is a column and Ref{ID < 0} is the
// count -(ID+1).
type HomeRowCollector struct {
	Plan   *Planner
	marker sqlexpr.Expr // NULL on rows without a row of the home; nil where all have one
	// columns are the key of the home, and then the arguments that are not part of it.
	columns []plan.NamedExpr
	counts  []plan.NamedExpr
	names   *naming.Namer
}

func newHomeRowCollector(p *Planner) (*HomeRowCollector, error) {
	h := &HomeRowCollector{Plan: p, names: naming.NewNamer()}
	for _, g := range p.Q.Groups {
		h.names.UniqueName(g.Name)
	}
	if p.Level != "" {
		h.names.UniqueName(p.Level)
	}
	for _, name := range p.Br.Home.PrimaryOrFirstUniqueKeyColumns() {
		e, err := p.Tree.KeyColumnExpr(p.Home, name)
		if err != nil {
			return nil, err
		}
		h.columns = append(h.columns, plan.NamedExpr{Name: h.names.UniqueName(name), Expr: e, Type: sqlexpr.TypeOf(e, nil)})
	}
	var err error
	h.marker, err = p.Tree.RowPresenceMarker(p.Home)
	return h, err
}

// addExpressionAsColumn makes an expression over a row of the home a column of the rows.
func (h *HomeRowCollector) addExpressionAsColumn(e sqlexpr.Expr, typ sqlexpr.Type) sqlexpr.Expr {
	if len(sqlexpr.ColumnReferences(e)) == 0 {
		return e
	}
	at := slices.IndexFunc(h.columns, func(c plan.NamedExpr) bool { return sqlexpr.Equal(c.Expr, e) })
	if at < 0 {
		at = len(h.columns)
		h.columns = append(h.columns, plan.NamedExpr{Name: h.names.UniqueName(argumentColumnName(e)), Expr: e, Type: typ})
	}
	return &sqlexpr.Ref{ID: at}
}

func argumentColumnName(e sqlexpr.Expr) string {
	if c, ok := e.(*sqlexpr.Column); ok {
		return c.Path[len(c.Path)-1].Text
	}
	return "argument"
}

// anyJoinedRowMeetsCondition returns the condition that some of the joined rows of a row of the home meet a condition.
func (h *HomeRowCollector) anyJoinedRowMeetsCondition(cond sqlexpr.Expr, name string) sqlexpr.Expr {
	return h.nonZeroCountCondition(build.Call(sqlexpr.FnCount, "COUNT", build.CaseWhen(cond, build.Integer(1))), name)
}

// homeRowExistsCondition returns the condition that there is a row of the home.
func (h *HomeRowCollector) homeRowExistsCondition() sqlexpr.Expr {
	count := build.Call(sqlexpr.FnCount, "COUNT", h.marker)
	if h.marker == nil {
		count.Args, count.Star = nil, true
	}
	return h.nonZeroCountCondition(count, "home_rows")
}

// nonZeroCountCondition returns the condition that a count of joined rows is not 0.
func (h *HomeRowCollector) nonZeroCountCondition(count sqlexpr.Expr, name string) sqlexpr.Expr {
	at := slices.IndexFunc(h.counts, func(c plan.NamedExpr) bool { return sqlexpr.Equal(c.Expr, count) })
	if at < 0 {
		at = len(h.counts)
		h.counts = append(h.counts, plan.NamedExpr{Name: h.names.UniqueName(name), Expr: count, Type: sqlexpr.TypeInt})
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpGt, L: &sqlexpr.Ref{ID: -at - 1}, R: build.Integer(0)}
}

// needsHomeRowCondition reports whether an aggregate would count a row that is not there, also where its fields are NULL.
func (h *HomeRowCollector) needsHomeRowCondition(key aggregateKey) bool {
	return h.hasAbsentRows() && (key.measure.Arg == nil || !sqlexpr.IsNullForNullColumns(key.measure.Arg))
}

// isConstantForAbsentRow reports whether an argument over the rows has its value on a row that is not there too: its
// fields are constants.
func (h *HomeRowCollector) isConstantForAbsentRow(arg sqlexpr.Expr) bool {
	_, isColumn := arg.(*sqlexpr.Ref)
	return h.hasAbsentRows() && !isColumn
}

// hasAbsentRows reports whether the rows have some without a row of the home: the joins have such rows, or
// the rows have one for the total of no rows.
func (h *HomeRowCollector) hasAbsentRows() bool {
	return h.marker != nil || h.Plan.Q.Levels.LevelOfGroupSet(nil) >= 0
}

// aggregateByHomeRow groups the rows of the home. keys are those of the joined rows, and the measures read
// arguments and counts.
func (h *HomeRowCollector) aggregateByHomeRow(joined plan.Node, keys, measures []plan.NamedExpr, why string) plan.Node {
	p := h.Plan
	if rows, groups, ok := h.makeRootRowsDistinct(joined, keys); ok {
		joined, keys = rows, groups
	}
	key := len(p.Br.Home.PrimaryOrFirstUniqueKeyColumns())
	rows := &plan.HomeRows{Input: joined, Groups: keys, Key: h.columns[:key], Args: h.columns[key:], Counts: h.counts, Home: p.Br.Home.Name}
	out := &plan.Aggregate{Input: rows, Home: p.Br.Home.Name, Why: why}
	if p.Q.Levels.HasSeveralLevels() {
		rows.Sets, rows.Level = p.Q.Levels.GroupSets, p.Level
	}
	columns := rows.Schema().ColumnRefs()
	counts := len(keys) + len(h.columns)
	out.Keys = slices.Clone(columns[:len(keys)])
	if rows.Level != "" {
		out.Keys = append(out.Keys, columns[counts])
		counts++
	}
	out.Measures = slices.Clone(measures)
	for i := range out.Measures {
		out.Measures[i].Expr = sqlexpr.RewriteRefs(out.Measures[i].Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
			switch {
			case r.ID < 0:
				return &sqlexpr.Ref{ID: counts - r.ID - 1}
			default:
				return &sqlexpr.Ref{ID: len(keys) + r.ID}
			}
		})
	}
	return out
}
