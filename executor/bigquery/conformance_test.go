package bigquery_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/bigquery"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
)

func TestConformance(t *testing.T) {
	subject := warehousefake.DriverUnderTest{
		Dialect: "bigquery", Driver: bigquery.Driver(), New: service,
		Nowhere: "catalog: p, location: EU, credentials_path: " + writeKey(t, "http://nowhere.invalid"),
	}
	for _, v := range values() {
		if !strings.Contains(v.field, "REPEATED") {
			subject.Values = append(subject.Values, v.ValueCase)
		}
	}
	warehousefake.TestDriver(t, subject)
}

// An array is never null in a result, so the suite's test of nulls is not for them.
func TestTypes_ArraysAreJSON(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	for _, v := range values() {
		if !strings.Contains(v.field, "REPEATED") {
			continue
		}
		got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT "+v.SQL+" AS v")
		if want := `[{"v":` + v.JSON + `}]`; err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", v.SQL, got, err, want)
		}
	}
}

// value is an expression with what the service sends for it.
type value struct {
	executortest.ValueCase
	field string // JSON
	wire  string // JSON
}

func valueOf(sql string) value {
	for _, v := range values() {
		if v.SQL == sql {
			return v
		}
	}
	return value{field: `{"name":"v","type":"INTEGER"}`, wire: `"1"`}
}

func values() []value {
	str := arrow.BinaryTypes.String
	of := func(sql string, dt arrow.DataType, field, wire, json string) value {
		return value{executortest.ValueCase{SQL: sql, JSON: json, Type: dt}, `{"name":"v",` + field + `}`, wire}
	}
	typed := func(sql string, dt arrow.DataType, name, wire, json string) value {
		return of(sql, dt, `"type":"`+name+`","mode":"NULLABLE"`, wire, json)
	}
	asJSON := func(sql, field, wire, json string) value {
		v := of(sql, str, field, wire, json)
		v.Kind = executor.TextKindJSON
		return v
	}
	utc := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	return []value{
		typed("TRUE", arrow.FixedWidthTypes.Boolean, "BOOLEAN", `"true"`, `true`),
		typed("9223372036854775807", arrow.PrimitiveTypes.Int64, "INTEGER", `"9223372036854775807"`, `9223372036854775807`),
		typed("0.1 + 0.2", arrow.PrimitiveTypes.Float64, "FLOAT", `"0.30000000000000004"`, `0.30000000000000004`),
		typed("1e21", arrow.PrimitiveTypes.Float64, "FLOAT", `"1.0E21"`, `1e+21`),
		typed("CAST('nan' AS FLOAT64)", arrow.PrimitiveTypes.Float64, "FLOAT", `"NaN"`, `null`),
		typed("CAST('-inf' AS FLOAT64)", arrow.PrimitiveTypes.Float64, "FLOAT", `"-Infinity"`, `null`),
		typed("NUMERIC '12.5'", &arrow.Decimal128Type{Precision: 38, Scale: 9}, "NUMERIC", `"12.5"`, `12.500000000`),
		of("p.declared", &arrow.Decimal128Type{Precision: 10, Scale: 2}, `"type":"NUMERIC","precision":"10","scale":"2"`, `"12.5"`, `12.50`),
		typed("BIGNUMERIC '-0.00000000000000000000000000000000000001'", &arrow.Decimal256Type{Precision: 76, Scale: 38}, "BIGNUMERIC", `"-1E-38"`, `-0.00000000000000000000000000000000000001`),
		typed("DATE '2024-01-05'", arrow.FixedWidthTypes.Date32, "DATE", `"2024-01-05"`, `"2024-01-05"`),
		typed("DATETIME '2024-01-05 10:00:00.5'", &arrow.TimestampType{Unit: arrow.Microsecond}, "DATETIME", `"2024-01-05T10:00:00.500000"`, `"2024-01-05T10:00:00.5"`),
		typed("TIMESTAMP '2024-01-05 10:00:00+00'", utc, "TIMESTAMP", `"1704448800000000"`, `"2024-01-05T10:00:00Z"`),
		typed("TIMESTAMP '1969-12-31 23:59:59.999999+00'", utc, "TIMESTAMP", `"-1"`, `"1969-12-31T23:59:59.999999Z"`),
		typed("TIME '10:00:00.5'", arrow.FixedWidthTypes.Time64us, "TIME", `"10:00:00.500000"`, `"10:00:00.5"`),
		typed("INTERVAL '1-2 -3 4:5:6.7' YEAR TO SECOND", arrow.FixedWidthTypes.MonthDayNanoInterval, "INTERVAL", `"1-2 -3 4:5:6.7"`, `"P1Y2M-3DT4H5M6.7S"`),
		typed(`'żółw "亀" \'`, str, "STRING", `"żółw \"亀\" \\"`, `"żółw \"亀\" \\"`),
		typed("''", str, "STRING", `""`, `""`),
		typed(`b'\x00\xffab'`, arrow.BinaryTypes.Binary, "BYTES", `"AP9hYg=="`, `"AP9hYg=="`),
		typed("ST_GEOGPOINT(1, 2)", str, "GEOGRAPHY", `"POINT(1 2)"`, `"POINT(1 2)"`),
		asJSON("JSON '{\"a\": [1, null]}'", `"type":"JSON"`, `"{\"a\":[1,null]}"`, `{"a":[1,null]}`),
		asJSON("STRUCT(1.5 AS x, TIMESTAMP '1970-01-01' AS t)", `"type":"RECORD","fields":[{"name":"x","type":"FLOAT"},{"name":"t","type":"TIMESTAMP"}]`, `{"f":[{"v":"1.5"},{"v":"0"}]}`, `{"x":1.5,"t":"1970-01-01T00:00:00Z"}`),
		asJSON("[1, 2]", `"type":"INTEGER","mode":"REPEATED"`, `[{"v":"1"},{"v":"2"}]`, `[1,2]`),
		asJSON("ARRAY<INT64>[]", `"type":"INTEGER","mode":"REPEATED"`, `[]`, `[]`),
		asJSON("[STRUCT(['a'] AS s)]", `"type":"RECORD","mode":"REPEATED","fields":[{"name":"s","type":"STRING","mode":"REPEATED"}]`, `[{"v":{"f":[{"v":[{"v":"a"}]}]}}]`, `[{"s":["a"]}]`),
	}
}
