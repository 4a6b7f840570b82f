package restapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

// logRequest writes the one line of a request. Its attributes are fixed words and numbers
// of the server. Text of the client and messages of a warehouse may hold literals and
// secrets, and are logged at debug level only.
func (s *Server) logRequest(x *requestRecord, id string, status int, took time.Duration, e streamOutcome) {
	level := slog.LevelInfo
	switch {
	case x.code == CodeClientGone: // no fault of the server
	case x.code != "" && (status >= fiber.StatusInternalServerError || e.err != nil):
		level = slog.LevelWarn
	case x.debugLog:
		level = slog.LevelDebug
	}
	log := s.config.Logger
	if !log.Enabled(x.ctx, level) {
		return
	}
	omitted := 0
	if x.code == engine.CodeBusy && !log.Enabled(x.ctx, slog.LevelDebug) {
		var ok bool
		if omitted, ok = s.busy.admitLine(x.startTime.Add(took)); !ok {
			return
		}
	}
	attributes := make([]slog.Attr, 0, 18)
	attributes = append(attributes,
		slog.String("request_id", id),
		slog.String("method", x.method),
		slog.String("route", x.route),
		slog.Int("status", status),
	)
	if x.choice.model != nil && x.choice.model.label != "" {
		attributes = append(attributes, slog.String("model", x.choice.model.Name))
	}
	if x.queryID != "" {
		attributes = append(attributes, slog.String("query_id", x.queryID))
	}
	if q := x.question.Load(); q != nil {
		for _, a := range []slog.Attr{
			slog.String("plane", string(q.Plane)), slog.String("metrics", joinLoggedNames(q.Metrics)),
			slog.String("dialect", q.Dialect), slog.String("connection", shortenLoggedName(q.Connection)),
		} {
			if a.Value.String() != "" {
				attributes = append(attributes, a)
			}
		}
	}
	if x.cacheUse != nil {
		if outcome := x.cacheUse.Outcome(); outcome != "" {
			attributes = append(attributes, slog.String("cache", outcome))
		}
		if names := x.cacheUse.Rollups(); len(names) > 0 {
			attributes = append(attributes, slog.String("rollups", joinLoggedNames(names)))
		}
	}
	if x.code != "" {
		attributes = append(attributes, slog.String("code", x.code))
	}
	if e.state != "" {
		attributes = append(attributes, slog.String("end", e.state))
	}
	attributes = append(attributes, millisecondsAttr("took_ms", took))
	if plan := x.plan.Load(); plan > 0 {
		attributes = append(attributes, millisecondsAttr("plan_ms", time.Duration(plan)))
	}
	if execute := x.execute.Load(); execute > 0 {
		attributes = append(attributes, millisecondsAttr("execute_ms", time.Duration(execute)), slog.Int64("rows", x.rows.Load()))
	}
	if omitted > 0 {
		attributes = append(attributes, slog.Int("omitted", omitted))
	}
	if x.span != nil && x.span.SpanContext().IsSampled() {
		attributes = append(attributes, slog.String("trace_id", x.span.SpanContext().TraceID().String()))
	}
	// Not by LogAttrs: that looks up who calls it, which is always here.
	line := slog.NewRecord(x.startTime.Add(took), level, "request", 0)
	line.AddAttrs(attributes...)
	_ = log.Handler().Handle(x.ctx, line) // as slog does: there is nowhere to report the error
	if e.err != nil && log.Enabled(x.ctx, slog.LevelDebug) {
		log.LogAttrs(x.ctx, slog.LevelDebug, "why a stream ended", slog.String("request_id", id), slog.String("error", e.err.Error()))
	}
}

// millisecondsAttr returns an attribute of a duration in milliseconds: one unit is easier to compare in a log than those
// that a Duration chooses.
func millisecondsAttr(key string, d time.Duration) slog.Attr {
	return slog.Float64(key, math.Round(float64(d.Microseconds()))/1000)
}

// logInternalError logs an internal error of the server. The text of an error or of a panic
// may repeat parts of a query, so it is logged at debug level only. Errors of the Go
// runtime do not repeat any, and are logged always.
func (s *Server) logInternalError(ctx context.Context, message, id string, what any, stack string) {
	attributes := []slog.Attr{slog.String("request_id", id)}
	var runtimeError runtime.Error
	if err, ok := what.(error); ok && errors.As(err, &runtimeError) {
		attributes = append(attributes, slog.String("cause", runtimeError.Error()))
	} else {
		attributes = append(attributes, slog.String("cause", fmt.Sprintf("%T", what)))
	}
	if stack != "" {
		attributes = append(attributes, slog.String("stack", stack))
	}
	s.config.Logger.LogAttrs(ctx, slog.LevelError, message, attributes...)
	if s.config.Logger.Enabled(ctx, slog.LevelDebug) {
		s.config.Logger.LogAttrs(ctx, slog.LevelDebug, message, slog.String("request_id", id), slog.String("text", fmt.Sprint(what)))
	}
}
