package query_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

const everyConstruct = `{
  "metrics": ["revenue", {"name": "large", "expression": "SUM(a) FILTER (WHERE a > 1)"}, "n", {"name": "rows", "expression": "COUNT(*)", "dataset": "orders", "time_dimension": "orders.day"}],
  "group_by": [{"field": "orders.status", "name": "s"}, {"name": "size", "expression": "CASE WHEN a > 1 THEN 'x' END"}],
  "with": [{"dataset": "customers", "name": "spent", "expression": "SUM(orders.amount)", "lod": {"grain": ["customer_id"], "where": "orders.amount > 0", "via": ["order_customer"]}},
           {"dataset": "orders", "name": "double", "expression": "amount * 2"}],
  "distinct": true, "from": "orders",
  "totals": [["s", "size"], [], ["s"]],
  "shares": [{"metric": "revenue"}, {"metric": "n", "of": ["s"]}],
  "compare": {"offset": {"count": 2, "unit": "month"}, "metrics": ["revenue"]},
  "top": {"dimension": "s", "n": 1000, "by": "n", "desc": false, "within": ["size"], "other": "rest"},
  "fill": {"value": -0.50},
  "time_range": {"last": {"n": 3, "unit": "month", "complete": false}, "dimension": "orders.day"},
  "as_of": "2024-05-15", "time_zone": "Europe/Berlin", "week_start": "sunday"
}`

