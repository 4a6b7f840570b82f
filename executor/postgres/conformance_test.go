package postgres_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

func options(a localdb.Address) postgres.Options {
	return postgres.Options{
		Host: a.Host, Port: a.Port, User: a.User, Password: executor.NewSecret(a.Password), Database: a.Database,
	}
}

func openWith(t testing.TB, a localdb.Address, connections int) executor.Executor {
	o := options(a)
	o.PoolSize = connections
	return open(t, o)
}

func TestConformance(t *testing.T) {
	server := servers.Postgres(t)
	executortest.RunConformance(t, executortest.ConformanceBackend{
		Dialect: "postgres",
		Open: func(t testing.TB, connections int) executor.Executor {
			return openWith(t, server.Address, connections)
		},
		// A function in the select list streams; in FROM it is materialized.
		Series:  func(n int) string { return "SELECT generate_series(0, " + strconv.Itoa(n-1) + ") AS i" },
		Slow:    "SELECT sum(a::bigint * b % 7) AS s FROM generate_series(1, 200000) a, generate_series(1, 200000) b",
		Failing: "SELECT 1000000 / (i - 3000000) AS i FROM (SELECT generate_series(0, 10000000) AS i) AS t",
		Values:  append(scalarValues(), arrayValues()...),
	})
}

func scalarValues() []executortest.ValueCase {
	str, num := arrow.BinaryTypes.String, executor.TextKindDecimal
	dec := func(p, s int32) arrow.DataType { return &arrow.Decimal128Type{Precision: p, Scale: s} }
	ts := &arrow.TimestampType{Unit: arrow.Microsecond}
	tz := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	iv := arrow.FixedWidthTypes.MonthDayNanoInterval
	return []executortest.ValueCase{
		{SQL: "true", JSON: "true", Type: arrow.FixedWidthTypes.Boolean},
		{SQL: "(-32768)::int2", JSON: "-32768", Type: arrow.PrimitiveTypes.Int16},
		{SQL: "2147483647", JSON: "2147483647", Type: arrow.PrimitiveTypes.Int32},
		{SQL: "(-9223372036854775808)::int8", JSON: "-9223372036854775808", Type: arrow.PrimitiveTypes.Int64},
		{SQL: "4294967295::oid", JSON: "4294967295", Type: arrow.PrimitiveTypes.Uint32},
		{SQL: "0.1::float4", JSON: "0.1", Type: arrow.PrimitiveTypes.Float32},
		{SQL: "75::float8", JSON: "75", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "1.7976931348623157e308::float8", JSON: "1.7976931348623157e+308", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "'NaN'::float8", JSON: "null", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "'-Infinity'::float4", JSON: "null", Type: arrow.PrimitiveTypes.Float32},
		{SQL: "12.5::numeric(10,2)", JSON: "12.50", Type: dec(10, 2)},
		{SQL: "(-0.05)::numeric(10,2)", JSON: "-0.05", Type: dec(10, 2)},
		{SQL: "0::numeric(10,2)", JSON: "0.00", Type: dec(10, 2)},
		{SQL: "150::numeric(10)", JSON: "150", Type: dec(10, 0)},
		{SQL: "'NaN'::numeric(10,2)", JSON: "null", Type: dec(10, 2)},
		{SQL: "(-99999999999999999999999999999999999999)::numeric(38)", JSON: "-99999999999999999999999999999999999999", Type: dec(38, 0)},
		{SQL: "(-0.5)::numeric(1,1)", JSON: "-0.5", Type: dec(1, 1)},
		{SQL: "(-0.00000000000000000000000000000000000001)::numeric(38,38)", JSON: "-0.00000000000000000000000000000000000001", Type: dec(38, 38)},
		{SQL: "1234567890123456789012345678901234567890.5::numeric(50,1)", JSON: "1234567890123456789012345678901234567890.5", Type: &arrow.Decimal256Type{Precision: 50, Scale: 1}},
		{SQL: "1::numeric(80,2)", JSON: "1.00", Type: str, Kind: num},
		{SQL: "12345::numeric(3,-2)", JSON: "12300", Type: str, Kind: num},
		{SQL: "0.00012::numeric(3,5)", JSON: "0.00012", Type: str, Kind: num},
		{SQL: "12.50::numeric", JSON: "12.50", Type: str, Kind: num},
		{SQL: "10000::numeric", JSON: "10000", Type: str, Kind: num},
		{SQL: "(-0.0001)::numeric", JSON: "-0.0001", Type: str, Kind: num},
		{SQL: "0.00000001::numeric", JSON: "0.00000001", Type: str, Kind: num},
		{SQL: "123456789.123456789::numeric", JSON: "123456789.123456789", Type: str, Kind: num},
		{SQL: "(1e40 + 0.5)::numeric", JSON: "10000000000000000000000000000000000000000.5", Type: str, Kind: num},
		{SQL: "'Infinity'::numeric", JSON: "null", Type: str, Kind: num},
		{SQL: "(SELECT sum(v) FROM (VALUES (100.00::numeric(10,2)), (50)) AS x(v))", JSON: "150.00", Type: str, Kind: num},
		{SQL: "DATE '2024-01-05'", JSON: `"2024-01-05"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "DATE '0044-03-15 BC'", JSON: `"-000043-03-15"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "'infinity'::date", JSON: "null", Type: arrow.FixedWidthTypes.Date32},
		{SQL: "TIME '10:00:00'", JSON: `"10:00:00"`, Type: arrow.FixedWidthTypes.Time64us},
		{SQL: "TIME '24:00:00'", JSON: `"24:00:00"`, Type: arrow.FixedWidthTypes.Time64us},
		{SQL: "TIMETZ '10:00:00.5+05:30'", JSON: `"10:00:00.5+05:30"`, Type: str},
		{SQL: "TIMESTAMP '2024-01-05 10:00:00'", JSON: `"2024-01-05T10:00:00"`, Type: ts},
		{SQL: "TIMESTAMP '1969-12-31 23:59:59.999999'", JSON: `"1969-12-31T23:59:59.999999"`, Type: ts},
		{SQL: "'-infinity'::timestamp", JSON: "null", Type: ts},
		{SQL: "TIMESTAMPTZ '2024-01-05 10:00:00+02'", JSON: `"2024-01-05T08:00:00Z"`, Type: tz},
		{SQL: "date_trunc('day', TIMESTAMPTZ '2024-01-05 01:00:00+02')", JSON: `"2024-01-04T00:00:00Z"`, Type: tz},
		{SQL: "INTERVAL '1 year 2 months 3 days 4 hours 5.5 seconds'", JSON: `"P1Y2M3DT4H5.5S"`, Type: iv},
		{SQL: "INTERVAL '-1 day'", JSON: `"P-1D"`, Type: iv},
		{SQL: "''::text", JSON: `""`, Type: str},
		{SQL: "'żółw \"亀\" 🐢\n'", JSON: `"żółw \"亀\" 🐢\n"`, Type: str},
		{SQL: `'back\slash'`, JSON: `"back\\slash"`, Type: str},
		{SQL: "'ab'::char(4)", JSON: `"ab  "`, Type: str},
		{SQL: "'ab'::varchar(4)", JSON: `"ab"`, Type: str},
		{SQL: "'ab'::name", JSON: `"ab"`, Type: str},
		{SQL: `'a'::"char"`, JSON: `"a"`, Type: str},
		{SQL: `'\x00ff6162'::bytea`, JSON: `"AP9hYg=="`, Type: arrow.BinaryTypes.Binary},
		{SQL: "'00112233-4455-6677-8899-aabbccddeeff'::uuid", JSON: `"00112233-4455-6677-8899-aabbccddeeff"`, Type: str},
		{SQL: "B'101010101'", JSON: `"101010101"`, Type: str},
		{SQL: "B'1'::varbit", JSON: `"1"`, Type: str},
		{SQL: `'{"a": [1, null]}'::json`, JSON: `{"a": [1, null]}`, Type: str, Kind: executor.TextKindJSON},
		{SQL: `'{"a":[1,null]}'::jsonb`, JSON: `{"a": [1, null]}`, Type: str, Kind: executor.TextKindJSON},
		{SQL: "'10.0.0.1/8'::inet", JSON: `"10.0.0.1/8"`, Type: str},
		{SQL: "'[1,5)'::int4range", JSON: `"[1,5)"`, Type: str},
		{SQL: "ROW(1, 'x')", JSON: `"(1,x)"`, Type: str},
		{SQL: "'a b'::tsvector", JSON: `"'a' 'b'"`, Type: str},
		{SQL: "1", JSON: "true", Type: arrow.PrimitiveTypes.Int32, Hint: jsonrows.HintBoolean, Typed: arrow.FixedWidthTypes.Boolean},
		{SQL: "TIMESTAMP '2024-01-05 00:00:00'", JSON: `"2024-01-05"`, Type: ts, Hint: jsonrows.HintDate, Typed: arrow.FixedWidthTypes.Date32},
	}
}

