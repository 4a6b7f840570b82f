package trino_test

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
	"github.com/semlayer/semlayer/executor/trino"
)

func TestConformance(t *testing.T) {
	subject := warehousefake.DriverUnderTest{
		Dialect: "trino", Driver: trino.Driver(), New: plain,
		Nowhere: "host: nowhere.invalid, username: ann, http_scheme: https, password: " + warehousefake.FakeSecret,
	}
	for _, v := range values() {
		subject.Values = append(subject.Values, v.ValueCase)
	}
	warehousefake.TestDriver(t, subject)
}

// value is an expression with what the cluster sends for it.
type value struct {
	executortest.ValueCase
	signature string // JSON
	wire      string // JSON
}

func valueOf(sql string) value {
	for _, v := range values() {
		if v.SQL == sql {
			return v
		}
	}
	return value{signature: sig("integer"), wire: "1"}
}

func sig(name string, arguments ...string) string {
	s := `{"rawType":"` + name + `","arguments":[`
	for i, a := range arguments {
		if i > 0 {
			s += ","
		}
		s += a
	}
	return s + "]}"
}

func long(n string) string { return `{"kind":"LONG","value":` + n + `}` }

func kind(s string) string { return `{"kind":"TYPE","value":` + s + `}` }

func named(name, s string) string {
	return `{"kind":"NAMED_TYPE","value":{"fieldName":{"name":"` + name + `"},"typeSignature":` + s + `}}`
}

