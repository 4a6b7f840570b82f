package planner_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Keys that exclude each other are rejected before anything else of the query, such as the
// metric no_such.
func TestConflicts_AreFoundFirst(t *testing.T) {
	cat, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	const ranges = `"time_ranges":{"a":{"start":"2024-01-01"}}`
	for _, c := range []struct {
		body       string
		candidates []string
		removes    string // the key that a retry removes
	}{
		{`{"metrics":["no_such"],"distinct":true}`, []string{"metrics", "distinct"}, "distinct"},
		{`{"metrics":[{"name":"a","expression":"SUM("}],"distinct":true,"totals":[[]]}`, []string{"metrics", "distinct"}, "distinct"},
		{`{"distinct":true,"totals":[[]]}`, []string{"distinct", "totals"}, "totals"},
		{`{"distinct":true,"shares":[{"metric":"no_such"}]}`, []string{"distinct", "shares"}, "shares"},
		{`{"distinct":true,"compare":{"offset":{"count":1,"unit":"day"}}}`, []string{"distinct", "compare"}, "compare"},
		{`{"distinct":true,"top":{"dimension":"a","n":1}}`, []string{"distinct", "top"}, "top"},
		{`{"distinct":true,"fill":{}}`, []string{"distinct", "fill"}, "fill"},
		{`{"distinct":true,` + ranges + `}`, []string{"distinct", "time_ranges"}, "time_ranges"},
		{`{"metrics":["no_such"],"from":"orders"}`, []string{"distinct", "from"}, "from"},
		{`{"metrics":["no_such"],"compare":{"offset":{"count":1,"unit":"day"}},` + ranges + `}`, []string{"time_ranges", "compare"}, "compare"},
		{`{"metrics":["no_such"],"fill":{},` + ranges + `}`, []string{"time_ranges", "fill"}, "fill"},
		{`{"metrics":["no_such"],"as_of":"2024-01-01"}`, []string{"last", "as_of"}, "as_of"},
		{`{"metrics":["no_such"],"as_of":"2024-01-01","time_range":{"start":"2024-01-01"}}`, []string{"last", "as_of"}, "as_of"},
		{`{"metrics":["no_such"],"time_range":{"end":"2024-01-01","last":{"n":1,"unit":"day"}}}`, []string{"time_range.end", "time_range.last"}, "time_range"},
		{`{"metrics":["no_such"],"time_ranges":{"b":{"start":"2024-01-01"},"a":{"start":"2024-01-01","end":"2024-02-01","last":{"n":1,"unit":"day"}}}}`,
			[]string{"time_ranges.a.start", "time_ranges.a.last"}, "time_ranges"},
	} {
		_, err := planner.New(cat).PlanMetrics(t.Context(), decoded(t, query.DecodeMetric, c.body), duckdb)
		checkConflict(t, c.body, err, c.candidates, c.removes)
	}
	for _, c := range []struct {
		body       string
		candidates []string
		removes    string
	}{
		{`{"from":"no_such","fields":["x"],"as_of":"2024-01-01"}`, []string{"last", "as_of"}, "as_of"},
		{`{"from":"no_such","fields":["x"],"time_range":{"start":"2024-01-01","last":{"n":1,"unit":"day"}}}`, []string{"time_range.start", "time_range.last"}, "time_range"},
	} {
		_, err := planner.New(cat).PlanDetail(t.Context(), decoded(t, query.DecodeDetail, c.body), duckdb)
		checkConflict(t, c.body, err, c.candidates, c.removes)
	}
}

func checkConflict(t *testing.T, body string, err error, candidates []string, removes string) {
	t.Helper()
	var refused *planerr.Error
	if !errors.As(err, &refused) || refused.Code != planerr.CodeConflictingKeys {
		t.Errorf("%s: %v", body, err)
		return
	}
	if d := cmp.Diff(candidates, refused.Candidates); d != "" {
		t.Errorf("%s: %s", body, d)
	}
	if _, ok := refused.Fragment[removes]; !ok || len(refused.Fragment) != 1 {
		t.Errorf("%s: fragment %v, want one of %s", body, refused.Fragment, removes)
	}
}

// The retry of a conflict is one that plans: it corrects every conflict of the query.
func TestConflicts_RetryPlans(t *testing.T) {
	cat, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ body, retry string }{
		{`{"metrics":["revenue"],"distinct":true,"as_of":"2024-01-01"}`, `{"as_of":null,"distinct":null}`},
		{`{"metrics":["revenue"],"from":"orders"}`, `{"from":null}`},
		{`{"metrics":["revenue"],"time_range":{"start":"2024-01-01","dimension":"orders.order_date","last":{"n":1,"unit":"day"}}}`,
			`{"time_range":{"start":"2024-01-01","dimension":"orders.order_date"}}`},
		{`{"metrics":["revenue"],"compare":{"offset":{"count":1,"unit":"day"}},"fill":{},"time_ranges":{"a":{"start":"2024-01-01"}}}`, `{"compare":null,"fill":null}`},
		{`{"metrics":["revenue"],"time_ranges":{"a":{"start":"2024-01-01","last":{"n":1,"unit":"day"}},"b":{"end":"2024-01-01","last":{"n":1,"unit":"day"}}}}`,
			`{"time_ranges":{"a":{"start":"2024-01-01"},"b":{"end":"2024-01-01"}}}`},
	} {
		_, err := planner.New(cat).PlanMetrics(t.Context(), decoded(t, query.DecodeMetric, c.body), duckdb)
		var refused *planerr.Error
		if !errors.As(err, &refused) || refused.Code != planerr.CodeConflictingKeys || refused.SuggestedRetry != c.retry {
			t.Errorf("%s: %v, retry %s", c.body, err, refused.SuggestedRetry)
		}
	}
}

// A query with a key has another plan than the query without it, or is rejected: no key is
// read and then forgotten.
func TestKeys_NoneIsIgnored(t *testing.T) {
	cat, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	explain := func(body string) (string, error) {
		p, err := planner.New(cat).PlanMetrics(t.Context(), decoded(t, query.DecodeMetric, body), duckdb)
		if err != nil {
			return "", err
		}
		return plan.Explain(p.Root), nil
	}
	const plain = `{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"products.category"}],
		"time_range":{"start":"2024-01-01","end":"2024-03-01"}`
	without, err := explain(plain + "}")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		`"totals":[[]]`, `"shares":[{"metric":"revenue"}]`, `"compare":{"offset":{"count":1,"unit":"month"}}`,
		`"top":{"dimension":"category","n":1}`, `"fill":{"value":0}`, `"distinct":true`, `"from":"orders"`, `"as_of":"2024-01-01"`,
		`"time_zone":"no such zone"`,
	} {
		if with, err := explain(plain + "," + key + "}"); err == nil && with == without {
			t.Errorf("%s changes nothing", key)
		}
	}
}
