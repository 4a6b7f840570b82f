package pgwire

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire/internal/statement"
)

// answerSimpleQuery answers the statements of one simple query. The first error ends them.
func (s *session) answerSimpleQuery(ctx context.Context, text string) {
	if p := s.portals[""]; p != nil {
		p.close()
		delete(s.portals, "")
	}
	delete(s.statements, "")
	ran := false
	s.severalStatements = hasSeveralStatements(text)
	before := 0
	for rest, ok := text, true; ok; {
		var one string
		one, rest, ok = engine.SplitFirstSQLStatement(rest)
		empty, err := s.answerSimpleStatement(ctx, one, before)
		ran = ran || !empty
		if err != nil {
			break
		}
		before += utf8.RuneCountInString(one)
	}
	s.severalStatements = false
	if !ran {
		s.out.queueMessage(&pgproto3.EmptyQueryResponse{})
	}
	s.endImplicitTransaction()
	s.sendReadyForQuery()
}

// hasSeveralStatements reports whether a text has two statements or more.
func hasSeveralStatements(text string) bool {
	if at := strings.IndexByte(text, ';'); at < 0 || strings.TrimSpace(text[at+1:]) == "" {
		return false
	}
	found := 0
	for rest, ok := text, true; ok && found < 2; {
		var one string
		one, rest, ok = engine.SplitFirstSQLStatement(rest)
		if !statement.IsEmpty(one) {
			found++
		}
	}
	return found > 1
}

// answerSimpleStatement answers one statement of a simple query, with so many characters before it.
func (s *session) answerSimpleStatement(ctx context.Context, text string, before int) (empty bool, err error) {
	ctx, record := s.server.tracing.startStatementRecord(ctx)
	kind, rows := statementKindSession, int64(0)
	err = s.withStatementContext(ctx, func(ctx context.Context) error {
		p, err := s.parseStatement(text, nil)
		if err == nil {
			kind = p.kind
			if _, empty = p.statement.(*statement.Empty); empty {
				return nil
			}
			rows, err = s.runPreparedAndSendRows(ctx, p)
		}
		if err != nil {
			s.recordOutcomeAndSendError(ctx, record, kind, rows, shiftErrorPosition(err, before))
		}
		return err
	})
	if err == nil && !empty {
		s.recordOutcomeAndSendError(ctx, record, kind, rows, nil)
	}
	return empty, err
}

// runPreparedAndSendRows runs a statement without parameters and sends its rows.
func (s *session) runPreparedAndSendRows(ctx context.Context, p *preparedStatement) (n int64, err error) {
	if err := s.rejectInFailedTransaction(p.statement); err != nil {
		return 0, err
	}
	one, err := s.newPortal(ctx, p, nil, nil)
	if err != nil {
		return 0, err
	}
	defer one.close()
	if one.run != nil {
		tag, err := one.run(ctx)
		if err == nil {
			s.sendCommandComplete(tag)
		}
		return 0, err
	}
	if err := one.openOrResumeRows(ctx); err != nil {
		return 0, err
	}
	s.sendColumns(one.columns, one.formats)
	if n, _, err = s.sendRows(ctx, one, -1); err != nil {
		return n, err
	}
	s.sendCommandComplete(commandTagForRows(one, n))
	return n, nil
}
