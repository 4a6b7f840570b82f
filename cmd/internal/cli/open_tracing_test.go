package cli

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

func TestTracing_EnabledByOTelVariables(t *testing.T) {
	t.Run("traces are sent when the variables of OpenTelemetry name an endpoint", func(t *testing.T) {
		for _, c := range []struct {
			name      string
			variables map[string]string
			want      bool
		}{
			{"nothing set", nil, false},
			{"an endpoint", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, true},
			{"an endpoint for traces", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"}, true},
			{"an exporter without an endpoint", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, true},
			{"turned off", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"}, false},
			{"traces turned off", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"}, false},
			{"only a name", map[string]string{"OTEL_SERVICE_NAME": "shop"}, false},
		} {
			if got := isTraceExportEnabled(func(name string) string { return c.variables[name] }); got != c.want {
				t.Errorf("%s: %v", c.name, got)
			}
		}
	})
}

func TestTracing_SpansReachCollector(t *testing.T) {
	var path, header atomic.Value
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		path.Store(r.URL.Path)
		header.Store(r.Header.Get("X-Key"))
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k")
	provider, done := openTracing(t.Context(), "v0", slog.New(slog.DiscardHandler))
	if provider == nil {
		t.Fatal("no provider")
	}
	_, span := provider.Tracer("test").Start(t.Context(), "a span")
	span.End()
	done()
	if path.Load() != "/v1/traces" || header.Load() != "k" {
		t.Errorf("path %v, header %v", path.Load(), header.Load())
	}
}

// A collector that accepts connections and sends no response delays neither the requests nor, beyond traceFlushTimeout, the end.
func TestTracing_HangingCollectorDelaysNoRequest(t *testing.T) {
	log := new(testwait.Log)
	asked, free := make(chan struct{}, 1), make(chan struct{})
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case asked <- struct{}{}:
		default:
		}
		<-free
	}))
	defer collector.Close()
	defer close(free)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	provider, done := openTracing(t.Context(), "v0", slog.New(slog.NewTextHandler(log, nil)))
	if provider == nil {
		t.Fatal("no provider")
	}
	spans, ended := make(chan struct{}), make(chan struct{})
	go func() {
		for range 20_000 { // ten times what waits for the collector at most
			_, span := provider.Tracer("test").Start(t.Context(), "a span")
			span.End()
		}
		close(spans)
	}()
	testwait.Receive(t, "a request to the collector", asked)
	testwait.Receive(t, "the end of the spans", spans)
	go func() {
		done()
		close(ended)
	}()
	testwait.Receive(t, "the end of the server", ended)
	if !strings.Contains(log.String(), "level=WARN msg=\"the last traces were not sent\"") && !strings.Contains(log.String(), "level=WARN msg=traces") {
		t.Errorf("the log does not report the lost traces: %s", log.String())
	}
}

func TestTracing_BrokenExporterDoesNotStopServer(t *testing.T) {
	for name, c := range map[string]struct{ variable, value, says string }{
		"a protocol of another build": {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL"},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
			t.Setenv(c.variable, c.value)
			provider, done := openTracing(t.Context(), "v0", slog.New(slog.NewTextHandler(&log, nil)))
			done()
			if provider != nil || !strings.Contains(log.String(), c.says) {
				t.Errorf("%v: %s", provider, log.String())
			}
		})
	}
}
