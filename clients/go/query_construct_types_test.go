package client_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
)

func constructs() client.MetricQuery {
	no := false
	return client.MetricQuery{
		Metrics:       []string{"revenue"},
		InlineMetrics: []client.InlineMetric{{Name: "large", Expression: "SUM(a)", Dataset: "d", TimeDimension: "d.t"}},
		GroupBy:       []client.GroupBy{{Name: "size", Expression: "CASE WHEN a = 1 THEN 2 END"}},
		TimeRange:     &client.TimeRange{Last: &client.RelativeRange{N: 3, Unit: "month", Complete: &no}},
		With: []client.LocalField{{Dataset: "d", Name: "f", Expression: "SUM(e.a)",
			LOD: &client.LocalLOD{Grain: []string{"id"}, Where: "e.a = 1", Via: []string{"r"}}}},
		Totals:   [][]string{{"size"}, {}},
		Shares:   []client.Share{{Metric: "revenue"}, {Metric: "large", Of: []string{"size"}}},
		Compare:  client.Comparisons{{Offset: &client.PeriodOffset{Count: 1, Unit: "year"}, Metrics: []string{"revenue"}}},
		Top:      &client.Top{Dimension: "size", N: 5, By: "large", Desc: &no, Within: []string{"x"}, Other: &client.TopOther{Label: "rest"}},
		Fill:     &client.Fill{Value: "0.50"},
		FanOut:   client.FanOutOncePerGroup,
		AsOf:     "2024-05-15",
		TimeZone: "Europe/Berlin", WeekStart: "sunday",
	}
}

const everyConstruct = `{"metrics":["revenue",{"name":"large","expression":"SUM(a)","dataset":"d","time_dimension":"d.t"}],` +
	`"group_by":[{"name":"size","expression":"CASE WHEN a = 1 THEN 2 END"}],"time_range":{"last":{"n":3,"unit":"month","complete":false}},` +
	`"with":[{"dataset":"d","name":"f","expression":"SUM(e.a)","lod":{"grain":["id"],"where":"e.a = 1","via":["r"]}}],` +
	`"totals":[["size"],[]],"shares":[{"metric":"revenue"},{"metric":"large","of":["size"]}],` +
	`"compare":{"offset":{"count":1,"unit":"year"},"metrics":["revenue"]},` +
	`"top":{"dimension":"size","n":5,"by":"large","desc":false,"within":["x"],"other":"rest"},"fill":{"value":0.50},"fan_out":"once_per_group",` +
	`"as_of":"2024-05-15","time_zone":"Europe/Berlin","week_start":"sunday"}`

