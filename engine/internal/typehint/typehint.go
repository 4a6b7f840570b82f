// Package typehint maps the types of a plan to the type hints of package jsonrows, and the types of results to datatypes.
//
//	sqlexpr.Type ──HintOfType───────► jsonrows.TypeHint
//	arrow.Field ───DatatypeOfColumn─► modelspec.Datatype
//
// A warehouse may report another type than the plan has, such as an integer for a condition.
package typehint

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/modelspec"
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

// DatatypeOfColumn returns the datatype of a column of a result, "" where nothing is known of it.
func DatatypeOfColumn(f arrow.Field) modelspec.Datatype {
	switch executor.TextKindOfField(f) {
	case executor.TextKindDecimal:
		return modelspec.DatatypeDecimal
	case executor.TextKindJSON:
		return modelspec.DatatypeOpaque
	}
	switch t := f.Type.(type) {
	case *arrow.NullType:
		return ""
	case *arrow.BooleanType:
		return modelspec.DatatypeBoolean
	case *arrow.Date32Type, *arrow.Date64Type:
		return modelspec.DatatypeDate
	case *arrow.Time32Type, *arrow.Time64Type:
		return modelspec.DatatypeTime
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return modelspec.DatatypeDateTimeTz
		}
		return modelspec.DatatypeDateTime
	case arrow.DecimalType:
		if t.GetScale() == 0 {
			return modelspec.DatatypeInteger
		}
		return modelspec.DatatypeDecimal
	}
	switch {
	case arrow.IsInteger(f.Type.ID()):
		return modelspec.DatatypeInteger
	case arrow.IsFloating(f.Type.ID()):
		return modelspec.DatatypeFloat
	case f.Type.ID() == arrow.STRING, f.Type.ID() == arrow.LARGE_STRING, f.Type.ID() == arrow.STRING_VIEW:
		return modelspec.DatatypeString
	}
	return modelspec.DatatypeOpaque
}
