package refine

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// limitFirstLevel keeps, of the rows of level 0, those that limit and offset choose, and all others.
func (a resultPlanner) limitFirstLevel(rows plan.Node, keys []plan.SortKey) plan.Node {
	cols := rows.Schema().ColumnRefs()
	place := naming.Unused("row_position", func(name string) bool {
		return slices.ContainsFunc(cols, func(c plan.NamedExpr) bool { return strings.EqualFold(c.Name, name) })
	})
	chosen, why := a.limitOffsetPositionCondition(len(cols))
	kept := &sqlexpr.Binary{Op: sqlexpr.OpOr, L: a.totalRowCondition(), R: chosen}
	filter := &plan.Filter{Input: a.addRowPositions(rows, place, keys[1:]), Conds: []sqlexpr.Expr{kept}, Why: why} // the first key is the level
	return &plan.Project{Input: filter, Cols: cols}
}

// limitOffsetPositionCondition returns the condition that limit and offset choose a row of level 0, whose position is in a column.
func (a resultPlanner) limitOffsetPositionCondition(column int) (cond sqlexpr.Expr, why string) {
	q := a.q.In.Query
	compare := func(op sqlexpr.BinaryOp, n int64) sqlexpr.Expr {
		return &sqlexpr.Binary{Op: op, L: &sqlexpr.Ref{ID: column}, R: &sqlexpr.Number{Text: strconv.FormatInt(n, 10)}}
	}
	if q.Offset > 0 {
		cond, why = compare(sqlexpr.OpGt, q.Offset), "offset"
	}
	if q.Limit != nil {
		last := *q.Limit
		if last > math.MaxInt64-q.Offset {
			last = math.MaxInt64 - q.Offset
		}
		cond, why = sqlexpr.And(cond, compare(sqlexpr.OpLe, q.Offset+last)), "limit"
	}
	return cond, why
}

// addRowPositions adds the position of each row in its level as the last column.
func (a resultPlanner) addRowPositions(rows plan.Node, name string, ordered []plan.SortKey) plan.Node {
	if project, ok := rows.(*plan.Project); ok {
		if window, ok := project.Input.(*plan.Window); ok && a.addPositionsToShareWindow(project, window, name, ordered) {
			return project
		}
	}
	position, _ := a.positionInLevel(name, ordered, func(col int) (int, bool) { return col, true })
	return &plan.Window{Input: rows, Funcs: []plan.NamedExpr{position}}
}

// addPositionsToShareWindow computes the positions with the denominators of the shares, over the same rows. It changes nothing and
// returns false where rows are ordered by what is computed above them.
func (a resultPlanner) addPositionsToShareWindow(project *plan.Project, window *plan.Window, name string, ordered []plan.SortKey) bool {
	rows, ok := window.Input.(*plan.Project)
	if !ok {
		return false
	}
	width := len(rows.Cols)
	position, ok := a.positionInLevel(name, ordered, func(col int) (int, bool) {
		r, ok := project.Cols[col].Expr.(*sqlexpr.Ref)
		if !ok || r.ID >= width {
			return 0, false
		}
		return r.ID, true
	})
	if !ok {
		return false
	}
	at := width + len(window.Funcs)
	window.Funcs = append(window.Funcs, position)
	project.Cols = append(project.Cols, plan.NamedExpr{Name: name, Expr: &sqlexpr.Ref{ID: at}, Type: position.Type})
	return true
}

// positionInLevel numbers the rows of each level in their order. columnAt is the column of the input that a
// column of the result is, false where it lacks one.
func (a resultPlanner) positionInLevel(name string, ordered []plan.SortKey, columnAt func(col int) (int, bool)) (plan.NamedExpr, bool) {
	level, ok := columnAt(a.levelColumnIndex())
	if !ok {
		return plan.NamedExpr{}, false
	}
	over := &sqlexpr.WindowCall{
		Call:      build.Call(sqlexpr.FnRowNumber, "ROW_NUMBER"),
		Partition: []sqlexpr.Expr{&sqlexpr.Ref{ID: level}},
		Order:     make([]sqlexpr.OrderItem, len(ordered)),
	}
	refs := make([]sqlexpr.Ref, len(ordered))
	for i, k := range ordered {
		if refs[i].ID, ok = columnAt(k.Col); !ok {
			return plan.NamedExpr{}, false
		}
		over.Order[i] = sqlexpr.OrderItem{X: &refs[i], Desc: k.Desc}
	}
	return plan.NamedExpr{Name: name, Expr: over, Type: sqlexpr.TypeInt}, true
}
