package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// groupingCalls are the calls of GROUPING of a select over results, each once.
type groupingCalls struct {
	calls []resolve.Reference
	at    []int // where they are written
}

// findOrAdd returns the Ref of a call, whose number addGroupings changes to that of its value.
func (g *groupingCalls) findOrAdd(ref *sqlexpr.Ref, call resolve.Reference) sqlexpr.Expr {
	i := slices.IndexFunc(g.calls, func(o resolve.Reference) bool { return slices.EqualFunc(o.Arguments, call.Arguments, sqlexpr.Equal) })
	if i < 0 {
		i = len(g.calls)
		g.calls, g.at = append(g.calls, call), append(g.at, ref.Pos())
	}
	return &sqlexpr.Ref{Position: ref.Position, ID: firstGroupingRef + i}
}

// addGroupings adds the calls of GROUPING to a select.
func (o selectOverResultRows) addGroupings(s *compose.Select) error {
	for i, call := range o.groupings.calls {
		var positions []int
		for _, arg := range call.Arguments {
			at := slices.IndexFunc(o.groups, func(g sqlexpr.Expr) bool { return sqlexpr.Equal(g, arg) })
			if at < 0 {
				return sqlerror.New(sqlerror.CodeGroupByRequired, o.groupings.at[i], "an argument of GROUPING is not a group")
			}
			positions = append(positions, at)
		}
		s.Groupings = append(s.Groupings, positions)
	}
	if len(s.Groupings) == 0 {
		return nil
	}
	first := o.columns + len(s.Scalars)
	renumber := func(e sqlexpr.Expr) sqlexpr.Expr {
		if e == nil {
			return nil
		}
		return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
			if ref, ok := x.(*sqlexpr.Ref); ok && ref.ID >= firstGroupingRef {
				return &sqlexpr.Ref{Position: ref.Position, ID: first + ref.ID - firstGroupingRef}
			}
			return nil
		})
	}
	s.Having = renumber(s.Having)
	for i, m := range s.HavingIn {
		s.HavingIn[i].Value = renumber(m.Value)
	}
	for i, item := range s.Items {
		s.Items[i].Expr = renumber(item.Expr)
	}
	for i, key := range s.OrderBy {
		s.OrderBy[i].Expr = renumber(key.Expr)
	}
	return nil
}
