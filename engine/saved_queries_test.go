package engine_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

const savedQueries = `[
  {"name": "top_regions", "description": "Regions by revenue", "questions": ["Which regions sell most?"],
   "verified": {"by": "finance", "on": "2024-05-01"},
   "params": [{"name": "since", "type": "date", "default": "2024-01-01"}, {"name": "most", "type": "int", "default": 5, "min": 0, "max": 100}],
   "query": {"metrics": ["revenue"], "group_by": [{"field": "customers.region"}], "time_range": {"start": ":since"},
             "order_by": [{"key": "revenue", "desc": true}], "limit": ":most"}},
  {"name": "of_status", "params": [{"name": "status", "type": "string"}, {"name": "least", "type": "float", "default": -0.5, "min": -1}, {"name": "large", "type": "bool", "default": false}],
   "query": {"metrics": ["revenue", "order_count"], "where_sql": "status = :status AND amount > 0 - :least AND NOT (is_large AND :large)"}},
  {"name": "above_limit", "params": [{"name": "limit_of_amount", "type": "int", "default": 60, "min": 0}],
   "query": {"metrics": ["above"], "params": {"t": ":limit_of_amount"}}},
  {"name": "above_fixed", "query": {"metrics": ["above"], "params": {"t": 60}}},
  {"name": "big_orders", "params": [{"name": "least", "type": "int", "default": 80, "min": 0}],
   "select": {"from": "orders", "fields": ["order_id", "amount"], "where_sql": "amount >= :least"}},
  {"name": "by_month", "params": [{"name": "a", "type": "date", "default": "2024-01-01"}, {"name": "b", "type": "date", "allowed": ["2024-02-01", "2024-03-01"]}, {"name": "c", "type": "date", "min": "2024-01-01"}],
   "query": {"metrics": ["revenue"], "context_filter": "orders.order_date < :c", "time_ranges": {"first": {"start": ":a", "end": ":b"}, "second": {"start": ":b"}}}},
  {"name": "change", "params": [{"name": "from", "type": "date", "default": "2024-01-01"}],
   "attribute": {"metric": "revenue", "dimensions": ["customers.region"], "baseline": {"start": ":from", "end": "2024-02-01"}, "current": {"start": "2024-02-01", "end": "2024-03-01"}}},
  {"name": "broken", "query": {"metrics": ["revenu"]}},
  {"name": "unread", "query": {"metrics": ["revenue"], "limitt": 1}},
  {"name": "malformed", "query": {"metrics": ["revenue"], "dialect": "duckdb"}}
]`

// savedShop returns the shop with saved queries and a metric that has a parameter.
func savedShop(t *testing.T) *engine.Engine {
	t.Helper()
	above := `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount > :t"}, "params": [{"name": "t", "type": "int", "default": 50, "min": 0}]}`
	model := read(t, "testdata/orders.yaml") +
		"      - {name: above, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN orders.amount > 50 THEN orders.amount END)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '" + above + "'}]}\n" +
		"    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"queries\": " + strings.ReplaceAll(savedQueries, "\n", " ") + "}'}]\n"
	return open(t, engine.Config{ModelText: []byte(model), Setup: []string{read(t, "testdata/orders.sql")}})
}

