package restapi

import (
	"context"
	"errors"

	"github.com/valyala/fasthttp"
	tag "go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/semlayer/semlayer/engine"
)

// requestTracing makes the spans of requests and of their phases; without a provider it makes
// none. Like the log, spans hold no text of a query: their values are fixed words of the
// interface, ids and numbers.
type requestTracing struct {
	tracer trace.Tracer // nil: nothing is traced
}

func newRequestTracing(p trace.TracerProvider) requestTracing {
	if p == nil {
		return requestTracing{}
	}
	return requestTracing{p.Tracer("github.com/semlayer/semlayer/restapi")}
}

// startRequestSpan begins the span of a request, under the span of the program that has
// received it, else under the trace that its traceparent header names.
func (t requestTracing) startRequestSpan(ctx context.Context, h *fasthttp.RequestHeader) (context.Context, trace.Span) {
	if t.tracer == nil {
		return ctx, nil
	}
	if !trace.SpanContextFromContext(ctx).IsValid() {
		ctx = propagation.TraceContext{}.Extract(ctx, traceHeaderCarrier{h})
	}
	return t.tracer.Start(ctx, "HTTP", trace.WithSpanKind(trace.SpanKindServer))
}

// startPhaseSpan begins the span of a phase.
func (t requestTracing) startPhaseSpan(ctx context.Context, w engine.PhaseInfo) (context.Context, trace.Span) {
	if t.tracer == nil {
		return ctx, nil
	}
	attributes := []tag.KeyValue{tag.String("db.system.name", w.Dialect)}
	if w.Connection != "" {
		attributes = append(attributes, tag.String("semlayer.connection", w.Connection))
	}
	kind := trace.SpanKindInternal
	if w.Phase == engine.PhaseExecute {
		kind = trace.SpanKindClient
	}
	return t.tracer.Start(ctx, string(w.Phase), trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
}

func endPhaseSpan(ctx context.Context, span trace.Span, o engine.PhaseOutcome) {
	if span == nil {
		return
	}
	if o.Err != nil && errors.Is(context.Cause(ctx), errClientDisconnected) {
		setSpanError(span, CodeClientGone)
	} else if o.Err != nil {
		setSpanError(span, errorCodeOf(o.Err))
	} else if o.Rows > 0 {
		span.SetAttributes(tag.Int64("db.response.returned_rows", o.Rows))
	}
	span.End()
}

// endRequestSpan ends the span of a request. Its ids are those of the log, and the query has its id in the warehouse too.
func endRequestSpan(x *requestRecord, id string, status int) {
	if x.span == nil {
		return
	}
	x.span.SetName(x.method + " " + x.route)
	x.span.SetAttributes(
		tag.String("http.request.method", x.method),
		tag.String("http.route", x.route),
		tag.Int("http.response.status_code", status),
		tag.String("semlayer.request_id", id),
	)
	if x.queryID != "" {
		x.span.SetAttributes(tag.String("semlayer.query_id", x.queryID))
	}
	if x.choice.model != nil && x.choice.model.label != "" {
		x.span.SetAttributes(tag.String("semlayer.model", x.choice.model.Name))
	}
	if x.code != "" {
		x.span.SetAttributes(tag.String("error.type", x.code))
		if status >= fasthttp.StatusInternalServerError || status == fasthttp.StatusOK {
			x.span.SetStatus(codes.Error, x.code)
		}
	}
	x.span.End()
}

func setSpanError(span trace.Span, code string) {
	span.SetAttributes(tag.String("error.type", code))
	span.SetStatus(codes.Error, code)
}

// traceHeaderCarrier shows the headers of a request to the propagator.
type traceHeaderCarrier struct{ h *fasthttp.RequestHeader }

func (c traceHeaderCarrier) Get(key string) string { return string(c.h.Peek(key)) }

func (c traceHeaderCarrier) Set(key, value string) { c.h.Set(key, value) }

func (c traceHeaderCarrier) Keys() []string {
	var keys []string
	for key := range c.h.All() {
		keys = append(keys, string(key))
	}
	return keys
}
