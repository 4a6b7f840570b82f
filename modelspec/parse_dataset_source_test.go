package modelspec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestSource_Parse(t *testing.T) {
	table := func(names ...sqlexpr.Name) sqlexpr.DatasetTableOrQuery {
		return sqlexpr.DatasetTableOrQuery{Table: names}
	}
	plain := func(s string) sqlexpr.Name { return sqlexpr.Name{Text: s} }
	quoted := func(s string) sqlexpr.Name { return sqlexpr.Name{Text: s, Quoted: true} }
	for source, want := range map[string]sqlexpr.DatasetTableOrQuery{
		"orders":                           table(plain("orders")),
		" main.orders ":                    table(plain("main"), plain("orders")),
		"db.main.orders":                   table(plain("db"), plain("main"), plain("orders")),
		`"My DB"."a.b"."c""d"`:             table(quoted("My DB"), quoted("a.b"), quoted(`c"d`)),
		`db."Order Lines"`:                 table(plain("db"), quoted("Order Lines")),
		"select":                           table(plain("select")),
		"select.orders":                    table(plain("select"), plain("orders")),
		"with_tax":                         table(plain("with_tax")),
		"my-project.set.t":                 table(quoted("my-project"), plain("set"), plain("t")),
		"größe.tabelle":                    table(plain("größe"), plain("tabelle")),
		"SELECT * FROM t":                  {Query: "SELECT * FROM t"},
		"select 1 as x;\n":                 {Query: "select 1 as x"},
		"with x as (select 1) select *\n ": {Query: "with x as (select 1) select *"},
		"select(1)":                        {Query: "select(1)"},
		"select ';' /* ; */ -- ;\n from t": {Query: "select ';' /* ; */ -- ;\n from t"},
		"-- by ship; or by rail\n/* ( */ select a from t": {Query: "select a from t"},
		"(select a from t)": {Query: "select a from t"},
		" ( -- inner\n (select f(')') from t) ; -- last\n ) ; ; ": {Query: "select f(')') from t"},
		"(select a from t) union all (select a from s)":           {Query: "(select a from t) union all (select a from s)"},
		"select a from t; -- the end":                             {Query: "select a from t"},
		"select a from t -- the end":                              {Query: "select a from t -- the end"},
		"-- the table\nmain.orders -- of today":                   table(plain("main"), plain("orders")),
		"(orders);":                                               table(plain("orders")),
	} {
		got, err := modelspec.ParseDatasetSource(source)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: %s", source, d)
		}
	}
	for _, source := range []string{
		"", "a b", "a..b", ".a", "a.", "a.b.c.d", `"a`, `""`, `"a"b`, "a;drop", "a--b", "select 1; select 2", "drop table x", "a'b", "(select 1", "(select 1) x", "-- nothing", "/* open", "()", "(select 1; select 2)",
	} {
		if got, err := modelspec.ParseDatasetSource(source); err == nil {
			t.Errorf("%q was read as %+v", source, got)
		}
	}
}

func TestSource_BoundsParentheses(t *testing.T) {
	const n = 100_000
	for _, source := range []string{
		strings.Repeat("(", n) + "SELECT 1" + strings.Repeat(")", n),
		strings.Repeat("(", n) + "SELECT 1" + strings.Repeat(") UNION SELECT 1", n),
		strings.Repeat("(", n),
	} {
		if _, err := modelspec.ParseDatasetSource(source); err == nil {
			t.Errorf("%s… is read", source[:20])
		}
	}
	deep := strings.Repeat("(", 8) + "SELECT 1" + strings.Repeat(")", 8)
	if got, err := modelspec.ParseDatasetSource(deep); err != nil || got.Query != "SELECT 1" {
		t.Errorf("%s: %q, %v", deep, got.Query, err)
	}
}
