package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// fiscalModel returns a model whose dataset days has a payload, and whose metric n has a window.
func fiscalModel(payload, window string) string {
	return `
datasets:
  - name: days
    source: days
    primary_key: [d]
    @ {"v": "1.10", ` + payload + `}
    fields:
      ~ d: d
        datatype: Date
      ~ at: at
        datatype: DateTime
      ~ fm: fm
      ~ fy: fy
      ~ visits: COUNT(days.fm)
        @ {"v": "1.10", "lod": {"grain": ["d"]}}
      ~ busy: visits > 3
  - name: other
    source: other
    unique_keys: [[day]]
    fields:
      ~ day: day
        datatype: Date
metrics:
  ~ n: COUNT(days.d)
    @ {"v": "1.10", "window": ` + window + `}
`
}

const noWindow = `{"rank": {"function": "rank"}}`

func periodNames(cat *catalog.Catalog) string {
	var out []string
	for _, p := range cat.Periods() {
		out = append(out, p.Name+"="+p.Field.QualifiedName())
	}
	return strings.Join(out, " ")
}

func TestCalendar_PeriodsAreGrainsOfTheModel(t *testing.T) {
	cat := compiled(t, fiscalModel(`"calendar": {"date": "d", "periods": {"fiscal_month": "fm", "fiscal_year": "days.fy"}}`,
		`{"type": "cumulative", "reset": "fiscal_year"}`))
	if got, want := periodNames(cat), "fiscal_month=days.fm fiscal_year=days.fy"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p := cat.Period("fiscal_month")
	if p == nil || p.Calendar.Date.QualifiedName() != "days.d" || cat.Period("Fiscal_month") != nil {
		t.Errorf("fiscal_month is %+v", p)
	}
	if got := cat.Metric("n").Window.ResetUnit(); got != (catalog.GrainOrPeriod{Period: cat.Period("fiscal_year")}) {
		t.Errorf("resets by %v", got)
	}
	units := []string{"day", "week", "month", "quarter", "year", "fiscal_month", "fiscal_year"}
	if diff := cmp.Diff(units, cat.BucketUnitNamesOfField(cat.Dataset("days").Field("d"))); diff != "" {
		t.Error(diff)
	}
	if got := cat.BucketUnitNamesOfField(cat.Dataset("days").Field("fm")); got != nil {
		t.Errorf("a field that is not a time takes %v", got)
	}
}

func TestCalendar_UnitsOfWindows(t *testing.T) {
	for _, window := range []string{
		`{"type": "pop", "offset": "2 fiscal_year"}`,
		`{"type": "pop", "offset": {"count": 2, "granularity": "fiscal_year"}}`,
		`{"offset": {"count": 2, "granularity": "fiscal_year", "direction": "back"}}`,
	} {
		cat := compiled(t, fiscalModel(`"calendar": {"date": "d", "periods": {"fiscal_year": "fy"}}`, window))
		o := cat.Metric("n").Window.Offset
		if o.Period != cat.Period("fiscal_year") || o.Grain != sqlexpr.GrainNone || o.Count.N != 2 {
			t.Errorf("%s: %+v", window, o)
		}
	}
}

