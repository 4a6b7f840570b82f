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
func (s *Sizes) expressionSize(e sqlexpr.Expr) int {
	switch e.(type) {
	case nil:
		return 0
	case *sqlexpr.Ref:
		return 1
	}
	if n, known := s.sizeOf[e]; known {
		return n
	}
	n := 0
	sqlexpr.Walk(e, func(sqlexpr.Expr) bool {
		n++
		return true
	})
	s.recordSize(e, n)
	return n
}

func (s *Sizes) recordSize(e sqlexpr.Expr, n int) {
	if s.sizeOf == nil {
		s.sizeOf = map[sqlexpr.Expr]int{}
	}
	s.sizeOf[e] = n
}

// AddToQuerySize adds expressions to what the query expands to.
func (s *Sizes) AddToQuerySize(exprs ...sqlexpr.Expr) error {
	before := s.total
	for _, e := range exprs {
		s.total += s.expressionSize(e)
	}
	switch {
	case s.total > maxExpressionNodes:
		return querySizeError()
	case s.grow != nil:
		return s.grow(s.total - before)
	}
	return nil
}

// recordValueSize notes the size of a metric's value, whose operands are sized already: a value
// that is too long is never walked.
func (s *Sizes) recordValueSize(value, form sqlexpr.Expr, operands int) error {
	n := s.expressionSize(form) + operands
	if n > maxExpressionNodes {
		return querySizeError()
	}
	if n > 1 {
		s.recordSize(value, n)
	}
	return nil
}

func querySizeError() error {
	return &planerr.Error{
		Code:    planerr.CodeBadRequest,
		Message: "with its metrics expanded, the query has more than " + strconv.Itoa(maxExpressionNodes) + " operators and operands: ask in several queries",
	}
}
