package pgwire

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// sendWarning sends a warning.
func (s *session) sendWarning(state, message string) {
	s.out.queueMessage(&pgproto3.NoticeResponse{Severity: "WARNING", SeverityUnlocalized: "WARNING", Code: state, Message: message})
}

// sendColumns sends the description of rows, or that there are none.
func (s *session) sendColumns(columns []Column, formats []int16) {
	if columns == nil {
		s.out.queueMessage(&pgproto3.NoData{})
		return
	}
	fields := make([]pgproto3.FieldDescription, len(columns))
	for i, c := range columns {
		fields[i] = pgproto3.FieldDescription{
			Name: []byte(c.Name), TableOID: c.Table, TableAttributeNumber: c.Attribute, DataTypeOID: c.Type, DataTypeSize: value.TypeSize(c.Type), TypeModifier: -1,
		}
		if formats != nil {
			fields[i].Format = formats[i]
		}
	}
	s.out.queueMessage(&pgproto3.RowDescription{Fields: fields})
}

// sendRows sends at most so many rows of a portal, all for a negative number.
func (s *session) sendRows(ctx context.Context, p *portal, most int64) (n int64, more bool, err error) {
	columns := len(p.columns)
	return p.fetchRows(ctx, most, func(r statementRows) error {
		buf, err := appendDataRow(s.out.buf, r, columns)
		if err != nil {
			return err
		}
		s.out.buf = buf
		return s.out.flushWhenFull()
	})
}

// sendCommandComplete sends the tag of a statement.
func (s *session) sendCommandComplete(tag string) {
	s.out.queueMessage(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
}

// commandTagForRows returns the tag of a statement that gave rows.
func commandTagForRows(p *portal, n int64) string {
	switch p.prepared.statement.(type) {
	case *statement.Show:
		return "SHOW"
	case *statement.Explain:
		return "EXPLAIN"
	case *statement.Fetch:
		return "FETCH " + strconv.FormatInt(n, 10)
	}
	return "SELECT " + strconv.FormatInt(n, 10)
}

// rejectInFailedTransaction rejects what a failed transaction does not take.
func (s *session) rejectInFailedTransaction(c statement.Statement) error {
	if s.tx.state != transactionFailed {
		return nil
	}
	switch c.(type) {
	case *statement.Commit, *statement.Rollback, *statement.RollbackTo:
		return nil
	}
	return newSessionError(sqlstateInFailedTransaction, "current transaction is aborted, commands ignored until end of transaction block")
}

// recordOutcomeAndSendError records one statement in log, metrics and traces and, after an error, sends it.
func (s *session) recordOutcomeAndSendError(ctx context.Context, r *statementRecord, kind statementKind, n int64, err error) {
	outcome := outcomeOK
	level := slog.LevelInfo
	attributes := []slog.Attr{slog.String("surface", "sql"), slog.String("kind", string(kind)), slog.String("model", s.model.Name), slog.Uint64("session", uint64(s.processID))}
	if err != nil {
		e := errorResponse(ctx, err)
		outcome = e.Code
		switch e.Code {
		case sqlstateConnectionFailure:
			outcome = outcomeClientGone
		case sqlstateInternalError:
			level = slog.LevelError
			s.server.config.Logger.Debug("a defect in a statement of the PostgreSQL port", "error", err)
		}
		s.out.queueMessage(e)
		s.failTransaction()
	}
	attributes = append(attributes, slog.String("outcome", outcome), slog.Int64("rows", n),
		slog.Float64("took_ms", float64(time.Since(r.start).Microseconds())/1000))
	if kind == statementKindSession && err == nil {
		level = slog.LevelDebug
	}
	s.server.config.Logger.LogAttrs(ctx, level, "statement", attributes...)
	s.server.metrics.countStatement(kind, outcome)
	r.endSpan(kind, outcome)
}
