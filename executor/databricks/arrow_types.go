package databricks

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// emptyResultSchema is the schema of a result without rows, which comes without Arrow.
func emptyResultSchema(columns []columnSchema) *arrow.Schema {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		dt, kind := arrowTypeOf(c)
		fields[i] = executor.NewField(c.Name, dt, kind)
	}
	return arrow.NewSchema(fields, nil)
}

func arrowTypeOf(c columnSchema) (arrow.DataType, executor.TextKind) {
	switch c.Type {
	case "BOOLEAN":
		return arrow.FixedWidthTypes.Boolean, executor.KindText
	case "BYTE":
		return arrow.PrimitiveTypes.Int8, executor.KindText
	case "SHORT":
		return arrow.PrimitiveTypes.Int16, executor.KindText
	case "INT":
		return arrow.PrimitiveTypes.Int32, executor.KindText
	case "LONG":
		return arrow.PrimitiveTypes.Int64, executor.KindText
	case "FLOAT":
		return arrow.PrimitiveTypes.Float32, executor.KindText
	case "DOUBLE":
		return arrow.PrimitiveTypes.Float64, executor.KindText
	case "DECIMAL":
		return &arrow.Decimal128Type{Precision: c.Precision, Scale: c.Scale}, executor.KindText
	case "DATE":
		return arrow.FixedWidthTypes.Date32, executor.KindText
	case "TIMESTAMP":
		if c.Text == "TIMESTAMP_NTZ" {
			return &arrow.TimestampType{Unit: arrow.Microsecond}, executor.KindText
		}
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, executor.KindText
	case "TIMESTAMP_NTZ":
		return &arrow.TimestampType{Unit: arrow.Microsecond}, executor.KindText
	case "BINARY":
		return arrow.BinaryTypes.Binary, executor.KindText
	case "ARRAY", "MAP", "STRUCT":
		return arrow.BinaryTypes.String, executor.KindJSON
	case "NULL":
		return arrow.Null, executor.KindText
	default:
		return arrow.BinaryTypes.String, executor.KindText
	}
}