// answers returns the responses of the endpoints for a body, "" for one that the endpoint rejects.
func answers(t *testing.T, e *engine.Engine, kind, body string) map[string]string {
	t.Helper()
	out := map[string]string{}
	wire := func(name string, v any, err error) {
		if err != nil {
			out[name] = err.Error()
			return
		}
		text, err := engine.MarshalWireJSON(v)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(text)
	}
	switch kind {
	case "query":
		q := metricQuery(t, body)
		compiled, err := askSQL(t.Context(), e, q)
		wire("compile", compiled, err)
		explained, err := askPlan(t.Context(), e, q)
		wire("explain", explained, err)
		result, err := askRows(t.Context(), e, q)
		wire("execute", result, err)
	case "select":
		q, err := query.DecodeDetail([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := askSQL(t.Context(), e, q)
		wire("compile", compiled, err)
		explained, err := askPlan(t.Context(), e, q)
		wire("explain", explained, err)
		result, err := askRows(t.Context(), e, q)
		wire("execute", result, err)
	case "attribute":
		q, err := query.DecodeAttribute([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		report, err := e.Attribute(t.Context(), q)
		wire("attribute", report, err)
	}
	return out
}

func TestSaved_RequestEqualsTheRequestWrittenOut(t *testing.T) {
	e := savedShop(t)
	for _, c := range []struct{ name, kind, request, written string }{
		{"top_regions", "query", `{}`,
			`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"time_range":{"start":"2024-01-01"},"order_by":[{"key":"revenue","desc":true}],"limit":5}`},
		{"top_regions", "query", `{"params":{"since":"2024-02-01","most":1},"pretty":true}`,
			`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"time_range":{"start":"2024-02-01"},"order_by":[{"key":"revenue","desc":true}],"limit":1,"pretty":true}`},
		{"top_regions", "query", `{"limit":null,"where_sql":"orders.status = 'completed'","order_by":[{"key":"region"}]}`,
			`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"time_range":{"start":"2024-01-01"},"order_by":[{"key":"region"}],"where_sql":"orders.status = 'completed'"}`},
		{"TOP_regions", "query", `{"time_range":null,"group_by":[],"order_by":null}`, `{"metrics":["revenue"],"limit":5}`},
		{"of_status", "query", `{"params":{"status":"completed"}}`,
			`{"metrics":["revenue","order_count"],"where_sql":"status = 'completed' AND amount > 0 - -0.5 AND NOT (is_large AND FALSE)"}`},
		{"of_status", "query", `{"params":{"status":"completed","large":true,"least":7}}`,
			`{"metrics":["revenue","order_count"],"where_sql":"status = 'completed' AND amount > 0 - 7 AND NOT (is_large AND TRUE)"}`},
		{"of_status", "query", `{"where_sql":"amount > 60"}`, `{"metrics":["revenue","order_count"],"where_sql":"amount > 60"}`},
		{"above_limit", "query", `{}`, `{"metrics":["above"],"params":{"t":60}}`},
		{"above_limit", "query", `{"params":{"limit_of_amount":90}}`, `{"metrics":["above"],"params":{"t":90}}`},
		{"above_limit", "query", `{"params":{"t":90}}`, `{"metrics":["above"],"params":{"t":90}}`},
		{"above_limit", "query", `{"params":{"t":[70,90]}}`, `{"metrics":["above"],"params":{"t":[70,90]}}`},
		{"above_limit", "query", `{"params":{"t":null}}`, `{"metrics":["above"]}`},
		{"above_limit", "query", `{"params":null}`, `{"metrics":["above"]}`},
		{"above_limit", "query", `{"params":{}}`, `{"metrics":["above"],"params":{"t":60}}`},
		{"above_fixed", "query", `{"metrics":["revenue"],"params":null}`, `{"metrics":["revenue"]}`},
		{"by_month", "query", `{"params":{"b":"2024-02-01","c":"2024-02-20"}}`,
			`{"metrics":["revenue"],"context_filter":"orders.order_date < DATE '2024-02-20'","time_ranges":{"first":{"start":"2024-01-01","end":"2024-02-01"},"second":{"start":"2024-02-01"}}}`},
		{"big_orders", "select", `{"params":{"least":100}}`, `{"from":"orders","fields":["order_id","amount"],"where_sql":"amount >= 100"}`},
		{"big_orders", "select", `{"fields":["status"],"limit":1}`, `{"from":"orders","fields":["status"],"where_sql":"amount >= 80","limit":1}`},
		{"change", "attribute", `{}`,
			`{"metric":"revenue","dimensions":["customers.region"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`},
		{"change", "attribute", `{"params":{"from":"2024-01-10"},"dimensions":["orders.status"]}`,
			`{"metric":"revenue","dimensions":["orders.status"],"baseline":{"start":"2024-01-10","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`},
	} {
		want := answers(t, e, c.kind, c.written)
		for name, text := range want {
			if strings.HasPrefix(text, "{") {
				want[name] = strings.TrimSuffix(text, "}") + `,"saved":"` + strings.ToLower(c.name) + `"}`
			} else {
				t.Errorf("%s: %s", c.written, text)
			}
		}
		request := strings.Replace(strings.Replace(c.request, "{", `{"saved":"`+c.name+`",`, 1), `",}`, `"}`, 1)
		got := answers(t, e, c.kind, request)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s %s: %s", c.name, c.request, d)
		}
	}
}

func TestSaved_RefusalsAndTheirRetries(t *testing.T) {
	e := savedShop(t)
	for _, c := range []struct {
		request, code, message string
		candidates             []string
		retry                  string // the query that the retry leads to compiles when it is not ""
	}{
		{`{"saved":"top_region"}`, "unknown_saved_query", "top_region", []string{"top_regions"}, `{"saved":"top_regions"}`},
		{`{"saved":"big_orders"}`, "bad_request", "/v1/select/execute", nil, ""},
		{`{"saved":"change"}`, "bad_request", "/v1/query/attribute", nil, ""},
		{`{"saved":"broken"}`, "unknown_metric", "revenu", []string{"revenue"}, ""},
		{`{"saved":"unread"}`, "unknown_query_key", "limitt", []string{"limit"}, ""},
		{`{"saved":"malformed"}`, "invalid_vendor_extension", "dialect", nil, ""},
		{`{"saved":"of_status"}`, "param_out_of_domain", "needs a value for status", nil, `{"params":{"status":"text"}}`},
		{`{"saved":"of_status","params":{"statsu":"completed"}}`, "unknown_metric_param", "binds statsu", []string{"status"}, `{"params":{"status":"completed"}}`},
		{`{"saved":"of_status","params":{"status":5,"large":true}}`, "param_out_of_domain", "status takes text", nil, `{"params":{"status":"5","large":true}}`},
		{`{"saved":"of_status","params":{"status":["a","b"]}}`, "param_out_of_domain", "one value, not a list", nil, `{"params":{"status":"a"}}`},
		{`{"saved":"of_status","params":{"status":null}}`, "param_out_of_domain", "status takes text", nil, `{"params":{"status":"text"}}`},
		{`{"saved":"top_regions","params":{"most":1000}}`, "param_out_of_domain", "above the maximum", nil, `{"params":{"most":100}}`},
		{`{"saved":"top_regions","params":{"sinc":"2024-02-01","most":3}}`, "unknown_metric_param", "sinc", []string{"since", "most"}, `{"params":{"since":"2024-02-01","most":3}}`},
		{`{"saved":"top_regions","params":{"t":1}}`, "unknown_metric_param", "binds t", []string{"since", "most"}, ""},
		{`{"saved":"above_limit","params":{"t":-1,"limit_of_amount":70}}`, "param_out_of_domain", "minimum of t", nil, `{"params":{"limit_of_amount":70,"t":0}}`},
		{`{"saved":"above_fixed","metrics":["revenue"]}`, "unknown_metric_param", "binds t", nil, `{"params":{"t":null}}`},
		{`{"saved":"top_regions","order_by":[{"key":"revenu"}]}`, "unknown_order_key", "revenu", nil, `{"order_by":[{"key":"revenue"}]}`},
		{`{"saved":"top_regions","where_sql":"orders.amount > :x"}`, "unsupported_filter", "slot :x", nil, ""},
		{`{"saved":"top_regions","limit":":most"}`, "bad_request", "limit must be", nil, ""},
		{`{"saved":5}`, "bad_request", "saved must be a string", nil, ""},
	} {
		q, err := query.DecodeMetric([]byte(c.request))
		if err == nil {
			_, err = askSQL(t.Context(), e, q)
		}
		if codeOf(err) != c.code || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: %v, want %s with %q", c.request, err, c.code, c.message)
			continue
		}
		var refused *planerr.Error
		if !errors.As(err, &refused) {
			continue
		}
		for i, name := range c.candidates {
			if len(refused.Candidates) <= i || refused.Candidates[i] != name {
				t.Errorf("%s: candidates %v, want %v first", c.request, refused.Candidates, c.candidates)
				break
			}
		}
		if c.retry != "" && refused.SuggestedRetry != c.retry {
			t.Errorf("%s: retry %s, want %s", c.request, refused.SuggestedRetry, c.retry)
		}
		if strings.HasPrefix(refused.SuggestedRetry, "{") {
			merged := mergeBody(t, c.request, refused.SuggestedRetry)
			if _, err := askSQL(t.Context(), e, metricQuery(t, merged)); err != nil && codeOf(err) == c.code {
				t.Errorf("%s: the retry leads to %s: %v", c.request, merged, err)
			}
		}
	}
}

// mergeBody replaces top-level keys of a request, as a client does with a suggested retry.
func mergeBody(t *testing.T, request, fragment string) string {
	t.Helper()
	var body, patch map[string]json.RawMessage
	if err := json.Unmarshal([]byte(request), &body); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(fragment), &patch); err != nil {
		t.Fatal(err)
	}
	maps.Copy(body, patch)
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// No value of a parameter changes what the statement is: it is one literal of it.
func TestSaved_ValuesAreLiterals(t *testing.T) {
	e := savedShop(t)
	for _, value := range []string{
		"completed' OR '1' = '1", "' OR TRUE --", "'; DROP TABLE orders; --", `\' OR 1=1 --`, `" OR ""="`, ":status", "a:least", "/* */", "--",
		"\u2019 OR 1=1", `","limit":1,"x":"`, `\u0022`, "${x}", "{{x}}", "%_%", "\n", "", strings.Repeat("'", 1000), "NULL", "TRUE", "DATE '2024-01-01'",
	} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		request := metricQuery(t, `{"saved":"of_status","params":{"status":`+string(text)+`}}`)
		literal, err := json.Marshal("status = '" + strings.ReplaceAll(value, "'", "''") + "' AND amount > 0 - -0.5 AND NOT (is_large AND FALSE)")
		if err != nil {
			t.Fatal(err)
		}
		want, err := askRows(t.Context(), e, metricQuery(t, `{"metrics":["revenue","order_count"],"where_sql":`+string(literal)+`}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := askRows(t.Context(), e, request)
		if err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		if got.SQL != want.SQL || string(got.Rows) != `[{"revenue":null,"order_count":0}]` {
			t.Errorf("%q: %s\n%s", value, got.SQL, got.Rows)
		}
	}
	for _, body := range []string{
		`{"saved":"top_regions","params":{"since":"2024-01-01\",\"end\":\"2024-01-02"}}`,
		`{"saved":"top_regions","params":{"since":"2024-01-01' OR '1'='1"}}`,
		`{"saved":"top_regions","params":{"most":"5"}}`,
		`{"saved":"of_status","params":{"status":"a","least":"1 OR 1=1"}}`,
		`{"saved":"of_status","params":{"status":"a","large":"TRUE OR TRUE"}}`,
	} {
		if _, err := askSQL(t.Context(), e, metricQuery(t, body)); codeOf(err) != "param_out_of_domain" {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestSaved_ListAndFindings(t *testing.T) {
	e := savedShop(t)
	list := e.SavedQueries()
	var names []string
	for _, s := range list {
		names = append(names, s.Kind+" "+s.Name)
	}
	want := []string{
		"query top_regions", "query of_status", "query above_limit", "query above_fixed", "select big_orders", "query by_month", "attribute change", "query broken", "query unread",
	}
	if d := cmp.Diff(want, names); d != "" {
		t.Error(d)
	}
	text, err := engine.MarshalWireJSON(list[0])
	if err != nil {
		t.Fatal(err)
	}
	const first = `{"name":"top_regions","kind":"query","description":"Regions by revenue","questions":["Which regions sell most?"],` +
		`"params":{"most":{"type":"int","required":false,"default":5,"min":0,"max":100},"since":{"type":"date","required":false,"default":"2024-01-01"}},` +
		`"metrics":["revenue"],"dimensions":["customers.region"],"verified":{"by":"finance","on":"2024-05-01"}}`
	if string(text) != first {
		t.Errorf("%s", text)
	}
	var found []string
	for _, c := range e.CompileErrors() {
		if _, place, ok := strings.Cut(c.Location, ".data."); ok {
			first, _, _ := strings.Cut(strings.Join(c.Candidates, ","), ",")
			found = append(found, c.Code+" "+place+" "+first)
		}
	}
	if d := cmp.Diff([]string{
		"saved_query_invalid queries[7] revenue",
		"saved_query_invalid queries[8] limit",
		"invalid_vendor_extension queries[9].query.dialect ",
	}, found); d != "" {
		t.Error(d)
	}
	if empty, err := engine.MarshalWireJSON(shop(t).SavedQueries()); err != nil || string(empty) != "[]" {
		t.Errorf("%s, %v", empty, err)
	}
}

// A slot of top and of compare is filled like one of a range: the saved query is the query with
// the value in its place.
func TestSaved_SlotsOfConstructs(t *testing.T) {
	queries := `[{"name": "kept", "params": [{"name": "n", "type": "int", "default": 1, "min": 1}, {"name": "label", "type": "string", "default": "rest"}, {"name": "years", "type": "int", "default": 1}],
	  "query": {"metrics": ["revenue", {"name": "least", "expression": "MIN(orders.amount)"}], "group_by": [{"field": "customers.region"}, {"name": "large", "expression": "orders.amount > 60"}],
	            "totals": [["region"], []], "shares": [{"metric": "revenue"}], "time_range": {"start": "2024-01-01", "end": "2025-01-01"},
	            "compare": {"offset": {"count": ":years", "unit": "year"}}, "top": {"dimension": "region", "n": ":n", "other": ":label"}}}]`
	model := read(t, "testdata/orders.yaml") + "    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"queries\": " + strings.ReplaceAll(queries, "\n", " ") + "}'}]\n"
	e := open(t, engine.Config{ModelText: []byte(model), Setup: []string{read(t, "testdata/orders.sql")}})
	for _, found := range e.CompileErrors() {
		if found.Code == "saved_query_invalid" {
			t.Fatal(found)
		}
	}
	for params, want := range map[string]string{
		`{}`: `"n":1,"other":"rest"`, `{"n":2,"label":":n"}`: `"n":2,"other":":n"`,
	} {
		whole := `{"metrics":["revenue",{"name":"least","expression":"MIN(orders.amount)"}],"group_by":[{"field":"customers.region"},{"name":"large","expression":"orders.amount > 60"}],` +
			`"totals":[["region"],[]],"shares":[{"metric":"revenue"}],"time_range":{"start":"2024-01-01","end":"2025-01-01"},"compare":{"offset":{"count":1,"unit":"year"}},"top":{"dimension":"region",` + want + `}}`
		saved, err := askSQL(t.Context(), e, metricQuery(t, `{"saved":"kept","params":`+params+`}`))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := askSQL(t.Context(), e, metricQuery(t, whole))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(plain.SQL, saved.SQL); d != "" {
			t.Errorf("%s: %s", params, d)
		}
	}
	var refused *planerr.Error
	if _, err := askSQL(t.Context(), e, metricQuery(t, `{"saved":"kept","params":{"n":0}}`)); !errors.As(err, &refused) || refused.Code != "param_out_of_domain" {
		t.Errorf("%v", err)
	}
	// Names replace the inline metrics of the saved query too.
	if c, err := askSQL(t.Context(), e, metricQuery(t, `{"saved":"kept","metrics":["order_count"],"shares":null}`)); err != nil || strings.Contains(c.SQL, "least") || !strings.Contains(c.SQL, "order_count__previous") {
		t.Errorf("%+v %v", c, err)
	}
}
