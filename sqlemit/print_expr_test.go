package sqlemit_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/sqlemit"
)

func TestPrint_NeededParentheses(t *testing.T) {
	tests := []struct{ dialect, expr, want string }{
		{"postgres", "a.x + a.y * a.z", `"a".x + "a".y * "a".z`},
		{"postgres", "(a.x + a.y) * a.z", `("a".x + "a".y) * "a".z`},
		{"postgres", "a.x - (a.y - a.z)", `"a".x - ("a".y - "a".z)`},
		{"postgres", "a.x - a.y - a.z", `"a".x - "a".y - "a".z`},
		{"postgres", "- -a.x", `-(-"a".x)`},
		{"postgres", "a.x - -1", `"a".x - -1`},
		{"postgres", "a.x * -1", `"a".x * -1`},
		{"postgres", "-(a.x + 1)", `-("a".x + 1)`},
		{"postgres", "NOT a.x AND a.y", `NOT "a".x AND "a".y`},
		{"postgres", "NOT (a.x AND a.y)", `NOT ("a".x AND "a".y)`},
		{"postgres", "(NOT a.x) = a.y", `(NOT "a".x) = "a".y`},
		{"postgres", "a.x OR a.y AND a.z", `"a".x OR "a".y AND "a".z`},
		{"postgres", "(a.x OR a.y) AND a.z", `("a".x OR "a".y) AND "a".z`},
		{"postgres", "(a.x = 1) = (a.y = 2)", `("a".x = 1) = ("a".y = 2)`},
		{"postgres", "(a.x IS NULL) = a.y", `("a".x IS NULL) = "a".y`},
		{"postgres", "(a.x = 1) IS NULL", `("a".x = 1) IS NULL`},
		{"postgres", "a.x BETWEEN a.y + 1 AND a.z", `"a".x BETWEEN "a".y + 1 AND "a".z`},
		{"postgres", "(a.x BETWEEN 1 AND 2) AND a.y", `"a".x BETWEEN 1 AND 2 AND "a".y`},
		{"postgres", "a.s || 'x' = 'y'", `"a".s || 'x' = 'y'`},
		{"postgres", "a.s || 'x' || a.t", `"a".s || 'x' || "a".t`},
		{"postgres", "a.n + 1 || 'x'", `("a".n + 1) || 'x'`},
		{"postgres", "CASE WHEN a.x THEN 1 END + 1", `CASE WHEN "a".x THEN 1 END + 1`},
		{"mysql", "a.x || a.y", "CONCAT(`a`.x, `a`.y)"},
		{"mysql", "NOT (a.x IS DISTINCT FROM a.y)", "NOT NOT (`a`.x <=> `a`.y)"},
		{"mysql", "(a.x IS DISTINCT FROM a.y) = TRUE", "(NOT (`a`.x <=> `a`.y)) = TRUE"},
		{"snowflake", "(a.x IS TRUE) = a.y", `COALESCE("a".x, FALSE) = "a".y`},
		{"snowflake", "(a.x IS NOT TRUE) = a.y", `(NOT COALESCE("a".x, FALSE)) = "a".y`},
	}
	for _, tt := range tests {
		d, _ := sqlemit.LookupDialect(tt.dialect)
		got, err := expression(parse(t, tt.expr), d)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.dialect, tt.expr, got, err, tt.want)
		}
	}
}

