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
	switch e, inputs := sourceOfColumn(n, at); {
	case e != nil:
		return estimateNodeExprValueTextBytes(e, inputs[0])
	case len(inputs) > 0:
		return estimateColumnValueTextBytes(inputs[0], at)
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
