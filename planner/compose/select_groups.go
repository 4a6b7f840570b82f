package compose

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// addGroupBy adds GROUP BY. Later expressions are over the groups and the aggregates.
func (b *selectBuilder) addGroupBy() error {
	if !b.grouped {
		return nil
	}
	if len(b.groups) > limits.QueryColumns {
		return tooManyPartsError("groups")
	}
	g := groupsAndAggregates{keys: distinctExprs(b.groups), scalars: len(b.s.Scalars)}
	levels := b.groupingLevels(g.keys)
	g.collectAggregates(b.having)
	g.collectAggregates(b.havingIn...)
	g.collectAggregates(b.items...)
	g.collectAggregates(b.keys...)
	if len(g.keys)+len(g.aggregates) > limits.QueryColumns {
		return tooManyPartsError("groups and aggregates")
	}
	if len(g.aggregates) == 0 && (len(g.keys) == 0 || len(levels.Sets) > 1) {
		g.aggregates = []sqlexpr.Expr{newCountStarCall()}
	}
	exprs := make([]sqlexpr.Expr, 0, len(g.keys)+len(g.aggregates))
	for _, list := range [][]sqlexpr.Expr{g.keys, g.aggregates} {
		for _, e := range list {
			exprs = append(exprs, b.rewriteScalarSubqueryRefs(e))
		}
	}
	b.wrapTooLargeNode(exprs...)
	columns := make([]sizedColumn, len(exprs))
	for i, e := range exprs {
		columns[i] = newColumn(b.groupColumnName(g.keyOrAggregateAt(i), e), e, b.columns)
	}
	for i := len(g.keys); i < len(exprs); i++ {
		call, err := b.c.callOnTarget(exprs[i].(*sqlexpr.Call), b.columns)
		if err != nil {
			return err
		}
		exprs[i] = call
	}
	all := newNamedExprs(exprs, columns)
	keys, measures := all[:len(g.keys):len(g.keys)], all[len(g.keys):]
	level := newColumnRef(len(columns))
	b.columns, b.count = columns, unknownRowCount
	if len(levels.Sets) > 1 {
		b.node = b.groupBySets(keys, measures, levels)
		level := sizedColumn{Column: Column{Name: "level", Type: sqltype.Integer}, size: 1, textBytes: maxGroupingDigits}
		b.columns = slices.Concat(columns, []sizedColumn{level})
		g.hasLevel = true
	} else {
		b.node = levels.repeatOnlyLevel(b.c.replaceMissingAggregates(&plan.Aggregate{Input: b.node, Keys: keys, Measures: measures}))
		if len(keys) == 0 && levels.HasEachOnce() {
			b.count = exactlyOneRow
		}
	}
	for _, groups := range b.s.Groupings {
		g.groupings = append(g.groupings, levels.MaskOfGroups(level, b.positionsOfGroups(g.keys, groups)))
	}
	return b.rewriteAfterGroupBy(func(e sqlexpr.Expr) (sqlexpr.Expr, error) { return g.rewriteOverGroups(e, len(b.scope.columns)) })
}

// groupingLevels returns the levels of the grouping: sets of keys.
func (b *selectBuilder) groupingLevels(keys []sqlexpr.Expr) GroupingLevels {
	if b.s.Sets == nil {
		return newOnlyLevel(len(keys))
	}
	sets := make([][]int, len(b.s.Sets))
	for i, set := range b.s.Sets {
		sets[i] = b.positionsOfGroups(keys, set)
	}
	return NewGroupingLevels(sets)
}

// positionsOfGroups returns the keys that groups are.
func (b *selectBuilder) positionsOfGroups(keys []sqlexpr.Expr, groups []int) []int {
	out := make([]int, len(groups))
	for i, g := range groups {
		out[i] = indexOfExpr(keys, b.groups[g])
	}
	return out
}

// groupBySets returns the rows of several levels: the keys, the measures and the level.
func (b *selectBuilder) groupBySets(keys, measures []plan.NamedExpr, levels GroupingLevels) plan.Node {
	names := make([]string, 0, len(keys)+len(measures)+1)
	for _, e := range slices.Concat(keys, measures) {
		names = append(names, e.Name)
	}
	level := distinctColumnNames(append(names, "level"))[len(names)]
	sets := &plan.GroupingSets{Input: b.node, Keys: keys, Sets: levels.Sets, Level: level, Measures: measures}
	node := levels.repeatRows(b.c.replaceMissingAggregates(sets), len(keys))
	columns := node.Schema().ColumnRefs()
	return &plan.Project{Input: node, Cols: slices.Concat(columns[:len(keys)], columns[len(keys)+1:], columns[len(keys):len(keys)+1])}
}

