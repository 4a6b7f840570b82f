package pgwire

import (
	"context"
	"time"
)

// clientCheckDelay is how long a statement runs before the session looks whether its client is there still.
const clientCheckDelay = 200 * time.Millisecond

// withStatementContext runs one statement under a context that ends with a cancel request, and with the connection.
func (s *session) withStatementContext(ctx context.Context, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.mu.Lock()
	s.cancel = cancel
	s.mu.Unlock()
	stop := s.startClientWatch(cancel)
	err := work(ctx)
	stop()
	s.mu.Lock()
	s.cancel = nil
	s.mu.Unlock()
	return err
}

// startClientWatch ends a statement when its client leaves. The function that it returns ends the watch; until then nothing else
// reads from the connection. The watch itself does not change the deadline of the connection: it may begin after its end.
func (s *session) startClientWatch(cancel context.CancelCauseFunc) (stop func()) {
	if err := s.conn.SetReadDeadline(time.Time{}); err != nil {
		return func() {}
	}
	done := make(chan struct{})
	timer := time.AfterFunc(clientCheckDelay, func() {
		defer close(done)
		s.cancelWhenClientLeaves(cancel)
	})
	return func() {
		if timer.Stop() {
			return
		}
		_ = s.conn.SetReadDeadline(time.Unix(1, 0)) // ends the read
		<-done
	}
}

// cancelWhenClientLeaves reads what a client sends in advance, up to a buffer, and cancels when the client has gone.
func (s *session) cancelWhenClientLeaves(cancel context.CancelCauseFunc) {
	for s.in.br.Buffered() < s.in.br.Size() {
		_, err := s.in.br.Peek(s.in.br.Buffered() + 1)
		switch {
		case err == nil:
		case isTimeout(err):
			return
		default:
			cancel(errClientGone)
			return
		}
	}
}

// withFirstRowTimeout bounds a statement until its first row: by the service's time and by statement_timeout.
func (s *session) withFirstRowTimeout(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if own, ok := parseTimeoutValue(s.variables.valueOrEmpty(statementTimeoutVariableName)); ok && own > 0 {
		most = min(most, own)
	}
	return context.WithTimeoutCause(ctx, most, errTimeout)
}

// withNextBatchTimeout bounds the wait for the next batch of rows.
func (s *session) withNextBatchTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, s.server.config.StallTimeout, errTimeout)
}
