// Package typehint maps the types of a plan to the type hints of package jsonrows, and the types of results to datatypes.
//
//	sqlexpr.Type ──HintOfType───────► jsonrows.TypeHint
//	sqlexpr.Type ──FieldOfType──────► arrow.Field
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

// FieldOfType returns a column of a type; false for a type that no column has.
func FieldOfType(name string, t sqlexpr.Type) (arrow.Field, bool) {
	var dt arrow.DataType
	kind := executor.TextKindPlain
	switch t {
	case sqlexpr.TypeBool:
		dt = arrow.FixedWidthTypes.Boolean
	case sqlexpr.TypeInt:
		dt = arrow.PrimitiveTypes.Int64
	case sqlexpr.TypeDecimal:
		dt, kind = arrow.BinaryTypes.String, executor.TextKindDecimal
	case sqlexpr.TypeFloat:
		dt = arrow.PrimitiveTypes.Float64
	case sqlexpr.TypeString:
		dt = arrow.BinaryTypes.String
	case sqlexpr.TypeDate:
		dt = arrow.FixedWidthTypes.Date32
	case sqlexpr.TypeTime:
		dt = arrow.FixedWidthTypes.Time64us
	case sqlexpr.TypeTimestamp:
		dt = &arrow.TimestampType{Unit: arrow.Microsecond}
	case sqlexpr.TypeTimestampTZ:
		dt = arrow.FixedWidthTypes.Timestamp_us
	default:
		return arrow.Field{}, false
	}
	return executor.NewField(name, dt, kind), true
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
