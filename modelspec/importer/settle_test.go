package importer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

func plansAll(context.Context, []byte) (map[string]string, error) { return nil, nil }

// summary lists the entries in short form.
func summary(entries []*importer.ReportEntry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, strings.Join(strings.Fields(fmt.Sprintf("%d %s %s %s %s", e.Line, e.Outcome, e.Construct, e.Name, strings.Join(e.Became, ","))), " "))
	}
	return out
}

// broken returns a model with a part of each kind that does not compile, and what depends on it.
func broken() *importer.ImportedModel {
	field := func(name, text string) *draft.Field {
		return &draft.Field{Name: name, Expression: draft.ANSIExpression(text)}
	}
	at := func(line int) *importer.Node { return &importer.Node{File: "f", Line: line} }
	r := &importer.Report{}
	r.AddExact(at(1), "table", "a", importer.DatasetPath("a"))
	r.AddExact(at(2), "column", "x", importer.FieldPath("a", "x"))
	r.AddExact(at(3), "column", "bad", importer.FieldPath("a", "bad"))
	r.AddExact(at(4), "column", "uses_bad", importer.FieldPath("a", "uses_bad"))
	r.AddExact(at(5), "table", "gone", importer.DatasetPath("gone"))
	r.AddExact(at(6), "key", "b", importer.FieldPath("a", "x"), importer.RelationshipPath("a_gone"))
	r.AddExact(at(7), "metric", "good", importer.MetricPath("good"))
	r.AddExact(at(8), "metric", "of_bad", importer.MetricPath("of_bad"))
	r.AddExact(at(9), "metric", "of_of_bad", importer.MetricPath("of_of_bad"))
	r.AddExact(at(10), "metric", "refused", importer.MetricPath("refused"))
	r.AddExact(at(11), "metric", "of_refused", importer.MetricPath("of_refused"))
	metric := func(name, text string) *draft.Metric {
		return &draft.Metric{Name: name, Expression: draft.ANSIExpression(text)}
	}
	return &importer.ImportedModel{Report: r, Model: &draft.Model{
		Name: "m",
		Datasets: []*draft.Dataset{
			{Name: "a", Source: "a", TimeDimension: "bad", Fields: []*draft.Field{field("x", "x"), field("bad", "x ->> 'y'"), field("uses_bad", "bad + 1")}},
			{Name: "gone", Source: "not a table", Fields: []*draft.Field{field("x", "x")}},
		},
		Relationships: []*draft.Relationship{{Name: "a_gone", From: "a", To: "gone", FromColumns: []string{"x"}, ToColumns: []string{"x"}}},
		Metrics: []*draft.Metric{
			metric("good", "SUM(a.x)"), metric("of_bad", "SUM(a.bad)"), metric("of_of_bad", "of_bad + good"),
			metric("refused", "MAX(a.x)"), metric("of_refused", "refused + 1"),
		},
	}}
}

