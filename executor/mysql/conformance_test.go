package mysql_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

func options(a localdb.Address) mysql.Options {
	return mysql.Options{
		Host: a.Host, Port: a.Port, User: a.User, Password: executor.NewSecret(a.Password), Database: a.Database, Dialect: string(a.Engine),
	}
}

func openWith(t testing.TB, a localdb.Address, connections int) executor.Executor {
	o := options(a)
	o.PoolSize = connections
	return open(t, o)
}

func TestConformance_MariaDB(t *testing.T) {
	conform(t, servers.MariaDB(t), executortest.ConformanceBackend{
		// MariaDB's own sequence engine streams.
		Series:  func(n int) string { return "SELECT seq AS i FROM seq_0_to_" + strconv.Itoa(n-1) },
		Slow:    "SELECT SUM(a.seq * b.seq % 7) AS s FROM seq_1_to_200000 a, seq_1_to_200000 b",
		Failing: "SELECT CASE WHEN seq = 300000 THEN CAST(9223372036854775807 AS SIGNED) + CAST(seq AS SIGNED) ELSE CAST(seq AS SIGNED) END AS i FROM seq_0_to_1000000",
		Values: append(values(arrow.PrimitiveTypes.Int32),
			executortest.ValueCase{SQL: "CAST('-838:59:59.500000' AS TIME(6))", JSON: `"-838:59:59.5"`, Type: arrow.BinaryTypes.String}),
	})
}

func TestConformance_MySQL(t *testing.T) {
	const (
		thousand = "WITH RECURSIVE d(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM d WHERE i < 999) "
		number   = "(a.i * 1000000 + b.i * 1000 + c.i)"
		// Loops in loops, which stream in order; a join buffer would do neither.
		billion = " FROM d a STRAIGHT_JOIN d b STRAIGHT_JOIN d c LIMIT "
		numbers = thousand + "SELECT /*+ NO_BNL() */ "
	)
	conform(t, servers.MySQL(t), executortest.ConformanceBackend{
		Series:  func(n int) string { return numbers + number + " AS i" + billion + strconv.Itoa(n) },
		Slow:    thousand + "SELECT SUM(a.i * b.i * c.i % 7) AS s FROM d a, d b, d c",
		Failing: numbers + "CASE WHEN " + number + " = 300000 THEN 9223372036854775807 + c.i + 1 ELSE " + number + " END AS i" + billion + "1000000",
		Values: append(values(arrow.PrimitiveTypes.Int64),
			executortest.ValueCase{SQL: "CAST('-838:59:59' AS TIME(6))", JSON: `"-838:59:59"`, Type: arrow.BinaryTypes.String},
			executortest.ValueCase{SQL: `CAST('{"a": [1, null]}' AS JSON)`, JSON: `{"a": [1, null]}`, Type: arrow.BinaryTypes.String, Kind: executor.TextKindJSON}),
	})
}

func conform(t *testing.T, server *localdb.Server, b executortest.ConformanceBackend) {
	b.Dialect = string(server.Engine)
	b.Open = func(t testing.TB, connections int) executor.Executor {
		return openWith(t, server.Address, connections)
	}
	executortest.RunConformance(t, b)
}

// values returns the types that both servers have. They differ in that of a small
// integer constant.
func values(small arrow.DataType) []executortest.ValueCase {
	str := arrow.BinaryTypes.String
	dec := func(s int32) arrow.DataType { return &arrow.Decimal128Type{Precision: 38, Scale: s} }
	dec256 := func(s int32) arrow.DataType { return &arrow.Decimal256Type{Precision: 76, Scale: s} }
	ts := &arrow.TimestampType{Unit: arrow.Microsecond}
	return []executortest.ValueCase{
		{SQL: "1", JSON: "1", Type: small},
		{SQL: "1 = 1", JSON: "true", Type: small, Hint: jsonrows.HintBoolean, Typed: arrow.FixedWidthTypes.Boolean},
		{SQL: "9223372036854775807", JSON: "9223372036854775807", Type: arrow.PrimitiveTypes.Int64},
		{SQL: "-9223372036854775807 - 1", JSON: "-9223372036854775808", Type: arrow.PrimitiveTypes.Int64},
		{SQL: "CAST(18446744073709551615 AS UNSIGNED)", JSON: "18446744073709551615", Type: arrow.PrimitiveTypes.Uint64},
		{SQL: "CAST(75 AS DOUBLE)", JSON: "75", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "1.7976931348623157e308", JSON: "1.7976931348623157e+308", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "0.1e0 + 0.2e0", JSON: "0.30000000000000004", Type: arrow.PrimitiveTypes.Float64},
		{SQL: "CAST(0.1 AS FLOAT)", JSON: "0.1", Type: arrow.PrimitiveTypes.Float32},
		{SQL: "CAST(12.5 AS DECIMAL(10,2))", JSON: "12.50", Type: dec(2)},
		{SQL: "CAST(-0.05 AS DECIMAL(10,2))", JSON: "-0.05", Type: dec(2)},
		{SQL: "CAST(150 AS DECIMAL(10))", JSON: "150", Type: dec(0)},
		{SQL: "CAST(99999999999999999999999999999999999.99 AS DECIMAL(37,2))", JSON: "99999999999999999999999999999999999.99", Type: dec(2)},
		{SQL: "CAST(-12345678901234567890123456789012345678901234567890123456789012.345 AS DECIMAL(65,3))", JSON: "-12345678901234567890123456789012345678901234567890123456789012.345", Type: dec256(3)},
		{SQL: "CAST(0.123456789012345678901234567890 AS DECIMAL(30,30))", JSON: "0.123456789012345678901234567890", Type: dec(30)},
		{SQL: "DATE '2024-01-05'", JSON: `"2024-01-05"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "DATE '1000-01-01'", JSON: `"1000-01-01"`, Type: arrow.FixedWidthTypes.Date32},
		{SQL: "TIMESTAMP '2024-01-05 10:00:00'", JSON: `"2024-01-05T10:00:00"`, Type: ts},
		{SQL: "CAST('2024-01-05 10:00:00.5' AS DATETIME(3))", JSON: `"2024-01-05T10:00:00.5"`, Type: ts},
		{SQL: "CAST('1969-12-31 23:59:59.999999' AS DATETIME(6))", JSON: `"1969-12-31T23:59:59.999999"`, Type: ts},
		{SQL: "CAST('10:00:00' AS TIME)", JSON: `"10:00:00"`, Type: str},
		{SQL: "''", JSON: `""`, Type: str},
		{SQL: "'żółw \"亀\" 🐢\\n'", JSON: `"żółw \"亀\" 🐢\n"`, Type: str},
		{SQL: `'back\\slash'`, JSON: `"back\\slash"`, Type: str},
		{SQL: "x'00ff6162'", JSON: `"AP9hYg=="`, Type: arrow.BinaryTypes.Binary},
		{SQL: "CAST('2024-01-05 00:00:00' AS DATETIME)", JSON: `"2024-01-05"`, Type: ts, Hint: jsonrows.HintDate, Typed: arrow.FixedWidthTypes.Date32},
		{SQL: "DATE_FORMAT(DATE '2024-01-05', '%Y-%m-01')", JSON: `"2024-01-01"`, Type: str},
		{SQL: "ST_GeomFromText('POINT(1 2)')", JSON: `"AAAAAAEBAAAAAAAAAAAA8D8AAAAAAAAAQA=="`, Type: arrow.BinaryTypes.Binary},
	}
}
