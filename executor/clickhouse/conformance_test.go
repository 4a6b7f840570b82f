package clickhouse_test

import (
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// server reads SEMLAYER_CLICKHOUSE_URL, http://user:password@host:port/database.
// Without it the tests that need ClickHouse itself are skipped.
func server(t testing.TB) clickhouse.Options {
	t.Helper()
	text := os.Getenv("SEMLAYER_CLICKHOUSE_URL")
	if text == "" {
		t.Skip("SEMLAYER_CLICKHOUSE_URL names no server")
	}
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	return clickhouse.Options{
		Host: u.Hostname(), Port: port, User: u.User.Username(), Password: executor.NewSecret(password),
		Database: strings.Trim(u.Path, "/"), Secure: u.Scheme == "https",
	}
}

func TestConformance(t *testing.T) {
	o := server(t)
	executortest.RunConformance(t, executortest.ConformanceBackend{
		Dialect: "clickhouse",
		Open: func(t testing.TB, connections int) executor.Executor {
			o := o
			o.PoolSize = connections
			e, err := clickhouse.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			return e
		},
		Series:  func(n int) string { return "SELECT toInt64(number) AS i FROM numbers(" + strconv.Itoa(n) + ")" },
		Slow:    "SELECT sum(a.number * b.number % 7) AS s FROM numbers(1000000) AS a CROSS JOIN numbers(1000000) AS b",
		Failing: "SELECT toInt64(if(number = 3000000, throwIf(number = 3000000), number)) AS i FROM numbers(10000000)",
		Values:  values(),
	})
}

func values() []executortest.ValueCase {
	str, num := arrow.BinaryTypes.String, executor.TextKindDecimal
	dec := func(p, s int32) arrow.DataType { return &arrow.Decimal128Type{Precision: p, Scale: s} }
	dec256 := func(p, s int32) arrow.DataType { return &arrow.Decimal256Type{Precision: p, Scale: s} }
	ts := func(u arrow.TimeUnit, zone string) arrow.DataType {
		return &arrow.TimestampType{Unit: u, TimeZone: zone}
	}
	return []executortest.ValueCase{
		{SQL: "toNullable(toInt8(-1))", JSON: "-1", Type: arrow.PrimitiveTypes.Int8},
		{SQL: "toNullable(toUInt8(255))", JSON: "255", Type: arrow.PrimitiveTypes.Uint8},
		{SQL: "toNullable(true)", JSON: "true", Type: arrow.FixedWidthTypes.Boolean},
		{SQL: "toNullable(1 = 1)", JSON: "true", Type: arrow.PrimitiveTypes.Uint8, Hint: jsonrows.HintBoolean},
		{SQL: "toNullable(toInt16(-32768))", JSON: "-32768", Type: arrow.PrimitiveTypes.Int16},
		{SQL: "toNullable(toUInt16(65535))", JSON: "65535", Type: arrow.PrimitiveTypes.Uint16},
		{SQL: "toNullable(toInt32(-5))", JSON: "-5", Type: arrow.PrimitiveTypes.Int32},
		{SQL: "toNullable(toUInt32(4294967295))", JSON: "4294967295", Type: arrow.PrimitiveTypes.Uint32},
		{SQL: "toNullable(toInt64('-9223372036854775808'))", JSON: "-9223372036854775808", Type: arrow.PrimitiveTypes.Int64},
		{SQL: "toNullable(toUInt64('18446744073709551615'))", JSON: "18446744073709551615", Type: arrow.PrimitiveTypes.Uint64},
		{SQL: "toNullable(toInt128('-170141183460469231731687303715884105728'))", JSON: "-170141183460469231731687303715884105728", Type: dec(38, 0)},
		{SQL: "toNullable(toUInt128('340282366920938463463374607431768211455'))", JSON: "340282366920938463463374607431768211455", Type: dec256(39, 0)},
		{SQL: "toNullable(toInt256('-57896044618658097711785492504343953926634992332820282019728792003956564819968'))", JSON: "-57896044618658097711785492504343953926634992332820282019728792003956564819968", Type: dec256(76, 0)},
		{SQL: "toNullable(toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935'))", JSON: "115792089237316195423570985008687907853269984665640564039457584007913129639935", Type: str, Kind: num},
		{SQL: "toNullable(toFloat32(0.1))", JSON: "0.1", Type: arrow.PrimitiveTypes.Float32},
		{SQL: "toNullable(toFloat64(75))", JSON: "75", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "toNullable(0.1 + 0.2)", JSON: "0.30000000000000004", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "toNullable(1 / 0)", JSON: "null", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "toNullable(toDecimal32('12.5', 2))", JSON: "12.50", Type: dec(9, 2)},
		{SQL: "toNullable(toDecimal64('-0.05', 2))", JSON: "-0.05", Type: dec(18, 2)},
		{SQL: "toNullable(toDecimal128('9999999999999999999999999999.9999999999', 10))", JSON: "9999999999999999999999999999.9999999999", Type: dec(38, 10)},
		{SQL: "toNullable(toDecimal256('1.5', 10))", JSON: "1.5000000000", Type: dec256(76, 10)},
		{SQL: "toNullable(toDate('2024-01-05'))", JSON: `"2024-01-05"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "toNullable(toDate32('1900-01-01'))", JSON: `"1900-01-01"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "toNullable(toDateTime('2024-01-05 10:00:00'))", JSON: `"2024-01-05T10:00:00"`, Type: ts(arrow.Second, "")},
		{SQL: "toNullable(toDateTime('2024-01-05 10:00:00', 'UTC'))", JSON: `"2024-01-05T10:00:00Z"`, Type: ts(arrow.Second, ""), Hint: jsonrows.HintUTCTimestamp},
		{SQL: "toNullable(toDateTime('2024-01-05 10:00:00', 'Asia/Tokyo'))", JSON: `"2024-01-05T01:00:00Z"`, Type: ts(arrow.Second, "UTC")},
		{SQL: "toNullable(toDateTime64('1969-12-31 23:59:59.999999', 6))", JSON: `"1969-12-31T23:59:59.999999"`, Type: ts(arrow.Microsecond, "")},
		{SQL: "toNullable(toDateTime64('2024-01-05 10:00:00.5', 3, 'America/New_York'))", JSON: `"2024-01-05T15:00:00.5Z"`, Type: ts(arrow.Millisecond, "UTC")},
		{SQL: "toNullable(toDateTime64('2024-01-05 10:00:00.123456789', 9, 'UTC'))", JSON: `"2024-01-05T10:00:00.123456789"`, Type: ts(arrow.Nanosecond, "")},
		{SQL: "toNullable('żółw \"亀\" 🐢\n')", JSON: `"żółw \"亀\" 🐢\n"`, Type: str},
		{SQL: "toLowCardinality(toNullable(''))", JSON: `""`, Type: str},
		{SQL: "toNullable(toFixedString('ab', 4))", JSON: `"ab"`, Type: str},
		{SQL: "toLowCardinality(toNullable(toFixedString('EUR', 3)))", JSON: `"EUR"`, Type: str},
		{SQL: "toNullable(toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0'))", JSON: `"61f0c404-5cb3-11e7-907b-a6006ad3dba0"`, Type: str},
		{SQL: `CAST('it\'s, (b)' AS Nullable(Enum8('a' = 1, 'it\'s, (b)' = -2)))`, JSON: `"it's, (b)"`, Type: str},
		{SQL: "CAST('b' AS Nullable(Enum16('a' = 1, 'b' = 1000)))", JSON: `"b"`, Type: str},
		{SQL: "toNullable(toIPv4('1.2.3.4'))", JSON: `"1.2.3.4"`, Type: str},
		{SQL: "toNullable(toIPv6('2001:db8::1'))", JSON: `"2001:db8::1"`, Type: str},
	}
}

// Arrays, maps and tuples have no nulls, so these do not go through the suite.
func TestTypes_NestedValuesAreJSONText(t *testing.T) {
	e, err := clickhouse.Open(server(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for sql, want := range map[string]string{
		"[1, 2, NULL]":                              `[{"v":[1,2,null]},{"v":[1,2,null]}]`,
		"[[toDate('2024-01-05')]]":                  `[{"v":[["2024-01-05"]]},{"v":[["2024-01-05"]]}]`,
		"map('a', 1, 'b', 2)":                       `[{"v":{"a":1,"b":2}},{"v":{"a":1,"b":2}}]`,
		"CAST((1, 'x') AS Tuple(a Int8, b String))": `[{"v":{"a":1,"b":"x"}},{"v":{"a":1,"b":"x"}}]`,
		`CAST('{"a": 1}' AS JSON)`:                  `[{"v":{"a":1}},{"v":{"a":1}}]`,
		"NULL":                                      `[{"v":null},{"v":null}]`,
	} {
		rows, err := e.Query(t.Context(), "SELECT "+sql+" AS v FROM numbers(2)")
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		result, err := jsonrows.CollectResult(t.Context(), rows, nil)
		if err != nil || string(result.Rows) != want {
			t.Errorf("%s: got %s (%v), want %s", sql, result.Rows, err, want)
		}
		_ = rows.Close()
	}
}
