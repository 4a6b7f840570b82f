package resultcache

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// flightState is how far a statement is.
type flightState int

const (
	opening  flightState = iota
	reading              // its columns are known
	complete             // its result is an entry, kept or not
	passed               // its result is too large to be kept: the first request reads the rest from the warehouse
	failed
)

// flight is a statement that runs for the requests of one key. The mutex of the cache guards it.
type flight struct {
	cache   *Cache
	request *Request // that started it
	alone   bool     // nothing is kept
	cancel  context.CancelFunc

	state     flightState
	changed   chan struct{} // closed and replaced when state or batches change
	users     int           // requests that have not left
	firstLeft bool          // the request that started it has left
	dropped   bool          // its result is not kept
	hasBegun  bool
	began     time.Time
	beginning Beginning

	source  executor.Rows // owned by the goroutine of the statement, in state passed by the first request
	schema  *arrow.Schema
	batches []arrow.RecordBatch
	bytes   int64 // reserved
	entry   *entry
	err     error
}

func (c *Cache) start(ctx context.Context, r *Request, alone bool) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.startLocked(ctx, r, alone)
}

// startLocked starts a statement, which later requests can join unless it runs for one alone.
func (c *Cache) startLocked(ctx context.Context, r *Request, alone bool) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{cache: c, request: r, alone: alone, cancel: cancel, changed: make(chan struct{}), users: 1}
	c.flights[f] = true
	if !alone {
		c.running[r.Key] = f
	}
	go f.run(ctx)
	return f
}

// run runs the statement to its end, or until its result is too large. A panic ends it as an error does: requests wait for its end.
func (f *flight) run(ctx context.Context) {
	defer f.cancel() // rows that the first request reads are ended by closing them
	var source executor.Rows
	defer func() {
		if p := recover(); p != nil {
			f.failAfterPanic(source, p)
		}
	}()
	source, err := f.request.Open(ctx, f.begin)
	if err != nil {
		f.fail(err)
		return
	}
	if !f.opened(source, source.Schema()) {
		return
	}
	for {
		batch, err := source.Next(ctx)
		if errors.Is(err, io.EOF) {
			if err := source.Close(); err != nil {
				f.fail(err)
				return
			}
			f.complete()
			return
		}
		if err != nil {
			_ = source.Close() // the first error counts
			f.fail(err)
			return
		}
		if !f.add(batch) {
			return
		}
	}
}

// failAfterPanic ends the statement with the error of a panic.
func (f *flight) failAfterPanic(source executor.Rows, panicked any) {
	err := f.cache.options.PanicError(panicked)
	f.cache.mu.Lock()
	ended := f.state == passed // the panic is that of a close for a request that has left
	f.cache.mu.Unlock()
	if source != nil && !ended {
		func() {
			defer func() { _ = recover() }() // the first panic counts
			_ = source.Close()
		}()
	}
	f.fail(err)
}

// begin notes the time before the statement is sent.
func (f *flight) begin(b Beginning) {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	f.hasBegun, f.began, f.beginning = true, f.cache.options.Now(), b
}

// opened makes the columns known. It reports whether the goroutine of the statement reads the rows.
func (f *flight) opened(rows executor.Rows, schema *arrow.Schema) bool {
	c := f.cache
	c.mu.Lock()
	f.source, f.schema = rows, schema
	base := int64(len(f.request.Key)) + entryOverheadBytes
	if f.alone || base > c.options.EntryBytes || !c.reserve(base) {
		return f.passLocked()
	}
	f.bytes = base
	f.setLocked(reading)
	c.mu.Unlock()
	return true
}

// add adds a batch. It reports whether the goroutine of the statement reads on.
func (f *flight) add(batch arrow.RecordBatch) bool {
	c := f.cache
	n := heldBytes(batch)
	c.mu.Lock()
	f.batches = append(f.batches, batch)
	if f.bytes+n > c.options.EntryBytes || !c.reserve(n) {
		return f.passLocked()
	}
	f.bytes += n
	f.setLocked(reading)
	c.mu.Unlock()
	return true
}

