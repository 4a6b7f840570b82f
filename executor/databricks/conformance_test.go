package databricks_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/databricks"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
)

func TestConformance(t *testing.T) {
	subject := warehousefake.DriverUnderTest{
		Dialect: "databricks", Driver: databricks.Driver(), New: service,
		Nowhere: "host: nowhere.invalid, http_path: /sql/1.0/warehouses/1a2b, token: " + warehousefake.FakeSecret,
	}
	for _, v := range values() {
		subject.Values = append(subject.Values, v.ValueCase)
	}
	warehousefake.TestDriver(t, subject)
}

// value is an expression with the column that the warehouse sends for it.
type value struct {
	executortest.ValueCase
	sent arrow.DataType
	json string // the value in Arrow's own JSON
}

// batch returns the value in column v, and a null after it when requested.
func (v value) batch(andNull bool) arrow.RecordBatch {
	rows := `[{"v":` + v.json + `}`
	if andNull {
		rows += `,{"v":null}`
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "v", Type: v.sent, Nullable: true}}, nil)
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(rows+"]"))
	if err != nil {
		panic(v.SQL + ": " + err.Error())
	}
	return batch
}

func valueOf(sql string) value {
	for _, v := range values() {
		if v.SQL == sql {
			return v
		}
	}
	return value{sent: arrow.PrimitiveTypes.Int32, json: "1"}
}

func values() []value {
	str := arrow.BinaryTypes.String
	same := func(sql string, dt arrow.DataType, sent, json string) value {
		return value{executortest.ValueCase{SQL: sql, JSON: json, Type: dt}, dt, sent}
	}
	asJSON := func(sql string, dt arrow.DataType, sent, json string) value {
		return value{executortest.ValueCase{SQL: sql, JSON: json, Type: str, Kind: executor.TextKindJSON}, dt, sent}
	}
	stamp := func(zone string) arrow.DataType { return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: zone} }
	date := arrow.Field{Name: "d", Type: arrow.FixedWidthTypes.Date32, Nullable: true}
	return []value{
		same("TRUE", arrow.FixedWidthTypes.Boolean, `true`, `true`),
		same("-128Y", arrow.PrimitiveTypes.Int8, `-128`, `-128`),
		same("7S", arrow.PrimitiveTypes.Int16, `7`, `7`),
		same("7", arrow.PrimitiveTypes.Int32, `7`, `7`),
		same("9223372036854775807L", arrow.PrimitiveTypes.Int64, `9223372036854775807`, `9223372036854775807`),
		same("0.1F", arrow.PrimitiveTypes.Float32, `0.1`, `0.1`),
		same("0.1D + 0.2D", arrow.PrimitiveTypes.Float64, `0.30000000000000004`, `0.30000000000000004`),
		same("DOUBLE('NaN')", arrow.PrimitiveTypes.Float64, `"NaN"`, `null`),
		same("12.50", &arrow.Decimal128Type{Precision: 4, Scale: 2}, `"12.50"`, `12.50`),
		same("99999999999999999999999999999999999999BD", &arrow.Decimal128Type{Precision: 38}, `"99999999999999999999999999999999999999"`, `99999999999999999999999999999999999999`),
		same("DATE '2024-01-05'", arrow.FixedWidthTypes.Date32, `"2024-01-05"`, `"2024-01-05"`),
		same("TIMESTAMP_NTZ '2024-01-05 10:00:00.5'", stamp(""), `"2024-01-05 10:00:00.5"`, `"2024-01-05T10:00:00.5"`),
		{executortest.ValueCase{SQL: "TIMESTAMP '2024-01-05 10:00:00'", JSON: `"2024-01-05T10:00:00Z"`, Type: stamp("UTC")}, stamp("Etc/UTC"), `"2024-01-05T10:00:00Z"`},
		same(`'żółw "亀" \'`, str, `"żółw \"亀\" \\"`, `"żółw \"亀\" \\"`),
		same("''", str, `""`, `""`),
		same("X'00FF6162'", arrow.BinaryTypes.Binary, `"AP9hYg=="`, `"AP9hYg=="`),
		asJSON("ARRAY(1.5, NULL)", arrow.ListOf(&arrow.Decimal128Type{Precision: 3, Scale: 2}), `["1.50", null]`, `[1.50,null]`),
		asJSON("MAP('a', 1)", arrow.MapOf(str, arrow.PrimitiveTypes.Int32), `[{"key":"a","value":1}]`, `{"a":1}`),
		asJSON("STRUCT(DATE '2024-01-05' AS d)", arrow.StructOf(date), `{"d":"2024-01-05"}`, `{"d":"2024-01-05"}`),
	}
}
