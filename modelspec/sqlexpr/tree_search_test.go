package sqlexpr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text prints what a finder returned, "" for nothing.
func text(e Expr) string {
	if e == nil {
		return ""
	}
	return Format(e)
}

func TestFind_FirstInSourceOrder(t *testing.T) {
	tests := []struct{ text, aggregate, window, subquery string }{
		{"a + 1", "", "", ""},
		{"LOWER(a) = 'x'", "", "", ""},
		{"1 + SUM(a) / COUNT(*)", "SUM(a)", "", ""},
		{"COALESCE(MEDIAN(a), MAX(b))", "MEDIAN(a)", "", ""},
		{"CASE WHEN a THEN COUNT(DISTINCT b) END", "COUNT(DISTINCT b)", "", ""},
		{"SUM(a) OVER ()", "", "SUM(a) OVER ()", ""},
		{"SUM(SUM(a)) OVER ()", "SUM(a)", "SUM(SUM(a)) OVER ()", ""},
		{"RANK() OVER (ORDER BY MAX(a))", "MAX(a)", "RANK() OVER (ORDER BY MAX(a))", ""},
		{"ROW_NUMBER() + 1", "", "ROW_NUMBER()", ""},
		{"SUM(a) OVER () + SUM(b)", "SUM(b)", "SUM(a) OVER ()", ""},
		{"a IN (SELECT MAX(b) FROM c)", "", "", "(SELECT MAX(b) FROM c)"},
		{"NOT EXISTS (SELECT 1) AND (SELECT 2) > 1", "", "", "EXISTS (SELECT 1)"},
	}
	for _, test := range tests {
		e := mustParse(t, test.text)
		got := [3]string{}
		if c := FirstAggregate(e); c != nil {
			got[0] = Format(c)
		}
		got[1] = text(FirstWindowCall(e))
		if q := FirstSubquery(e); q != nil {
			got[2] = Format(q)
		}
		if want := [3]string{test.aggregate, test.window, test.subquery}; got != want {
			t.Errorf("%s\n got %q\nwant %q", test.text, got, want)
		}
		if HasAggregate(e) != (test.aggregate != "") {
			t.Errorf("%s: HasAggregate is %v", test.text, HasAggregate(e))
		}
	}
}

func TestCollect_AllInSourceOrder(t *testing.T) {
	e := mustParse(t, "f(a, :x) + LOWER(b.c) + COUNT(g(:y, :x)) + MEDIAN(a)")
	var calls, params, columns []string
	for _, c := range UnknownFunctionCalls(e) {
		calls = append(calls, c.Name.Text)
	}
	for _, p := range ParamSlots(e) {
		params = append(params, p.Name)
	}
	for _, c := range ColumnReferences(e) {
		columns = append(columns, Format(c))
	}
	got := [][]string{calls, params, columns}
	if diff := cmp.Diff([][]string{{"f", "g"}, {"x", "y", "x"}, {"a", "b.c", "a"}}, got); diff != "" {
		t.Errorf("calls, parameters, columns (-want +got)\n%s", diff)
	}
}
