package cube_test

import (
	"strings"
	"testing"
)

// A window runs along a time: the first of several, and none without a time dimension.
func TestRead_WindowsHaveATimeDimension(t *testing.T) {
	for dimensions, want := range map[string]string{
		"[{name: a, sql: a, type: time}]":                                   "exact: ",
		"[{name: a, sql: a, type: time}, {name: b, sql: b, type: time}]":    "approximated: its time is a, in Cube that of the query",
		"[{name: a, sql: a, type: number}]":                                 "dropped: its window needs a time dimension of its cube",
		"[{name: aAt, sql: '{CUBE}.\"aAt\"', type: time, subQuery: false}]": "exact: ",
	} {
		if got, _ := readMeasure(t, dimensions, "type: sum, sql: x, rolling_window: {trailing: 7 days}"); got != want {
			t.Errorf("%s: %s, want %s", dimensions, got, want)
		}
	}
}

// readMeasure reads a cube with a measure x, and with the measures n and w of which x may be made. It returns the outcome of x and the
// model.
func readMeasure(t *testing.T, dimensions, measure string) (outcome, model string) {
	t.Helper()
	result, err := read("cubes: [{name: o, sql_table: o, dimensions: " + dimensions + ", measures: [{name: n, type: sum, sql: x}, {name: w, type: sum, sql: x, rolling_window: {trailing: 7 day}}, {name: x, " + measure + "}]}]")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Entries {
		if e.Construct == "measure" && e.Name == "o.x" {
			outcome = string(e.Outcome) + ": " + e.Reason
		}
	}
	return outcome, string(result.Model)
}

func TestRead_WindowsOfEachForm(t *testing.T) {
	const (
		sum      = "type: sum, sql: x, rolling_window: "
		distinct = "type: count_distinct, sql: x, rolling_window: "
		before   = `"window": {"type": "pop", "offset": {"count": `
	)
	for _, c := range []struct{ measure, outcome, payload string }{
		{sum + "{trailing: 10 day}", "exact: ", `"window": {"recompute": {"span": {"count": 10, "granularity": "day"}}}`},
		{sum + "{trailing: 3 hours, offset: end}", "exact: ", `"window": {"recompute": {"span": {"count": 3, "granularity": "hour"}}}`},
		{sum + "{trailing: unbounded}", "exact: ", `"window": {"recompute": {"periods": "unbounded"}}`},
		{sum + "{leading: 3 day}", "exact: ", before + `3, "granularity": "day", "direction": "forward"}, "calculation": "value"}}`},
		{sum + "{trailing: unbounded, leading: 2 week}", "exact: ", before + `2, "granularity": "week", "direction": "forward"}`},
		{sum + "{trailing: 1 week, leading: 3 day}", "exact: ", `"recompute": {"span": {"count": 10, "granularity": "day"}}`},
		{sum + "{trailing: 2 week, offset: start}", "exact: ", before + `1, "granularity": "day"}, "calculation": "value"}, "grains": ["day"]`},
		{sum + "{trailing: 1 year, offset: start}", "exact: ", before + `1, "granularity": "month"}, "calculation": "value"}, "grains": ["month"]`},
		{sum + "{trailing: 1 year, offset: start}", "exact: ", `"recompute": {"span": {"count": 12, "granularity": "month"}}`},
		{sum + "{leading: 1 day, offset: start}", "exact: ", `"window": {"recompute": {"span": {"count": 1, "granularity": "day"}}}, "grains": ["day"]`},
		{sum + "{trailing: unbounded, offset: start}", "exact: ", before + `1, "granularity": "day"}`},
		{sum + "{type: to_date, granularity: month}", "exact: ", `"reset": "month"`},
		{distinct + "{type: to_date, granularity: week}", "exact: ", `"reset": "week"`},
		{distinct + "{type: to_date, granularity: year}", "approximated: grouped by week, the value begins with the first week of the year, and in Cube with its first day", `"reset": "year"`},
		{sum + "{trailing: 2 week}", "approximated: the values are the same grouped by day and week; a longer period counts in Cube the weeks that begin in its window", ""},
		{distinct + "{trailing: 2 week}", "exact: ", ""},
		{sum + "{trailing: 1 month}", "approximated: grouped by week, a window that ends with a shorter month may begin up to three days later", ""},
		{distinct + "{trailing: 1 month}", "approximated: the values are the same grouped by day; a longer period that ends with a shorter month may have a window that begins up to three days later", ""},
		{sum + "{trailing: unbounded, leading: 1 month}", "approximated: grouped by day, a day has no value where there is no such day 1 month later", ""},
		{sum + "{trailing: 1 month, leading: 3 day}", "dropped: a window of unlike units has no counterpart", ""},
		{sum + "{trailing: 7 day, leading: unbounded}", "dropped: a window without an end has no counterpart", ""},
		{sum + "{offset: start}", "dropped: the rolling window has no counterpart", ""},
		{sum + "{trailing: 7 day, offset: middle}", "dropped: the rolling window has no counterpart", ""},
		{sum + "{trailing: -7 day}", "dropped: the rolling window has no counterpart", ""},
		{sum + "{type: spiral}", "dropped: the rolling window has no counterpart", ""},
	} {
		outcome, model := readMeasure(t, "[{name: a, sql: a, type: time}]", c.measure)
		if outcome != c.outcome || !strings.Contains(model, c.payload) {
			t.Errorf("%s: %s, want %s and %s", c.measure, outcome, c.outcome, c.payload)
		}
	}
}

