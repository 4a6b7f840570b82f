package restapi_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

func tracingServer(t *testing.T, s restapi.Service) (*restapi.Server, *tracetest.SpanRecorder) {
	t.Helper()
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	t.Cleanup(func() { _ = provider.Shutdown(context.Background()) })
	return serve(t, s, restapi.Config{Tracer: provider}), spans
}

// spanLine returns a span as one line.
func spanLine(span sdktrace.ReadOnlySpan) string {
	out := []string{span.SpanKind().String(), span.Name()}
	for _, a := range span.Attributes() {
		out = append(out, string(a.Key)+"="+a.Value.String())
	}
	if span.Status().Code == codes.Error {
		out = append(out, "error: "+span.Status().Description)
	}
	return strings.Join(out, " ")
}

func TestTracing_SpanPerRequestAndPhase(t *testing.T) {
	s, spans := tracingServer(t, engineOf(t, "orders", engine.Config{}))
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	response := do(t, s, request("POST", "/v1/query/execute", `{"metrics":["revenue"],"where_sql":"orders.status = 'hidden'"}`, "Traceparent", parent, "X-Request-Id", "one"))
	var got []string
	for _, span := range spans.Ended() {
		got = append(got, spanLine(span))
		if id := span.SpanContext().TraceID().String(); id != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("%s is of trace %s", span.Name(), id)
		}
	}
	want := []string{
		"internal plan db.system.name=duckdb",
		"client execute db.system.name=duckdb db.response.returned_rows=1",
		"server POST /v1/query/execute http.request.method=POST http.route=/v1/query/execute http.response.status_code=200 semlayer.request_id=one semlayer.query_id=" + response.header.Get("X-Query-Id"),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	ended := spans.Ended()
	if ended[2].Parent().SpanID().String() != "b7ad6b7169203331" || !ended[2].Parent().IsRemote() {
		t.Errorf("the request's parent is %v", ended[2].Parent())
	}
	for _, phase := range ended[:2] {
		if phase.Parent().SpanID() != ended[2].SpanContext().SpanID() {
			t.Errorf("%s is not below the request", phase.Name())
		}
	}
}

func TestTracing_SpansCarryErrorCodes(t *testing.T) {
	for _, c := range []struct {
		name, path, body string
		want             []string
	}{
		{"a query that cannot be planned", "/v1/query/compile", `{"metrics":["revenu"]}`, []string{
			"internal plan db.system.name=duckdb error.type=unknown_metric error: unknown_metric",
			"server POST /v1/query/compile http.request.method=POST http.route=/v1/query/compile http.response.status_code=400 semlayer.request_id=one semlayer.query_id=@ error.type=unknown_metric",
		}},
		{"a statement that is refused", "/v1/sql/execute", `{"sql":"SELECT status, MEASURE(revenue) FROM orders"}`, []string{
			"internal plan db.system.name=duckdb error.type=sql_group_by_required error: sql_group_by_required",
			"server POST /v1/sql/execute http.request.method=POST http.route=/v1/sql/execute http.response.status_code=400 semlayer.request_id=one semlayer.query_id=@ error.type=sql_group_by_required",
		}},
		{"no route", "/v1/x?token=secret", "", []string{
			"server other other http.request.method=other http.route=other http.response.status_code=404 semlayer.request_id=one error.type=bad_request",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, spans := tracingServer(t, engineOf(t, "orders", engine.Config{}))
			response := do(t, s, request("POST", c.path, c.body, "X-Request-Id", "one"))
			var got []string
			for _, span := range spans.Ended() {
				got = append(got, strings.Replace(spanLine(span), "query_id="+response.header.Get("X-Query-Id"), "query_id=@", 1))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestTracing_ServerFailureFailsSpan(t *testing.T) {
	s, spans := tracingServer(t, failing(&engine.ExecuteError{Code: "connection"}))
	do(t, s, request("POST", "/v1/query/execute", aQuery))
	if ended := spans.Ended(); len(ended) != 1 || ended[0].Status().Code != codes.Error || ended[0].Status().Description != "connection" {
		t.Errorf("%v", ended)
	}
}
