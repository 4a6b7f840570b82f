package modelspec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

// found renders issues as "severity code location @text", where text begins
// at the position and ends at the next punctuation.
func found(text string, issues []modelspec.Issue) []string {
	var out []string
	for _, i := range issues {
		out = append(out, fmt.Sprintf("%s %s %s @%s", i.Severity, i.Code, i.Location, textAt(text, i.Position)))
	}
	return out
}

func textAt(text string, p modelspec.Position) string {
	line := []rune(strings.Split(text, "\n")[p.Line-1])
	rest := string(line[p.Column-1:])
	if end := strings.IndexAny(rest[1:], ",:]}{"); end >= 0 {
		rest = rest[:end+1]
	}
	return rest
}

const head = "version: 0.2.0.dev0\nname: m\n"

// field writes a field over the column of the same name.
func field(name string) string {
	return fmt.Sprintf("{name: %[1]s, expression: {dialects: [{dialect: ANSI_SQL, expression: %[1]s}]}}", name)
}

func dataset(name, key string, fields ...string) string {
	var list []string
	for _, f := range fields {
		list = append(list, field(f))
	}
	return fmt.Sprintf("  - {name: %s, source: %s, primary_key: [%s], fields: [%s]}\n", name, name, key, strings.Join(list, ", "))
}

func relationship(name, from, to, fromColumns, toColumns string) string {
	return fmt.Sprintf("  - {name: %s, from: %s, to: %s, from_columns: [%s], to_columns: [%s]}\n", name, from, to, fromColumns, toColumns)
}

