package pgwire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// auditLine is the line of a statement over the model in the audit log. A nil line writes nothing.
type auditLine struct {
	session *session
	record  *audit.Record
	start   time.Time

	once    sync.Once
	queryID string
	code    string // of the first failure
	message string
}

// newAuditLine begins the line of a statement.
func (s *session) newAuditLine(text string) *auditLine {
	record := s.server.config.Audit.NewRecord()
	if record == nil {
		return nil
	}
	if request, err := json.Marshal(map[string]string{"sql": text}); err == nil {
		record.SetRequest(request)
	}
	return &auditLine{session: s, record: record, start: time.Now()}
}

// context returns a context in which the engine fills the line.
func (l *auditLine) context(ctx context.Context) context.Context {
	if l == nil {
		return ctx
	}
	return audit.WithRecord(ctx, l.record)
}

// withQueryID returns a context for the execution of the statement.
func (l *auditLine) withQueryID(ctx context.Context) context.Context {
	id := engine.NewQueryID()
	if l != nil {
		l.queryID = id
	}
	return engine.WithQueryID(l.context(ctx), id)
}

// note keeps the failure of the statement.
func (l *auditLine) note(ctx context.Context, err error) {
	if l != nil && l.code == "" {
		l.code, l.message = auditOutcome(ctx, err)
	}
}

// fail writes the line of a statement that has failed.
func (l *auditLine) fail(ctx context.Context, err error) {
	l.note(ctx, err)
	l.write(0)
}

// write writes the line, once. rows is how many rows were read.
func (l *auditLine) write(rows int64) {
	if l == nil {
		return
	}
	l.once.Do(func() {
		s := l.session
		facts := l.record.Facts()
		facts.Rows = max(facts.Rows, rows)
		e := audit.Entry{
			Facts: facts, Time: l.start, QueryID: l.queryID, Remote: hostOf(s.conn.RemoteAddr()), Surface: audit.SurfaceSQL,
			Duration: time.Since(l.start), Outcome: cmp.Or(l.code, audit.OutcomeOK), Message: l.message,
		}
		if len(s.server.models.Load().List) > 1 {
			e.Model = s.model.Name
		}
		s.caller.describe(&e)
		s.server.config.Audit.Write(e)
	})
}

// describe names the caller in an entry.
func (c Caller) describe(e *audit.Entry) {
	e.Identity, e.Issuer, e.Roles = c.Identity.Name, c.Identity.Issuer, c.Identity.Roles
	if c.Policies != nil {
		e.Policy = audit.PolicyOf(c.Policies.Hash)
	}
}

// writeRefusedSignIn writes the line of a sign-in that was refused. It names the caller of a token that was right.
func (c *pendingConnection) writeRefusedSignIn(refused *sessionError) {
	code := refused.code
	switch refused.state {
	case sqlstateInvalidPassword:
		code = cmp.Or(code, "unauthorized")
	case sqlstateInvalidAuthorization:
		code = cmp.Or(code, "forbidden")
	default: // another reason, such as a database that does not exist
		return
	}
	e := audit.Entry{Time: time.Now(), Remote: hostOf(c.conn.RemoteAddr()), Surface: audit.SurfaceSQL, Outcome: code, Message: refused.message}
	c.caller.describe(&e)
	c.server.config.Audit.Write(e)
}

func hostOf(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	return host
}

// auditOutcome returns the code and the message of an error, without words of a warehouse.
func auditOutcome(ctx context.Context, err error) (code, message string) {
	var (
		own    *sessionError
		misfit *value.Error
		coded  engine.CodedError
	)
	switch {
	case errors.As(err, &own):
		return cmp.Or(own.code, own.state), own.message
	case errors.Is(err, errClientGone), errors.Is(context.Cause(ctx), errClientGone):
		return outcomeClientGone, ""
	case errors.Is(context.Cause(ctx), errCanceled):
		return sqlstateQueryCanceled, ""
	case errors.As(err, &coded):
		return coded.ErrorCode(), engine.AuditMessage(coded)
	case errors.As(err, &misfit):
		return misfit.SQLState, ""
	case errors.Is(err, context.DeadlineExceeded), errors.Is(context.Cause(ctx), errTimeout):
		return "timeout", ""
	}
	return outcomeOfBrokenConnection(err), ""
}

// outcomeOfBrokenConnection distinguishes a client that has left from a defect.
func outcomeOfBrokenConnection(err error) string {
	var network net.Error
	if errors.As(err, &network) || errors.Is(err, net.ErrClosed) {
		return outcomeClientGone
	}
	return "internal"
}
