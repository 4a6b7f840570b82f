package query_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

const everyMetricKey = `{
  "metrics": ["revenue", "ümlaut \u00e9\n\ud83d\ude00"],
  "group_by": [{"field": "orders.order_date", "grain": "month"}, {"field": "customers.region"}],
  "where_sql": "orders.status = 'completed'",
  "context_filter": "a > 1",
  "time_range": {"start": "2024-01-01", "end": "2025-01-01", "dimension": "orders.order_date"},
  "time_ranges": {"now": {"start": "2024-02-01"}, "before": {"end": "2024-02-01"}},
  "order_by": [{"key": "revenue", "desc": true}, {"key": "region"}],
  "limit": 10,
  "params": {"t": [50, 1e2, "x", true, null], "big": 123456789012345678901234567890.10},
  "dialect": "postgres",
  "pretty": true,
  "connection": "warehouse"
}`

func int64p(n int64) *int64 { return &n }

func TestDecode_EveryMetricKey(t *testing.T) {
	got, err := query.DecodeMetric([]byte(everyMetricKey))
	if err != nil {
		t.Fatal(err)
	}
	want := &query.MetricQuery{
		Metrics:       []string{"revenue", "ümlaut é\n😀"},
		GroupBy:       []query.GroupBy{{Field: "orders.order_date", Grain: "month"}, {Field: "customers.region"}},
		WhereSQL:      "orders.status = 'completed'",
		ContextFilter: "a > 1",
		TimeRange:     &query.TimeRange{Start: "2024-01-01", End: "2025-01-01", Dimension: "orders.order_date"},
		TimeRanges: []query.TaggedRange{
			{Tag: "now", TimeRange: query.TimeRange{Start: "2024-02-01"}},
			{Tag: "before", TimeRange: query.TimeRange{End: "2024-02-01"}},
		},
		OrderBy: []query.OrderBy{{Key: "revenue", Desc: true}, {Key: "region"}},
		Limit:   int64p(10),
		Params: []query.ParamBinding{
			{Name: "t", List: true, Values: []query.ParamValue{
				{Kind: query.NumberValue, Text: "50"},
				{Kind: query.NumberValue, Text: "1e2"},
				{Kind: query.StringValue, Text: "x"},
				{Kind: query.BoolValue, Text: "true"},
				{Kind: query.NullValue, Text: "null"},
			}},
			{Name: "big", Values: []query.ParamValue{{Kind: query.NumberValue, Text: "123456789012345678901234567890.10"}}},
		},
		Dialect:    "postgres",
		Pretty:     true,
		Connection: "warehouse",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDecode_EveryDetailKey(t *testing.T) {
	got, err := query.DecodeDetail([]byte(`{"from":"orders","fields":["status","customers.region"],"where_sql":"a","time_range":{"start":"s","end":"e"},
		"order_by":[{"key":"status"}],"limit":0,"params":{"p":1},"dialect":"mysql","pretty":false,"connection":"c"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &query.DetailQuery{
		From: "orders", Fields: []string{"status", "customers.region"}, WhereSQL: "a",
		TimeRange: &query.TimeRange{Start: "s", End: "e"}, OrderBy: []query.OrderBy{{Key: "status"}}, Limit: int64p(0),
		Params:  []query.ParamBinding{{Name: "p", Values: []query.ParamValue{{Kind: query.NumberValue, Text: "1"}}}},
		Dialect: "mysql", Connection: "c",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDecode_EveryAttributionKey(t *testing.T) {
	got, err := query.DecodeAttribute([]byte(`{"metric":"m","dimensions":["a","b"],"baseline":{"start":"1","end":"2"},"current":{"start":"2","end":"3"},
		"where_sql":"w","context_filter":"c","time_dimension":"t","params":{},"max_values_per_dimension":1,"top_n_dimensions":2,"top_n_values":3,"dialect":"d","connection":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &query.AttributeQuery{
		Metric: "m", Dimensions: []string{"a", "b"},
		Baseline: &query.TimeRange{Start: "1", End: "2"}, Current: &query.TimeRange{Start: "2", End: "3"},
		WhereSQL: "w", ContextFilter: "c", TimeDimension: "t",
		MaxValuesPerDimension: int64p(1), TopNDimensions: int64p(2), TopNValues: int64p(3), Dialect: "d", Connection: "x",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDecode_NullIsAbsent(t *testing.T) {
	got, err := query.DecodeMetric([]byte(`{"metrics":null,"group_by":null,"where_sql":null,"context_filter":null,"time_range":null,
		"time_ranges":null,"order_by":null,"limit":null,"params":null,"dialect":null,"pretty":null,"connection":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&query.MetricQuery{}, got); d != "" {
		t.Error(d)
	}
}

// The messages are spelled out in part because they are what a person debugs
// with: the key's path, what it takes, and what it got.
func TestDecode_OtherBodyIsBadRequest(t *testing.T) {
	for _, c := range []struct{ name, body, says string }{
		{"empty", "", "the body is empty"},
		{"only space", " \n\t", "the body is empty"},
		{"null", "null", "the body must be an object, not null"},
		{"array", "[]", "the body must be an object, not an array"},
		{"text", `"metrics"`, "the body must be an object, not a string"},
		{"no JSON", "metrics=revenue", "the body must be an object, not something that is not a JSON value"},
		{"byte order mark", "\ufeff{}", "the body must be an object"},
		{"NUL in a value", "{\n\"metrics\":[\"a\"],\"top\":{\"other\":\"x\\u0000\"}}", "a string with the character NUL, which no warehouse accepts, at line 2, column 34"},
		{"NUL in a condition", `{"metrics":["a"],"where_sql":"b = 'x\u0000y'"}`, "a string with the character NUL"},
		{"NUL in a parameter", `{"metrics":["a"],"params":{"t":["\u0000"]}}`, "a string with the character NUL"},
		{"NUL in a key", `{"metrics":["a"],"params":{"\u0000":1}}`, "a string with the character NUL"},
		{"text that is not UTF-8", "{\"metrics\":[\"a\"],\"top\":{\"other\":\"x\xff\"}}", "the text is not valid UTF-8"},
		{"NUL after the object", "{}\x00", "text after the JSON object at line 1, column 3"},
		{"text after", `{"metrics":["a"]} {}`, "text after the JSON object at line 1, column 19"},
		{"cut off", `{"metrics":["a"`, "expected ',' or ']'"},
		{"cut off in a string", `{"metrics":["a`, "a string does not end"},
		{"trailing comma", `{"metrics":["a"],}`, "expected a key in double quotes"},
		{"trailing comma in an array", `{"metrics":["a",]}`, "metrics[1] must be a string"},
		{"missing colon", "{\n  \"metrics\" [\"a\"]}", "expected ':' after the key at line 2, column 13"},
		{"comment", `{/* */"metrics":["a"]}`, "expected a key in double quotes"},
		{"single quotes", `{'metrics':['a']}`, "expected a key in double quotes"},
		{"duplicate key", `{"metrics":["a"],"metrics":["b"]}`, "the key metrics appears twice"},
		{"duplicate nested key", `{"metrics":["a"],"group_by":[{"field":"a","field":"b"}]}`, "the key group_by[0].field appears twice"},
		{"duplicate parameter", `{"params":{"t":1,"t":2}}`, "the key params.t appears twice"},
		{"duplicate tag", `{"time_ranges":{"a":{},"a":{}}}`, "the key time_ranges.a appears twice"},
		{"duplicate spelled with an escape", `{"metrics":["a"],"\u006detrics":["b"]}`, "the key metrics appears twice"},
		{"metrics a string", `{"metrics":"revenue"}`, "metrics must be an array of strings or of objects such as "},
		{"metrics a number", `{"metrics":[1]}`, `metrics[0] must be a string or an object such as {"name": "large", "expression": "SUM(orders.amount)"}, not a number`},
		{"metrics nested", `{"metrics":[["a"]]}`, `metrics[0] must be a string or an object such as {"name": "large", "expression": "SUM(orders.amount)"}, not an array`},
		{"metrics with null", `{"metrics":["a",null]}`, `metrics[1] must be a string or an object such as {"name": "large", "expression": "SUM(orders.amount)"}, not null`},
		{"group_by strings", `{"group_by":["orders.status"]}`, `group_by[0] must be an object such as {"field": "orders.status"}, not a string`},
		{"group_by an object", `{"group_by":{"field":"a"}}`, "group_by must be an array of objects"},
		{"group_by field a number", `{"group_by":[{"field":1}]}`, "group_by[0].field must be a string, not a number"},
		{"group_by without field", `{"group_by":[{"field":"a"},{"grain":"day"}]}`, "group_by[1] needs a field"},
		{"grain a boolean", `{"group_by":[{"field":"a","grain":true}]}`, "group_by[0].grain must be a string, not a boolean"},
		{"where_sql an object", `{"where_sql":{}}`, "where_sql must be a string, not an object"},
		{"where_sql an array", `{"where_sql":["a"]}`, "where_sql must be a string, not an array"},
		{"context_filter a number", `{"context_filter":1}`, "context_filter must be a string, not a number"},
		{"time_range a string", `{"time_range":"2024"}`, "time_range must be an object, not a string"},
		{"time_range.start a number", `{"time_range":{"start":2024}}`, "time_range.start must be a string, not a number"},
		{"time_ranges an array", `{"time_ranges":[]}`, "time_ranges must be an object of named ranges, not an array"},
		{"a tag without object", `{"time_ranges":{"a":"2024"}}`, "time_ranges.a must be an object, not a string"},
		{"order_by strings", `{"order_by":["revenue"]}`, `order_by[0] must be an object such as {"key": "revenue", "desc": true}`},
		{"order_by without key", `{"order_by":[{"desc":true}]}`, "order_by[0] needs a key"},
		{"desc a string", `{"order_by":[{"key":"a","desc":"yes"}]}`, "order_by[0].desc must be true or false, not a string"},
		{"limit a string", `{"limit":"10"}`, "limit must be a non-negative integer, not a string"},
		{"limit a fraction", `{"limit":1.5}`, "limit must be a non-negative integer, not 1.5"},
		{"limit negative", `{"limit":-1}`, "limit must be a non-negative integer, not -1"},
		{"limit too large", `{"limit":9223372036854775808}`, "limit must be a non-negative integer, not 9223372036854775808"},
		{"limit a boolean", `{"limit":true}`, "limit must be a non-negative integer, not a boolean"},
		{"params an array", `{"params":[1]}`, "params must be an object of parameter names and values, not an array"},
		{"parameter an object", `{"params":{"t":{}}}`, "params.t must be a string, number, boolean or an array of them, not an object"},
		{"parameter a nested list", `{"params":{"t":[[1]]}}`, "params.t[0] must be a string, number, boolean"},
		{"dialect a number", `{"dialect":1}`, "dialect must be a string, not a number"},
		{"pretty a number", `{"pretty":1}`, "pretty must be true or false, not a number"},
		{"connection an array", `{"connection":[]}`, "connection must be a string, not an array"},
		{"leading zero", `{"limit":01}`, "a malformed number"},
		{"bare minus", `{"limit":-}`, "a malformed number"},
		{"number without digits after the point", `{"params":{"t":1.}}`, "a malformed number"},
		{"number without exponent", `{"params":{"t":1e}}`, "a malformed number"},
		{"NaN", `{"params":{"t":NaN}}`, "params.t must be"},
		{"misspelt word", `{"pretty":tru}`, "expected a JSON value"},
		{"raw control character", "{\"where_sql\":\"a\nb\"}", "a control character in a string"},
		{"invalid UTF-8", "{\"where_sql\":\"a\xffb\"}", "not valid UTF-8"},
		{"half a surrogate pair", `{"where_sql":"\ud800x"}`, "half of a surrogate pair"},
		{"unknown escape", `{"where_sql":"\x41"}`, "an unknown escape"},
		{"short unicode escape", `{"where_sql":"\u12"}`, "four hexadecimal digits"},
		{"unknown key in a text that is no JSON", `{"metrcis":["a"],`, "expected a key in double quotes"},
		{"unknown key twice", `{"x":1,"x":2}`, "the key x appears twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := query.DecodeMetric([]byte(c.body))
			var perr *planerr.Error
			if !errors.As(err, &perr) {
				t.Fatalf("decoded to %+v with error %v", q, err)
			}
			if perr.Code != "bad_request" {
				t.Errorf("code %s: %s", perr.Code, perr.Message)
			}
			if !strings.Contains(perr.Message, c.says) {
				t.Errorf("message %q does not say %q", perr.Message, c.says)
			}
		})
	}
}

func TestDecode_TooManyElements(t *testing.T) {
	repeat := func(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for _, c := range []struct{ name, body, says string }{
		{"metrics", `{"metrics":[` + repeat(`"revenue"`, 10000) + `]}`, "metrics may hold at most 1000 elements"},
		{"group_by", `{"group_by":[` + repeat(`{"field":"a"}`, 201) + `]}`, "group_by may hold at most 200 elements"},
		{"order_by", `{"order_by":[` + repeat(`{"key":"a"}`, 1001) + `]}`, "order_by may hold at most 1000 elements"},
		{"values", `{"params":{"t":[` + repeat(`1`, 10001) + `]}}`, "params.t may hold at most 10000 elements"},
		{"a metric's name", `{"metrics":["` + strings.Repeat("x", 1025) + `"]}`, "metrics[0] is longer than 1024 bytes"},
		{"a field's name", `{"group_by":[{"field":"` + strings.Repeat("x", 1025) + `"}]}`, "group_by[0].field is longer than 1024 bytes"},
		{"a tag", `{"time_ranges":{"` + strings.Repeat("x", 1025) + `":{}}}`, "is longer than 1024 bytes"},
		{"open brackets", `{"x":` + strings.Repeat("[", 1<<20), "more than 64 levels of nesting"},
		{"open braces", strings.Repeat(`{"x":`, 1<<18), "more than 64 levels of nesting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := query.DecodeMetric([]byte(c.body))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v does not say %q", err, c.says)
			}
		})
	}
	if _, err := query.DecodeMetric([]byte(`{"metrics":["` + strings.Repeat("x", 1024) + `"],"where_sql":"` + strings.Repeat("x", 1<<20) + `"}`)); err != nil {
		t.Errorf("a long filter: %v", err)
	}
	if q, err := query.DecodeMetric([]byte(`{"metrics":[` + repeat(`"revenue"`, 1000) + `]}`)); err != nil || len(q.Metrics) != 1000 {
		t.Errorf("1000 metrics: %v", err)
	}
}

// A megabyte of unknown keys must not cost more than reading it: the square of their number takes hours.
func TestDecode_ManyUnknownKeysFailFast(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"metrics":["a"]`)
	for i := range 80000 {
		b.WriteString(`,"k` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + itoa(i) + `":1`)
	}
	b.WriteString("}")
	start := time.Now()
	_, err := query.DecodeMetric([]byte(b.String()))
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
	var perr *planerr.Error
	if !errors.As(err, &perr) || perr.Code != "unknown_query_key" || len(perr.SuggestedRetry) > 17<<10 {
		t.Errorf("%.200v", err)
	}
}

func itoa(i int) string {
	if i == 0 {
		return ""
	}
	return itoa(i/10) + string(rune('0'+i%10))
}
