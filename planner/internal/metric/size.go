package metric

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// maxNodes bounds the operators and operands that a query expands to. A metric over a
// metric over a metric can double sixty times.
const maxNodes = limits.QueryNodes

// expressionSizes counts operators and operands.
type expressionSizes struct {
	total  int
	sizeOf map[sqlexpr.Expr]int // of expressions of the model, of conditions, and of values
}

// size is the number of nodes of an expression, which is counted once.
func (s *expressionSizes) size(e sqlexpr.Expr) int {
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
	s.record(e, n)
	return n
}

func (s *expressionSizes) record(e sqlexpr.Expr, n int) {
	if s.sizeOf == nil {
		s.sizeOf = map[sqlexpr.Expr]int{}
	}
	s.sizeOf[e] = n
}

// spend adds expressions to what the query expands to.
func (s *expressionSizes) spend(exprs ...sqlexpr.Expr) error {
	for _, e := range exprs {
		s.total += s.size(e)
	}
	if s.total > maxNodes {
		return querySizeError()
	}
	return nil
}

// recordValue notes the size of a metric's value, whose operands are sized already: a value
// that is too long is never walked.
func (s *expressionSizes) recordValue(value, form sqlexpr.Expr, operands int) error {
	n := s.size(form) + operands
	if n > maxNodes {
		return querySizeError()
	}
	if n > 1 {
		s.record(value, n)
	}
	return nil
}

func querySizeError() error {
	return &planerr.Error{
		Code:    planerr.CodeBadRequest,
		Message: "with its metrics expanded, the query has more than " + strconv.Itoa(maxNodes) + " operators and operands: ask in several queries",
	}
}
