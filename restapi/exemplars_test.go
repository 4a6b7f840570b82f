package restapi_test

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

const openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// durationHistograms are the histograms that a query fills.
var durationHistograms = []string{"semlayer_http_request_duration_seconds", "semlayer_plan_duration_seconds", "semlayer_execute_duration_seconds"}

func TestMetrics_ExemplarsNameTheTrace(t *testing.T) {
	s, _ := tracingServer(t, engineOf(t, "orders", engine.Config{}))
	const trace = "0af7651916cd43dd8448eb211c80319c"
	query := func(flags string) {
		do(t, s, request("POST", "/v1/query/execute", `{"metrics":["revenue"]}`, "Traceparent", "00-"+trace+"-b7ad6b7169203331-"+flags))
	}
	exemplars := func(accept string) (found int) {
		got := do(t, s, request("GET", "/metrics", "", "Accept", accept))
		for _, name := range durationHistograms {
			if regexp.MustCompile(`(?m)^` + name + `_bucket\{.*# \{trace_id="` + trace + `"\}`).MatchString(got.body) {
				found++
			}
		}
		return found
	}
	query("00") // the client samples its trace out
	if n := exemplars(openMetrics); n != 0 {
		t.Errorf("a trace that is not sent is the exemplar of %d histograms", n)
	}
	query("01")
	if n := exemplars(openMetrics); n != len(durationHistograms) {
		t.Errorf("%d histograms have the exemplar", n)
	}
	if n := exemplars("text/plain"); n != 0 {
		t.Errorf("the text format has %d exemplars", n)
	}
	got := do(t, s, request("GET", "/metrics", "", "Accept", openMetrics))
	if !strings.HasSuffix(got.body, "# EOF\n") || !strings.HasPrefix(got.header.Get("Content-Type"), "application/openmetrics-text") {
		t.Error(got.header, got.body[max(0, len(got.body)-80):])
	}
	for _, accept := range []string{"", "*/*", "text/plain", "image/png", "application/openmetrics-text; version=9.0.0"} {
		got := do(t, s, request("GET", "/metrics", "", "Accept", accept))
		if !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain; version=0.0.4") || strings.Contains(got.body, "# EOF") {
			t.Errorf("%q: %v", accept, got.header)
		}
	}
}

func TestMetrics_NativeHistogramsBesideClassicOnes(t *testing.T) {
	s := serve(t, engineOf(t, "orders", engine.Config{}), restapi.Config{})
	do(t, s, request("POST", "/v1/query/execute", `{"metrics":["revenue"]}`))
	got := do(t, s, request("GET", "/metrics", "", "Accept", "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"))
	decoder := expfmt.NewDecoder(strings.NewReader(got.body), expfmt.NewFormat(expfmt.TypeProtoDelim))
	found := map[string]bool{}
	for {
		var family dto.MetricFamily
		if err := decoder.Decode(&family); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, m := range family.GetMetric() {
			if h := m.GetHistogram(); h != nil && h.GetSampleCount() > 0 && len(h.GetBucket()) > 0 && len(h.GetPositiveSpan()) > 0 {
				found[family.GetName()] = true
			}
		}
	}
	for _, name := range durationHistograms {
		if !found[name] {
			t.Errorf("%s is not both", name)
		}
	}
}
