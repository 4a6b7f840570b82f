package selection

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// maxGroupingSets bounds the sets of groups of a select.
const maxGroupingSets = 33

// readGroupBy reads GROUP BY: a list of groups, or several sets of them. Every item is one set or several, and the sets of a select are
// all combinations of a set of each item.
func (c *selectClauses) readGroupBy(items []parse.Expr) error {
	if !hasGrouping(items) {
		for _, e := range items {
			group, _, err := c.readGroup(e)
			if err != nil {
				return err
			}
			c.groups = append(c.groups, group)
		}
		return nil
	}
	r := groupingReader{selectClauses: c}
	sets := [][]int{{}}
	for _, e := range items {
		list, err := r.readItem(e)
		if err != nil {
			return err
		}
		if sets, err = combineGroupingSets(sets, list, e.Pos()); err != nil {
			return err
		}
	}
	if len(sets) > 1 {
		c.sets = sets
	}
	return nil
}

// hasGrouping reports whether GROUP BY has an item that is not one expression.
func hasGrouping(items []parse.Expr) bool {
	return slices.ContainsFunc(items, func(e parse.Expr) bool { _, ok := e.(*parse.Grouping); return ok })
}

// groupingReader reads the sets of groups of a select.
type groupingReader struct {
	*selectClauses
	itemOf []int // the item of the select that each group is; -1 for none
}

// readItem returns the sets of an item.
func (r *groupingReader) readItem(e parse.Expr) (sets [][]int, err error) {
	g, ok := e.(*parse.Grouping)
	if !ok {
		i, err := r.findOrAddGroup(e)
		return [][]int{{i}}, err
	}
	switch g.Kind {
	case parse.GroupingSets:
		for _, item := range g.Items {
			list, err := r.readItem(item)
			if err != nil {
				return nil, err
			}
			if sets = append(sets, list...); len(sets) > maxGroupingSets {
				return nil, tooManyGroupingSetsError(g.Pos())
			}
		}
		return sets, nil
	case parse.GroupingList:
		var set []int
		for _, item := range g.Items {
			i, err := r.findOrAddGroup(item)
			if err != nil {
				return nil, err
			}
			set = append(set, i)
		}
		return [][]int{set}, nil
	}
	parts := make([][]int, len(g.Items))
	for i, item := range g.Items {
		list, err := r.readItem(item)
		if err != nil {
			return nil, err
		}
		parts[i] = list[0]
	}
	if g.Kind == parse.GroupingCube {
		sets = [][]int{{}}
		for _, part := range parts {
			if sets, err = combineGroupingSets(sets, [][]int{part, nil}, g.Pos()); err != nil {
				return nil, err
			}
		}
		return sets, nil
	}
	for n := len(parts); n >= 0; n-- {
		if sets = append(sets, slices.Concat(parts[:n]...)); len(sets) > maxGroupingSets {
			return nil, tooManyGroupingSetsError(g.Pos())
		}
	}
	return sets, nil
}

// findOrAddGroup returns the position of a group. An expression is the first item that is equal to it.
func (r *groupingReader) findOrAddGroup(e parse.Expr) (int, error) {
	group, item, err := r.readGroup(e)
	if err != nil {
		return 0, err
	}
	isGroup := func(o sqlexpr.Expr) bool { return sqlexpr.Equal(o, group) }
	if item < 0 {
		item = slices.IndexFunc(r.items, func(o resolve.SelectItem) bool { return isGroup(o.Expr) })
	}
	for i, o := range r.groups {
		if isGroup(o) && r.itemOf[i] == item {
			return i, nil
		}
	}
	r.groups, r.itemOf = append(r.groups, group), append(r.itemOf, item)
	return len(r.groups) - 1, nil
}

// checkEqualGroups rejects a set that has one of two groups that are the same: a row would show the value of one and NULL for the other.
func (c *selectClauses) checkEqualGroups(same func(i, j int) bool) error {
	for i, group := range c.groups {
		for j := range i {
			differs := func(set []int) bool { return slices.Contains(set, i) != slices.Contains(set, j) }
			if slices.ContainsFunc(c.sets, differs) && same(i, j) {
				return sqlerror.New(planerr.CodeNotImplemented, group.Pos(), "a set of GROUP BY has one of two groups that are the same").WithHint("select the expression once")
			}
		}
	}
	return nil
}

// combineGroupingSets returns each set of one list together with each of another.
func combineGroupingSets(left, right [][]int, at int) ([][]int, error) {
	if len(left)*len(right) > maxGroupingSets {
		return nil, tooManyGroupingSetsError(at)
	}
	var out [][]int
	for _, l := range left {
		for _, r := range right {
			out = append(out, slices.Concat(l, r))
		}
	}
	return out, nil
}

