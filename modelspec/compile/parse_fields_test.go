package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// one returns a model of one dataset with the fields given in short notation.
func one(fields string) string {
	return "datasets:\n  - name: d\n    source: t\n    fields:\n      " + strings.ReplaceAll(strings.TrimSpace(fields), "\n", "\n      ") + "\n"
}

func TestFields_ExpandIntoColumns(t *testing.T) {
	cat := sound(t, one(`
~ amount: amount / 100
~ tax: d.tax_rate * amount
~ net: AMOUNT - "tax"
~ quoted: "Amount"
~ cents: d.cents
`))
	got := map[string]string{}
	for _, f := range cat.Fields {
		got[f.Name] = sqlexpr.Format(f.Expr.Default)
	}
	want := map[string]string{
		"amount": "amount / 100",
		"tax":    "tax_rate * (amount / 100)",
		"net":    "amount / 100 - tax_rate * (amount / 100)",
		"quoted": `"Amount"`,
		"cents":  "cents",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFields_Invalid(t *testing.T) {
	for _, c := range []struct {
		what, fields string
		want         []string
	}{
		{"no SQL", "~ a: 1 +", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"a circle", "~ a: b + 1\n~ b: c\n~ c: A", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"a window", "~ a: ROW_NUMBER() OVER (ORDER BY b)", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"a subquery", "~ a: (SELECT 1)", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"a parameter", "~ a: b + :p", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"a string in a sum", "~ a: 1 + UPPER(b)", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"a string beside a number", "~ a: COALESCE(UPPER(b), 0)", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"a string compared with a number", "~ a: CASE WHEN UPPER(b) = 0 THEN 'none' END", []string{"unparseable_expression datasets[0].fields[0].expression"}},
		{"an unknown qualifier", "~ a: e.b", []string{"unknown_dataset datasets[0].fields[0].expression"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := compiled(t, one(c.fields))
			if d := cmp.Diff(c.want, listed(cat.Errors)); d != "" {
				t.Fatal(d)
			}
			for _, f := range cat.Fields {
				if f.Err != cat.Errors[0] || f.Expr.Default != nil {
					t.Errorf("%s: error %v, expression %v", f.Name, f.Err, f.Expr.Default)
				}
			}
		})
	}
	t.Run("another dataset", func(t *testing.T) {
		cat := compiled(t, "datasets:\n  - name: a\n    source: a\n    fields:\n      ~ x: b.y\n  - name: b\n    source: b\n    fields:\n      ~ y: y\n")
		if d := cmp.Diff([]string{"cross_dataset_aggregate datasets[0].fields[0].expression"}, listed(cat.Errors)); d != "" {
			t.Error(d)
		}
	})
}

func TestFields_CircleShowsPath(t *testing.T) {
	cat := compiled(t, one("~ a: b\n~ b: c\n~ c: b"))
	if got, want := cat.Errors[0].Message, "the fields of d expand into each other in a circle: b → c → b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFields_ExpansionIsBounded(t *testing.T) {
	fields := "~ f0: x\n"
	for i := 1; i < 40; i++ {
		fields += fmt.Sprintf("~ f%d: f%d + f%d\n", i, i-1, i-1)
	}
	cat := compiled(t, one(fields))
	if len(cat.Errors) != 1 || !strings.Contains(cat.Errors[0].Message, "at most 20000 and 64") {
		t.Errorf("%v", cat.Errors)
	}
}

func TestFields_AggregateWithoutGrainDropped(t *testing.T) {
	cat := compiled(t, one("~ a: SUM(x)\n~ b: a + 1\n~ c: y")+"metrics:\n  ~ m: MAX(d.a)\n  ~ n: MAX(c)\n")
	want := []string{"unknown_field datasets[0].fields[1].expression", "unknown_field metrics[0].expression"}
	if d := cmp.Diff(want, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"aggregate_field_dropped datasets[0].fields[0].expression"}, warned(cat.Warnings)); d != "" {
		t.Error(d)
	}
	if cat.Dataset("d").Field("a") != nil || cat.Fields[1].Name != "c" {
		t.Errorf("fields: %v", cat.Fields)
	}
}

const dialects = `
datasets:
  - name: d
    source: t
    fields:
      - name: day
        expression: {dialects: [{dialect: SNOWFLAKE, expression: sf_day}, {dialect: ANSI_SQL, expression: day}, {dialect: MAQL, expression: nonsense (}]}
      - name: next
        expression: {dialects: [{dialect: ANSI_SQL, expression: day + 1}, {dialect: POSTGRESQL, expression: pg_next}, {dialect: Spark, expression: db_next}, {dialect: PRESTO, expression: trino_next}, {dialect: SQLITE3, expression: lite_next}, {dialect: TRINO, expression: own_next}]}
      - name: only
        expression: {dialects: [{dialect: TABLEAU, expression: x}, {dialect: DUCKDB, expression: duck}]}
      - name: maql
        expression: {dialects: [{dialect: MAQL, expression: x}]}
      - name: halfway
        expression: {dialects: [{dialect: ANSI_SQL, expression: h}, {dialect: MYSQL, expression: h +}]}
`

func TestFields_ExpressionPerDialect(t *testing.T) {
	cat := compiled(t, dialects)
	d := cat.Dataset("d")
	for _, c := range []struct{ field, dialect, want string }{
		{"day", "duckdb", "day"},
		{"day", "snowflake", "sf_day"},
		{"next", "duckdb", "day + 1"},
		{"next", "snowflake", "sf_day + 1"},
		{"next", "postgres", "pg_next"},
		{"next", "databricks", "db_next"},
		{"next", "trino", "own_next"},
		{"next", "sqlite", "lite_next"},
		{"only", "postgres", "duck"},
		{"only", "duckdb", "duck"},
		{"halfway", "duckdb", "h"},
	} {
		f := d.Field(c.field)
		if got := sqlexpr.Format(f.Expr.ForDialect(c.dialect)); got != c.want || f.ErrorForDialect(c.dialect) != nil {
			t.Errorf("%s for %s: %s (%v), want %s", c.field, c.dialect, got, f.ErrorForDialect(c.dialect), c.want)
		}
	}
	if err := d.Field("halfway").ErrorForDialect("mysql"); err == nil || err.Code != "unparseable_expression" {
		t.Errorf("halfway for mysql: %v", err)
	}
	if d := cmp.Diff([]string{"unparseable_expression datasets[0].fields[4].expression"}, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
}

func TestFields_WithoutSQLFailOnUse(t *testing.T) {
	unused := compiled(t, dialects)
	if f := unused.Dataset("d").Field("maql"); f.Err == nil || f.Err.Code != "no_sql_dialect" {
		t.Errorf("maql: %v", f.Err)
	}
	for what, use := range map[string]string{
		"a metric": "metrics:\n  ~ m: SUM(maql)\n  ~ n: SUM(d.maql) + 1\n",
		"a field":  "      ~ user: maql + 1\n",
	} {
		t.Run(what, func(t *testing.T) {
			got := listed(compiled(t, strings.TrimRight(dialects, "\n")+"\n"+use).Errors)
			want := []string{"no_sql_dialect datasets[0].fields[3].expression", "unparseable_expression datasets[0].fields[4].expression"}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMetrics_WithoutSQLFail(t *testing.T) {
	doc := load(t, expand("datasets:\n  - {name: d, source: t}\nmetrics:\n  - {name: m, expression: {dialects: [{dialect: MAQL, expression: x}]}}\n"))
	cat := catalogOf(t, doc, compile.Options{})
	if d := cmp.Diff([]string{"no_sql_dialect metrics[0].expression"}, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
}

func TestDocument_WithOtherThanOneModelDoesNotCompile(t *testing.T) {
	for _, c := range []struct{ what, text, location, message string }{
		{"no model", "version: 0.2.0.dev0\n", "semantic_model", "the document holds no semantic model; a document holds exactly one"},
		{"an empty list", "version: 0.2.0.dev0\nsemantic_model: []\n", "semantic_model", "the list semantic_model is empty; a document holds exactly one"},
		{"two models", "version: 0.2.0.dev0\nsemantic_model: [{name: a}, {name: b}]\n", "semantic_model[1]", "the document holds 2 semantic models; a document holds exactly one"},
		{"both shapes", "version: 0.2.0.dev0\nname: m\nsemantic_model: [{name: a, datasets: [{name: d, source: t}]}]\n", "semantic_model",
			"the document holds a list semantic_model and a model at the root; a document holds exactly one"},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := catalogOf(t, load(t, c.text), compile.Options{})
			if d := cmp.Diff([]string{"unknown_dataset " + c.location}, listed(cat.Errors)); d != "" {
				t.Fatal(d)
			}
			if got := cat.Errors[0].Message; got != c.message {
				t.Errorf("%s, want %s", got, c.message)
			}
			want := "either `version` and `semantic_model: [{name, datasets, …}]`, or `version, name, datasets, …` at the root"
			if got := cat.Errors[0].Hint; got != want {
				t.Errorf("the hint is %q", got)
			}
		})
	}
}

func TestFields_TypeAndTime(t *testing.T) {
	cat := sound(t, one(`
~ text: x
  datatype: String
~ money: x
  datatype: Decimal
~ day: x
  datatype: Date
~ clock: x
  datatype: Time
~ at: x
  datatype: DateTimeTz
  dimension: {is_time: false}
~ year: x
  datatype: Integer
  dimension: {is_time: true}
~ blob: x
  datatype: Opaque
~ cast: CAST(x AS DATE)
~ words: x || y
~ unknown: x
~ monthly: x
  @ {"v": "1.0", "time_granularity": "month"}
`))
	got := map[string]string{}
	for _, f := range cat.Fields {
		got[f.Name] = fmt.Sprintf("%s %v %s", f.Type, f.IsTime, f.Granularity)
	}
	want := map[string]string{
		"text": "varchar false ", "money": "decimal false ", "day": "date true ", "clock": "time true ",
		"at": "timestamptz false ", "year": "integer true ", "blob": "unknown false ", "cast": "date false ",
		"words": "varchar false ", "unknown": "unknown false ", "monthly": "unknown true month",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFields_PrimaryTime(t *testing.T) {
	const two = "~ a: a\n  datatype: Date\n~ b: b\n  datatype: Date\n"
	for what, c := range map[string]struct{ model, want string }{
		"the only time field":    {one("~ a: a\n  datatype: Date\n~ x: x"), "a"},
		"none":                   {one("~ x: x"), ""},
		"several":                {one(two), ""},
		"the chosen one":         {one(two) + "    @ {\"time_dimension\": \"B\"}\n", "b"},
		"the chosen one by path": {one(two) + "    @ {\"time_dimension\": \"d.a\"}\n", "a"},
	} {
		t.Run(what, func(t *testing.T) {
			got := ""
			if f := sound(t, c.model).Dataset("d").PrimaryTime; f != nil {
				got = f.Name
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	for what, payload := range map[string]string{"no field": `{"time_dimension": "z"}`, "no time field": `{"time_dimension": "x"}`} {
		t.Run(what, func(t *testing.T) {
			cat := compiled(t, one("~ x: x\n~ a: a\n  datatype: Date")+"    @ "+payload+"\n")
			if d := cmp.Diff([]string{"invalid_vendor_extension datasets[0].custom_extensions[0].data.time_dimension"}, listed(cat.Errors)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff([]string{"a"}, cat.Errors[0].Candidates); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRelationships_CardinalityFromKeys(t *testing.T) {
	for _, c := range []struct {
		what, from, to, extra string
		want                  modelspec.Cardinality
	}{
		{"to a key", "customer_id", "customer_id", "", modelspec.ManyToOne},
		{"to no key", "customer_id", "region", "", modelspec.UnprovenCardinality},
		{"key to key", "order_id", "customer_id", "", modelspec.OneToOne},
		{"to more than a key", "customer_id, status", "customer_id, region", "", modelspec.ManyToOne},
		{"declared", "customer_id", "region", ", cardinality: one_to_one", modelspec.OneToOne},
		{"declared against the keys", "customer_id", "customer_id", ", cardinality: many_to_many", modelspec.ManyToMany},
		{"declared in the payload", "customer_id", "region", `, custom_extensions: [{vendor_name: SemLayer, data: '{"v":"1.9","cardinality":"many_to_one"}'}]`, modelspec.ManyToOne},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := sound(t, shop+fmt.Sprintf("  - {name: r, from: orders, to: customers, from_columns: [%s], to_columns: [%s]%s}\n", c.from, c.to, c.extra))
			if got := cat.Relationship("r").Cardinality; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestRelationships_KeepFieldsAndJoinType(t *testing.T) {
	cat := sound(t, shop+`  - {name: r, from: orders, to: customers, from_columns: [CUSTOMER_ID], to_columns: [customer_id], custom_extensions: [{vendor_name: datus, data: '{"join_type":"inner"}'}]}`+"\n")
	r := cat.Relationship("r")
	if r.JoinType != catalog.JoinInner || r.FromFields[0].QualifiedName() != "orders.customer_id" || r.ToFields[0].QualifiedName() != "customers.customer_id" {
		t.Errorf("%+v", r)
	}
	if cat.Relationship("orders_to_products").JoinType != catalog.JoinLeft {
		t.Error("the default is left")
	}
}

func TestRelationships_BrokenFieldKeepsReason(t *testing.T) {
	cat := compiled(t, "datasets:\n  - name: a\n    source: a\n    fields:\n      ~ x: x +\n      ~ y: SUM(y)\n  - name: b\n    source: b\n    primary_key: [x]\n    fields:\n      ~ x: x\n"+
		"relationships:\n  - {name: r, from: a, to: b, from_columns: [x], to_columns: [x]}\n  - {name: s, from: a, to: b, from_columns: [y], to_columns: [x]}\n")
	want := []string{"unparseable_expression datasets[0].fields[0].expression", "unknown_field relationships[1].from_columns[0]"}
	if d := cmp.Diff(want, listed(cat.Errors)); d != "" {
		t.Fatal(d)
	}
	if cat.Relationship("r").Err != cat.Errors[0] || cat.Relationship("s").Err != cat.Errors[1] {
		t.Errorf("r: %v, s: %v", cat.Relationship("r").Err, cat.Relationship("s").Err)
	}
}

func TestWarnings_OfParsingReachCatalog(t *testing.T) {
	cat := sound(t, one("~ a: a")+"vendor_notes: x\n")
	if d := cmp.Diff([]string{"unknown_model_key vendor_notes"}, warned(cat.Warnings)); d != "" {
		t.Error(d)
	}
}
