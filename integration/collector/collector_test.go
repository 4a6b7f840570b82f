package collector

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

// span is a span that the collector has received.
type span struct {
	name, kind, id, parent, trace string
	attributes, resource          map[string]any
}

// exported is an exporter that keeps the spans of a collector.
type exported struct {
	component.StartFunc
	component.ShutdownFunc
	mu    sync.Mutex
	spans []span
}

func (e *exported) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (e *exported) ConsumeTraces(_ context.Context, traces ptrace.Traces) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, resource := range traces.ResourceSpans().All() {
		for _, scope := range resource.ScopeSpans().All() {
			for _, s := range scope.Spans().All() {
				e.spans = append(e.spans, span{
					s.Name(), s.Kind().String(), s.SpanID().String(), s.ParentSpanID().String(), s.TraceID().String(),
					s.Attributes().AsRaw(), resource.Resource().Attributes().AsRaw(),
				})
			}
		}
	}
	return nil
}

// ofTrace returns the spans of a trace by their names.
func (e *exported) ofTrace(trace string) map[string]span {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := map[string]span{}
	for _, s := range e.spans {
		if s.trace == trace {
			out[s.name] = s
		}
	}
	return out
}

// freeAddress returns an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	return ln.Addr().String()
}

// collect runs a collector with addresses for HTTP and gRPC, until stop is called or the test ends.
func collect(t *testing.T, overHTTP, overGRPC, more string) (kept *exported, stop func()) {
	t.Helper()
	kept = &exported{}
	kind := component.MustNewType("kept")
	exporters := exporter.NewFactory(kind, func() component.Config { return &struct{}{} },
		exporter.WithTraces(func(context.Context, exporter.Settings, component.Config) (exporter.Traces, error) { return kept, nil }, component.StabilityLevelStable))
	config := fmt.Sprintf(`yaml:
receivers: {otlp: {protocols: {http: {endpoint: %q%s}, grpc: {endpoint: %q}}}}
exporters: {kept: }
service:
  telemetry: {logs: {level: error}, metrics: {level: none}}
  pipelines: {traces: {receivers: [otlp], exporters: [kept]}}
`, overHTTP, more, overGRPC)
	c, err := otelcol.NewCollector(otelcol.CollectorSettings{
		BuildInfo: component.BuildInfo{Command: "collector", Version: "test"},
		Factories: func() (otelcol.Factories, error) {
			return otelcol.Factories{
				Receivers: map[component.Type]receiver.Factory{otlpreceiver.NewFactory().Type(): otlpreceiver.NewFactory()},
				Exporters: map[component.Type]exporter.Factory{kind: exporters},
				Telemetry: otelconftelemetry.NewFactory(),
			}, nil
		},
		DisableGracefulShutdown: true,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			URIs: []string{config}, ProviderFactories: []confmap.ProviderFactory{yamlprovider.NewFactory()},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(context.Background()) }()
	stop = sync.OnceFunc(func() {
		c.Shutdown()
		if err := <-ended; err != nil {
			t.Errorf("the collector ended with %v", err)
		}
	})
	t.Cleanup(stop)
	until(t, "the collector runs", func() bool { return c.GetState() == otelcol.StateRunning })
	return kept, stop
}

const (
	parentTrace = "0af7651916cd43dd8448eb211c80319c"
	parentSpan  = "b7ad6b7169203331"
	query       = `{"metrics":["revenue"],"where_sql":"orders.amount < 4242"}`
)

func TestCollector_HasTheTraceOfAQuery(t *testing.T) {
	overHTTP := freeAddress(t)
	kept, _ := collect(t, overHTTP, freeAddress(t), "")
	s := serve(t, "OTEL_EXPORTER_OTLP_ENDPOINT=http://"+overHTTP, "OTEL_SERVICE_NAME=shop", "OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=night")
	for path, body := range map[string]string{
		"/v1/query/execute": query,
		"/mcp":              `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_query","arguments":` + query + `}}`,
	} {
		trace := strings.Repeat("1", 31) + fmt.Sprint(len(path)%10)
		queryID := s.ask(path, body, "00-"+trace+"-"+parentSpan+"-01", "request-of-"+path[1:3])
		t.Run(path, func(t *testing.T) {
			var spans map[string]span
			until(t, "the collector has the three spans of the request", func() bool {
				spans = kept.ofTrace(trace)
				return len(spans) == 3
			})
			request, plan, execute := spans["POST "+path], spans["plan"], spans["execute"]
			if request.parent != parentSpan || request.kind != "Server" || plan.parent != request.id || execute.parent != request.id || execute.kind != "Client" {
				t.Errorf("request %+v\nplan %+v\nexecute %+v", request, plan, execute)
			}
			want := map[string]any{
				"http.request.method": "POST", "http.route": path, "http.response.status_code": int64(200),
				"semlayer.request_id": "request-of-" + path[1:3], "semlayer.query_id": queryID,
			}
			if got := fmt.Sprint(request.attributes); got != fmt.Sprint(want) {
				t.Errorf("the request has the attributes %s, want %v", got, want)
			}
			if got := execute.attributes; got["db.system.name"] != "duckdb" || got["db.response.returned_rows"] != int64(1) {
				t.Errorf("execute has the attributes %v", got)
			}
			if got := request.resource; got["service.name"] != "shop" || got["service.version"] == "" || got["deployment.environment.name"] != "night" {
				t.Errorf("the resource is %v", got)
			}
			if text := fmt.Sprint(spans); strings.Contains(text, "4242") || strings.Contains(text, "SELECT") {
				t.Errorf("the spans have a text of the query: %s", text)
			}
			until(t, "the log names the trace", func() bool { return strings.Contains(s.output.String(), "trace_id="+trace) })
			if metrics := s.metrics("application/openmetrics-text"); !strings.Contains(metrics, `trace_id="`+trace+`"`) {
				t.Errorf("no exemplar has the trace:\n%s", metrics)
			}
		})
	}
}

// A collector that is down costs a line of the log. Its return is enough: the server sends the spans of later requests.
func TestCollector_ReturnsAfterAnOutage(t *testing.T) {
	overHTTP := freeAddress(t)
	s := serve(t, "OTEL_EXPORTER_OTLP_ENDPOINT=http://"+overHTTP, "OTEL_EXPORTER_OTLP_TIMEOUT=500", "OTEL_BSP_SCHEDULE_DELAY=50")
	s.ask("/v1/query/execute", query, "", "")
	until(t, "the log has the failure", func() bool { return strings.Contains(s.output.String(), "level=WARN msg=traces error=") })
	kept, _ := collect(t, overHTTP, freeAddress(t), "")
	until(t, "the collector has a span of a later request", func() bool {
		s.ask("/v1/query/execute", query, "00-"+parentTrace+"-"+parentSpan+"-01", "")
		return len(kept.ofTrace(parentTrace)) == 3
	})
}

// The standard variables choose the path of the collector and the traces that it gets.
func TestCollector_GetsSampledTraces(t *testing.T) {
	overHTTP := freeAddress(t)
	kept, _ := collect(t, overHTTP, freeAddress(t), ", traces_url_path: /of/shop")
	s := serve(t, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://"+overHTTP+"/of/shop", "OTEL_TRACES_SAMPLER=parentbased_always_off")
	s.ask("/v1/query/execute", query, "", "")
	s.ask("/v1/query/execute", query, "00-"+parentTrace+"-"+parentSpan+"-01", "")
	s.end()
	if got := kept.ofTrace(parentTrace); len(got) != 3 || len(kept.spans) != 3 {
		t.Errorf("the collector has %d spans, of the sampled trace %d", len(kept.spans), len(got))
	}
}

// gRPC is not supported: the log has a warning, and the server serves and sends nothing.
func TestCollector_GetsNothingOverGRPC(t *testing.T) {
	overGRPC := freeAddress(t)
	kept, _ := collect(t, freeAddress(t), overGRPC, "")
	s := serve(t, "OTEL_EXPORTER_OTLP_ENDPOINT=http://"+overGRPC, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc")
	s.ask("/v1/query/execute", query, "", "")
	if !strings.Contains(s.output.String(), `level=WARN msg="no traces are sent: OTEL_EXPORTER_OTLP_PROTOCOL names a protocol that this build does not support" protocol=grpc supported=http/protobuf`) {
		t.Errorf("the log has no warning: %s", s.output.String())
	}
	s.end()
	if len(kept.spans) > 0 {
		t.Errorf("the collector has %v", kept.spans)
	}
}
