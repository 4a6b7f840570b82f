package pgwire

import (
	"context"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire/internal/statement"
)

// answerQuery answers the statements of one simple query. The first error ends them.
func (s *session) answerQuery(ctx context.Context, text string) {
	if p := s.portals[""]; p != nil {
		p.close()
		delete(s.portals, "")
	}
	delete(s.statements, "")
	ran := false
	for rest, ok := text, true; ok; {
		var one string
		one, rest, ok = engine.SplitSQL(rest)
		empty, err := s.answerOne(ctx, one)
		ran = ran || !empty
		if err != nil {
			break
		}
	}
	if !ran {
		s.out.send(&pgproto3.EmptyQueryResponse{})
	}
	s.endImplicitTransaction()
	s.ready()
}

// answerOne answers one statement of a simple query.
func (s *session) answerOne(ctx context.Context, text string) (empty bool, err error) {
	ctx, record := s.server.tracing.startStatement(ctx)
	kind, rows := kindSession, int64(0)
	err = s.withStatement(ctx, func(ctx context.Context) error {
		p, err := s.prepare(text, nil)
		if err == nil {
			kind = p.kind
			if _, empty = p.statement.(*statement.Empty); empty {
				return nil
			}
			rows, err = s.answerPrepared(ctx, p)
		}
		if err != nil {
			s.finished(ctx, record, kind, rows, err)
		}
		return err
	})
	if err == nil && !empty {
		s.finished(ctx, record, kind, rows, nil)
	}
	return empty, err
}

// answerPrepared runs a statement without parameters and sends its rows.
func (s *session) answerPrepared(ctx context.Context, p *prepared) (n int64, err error) {
	if err := s.checkTransaction(p.statement); err != nil {
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
			s.complete(tag)
		}
		return 0, err
	}
	if err := one.start(ctx); err != nil {
		return 0, err
	}
	s.sendColumns(one.columns, one.formats)
	if n, _, err = s.sendRows(ctx, one, -1); err != nil {
		return n, err
	}
	s.complete(tagOf(one, n))
	return n, nil
}