func TestRead_TimeShiftsAreOffsets(t *testing.T) {
	const one, two = "[{name: a, sql: a, type: time}]", "[{name: a, sql: a, type: time}, {name: b, sql: b, type: time}]"
	for _, c := range []struct{ dimensions, measure, outcome, payload string }{
		{one, `type: number, multi_stage: true, sql: "{n}", time_shift: [{interval: 1 week, type: prior}]`, "exact: ", `"offset": {"count": 1, "granularity": "week"}, "calculation": "value"`},
		{one, `type: number, multi_stage: true, sql: "{w}", time_shift: [{time_dimension: o.a, interval: 2 days, type: next}]`, "exact: ", `"offset": {"count": 2, "granularity": "day", "direction": "forward"}`},
		{one, `type: number, multiStage: true, sql: "{n} - {w}", timeShift: [{timeDimension: "{CUBE.a}", interval: 1 day}]`, "exact: ", `"offset": {"count": 1, "granularity": "day"}`},
		{one, `type: number, multi_stage: true, sql: "{n}", time_shift: [{interval: 1 year, type: prior}]`, "approximated: grouped by day, a day is compared with the same day alone", `"offset": {"count": 1, "granularity": "year"}`},
		{two, `type: number, multi_stage: true, sql: "{n}", time_shift: [{time_dimension: b, interval: 1 day, type: prior}]`, "exact: ", `"time_dimension": "o.b"`},
		{two, `type: number, multi_stage: true, sql: "{n}", time_shift: [{interval: 1 day, type: prior}]`, "approximated: its time is a, in Cube each of the query", `"time_dimension": "o.a"`},
		{one, `type: number, multi_stage: true, sql: "{n}", time_shift: [{time_dimension: b, interval: 1 day, type: prior}]`, "dropped: its time shift is of b", ""},
		{"[{name: a, sql: a, type: number}]", `type: number, multi_stage: true, sql: "{n}", time_shift: [{interval: 1 day, type: prior}]`, "dropped: its time shift needs a time dimension", ""},
		{one, `type: number, multi_stage: true, sql: "{n}", time_shift: [{name: fiscal_year_before}]`, "dropped: a time shift that is not one interval", ""},
		{one, `type: number, multi_stage: true, sql: "{n}", time_shift: [{interval: 1 day}, {interval: 1 month}]`, "dropped: a time shift that is not one interval", ""},
		{one, `type: number, multi_stage: true, sql: "{n}", group_by: [a], time_shift: [{interval: 1 day}]`, "dropped: a time shift that is not one interval", ""},
		{one, `type: sum, multi_stage: true, sql: "{n}", time_shift: [{interval: 1 day}]`, "dropped: a time shift that is not one interval", ""},
		{one, `type: number, multi_stage: true, sql: "{n}"`, "dropped: a measure of several stages", ""},
	} {
		outcome, model := readMeasure(t, c.dimensions, c.measure)
		if !strings.HasPrefix(outcome, c.outcome) || strings.HasPrefix(c.outcome, "exact") && outcome != c.outcome || !strings.Contains(model, c.payload) {
			t.Errorf("%s: %s, want %s and %s", c.measure, outcome, c.outcome, c.payload)
		}
	}
}
