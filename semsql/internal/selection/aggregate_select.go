package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
)

// measure is one value of each group: a metric, a number of rows, or an aggregate over fields.
type measure struct {
	expr sqlexpr.Expr      // over references: a Ref of a metric or of rows, or the call of an aggregate
	ref  resolve.Reference // of a metric or of rows
	at   int
}

// isAggregate reports whether the measure is an aggregate that the statement writes.
func (m measure) isAggregate() bool {
	_, call := m.expr.(*sqlexpr.Call)
	return call
}

// aggregateSelect is an aggregate select: its groups and measures, and the other clauses over them. In those
// expressions a Ref is the number of a column, groups first.
type aggregateSelect struct {
	*selectClauses
	groups   []group
	measures []measure
	items    []sqlexpr.Expr
	having   []sqlexpr.Expr
	havingIn []sqlexpr.Expr // what clauses.havingIn compare
	order    []sqlexpr.Expr
	// sets are positions in groups, nil for one set of all; groupings are the groups of each call of GROUPING.
	sets      [][]int
	groupings [][]int
}

// findOrAddMeasureColumn returns the Ref of a measure, and adds a new measure.
func (g *aggregateSelect) findOrAddMeasureColumn(m measure) *sqlexpr.Ref {
	i := slices.IndexFunc(g.measures, func(o measure) bool { return sqlexpr.Equal(o.expr, m.expr) })
	if i < 0 {
		i = len(g.measures)
		g.measures = append(g.measures, m)
	}
	return &sqlexpr.Ref{Position: sqlexpr.Position(m.at), ID: len(g.groups) + i}
}
