package compose

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
)

// selectScope is what the references of a SELECT mean: the columns of From, then the scalar subqueries.
type selectScope struct {
	columns, scalars []sizedColumn
	zonesApart       bool
}

// clauseKind is where an expression is written.
type clauseKind uint8

const (
	clauseWithoutAggregates        clauseKind = iota // WHERE, GROUP BY, a join: neither aggregates nor windows
	clauseWithAggregates                             // HAVING: aggregates
	clauseWithAggregatesAndWindows                   // an item or a sort key: aggregates and windows
)

func (s selectScope) referenceableColumns() []sizedColumn {
	if len(s.scalars) == 0 {
		return s.columns
	}
	return slices.Concat(s.columns, s.scalars)
}

// coerceCondition returns a condition with operands that fit each other; nil for nil.
func (s selectScope) coerceCondition(e sqlexpr.Expr, at clauseKind) (sqlexpr.Expr, error) {
	if e == nil {
		return nil, nil
	}
	if err := s.checkExpressionAllowedInClause(e, at); err != nil {
		return nil, err
	}
	return coerce.CoerceCondition("the condition", e, s.typeOfRef, s.zonesApart)
}

// coerceExpressionOperands returns an expression of any type with operands that fit each other.
func (s selectScope) coerceExpressionOperands(e sqlexpr.Expr, at clauseKind) (sqlexpr.Expr, error) {
	if err := s.checkExpressionAllowedInClause(e, at); err != nil {
		return nil, err
	}
	return coerce.CoerceExpression(e, s.typeOfRef, s.zonesApart)
}

// coerceTestedValuesOfInConditions returns the values of conditions on membership.
func (s selectScope) coerceTestedValuesOfInConditions(all []InCondition, at clauseKind) ([]sqlexpr.Expr, error) {
	out := make([]sqlexpr.Expr, len(all))
	for i, m := range all {
		e, err := s.coerceExpressionOperands(m.Value, at)
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}

func (s selectScope) typeOfRef(e sqlexpr.Expr) sqlexpr.Type {
	r, ok := e.(*sqlexpr.Ref)
	switch {
	case !ok || r.ID < 0 || r.ID >= len(s.columns)+len(s.scalars):
		return sqlexpr.TypeUnknown
	case r.ID < len(s.columns):
		return s.columns[r.ID].Type.Logical()
	}
	return s.scalars[r.ID-len(s.columns)].Type.Logical()
}

// logicalTypeOf returns the logical type of an expression.
func (s selectScope) logicalTypeOf(e sqlexpr.Expr) sqlexpr.Type {
	return sqlTypeOf(e, s.referenceableColumns()).Logical()
}

// checkExpressionAllowedInClause rejects what a clause does not take, and texts that grow too long.
func (s selectScope) checkExpressionAllowedInClause(e sqlexpr.Expr, at clauseKind) error {
	if exprSize(e, nil) > limits.FieldExpressionNodes {
		return &Error{Problem: StatementTooLarge, Message: fmt.Sprintf("an expression has at most %d operators and operands", limits.FieldExpressionNodes), At: e}
	}
	c := expressionChecker{columns: s.referenceableColumns(), clause: at}
	if err := c.checkExpression(e); err != nil {
		return err
	}
	return checkTextFunctionCost(e, s.referenceableColumns())
}
