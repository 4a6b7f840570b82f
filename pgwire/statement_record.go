package pgwire

import (
	"context"
	"time"

	tag "go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/semlayer/semlayer/engine"
)

// statementKind is the kind of a statement in metrics and logs.
type statementKind string

const (
	statementKindSemantic  statementKind = "semantic"
	statementKindCatalogue statementKind = "catalogue"
	statementKindSession   statementKind = "session"
)

// statementTracing makes the spans of statements and of their phases; without a provider it makes none. A span holds
// no text of a statement.
type statementTracing struct {
	tracer trace.Tracer // nil: nothing is traced
}

func newStatementTracing(p trace.TracerProvider) statementTracing {
	if p == nil {
		return statementTracing{}
	}
	return statementTracing{p.Tracer("github.com/semlayer/semlayer/pgwire")}
}

// statementRecord is what is known of one statement for the log, the metrics and the traces. It observes the phases of the
// engine.
type statementRecord struct {
	tracing statementTracing
	span    trace.Span // nil where nothing is traced
	start   time.Time
}

// newUntracedStatementRecord begins the record of a message that executes nothing.
func newUntracedStatementRecord() *statementRecord { return &statementRecord{start: time.Now()} }

// startStatementRecord begins the record of a statement.
func (t statementTracing) startStatementRecord(ctx context.Context) (context.Context, *statementRecord) {
	r := newUntracedStatementRecord()
	if t.tracer == nil {
		return ctx, r
	}
	r.tracing = t
	ctx, r.span = t.tracer.Start(ctx, "SQL", trace.WithSpanKind(trace.SpanKindServer))
	return engine.WithPhaseObserver(ctx, r), r
}

// endSpan ends the span of a statement.
func (r *statementRecord) endSpan(kind statementKind, state string) {
	if r.span == nil {
		return
	}
	r.span.SetAttributes(tag.String("semlayer.statement.kind", string(kind)))
	if state != outcomeOK {
		r.span.SetAttributes(tag.String("error.type", state))
		r.span.SetStatus(codes.Error, state)
	}
	r.span.End()
}

// Begin is called by the engine where a phase begins.
func (r *statementRecord) Begin(ctx context.Context, w engine.PhaseInfo) (inner context.Context, end func(engine.PhaseOutcome)) {
	ctx, span := r.tracing.tracer.Start(ctx, string(w.Phase), trace.WithAttributes(tag.String("db.system.name", w.Dialect)))
	return ctx, func(o engine.PhaseOutcome) {
		switch {
		case o.Err != nil:
			span.SetStatus(codes.Error, "error")
		case o.Rows > 0:
			span.SetAttributes(tag.Int64("db.response.returned_rows", o.Rows))
		}
		span.End()
	}
}
