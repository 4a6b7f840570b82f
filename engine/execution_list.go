package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The states of a RunningExecution.
const (
	ExecutionQueued  = "queued"
	ExecutionRunning = "running"
)

// RunningExecution describes an execution without its text, its values and its caller.
type RunningExecution struct {
	QueryID    string `json:"query_id"`
	AgeMS      int64  `json:"age_ms"`
	Connection string `json:"connection"` // "" for the embedded database
	Model      string `json:"model"`
	Surface    string `json:"surface"` // of WithSurface
	State      string `json:"state"`
}

type surfaceKey struct{}

// WithSurface returns a context whose executions are listed under the name of an interface.
func WithSurface(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, surfaceKey{}, name)
}

// errEndedByOperator is the cause of the end of an execution that CancelExecution has ended.
var errEndedByOperator = errors.New("an operator ended the execution")

// executionList holds the executions of all models. A nil list holds none.
type executionList struct {
	mu     sync.Mutex
	begun  uint64
	listed map[*listedExecution]struct{}
}

// listedExecution is an execution from its wait for a slot to its end.
type listedExecution struct {
	list    *executionList
	info    RunningExecution
	number  uint64
	began   time.Time
	running atomic.Bool
	ctx     context.Context // until the first rows
	cancel  context.CancelCauseFunc
	// operator ends when an operator ends the execution, or when it is over. The context of a stream's first rows ends earlier.
	operator context.Context
	cut      context.CancelCauseFunc
}

// listExecution adds an execution on a target; nil where the engine lists none.
func (e *Engine) listExecution(ctx context.Context, t compileTarget) *listedExecution {
	l := e.warehouses.executions
	if l == nil {
		return nil
	}
	x := &listedExecution{list: l, began: time.Now(), info: RunningExecution{QueryID: QueryID(ctx), Model: e.config.ModelName}}
	x.info.Surface, _ = ctx.Value(surfaceKey{}).(string)
	if t.connection != nil {
		x.info.Connection = t.connection.info.Name
	}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	x.operator, x.cut = context.WithCancelCause(context.WithoutCancel(ctx))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun++
	x.number = l.begun
	l.listed[x] = struct{}{}
	return x
}

// context returns the context of the execution, which an operator can end; ctx itself where nothing is listed.
func (x *listedExecution) context(ctx context.Context) context.Context {
	if x == nil {
		return ctx
	}
	return x.ctx
}

// run marks an execution that has a slot.
func (x *listedExecution) run() {
	if x != nil {
		x.running.Store(true)
	}
}

// end removes an execution, whose context nothing uses any more.
func (x *listedExecution) end() {
	if x == nil {
		return
	}
	x.list.mu.Lock()
	delete(x.list.listed, x)
	x.list.mu.Unlock()
	x.cancel(nil)
	x.cut(nil)
}

// join returns a context of a later step of the execution, which ends with the execution too.
func (x *listedExecution) join(ctx context.Context) (context.Context, func()) {
	if x == nil {
		return ctx, func() {}
	}
	joined, cancel := context.WithCancelCause(ctx)
	if x.operator.Err() != nil {
		cancel(context.Cause(x.operator))
	}
	stop := context.AfterFunc(x.operator, func() { cancel(context.Cause(x.operator)) })
	return joined, func() {
		stop()
		cancel(nil)
	}
}

// Executions lists the executions of all models, the oldest first. It is empty unless Config.ListExecutions is set.
func (w *Warehouses) Executions() []RunningExecution {
	out := []RunningExecution{}
	l := w.executions
	if l == nil {
		return out
	}
	l.mu.Lock()
	all := make([]*listedExecution, 0, len(l.listed))
	for x := range l.listed {
		all = append(all, x)
	}
	l.mu.Unlock()
	slices.SortFunc(all, func(a, b *listedExecution) int { return cmp.Compare(a.number, b.number) })
	for _, x := range all {
		one := x.info
		one.AgeMS, one.State = time.Since(x.began).Milliseconds(), ExecutionQueued
		if x.running.Load() {
			one.State = ExecutionRunning
		}
		out = append(out, one)
	}
	return out
}

// CancelExecution ends the executions of a query, whose client gets code timeout. It returns their number.
func (w *Warehouses) CancelExecution(queryID string) (ended int) {
	l := w.executions
	if l == nil || queryID == "" {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for x := range l.listed {
		if x.info.QueryID == queryID {
			x.cancel(errEndedByOperator)
			x.cut(errEndedByOperator)
			ended++
		}
	}
	return ended
}
