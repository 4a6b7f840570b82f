package metricflow_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// A time dimension without a grain in the query has its granularity, and the times of its column are more.
func TestTimeDimensions_HaveTheirGranularity(t *testing.T) {
	for _, c := range []struct{ granularity, expr, measure, datatype, expression, reason string }{
		{"day", "started_at", "pieces", "Date", "started_at", ""},
		{"day", "started_at", "started_at", "Date", "started_at", ""},
		{"day", "started", "pieces", "Date", "started", ""},
		{"day", "started", "started", "", "started", "because other elements name the column"},
		{"week", "started_at", "pieces", "Date", "CAST(DATE_TRUNC('week', started_at) AS DATE)", ""},
		{"year", "started_at", "pieces", "Date", "CAST(DATE_TRUNC('year', started_at) AS DATE)", ""},
		{"minute", "started_at", "pieces", "", "DATE_TRUNC('minute', started_at)", ""},
	} {
		m, entries := importTexts(t, importer.Options{}, `
semantic_models:
  - name: firings
    model: ref('firings')
    defaults: {agg_time_dimension: started}
    entities: [{name: firing, type: primary, expr: firing_id}]
    dimensions: [{name: started, type: time, expr: `+c.expr+`, type_params: {time_granularity: `+c.granularity+`}}]
    measures: [{name: last, agg: max, expr: `+c.measure+`, create_metric: true}]
`)
		f := m.Datasets[0].Fields[0]
		if f.Name.Value != "started" || f.Datatype.Value != c.datatype || f.Expression.Entries[0].Expression.Value != c.expression {
			t.Errorf("%+v: %+v", c, f)
		}
		if e := found(t, entries, "dimension", "firings.started"); !strings.Contains(e.Reason, c.reason) || (e.Outcome == importer.OutcomeExact) != (c.reason == "") {
			t.Errorf("%+v: %+v", c, e)
		}
		if got, want := expression(m, "last"), "MAX(firings."+c.measure+")"; got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
}
