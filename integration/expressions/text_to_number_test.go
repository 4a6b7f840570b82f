package expressions

import (
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/sqlemit"
)

// textsAsNumbers has strings with their values as an integer, as a decimal and as a double.
var textsAsNumbers = []struct{ text, integer, decimal, float string }{
	{"12", "12", "12", "12"},
	{" 12 ", "12", "12", "12"},
	{"+3", "3", "3", "3"},
	{"-3", "-3", "-3", "-3"},
	{"007", "7", "7", "7"},
	{"12.5", "null", "12.5", "12.5"},
	{"12.0", "null", "12", "12"},
	{"5.", "null", "5", "5"},
	{".5", "null", "0.5", "0.5"},
	{"-.5", "null", "-0.5", "-0.5"},
	{"1e5", "null", "100000", "100000"},
	{"25E-1", "null", "2.5", "2.5"},
	{"north", "null", "null", "null"},
	{"", "null", "null", "null"},
	{" ", "null", "null", "null"},
	{"-", "null", "null", "null"},
	{"5-", "null", "null", "null"},
	{"+-5", "null", "null", "null"},
	{"1 2", "null", "null", "null"},
	{"12kg", "null", "null", "null"},
	{"0x10", "null", "null", "null"},
	{"1e", "null", "null", "null"},
	{"e5", "null", "null", "null"},
	{".", "null", "null", "null"},
	{"1.2.3", "null", "null", "null"},
	{"1,000", "null", "null", "null"},
	{"1_000", "null", "null", "null"},
	{"NaN", "null", "null", "null"},
	{"Infinity", "null", "null", "null"},
	{"2024-01-05", "null", "null", "null"},
}

// textsAsIntegers has integers near the bounds of 64 bits, which casts of some engines exceed, or bring to the bound.
var textsAsIntegers = []struct{ text, want string }{
	{"9223372036854775807", "9223372036854775807"},
	{" -9223372036854775808", "-9223372036854775808"},
	{"9223372036854775808", "null"},
	{"-9223372036854775809", "null"},
	{"123456789012345678901", "null"},
	{"0000000000000000000000042", "42"},
}

func TestCast_TextThatIsNotANumberIsNull(t *testing.T) {
	for name, open := range map[string]func(testing.TB) executor.Executor{
		"duckdb": openDuckDB, "sqlite": openSQLite, "postgres": openPostgres, "clickhouse": openClickHouse,
		"mariadb": openMySQLFamily(servers.MariaDB), "mysql": openMySQLFamily(servers.MySQL),
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			d, ok := sqlemit.LookupDialect(name)
			if !ok {
				t.Fatalf("no dialect %s", name)
			}
			equal := 0
			expect := func(expr string, wants ...string) {
				t.Helper()
				sql, err := statement(expr, d)
				if err != nil {
					t.Errorf("%s: %v", expr, err)
					return
				}
				got, err := ask(t.Context(), db, sql)
				for _, want := range wants {
					if err == nil && same(got, want) || err != nil && want == "error" {
						equal++
						return
					}
				}
				t.Errorf("%s is %q, %v, want %q\n%s", expr, got, err, wants, sql)
			}
			for _, text := range textsAsNumbers {
				for _, x := range []string{"'" + text.text + "'", "CONCAT(t.e, '" + text.text + "')"} {
					expect("CAST("+x+" AS INTEGER)", text.integer)
					expect("CAST("+x+" AS DECIMAL(12, 2))", text.decimal)
					expect("CAST("+x+" AS DECIMAL)", text.decimal)
					expect("CAST("+x+" AS DOUBLE)", text.float)
				}
			}
			for _, text := range textsAsIntegers {
				expect("CAST('"+text.text+"' AS INTEGER)", text.want)
				expect("CAST(CONCAT(t.e, '"+text.text+"') AS INTEGER)", text.want)
			}
			for expr, want := range map[string]string{
				"CAST(t.s AS INTEGER)": "null", "CAST(t.e AS DOUBLE)": "null", "CAST(t.sz AS INTEGER)": "null",
				"CAST(t.s AS INTEGER) = 0": "null", "COUNT(CASE WHEN CAST(t.s AS DECIMAL(10, 2)) < 1 THEN 1 END)": "0",
				"100 - CAST(CONCAT(t.e, '42') AS INTEGER)": "58", "-CAST(CONCAT(t.e, '42') AS INTEGER) * 2": "-84",
			} {
				expect(expr, want)
			}
			// An engine with a type of conditions rejects the words of none.
			expect("CAST(t.path AS BOOLEAN)", "null", "error")
			expect("CAST(CONCAT(t.e, '1') AS BOOLEAN)", "true")
			expect("CAST(CONCAT(t.e, '0') AS BOOLEAN)", "false")
			t.Attr("equal", strconv.Itoa(equal))
			floor.CheckCount(t, "equal", equal, 200)
		})
	}
}

// TestCast_ColumnOfUnknownTypeIsNeverZero casts columns without a datatype, whose type only the engine has.
func TestCast_ColumnOfUnknownTypeIsNeverZero(t *testing.T) {
	for name, open := range map[string]func(testing.TB) executor.Executor{
		"duckdb": openDuckDB, "sqlite": openSQLite, "postgres": openPostgres, "mariadb": openMySQLFamily(servers.MariaDB), "mysql": openMySQLFamily(servers.MySQL),
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			d, _ := sqlemit.LookupDialect(name)
			for _, test := range []struct{ columns, expr, want string }{
				{"'north' AS x", "CAST(t.x AS INTEGER)", ""},
				{"'12kg' AS x", "CAST(t.x AS DOUBLE)", ""},
				{"'42' AS x", "CAST(t.x AS INTEGER)", "42"},
				{"42 AS x", "CAST(t.x AS INTEGER)", "42"},
				{"CAST(2.50 AS DECIMAL(5, 2)) AS x", "CAST(t.x AS DECIMAL(5, 1))", "2.5"},
			} {
				sql, err := statementOver("SELECT "+test.columns, test.expr, d)
				if err != nil {
					t.Fatal(err)
				}
				got, err := ask(t.Context(), db, sql)
				if test.want == "" {
					if err == nil && got != "null" {
						t.Errorf("%s over %s is %s, want null or an error\n%s", test.expr, test.columns, got, sql)
					}
				} else if err != nil || !same(got, test.want) {
					t.Errorf("%s over %s is %q, %v, want %s\n%s", test.expr, test.columns, got, err, test.want, sql)
				}
			}
		})
	}
}