func TestPrint_DivisionIsRealAndNullOnZero(t *testing.T) {
	tests := []struct{ dialect, expr, want string }{
		{"duckdb", "a.x / a.y", `CAST("a".x AS DOUBLE) / NULLIF("a".y, 0)`},
		{"postgres", "a.x / 2", `CAST("a".x AS DOUBLE PRECISION) / 2`},
		{"postgres", "a.x / 0", `CAST("a".x AS DOUBLE PRECISION) / NULLIF(0, 0)`},
		{"postgres", "a.x / 0.00", `CAST("a".x AS DOUBLE PRECISION) / NULLIF(0.00, 0)`},
		{"postgres", "a.x / a.y / a.z", `CAST("a".x AS DOUBLE PRECISION) / NULLIF("a".y, 0) / NULLIF("a".z, 0)`},
		{"postgres", "a.x / (a.y / a.z)", `CAST("a".x AS DOUBLE PRECISION) / NULLIF(CAST("a".y AS DOUBLE PRECISION) / NULLIF("a".z, 0), 0)`},
		{"mysql", "AVG(a.x) / COUNT(*)", "AVG(CAST(`a`.x AS DOUBLE)) / NULLIF(COUNT(*), 0)"},
		{"duckdb", "a.x % a.y", `"a".x % NULLIF("a".y, 0)`},
		{"postgres", "a.x % 7", `CAST("a".x AS NUMERIC) % 7`},
		{"postgres", "a.x % a.y", `CAST("a".x AS NUMERIC) % NULLIF(CAST("a".y AS NUMERIC), 0)`},
		{"mariadb", "MOD(a.x, 2) - 1", "`a`.x % 2 + 0 - 1"},
		{"mariadb", "1 - a.x % 2", "1 - (`a`.x % 2 + 0)"},
		{"mariadb", "7 % 2 * a.x", "7 % 2 * `a`.x"},
		{"redshift", "MOD(7, a.y / 2)", `CAST(7 AS DECIMAL(38, 10)) % NULLIF(CAST(CAST("a".y AS DOUBLE PRECISION) / 2 AS DECIMAL(38, 10)), 0)`},
		{"duckdb", "MOD(a.x, 0)", `"a".x % NULLIF(0, 0)`},
		{"bigquery", "a.x % 7", "MOD(CAST(`a`.x AS BIGNUMERIC), CAST(7 AS BIGNUMERIC))"},
	}
	for _, tt := range tests {
		d, _ := sqlemit.LookupDialect(tt.dialect)
		got, err := expression(parse(t, tt.expr), d)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.dialect, tt.expr, got, err, tt.want)
		}
	}
}

func TestPrint_LikeWithoutDefaultEscape(t *testing.T) {
	tests := []struct{ dialect, expr, want string }{
		{"duckdb", `a.x LIKE 'a\b%'`, `"a".x LIKE 'a\b%'`},
		{"postgres", `a.x LIKE 'ab%'`, `"a".x LIKE 'ab%'`},
		{"postgres", `a.x LIKE 'a\b%'`, `"a".x LIKE 'a\b%' ESCAPE '!'`},
		{"postgres", `a.x LIKE '!|~^#@\%'`, `"a".x LIKE '!|~^#@\\%'`},
		{"mysql", `a.x LIKE '!|~^#@\%'`, "`a`.x LIKE '!|~^#@\\\\\\\\%'"},
		{"postgres", `a.x LIKE 'a\!b'`, `"a".x LIKE 'a\!b' ESCAPE '|'`},
		{"postgres", `a.x NOT LIKE a.y`, `"a".x NOT LIKE REPLACE("a".y, '\', '\\')`},
		{"postgres", `a.x LIKE 'a!%' ESCAPE '!'`, `"a".x LIKE 'a!%' ESCAPE '!'`},
		{"postgres", `a.x ILIKE 'A%'`, `"a".x ILIKE 'A%'`},
		{"mysql", `a.x LIKE 'a\b%'`, "`a`.x LIKE 'a\\\\b%' ESCAPE '!'"},
		{"mysql", `a.x ILIKE 'A%'`, "LOWER(`a`.x) LIKE LOWER('A%')"},
		{"bigquery", `a.x LIKE 'a\b%'`, "`a`.x LIKE 'a\\\\\\\\b%'"},
		{"bigquery", `a.x LIKE '100!%!_%' ESCAPE '!'`, "`a`.x LIKE '100\\\\%\\\\_%'"},
		{"sqlite", `a.x LIKE 'a%_*?['`, `"a".x GLOB 'a*?[*][?][[]'`},
		{"sqlite", `a.x LIKE 'a!%' ESCAPE '!'`, `"a".x GLOB 'a%'`},
		{"sqlite", `a.x ILIKE 'A%'`, `LOWER("a".x) GLOB LOWER('A*')`},
	}
	for _, tt := range tests {
		d, _ := sqlemit.LookupDialect(tt.dialect)
		got, err := expression(parse(t, tt.expr), d)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.dialect, tt.expr, got, err, tt.want)
		}
	}
}

