package compose

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// saturatedExprSizeSum bounds the sizes that are added up.
const saturatedExprSizeSum = 1 << 30

// exprSize returns the number of operators and operands of an expression over columns, with what the columns compute.
func exprSize(e sqlexpr.Expr, columns []sizedColumn) int {
	n := 0
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID < len(columns) {
			n += columns[r.ID].size
		} else {
			n++
		}
		n = min(n, saturatedExprSizeSum)
		return true
	})
	return n
}

// CheckTextFunctionCost rejects an expression whose text functions cost too much for a row.
func checkTextFunctionCost(e sqlexpr.Expr, columns []sizedColumn) error {
	_, problem := sqlexpr.CheckTextFunctionCostAndValueBytes(e, sqlexpr.QueryLimits(), newColumnValueTextBytesFunc(columns))
	if problem == nil {
		return nil
	}
	return &Error{Problem: StatementTooLarge, Message: problem.Problem, At: problem.At}
}

// estimateTextValueBytes estimates the bytes of the value of an expression as text.
func estimateTextValueBytes(e sqlexpr.Expr, columns []sizedColumn) int {
	n, _ := sqlexpr.CheckTextFunctionCostAndValueBytes(e, sqlexpr.QueryLimits(), newColumnValueTextBytesFunc(columns))
	return n
}

func newColumnValueTextBytesFunc(columns []sizedColumn) func(sqlexpr.Expr) int {
	return func(e sqlexpr.Expr) int {
		if r, ok := e.(*sqlexpr.Ref); ok && r.ID < len(columns) {
			return columns[r.ID].textBytes
		}
		return 0
	}
}

// estimateColumnValueTextBytes estimates the bytes of a column of a plan as text. Expressions of a query may have made it of stored
// texts.
func estimateColumnValueTextBytes(n plan.Node, at int) int {
	switch n := n.(type) {
	case *plan.Project:
		return estimateNodeExprValueTextBytes(n.Cols[at].Expr, n.Input)
	case *plan.Aggregate:
		if at < len(n.Keys) {
			return estimateNodeExprValueTextBytes(n.Keys[at].Expr, n.Input)
		}
		return estimateNodeExprValueTextBytes(n.Measures[at-len(n.Keys)].Expr, n.Input)
	case *plan.Combine:
		if at < n.Keys {
			return estimateColumnValueTextBytes(n.Branches[0], at)
		}
	case *plan.Window:
		if width := len(n.Input.Schema()); at >= width {
			return estimateNodeExprValueTextBytes(n.Funcs[at-width].Expr, n.Input)
		}
		return estimateColumnValueTextBytes(n.Input, at)
	case *plan.GroupingSets:
		if at < len(n.Keys) {
			return estimateNodeExprValueTextBytes(n.Keys[at].Expr, n.Input)
		}
		if at > len(n.Keys) {
			return estimateNodeExprValueTextBytes(n.Measures[at-len(n.Keys)-1].Expr, n.Input)
		}
	case *plan.Filter, *plan.SemiJoin, *plan.Sort, *plan.Limit, *plan.Offset, *plan.FirstColumns, *plan.Derived:
		return estimateColumnValueTextBytes(n.Inputs()[0], at)
	default: // the texts of other nodes are stored ones, which cost nothing here
	}
	return 0
}

func estimateNodeExprValueTextBytes(e sqlexpr.Expr, in plan.Node) int {
	bytes, _ := sqlexpr.CheckTextFunctionCostAndValueBytes(e, sqlexpr.QueryLimits(), func(x sqlexpr.Expr) int {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID < len(in.Schema()) {
			return estimateColumnValueTextBytes(in, r.ID)
		}
		return 0
	})
	return bytes
}