// passLocked hands the rows to the first request, or ends them where it has left. It unlocks the cache and returns false.
func (f *flight) passLocked() bool {
	left := f.firstLeft
	f.endLocked(passed)
	if left {
		f.freeBatches()
	}
	f.cache.mu.Unlock()
	if left {
		_ = f.source.Close() // no caller is left to receive the error
	}
	return false
}

// complete makes the result an entry.
func (f *flight) complete() {
	c, r := f.cache, f.request
	keep := r.Keep == nil || r.Keep()
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &entry{
		key: r.Key, scope: r.Scope, schema: f.schema, batches: f.batches, bytes: f.bytes, began: f.began, beginning: f.beginning,
		pins: f.users, milliseconds: float64(c.options.Now().Sub(f.began).Microseconds()) / 1000,
	}
	f.entry, f.batches, f.bytes = e, nil, 0
	c.use(e)
	old := c.kept[r.Key]
	if keep && !f.dropped && (old == nil || !old.began.After(e.began)) {
		if old != nil {
			c.drop(old)
		}
		e.kept = true
		c.kept[r.Key] = e
	}
	if e.pins == 0 { // the last request left as the statement ended
		e.pins = 1
		c.unpin(e)
	}
	f.endLocked(complete)
}

// fail ends the statement for all requests, unless it has ended.
func (f *flight) fail(err error) {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	if f.state != opening && f.state != reading {
		return
	}
	f.err = err
	f.freeBatches()
	f.endLocked(failed)
}

func (f *flight) freeBatches() {
	for _, b := range f.batches {
		if b != nil {
			b.Release()
		}
	}
	f.batches = nil
	f.cache.bytes -= f.bytes
	f.bytes = 0
}

// forgetLocked lets no further request join the statement.
func (f *flight) forgetLocked() {
	if f.cache.running[f.request.Key] == f {
		delete(f.cache.running, f.request.Key)
	}
}

// endLocked ends the work of the statement's goroutine.
func (f *flight) endLocked(s flightState) {
	f.forgetLocked()
	delete(f.cache.flights, f)
	f.setLocked(s)
}

func (f *flight) setLocked(s flightState) {
	f.state = s
	close(f.changed)
	f.changed = make(chan struct{})
}

// leaveLocked takes a request away. The statement is cancelled when it was the last.
func (f *flight) leaveLocked() {
	if f.entry != nil {
		f.cache.unpin(f.entry)
		return
	}
	if f.users--; f.users == 0 {
		f.cancel()
		f.forgetLocked()
	}
}

// awaitColumns returns the rows of a statement that the request has started, when their columns are known.
func (c *Cache) awaitColumns(ctx context.Context, r *Request, f *flight) (*Answer, error) {
	rows := &flightRows{flight: f}
	for {
		c.mu.Lock()
		state, err, changed, began := f.state, f.err, f.changed, f.beginning
		c.mu.Unlock()
		switch state {
		case opening:
		case failed:
			_ = rows.Close() // the error of the statement counts
			return nil, err
		default:
			outcome := Miss
			if r.MaxAge != nil && *r.MaxAge <= 0 {
				outcome = Bypass
			}
			return c.count(&Answer{Rows: rows, Outcome: outcome, Oldest: began.Oldest}), nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			_ = rows.Close()
			return nil, ctx.Err()
		}
	}
}

// awaitEnd returns the result of a statement that the request has joined; nil where it is too large to be kept.
func (c *Cache) awaitEnd(ctx context.Context, f *flight) (*Answer, error) {
	for {
		c.mu.Lock()
		changed := f.changed
		switch f.state {
		case complete:
			c.use(f.entry)
			age := c.options.Now().Sub(f.began)
			c.mu.Unlock()
			return &Answer{Rows: &entryRows{cache: c, entry: f.entry}, Outcome: Shared, Age: age, Oldest: f.entry.beginning.Oldest}, nil
		case passed, failed:
			err := f.err
			f.leaveLocked()
			c.mu.Unlock()
			return nil, err
		}
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			c.mu.Lock()
			f.leaveLocked()
			c.mu.Unlock()
			return nil, ctx.Err()
		}
	}
}