func arrayValues() []executortest.ValueCase {
	var list []executortest.ValueCase
	for _, v := range [][2]string{
		{"ARRAY[1, 2, NULL]", "[1,2,null]"},
		{"'{}'::int[]", "[]"},
		{"ARRAY[[1, 2], [3, 4]]", "[[1,2],[3,4]]"},
		{"'[5:6]={1,2}'::int8[]", "[1,2]"},
		{"ARRAY[true, false]", "[true,false]"},
		{"ARRAY[1::int2]", "[1]"},
		{"ARRAY[1.50, 'NaN']::numeric[]", "[1.50,null]"},
		{"ARRAY[0.5, 'Infinity']::float8[]", "[0.5,null]"},
		{"ARRAY[0.1]::float4[]", "[0.1]"},
		{`ARRAY['x', 'quo"te', NULL]`, `["x","quo\"te",null]`},
		{"ARRAY['x']::varchar[]", `["x"]`},
		{"ARRAY[DATE '2024-01-05', 'infinity']", `["2024-01-05",null]`},
		{"ARRAY[TIME '10:00:00']", `["10:00:00"]`},
		{"ARRAY[TIMESTAMP '2024-01-05 10:00:00', 'infinity']", `["2024-01-05T10:00:00",null]`},
		{"ARRAY[TIMESTAMPTZ '2024-01-05 10:00:00Z']", `["2024-01-05T10:00:00Z"]`},
		{"ARRAY[INTERVAL '1 day']", `["P1D"]`},
		{"ARRAY['00112233-4455-6677-8899-aabbccddeeff'::uuid]", `["00112233-4455-6677-8899-aabbccddeeff"]`},
		{`ARRAY['\xff'::bytea]`, `["/w=="]`},
		{`ARRAY['{"k": 1}'::jsonb]`, `[{"k": 1}]`},
		{`ARRAY['{"k":1}'::json]`, `[{"k":1}]`},
		{"ARRAY[7::oid]", "[7]"},
		{"ARRAY[B'10']", `["10"]`},
	} {
		list = append(list, executortest.ValueCase{SQL: v[0], JSON: v[1], Type: arrow.BinaryTypes.String, Kind: executor.TextKindJSON})
	}
	return list
}
