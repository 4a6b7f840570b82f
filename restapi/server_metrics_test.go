package restapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// scrape reads the metrics as Prometheus does.
func scrape(t *testing.T, s *restapi.Server) map[string]*dto.MetricFamily {
	t.Helper()
	got := do(t, s, request("GET", "/metrics", ""))
	if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %v", got.status, got.header)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(got.body))
	if err != nil {
		t.Fatalf("%v\n%s", err, got.body)
	}
	return families
}

// value sums the samples of a family whose labels hold all of want, given as
// name, value, name, value.
func value(families map[string]*dto.MetricFamily, name string, want ...string) float64 {
	var sum float64
next:
	for _, m := range families[name].GetMetric() {
		labels := map[string]string{}
		for _, l := range m.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		for i := 0; i < len(want); i += 2 {
			if labels[want[i]] != want[i+1] {
				continue next
			}
		}
		sum += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
	}
	return sum
}

func TestMetrics_CountRequests(t *testing.T) {
	e := engineOf(t, "orders", engine.Config{MaxExecutions: 7, Version: "v1.2.3"})
	s := serve(t, e, restapi.Config{Tokens: []string{"t"}})
	ask := func(path, body string) {
		do(t, s, request("POST", path, body, "Authorization", "Bearer t"))
	}
	for range 3 {
		ask("/v1/query/compile", aQuery)
	}
	ask("/v1/query/compile", `{"metrics":["revenu"]}`)
	ask("/v1/query/explain", aQuery)
	ask("/v1/query/execute", `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`)
	do(t, s, request("POST", "/v1/query/execute", aQuery))
	ask("/nowhere", "")
	rows := strings.Count(do(t, s, request("POST", "/v1/query/execute", `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`, "Authorization", "Bearer t")).body, `"status":`)
	// A slot becomes free shortly after its response is sent.
	testwait.Until(t, "the slots are free", func() bool { return value(scrape(t, s), "semlayer_executions_in_flight") == 0 })
	got := scrape(t, s)
	for _, c := range []struct {
		want   float64
		name   string
		labels []string
	}{
		{3, "semlayer_http_requests_total", []string{"method", "POST", "route", "/v1/query/compile", "status", "200", "code", "ok"}},
		{1, "semlayer_http_requests_total", []string{"route", "/v1/query/compile", "status", "400", "code", "unknown_metric"}},
		{2, "semlayer_http_requests_total", []string{"route", "/v1/query/execute", "status", "200"}},
		{1, "semlayer_http_requests_total", []string{"method", "POST", "route", "/v1/query/execute", "status", "401", "code", "unauthorized"}},
		{1, "semlayer_http_requests_total", []string{"method", "other", "route", "other", "status", "404", "code", "bad_request"}},
		{4, "semlayer_http_request_duration_seconds", []string{"route", "/v1/query/compile"}},
		{1, "semlayer_http_requests_in_flight", nil}, // the scrape itself
		{7, "semlayer_plan_duration_seconds", nil},   // of 4 compiles, 1 explain, 2 executions
		{2, "semlayer_execute_duration_seconds", []string{"dialect", "duckdb"}},
		{float64(2 * rows), "semlayer_rows_total", nil},
		{7, "semlayer_executions_capacity", nil},
		{0, "semlayer_executions_in_flight", nil},
		{0, "semlayer_connection_executions_in_flight", []string{"connection", ""}},
		{0, "semlayer_executions_rejected_total", nil},
		{1, "semlayer_pool_connections", []string{"connection", "", "dialect", "duckdb", "state", "idle"}},
		{7, "semlayer_pool_connections_max", []string{"dialect", "duckdb"}},
		{1, "semlayer_build_info", []string{"version", "v1.2.3"}},
		{0, "semlayer_draining", nil},
		{0, "semlayer_panics_total", nil},
	} {
		if v := value(got, c.name, c.labels...); v != c.want || got[c.name] == nil {
			t.Errorf("%s%v: %v, want %v", c.name, c.labels, v, c.want)
		}
	}
	if rows == 0 {
		t.Error("the query has no rows")
	}
	for _, name := range []string{"go_goroutines", "process_open_fds"} {
		if value(got, name) == 0 {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestMetrics_CountPanicsAndBusy(t *testing.T) {
	s := serve(t, fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) { panic("x") }}, restapi.Config{})
	do(t, s, request("POST", "/v1/query/execute", aQuery))
	got := scrape(t, s)
	if value(got, "semlayer_panics_total") != 1 || value(got, "semlayer_http_requests_total", "status", "500", "code", "internal") != 1 {
		t.Errorf("%v", got["semlayer_panics_total"])
	}
}

// However a client varies what it sends, the number of series stays.
func TestMetrics_LabelsNotFromRequest(t *testing.T) {
	e := engineOf(t, "orders", engine.Config{})
	s := serve(t, e, restapi.Config{})
	hostile := func(i int) {
		junk := fmt.Sprintf("x%d\"{}\n", i)
		for _, r := range []*http.Request{
			request("GET", fmt.Sprintf("/v1/x%d", i), ""),
			request("GET", fmt.Sprintf("/v1/metrics?x%d=1", i), ""),
			request("GET", fmt.Sprintf("/v1/dimensions?metric=x%d", i), ""),
			request(fmt.Sprintf("M%d", i), "/v1/model", ""),
			request("POST", "/v1/query/compile", fmt.Sprintf(`{"metrics":[%q]}`, junk)),
			request("POST", "/v1/query/compile", fmt.Sprintf(`{"metrics":["revenue"],"dialect":%q}`, junk)),
			request("POST", "/v1/query/execute", fmt.Sprintf(`{"metrics":["revenue"],"connection":%q}`, junk)),
			request("POST", "/v1/query/compile", aQuery, "X-Request-Id", fmt.Sprint("id", i), "User-Agent", junk[:3], "Host", fmt.Sprint("h", i)),
		} {
			do(t, s, r)
		}
	}
	series := func() (n int) {
		for _, family := range scrape(t, s) {
			if strings.HasPrefix(family.GetName(), "semlayer_") {
				n += len(family.GetMetric())
			}
		}
		return n
	}
	hostile(0)
	scrape(t, s) // whose own series is there from now on
	before := series()
	for i := range 50 {
		hostile(i)
	}
	if after := series(); after != before {
		t.Errorf("%d series became %d", before, after)
	}
	if body := do(t, s, request("GET", "/metrics", "")).body; strings.Contains(body, "x7") || strings.Contains(body, "M7") {
		t.Error("what a client sent is in the metrics")
	}
}

func TestMetrics_UnknownCodeIsNotLabel(t *testing.T) {
	s := serve(t, failing(&engine.ExecuteError{Code: "made up", Message: "m"}), restapi.Config{})
	do(t, s, request("POST", "/v1/query/execute", aQuery))
	if got := scrape(t, s); value(got, "semlayer_http_requests_total", "code", "other") != 1 {
		t.Errorf("%v", got["semlayer_http_requests_total"])
	}
}

func TestMetrics_StreamCountedAtEnd(t *testing.T) {
	source := &batches{left: 3, after: func() error { return &engine.ExecuteError{Code: "driver"} }}
	s := serve(t, streaming(source), restapi.Config{})
	base := live(t, s)
	got := posted(t, base, aQuery)
	buffer := make([]byte, 1<<20)
	var err error
	for err == nil {
		_, err = got.Body.Read(buffer)
	}
	if errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	testwait.Until(t, "the stream is counted", func() bool {
		return value(scrape(t, s), "semlayer_http_requests_total", "route", "/v1/query/execute", "status", "200", "code", "driver") == 1
	})
}