func TestBuckets_CastADayUnlessTheExpressionShowsThatItIsOne(t *testing.T) {
	for _, d := range dialects(t) {
		column := quote(d, "a") + ".x"
		if d.Name() == "starrocks" || d.Name() == "doris" {
			column = quote(d, "a") + "." + quote(d, "x") // they fold nothing, so every name is quoted
		}
		cast := "CAST(" + column + " AS DATE)"
		switch d.Name() {
		case "sqlite":
			cast = "DATE(" + column + ")"
		case "clickhouse":
			cast = "toDate32(" + column + ")"
		}
		got, err := expression(parse(t, "bucket('day', 'date', a.x)"), d)
		if err != nil || got != cast {
			t.Errorf("%s, a declared day: got %s, %v, want %s", d.Name(), got, err, cast)
		}
		got, err = expression(parse(t, "bucket('day', 'date', bucket('day', 'unknown', a.x))"), d)
		if err != nil || got != cast {
			t.Errorf("%s, a day already: got %s, %v, want %s", d.Name(), got, err, cast)
		}
	}
}

func TestPrint_CastTypesPerDialect(t *testing.T) {
	tests := []struct{ dialect, expr, want string }{
		{"mysql", "CAST(a.x AS INTEGER)", "CAST(`a`.x AS SIGNED)"},
		{"mysql", "CAST(a.x AS VARCHAR(3))", "CAST(`a`.x AS CHAR(3))"},
		{"mysql", "CAST(a.x AS TIMESTAMP)", "CAST(`a`.x AS DATETIME(6))"},
		{"mysql", "CAST(a.x AS DECIMAL(10, 2))", "CAST(`a`.x AS DECIMAL(10, 2))"},
		{"mysql", "CAST(a.x = 1 AS BOOLEAN)", "`a`.x = 1"},
		{"mysql", "CAST(7 AS BOOLEAN)", "7 <> 0"},
		{"postgres", "a.x::DOUBLE", `CAST("a".x AS DOUBLE PRECISION)`},
		{"postgres", "CAST(a.x AS DECIMAL)", `CAST("a".x AS NUMERIC(38, 10))`},
		{"postgres", "CAST(a.x = 1 AS INTEGER)", `CAST(CAST("a".x = 1 AS INTEGER) AS BIGINT)`},
		{"duckdb", "CAST(a.x AS VARCHAR(3))", `LEFT(CAST("a".x AS VARCHAR), 3)`},
		{"duckdb", "CAST(a.x AS HUGEINT)", `CAST("a".x AS HUGEINT)`},
		{"redshift", "CAST(a.x AS VARCHAR)", `CAST("a".x AS VARCHAR(65535))`},
		{"bigquery", "CAST(a.x AS DECIMAL(10, 2))", "ROUND(CAST(`a`.x AS BIGNUMERIC), 2)"},
		{"clickhouse", "CAST(a.x AS DECIMAL(10, 2))", `CAST(round(CAST("a".x AS Nullable(Decimal(76, 3))), 2) AS Nullable(Decimal(10, 2)))`},
		{"clickhouse", "CAST(a.x AS TIMESTAMP)", `CAST("a".x AS Nullable(DateTime64(6, 'UTC')))`},
		{"sqlite", "CAST(a.x AS DATE)", `DATE("a".x)`},
	}
	for _, tt := range tests {
		d, _ := sqlemit.LookupDialect(tt.dialect)
		got, err := expression(parse(t, tt.expr), d)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.dialect, tt.expr, got, err, tt.want)
		}
	}
}

func TestPrint_UnknownFunctionKeepsName(t *testing.T) {
	d, _ := sqlemit.LookupDialect("duckdb")
	for expr, want := range map[string]string{
		`list_sum(a.x, 1)`:          `list_sum("a".x, 1)`,
		`"Odd Fn"(a.x)`:             `"Odd Fn"("a".x)`,
		`mode(DISTINCT a.x)`:        `mode(DISTINCT "a".x)`,
		`EXTRACT(century FROM a.x)`: `EXTRACT(century FROM "a".x)`,
	} {
		if got, err := expression(parse(t, expr), d); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", expr, got, err, want)
		}
	}
}

// placeholder is a argument of a template that was never rendered.
var placeholder = regexp.MustCompile(`[$@!~<][1-9]`)

