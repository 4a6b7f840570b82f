package snowflake_test

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
	"github.com/semlayer/semlayer/executor/snowflake"
)

func TestConformance(t *testing.T) {
	subject := warehousefake.DriverUnderTest{
		Dialect: "snowflake", Driver: snowflake.Driver(), New: service,
		Nowhere: "account: nowhere.snowflakecomputing.invalid, username: ann, password: " + warehousefake.FakeSecret,
	}
	for _, v := range values() {
		subject.Values = append(subject.Values, v.ValueCase)
	}
	warehousefake.TestDriver(t, subject)
}

// value is an expression with what the service sends for it.
type value struct {
	executortest.ValueCase
	column string // JSON
	wire   string // JSON
}

func valueOf(sql string) value {
	for _, v := range values() {
		if v.SQL == sql {
			return v
		}
	}
	return value{column: `{"name":"v","type":"fixed","precision":1,"scale":0}`, wire: `"1"`}
}

func values() []value {
	str := arrow.BinaryTypes.String
	of := func(sql string, dt arrow.DataType, column, wire, json string) value {
		return value{executortest.ValueCase{SQL: sql, JSON: json, Type: dt}, `{"name":"v","type":` + column + `}`, wire}
	}
	asJSON := func(sql, column, wire, json string) value {
		v := of(sql, str, column, wire, json)
		v.Kind = executor.TextKindJSON
		return v
	}
	ts := &arrow.TimestampType{Unit: arrow.Microsecond}
	utc := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	return []value{
		of("TRUE", arrow.FixedWidthTypes.Boolean, `"boolean"`, `"true"`, `true`),
		of("7", arrow.PrimitiveTypes.Int64, `"fixed","precision":1,"scale":0`, `"7"`, `7`),
		of("COUNT(*)", arrow.PrimitiveTypes.Int64, `"fixed","precision":18,"scale":0`, `"999999999999999999"`, `999999999999999999`),
		of("SUM(n)", &arrow.Decimal128Type{Precision: 38}, `"fixed","precision":38,"scale":0`, `"-99999999999999999999999999999999999999"`, `-99999999999999999999999999999999999999`),
		of("12.50::NUMBER(10, 2)", &arrow.Decimal128Type{Precision: 10, Scale: 2}, `"fixed","precision":10,"scale":2`, `"12.50"`, `12.50`),
		of("0.1::FLOAT + 0.2::FLOAT", arrow.PrimitiveTypes.Float64, `"real"`, `"0.30000000000000004"`, `0.30000000000000004`),
		of("'NaN'::FLOAT", arrow.PrimitiveTypes.Float64, `"real"`, `"NaN"`, `null`),
		of("'-inf'::FLOAT", arrow.PrimitiveTypes.Float64, `"real"`, `"-inf"`, `null`),
		of("DATE '2024-01-05'", arrow.FixedWidthTypes.Date32, `"date"`, `"19727"`, `"2024-01-05"`),
		of("DATE '1969-12-31'", arrow.FixedWidthTypes.Date32, `"date"`, `"-1"`, `"1969-12-31"`),
		of("TIME '10:00:00.5'", arrow.FixedWidthTypes.Time64us, `"time","scale":9`, `"36000.500000000"`, `"10:00:00.5"`),
		of("'2024-01-05 10:00:00.5'::TIMESTAMP_NTZ", ts, `"timestamp_ntz","scale":9`, `"1704448800.500000000"`, `"2024-01-05T10:00:00.5"`),
		of("'1969-12-31 23:59:59.999999'::TIMESTAMP_NTZ", ts, `"timestamp_ntz","scale":9`, `"-0.000001000"`, `"1969-12-31T23:59:59.999999"`),
		of("'9999-12-31 23:59:59'::TIMESTAMP_NTZ", ts, `"timestamp_ntz","scale":9`, `"253402300799.000000000"`, `"9999-12-31T23:59:59"`),
		of("'2024-01-05 10:00:00.123456789'::TIMESTAMP_NTZ", ts, `"timestamp_ntz","scale":9`, `"1704448800.123456789"`, `"2024-01-05T10:00:00.123456"`),
		of("'2024-01-05 10:00:00'::TIMESTAMP_LTZ", utc, `"timestamp_ltz","scale":9`, `"1704448800.000000000"`, `"2024-01-05T10:00:00Z"`),
		of("'2024-01-05 12:00:00 +0200'::TIMESTAMP_TZ", utc, `"timestamp_tz","scale":9`, `"1704448800.000000000 1560"`, `"2024-01-05T10:00:00Z"`),
		of(`'żółw "亀" \'`, str, `"text"`, `"żółw \"亀\" \\"`, `"żółw \"亀\" \\"`),
		of("''", str, `"text"`, `""`, `""`),
		of("'1e500'::DECFLOAT", str, `"decfloat"`, `"1e500"`, `"1e500"`),
		of("X'00FF6162'", arrow.BinaryTypes.Binary, `"binary"`, `"00FF6162"`, `"AP9hYg=="`),
		asJSON("PARSE_JSON('{\"a\": 1}')", `"variant"`, `"{\n  \"a\": 1\n}"`, "{\n  \"a\": 1\n}"),
		asJSON("ARRAY_CONSTRUCT(1, NULL)", `"array"`, `"[1,null]"`, `[1,null]`),
	}
}