func TestConstructs_AreWrittenAndRead(t *testing.T) {
	for name, c := range map[string]struct {
		query client.MetricQuery
		want  string
	}{
		"every construct": {constructs(), everyConstruct},
		"groups alone":    {client.MetricQuery{GroupBy: []client.GroupBy{{Field: "a"}}, Distinct: true, From: "d"}, `{"group_by":[{"field":"a"}],"distinct":true,"from":"d"}`},
		"metrics at other levels": {client.MetricQuery{InlineMetrics: []client.InlineMetric{
			{Name: "a", Expression: "AVG(m)", At: &client.At{Include: []string{"d.f:month"}, Exclude: []string{"g"}}},
			{Name: "b", Expression: "m", At: &client.At{Only: &[]string{}, Unfiltered: &client.Unfiltered{}}},
			{Name: "c", Expression: "m", At: &client.At{Unfiltered: &client.Unfiltered{Fields: []string{"f"}}}},
		}}, `{"metrics":[{"name":"a","expression":"AVG(m)","at":{"include":["d.f:month"],"exclude":["g"]}},` +
			`{"name":"b","expression":"m","at":{"only":[],"unfiltered":true}},{"name":"c","expression":"m","at":{"unfiltered":["f"]}}]}`},
		"inline metrics only": {client.MetricQuery{InlineMetrics: []client.InlineMetric{{Name: "a", Expression: "b"}}}, `{"metrics":[{"name":"a","expression":"b"}]}`},
		"values of another year": {client.MetricQuery{Top: &client.Top{Dimension: "a", N: 1, Rank: &client.TopRank{AllRows: true, TimeRange: &client.TimeRange{Start: "2023-01-01"}}}},
			`{"top":{"dimension":"a","n":1,"rank":{"time_range":{"start":"2023-01-01"},"where_sql":null}}}`},
		"values of all times": {client.MetricQuery{Top: &client.Top{Dimension: "a", N: 1, Rank: &client.TopRank{WhereSQL: "b > 1", AllTimes: true}}},
			`{"top":{"dimension":"a","n":1,"rank":{"time_range":null,"where_sql":"b \u003e 1"}}}`},
		"other values merged": {client.MetricQuery{Top: &client.Top{Dimension: "a", N: 1, Other: &client.TopOther{}}}, `{"top":{"dimension":"a","n":1,"other":true}}`},
		"other values dropped": {client.MetricQuery{Top: &client.Top{Dimension: "a", N: 1, Other: &client.TopOther{Off: true}}},
			`{"top":{"dimension":"a","n":1,"other":false}}`},
		"an empty fill":      {client.MetricQuery{Fill: &client.Fill{}}, `{"fill":{}}`},
		"earlier ranges":     {client.MetricQuery{Compare: client.Comparisons{{Name: "ly", Offset: &client.PeriodOffset{Count: 1, Unit: "year"}}, {Offset: &client.PeriodOffset{Count: 1, Unit: "month"}}}}, `{"compare":[{"offset":{"count":1,"unit":"year"},"name":"ly"},{"offset":{"count":1,"unit":"month"}}]}`},
		"an earlier range":   {client.MetricQuery{Compare: client.Comparisons{{Range: &client.DateWindow{Start: "1", End: "2"}}}}, `{"compare":{"range":{"start":"1","end":"2"}}}`},
		"the range of a tag": {client.MetricQuery{TimeRanges: client.TimeRanges{{Tag: "a", Range: client.TimeRange{Last: &client.RelativeRange{N: 1, Unit: "day"}}}}}, `{"time_ranges":{"a":{"last":{"n":1,"unit":"day"}}}}`},
	} {
		text, err := json.Marshal(c.query)
		if d := cmp.Diff(c.want, string(text)); err != nil || d != "" {
			t.Errorf("%s: %v %s", name, err, d)
		}
		var again client.MetricQuery
		if err := json.Unmarshal(text, &again); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(c.query, again); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A key that is removed from a saved query is null beside inline metrics too.
func TestConstructs_KeepRemovedKeys(t *testing.T) {
	q := client.MetricQuery{Saved: "s", InlineMetrics: []client.InlineMetric{{Name: "a", Expression: "b"}}, Removed: []string{"top"}}
	text, err := json.Marshal(q)
	if want := `{"metrics":[{"name":"a","expression":"b"}],"saved":"s","top":null}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}

// A suggestion may list inline metrics among names.
func TestSuggestion_KeepsInlineMetrics(t *testing.T) {
	e := &client.Error{SuggestedRetry: `{"metrics":[{"name":"a","expression":"SUM(x)"},"n"],"top":null,"totals":[["a"]]}`}
	got, ok := e.ApplySuggestedRetry(constructs())
	want := constructs()
	want.Metrics, want.InlineMetrics = []string{"n"}, []client.InlineMetric{{Name: "a", Expression: "SUM(x)"}}
	want.Top, want.Totals = nil, [][]string{{"a"}}
	if d := cmp.Diff(want, got); !ok || d != "" {
		t.Error(ok, d)
	}
	for _, broken := range []string{`{"metrics":[1]}`, `{"metrics":[{"name":"a","exprs":"b"}]}`, `{"metrics":"a"}`} {
		e.SuggestedRetry = broken
		if _, ok := e.ApplySuggestedRetry(constructs()); ok {
			t.Errorf("%s was applied", broken)
		}
	}
}

func TestResult_HasResolvedRange(t *testing.T) {
	const head = `{"dialect":"duckdb","sql":"","columns":["n"],"rows":[],"row_count":0,"resolved_time_range":`
	for text, want := range map[string]client.ResolvedTimeRange{
		`{"start":"2024-03-01","end":"2024-05-01","as_of":"2024-05-15","time_zone":"UTC"}`: {
			One: &client.ResolvedRange{Start: "2024-03-01", End: "2024-05-01", AsOf: "2024-05-15", TimeZone: "UTC"}},
		`{"start":{"start":"1","end":"2","dimension":"d","as_of":"3","time_zone":"UTC"}}`: {
			ByTag: map[string]client.ResolvedRange{"start": {Start: "1", End: "2", Dimension: "d", AsOf: "3", TimeZone: "UTC"}}},
	} {
		var r client.Result
		if err := json.Unmarshal([]byte(head+text+"}"), &r); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(&want, r.ResolvedTimeRange); d != "" {
			t.Error(d)
		}
		if again, err := json.Marshal(r); err != nil || string(again) != head+text+"}" {
			t.Errorf("%s, %v", again, err)
		}
		var c client.Compiled
		if err := json.Unmarshal([]byte(`{"dialect":"d","sql":"s","outputs":[{"column":"a__share","metric":"a","kind":"share"}],"resolved_time_range":`+text+"}"), &c); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(&want, c.ResolvedTimeRange); d != "" || c.Outputs[0].Kind != "share" {
			t.Errorf("%+v %s", c, d)
		}
	}
}