func TestSettle_KeepsWhatCompiles(t *testing.T) {
	refused := false
	result, err := importer.FinishImport(context.Background(), broken(), func(_ context.Context, model []byte) (map[string]string, error) {
		if strings.Contains(string(model), "name: refused") {
			refused = true
			return map[string]string{"metrics.refused": "no query has it"}, nil
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1 approximated table a datasets.a",
		"2 exact column x datasets.a.fields.x",
		"3 dropped column bad",
		"4 dropped column uses_bad",
		"5 dropped table gone",
		"6 approximated key b datasets.a.fields.x",
		"7 exact metric good metrics.good",
		"8 dropped metric of_bad",
		"9 dropped metric of_of_bad",
		"10 dropped metric refused",
		"11 dropped metric of_refused",
	}
	if diff := cmp.Diff(want, summary(result.Entries)); diff != "" || !refused {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, e := range result.Entries {
		if (e.Outcome == importer.OutcomeExact) != (e.Reason == "") {
			t.Errorf("%+v", e)
		}
	}
	if !result.HasLosses() || strings.Contains(string(result.Model), "bad") || strings.Contains(string(result.Model), "gone") {
		t.Errorf("%s", result.Model)
	}
}

func TestSettle_NothingLeftIsAnError(t *testing.T) {
	in := broken()
	in.Model.Datasets = in.Model.Datasets[1:]
	_, err := importer.FinishImport(context.Background(), in, plansAll)
	var e *importer.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "no part of the input") || !strings.Contains(e.Message, "f:5: table gone") {
		t.Errorf("%v", err)
	}
}

// An object that is written in a form that cannot be read is a dropped entry with its line of the input, not the end of the import.
func TestSettle_WhatCannotBeReadNamesItsLineOfTheInput(t *testing.T) {
	twice := draft.AIContext{Other: []draft.AIContextKeyValue{{Key: "tide", Value: "high"}, {Key: "tide", Value: "low"}}}
	for name, add := range map[string]func(*draft.Model){
		"1 dropped table a":     func(m *draft.Model) { m.Datasets[0].Context = twice },
		"2 dropped column x":    func(m *draft.Model) { m.Datasets[0].Fields[0].Context = twice },
		"7 dropped metric good": func(m *draft.Model) { m.Metrics[0].Context = twice },
	} {
		in := broken()
		in.Model.Datasets = append(in.Model.Datasets, &draft.Dataset{Name: "quay", Source: "quay"})
		add(in.Model)
		result, err := importer.FinishImport(t.Context(), in, plansAll)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := summary(result.Entries); !slices.Contains(got, name) {
			t.Errorf("%s is missing in %v", name, got)
		}
		for _, e := range result.Entries {
			if strings.HasPrefix(name, fmt.Sprint(e.Line)+" ") && !strings.Contains(e.Reason, `the key "tide" is given twice`) {
				t.Errorf("%+v", e)
			}
		}
	}
}

func TestSettle_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := importer.FinishImport(ctx, broken(), plansAll); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestColumns_FindsWhatAFieldHides(t *testing.T) {
	var c importer.ReferencedColumns
	c.AddElementExpression("amount", "amount * 2")
	c.AddElementExpression("Day", "DAY")
	c.AddElementExpression("status", "status")
	c.AddElementExpression("", "price")
	for _, x := range []struct {
		name, expression, column string
	}{
		{"total", "Amount + 1", "amount"},
		{"amount", "amount * 2", ""}, // its own column
		{"week", "day", ""},          // the field is the column
		{"other", "status || amount_2", ""},
		{"broken", "amount ->> 1", ""},
	} {
		if column, hidden := c.FindShadowedColumn(x.name, x.expression); column != x.column || hidden != (x.column != "") {
			t.Errorf("%s: %q, %t", x.expression, column, hidden)
		}
	}
	if c.IsNameFree("PRICE") || c.IsNameFree("Amount") || !c.IsNameFree("revenue") {
		t.Error("a name that hides a column is free, or one that does not is taken")
	}
}

func TestNames_Take(t *testing.T) {
	n := importer.UniqueNames{}
	var got []string
	for range 4 {
		got = append(got, n.ReserveFirstUnusedName("Total", "orders_total"))
	}
	if diff := cmp.Diff([]string{"Total", "orders_total", "orders_total_2", "orders_total_3"}, got); diff != "" || !n.IsTaken("TOTAL") {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestNames_ObjectsOfOneNameAllHaveTheirAlternatives(t *testing.T) {
	got := importer.UniqueNames{}.ReserveNames(
		[]string{"count", "total", "Count", "a_count", "share", "share"},
		[]string{"a_count", "a_total", "b_Count", "c_a_count", "a_share", "share"},
	)
	if diff := cmp.Diff([]string{"a_count_2", "total", "b_Count", "a_count", "a_share", "share"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// No message has an empty name.
func TestReport_NamesAreNotEmpty(t *testing.T) {
	r := &importer.Report{}
	if e := r.AddDropped(&importer.Node{}, "measure", "orders.", "it has no name"); e.Name != "orders" {
		t.Errorf("%q", e.Name)
	}
	for _, c := range [][2]string{
		{importer.MissingOrUnknown("type", "", "is not known"), "it has no type"},
		{importer.MissingOrUnknown("type", "geo", "is not known"), "the type geo is not known"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
}