func TestValidate_FindsAllInDocumentOrder(t *testing.T) {
	a, b := dataset("a", "id", "id", "b_id"), dataset("b", "id", "id", "x")
	for _, c := range []struct {
		what, text string
		want       []string
	}{
		{"a valid model", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "b_id", "id"), nil},

		{"an older draft", "version: 0.1.1\nname: m\ndatasets:\n" + a, []string{"error unsupported_version version @0.1.1"}},
		{"a version that is a number", "version: 0.2\nname: m\ndatasets:\n" + a, []string{"error unsupported_version version @0.2"}},
		{"no version", "name: m\ndatasets:\n" + a, []string{"error parse version @name"}},

		{"two models", "version: 0.2.0.dev0\nsemantic_model:\n- {name: m, datasets: [{name: d, source: t}]}\n- {name: M, datasets: [{name: d, source: t}]}\n",
			[]string{"error duplicate_name semantic_model[1].name @M"}},

		{"two datasets of one name", head + "datasets:\n" + a + dataset("A", "id", "id"), []string{"error duplicate_name datasets[1].name @A"}},
		{"two fields of one name", head + "datasets:\n" + dataset("a", "id", "id", "x", "ID"), []string{"error duplicate_name datasets[0].fields[2].name @ID"}},
		{"two metrics of one name", head + "datasets:\n" + a + "metrics:\n- " + field("n") + "\n- " + field("n") + "\n", []string{"error duplicate_name metrics[1].name @n"}},
		{"two relationships of one name", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "b_id", "id") + relationship("r", "a", "b", "b_id", "id"),
			[]string{"error duplicate_name relationships[1].name @r"}},

		{"no datasets", head, []string{"error empty_datasets datasets @version"}},
		{"an empty list of datasets", head + "datasets: []\n", []string{"error empty_datasets datasets @version"}},

		{"no column pairs", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "", ""), []string{"error empty_columns relationships[0].from_columns @{name"}},
		{"absent column pairs", head + "datasets:\n" + a + b + "relationships:\n  - {name: r, from: a, to: b}\n", []string{"error empty_columns relationships[0].from_columns @{name"}},
		{"columns that do not pair", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "id, b_id", "id"), []string{"error column_count_mismatch relationships[0].to_columns @id"}},
		{"columns on one side only", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "b_id", ""), []string{"error column_count_mismatch relationships[0].to_columns @{name"}},

		{"unknown endpoints", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "aa", "bb", "b_id", "id"),
			[]string{"error unknown_dataset relationships[0].from @aa", "error unknown_dataset relationships[0].to @bb"}},
		{"unknown columns", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "nix", "nox"),
			[]string{"error unknown_column relationships[0].from_columns[0] @nix", "error unknown_column relationships[0].to_columns[0] @nox"}},

		{"a relationship with itself", head + "datasets:\n" + a + "relationships:\n" + relationship("r", "a", "a", "b_id", "id"), []string{"warning self_relationship relationships[0].to @a"}},
		{"a relationship with itself over no key", head + "datasets:\n" + a + "relationships:\n" + relationship("r", "a", "a", "id", "b_id"),
			[]string{"warning self_relationship relationships[0].to @a", "warning relationship_target_not_unique relationships[0].to_columns @b_id"}},
		{"a target that is no key", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "b_id", "x"), []string{"warning relationship_target_not_unique relationships[0].to_columns @x"}},
		{"part of a composite key", head + "datasets:\n" + a + dataset("b", "id, x", "id", "x") + "relationships:\n" + relationship("r", "a", "b", "b_id", "id"),
			[]string{"warning relationship_target_not_unique relationships[0].to_columns @id"}},
		{"a composite key in another order", head + "datasets:\n" + a + dataset("b", "id, x", "id", "x") + "relationships:\n" + relationship("r", "a", "b", "b_id, id", "X, ID"), nil},
		{"more than a key", head + "datasets:\n" + a + b + "relationships:\n" + relationship("r", "a", "b", "b_id, id", "id, x"), nil},
		{"a declared pairing of many with many", head + "datasets:\n" + a + b + "relationships:\n  - {name: r, from: a, to: b, from_columns: [b_id], to_columns: [x], cardinality: many_to_many}\n", nil},
		{"a pairing declared in the extension", head + "datasets:\n" + a + b + "relationships:\n  - {name: r, from: a, to: b, from_columns: [b_id], to_columns: [x], custom_extensions: [{vendor_name: semlayer, data: '{\"v\":\"1.9\",\"cardinality\":\"many_to_one\"}'}]}\n", nil},
		{"a target whose rows are valid for a time", head + "datasets:\n" + a + b + "relationships:\n  - {name: r, from: a, to: b, from_columns: [b_id], to_columns: [x], custom_extensions: [{vendor_name: semlayer, data: '{\"v\":\"1.10\",\"valid\":{\"at\":\"id\",\"from\":\"id\"}}'}]}\n", nil},
		{"a field whose expression is the key column", head + "datasets:\n" + a +
			"  - {name: b, source: b, unique_keys: [[code]], fields: [{name: x, expression: {dialects: [{dialect: ANSI_SQL, expression: b.\"code\"}]}}]}\n" +
			"relationships:\n" + relationship("r", "a", "b", "b_id", "x"), nil},

		{"a metric in no SQL dialect", head + "datasets:\n" + a + "metrics:\n  - {name: n, expression: {dialects: [{dialect: MAQL, expression: x}]}}\n",
			[]string{"error missing_sql_dialect metrics[0].expression @{dialects"}},
		{"a field in no SQL dialect", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, expression: {dialects: [{dialect: MDX, expression: x}, {dialect: TABLEAU, expression: y}]}}]}\n",
			[]string{"warning missing_sql_dialect datasets[0].fields[0].expression @{dialects"}},
		{"a dialect of a warehouse is SQL", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, expression: {dialects: [{dialect: DUCKDB, expression: x}]}}]}\n", nil},

		{"wrong types", "version: 0.2.0.dev0\nname: [m]\ndescription: 1\ndatasets:\n  - name: 7\n    source: a b\n    primary_key: id\n    fields:\n      - name: null\n        expression: SUM(x)\n        datatype: Strin\n        dimension: {is_time: maybe}\n  - x\n",
			[]string{
				"error parse name @[m", "error parse description @1",
				"error parse datasets[0].name @7", "error parse datasets[0].source @a b", "error parse datasets[0].primary_key @id",
				"error parse datasets[0].fields[0].name @name", "error parse datasets[0].fields[0].expression @SUM(x)",
				"error parse datasets[0].fields[0].datatype @Strin", "error parse datasets[0].fields[0].dimension.is_time @maybe",
				"error parse datasets[1] @x",
			}},
		{"expressions with no entry", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, expression: {dialects: []}}]}\nmetrics:\n  - {name: n, expression: {dialects: []}}\n",
			[]string{"warning missing_sql_dialect datasets[0].fields[0].expression @{dialects", "error missing_sql_dialect metrics[0].expression @{dialects"}},
		{"an expression without entries", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, expression: {}}]}\n", []string{"error parse datasets[0].fields[0].expression.dialects @{"}},
		{"an expression with two entries of one dialect", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, expression: {dialects: [{dialect: DUCKDB, expression: x}, {dialect: duckdb, expression: y}]}}]}\n",
			[]string{"error parse datasets[0].fields[0].expression.dialects[1].dialect @duckdb"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			if d := cmp.Diff(c.want, found(c.text, validated(t, parse(t, c.text)))); d != "" {
				t.Errorf("%s\n%s", d, c.text)
			}
		})
	}
}

