package compose

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// SetOperation is how the rows of two relations become those of one.
type SetOperation uint8

// The operations. All but UnionAll give each row once; NULL is equal to NULL.
const (
	Union SetOperation = iota
	UnionAll
	Intersect
	Except
)

// ApplySetOperation returns the rows of a set operation. Columns meet by position and have the names of left. INTERSECT and
// EXCEPT are groups over the rows of both sides, so that every engine has them, and equality is that of groups.
func (c *Composer) ApplySetOperation(op SetOperation, left, right *Rows) (*Rows, error) {
	l, r := left.visibleColumns(), right.visibleColumns()
	if len(l) != len(r) {
		return nil, &Error{Problem: ColumnCountMismatch, Message: fmt.Sprintf("the sides of a set operation have %d and %d columns", len(l), len(r))}
	}
	columns := make([]sizedColumn, len(l))
	for i := range l {
		both, ok := sqltype.CommonType(l[i].Type, r[i].Type)
		if !ok {
			return nil, &Error{Problem: ColumnTypeMismatch, Message: fmt.Sprintf("%s of a set operation is %s on one side and %s on the other", l[i].Name, l[i].Type, r[i].Type), Column: i}
		}
		columns[i] = sizedColumn{Column: Column{Name: l[i].Name, Type: both}, size: 1, textBytes: max(l[i].textBytes, r[i].textBytes)}
		if l[i].Metric == r[i].Metric && l[i].Kind == r[i].Kind {
			columns[i].Metric, columns[i].Kind = l[i].Metric, l[i].Kind
		}
	}
	out := &Rows{columns: columns, visible: len(columns)}
	if op == Intersect || op == Except {
		out.node = selectRowsBySetOperandMarks(op, addSetOperandMarkColumns(left, columns, "1", "0"), addSetOperandMarkColumns(right, columns, "0", "1"), len(columns))
		return out, nil
	}
	out.node = &plan.Union{Rows: []plan.Node{castSetOperationSide(left, columns), castSetOperationSide(right, columns)}}
	if op == Union {
		return c.distinctRows(out), nil
	}
	return out, nil
}

// castSetOperationSide returns one side of a set operation with the types of both. Numbers meet by themselves, unless one is a
// double.
func castSetOperationSide(r *Rows, columns []sizedColumn) plan.Node {
	exprs := make([]sqlexpr.Expr, len(columns))
	for i, own := range r.visibleColumns() {
		exprs[i] = newColumnRef(i)
		if own.Type != columns[i].Type && (own.Type == sqltype.Unknown || own.Type.IsDateOrTimestamp() || columns[i].Type == sqltype.Double) {
			exprs[i] = &sqlexpr.Cast{X: exprs[i], To: sqlexpr.TypeName{Type: columns[i].Type.Logical()}}
		}
	}
	return &plan.Project{Input: r.nodeOfVisibleColumns(), Cols: newNamedExprs(exprs, columns)}
}

// addSetOperandMarkColumns returns one side with two more columns, which mark the side that a row is on.
func addSetOperandMarkColumns(r *Rows, columns []sizedColumn, left, right string) plan.Node {
	n := castSetOperationSide(r, columns).(*plan.Project)
	names := make([]string, 0, len(n.Cols)+2)
	for _, col := range n.Cols {
		names = append(names, col.Name)
	}
	names = distinctColumnNames(append(names, "on_left", "on_right"))
	for i, mark := range []string{left, right} {
		n.Cols = append(n.Cols, plan.NamedExpr{Name: names[len(columns)+i], Expr: &sqlexpr.Number{Text: mark}, Type: sqlexpr.TypeInt})
	}
	return n
}

// selectRowsBySetOperandMarks returns the distinct rows that are on the left side, and on the right side too or not at all.
func selectRowsBySetOperandMarks(op SetOperation, left, right plan.Node, columns int) plan.Node {
	all := &plan.Union{Rows: []plan.Node{left, right}}
	schema := all.Schema()
	grouped := &plan.Aggregate{Input: all, Keys: schema[:columns].ColumnRefs()}
	var conds []sqlexpr.Expr
	for i, onSide := range []bool{true, op == Intersect} {
		at := columns + i
		largest := &sqlexpr.Call{Fn: sqlexpr.FnMax, Name: sqlexpr.Name{Text: "MAX"}, Args: []sqlexpr.Expr{newColumnRef(at)}}
		grouped.Measures = append(grouped.Measures, plan.NamedExpr{Name: schema[at].Name, Expr: largest, Type: sqlexpr.TypeInt})
		mark := "0"
		if onSide {
			mark = "1"
		}
		conds = append(conds, &sqlexpr.Binary{Op: sqlexpr.OpEq, L: newColumnRef(at), R: &sqlexpr.Number{Text: mark}})
	}
	return &plan.Project{Input: &plan.Filter{Input: grouped, Conds: conds, Why: "set operation"}, Cols: schema[:columns].ColumnRefs()}
}
