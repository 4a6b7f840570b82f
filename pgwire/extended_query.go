package pgwire

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// runExtendedMessageOrSkipToSync answers one message of the extended protocol. After an error everything to the next Sync is skipped.
func (s *session) runExtendedMessageOrSkipToSync(ctx context.Context, work func(ctx context.Context) error) {
	record := newUntracedStatementRecord()
	_ = s.withStatementContext(ctx, func(ctx context.Context) error {
		err := work(ctx)
		if err != nil {
			s.skipping = true
			s.recordOutcomeAndSendError(ctx, record, s.kindOfFailure, 0, err)
			_ = s.out.flush() // a client may wait for it with Flush alone; the next message shows a failure
		}
		return err
	})
}

func (s *session) answerParse(ctx context.Context, m *pgproto3.Parse) error {
	s.kindOfFailure = statementKindSession
	if m.Name == "" {
		delete(s.statements, "")
	}
	if hasSeveralStatements(m.Query) {
		return newSessionError(sqlstateSyntaxError, "a prepared statement is one statement")
	}
	p, err := s.parseStatement(m.Query, slices.Clone(m.ParameterOIDs))
	if err != nil {
		return err
	}
	s.kindOfFailure = p.kind
	if _, empty := p.statement.(*statement.Empty); !empty {
		if err := s.rejectInFailedTransaction(p.statement); err != nil {
			return err
		}
	}
	if err := s.describeQueryAtParse(ctx, m.Name, p); err != nil {
		return err
	}
	if err := s.addPreparedStatement(m.Name, p); err != nil {
		return err
	}
	s.out.queueMessage(&pgproto3.ParseComplete{})
	return nil
}

// describeQueryAtParse describes a query that is described at its first use anyhow, so that its errors are those of Parse.
func (s *session) describeQueryAtParse(ctx context.Context, name string, p *preparedStatement) error {
	if _, _, ok := statement.QueryText(p.statement); !ok || name == "" && !strings.Contains(p.text, "$") {
		return nil
	}
	return s.describeStatement(ctx, p)
}

func (s *session) answerBind(ctx context.Context, m *pgproto3.Bind) error {
	p, err := s.findPreparedStatement(m.PreparedStatement)
	if err != nil {
		return err
	}
	s.kindOfFailure = p.kind
	if err := s.rejectInFailedTransaction(p.statement); err != nil {
		return err
	}
	params, err := s.readBindParams(ctx, p, m)
	if err != nil {
		return err
	}
	formats := slices.Clone(m.ResultFormatCodes)
	if len(formats) == 0 {
		formats = []int16{value.TextFormat} // also of a cursor that is BINARY
	}
	one, err := s.newPortal(ctx, p, params, formats)
	if err != nil {
		return err
	}
	if err := s.addPortal(m.DestinationPortal, one); err != nil {
		return err
	}
	s.out.queueMessage(&pgproto3.BindComplete{})
	return nil
}

// readBindParams reads the values of the parameters of a statement.
func (s *session) readBindParams(ctx context.Context, p *preparedStatement, m *pgproto3.Bind) ([]BindParameterValue, error) {
	if len(m.Parameters) == 0 && !strings.Contains(p.text, "$") {
		return nil, nil
	}
	if err := s.describeStatement(ctx, p); err != nil {
		return nil, err
	}
	if len(m.Parameters) != len(p.parameters) {
		return nil, newSessionError(sqlstateProtocolViolation, fmt.Sprintf("the statement has %d parameters, and %d values were given", len(p.parameters), len(m.Parameters)))
	}
	formats, err := expandFormats(m.ParameterFormatCodes, len(m.Parameters))
	if err != nil {
		return nil, err
	}
	out := make([]BindParameterValue, len(m.Parameters))
	for i, b := range m.Parameters {
		out[i] = BindParameterValue{Type: p.parameters[i], Null: b == nil}
		if b == nil {
			continue
		}
		if out[i].Text, err = value.ParameterValueToText(i+1, p.parameters[i], formats[i], b); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *session) answerDescribe(ctx context.Context, m *pgproto3.Describe) error {
	if m.ObjectType == 'P' {
		p, err := s.findCursor(m.Name)
		if err != nil {
			return err
		}
		s.sendColumns(p.columns, p.formats)
		return nil
	}
	p, err := s.findPreparedStatement(m.Name)
	if err != nil {
		return err
	}
	s.kindOfFailure = p.kind
	if err := s.rejectInFailedTransaction(p.statement); err != nil {
		return err
	}
	if err := s.describeStatement(ctx, p); err != nil {
		return err
	}
	s.out.queueMessage(&pgproto3.ParameterDescription{ParameterOIDs: p.parameters})
	s.sendColumns(p.columns, nil)
	return nil
}

func (s *session) answerExecute(ctx context.Context, m *pgproto3.Execute) error {
	p, err := s.findCursor(m.Portal)
	if err != nil {
		return err
	}
	s.kindOfFailure = p.prepared.kind
	if err := s.rejectInFailedTransaction(p.prepared.statement); err != nil {
		return err
	}
	if _, empty := p.prepared.statement.(*statement.Empty); empty {
		s.out.queueMessage(&pgproto3.EmptyQueryResponse{})
		return nil
	}
	ctx, record := s.server.tracing.startStatementRecord(ctx)
	n, err := s.executePortal(ctx, p, m.MaxRows)
	if err != nil {
		record.endSpan(p.prepared.kind, errorResponse(ctx, err).Code)
		return err
	}
	s.recordOutcomeAndSendError(ctx, record, p.prepared.kind, n, nil)
	return nil
}

// executePortal sends rows of a portal, at most as many as requested.
func (s *session) executePortal(ctx context.Context, p *portal, maxRows uint32) (int64, error) {
	if p.run != nil {
		if p.ended {
			return 0, newSessionError(sqlstateCursorNotScrollable, "the statement of the portal has run")
		}
		p.ended = true
		tag, err := p.run(ctx)
		if err == nil {
			s.sendCommandComplete(tag)
		}
		return 0, err
	}
	most := int64(maxRows)
	if most == 0 {
		most = -1
	}
	n, more, err := s.sendRows(ctx, p, most)
	switch {
	case err != nil:
		return n, err
	case more:
		p.suspend()
		s.out.queueMessage(&pgproto3.PortalSuspended{})
	default:
		s.sendCommandComplete(commandTagForRows(p, n))
	}
	return n, nil
}

func (s *session) answerClose(m *pgproto3.Close) error {
	s.kindOfFailure = statementKindSession
	if m.ObjectType == 'P' {
		if p := s.portals[m.Name]; p != nil {
			p.close()
			delete(s.portals, m.Name)
		}
	} else {
		delete(s.statements, m.Name)
	}
	s.out.queueMessage(&pgproto3.CloseComplete{})
	return nil
}