func tooManyGroupingSetsError(at int) error {
	return sqlerror.New(planerr.CodeBadRequest, at, fmt.Sprintf("GROUP BY has more than %d sets of groups", maxGroupingSets)).WithSQLState(sqlerror.SQLStateLimitExceeded)
}

// groupPositionsOfCall returns the groups that the arguments of GROUPING are.
func (w *columnRewriter) groupPositionsOfCall(ref *sqlexpr.Ref) ([]int, error) {
	var out []int
	for _, arg := range w.Refs.ReferenceOf(ref).Arguments {
		at := -1
		if column, ok := w.findGroupOfExpr(w.groups, arg); ok {
			for r := range sqlexpr.Refs(column) {
				at = r.ID
			}
		}
		if at < 0 && !w.Refs.HasReferenceInExpr(arg) {
			return nil, sqlerror.New(sqlerror.CodeGroupByRequired, ref.Pos(), "an argument of GROUPING is a constant and not a group")
		}
		if at < 0 {
			w.missing = append(w.missing, slices.Collect(sqlexpr.Refs(arg))...)
		}
		out = append(out, at)
	}
	return out, nil
}

// firstGroupingRef is the number of the first call of GROUPING in expressions over the columns of a grouping.
const firstGroupingRef = 1 << 21

// groupingCallRef returns the Ref of a call of GROUPING, and adds a new one.
func (w *columnRewriter) groupingCallRef(ref *sqlexpr.Ref) (sqlexpr.Expr, error) {
	positions, err := w.groupPositionsOfCall(ref)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(w.groupings, func(o []int) bool { return slices.Equal(o, positions) })
	if i < 0 {
		i = len(w.groupings)
		w.groupings = append(w.groupings, positions)
	}
	return &sqlexpr.Ref{Position: ref.Position, ID: firstGroupingRef + i}, nil
}

// setsOfGroups returns the sets of groups of the query, whose groups are those of GROUP BY, each once. A constant in one set and not in
// another would decide which sets have rows.
func (g *aggregateSelect) setsOfGroups() ([][]int, error) {
	columns := make([]int, len(g.selectClauses.groups))
	for i, e := range g.selectClauses.groups {
		if g.isConstant(e) {
			return nil, sqlerror.New(sqlerror.CodeUnsupported, e.Pos(), "a constant is a group of one of several sets").WithHint("leave the constant out of GROUP BY")
		}
		column, _ := g.findGroupOfExpr(g.groups, e)
		for r := range sqlexpr.Refs(column) {
			columns[i] = r.ID
		}
	}
	sets := make([][]int, len(g.selectClauses.sets))
	for i, set := range g.selectClauses.sets {
		for _, position := range set {
			sets[i] = append(sets[i], columns[position])
		}
	}
	return sets, g.checkEqualGroups(func(i, j int) bool { return columns[i] == columns[j] })
}

// addTotals requests the levels of the sets beside that of all groups.
func (q *metricQuery) addTotals() {
	for _, set := range q.levels.Sets[1:] {
		names := make([]string, len(set))
		for i, group := range set {
			names[i] = q.names[group]
		}
		q.body.Totals = append(q.body.Totals, names)
	}
}

// checkNoWindowCondition rejects a condition of WHERE that hides rows of the result after windows: it would hide those of one level.
func (q *metricQuery) checkNoWindowCondition(root plan.Node) error {
	if len(q.levels.Sets) == 1 {
		return nil
	}
	for n := root; n != nil; {
		switch x := n.(type) {
		case *plan.Filter:
			at := q.syntax.Pos()
			if conds := q.selectClauses.where; len(conds) > 0 {
				at = conds[0].Pos() // perhaps of a subquery in FROM
			}
			return sqlerror.New(planerr.CodeNotImplemented, at, "WHERE hides rows of the result beside a window, and GROUP BY has several sets of groups").
				WithHint("write the condition in HAVING")
		case *plan.Sort:
			n = x.Input
		default:
			return nil
		}
	}
	return nil
}

// groupingMask returns the value of a call of GROUPING over the columns of the planned query.
func (q *metricQuery) groupingMask(call int) sqlexpr.Expr {
	if len(q.sets) == 0 {
		return &sqlexpr.Number{Text: "0"}
	}
	return q.levels.MaskOfGroups(&sqlexpr.Ref{ID: q.width - 1}, q.groupings[call])
}

// groupRowsBySets groups the distinct rows of all groups by the sets: without measures each set lists its distinct groups.
func (q *metricQuery) groupRowsBySets(s *compose.Select) {
	for i := range q.groups {
		s.GroupBy = append(s.GroupBy, &sqlexpr.Ref{ID: i})
	}
	s.Grouped, s.Sets, s.Groupings = true, q.sets, q.groupings
	s.Having, s.HavingIn, s.Where, s.WhereIn = s.Where, s.WhereIn, nil, nil
}
