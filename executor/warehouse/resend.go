package warehouse

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/profile"
)

// resender sends a statement again that has answered nothing: after a failure of its connection, as often as the profile allows, and
// once after credentials were rejected for which a program may have new ones.
type resender struct {
	executor.Executor
	retries int
	program *credential.Command // nil for none
}

// firstResendDelay is the wait before a statement is sent again after a failure of its connection; each further one is twice as long.
const firstResendDelay = 100 * time.Millisecond

var (
	_ executor.PoolReporter            = (*resender)(nil)
	_ executor.PromptCanceler          = (*resender)(nil)
	_ executor.CaseSensitivityReporter = (*resender)(nil)
)

// withResends returns the executor of a profile, in a resender where the profile needs one.
func withResends(e executor.Executor, p profile.Profile) executor.Executor {
	program, _ := p.SecretSource().(*credential.Command)
	if p.Retries == 0 && program == nil {
		return e
	}
	return &resender{e, p.Retries, program}
}

// attempts counts what one statement may still do.
type attempts struct {
	retries int
	delay   time.Duration
	renewal bool
	runs    uint64 // of the program before the statement was sent
}

func (e *resender) newAttempts() *attempts {
	a := &attempts{retries: e.retries, delay: firstResendDelay, renewal: e.program != nil}
	if a.renewal {
		a.runs = e.program.Runs()
	}
	return a
}

// mayResend reports whether a statement that failed is sent again, and counts it.
func (e *resender) mayResend(ctx context.Context, a *attempts, err error) bool {
	var failure *executor.Error
	if ctx.Err() != nil || !errors.As(err, &failure) {
		return false
	}
	switch {
	case failure.Code == executor.CodeAuth && a.renewal:
		a.renewal = false
		return e.program.Renew(a.runs)
	case (failure.Code == executor.CodeConnection || failure.ConnectionLost) && a.retries > 0:
		a.retries--
		wait := time.NewTimer(a.delay)
		defer wait.Stop()
		a.delay *= 2
		select {
		case <-wait.C:
			return true
		case <-ctx.Done():
		}
	}
	return false
}

// Query starts the statement. See executor.Executor.
func (e *resender) Query(ctx context.Context, sql string) (executor.Rows, error) {
	a := e.newAttempts()
	rows, err := e.query(ctx, sql, a)
	if err != nil {
		return nil, err
	}
	return &resentRows{Rows: rows, resend: func(now context.Context, err error) (executor.Rows, error) {
		if !e.mayResend(now, a, err) {
			return nil, err
		}
		// The values are those of the statement, its session among them.
		return e.query(withValuesOf(now, ctx), sql, a)
	}}, nil
}

func (e *resender) query(ctx context.Context, sql string, a *attempts) (executor.Rows, error) {
	for {
		rows, err := e.Executor.Query(ctx, sql)
		if err == nil || !e.mayResend(ctx, a, err) {
			return rows, err
		}
	}
}

// PoolUse counts the connections, none where the executor does not.
func (e *resender) PoolUse() executor.PoolUse {
	if p, ok := e.Executor.(executor.PoolReporter); ok {
		return p.PoolUse()
	}
	return executor.PoolUse{}
}

// CancelsPromptly reports what the executor reports.
func (e *resender) CancelsPromptly(sql string) bool {
	p, ok := e.Executor.(executor.PromptCanceler)
	return ok && p.CancelsPromptly(sql)
}

// MayIgnoreCase reports what the executor reports.
func (e *resender) MayIgnoreCase() bool {
	c, ok := e.Executor.(executor.CaseSensitivityReporter)
	return ok && c.MayIgnoreCase()
}

// valuesContext ends with one context and has the values of another.
type valuesContext struct {
	context.Context
	values context.Context
}

// withValuesOf returns a context that ends with the first one and has the values of the second.
func withValuesOf(ctx, values context.Context) context.Context { return valuesContext{ctx, values} }

func (c valuesContext) Value(key any) any { return c.values.Value(key) }

// resentRows are the rows of a statement that may be sent again until it has answered with the first of them.
type resentRows struct {
	executor.Rows
	resend func(context.Context, error) (executor.Rows, error) // nil after the first rows
}

// Next returns the next batch. See executor.Rows.
func (r *resentRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for {
		batch, err := r.Rows.Next(ctx)
		if err == nil || errors.Is(err, io.EOF) {
			r.resend = nil
		}
		if r.resend == nil {
			return batch, err
		}
		again, failure := r.resend(ctx, err)
		if failure != nil {
			return nil, failure
		}
		if !again.Schema().Equal(r.Rows.Schema()) { // a table has changed, and the caller has the columns of before
			return nil, errors.Join(err, again.Close())
		}
		_ = r.Rows.Close() // its connection is gone
		r.Rows = again
	}
}
