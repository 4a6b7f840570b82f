package databricks

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// emptyResultSchema returns the schema of a result without rows, which comes without Arrow.
func emptyResultSchema(columns []columnSchema) *arrow.Schema {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		dt, kind := arrowTypeAndTextKind(c)
		fields[i] = executor.NewField(c.Name, dt, kind)
	}
	return arrow.NewSchema(fields, nil)
}

func arrowTypeAndTextKind(c columnSchema) (arrow.DataType, executor.TextKind) {
	switch c.Type {
	case "BOOLEAN":
		return arrow.FixedWidthTypes.Boolean, executor.TextKindPlain
	case "BYTE":
		return arrow.PrimitiveTypes.Int8, executor.TextKindPlain
	case "SHORT":
		return arrow.PrimitiveTypes.Int16, executor.TextKindPlain
	case "INT":
		return arrow.PrimitiveTypes.Int32, executor.TextKindPlain
	case "LONG":
		return arrow.PrimitiveTypes.Int64, executor.TextKindPlain
	case "FLOAT":
		return arrow.PrimitiveTypes.Float32, executor.TextKindPlain
	case "DOUBLE":
		return arrow.PrimitiveTypes.Float64, executor.TextKindPlain
	case "DECIMAL":
		return &arrow.Decimal128Type{Precision: c.Precision, Scale: c.Scale}, executor.TextKindPlain
	case "DATE":
		return arrow.FixedWidthTypes.Date32, executor.TextKindPlain
	case "TIMESTAMP":
		if c.Text == "TIMESTAMP_NTZ" {
			return &arrow.TimestampType{Unit: arrow.Microsecond}, executor.TextKindPlain
		}
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, executor.TextKindPlain
	case "TIMESTAMP_NTZ":
		return &arrow.TimestampType{Unit: arrow.Microsecond}, executor.TextKindPlain
	case "BINARY":
		return arrow.BinaryTypes.Binary, executor.TextKindPlain
	case "ARRAY", "MAP", "STRUCT":
		return arrow.BinaryTypes.String, executor.TextKindJSON
	case "NULL":
		return arrow.Null, executor.TextKindPlain
	default:
		return arrow.BinaryTypes.String, executor.TextKindPlain
	}
}
