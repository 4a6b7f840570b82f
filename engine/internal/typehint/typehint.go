// Package typehint maps the types of a plan to the hints of the writer of rows.
//
//	sqlexpr.Type ──Of──► jsonrows.Hint
//
// A warehouse may report another type than the plan has, such as an integer for a condition.
package typehint

import (
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Of returns the hint for a column of a type, jsonrows.None if the type needs none.
func Of(t sqlexpr.Type) jsonrows.Hint {
	switch t {
	case sqlexpr.TypeBool:
		return jsonrows.Boolean
	case sqlexpr.TypeDate:
		return jsonrows.Date
	case sqlexpr.TypeTimestamp:
		return jsonrows.Timestamp
	case sqlexpr.TypeTimestampTZ:
		return jsonrows.Instant
	}
	return jsonrows.None
}
