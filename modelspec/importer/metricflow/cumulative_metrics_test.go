package metricflow_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// An offset whose unit has no sum with that of an input, and one of a metric with a window, is an offset of the metric itself.
func TestOffsets_OfWindowsNameTheirMetric(t *testing.T) {
	for _, inner := range []string{
		"{name: inner, type: derived, type_params: {expr: x, metrics: [{name: total, alias: x, offset_window: 1 month}]}}",
		"{name: inner, type: derived, type_params: {expr: x, metrics: [{name: total, alias: x, offset_to_grain: month}]}}",
		"{name: inner, type: cumulative, type_params: {measure: revenue, window: 7 days}}",
	} {
		m, entries := importTexts(t, importer.Options{}, orders+`
  - {name: total, type: simple, type_params: {measure: revenue}}
  - `+inner+`
  - {name: m, type: derived, type_params: {expr: before, metrics: [{name: inner, alias: before, offset_window: 2 days}]}}
`)
		if e := found(t, entries, "metric", "m"); e.Outcome == importer.OutcomeDropped {
			t.Errorf("%+v", e)
		}
		if got := expression(m, "m_before"); got != "inner" {
			t.Errorf("expression %s", got)
		}
		if got := payload(m, "m_before"); !strings.Contains(got, `"window": {"type": "pop", "offset": {"count": 2, "granularity": "day"}, "calculation": "value"}`) {
			t.Errorf("payload %s", got)
		}
	}
}

// The value of a running sum on the first day of a period is a sum of windows; other windows have none.
func TestOffsets_ToTheStartOfAPeriodOfCumulativeMetrics(t *testing.T) {
	for _, c := range []struct{ params, period, expression, reason string }{
		{"measure: revenue", "month", "(w - COALESCE(m_first, 0) + COALESCE(m_first_at_start, 0)) * 2", ""},
		{"measure: revenue, cumulative_type_params: {grain_to_date: year}", "month", "(w - COALESCE(m_first, 0) + COALESCE(m_first_at_start, 0)) * 2", ""},
		{"measure: buyers, cumulative_type_params: {grain_to_date: month}", "quarter", "m_first * 2", ""},
		{"measure: buyers", "month", "", "only sums and counts so far"},
		{"measure: revenue, window: 7 days", "month", "", "only sums and counts so far"},
		{"measure: revenue, cumulative_type_params: {grain_to_date: week}", "month", "", "only sums and counts so far"},
	} {
		m, entries := importTexts(t, importer.Options{}, orders+`
  - {name: w, type: cumulative, type_params: {`+c.params+`}}
  - {name: m, type: derived, type_params: {expr: first * 2, metrics: [{name: w, alias: first, offset_to_grain: `+c.period+`}]}}
`)
		if got := expression(m, "m"); got != c.expression {
			t.Errorf("%s: expression %s", c.params, got)
		}
		if e := found(t, entries, "metric", "m"); !strings.Contains(e.Reason, c.reason) || (e.Outcome == importer.OutcomeDropped) != (c.reason != "") {
			t.Errorf("%s: %+v", c.params, e)
		}
	}
}