// Every node of the language, in every dialect.
func TestPrint_EveryNodeInEveryDialect(t *testing.T) {
	exprs := []string{
		"1.5", "'x'", "TRUE", "NULL", "DATE '2024-01-31'", "TIMESTAMP '2024-01-31 10:00:00'", "TIMESTAMPTZ '2024-01-31 10:00:00+02:00'",
		"NOT a.x", "-a.x", "a.x % 2", "a.x || a.y", "a.x IS DISTINCT FROM a.y", "a.x IS NOT DISTINCT FROM a.y",
		"a.x BETWEEN 1 AND 2", "a.x IN (1, 2)", "a.x NOT IN (1, NULL)", "a.x LIKE 'a%'", "a.x ILIKE a.y", "a.x IS NULL",
		"a.x IS TRUE", "a.x IS NOT TRUE", "a.x IS FALSE", "a.x IS NOT FALSE",
		"CASE a.x WHEN 1 THEN 2 ELSE 3 END", "CAST(a.x AS BOOLEAN)", "CAST(a.x AS INTEGER)", "CAST(a.x AS DECIMAL(10, 2))",
		"CAST(a.x AS DOUBLE)", "CAST(a.x AS VARCHAR)", "CAST(a.x AS DATE)", "CAST(a.x AS TIMESTAMP)", "CAST(a.x AS TIMESTAMPTZ)",
		"EXTRACT(week FROM a.x)", "a.d + INTERVAL '3' MONTH", "a.d - INTERVAL '1' QUARTER", "DATE '2024-01-31' - DATE '2024-01-01'",
		"ratio(a.x, a.y)", "SUM(a.x) OVER (PARTITION BY a.y ORDER BY a.z DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
		"ordinal('day', a.x)", "ordinal('week', a.x)", "ordinal('month', a.x)", "ordinal('quarter', a.x)", "ordinal('year', a.x)",
		"decode('yyyyMMdd', 'number', a.x)", "decode('yyyy-MM', 'text', a.x)", "decode('yyyyQ', 'number', a.x)", "decode('yyyyww', 'text', a.x)",
		"decode('epoch_seconds', 'number', a.x)", "decode('epoch_millis', 'number', a.x)", "decode('epoch_days', 'number', a.x)",
	}
	for _, grain := range sqlexpr.GrainNames() {
		for _, from := range []string{"unknown", "varchar", "date", "timestamp", "timestamptz"} {
			exprs = append(exprs, "bucket('"+grain+"', '"+from+"', a.x)")
		}
	}
	for _, d := range dialects(t) {
		for _, e := range exprs {
			sql, err := expression(parse(t, e), d)
			if err != nil || sql == "" || placeholder.MatchString(sql) {
				t.Errorf("%s: %s: %q, %v", d.Name(), e, sql, err)
			}
		}
	}
}

func TestPrint_RejectsNodesOutsidePlans(t *testing.T) {
	d, _ := sqlemit.LookupDialect("postgres")
	for name, e := range map[string]sqlexpr.Expr{
		"parameter":      &sqlexpr.Param{Name: "t"},
		"subquery":       &sqlexpr.Subquery{Text: "SELECT 1"},
		"ref at a table": &sqlexpr.Ref{ID: 0},
		"nothing":        nil,
		"number":         &sqlexpr.Number{Text: "1); DROP TABLE t; --"},
		"date":           &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: "2024-01-01' OR '1'='1"},
		"timestamp":      &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: "yesterday"},
		"type":           &sqlexpr.Cast{X: &sqlexpr.Null{}, To: sqlexpr.TypeName{Name: "INT); --"}},
		"NUL":            &sqlexpr.String{Value: "a\x00b"},
	} {
		sql, err := expression(e, d)
		var typed *sqlemit.Error
		if !errors.As(err, &typed) {
			t.Errorf("%s: got %q, %v", name, sql, err)
		}
	}
}

// A function that has to name an argument twice doubles with each level of
// nesting; the text is bounded.
func TestPrint_RepeatedArgumentsBounded(t *testing.T) {
	e := column("a")
	for range 100 {
		e = &sqlexpr.Call{Fn: sqlexpr.FnGreatest, Args: []sqlexpr.Expr{e, column("b")}}
	}
	d, _ := sqlemit.LookupDialect("mysql")
	if _, err := expression(e, d); err == nil || errorCode(err) != sqlemit.CodeNotImplemented {
		t.Errorf("got %v", err)
	}
}
