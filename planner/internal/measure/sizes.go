package measure

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// maxExpressionNodes bounds the operators and operands that a query expands to. A metric over a
// metric over a metric can double sixty times.
const maxExpressionNodes = limits.QueryExpressionNodes

// Sizes counts operators and operands.
type Sizes struct {
	total  int
	sizeOf map[sqlexpr.Expr]int  // of expressions of the model, of conditions, and of values
	grow   func(nodes int) error // takes memory for further ones; nil where none is counted
}

// expressionSize returns the number of nodes of an expression, which is counted once.
func (sizes *Sizes) expressionSize(e sqlexpr.Expr) int {
	switch e.(type) {
	case nil:
		return 0
	case *sqlexpr.Ref:
		return 1
	}
	if n, known := sizes.sizeOf[e]; known {
		return n
	}
	n := 0
	sqlexpr.Walk(e, func(sqlexpr.Expr) bool {
		n++
		return true
	})
	sizes.recordSize(e, n)
	return n
}

func (sizes *Sizes) recordSize(e sqlexpr.Expr, n int) {
	if sizes.sizeOf == nil {
		sizes.sizeOf = map[sqlexpr.Expr]int{}
	}
	sizes.sizeOf[e] = n
}

// AddToQuerySize adds expressions to what the query expands to.
func (sizes *Sizes) AddToQuerySize(exprs ...sqlexpr.Expr) error {
	before := sizes.total
	for _, e := range exprs {
		sizes.total += sizes.expressionSize(e)
	}
	switch {
	case sizes.total > maxExpressionNodes:
		return querySizeError()
	case sizes.grow != nil:
		return sizes.grow(sizes.total - before)
	}
	return nil
}

// recordValueSize notes the size of a metric's value, whose operands are sized already: a value
// that is too long is never walked.
func (sizes *Sizes) recordValueSize(value, form sqlexpr.Expr, operands int) error {
	n := sizes.expressionSize(form) + operands
	if n > maxExpressionNodes {
		return querySizeError()
	}
	if n > 1 {
		sizes.recordSize(value, n)
	}
	return nil
}

func querySizeError() error {
	return &planerr.Error{
		Code:    planerr.CodeBadRequest,
		Message: "with its metrics expanded, the query has more than " + strconv.Itoa(maxExpressionNodes) + " operators and operands: ask in several queries",
	}
}
