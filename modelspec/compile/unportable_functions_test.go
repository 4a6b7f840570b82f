package compile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

func TestFunctionNotPortable_NamesTheEnginesThatLackIt(t *testing.T) {
	const advice = "; add an entry for the dialect that has another function for it"
	unknown := func(what string) string {
		return "semlayer does not know the function " + what + " and passes it on as it is: a query fails on an engine that lacks it" + advice
	}
	for _, c := range []struct {
		what, dialects string
		want           []string
	}{
		{"a function of the language", `[{dialect: ANSI_SQL, expression: "NVL(LEN(a), 0)"}]`, nil},
		{"a function with another form", `[{dialect: ANSI_SQL, expression: "NVL2(a, ZEROIFNULL(b), NULLIFZERO(c)) + CHARINDEX('x', d) + INSTR(d, 'x') + ISNULL(b, 0)"}]`, nil},
		{"a known function", `[{dialect: ANSI_SQL, expression: "Last_Day(a)"}]`,
			[]string{"the function LAST_DAY is passed on as it is, and these dialects are known to lack it, so that queries on them fail: postgres, sqlite, trino" + advice}},
		{"a known function and entries of some dialects that lack it", `[{dialect: ANSI_SQL, expression: LAST_DAY(a)}, {dialect: POSTGRESQL, expression: b}, {dialect: TRINO, expression: last_day_of_month(a)}]`,
			[]string{"the function LAST_DAY is passed on as it is, and these dialects are known to lack it, so that queries on them fail: sqlite" + advice}},
		{"a known function and an entry of each dialect that lacks it", `[{dialect: ANSI_SQL, expression: "RPAD(a, 3)"}, {dialect: SQLITE, expression: a}]`, nil},
		{"an unknown function", `[{dialect: ANSI_SQL, expression: "frobnicate(a)"}]`, []string{unknown("FROBNICATE with 1 argument")}},
		{"two functions, one of them twice", `[{dialect: ANSI_SQL, expression: "f(a, f(b)) + g()"}]`, []string{unknown("F with 2 arguments"), unknown("G without arguments")}},
		{"a format, which belongs to one engine", `[{dialect: ANSI_SQL, expression: "TO_DATE(a, 'Mon DD YYYY')"}]`, []string{unknown("TO_DATE with 2 arguments")}},
		{"a format that every engine has", `[{dialect: ANSI_SQL, expression: "TO_CHAR(TO_DATE(a, 'YYYYMMDD'), 'YYYY-MM')"}]`, nil},
		{"a function of the language that an engine lacks", `[{dialect: ANSI_SQL, expression: "REGEXP_LIKE(a, 'x') AND REGEXP_LIKE(a, 'y')"}]`,
			[]string{"the function REGEXP_LIKE does not exist in these dialects, so that queries on them are rejected: sqlite" + advice}},
		{"a function of the language and an entry of the engine that lacks it", `[{dialect: ANSI_SQL, expression: "SPLIT_PART(a, 'x', 1)"}, {dialect: SQLITE, expression: a}]`, nil},
		{"flags of a regular expression, which belong to one engine", `[{dialect: ANSI_SQL, expression: "REGEXP_LIKE(a, 'x', 'i')"}, {dialect: DUCKDB, expression: "a = 'x'"}, {dialect: SQLITE, expression: a}]`,
			[]string{"the function REGEXP_LIKE is passed on as it is, and these dialects are known to lack it, so that queries on them fail: bigquery, clickhouse, doris, mariadb, redshift, starrocks" + advice}},
		{"an entry of OSSIE_SQL_2026", `[{dialect: OSSIE_SQL_2026, expression: "f(a)"}]`, []string{unknown("F with 1 argument")}},
		{"an entry of a named dialect alone", `[{dialect: SNOWFLAKE, expression: "f(a)"}]`, nil},
		{"an entry of a named dialect beside ours", `[{dialect: ANSI_SQL, expression: a}, {dialect: SNOWFLAKE, expression: "f(a) + GETDATE()"}]`, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			doc := load(t, "version: 0.2.0.dev0\nname: m\ndatasets:\n  - name: d\n    source: d\n    fields:\n      - {name: x, expression: {dialects: "+c.dialects+"}}\n")
			if issues := validated(t, doc); modelspec.HasErrors(issues) {
				t.Fatal(issues)
			}
			cat := catalogOf(t, doc, compile.Options{})
			if len(cat.Errors) > 0 {
				t.Fatal(cat.Errors)
			}
			var got []string
			for _, w := range cat.Warnings {
				if w.Code != "function_not_portable" {
					t.Errorf("%+v", w)
				}
				got = append(got, w.Message)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