// rewriteAfterGroupBy rewrites what is written after GROUP BY.
func (b *selectBuilder) rewriteAfterGroupBy(rewrite func(sqlexpr.Expr) (sqlexpr.Expr, error)) (err error) {
	if b.having != nil {
		if b.having, err = rewrite(b.having); err != nil {
			return err
		}
	}
	for _, list := range [][]sqlexpr.Expr{b.havingIn, b.items, b.keys} {
		for i, e := range list {
			if e == nil {
				continue
			}
			if list[i], err = rewrite(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// groupColumnName returns the name of a column that groups or aggregates: that of the item that it is.
func (b *selectBuilder) groupColumnName(written, e sqlexpr.Expr) string {
	if i := indexOfExpr(b.items, written); i >= 0 {
		return b.s.Items[i].Name
	}
	switch e := e.(type) {
	case *sqlexpr.Ref:
		return b.columns[e.ID].Name
	case *sqlexpr.Call:
		return strings.ToLower(callName(e))
	}
	return "group_key"
}

// groupsAndAggregates is the groups and the aggregates of a SELECT, each once, over the columns of From and the scalar
// subqueries.
type groupsAndAggregates struct {
	keys, aggregates []sqlexpr.Expr
	scalars          int
	hasLevel         bool
	groupings        []sqlexpr.Expr // the values of GROUPING, over the columns of the grouped rows
}

// columnCount returns the number of the columns of the grouped rows, after which are the scalar subqueries.
func (g *groupsAndAggregates) columnCount() int {
	if g.hasLevel {
		return len(g.keys) + len(g.aggregates) + 1
	}
	return len(g.keys) + len(g.aggregates)
}

func (g *groupsAndAggregates) keyOrAggregateAt(i int) sqlexpr.Expr {
	if i < len(g.keys) {
		return g.keys[i]
	}
	return g.aggregates[i-len(g.keys)]
}

// collectAggregates adds the aggregates of expressions.
func (g *groupsAndAggregates) collectAggregates(all ...sqlexpr.Expr) {
	for _, e := range all {
		walkSkippingWindowCallNodes(e, func(x sqlexpr.Expr) bool {
			c, ok := x.(*sqlexpr.Call)
			if !ok || sqlexpr.InfoOfFunction(c.Fn).Class != sqlexpr.ClassAggregate {
				return true
			}
			if len(g.aggregates) <= limits.QueryColumns && indexOfExpr(g.aggregates, x) < 0 {
				g.aggregates = append(g.aggregates, x)
			}
			return false
		})
	}
}

// rewriteOverGroups returns an expression over the groups, the aggregates and, after them, the scalar subqueries.
func (g *groupsAndAggregates) rewriteOverGroups(e sqlexpr.Expr, columns int) (sqlexpr.Expr, error) {
	var failed error
	var replace func(x sqlexpr.Expr) sqlexpr.Expr
	replace = func(x sqlexpr.Expr) sqlexpr.Expr {
		if failed != nil {
			return x
		}
		if i := indexOfExpr(g.keys, x); i >= 0 {
			return newColumnRef(i)
		}
		switch x := x.(type) {
		case *sqlexpr.WindowCall:
			return rewriteWindowOperands(x, replace)
		case *sqlexpr.Call:
			if i := indexOfExpr(g.aggregates, x); i >= 0 {
				return newColumnRef(len(g.keys) + i)
			}
		case *sqlexpr.Ref:
			if x.ID < columns {
				failed = &Error{Problem: UngroupedColumn, Message: "a column is neither a group nor inside of an aggregate", At: x, Column: x.ID}
				return x
			}
			if i := x.ID - columns - g.scalars; i >= 0 {
				return g.groupings[i]
			}
			return newColumnRef(x.ID - columns + g.columnCount())
		}
		return nil
	}
	return sqlexpr.Rewrite(e, replace), failed
}

// rewriteWindowOperands returns a window call with other operands; its call stays.
func rewriteWindowOperands(e *sqlexpr.WindowCall, replace func(sqlexpr.Expr) sqlexpr.Expr) *sqlexpr.WindowCall {
	out := &sqlexpr.WindowCall{Position: e.Position, Frame: e.Frame}
	call := *e.Call
	call.Args = rewriteExprs(e.Call.Args, replace)
	out.Call, out.Partition = &call, rewriteExprs(e.Partition, replace)
	for _, o := range e.Order {
		out.Order = append(out.Order, sqlexpr.OrderItem{X: sqlexpr.Rewrite(o.X, replace), Desc: o.Desc})
	}
	return out
}

func rewriteExprs(all []sqlexpr.Expr, replace func(sqlexpr.Expr) sqlexpr.Expr) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(all))
	for i, e := range all {
		out[i] = sqlexpr.Rewrite(e, replace)
	}
	return out
}

func newCountStarCall() *sqlexpr.Call {
	return &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}
}

func indexOfExpr(all []sqlexpr.Expr, e sqlexpr.Expr) int {
	for i, x := range all {
		if x != nil && sqlexpr.Equal(x, e) {
			return i
		}
	}
	return -1
}

func distinctExprs(all []sqlexpr.Expr) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, e := range all {
		if indexOfExpr(out, e) < 0 {
			out = append(out, e)
		}
	}
	return out
}
