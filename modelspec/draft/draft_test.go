package draft_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/format"
)

func parse(t *testing.T, text []byte) *modelspec.SemanticModel {
	t.Helper()
	doc, err := modelspec.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	issues, err := modelspec.Validate(context.Background(), doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, issue := range issues {
		t.Errorf("%s: %s in\n%s", issue.Location, issue.Message, text)
	}
	return doc.Model()
}

func yes() *bool { v := true; return &v }

// full returns a model with everything that a draft can hold.
func full() *draft.Model {
	zero := 0
	return &draft.Model{
		Comments:    []string{"yaml-language-server: $schema=model.schema.json", "", "two\nlines"},
		Name:        "shop",
		Description: "First line.\n\n  Third line.\n",
		Context: draft.AIContext{
			Instructions: "Amounts: in euro.", Synonyms: []string{"store", "yes"}, Examples: []string{"How much?"},
			Other: []draft.AIContextKeyValue{{Key: "owner", Value: "finance"}, {Key: "tags", Values: []string{"a", "b"}}},
		},
		Datasets: []*draft.Dataset{
			{
				Comments: []string{"from orders"}, Name: "orders", Source: `"Shop".orders`, TimeDimension: "day",
				PrimaryKey: draft.KeyDeclaration{Columns: []string{"id", "line no"}, Note: "proven"},
				UniqueKeys: []draft.KeyDeclaration{
					{Columns: []string{"code"}, Note: "declared"},
					{Columns: []string{"a", "b"}, Note: "not proven", CommentedOut: true},
				},
				Description: "Orders", Context: draft.AIContext{Synonyms: []string{"sales"}},
				Fields: []*draft.Field{
					{Name: "id", Expression: draft.ANSIExpression("id"), Datatype: "Integer"},
					{Name: "line no", Expression: draft.ANSIExpression(`"line no"`), Comments: []string{"a field"}},
					{Name: "code", Expression: draft.Expression{{"ANSI_SQL", "code"}, {"SNOWFLAKE", "code::VARIANT"}}, Role: draft.FieldRoleDimension, IsDimension: yes()},
					{Name: "day", Expression: draft.ANSIExpression("day"), Role: draft.FieldRoleTime, Datatype: "Integer", TimeFormat: &draft.TimeFormat{Format: "yyyyMMdd"}},
					{Name: "month", Expression: draft.ANSIExpression("month"), Role: draft.FieldRoleTime, Datatype: "Date", Granularity: "month"},
					{Name: "year", Expression: draft.ANSIExpression("year"), Role: draft.FieldRoleNotTime, Datatype: "Date", Label: "Year", Description: "no"},
					{Name: "customer", Expression: draft.ANSIExpression("customer")},
				},
			},
			{Name: "customers", Source: "SELECT *\nFROM c\n", PrimaryKey: draft.KeyDeclaration{Columns: []string{"id"}, CommentedOut: true}, UniqueKeys: []draft.KeyDeclaration{{Columns: []string{"id"}}}, Fields: []*draft.Field{
				{Name: "id", Expression: draft.ANSIExpression("id")},
				{Name: "spent", Expression: draft.ANSIExpression("SUM(orders.id)"), LOD: &draft.LODBlock{Grain: []string{"id"}, Where: "orders.code = 'x'"}},
			}},
		},
		Relationships: []*draft.Relationship{
			{Name: "maybe", From: "orders", To: "customers", FromColumns: []string{"code"}, ToColumns: []string{"id"}, CommentedOut: true, Comments: []string{"inferred: 7 of 9 values found"}},
			{Name: "buyer", From: "orders", To: "customers", FromColumns: []string{"customer"}, ToColumns: []string{"id"}, Cardinality: modelspec.ManyToOne, JoinType: "inner", Context: draft.AIContext{Synonyms: []string{"client"}}},
		},
		Metrics: []*draft.Metric{
			{Name: "count", Expression: draft.ANSIExpression("COUNT(*)"), Extension: draft.MetricExtension{Dataset: "orders", FillNullsWith: &zero, Unit: "orders", Format: `"0,0"`, TimeDimension: "orders.day"}},
			{Name: "growth", Expression: draft.ANSIExpression("SUM(orders.id)"), Datatype: "Decimal", Description: "Growth", Comments: []string{"of ids"}, Extension: draft.MetricExtension{Window: &draft.Window{Type: "pop", Offset: &draft.WindowOffset{Count: 1, Granularity: "month"}, Calculation: "delta"}}},
			{Name: "long", Expression: draft.ANSIExpression("SUM(orders.id" + strings.Repeat(" + orders.id", 15) + ")")},
			{Name: "some", Expression: draft.ANSIExpression("SUM(CASE WHEN orders.code = 'a' THEN orders.id END)"), Extension: draft.MetricExtension{Derive: &draft.DerivedMetricBlock{Type: "filter", Base: "all", Where: "code = 'a'"}}},
			{Name: "all", Expression: draft.ANSIExpression("SUM(orders.id)"), Context: draft.AIContext{Instructions: "All of it."}},
		},
		Queries: []*draft.SavedQuery{{
			Name: "top", Description: "It's the top.", Synonyms: []string{"best"},
			Query: draft.MetricQuery{
				Metrics: []string{"all"}, GroupBy: []draft.GroupBy{{Field: "orders.month", Grain: "month", Name: "of"}}, Where: "orders.code <> 'a'",
				OrderBy: []draft.OrderBy{{Key: "all", Descending: true}}, Limit: 3,
			},
		}},
	}
}

func TestPrint_WritesTheStandardForm(t *testing.T) {
	want, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(draft.PrintModel(full()))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestPrint_IsReadBack(t *testing.T) {
	m := parse(t, draft.PrintModel(full()))
	d := m.Datasets[0]
	if m.Description != "First line.\n\n  Third line.\n" || d.Source.Value != `"Shop".orders` || len(d.Fields) != 7 {
		t.Errorf("%+v", m)
	}
	wantContext := map[string]any{
		"instructions": "Amounts: in euro.", "synonyms": []any{"store", "yes"}, "examples": []any{"How much?"},
		"owner": "finance", "tags": []any{"a", "b"},
	}
	if diff := cmp.Diff(wantContext, m.AIContext); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(d.PrimaryKey) != 2 || len(d.UniqueKeys) != 1 || len(m.Datasets[1].PrimaryKey) != 0 {
		t.Error("a key that is commented out is read, or another is not")
	}
	payload, found := extension.ReadMetric(m.Metrics[1].Place, m.Metrics[1].Extensions)
	if found.FirstError() != nil || payload.Window == nil || payload.Window.Spec.Offset == nil || payload.Window.Spec.Offset.Calculation != "delta" {
		t.Errorf("%+v, %+v", payload, found)
	}
	if lod, found := extension.ReadField(m.Datasets[1].Fields[1].Place, m.Datasets[1].Fields[1].Extensions); found.FirstError() != nil || lod.LOD == nil || lod.LOD.Where == nil {
		t.Errorf("%+v, %+v", lod, found)
	}
	model, found := extension.ReadModel(m.Place, m.Extensions)
	if found.FirstError() != nil || len(model.Queries) != 1 || model.Queries[0].Err != nil || len(model.Queries[0].Body) != 5 {
		t.Errorf("%+v, %+v", model, found)
	}
	if len(m.Relationships) != 1 {
		t.Errorf("%d relationships", len(m.Relationships))
	}
}

func TestPrint_IsAFixedPointOfTheFormat(t *testing.T) {
	text := draft.PrintModel(full())
	formatted, err := format.Format(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), string(formatted)); diff != "" {
		t.Errorf("-printed +formatted\n%s", diff)
	}
}

// Comments that stand in no list keep their place: after the keys of the model.
func TestPrint_KeepsCommentsWithoutAnObjectBelow(t *testing.T) {
	m := &draft.Model{
		Name:          "m",
		Datasets:      []*draft.Dataset{{Name: "d", Source: "t", PrimaryKey: draft.KeyDeclaration{Columns: []string{"a"}, CommentedOut: true}}},
		Relationships: []*draft.Relationship{{Name: "r", From: "d", To: "d", FromColumns: []string{"a"}, ToColumns: []string{"b"}, CommentedOut: true}},
	}
	const want = `version: 0.2.0.dev0
semantic_model:
  - name: m
    datasets:
      # primary_key: [a]
      - name: d
        source: t
    # relationships:
    #   - name: r
    #     from: d
    #     to: d
    #     from_columns: [a]
    #     to_columns: [b]
`
	if diff := cmp.Diff(want, string(draft.PrintModel(m))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// FuzzPrint: any text is read back as it is, in every place that holds texts, and a
// comment never becomes a part of the model. The text is a fixed point of the format.
func FuzzPrint(f *testing.F) {
	for _, seed := range []string{"", "a", "yes", "1.0", "null", "~", "x: y", "a #b", "# a", "- a", "{a}", "[a", "'", `"`, "\\", "a\nb", "a\n\n b\n", " a ", "\ta", "a\t\nb", "\n", "\r\n", "é\u2028\u0085\ufeff", "\x00", "\xff", "*a", "&a", "!t", "%", "@", "`", "|", ">", "=", "<<", "2024-01-01", "0x1", "---", "...", "? a", "a\n---\nb", "#\x01", "a, b", "日本"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := &draft.Model{
			Comments: []string{text}, Name: text, Description: text, Context: draft.AIContext{Instructions: text, Synonyms: []string{text}},
			Datasets: []*draft.Dataset{{
				Comments: []string{text, text}, Name: "d" + text, Source: text,
				PrimaryKey: draft.KeyDeclaration{Columns: []string{text}, Note: text},
				UniqueKeys: []draft.KeyDeclaration{{Columns: []string{text}, Note: text, CommentedOut: true}},
				Fields:     []*draft.Field{{Comments: []string{text}, Name: text, Expression: draft.ANSIExpression(text), LOD: &draft.LODBlock{Where: text}}},
			}},
			Relationships: []*draft.Relationship{{Comments: []string{text}, Name: text, From: text, FromColumns: []string{text}, CommentedOut: true}},
			Metrics:       []*draft.Metric{{Name: text, Expression: draft.Expression{{text, text}}, Extension: draft.MetricExtension{Unit: text}}, {Name: text, Comments: []string{text}}},
		}
		printed := draft.PrintModel(m)
		doc, err := modelspec.Parse(printed)
		if err != nil {
			t.Fatalf("%v in\n%s", err, printed)
		}
		if formatted, err := format.Format(printed); err != nil || string(formatted) != string(printed) {
			t.Fatalf("%v: the layout is\n%s\nand the draft\n%s", err, formatted, printed)
		}
		want := strings.ToValidUTF8(text, "\uFFFD")
		if !utf8.ValidString(want) {
			t.Fatal("the replacement is not valid")
		}
		got := doc.Model()
		d := got.Datasets[0]
		texts := []string{got.Name.Value, got.Description, d.Source.Value, d.PrimaryKey[0].Value, d.Fields[0].Name.Value}
		if x := d.Fields[0].Expression; x != nil && len(x.Entries) > 0 {
			texts = append(texts, x.Entries[0].Expression.Value)
		}
		if i := slices.IndexFunc(texts, func(s string) bool { return s != want && s != "" }); i >= 0 {
			t.Fatalf("%q came back as %q in\n%s", want, texts[i], printed)
		}
		if text != "" && len(texts) < 6 || len(got.Datasets) != 1 || len(got.Metrics) != 2 || len(got.Relationships) != 0 || len(d.UniqueKeys) != 0 {
			t.Fatalf("the model is not the one that was written:\n%s", printed)
		}
	})
}