func TestDecode_EveryConstruct(t *testing.T) {
	got, err := query.DecodeMetric([]byte(everyConstruct))
	if err != nil {
		t.Fatal(err)
	}
	no := false
	want := &query.MetricQuery{
		Metrics: []string{"revenue", "large", "n", "rows"},
		InlineMetrics: []query.InlineMetric{
			{Name: "large", Expression: "SUM(a) FILTER (WHERE a > 1)", Index: 1},
			{Name: "rows", Expression: "COUNT(*)", Dataset: "orders", TimeDimension: "orders.day", Index: 3},
		},
		GroupBy: []query.GroupBy{{Field: "orders.status", Name: "s"}, {Name: "size", Expression: "CASE WHEN a > 1 THEN 'x' END"}},
		With: []query.LocalField{
			{Dataset: "customers", Name: "spent", Expression: "SUM(orders.amount)", LOD: &query.LocalLOD{
				Grain: []string{"customer_id"}, Where: "orders.amount > 0", Via: []string{"order_customer"}}},
			{Dataset: "orders", Name: "double", Expression: "amount * 2"},
		},
		Distinct: true, From: "orders",
		Totals:    [][]string{{"s", "size"}, {}, {"s"}},
		Shares:    []query.ShareRequest{{Metric: "revenue"}, {Metric: "n", Of: []string{"s"}}},
		Compare:   query.Comparisons{{Offset: &query.PeriodOffset{Count: 2, Unit: "month"}, Metrics: []string{"revenue"}}},
		Top:       &query.Top{Dimension: "s", N: 1000, By: "n", Desc: &no, Within: []string{"size"}, Other: &query.TopOther{Label: "rest"}},
		Fill:      &query.Fill{Value: "-0.50"},
		TimeRange: &query.TimeRange{Dimension: "orders.day", Last: &query.RelativeRange{N: 3, Unit: "month", Complete: &no}},
		AsOf:      "2024-05-15", TimeZone: "Europe/Berlin", WeekStart: "sunday",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDecode_ConstructsOfOtherPlanes(t *testing.T) {
	detail, err := query.DecodeDetail([]byte(`{"from":"o","fields":["f"],"with":[{"dataset":"o","name":"f","expression":"x"}],
		"as_of":"2024-01-01","time_zone":"UTC","week_start":"monday","time_range":{"last":{"n":1,"unit":"day"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&query.DetailQuery{
		From: "o", Fields: []string{"f"}, With: []query.LocalField{{Dataset: "o", Name: "f", Expression: "x"}},
		AsOf: "2024-01-01", TimeZone: "UTC", WeekStart: "monday", TimeRange: &query.TimeRange{Last: &query.RelativeRange{N: 1, Unit: "day"}},
	}, detail); d != "" {
		t.Error(d)
	}
	attribute, err := query.DecodeAttribute([]byte(`{"metric":"m","with":[{"dataset":"o","name":"f","expression":"x"}],"time_zone":"UTC"}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&query.AttributeQuery{Metric: "m", With: []query.LocalField{{Dataset: "o", Name: "f", Expression: "x"}}, TimeZone: "UTC"}, attribute); d != "" {
		t.Error(d)
	}
}

// null is the same as no value, and true the same as no other.
func TestDecode_NullConstructIsAbsent(t *testing.T) {
	got, err := query.DecodeMetric([]byte(`{"with":null,"distinct":null,"from":null,"totals":null,"shares":[],"compare":null,"top":null,"fill":null,"as_of":null,
		"time_zone":null,"week_start":null,"time_range":{"last":null,"start":"2024-01-01"},"group_by":[{"field":"a","expression":null}],"metrics":["m"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&query.MetricQuery{Metrics: []string{"m"}, GroupBy: []query.GroupBy{{Field: "a"}}, TimeRange: &query.TimeRange{Start: "2024-01-01"}}, got); d != "" {
		t.Error(d)
	}
	top, err := query.DecodeMetric([]byte(`{"top":{"dimension":"a","n":1,"other":true,"by":null,"desc":null,"within":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&query.Top{Dimension: "a", N: 1}, top.Top); d != "" {
		t.Error(d)
	}
	off, err := query.DecodeMetric([]byte(`{"top":{"dimension":"a","n":1,"other":false,"desc":true}}`))
	if err != nil || off.Top.Other == nil || !off.Top.Other.Off || off.Top.Desc == nil || !*off.Top.Desc {
		t.Errorf("%+v %v", off, err)
	}
	if empty, err := query.DecodeMetric([]byte(`{"fill":{}}`)); err != nil || empty.Fill == nil || empty.Fill.Value != "" {
		t.Errorf("%+v %v", empty, err)
	}
}

func TestDecode_MalformedConstructIsBadRequest(t *testing.T) {
	many := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for _, c := range []struct{ body, says string }{
		{`{"metrics":[{"expression":"SUM(a)"}]}`, `metrics[0] needs a name, as in {"name": `},
		{`{"metrics":["a",{"name":"b"}]}`, "metrics[1] needs an expression"},
		{`{"metrics":[{"name":"b","expression":""}]}`, "metrics[0].expression must not be empty"},
		{`{"metrics":[{"name":"1b","expression":"x"}]}`, "metrics[0].name must be a name of at most 128"},
		{`{"metrics":[{"name":"b c","expression":"x"}]}`, "metrics[0].name must be a name"},
		{`{"metrics":[{"name":"` + strings.Repeat("b", 129) + `","expression":"x"}]}`, "metrics[0].name must be a name"},
		{`{"metrics":[{"name":"b","expression":7}]}`, "metrics[0].expression must be a string, not a number"},
		{`{"metrics":[{"name":"b","expression":"x","dataset":""}]}`, "metrics[0].dataset must not be empty"},
		{`{"metrics":[{"name":"b","expression":"x","time_dimension":[]}]}`, "metrics[0].time_dimension must be a string"},
		{`{"metrics":[` + many(65, `{"name":"b","expression":"x"}`) + `]}`, "metrics may hold at most 64 inline metrics"},
		{`{"group_by":[{"expression":"x"}]}`, `group_by[0] needs a name, as in {"name": `},
		{`{"group_by":[{"name":"x","expression":""}]}`, "group_by[0].expression must not be empty"},
		{`{"group_by":[{"name":"x"}]}`, "group_by[0] needs a field"},
		{`{"with":{}}`, "with must be an array of objects"},
		{`{"with":["x"]}`, "with[0] must be an object"},
		{`{"with":[{"name":"x","expression":"y"}]}`, "with[0] needs a dataset"},
		{`{"with":[{"dataset":"d","expression":"y"}]}`, "with[0] needs a name"},
		{`{"with":[{"dataset":"d","name":"x"}]}`, "with[0] needs an expression"},
		{`{"with":[{"dataset":"d","name":"x y","expression":"y"}]}`, "with[0].name must be a name"},
		{`{"with":[{"dataset":"d","name":"x","expression":"y","lod":{}}]}`, "with[0].lod needs a grain"},
		{`{"with":[{"dataset":"d","name":"x","expression":"y","lod":{"grain":[]}}]}`, "with[0].lod.grain needs at least one element"},
		{`{"with":[{"dataset":"d","name":"x","expression":"y","lod":{"grain":["a","a"]}}]}`, `with[0].lod.grain holds "a" twice`},
		{`{"with":[{"dataset":"d","name":"x","expression":"y","lod":{"grain":["a"],"via":[]}}]}`, "with[0].lod.via needs at least one element"},
		{`{"with":[` + many(33, `{"dataset":"d","name":"x","expression":"y"}`) + `]}`, "with may hold at most 32 elements"},
		{`{"distinct":1}`, "distinct must be true or false, not a number"},
		{`{"from":""}`, "from must not be empty"},
		{`{"totals":[]}`, "totals needs an item"},
		{`{"totals":["a"]}`, "totals[0] must be an array of strings, not a string"},
		{`{"totals":[null]}`, "totals[0] must be an array of strings, not null"},
		{`{"totals":[["a","a"]]}`, `totals[0] holds "a" twice`},
		{`{"totals":[["a","b"],["b","a"]]}`, "totals[1] repeats an earlier item"},
		{`{"totals":[[],["a"],[]]}`, "totals[2] repeats an earlier item"},
		{`{"totals":[` + many(33, `[]`) + `]}`, "totals[1] repeats an earlier item"},
		{`{"shares":[{}]}`, "shares[0] needs a metric"},
		{`{"shares":["a"]}`, "shares[0] must be an object, not a string"},
		{`{"shares":[{"metric":"a","of":["b","b"]}]}`, `shares[0].of holds "b" twice`},
		{`{"shares":[` + many(33, `{"metric":"a"}`) + `]}`, "shares may hold at most 32 elements"},
		{`{"compare":{}}`, "compare needs either an offset or a range"},
		{`{"compare":[]}`, "compare needs at least one comparison"},
		{`{"compare":[{"offset":{"count":1,"unit":"day"}},{}]}`, "compare[1] needs either an offset or a range"},
		{`{"compare":[{"offset":{"count":1,"unit":"day"}},null]}`, "compare[1] must be an object"},
		{`{"compare":[` + strings.Repeat(`{"offset":{"count":1,"unit":"day"}},`, 4) + `{"offset":{"count":1,"unit":"day"}}]}`, "compare may hold at most 4 elements"},
		{`{"compare":"1 year"}`, "compare must be an object or a list of objects"},
		{`{"compare":{"offset":{"count":1,"unit":"day"},"range":{"start":"a","end":"b"}}}`, "compare needs either an offset or a range"},
		{`{"compare":{"offset":{"count":0,"unit":"day"}}}`, "compare.offset.count must be a positive integer, not 0"},
		{`{"compare":{"offset":{"count":-1,"unit":"day"}}}`, "compare.offset.count must be a positive integer, not -1"},
		{`{"compare":{"offset":{"count":1.5,"unit":"day"}}}`, "compare.offset.count must be a positive integer, not 1.5"},
		{`{"compare":{"offset":{"unit":"day"}}}`, "compare.offset needs a count and a unit"},
		{`{"compare":{"offset":{"count":1}}}`, "compare.offset needs a count and a unit"},
		{`{"compare":{"range":{"start":"a"}}}`, "compare.range needs a start and an end"},
		{`{"compare":{"range":{"start":"a","end":"b"},"metrics":[]}}`, "compare.metrics needs at least one element"},
		{`{"top":{}}`, "top needs a dimension and an n"},
		{`{"top":{"dimension":"a"}}`, "top needs a dimension and an n"},
		{`{"top":{"dimension":"a","n":0}}`, "top.n must be an integer from 1 to 1000, not 0"},
		{`{"top":{"dimension":"a","n":1001}}`, "top.n must be an integer from 1 to 1000, not 1001"},
		{`{"top":{"dimension":"a","n":99999999999999999999}}`, "top.n must be an integer from 1 to 1000, not 9"},
		{`{"top":{"dimension":"a","n":"5"}}`, "top.n must be an integer from 1 to 1000, not a string"},
		{`{"top":{"dimension":"","n":5}}`, "top.dimension must not be empty"},
		{`{"top":{"dimension":"a","n":5,"by":""}}`, "top.by must not be empty"},
		{`{"top":{"dimension":"a","n":5,"desc":"asc"}}`, "top.desc must be true or false"},
		{`{"top":{"dimension":"a","n":5,"within":["b","b"]}}`, `top.within holds "b" twice`},
		{`{"top":{"dimension":"a","n":5,"other":""}}`, "top.other must not be empty"},
		{`{"top":{"dimension":"a","n":5,"other":1}}`, "top.other must be true, false or a label, not a number"},
		{`{"fill":true}`, "fill must be an object, not a boolean"},
		{`{"fill":{"value":"0"}}`, "fill.value must be a number, not a string"},
		{`{"fill":{"value":1e999}}`, "fill.value must be a number that DOUBLE holds"},
		{`{"fill":{"value":0.` + strings.Repeat("1", 2000) + `}}`, "fill.value is longer than 1024 bytes"},
		{`{"time_range":{"last":{}}}`, "time_range.last needs an n and a unit"},
		{`{"time_range":{"last":{"n":0,"unit":"day"}}}`, "time_range.last.n must be a positive integer, not 0"},
		{`{"time_range":{"last":{"n":1.5,"unit":"day"}}}`, "time_range.last.n must be a positive integer, not 1.5"},
		{`{"time_range":{"last":{"n":1,"unit":"second"}}}`, "time_range.last.unit must be one of minute, hour, day, "},
		{`{"time_ranges":{"a":{"last":{"n":1,"unit":"days"}}}}`, "time_ranges.a.last.unit must be one of minute, hour, day, "},
		{`{"as_of":""}`, "as_of must not be empty"},
		{`{"time_zone":1}`, "time_zone must be a string"},
		{`{"week_start":"Sunday"}`, `week_start must be one of monday, tuesday, wednesday, thursday, friday, saturday, sunday, not "Sunday"`},
		{`{"week_start":""}`, "week_start must be one of"},
	} {
		var refused *planerr.Error
		if _, err := query.DecodeMetric([]byte(c.body)); !errors.As(err, &refused) || refused.Code != "bad_request" || !strings.Contains(refused.Message, c.says) {
			t.Errorf("%.100s: %v, want %s", c.body, err, c.says)
		}
	}
}

// Each construct rejects an unknown key, and the retry corrects it.
func TestDecode_UnknownKeyOfConstruct(t *testing.T) {
	for _, c := range []struct{ body, retry string }{
		{`{"metrics":[{"name":"a","expresion":"SUM(x)"}]}`, `{"metrics":[{"name":"a","expression":"SUM(x)"}]}`},
		{`{"group_by":[{"name":"a","expression":"x","grain":"day"}]}`, `{"group_by":[{"name":"a","expression":"x"}]}`},
		{`{"group_by":[{"name":"a","expression":"x","field":"y"}]}`, `{"group_by":[{"name":"a","expression":"x"}]}`},
		{`{"with":[{"dataset":"d","name":"a","expression":"x","lod":{"grian":["a"]}}]}`, `{"with":[{"dataset":"d","name":"a","expression":"x","lod":{"grain":["a"]}}]}`},
		{`{"shares":[{"metric":"a","off":["b"]}]}`, `{"shares":[{"metric":"a","of":["b"]}]}`},
		{`{"compare":[{"ofset":{"count":1,"unit":"day"}},{"offset":{"count":1,"unit":"year"},"nme":"ly"}]}`, `{"compare":[{"offset":{"count":1,"unit":"day"}},{"offset":{"count":1,"unit":"year"},"name":"ly"}]}`},
		{`{"compare":{"ofset":{"count":1,"unit":"day"}}}`, `{"compare":{"offset":{"count":1,"unit":"day"}}}`},
		{`{"compare":{"offset":{"cout":1,"unit":"day"}}}`, `{"compare":{"offset":{"count":1,"unit":"day"}}}`},
		{`{"compare":{"range":{"start":"a","end":"b","dimension":"c"}}}`, `{"compare":{"range":{"start":"a","end":"b"}}}`},
		{`{"top":{"dimension":"a","n":1,"othr":"x"}}`, `{"top":{"dimension":"a","n":1,"other":"x"}}`},
		{`{"fill":{"vale":0}}`, `{"fill":{"value":0}}`},
		{`{"total":[["a"]]}`, `{"totals":[["a"]],"total":null}`},
		{`{"timezone":"UTC"}`, `{"time_zone":"UTC","timezone":null}`},
		{`{"time_range":{"last":{"n":1,"units":"day"}}}`, `{"time_range":{"last":{"n":1,"unit":"day"}}}`},
	} {
		e := unknownKeySignal(t, decodeMetric(c.body))
		if d := cmp.Diff(c.retry, e.SuggestedRetry); d != "" {
			t.Errorf("%s: %s", c.body, d)
		}
		if err := decodeMetric(merge(t, c.body, e.SuggestedRetry)); err != nil {
			t.Errorf("%s: the patched body is refused: %v", c.body, err)
		}
	}
	for _, c := range []struct {
		decode func(string) error
		body   string
	}{
		{decodeDetail, `{"distinct":true}`}, {decodeDetail, `{"totals":[[]]}`}, {decodeDetail, `{"metrics":[]}`},
		{decodeAttribute, `{"week_start":"monday"}`}, {decodeAttribute, `{"as_of":"2024-01-01"}`}, {decodeAttribute, `{"current":{"last":{"n":1,"unit":"day"}}}`},
	} {
		unknownKeySignal(t, c.decode(c.body))
	}
}

// A construct that is written as JSON is read back as it was.
func TestConstructs_MarshalAsRead(t *testing.T) {
	q, err := query.DecodeMetric([]byte(everyConstruct))
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(map[string]any{
		"metrics": q.MetricItemsNamed(q.Metrics), "group_by": q.GroupBy, "with": q.With, "totals": q.Totals, "shares": q.Shares,
		"compare": q.Compare, "top": q.Top, "fill": q.Fill, "time_range": q.TimeRange,
		"distinct": q.Distinct, "from": q.From, "as_of": q.AsOf, "time_zone": q.TimeZone, "week_start": q.WeekStart,
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := query.DecodeMetric(written)
	if err != nil {
		t.Fatalf("%s: %v", written, err)
	}
	if d := cmp.Diff(q, again); d != "" {
		t.Error(d)
	}
	for want, v := range map[string]any{
		`{"dimension":"a","n":1,"other":false}`: query.Top{Dimension: "a", N: 1, Other: &query.TopOther{Off: true}},
		`{"dimension":"a","n":1,"other":"<é>"}`: query.Top{Dimension: "a", N: 1, Other: &query.TopOther{Label: "<é>"}},
		`{}`:                                    query.Fill{},
		`{"value":0}`:                           query.Fill{Value: "0"},
		`[]`:                                    query.MetricItems{},
	} {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil || strings.TrimSpace(b.String()) != want {
			t.Errorf("%s, %v, want %s", b.String(), err, want)
		}
	}
}

func TestMetricItems_KeepInlineMetrics(t *testing.T) {
	q := query.MetricQuery{
		Metrics:       []string{"a", "b", "c"},
		InlineMetrics: []query.InlineMetric{{Name: "a", Expression: "SUM(x) < 1", Index: 0}, {Name: "c", Expression: "a + 1", Index: 2}},
	}
	items := q.MetricItemsNamed([]string{"c", "d", "a"})
	text, err := items.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"name":"c","expression":"a + 1"},"d",{"name":"a","expression":"SUM(x) < 1"}]`; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	patched, ok := q.ApplyRetryFragment(map[string]any{"metrics": items})
	if !ok {
		t.Fatal("not a fragment")
	}
	want := query.MetricQuery{
		Metrics:       []string{"c", "d", "a"},
		InlineMetrics: []query.InlineMetric{{Name: "c", Expression: "a + 1", Index: 0}, {Name: "a", Expression: "SUM(x) < 1", Index: 2}},
	}
	if d := cmp.Diff(want, patched); d != "" {
		t.Error(d)
	}
	if names, ok := q.ApplyRetryFragment(map[string]any{"metrics": []string{"a"}}); !ok || len(names.InlineMetrics) != 0 {
		t.Errorf("names alone keep the inline metrics: %+v", names)
	}
}

// A fragment sets and removes each construct.
func TestPatch_SetsAndRemovesConstructs(t *testing.T) {
	q, err := query.DecodeMetric([]byte(everyConstruct))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{
		"with": q.With, "distinct": q.Distinct, "from": q.From, "totals": q.Totals, "shares": q.Shares, "compare": q.Compare, "top": q.Top,
		"fill": q.Fill, "as_of": q.AsOf, "time_zone": q.TimeZone, "week_start": q.WeekStart, "metrics": q.MetricItemsNamed(q.Metrics),
	}
	for key, value := range values {
		removed, ok := q.ApplyRetryFragment(map[string]any{key: nil})
		if !ok || cmp.Equal(removed, *q) {
			t.Errorf("%s is not removed", key)
		}
		restored, ok := removed.ApplyRetryFragment(map[string]any{key: value})
		if d := cmp.Diff(*q, restored); !ok || d != "" {
			t.Errorf("%s: %s", key, d)
		}
		if _, ok := q.ApplyRetryFragment(map[string]any{key: 7.5}); ok {
			t.Errorf("%s takes a value of another type", key)
		}
	}
}

// Inline metrics belong to the names around them: a request over a saved body
// has both or neither.
func TestOver_TakesInlineMetricsWithNames(t *testing.T) {
	body := query.MetricQuery{Metrics: []string{"a"}, InlineMetrics: []query.InlineMetric{{Name: "a", Expression: "SUM(x)"}}, Top: &query.Top{Dimension: "d", N: 1}}
	got := (&query.MetricQuery{Saved: "s", Distinct: true}).MergeOverSaved(&body, nil)
	if d := cmp.Diff(&query.MetricQuery{Metrics: body.Metrics, InlineMetrics: body.InlineMetrics, Top: body.Top, Distinct: true}, got); d != "" {
		t.Error(d)
	}
	replaced := (&query.MetricQuery{Saved: "s", Metrics: []string{"b"}}).MergeOverSaved(&query.MetricQuery{Metrics: []string{"a"}, InlineMetrics: body.InlineMetrics}, nil)
	if len(replaced.InlineMetrics) != 0 || replaced.Metrics[0] != "b" {
		t.Errorf("%+v", replaced)
	}
}

// What the decoder makes of a construct can be written and decoded again.
func FuzzDecodeConstruct(f *testing.F) {
	for _, seed := range []string{
		`"metrics":[{"name":"a","expression":"SUM(x)"},"b"]`, `"totals":[[],["a","b"]]`, `"top":{"dimension":"a","n":1,"other":false}`,
		`"compare":{"range":{"start":"a","end":"b"}}`, `"fill":{"value":-1e5}`, `"with":[{"dataset":"d","name":"n","expression":"e","lod":{"grain":["g"]}}]`,
		`"time_range":{"last":{"n":1,"unit":"day","complete":false}}`, `"group_by":[{"name":"a","expression":"\ud83d\ude00"}]`, `"shares":[{"metric":"m","of":["a"]}]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, members string) {
		q, err := query.DecodeMetric(fmt.Appendf(nil, "{%s}", members))
		if err != nil {
			return
		}
		written, err := json.Marshal(map[string]any{
			"metrics": q.MetricItemsNamed(q.Metrics), "group_by": q.GroupBy, "with": q.With, "totals": nonEmpty(q.Totals), "shares": q.Shares,
			"compare": q.Compare, "top": q.Top, "fill": q.Fill, "time_range": q.TimeRange,
		})
		if err != nil {
			t.Fatalf("%s: %v", members, err)
		}
		again, err := query.DecodeMetric(written)
		if err != nil {
			t.Fatalf("%s is written as %s: %v", members, written, err)
		}
		rest := *q
		rest.Metrics, rest.InlineMetrics, rest.GroupBy, rest.With, rest.Totals = nil, nil, nil, nil, nil
		rest.Shares, rest.Compare, rest.Top, rest.Fill, rest.TimeRange = nil, nil, nil, nil, nil
		full := again.MergeOverSaved(&rest, rest.Params)
		full.Saved, full.Removed = q.Saved, q.Removed
		if one, other := string(q.AppendCacheKey(nil)), string(full.AppendCacheKey(nil)); one != other {
			t.Errorf("%s is read back as another query from %s", members, written)
		}
	})
}

func nonEmpty(totals [][]string) any {
	if len(totals) == 0 {
		return nil
	}
	return totals
}
