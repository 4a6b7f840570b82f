// Package typehint maps the types of a plan to the type hints of package jsonrows.
//
//	sqlexpr.Type ──HintOfType──► jsonrows.TypeHint
//
// A warehouse may report another type than the plan has, such as an integer for a condition.
package typehint

import (
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// HintOfType returns the hint for a column of a type, jsonrows.HintNone if the type needs none.
func HintOfType(t sqlexpr.Type) jsonrows.TypeHint {
	switch t {
	case sqlexpr.TypeBool:
		return jsonrows.HintBoolean
	case sqlexpr.TypeDate:
		return jsonrows.HintDate
	case sqlexpr.TypeTimestamp:
		return jsonrows.HintTimestamp
	case sqlexpr.TypeTimestampTZ:
		return jsonrows.HintUTCTimestamp
	}
	return jsonrows.HintNone
}
