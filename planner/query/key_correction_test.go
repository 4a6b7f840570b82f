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

func decodeMetric(body string) error    { _, err := query.DecodeMetric([]byte(body)); return err }
func decodeDetail(body string) error    { _, err := query.DecodeDetail([]byte(body)); return err }
func decodeAttribute(body string) error { _, err := query.DecodeAttribute([]byte(body)); return err }

func unknownKeySignal(t *testing.T, err error) *planerr.Error {
	t.Helper()
	var perr *planerr.Error
	if !errors.As(err, &perr) || perr.Code != "unknown_query_key" {
		t.Fatalf("not an unknown key: %v", err)
	}
	return perr
}

func TestUnknownKey_PatchCorrects(t *testing.T) {
	for _, c := range []struct {
		name   string
		decode func(string) error
		body   string
		says   string
		first  string // candidate
		retry  string
	}{
		{"two letters swapped", decodeMetric, `{"metrcis":["revenue"]}`,
			`the query has no key "metrcis"; did you mean "metrics"?`, "metrics", `{"metrics":["revenue"],"metrcis":null}`},
		{"another language's name", decodeMetric, `{"metrics":["a"],"filter":"x > 1"}`,
			`the query has no key "filter"; did you mean "where_sql"?`, "where_sql", `{"where_sql":"x > 1","filter":null}`},
		{"camel case", decodeMetric, `{"metrics":["a"],"groupBy":[{"field":"a"}]}`,
			`did you mean "group_by"?`, "group_by", `{"group_by":[{"field":"a"}],"groupBy":null}`},
		{"a name like no other goes", decodeMetric, `{"metrics":["a"],"zzzzzzzz":1}`,
			`the query has no key "zzzzzzzz"`, "", `{"zzzzzzzz":null}`},
		{"the right key is there already", decodeMetric, `{"metrics":["a"],"metric":["b"]}`,
			`the query has no key "metric"`, "metrics", `{"metric":null}`},
		{"a value that the near key does not take", decodeMetric, `{"metrics":["a"],"limits":{"a":1}}`,
			`the query has no key "limits"`, "limit", `{"limits":null}`},
		{"nested", decodeMetric, `{"metrics":["a"],"group_by":[{"field":"a"},{"feild":"b","grain":"day"}]}`,
			`group_by[1] has no key "feild"; did you mean "field"?`, "field", `{"group_by":[{"field":"a"},{"field":"b","grain":"day"}]}`},
		{"nested in a named range", decodeMetric, `{"metrics":["a"],"time_ranges":{"x":{"strat":"2024-01-01"}}}`,
			`time_ranges.x has no key "strat"; did you mean "start"?`, "start", `{"time_ranges":{"x":{"start":"2024-01-01"}}}`},
		{"nested and to be removed", decodeMetric, `{"metrics":["a"],"order_by":[{"key":"a","zzzzzz":1}]}`,
			`order_by[0] has no key "zzzzzz"`, "", `{"order_by":[{"key":"a"}]}`},
		{"several at once", decodeMetric, `{"metrcis":["a"],"order_by":[{"kye":"a"}],"limt":5,"nonsense":[{}]}`,
			`"metrcis"`, "metrics", `{"metrics":["a"],"order_by":[{"key":"a"}],"limit":5,"metrcis":null,"limt":null,"nonsense":null}`},
		{"under a wrong name and wrong inside", decodeMetric, `{"metrics":["a"],"orderby":[{"kye":"a"}]}`,
			`"orderby"`, "order_by", `{"order_by":[{"key":"a"}],"orderby":null}`},
		{"case counts", decodeMetric, `{"Metrics":["a"]}`, `"Metrics"; did you mean "metrics"?`, "metrics", `{"metrics":["a"],"Metrics":null}`},
		{"escapes survive", decodeMetric, `{"metrcis":["\u00e9\"\\"],"a\"\n":1}`, `"metrcis"`, "metrics", `{"metrics":["\u00e9\"\\"],"metrcis":null,"a\"\u000a":null}`},
		{"metrics in a detail query", decodeDetail, `{"from":"orders","field":["a"]}`,
			`the query has no key "field"; did you mean "fields"?`, "fields", `{"fields":["a"],"field":null}`},
		{"another language's name inside a group", decodeMetric, `{"metrics":["a"],"group_by":[{"dimension":"x.y"}]}`,
			`group_by[0] has no key "dimension"; did you mean "field"?`, "field", `{"group_by":[{"field":"x.y"}]}`},
		{"another language's name inside an order", decodeMetric, `{"metrics":["a"],"order_by":[{"field":"a","desc":true}]}`,
			`did you mean "key"?`, "key", `{"order_by":[{"key":"a","desc":true}]}`},
		{"another language's names inside a range", decodeMetric, `{"metrics":["a"],"time_range":{"from":"2024-01-01","to":"2024-02-01"}}`,
			`did you mean "start"?`, "start", `{"time_range":{"start":"2024-01-01","end":"2024-02-01"}}`},
		{"one where a list is wanted", decodeMetric, `{"metric":"a"}`,
			`did you mean "metrics"?`, "metrics", `{"metrics":["a"],"metric":null}`},
		{"names where groups are wanted", decodeMetric, `{"metrics":["a"],"dimensions":["x.y","z"]}`,
			`did you mean "group_by"?`, "group_by", `{"group_by":[{"field":"x.y"},{"field":"z"}],"dimensions":null}`},
		{"a population in a detail query", decodeDetail, `{"from":"orders","fields":["a"],"context_filter":"a > 1"}`,
			`did you mean "where_sql"?`, "where_sql", `{"where_sql":"a > 1","context_filter":null}`},
		{"an object where the name of a metric is wanted", decodeMetric, `{"metrics":["a",{"metric":"b"}]}`,
			`metrics[1] has no key "metric"`, "", `{"metrics":["a","b"]}`},
		{"a window takes no dimension", decodeAttribute, `{"metric":"m","baseline":{"start":"a","dimension":"b"}}`,
			`baseline has no key "dimension"`, "", `{"baseline":{"start":"a"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := unknownKeySignal(t, c.decode(c.body))
			if !contains(e.Message, c.says) {
				t.Errorf("message %q does not say %q", e.Message, c.says)
			}
			if c.first != "" && (len(e.Candidates) == 0 || e.Candidates[0] != c.first) {
				t.Errorf("candidates %v, want %s first", e.Candidates, c.first)
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

func TestMisspeltWord_PatchTakesTheNearest(t *testing.T) {
	const sequence = `"name":"f","entity":["p"],"steps":[{"name":"a","dataset":"e"},{"name":"b","dataset":"e"}]`
	for _, c := range []struct{ body, candidate, retry string }{
		{`{"metrics":["m"],"fan_out":"refuze"}`, "refuse", `{"fan_out":"refuse"}`},
		{`{"metrics":["m"],"week_start":"Sunday"}`, "sunday", `{"week_start":"sunday"}`},
		{`{"metrics":["m"],"sequences":[{` + sequence + `,"order":"anny"}]}`, "any", `{"sequences":[{` + sequence + `,"order":"any"}]}`},
		{`{"metrics":["m"],"sequences":[{` + sequence + `,"order":"anny","start":"frst"}]}`, "any", `{"sequences":[{` + sequence + `,"order":"any","start":"first"}]}`},
		{`{"metrics":["m"],"sequences":[{` + sequence + `,"every":"weeks","periods":2}]}`, "week", `{"sequences":[{` + sequence + `,"every":"week","periods":2}]}`},
		{`{"metrics":["m"],"sequences":[{` + sequence + `,"within":{"count":7,"granularity":"dayy"}}]}`, "day",
			`{"sequences":[{` + sequence + `,"within":{"count":7,"granularity":"day"}}]}`},
		{`{"metrics":["m"],"compare":{"offset":{"count":1,"unit":"year"},"align":"weekdays"}}`, "weekday",
			`{"compare":{"offset":{"count":1,"unit":"year"},"align":"weekday"}}`},
		{`{"metrics":["m"],"compare":[{"range":{"start":"2023-01-01","end":"2024-01-01"}},{"name":"ly","offset":{"count":1,"unit":"year"},"align":"WEEKDAY"}]}`, "weekday",
			`{"compare":[{"range":{"start":"2023-01-01","end":"2024-01-01"}},{"name":"ly","offset":{"count":1,"unit":"year"},"align":"weekday"}]}`},
		{`{"metrics":["m"],"top":{"dimension":"a","n":1,"rank":{"time_range":{"last":{"n":2,"unit":"months"}}}}}`, "month",
			`{"top":{"dimension":"a","n":1,"rank":{"time_range":{"last":{"n":2,"unit":"month"}}}}}`},
		{`{"metrics":["m"],"sequences":[{` + sequence + `,"order":"backwards"}]}`, "any", ""},
	} {
		var e *planerr.Error
		if err := decodeMetric(c.body); !errors.As(err, &e) || e.Code != planerr.CodeBadRequest {
			t.Fatalf("%s: %v", c.body, err)
		}
		if len(e.Candidates) == 0 || c.retry != "" && e.Candidates[0] != c.candidate {
			t.Errorf("%s: candidates %v, want %s first", c.body, e.Candidates, c.candidate)
		}
		if d := cmp.Diff(c.retry, e.SuggestedRetry); d != "" {
			t.Errorf("%s: %s", c.body, d)
		}
		if c.retry == "" {
			continue
		}
		if err := decodeMetric(merge(t, c.body, e.SuggestedRetry)); err != nil {
			t.Errorf("the patched body is refused: %v", err)
		}
	}
}

// A patch that loses a condition would answer another question, and one that leaves
// an object without what it needs is rejected again.
func TestUnknownKey_LossyPatchBecomesText(t *testing.T) {
	t.Run("a correction that would lose a condition is given in words instead of a patch", func(t *testing.T) {
		for _, c := range []struct{ body, words string }{
			{`{"metrics":["a"],"filters":[{"member":"x","values":["1"]}]}`, `write "filters" in terms of metrics, `},
			{`{"metrics":["a"],"where_sql":"x > 1","filter":"y > 2"}`, `write "filter" in terms of metrics, `},
			{`{"metrics":["a"],"time_range":{"during":"7 days"}}`, `write "during" in terms of start, `},
			{`{"metrics":["a"],"group_by":[{"zzzzzz":1}]}`, `write "zzzzzz" in terms of field, grain, part, name`},
			{`{"metrics":["a"],"group_by":[{"grain":"day","zzzzzz":"x"}]}`, `use field, grain, part, name`},
		} {
			e := unknownKeySignal(t, decodeMetric(c.body))
			if !strings.HasPrefix(e.SuggestedRetry, c.words) {
				t.Errorf("%s: %q, want %q", c.body, e.SuggestedRetry, c.words)
			}
		}
	})
}

func TestUnknownKey_CandidatesNearestFirst(t *testing.T) {
	e := unknownKeySignal(t, decodeMetric(`{"metrics":["a"],"order_by":[{"ky":"a"}]}`))
	if d := cmp.Diff([]string{"key", "desc"}, e.Candidates); d != "" {
		t.Error(d)
	}
	if e := unknownKeySignal(t, decodeMetric(`{"q":1}`)); len(e.Candidates) != 20 {
		t.Errorf("%d candidates, and an error has at most 20", len(e.Candidates))
	}
	if e := unknownKeySignal(t, decodeMetric(`{"filter":"a > 1"}`)); len(e.Candidates) != 20 || e.Candidates[0] != "where_sql" {
		t.Errorf("candidates %v", e.Candidates)
	}
}

func contains(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i:i+len(part)] == part {
			return true
		}
	}
	return false
}

// merge applies a patch as a caller does: whole top-level keys are replaced,
// null removes one.
func merge(t *testing.T, body, patch string) string {
	t.Helper()
	var into, by map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &into); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(patch), &by); err != nil {
		t.Fatalf("the retry is no JSON object: %v", err)
	}
	for k, v := range by {
		if string(v) == "null" {
			delete(into, k)
		} else {
			into[k] = v
		}
	}
	merged, err := json.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	return string(merged)
}