func TestValidate_BasicModeIgnoresDeclaredCardinality(t *testing.T) {
	t.Run("basic mode does not accept a cardinality from the extension as proof of a unique key", func(t *testing.T) {
		text := head + "datasets:\n" + dataset("a", "id", "id") + dataset("b", "id", "id", "x") +
			"relationships:\n  - {name: r, from: a, to: b, from_columns: [id], to_columns: [x], custom_extensions: [{vendor_name: DATUS, data: '{\"cardinality\":\"many_to_one\"}'}]}\n"
		got := found(text, validated(t, parse(t, text), modelspec.WithBasicMode(true)))
		if d := cmp.Diff([]string{"warning relationship_target_not_unique relationships[0].to_columns @x"}, got); d != "" {
			t.Error(d)
		}
	})
}

func TestValidate_MessagesSuggestFix(t *testing.T) {
	a := dataset("orders", "id", "id", "customer_id")
	for _, c := range []struct{ what, text, want string }{
		{"older draft", "version: 0.1.1\nname: m\ndatasets:\n" + a, "0.1.1 is an older draft of the same format"},
		{"implemented version", "version: 9\nname: m\ndatasets:\n" + a, "this engine implements 0.2.0.dev0"},
		{"nearest dataset", head + "datasets:\n" + a + "relationships:\n" + relationship("r", "order", "orders", "id", "id"), "did you mean orders?"},
		{"nearest field", head + "datasets:\n" + a + "relationships:\n" + relationship("r", "orders", "orders", "custmer_id", "id"), "did you mean customer_id?"},
		{"nearest of datasets of which one has no name", head + "datasets:\n" + a + dataset("''", "id", "id") + "relationships:\n" + relationship("r", "order", "orders", "id", "id"), "not declared; did you mean orders?"},
		{"nearest of fields without names", head + "datasets:\n" + dataset("orders", "", "''") + "relationships:\n" + relationship("r", "orders", "orders", "x", "x"), "not a declared field of orders; none has a name"},
		{"no dataset is near", head + "datasets:\n" + a + "relationships:\n" + relationship("r", "warehouses", "orders", "id", "id"), "which is not declared; the declared names are orders"},
		{"no value is near", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, datatype: Colour, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}\n",
			`datatype "Colour" is not one of String, Integer, Decimal, Float, Boolean, Date, Time, DateTime, DateTimeTz, Opaque`},
		{"a synonym of a data type", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, datatype: Timestamp, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}\n",
			"did you mean DateTime?"},
		{"a synonym with a length", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, datatype: VARCHAR(20), expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}\n",
			"did you mean String?"},
		{"expression shape", head + "datasets:\n  - {name: a, source: a, fields: [{name: f, expression: x}]}\n", "must be an object {dialects: [{dialect: ANSI_SQL, expression: …}]}, is a string; run semlayer fmt to expand it"},
	} {
		t.Run(c.what, func(t *testing.T) {
			issues := validated(t, parse(t, c.text))
			if !slices.ContainsFunc(issues, func(i modelspec.Issue) bool { return strings.Contains(i.Message, c.want) }) {
				t.Errorf("%v does not say %q", issues, c.want)
			}
		})
	}
}

func TestValidate_WarnsOfUnknownKeys(t *testing.T) {
	text := "version: 0.2.0.dev0\nname: m\nx_tool: 1\ndatasets:\n  - name: a\n    source: a\n    primary_kye: [id]\n    fields:\n      - {name: f, expression: {dialects: [{dialect: DUCKDB, expression: x, note: n}]}}\n"
	doc := parse(t, text)
	if issues := validated(t, doc); len(issues) > 0 {
		t.Fatal(issues)
	}
	var got []string
	for _, w := range doc.UnknownKeyWarnings() {
		got = append(got, fmt.Sprintf("%s %s @%s", w.Code, w.Location, textAt(text, w.Position)))
	}
	want := []string{
		"unknown_model_key x_tool @x_tool",
		"unknown_model_key datasets[0].primary_kye @primary_kye",
		"unknown_model_key datasets[0].fields[0].expression.dialects[0].note @note",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if w := doc.UnknownKeyWarnings()[1]; !strings.Contains(w.Message, `did you mean "primary_key"?`) {
		t.Errorf("%q", w.Message)
	}
}