func values() []value {
	str := arrow.BinaryTypes.String
	ts := &arrow.TimestampType{Unit: arrow.Microsecond}
	utc := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	iv := arrow.FixedWidthTypes.MonthDayNanoInterval
	of := func(sql string, dt arrow.DataType, signature, wire, json string) value {
		return value{executortest.ValueCase{SQL: sql, JSON: json, Type: dt}, signature, wire}
	}
	asJSON := func(sql, signature, wire, json string) value {
		v := of(sql, str, signature, wire, json)
		v.Kind = executor.TextKindJSON
		return v
	}
	zoned := sig("timestamp with time zone", long("3"))
	return []value{
		of("TRUE", arrow.FixedWidthTypes.Boolean, sig("boolean"), `true`, `true`),
		of("TINYINT '-128'", arrow.PrimitiveTypes.Int8, sig("tinyint"), `-128`, `-128`),
		of("SMALLINT '7'", arrow.PrimitiveTypes.Int16, sig("smallint"), `7`, `7`),
		of("7", arrow.PrimitiveTypes.Int32, sig("integer"), `7`, `7`),
		of("9223372036854775807", arrow.PrimitiveTypes.Int64, sig("bigint"), `9223372036854775807`, `9223372036854775807`),
		of("REAL '0.1'", arrow.PrimitiveTypes.Float32, sig("real"), `0.1`, `0.1`),
		of("0.1e0 + 0.2e0", arrow.PrimitiveTypes.Float64, sig("double"), `0.30000000000000004`, `0.30000000000000004`),
		of("nan()", arrow.PrimitiveTypes.Float64, sig("double"), `"NaN"`, `null`),
		of("infinity()", arrow.PrimitiveTypes.Float64, sig("double"), `"Infinity"`, `null`),
		of("DECIMAL '12.50'", &arrow.Decimal128Type{Precision: 4, Scale: 2}, sig("decimal", long("4"), long("2")), `"12.50"`, `12.50`),
		of("DECIMAL '99999999999999999999999999999999999999'", &arrow.Decimal128Type{Precision: 38}, sig("decimal", long("38"), long("0")), `"99999999999999999999999999999999999999"`, `99999999999999999999999999999999999999`),
		of("DATE '2024-01-05'", arrow.FixedWidthTypes.Date32, sig("date"), `"2024-01-05"`, `"2024-01-05"`),
		of("TIME '10:00:00.500'", arrow.FixedWidthTypes.Time64us, sig("time", long("3")), `"10:00:00.500"`, `"10:00:00.5"`),
		of("TIME '10:00:00 +01:00'", str, sig("time with time zone", long("3")), `"10:00:00.000+01:00"`, `"10:00:00+01:00"`),
		of("TIMESTAMP '2024-01-05 10:00:00'", ts, sig("timestamp", long("0")), `"2024-01-05 10:00:00"`, `"2024-01-05T10:00:00"`),
		of("TIMESTAMP '2024-01-05 10:00:00.123456'", ts, sig("timestamp", long("6")), `"2024-01-05 10:00:00.123456"`, `"2024-01-05T10:00:00.123456"`),
		of("TIMESTAMP '2024-01-05 10:00:00.123456789'", &arrow.TimestampType{Unit: arrow.Nanosecond}, sig("timestamp", long("9")), `"2024-01-05 10:00:00.123456789"`, `"2024-01-05T10:00:00.123456789"`),
		of("TIMESTAMP '2024-01-05 10:00:00.123456789012'", str, sig("timestamp", long("12")), `"2024-01-05 10:00:00.123456789012"`, `"2024-01-05 10:00:00.123456789012"`),
		of("TIMESTAMP '2024-01-05 10:00:00 UTC'", utc, zoned, `"2024-01-05 10:00:00.000 UTC"`, `"2024-01-05T10:00:00Z"`),
		of("TIMESTAMP '2024-01-05 10:00:00 +05:30'", utc, zoned, `"2024-01-05 10:00:00.000 +05:30"`, `"2024-01-05T04:30:00Z"`),
		of("TIMESTAMP '2024-07-05 10:00:00 Europe/Warsaw'", utc, zoned, `"2024-07-05 10:00:00.000 Europe/Warsaw"`, `"2024-07-05T08:00:00Z"`),
		of("INTERVAL '14' MONTH", iv, sig("interval year to month"), `"1-2"`, `"P1Y2M"`),
		of("INTERVAL '-2 03:04:05.321' DAY TO SECOND", iv, sig("interval day to second"), `"-2 03:04:05.321"`, `"P-2DT-3H-4M-5.321S"`),
		of(`'żółw "亀" \'`, str, sig("varchar", long("9")), `"żółw \"亀\" \\"`, `"żółw \"亀\" \\"`),
		of("''", str, sig("varchar", long("0")), `""`, `""`),
		of("X'00FF6162'", arrow.BinaryTypes.Binary, sig("varbinary"), `"AP9hYg=="`, `"AP9hYg=="`),
		of("UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", str, sig("uuid"), `"12151fd2-7586-11e9-8f9e-2a86e4085a59"`, `"12151fd2-7586-11e9-8f9e-2a86e4085a59"`),
		asJSON("JSON '{\"a\": [1, null]}'", sig("json"), `"{\"a\":[1,null]}"`, `{"a":[1,null]}`),
		asJSON("ARRAY[DECIMAL '1.50', NULL]", sig("array", kind(sig("decimal", long("3"), long("2")))), `["1.50",null]`, `[1.50,null]`),
		asJSON("MAP(ARRAY['b', 'a'], ARRAY[1e0, nan()])", sig("map", kind(sig("varchar")), kind(sig("double"))), `{"b":1.0,"a":"NaN"}`, `{"a":null,"b":1}`),
		asJSON("CAST(ROW(1, DATE '2024-01-05') AS ROW(x INTEGER, d DATE))", sig("row", named("x", sig("integer")), named("d", sig("date"))), `[1,"2024-01-05"]`, `{"x":1,"d":"2024-01-05"}`),
		asJSON("ROW(1, 'a')", sig("row", `{"kind":"NAMED_TYPE","value":{"typeSignature":`+sig("integer")+`}}`, `{"kind":"NAMED_TYPE","value":{"typeSignature":`+sig("varchar")+`}}`), `[1,"a"]`, `[1,"a"]`),
	}
}
