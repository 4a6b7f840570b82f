package duckdb_test

import (
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

func TestConformance(t *testing.T) {
	executortest.RunConformance(t, executortest.ConformanceBackend{
		Dialect: "duckdb",
		Open: func(t testing.TB, connections int) executor.Executor {
			e, err := duckdb.Open(t.Context(), duckdb.Options{Connections: connections})
			if err != nil {
				t.Fatal(err)
			}
			return e
		},
		OnlySelect: true,
		Series:     func(n int) string { return "SELECT i FROM range(" + strconv.Itoa(n) + ") t(i)" },
		Slow:       "SELECT sum(a.i * b.i % 7) AS s FROM range(1000000) a(i), range(1000000) b(i)",
		Failing:    "SELECT CASE WHEN i = 5000000 THEN error('no more') ELSE i END AS i FROM range(10000000) t(i)",
		Values:     append(scalarValues(), nestedValues()...),
	})
}

func scalarValues() []executortest.ValueCase {
	str, num := arrow.BinaryTypes.String, executor.TextKindDecimal
	dec := func(p, s int32) arrow.DataType { return &arrow.Decimal128Type{Precision: p, Scale: s} }
	ts := func(u arrow.TimeUnit) arrow.DataType { return &arrow.TimestampType{Unit: u} }
	tz := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	return []executortest.ValueCase{
		{SQL: "true", JSON: "true", Type: arrow.FixedWidthTypes.Boolean},
		{SQL: "false", JSON: "false", Type: arrow.FixedWidthTypes.Boolean},
		{SQL: "(-128)::TINYINT", JSON: "-128", Type: arrow.PrimitiveTypes.Int8},
		{SQL: "255::UTINYINT", JSON: "255", Type: arrow.PrimitiveTypes.Uint8},
		{SQL: "(-32768)::SMALLINT", JSON: "-32768", Type: arrow.PrimitiveTypes.Int16},
		{SQL: "65535::USMALLINT", JSON: "65535", Type: arrow.PrimitiveTypes.Uint16},
		{SQL: "(-2147483648)::INTEGER", JSON: "-2147483648", Type: arrow.PrimitiveTypes.Int32},
		{SQL: "4294967295::UINTEGER", JSON: "4294967295", Type: arrow.PrimitiveTypes.Uint32},
		{SQL: "(-9223372036854775808)::BIGINT", JSON: "-9223372036854775808", Type: arrow.PrimitiveTypes.Int64},
		{SQL: "18446744073709551615::UBIGINT", JSON: "18446744073709551615", Type: arrow.PrimitiveTypes.Uint64},
		{SQL: "(-170141183460469231731687303715884105728)::HUGEINT", JSON: "-170141183460469231731687303715884105728", Type: dec(38, 0)},
		{SQL: "170141183460469231731687303715884105727::HUGEINT", JSON: "170141183460469231731687303715884105727", Type: dec(38, 0)},
		{SQL: "340282366920938463463374607431768211455::UHUGEINT", JSON: "340282366920938463463374607431768211455", Type: &arrow.Decimal256Type{Precision: 39}},
		{SQL: "'-123456789012345678901234567890123456789012345'::BIGNUM", JSON: "-123456789012345678901234567890123456789012345", Type: str, Kind: num},
		{SQL: "0::BIGNUM", JSON: "0", Type: str, Kind: num},
		{SQL: "(-0.5)::DECIMAL(4,1)", JSON: "-0.5", Type: dec(4, 1)},
		{SQL: "12.50::DECIMAL(9,2)", JSON: "12.50", Type: dec(9, 2)},
		{SQL: "(-999999999999.999999)::DECIMAL(18,6)", JSON: "-999999999999.999999", Type: dec(18, 6)},
		{SQL: "9999999999999999999999999999.9999999999::DECIMAL(38,10)", JSON: "9999999999999999999999999999.9999999999", Type: dec(38, 10)},
		{SQL: "150::DECIMAL(10,0)", JSON: "150", Type: dec(10, 0)},
		{SQL: "0.1::FLOAT", JSON: "0.1", Type: arrow.PrimitiveTypes.Float32},
		{SQL: "75::DOUBLE", JSON: "75", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "1.7976931348623157e308::DOUBLE", JSON: "1.7976931348623157e+308", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "'nan'::DOUBLE", JSON: "null", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "'-inf'::FLOAT", JSON: "null", Type: arrow.PrimitiveTypes.Float32},
		{SQL: "DATE '2024-01-05'", JSON: `"2024-01-05"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "DATE '0044-03-15 (BC)'", JSON: `"-000043-03-15"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "'infinity'::DATE", JSON: "null", Type: arrow.FixedWidthTypes.Date32},
		{SQL: "TIME '10:00:00'", JSON: `"10:00:00"`, Type: arrow.FixedWidthTypes.Time64us},
		{SQL: "TIME '23:59:59.999999'", JSON: `"23:59:59.999999"`, Type: arrow.FixedWidthTypes.Time64us},
		{SQL: "'10:00:00.123456789'::TIME_NS", JSON: `"10:00:00.123456789"`, Type: arrow.FixedWidthTypes.Time64ns},
		{SQL: "'10:00:00+05:30'::TIMETZ", JSON: `"10:00:00+05:30"`, Type: str},
		{SQL: "'10:00:00-11'::TIMETZ", JSON: `"10:00:00-11:00"`, Type: str},
		{SQL: "TIMESTAMP '2024-01-05 10:00:00'", JSON: `"2024-01-05T10:00:00"`, Type: ts(arrow.Microsecond)},
		{SQL: "TIMESTAMP '2024-01-05 10:00:00.5'", JSON: `"2024-01-05T10:00:00.5"`, Type: ts(arrow.Microsecond)},
		{SQL: "TIMESTAMP '1969-12-31 23:59:59.999999'", JSON: `"1969-12-31T23:59:59.999999"`, Type: ts(arrow.Microsecond)},
		{SQL: "'-infinity'::TIMESTAMP", JSON: "null", Type: ts(arrow.Microsecond)},
		{SQL: "'2024-01-05 10:00:00'::TIMESTAMP_S", JSON: `"2024-01-05T10:00:00"`, Type: ts(arrow.Second)},
		{SQL: "'2024-01-05 10:00:00.25'::TIMESTAMP_MS", JSON: `"2024-01-05T10:00:00.25"`, Type: ts(arrow.Millisecond)},
		{SQL: "'2024-01-05 10:00:00.000000001'::TIMESTAMP_NS", JSON: `"2024-01-05T10:00:00.000000001"`, Type: ts(arrow.Nanosecond)},
		{SQL: "TIMESTAMPTZ '2024-01-05 10:00:00+02'", JSON: `"2024-01-05T08:00:00Z"`, Type: tz},
		{SQL: "date_trunc('day', TIMESTAMPTZ '2024-01-05 01:00:00+02')", JSON: `"2024-01-04T00:00:00Z"`, Type: tz},
		{SQL: "''", JSON: `""`, Type: str},
		{SQL: "'exactly 12 ch'", JSON: `"exactly 12 ch"`, Type: str},
		{SQL: "'żółw \"亀\" 🐢\n'", JSON: `"żółw \"亀\" 🐢\n"`, Type: str},
		{SQL: "repeat('long ', 5)", JSON: `"long long long long long "`, Type: str},
		{SQL: "'\\x00\\xFFab'::BLOB", JSON: `"AP9hYg=="`, Type: arrow.BinaryTypes.Binary},
		{SQL: "'POINT(1 2)'::GEOMETRY", JSON: `"AQEAAAAAAAAAAADwPwAAAAAAAABA"`, Type: arrow.BinaryTypes.Binary},
		{SQL: "'00112233-4455-6677-8899-aabbccddeeff'::UUID", JSON: `"00112233-4455-6677-8899-aabbccddeeff"`, Type: str},
		{SQL: "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID", JSON: `"ffffffff-ffff-ffff-ffff-ffffffffffff"`, Type: str},
		{SQL: "INTERVAL '1 year 2 months 3 days 4 hours 5.5 seconds'", JSON: `"P1Y2M3DT4H5.5S"`, Type: arrow.FixedWidthTypes.MonthDayNanoInterval},
		{SQL: "INTERVAL '-1 day'", JSON: `"P-1D"`, Type: arrow.FixedWidthTypes.MonthDayNanoInterval},
		{SQL: "'b'::ENUM('a', 'b')", JSON: `"b"`, Type: str, Kind: executor.TextKindEnum},
		{SQL: "'0010110'::BIT", JSON: `"0010110"`, Type: str},
		{SQL: "'101010101'::BIT", JSON: `"101010101"`, Type: str},
		{SQL: `'{"a": [1, null]}'::JSON`, JSON: `{"a": [1, null]}`, Type: str, Kind: executor.TextKindJSON},
		{SQL: "(SELECT sum(1))", JSON: "1", Type: dec(38, 0)},
		{SQL: "1", JSON: "true", Type: arrow.PrimitiveTypes.Int32, Hint: jsonrows.HintBoolean, Typed: arrow.FixedWidthTypes.Boolean},
		{SQL: "TIMESTAMP '2024-01-05 00:00:00'", JSON: `"2024-01-05"`, Type: ts(arrow.Microsecond), Hint: jsonrows.HintDate, Typed: arrow.FixedWidthTypes.Date32},
	}
}

func nestedValues() []executortest.ValueCase {
	var list []executortest.ValueCase
	for _, v := range [][2]string{
		{"[1, 2, NULL]", "[1,2,null]"},
		{"[]", "[]"},
		{"[[1], NULL, []]", "[[1],null,[]]"},
		{"{'a': 1, 'b c': ['x', 'a text beyond the cell'], 'd': NULL}", `{"a":1,"b c":["x","a text beyond the cell"],"d":null}`},
		{"row(1, 'x')", `[1,"x"]`},
		{"MAP {'k': 1.50, 'l': NULL}", `{"k":1.50,"l":null}`},
		{"MAP {1: 'x', 2: 'y'}", `{"1":"x","2":"y"}`},
		{"MAP {DATE '2024-01-05': true}", `{"2024-01-05":true}`},
		{"array_value(1, 2, 3)", "[1,2,3]"},
		{"[array_value(1, NULL), NULL]", "[[1,null],null]"},
		{"union_value(num := 2)", `{"num":2}`},
		{"{'t': TIMESTAMP '2024-01-05 10:00:00', 'z': TIMESTAMPTZ '2024-01-05 10:00:00+00', 'd': 'infinity'::DATE, 'i': INTERVAL '1 day', 'c': TIME '10:00:00', 'o': '10:00:00+01'::TIMETZ}",
			`{"t":"2024-01-05T10:00:00","z":"2024-01-05T10:00:00Z","d":null,"i":"P1D","c":"10:00:00","o":"10:00:00+01:00"}`},
		{"{'h': 170141183460469231731687303715884105727::HUGEINT, 'u': 340282366920938463463374607431768211455::UHUGEINT, 'm': (-1.5)::DECIMAL(4,1), 'w': 0.25::DECIMAL(38,2), 'n': 'nan'::DOUBLE, 'g': 12::BIGNUM}",
			`{"h":170141183460469231731687303715884105727,"u":340282366920938463463374607431768211455,"m":-1.5,"w":0.25,"n":null,"g":12}`},
		{"{'u': '00112233-4455-6677-8899-aabbccddeeff'::UUID, 'b': 'ab'::BLOB, 'e': 'b'::ENUM('a', 'b'), 'x': '101'::BIT, 'j': '{\"k\":1}'::JSON, 'l': true}",
			`{"u":"00112233-4455-6677-8899-aabbccddeeff","b":"YWI=","e":"b","x":"101","j":{"k":1},"l":true}`},
	} {
		list = append(list, executortest.ValueCase{SQL: v[0], JSON: v[1], Type: arrow.BinaryTypes.String, Kind: executor.TextKindJSON})
	}
	return list
}
