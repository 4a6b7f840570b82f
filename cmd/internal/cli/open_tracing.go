package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// traceFlushTimeout is how long a server that ends tries to hand over its last spans.
const traceFlushTimeout = 5 * time.Second

// isTraceExportEnabled reports whether the variables of OpenTelemetry enable traces: they name an
// endpoint, and none turns traces off.
func isTraceExportEnabled(getenv func(string) string) bool {
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return false
	}
	switch exporter := getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "":
		return getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
	default:
		return exporter == "otlp"
	}
}

// otlpProtocol returns the protocol that the variables request.
func otlpProtocol(getenv func(string) string) string {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if p := getenv(name); p != "" {
			return p
		}
	}
	return supportedOTLPProtocol
}

const supportedOTLPProtocol = "http/protobuf"

// openTracing makes what the usual variables of OpenTelemetry request, nil when
// they request nothing. A server never fails for want of traces: what is wrong
// with them is logged. done hands over the last spans.
func openTracing(ctx context.Context, version string, log *slog.Logger) (provider trace.TracerProvider, done func()) {
	none := func() {}
	if !isTraceExportEnabled(os.Getenv) {
		return nil, none
	}
	if p := otlpProtocol(os.Getenv); p != supportedOTLPProtocol {
		log.Warn("no traces are sent: OTEL_EXPORTER_OTLP_PROTOCOL names a protocol that this build does not support", "protocol", p, "supported", supportedOTLPProtocol)
		return nil, none
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		log.Warn("no traces are sent: the variables of OpenTelemetry are invalid", "error", err)
		return nil, none
	}
	self, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "semlayer"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(),
		resource.WithFromEnv(), // last: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win
	)
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		log.Warn("OTEL_RESOURCE_ATTRIBUTES is invalid", "error", err)
	}
	// The library reports failures of the exporter to one handler of the process.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) }))
	made := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(self))
	return made, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceFlushTimeout)
		defer cancel()
		if err := made.Shutdown(ctx); err != nil {
			log.Warn("the last traces were not sent", "error", err)
		}
	}
}
