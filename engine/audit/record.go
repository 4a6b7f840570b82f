package audit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Facts are what the layers below an interface know of a request. They hold names and figures, and no values of conditions, apart from
// Statements, Request and WarehouseWords, which a line has only with Config.Literals.
type Facts struct {
	Tool  string
	Plane string
	// Metrics, Dimensions, Datasets and Filtered are names of the model; one that means nothing is as the query writes it.
	Metrics, Dimensions, Datasets, Filtered []string
	Connection, Dialect                     string
	Cache                                   string
	Rollups                                 []string // whose tables were read
	// Executed: Rows is the number of rows that executions read.
	Executed             bool
	Rows                 int64
	Queue, Plan, Execute time.Duration
	// Statements are the texts that the warehouse gets.
	Statements []string
	// Request is the body, or the arguments of a tool.
	Request []byte
	// WarehouseWords are the message of a warehouse that refused a statement.
	WarehouseWords string
	// Code and Message are those of an error that the interface answers like a success; "" for none.
	Code, Message string
}

// Record collects the facts of one request. Several goroutines may use it, also after the request. A nil Record keeps nothing.
type Record struct {
	literals bool
	mu       sync.Mutex
	facts    Facts
}

type recordKey struct{}

// WithRecord returns a context in which the layers fill a record; nil changes nothing.
func WithRecord(ctx context.Context, r *Record) context.Context {
	if r == nil {
		return ctx
	}
	return context.WithValue(ctx, recordKey{}, r)
}

// WithoutRecord returns a context for work beside a request, such as a look-up for a hint, which is not a fact of the request.
func WithoutRecord(ctx context.Context) context.Context {
	if RecordOf(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, recordKey{}, (*Record)(nil))
}

// RecordOf returns the record of a context, nil where nothing is audited.
func RecordOf(ctx context.Context) *Record {
	r, _ := ctx.Value(recordKey{}).(*Record)
	return r
}

// Fill changes the facts.
func (r *Record) Fill(change func(*Facts)) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.facts)
}

// Facts returns a copy of the facts so far.
func (r *Record) Facts() Facts {
	if r == nil {
		return Facts{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.facts
	out.Statements = slices.Clone(out.Statements)
	return out
}

// SetRequest keeps a copy of the body of the request, where a line has it.
func (r *Record) SetRequest(body []byte) {
	if r == nil || !r.literals {
		return
	}
	body = slices.Clone(body)
	r.Fill(func(f *Facts) { f.Request = body })
}

// SetTool names the tool that a request calls.
func (r *Record) SetTool(name string) { r.Fill(func(f *Facts) { f.Tool = name }) }

// SetError sets the error of a request that the interface answers like a success.
func (r *Record) SetError(code, message string) {
	r.Fill(func(f *Facts) { f.Code, f.Message = code, message })
}
