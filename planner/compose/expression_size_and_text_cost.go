package compose

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// maxSummedExprSize bounds the sizes that are added up.
const maxSummedExprSize = 1 << 30

// exprSize is the number of operators and operands of an expression over columns, with what the columns compute.
func exprSize(e sqlexpr.Expr, columns []sizedColumn) int {
	n := 0
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID < len(columns) {
			n += columns[r.ID].size
		} else {
			n++
		}
		n = min(n, maxSummedExprSize)
		return true
	})
	return n
}

// checkTextCost refuses an expression whose text functions cost too much for a row.
func checkTextCost(e sqlexpr.Expr, columns []sizedColumn) error {
	_, problem := sqlexpr.CheckTextCostAndSize(e, sqlexpr.QueryLimits(), newColumnTextBytesFunc(columns))
	if problem == nil {
		return nil
	}
	return &Error{Problem: StatementTooLarge, Message: problem.Problem, At: problem.At}
}

// estimateTextBytes estimates the bytes of the value of an expression as text.
func estimateTextBytes(e sqlexpr.Expr, columns []sizedColumn) int {
	n, _ := sqlexpr.CheckTextCostAndSize(e, sqlexpr.QueryLimits(), newColumnTextBytesFunc(columns))
	return n
}

func newColumnTextBytesFunc(columns []sizedColumn) func(sqlexpr.Expr) int {
	return func(e sqlexpr.Expr) int {
		if r, ok := e.(*sqlexpr.Ref); ok && r.ID < len(columns) {
			return columns[r.ID].textBytes
		}
		return 0
	}
}

// estimateColumnTextBytes estimates the bytes of a column of a plan as text. Expressions of a query may have made it of stored
// texts.
func estimateColumnTextBytes(n plan.Node, at int) int {
	switch n := n.(type) {
	case *plan.Project:
		return estimateNodeExprTextBytes(n.Cols[at].Expr, n.Input)
	case *plan.Aggregate:
		if at < len(n.Keys) {
			return estimateNodeExprTextBytes(n.Keys[at].Expr, n.Input)
		}
		return estimateNodeExprTextBytes(n.Measures[at-len(n.Keys)].Expr, n.Input)
	case *plan.Combine:
		if at < n.Keys {
			return estimateColumnTextBytes(n.Branches[0], at)
		}
	case *plan.Filter:
		return estimateColumnTextBytes(n.Input, at)
	case *plan.SemiJoin:
		return estimateColumnTextBytes(n.Input, at)
	case *plan.Sort:
		return estimateColumnTextBytes(n.Input, at)
	case *plan.Limit:
		return estimateColumnTextBytes(n.Input, at)
	case *plan.Offset:
		return estimateColumnTextBytes(n.Input, at)
	case *plan.Derived:
		return estimateColumnTextBytes(n.Input, at)
	}
	return 0
}

func estimateNodeExprTextBytes(e sqlexpr.Expr, in plan.Node) int {
	bytes, _ := sqlexpr.CheckTextCostAndSize(e, sqlexpr.QueryLimits(), func(x sqlexpr.Expr) int {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID < len(in.Schema()) {
			return estimateColumnTextBytes(in, r.ID)
		}
		return 0
	})
	return bytes
}
