package resultcache

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// Rows are the rows of a result.
type Rows interface {
	executor.Rows
	// Again returns the rows once more from their first, where all of them are in memory; nil elsewhere. A result of one batch is awaited. The
	// caller closes them before the rows.
	Again(context.Context) executor.Rows
	// Tag returns what compute has returned for a key before, and keeps what it returns, where all rows are in memory.
	Tag(key string, compute func() (string, error)) (string, error)
}

// entryRows are the rows of an entry, which they have pinned.
type entryRows struct {
	cache  *Cache
	entry  *entry
	at     int
	closed bool
}

// Schema returns the columns.
func (r *entryRows) Schema() *arrow.Schema { return r.entry.schema }

// Next returns the next batch.
func (r *entryRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.at == len(r.entry.batches) {
		return nil, io.EOF
	}
	batch := r.entry.batches[r.at]
	batch.Retain()
	r.at++
	return batch, nil
}

// Close unpins the entry.
func (r *entryRows) Close() error {
	if !r.closed {
		r.closed = true
		r.cache.mu.Lock()
		defer r.cache.mu.Unlock()
		r.cache.unpin(r.entry)
	}
	return nil
}

// Again returns the rows once more.
func (r *entryRows) Again(context.Context) executor.Rows { return r.cache.rowsOf(r.entry) }

// Tag returns a text about the entry.
func (r *entryRows) Tag(key string, compute func() (string, error)) (string, error) {
	return r.cache.tagOf(r.entry, key, compute)
}

func (c *Cache) rowsOf(e *entry) executor.Rows {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pin(e)
	return &entryRows{cache: c, entry: e}
}

// maxTags bounds the tags of an entry: each is a hash, for a form in which the entry is sent.
const maxTags = 8

func (c *Cache) tagOf(e *entry, key string, compute func() (string, error)) (string, error) {
	c.mu.Lock()
	tag, ok := e.tags[key]
	c.mu.Unlock()
	if ok {
		return tag, nil
	}
	tag, err := compute()
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.tags == nil || len(e.tags) >= maxTags {
		e.tags = map[string]string{}
	}
	e.tags[key] = tag
	return tag, nil
}

// flightRows are the rows of a statement for the request that has started it.
type flightRows struct {
	flight *flight
	at     int
	live   bool // the rows come from the warehouse
	closed bool
}

// Schema returns the columns.
func (r *flightRows) Schema() *arrow.Schema { return r.flight.schema }

// Next returns the next batch, when it has arrived.
func (r *flightRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	f := r.flight
	for !r.live {
		f.cache.mu.Lock()
		batch, ended, err := r.nextLocked()
		changed := f.changed
		f.cache.mu.Unlock()
		switch {
		case batch != nil || err != nil:
			return batch, err
		case ended:
			return nil, io.EOF
		case r.live:
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return f.source.Next(ctx)
}

// nextLocked returns a batch that has arrived.
func (r *flightRows) nextLocked() (batch arrow.RecordBatch, ended bool, err error) {
	f := r.flight
	arrived := f.batches
	if f.entry != nil {
		arrived = f.entry.batches
	}
	switch {
	case f.state == failed:
		return nil, false, f.err
	case r.at < len(arrived):
		batch = arrived[r.at]
		if f.state == passed {
			arrived[r.at] = nil // no other request reads it
			n := min(heldBytes(batch), f.bytes)
			f.bytes -= n
			f.cache.bytes -= n
		} else {
			batch.Retain()
		}
		r.at++
		return batch, false, nil
	case f.state == passed:
		f.freeBatches() // those that were read before the result was too large
		r.live = true
		return nil, false, nil
	}
	return nil, f.state == complete, nil
}

// Close leaves the statement. Rows that come from the warehouse are ended.
func (r *flightRows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	f := r.flight
	f.cache.mu.Lock()
	f.firstLeft = true
	owns := f.state == passed
	if owns {
		f.freeBatches()
	}
	f.leaveLocked()
	f.cache.mu.Unlock()
	if owns {
		return f.source.Close()
	}
	return nil
}

// Again returns the rows once more.
func (r *flightRows) Again(ctx context.Context) executor.Rows {
	f := r.flight
	for {
		f.cache.mu.Lock()
		e, state, arrived, changed := f.entry, f.state, len(f.batches), f.changed
		f.cache.mu.Unlock()
		switch {
		case e != nil:
			return f.cache.rowsOf(e)
		case state != reading || arrived > 1:
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// Tag returns a text about the result.
func (r *flightRows) Tag(key string, compute func() (string, error)) (string, error) {
	f := r.flight
	f.cache.mu.Lock()
	e := f.entry
	f.cache.mu.Unlock()
	if e == nil {
		return compute()
	}
	return f.cache.tagOf(e, key, compute)
}
