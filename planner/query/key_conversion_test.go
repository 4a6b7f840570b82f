package query_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

func decodeFind(body string) error { _, err := query.DecodeFind([]byte(body)); return err }
func decodeList(body string) error { _, err := query.DecodeObjectListQuery([]byte(body)); return err }
func decodeSQL(body string) error  { _, err := query.DecodeSQLWithLimit([]byte(body)); return err }

// An error of a value in another shape suggests the value in the shape that it clearly stands for.
func TestShape_RetryHasValueInItsShape(t *testing.T) {
	for _, c := range []struct {
		name   string
		decode func(string) error
		body   string
		code   string
		retry  string
	}{
		{"a number as text", decodeMetric, `{"metrics":["a"],"limit":"10"}`, "bad_request", `{"limit":10}`},
		{"a whole number with a fraction", decodeMetric, `{"metrics":["a"],"limit":10.0}`, "bad_request", `{"limit":10}`},
		{"a boolean as text", decodeMetric, `{"metrics":["a"],"order_by":[{"key":"a","desc":"true"}]}`, "bad_request", `{"order_by":[{"key":"a","desc":true}]}`},
		{"a boolean as text in capitals", decodeMetric, `{"distinct":"True","group_by":[{"field":"a.b"}]}`, "bad_request", `{"distinct":true}`},
		{"a number for a text", decodeMetric, `{"metrics":["a"],"as_of":2024}`, "bad_request", `{"as_of":"2024"}`},
		{"a number for a text inside", decodeMetric, `{"metrics":["a"],"time_range":{"start":2024,"end":"2025"}}`, "bad_request", `{"time_range":{"start":"2024","end":"2025"}}`},
		{"one metric", decodeMetric, `{"metrics":"revenue"}`, "bad_request", `{"metrics":["revenue"]}`},
		{"metrics separated by commas", decodeMetric, `{"metrics":"revenue, order_count"}`, "bad_request", `{"metrics":["revenue","order_count"]}`},
		{"one inline metric", decodeMetric, `{"metrics":{"name":"n","expression":"COUNT(a.b)"}}`, "bad_request", `{"metrics":[{"name":"n","expression":"COUNT(a.b)"}]}`},
		{"a metric as an object with its name", decodeMetric, `{"metrics":["a",{"name":"revenue"}]}`, "bad_request", `{"metrics":["a","revenue"]}`},
		{"a field as the name of a group", decodeMetric, `{"metrics":["a"],"group_by":[{"name":"a.day","grain":"month"},{"name":"metric_time","grain":"day"}]}`, "bad_request",
			`{"group_by":[{"field":"a.day","grain":"month"},{"field":"metric_time","grain":"day"}]}`},
		{"groups as texts", decodeMetric, `{"metrics":["a"],"group_by":["orders.order_date:month","customers.region"]}`, "bad_request",
			`{"group_by":[{"field":"orders.order_date","grain":"month"},{"field":"customers.region"}]}`},
		{"groups as one text", decodeMetric, `{"metrics":["a"],"group_by":"orders.order_date:month, customers.region"}`, "bad_request",
			`{"group_by":[{"field":"orders.order_date","grain":"month"},{"field":"customers.region"}]}`},
		{"texts beside objects", decodeMetric, `{"metrics":["a"],"group_by":[{"field":"a.b"},"c.d"]}`, "bad_request", `{"group_by":[{"field":"a.b"},{"field":"c.d"}]}`},
		{"one group", decodeMetric, `{"metrics":["a"],"group_by":{"field":"a.b"}}`, "bad_request", `{"group_by":[{"field":"a.b"}]}`},
		{"orders with a sign", decodeMetric, `{"metrics":["a"],"order_by":["-revenue","region"]}`, "bad_request", `{"order_by":[{"key":"revenue","desc":true},{"key":"region"}]}`},
		{"an order with its direction", decodeMetric, `{"metrics":["a"],"order_by":"revenue desc"}`, "bad_request", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"orders in SQL", decodeMetric, `{"metrics":["a"],"order_by":"revenue DESC, region ASC"}`, "bad_request", `{"order_by":[{"key":"revenue","desc":true},{"key":"region"}]}`},
		{"a direction", decodeMetric, `{"metrics":["a"],"order_by":[{"key":"revenue","direction":"desc"}]}`, "unknown_query_key", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"an ascending direction", decodeMetric, `{"metrics":["a"],"order_by":[{"key":"revenue","order":"ASC"}]}`, "unknown_query_key", `{"order_by":[{"key":"revenue","desc":false}]}`},
		{"a field to order by", decodeMetric, `{"metrics":["a"],"order_by":[{"field":"revenue","desc":true}]}`, "unknown_query_key", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"a column with its direction", decodeMetric, `{"metrics":["a"],"order_by":[{"revenue":"desc"}]}`, "unknown_query_key", `{"order_by":[{"key":"revenue","desc":true}]}`},
		{"filter", decodeMetric, `{"metrics":["a"],"filter":"a.b > 1"}`, "unknown_query_key", `{"where_sql":"a.b > 1","filter":null}`},
		{"filters", decodeMetric, `{"metrics":["a"],"filters":["a.b > 1","a.c = 'x'"]}`, "unknown_query_key", `{"where_sql":"(a.b > 1) AND (a.c = 'x')","filters":null}`},
		{"where", decodeDetail, `{"from":"a","fields":["b"],"where":"a.b > 1"}`, "unknown_query_key", `{"where_sql":"a.b > 1","where":null}`},
		{"a part in a text", decodeMetric, `{"metrics":["a"],"group_by":["a.b:Hour_of_day"]}`, "bad_request", `{"group_by":[{"field":"a.b","part":"hour_of_day"}]}`},
		{"fields with parts as objects", decodeDetail, `{"from":"a","fields":[{"field":"a.day","part":"DAY_OF_WEEK"}]}`, "bad_request", `{"fields":["a.day:day_of_week"]}`},
		{"dimensions", decodeMetric, `{"metrics":["a"],"dimensions":["a.b:month"]}`, "unknown_query_key", `{"group_by":[{"field":"a.b","grain":"month"}],"dimensions":null}`},
		{"groupBy", decodeMetric, `{"metrics":["a"],"groupBy":"a.b"}`, "unknown_query_key", `{"group_by":[{"field":"a.b"}],"groupBy":null}`},
		{"orderBy", decodeMetric, `{"metrics":["a"],"orderBy":["-a"]}`, "unknown_query_key", `{"order_by":[{"key":"a","desc":true}],"orderBy":null}`},
		{"sort", decodeMetric, `{"metrics":["a"],"sort":"a desc"}`, "unknown_query_key", `{"order_by":[{"key":"a","desc":true}],"sort":null}`},
		{"measures", decodeMetric, `{"measures":"a"}`, "unknown_query_key", `{"metrics":["a"],"measures":null}`},
		{"dateRange", decodeMetric, `{"metrics":["a"],"dateRange":["2024-01-01","2025-01-01"]}`, "unknown_query_key", `{"time_range":{"start":"2024-01-01","end":"2025-01-01"},"dateRange":null}`},
		{"a range as a list", decodeMetric, `{"metrics":["a"],"time_range":["2024-01-01","2025-01-01"]}`, "bad_request", `{"time_range":{"start":"2024-01-01","end":"2025-01-01"}}`},
		{"a range from and to", decodeMetric, `{"metrics":["a"],"time_range":{"from":"2024-01-01","to":"2025-01-01"}}`, "unknown_query_key", `{"time_range":{"start":"2024-01-01","end":"2025-01-01"}}`},
		{"a window as a list", decodeAttribute, `{"metric":"a","dimensions":"b.c","baseline":["2024-01-01","2024-02-01"]}`, "bad_request",
			`{"dimensions":["b.c"],"baseline":{"start":"2024-01-01","end":"2024-02-01"}}`},
		{"an order with nulls last", decodeMetric, `{"metrics":["a"],"order_by":["revenue DESC NULLS LAST","region nulls last"]}`, "bad_request",
			`{"order_by":[{"key":"revenue","desc":true},{"key":"region"}]}`},
		{"a list in a text", decodeMetric, `{"metrics":"[\"revenue\"]","group_by":"[{\"field\":\"a.b\"}]"}`, "bad_request", `{"metrics":["revenue"],"group_by":[{"field":"a.b"}]}`},
		{"fields as objects", decodeDetail, `{"from":"a","fields":[{"field":"a.b"},{"field":"a.day","grain":"month"}]}`, "bad_request", `{"fields":["a.b","a.day:month"]}`},
		{"a list of one", decodeDetail, `{"from":["a"],"fields":["b"]}`, "bad_request", `{"from":"a"}`},
		{"one list of totals", decodeMetric, `{"metrics":["a"],"totals":["region"]}`, "bad_request", `{"totals":[["region"]]}`},
		{"a choice in other case", decodeMetric, `{"metrics":["a"],"limit":"3","week_start":"Sunday"}`, "bad_request", `{"limit":3,"week_start":"sunday"}`},
		{"every fault at once", decodeMetric,
			`{"measures":"revenue","group_by":["a.day:month"],"sort":"-revenue","limit":"5","filter":"a.b > 1","time_range":["2024-01-01","2025-01-01"]}`, "unknown_query_key",
			`{"metrics":["revenue"],"group_by":[{"field":"a.day","grain":"month"}],"order_by":[{"key":"revenue","desc":true}],"limit":5,"where_sql":"a.b > 1","time_range":{"start":"2024-01-01","end":"2025-01-01"},"measures":null,"sort":null,"filter":null}`},
		{"kinds as a text", decodeFind, `{"q":"x","kinds":"metric","limit":"5"}`, "bad_request", `{"kinds":["metric"],"limit":5}`},
		{"a page of a list", decodeList, `{"search":5,"offset":"10","detail":"true"}`, "bad_request", `{"search":"5","offset":10,"detail":true}`},
		{"rows of a statement", decodeSQL, `{"query":"SELECT 1","limit":"10"}`, "unknown_query_key", `{"sql":"SELECT 1","limit":10,"query":null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e *planerr.Error
			if !errors.As(c.decode(c.body), &e) || e.Code != c.code || e.Message == "" {
				t.Fatalf("%s: %+v", c.body, e)
			}
			if d := cmp.Diff(c.retry, e.SuggestedRetry); d != "" {
				t.Error(d)
			}
			if err := c.decode(merge(t, c.body, e.SuggestedRetry)); err != nil {
				t.Errorf("the patched body is refused: %v", err)
			}
		})
	}
}

// Where it is not clear what a value stands for, nothing is suggested.
func TestShape_NoRetryForUnclearValue(t *testing.T) {
	for _, body := range []string{
		`{"metrics":["a"],"limit":"ten"}`, `{"metrics":["a"],"limit":-1}`, `{"metrics":["a"],"limit":1.5}`, `{"metrics":["a"],"limit":{"n":1}}`,
		`{"metrics":["a"],"order_by":[{"desc":true}]}`, `{"metrics":["a"],"order_by":[{"key":"a","desc":"maybe"}]}`, `{"metrics":[1]}`,
		`{"metrics":["a"],"group_by":[{"name":"column"}]}`, `{"metrics":["a"],"group_by":[["a"]]}`, `{"metrics":["a"],"time_range":["2024-01-01"]}`, `{"metrics":["a"],"time_range":"2024"}`,
		`{"metrics":["a"],"where_sql":{"a":1}}`, `{"metrics":["a"],"metrics":["b"]}`, `["a"]`, `"revenue"`, `{"metrics":["a"],`, `{"metrics":["a"],"group_by":"[{"}`,
		`{"metrics":["a"],"top":["region",3]}`, `{"metrics":["a"],"dialect":5,"limit":"3"}`, `{"saved":5}`, `{"metrics":["a"],"group_by":[{"field":"a.b","grain":1}]}`,
		`{"metrics":["a"],"limit":"` + strings.Repeat("9", 30) + `"}`,
	} {
		var e *planerr.Error
		if err := decodeMetric(body); !errors.As(err, &e) || strings.HasPrefix(e.SuggestedRetry, "{") {
			t.Errorf("%s: %v", body, e)
		}
	}
}

// A suggested patch makes any body decode, or fail with another code.
func FuzzShape_PatchedBodiesDecode(f *testing.F) {
	for _, seed := range []string{
		everyMetricKey, `{"metrics":"a,b","limit":"1","order_by":"-a"}`, `{"filters":["a","b"],"dateRange":["a","b"],"groupBy":{"field":"x"}}`,
		`{"from":["a"],"fields":[{"field":"a","grain":"b"}],"where":"x"}`, `{"metric":"m","baseline":["a","b"],"current":{"from":"a","to":"b"}}`,
		`{"q":1,"kinds":"metric"}`, `{"order_by":[{"a":"desc"},{"key":"b","direction":"asc"}],"totals":"x","week_start":"Mondays"}`, `{"metrics":"[[[\"a\"]]]"}`,
		`{"time_range":{"last":{"n":"3","unit":"Months"}},"metrics":{"name":"a","expression":"b"}}`,
	} {
		f.Add([]byte(seed))
	}
	decoders := []func(string) error{decodeMetric, decodeDetail, decodeAttribute, decodeFind, decodeList, decodeSQL}
	f.Fuzz(func(t *testing.T, body []byte) {
		for i, decode := range decoders {
			var e *planerr.Error
			if err := decode(string(body)); !errors.As(err, &e) || !strings.HasPrefix(e.SuggestedRetry, "{") {
				continue
			}
			if !json.Valid([]byte(e.SuggestedRetry)) {
				t.Fatalf("%q: not JSON: %s", body, e.SuggestedRetry)
			}
			var again *planerr.Error
			if err := decode(merge(t, string(body), e.SuggestedRetry)); errors.As(err, &again) && again.Code == e.Code {
				t.Errorf("decoder %d: %q and %s: %v", i, body, e.SuggestedRetry, err)
			}
		}
	})
}