func TestCalendar_ResetsRecomputedWindows(t *testing.T) {
	window := `{"recompute": {"periods": "unbounded", "reset": "fiscal_year"}}`
	cat := catalogOf(t, load(t, expand(fiscalModel(`"calendar": {"date": "d", "periods": {"fiscal_year": "fy"}}`, window))), compile.Options{})
	if len(cat.Errors) > 0 {
		t.Fatal(cat.Errors)
	}
	want := catalog.GrainOrPeriod{Period: cat.Period("fiscal_year")}
	if got := cat.Metric("n").Window.ResetUnit(); got != want || want.Period == nil {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestCalendar_SpansOfRecomputedWindows(t *testing.T) {
	window := `{"recompute": {"span": {"count": 2, "granularity": "fiscal_year"}}}`
	cat := compiled(t, fiscalModel(`"calendar": {"date": "d", "periods": {"fiscal_year": "fy"}}`, window))
	w := cat.Metric("n").Window
	if s := w.Recompute.Span; s.Period != cat.Period("fiscal_year") || s.Grain != sqlexpr.GrainNone || s.Count.N != 2 {
		t.Errorf("%+v", s)
	}
	if got := w.CalendarPeriods(); len(got) != 1 || got[0] != cat.Period("fiscal_year") {
		t.Errorf("the window counts %v", got)
	}
}

func TestCalendar_RefusesWhatIsNoCalendar(t *testing.T) {
	for _, c := range []struct{ payload, message string }{
		{`"calendar": []`, "must be an object"},
		{`"calendar": {}`, "needs date"},
		{`"calendar": {"date": "d"}`, "needs periods"},
		{`"calendar": {"date": "d", "periods": {}}`, "must have at least one period"},
		{`"calendar": {"date": "d", "periods": []}`, "an object with a member for each period"},
		{`"calendar": {"date": "d", "periods": {"a": 7}}`, "must be a string"},
		{`"calendar": {"date": "d", "periods": {"a": null}}`, "needs a field"},
		{`"calendar": {"date": "d", "periods": {"a": "fm"}, "x": 1}`, `unknown key "x"`},
		{`"calendar": {"date": "d", "periods": {"a b": "fm"}}`, "must be a name"},
		{`"calendar": {"date": "d", "periods": {"Week": "fm"}}`, "the name of a grain"},
		{`"calendar": {"date": "d", "periods": {"a": "fm", "A": "fy"}}`, "a period of the calendar days already"},
		{`"calendar": {"date": "d", "periods": {"a": "nowhere"}}`, `"nowhere" is not a field of days`},
		{`"calendar": {"date": "d", "periods": {"a": "visits"}}`, "reads other tables"},
		{`"calendar": {"date": "d", "periods": {"a": "busy"}}`, "reads other tables"},
		{`"calendar": {"date": "nowhere", "periods": {"a": "fm"}}`, `"nowhere" is not a field of days`},
		{`"calendar": {"date": "other.day", "periods": {"a": "fm"}}`, `"other.day" is not a field of days`},
		{`"calendar": {"date": "at", "periods": {"a": "fm"}}`, "must be of datatype Date"},
	} {
		cat := catalogOf(t, load(t, expand(fiscalModel(c.payload, noWindow))), compile.Options{})
		i := slices.IndexFunc(cat.Errors, func(e *modelspec.CompileError) bool { return strings.Contains(e.Message, c.message) })
		if i < 0 || cat.Errors[i].Code != "invalid_vendor_extension" || !strings.Contains(cat.Errors[i].Location, "custom_extensions[0].data") {
			t.Errorf("%s: %v", c.payload, cat.Errors)
		}
		if len(cat.Periods()) > 0 {
			t.Errorf("%s: has periods", c.payload)
		}
	}
}

func TestCalendar_DateIsAKey(t *testing.T) {
	model := strings.Replace(fiscalModel(`"calendar": {"date": "d", "periods": {"a": "fm"}}`, noWindow), "primary_key: [d]", "primary_key: [d, fm]", 1)
	cat := catalogOf(t, load(t, expand(model)), compile.Options{})
	if len(cat.Errors) != 1 || !strings.Contains(cat.Errors[0].Hint, "declare primary_key: [d]") {
		t.Errorf("%v", cat.Errors)
	}
	unique := strings.Replace(model, "primary_key: [d, fm]", "unique_keys: [[fm], [d]]", 1)
	if cat := catalogOf(t, load(t, expand(unique)), compile.Options{}); len(cat.Errors) > 0 || len(cat.Periods()) != 1 {
		t.Errorf("%v", cat.Errors)
	}
}

func TestCalendar_WindowOfUnknownPeriod(t *testing.T) {
	for _, window := range []string{`{"type": "pop", "offset": "1 fiscal_yaer"}`, `{"type": "cumulative", "reset": "fiscal_yaer"}`, `{"recompute": {"span": {"count": 1, "granularity": "fiscal_yaer"}}}`} {
		cat := catalogOf(t, load(t, expand(fiscalModel(`"calendar": {"date": "d", "periods": {"fiscal_year": "fy"}}`, window))), compile.Options{})
		err := cat.Metric("n").Err
		if err == nil || err.Code != "invalid_vendor_extension" || len(err.Candidates) == 0 || err.Candidates[0] != "fiscal_year" {
			t.Errorf("%s: %+v", window, err)
		}
	}
}
