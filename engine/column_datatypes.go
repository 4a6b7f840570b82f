package engine

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
)

// The logical types of columns, as a model declares them.
const (
	datatypeString     = "String"
	datatypeInteger    = "Integer"
	datatypeDecimal    = "Decimal"
	datatypeFloat      = "Float"
	datatypeBoolean    = "Boolean"
	datatypeDate       = "Date"
	datatypeTime       = "Time"
	datatypeDateTime   = "DateTime"
	datatypeDateTimeTz = "DateTimeTz"
)

// columnDatatypes returns the logical types of the columns of a result: those of the plan where the JSON of the rows
// follows the plan, else as the warehouse reports them; "" for others.
func columnDatatypes(s *arrow.Schema, columns []planner.OutputColumn) []string {
	out := make([]string, s.NumFields())
	for i := range out {
		planned := sqlexpr.TypeUnknown
		if i < len(columns) {
			planned = columns[i].Type
		}
		out[i] = columnDatatype(s.Field(i), planned)
	}
	return out
}

func columnDatatype(f arrow.Field, planned sqlexpr.Type) string {
	switch planned {
	case sqlexpr.TypeBool:
		return datatypeBoolean
	case sqlexpr.TypeDate:
		return datatypeDate
	case sqlexpr.TypeTimestamp:
		return datatypeDateTime
	case sqlexpr.TypeTimestampTZ:
		return datatypeDateTimeTz
	}
	switch executor.TextKindOfField(f) {
	case executor.TextKindDecimal:
		return datatypeDecimal
	case executor.TextKindPlain:
		return arrowDatatype(f.Type)
	}
	return ""
}

func arrowDatatype(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return datatypeString
	case *arrow.BooleanType:
		return datatypeBoolean
	case *arrow.Date32Type, *arrow.Date64Type:
		return datatypeDate
	case *arrow.Time32Type, *arrow.Time64Type:
		return datatypeTime
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return datatypeDateTimeTz
		}
		return datatypeDateTime
	case arrow.DecimalType:
		if t.GetScale() == 0 {
			return datatypeInteger
		}
		return datatypeDecimal
	}
	switch {
	case arrow.IsInteger(t.ID()):
		return datatypeInteger
	case arrow.IsFloating(t.ID()):
		return datatypeFloat
	}
	return ""
}
