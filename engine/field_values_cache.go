package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/semlayer/semlayer/executor"
)

// The bounds of what is kept of read values.
const (
	fieldValuesCacheMaxAge     = time.Minute
	fieldValuesCacheMaxEntries = 1000
	fieldValuesCacheMaxBytes   = 16 << 20
)

// fieldValuesCache keeps values that were read. Programs request the values of the same fields again and again while a
// person types. Requests with equal keys that arrive at the same time are read once.
type fieldValuesCache struct {
	mutex   sync.Mutex
	entries *simplelru.LRU[string, cachedFieldValues]
	bytes   int
	running map[string]*runningFieldValuesRead
	now     func() time.Time
}

// cachedFieldValues are values and the time at which their reading began.
type cachedFieldValues struct {
	values *FieldValues
	began  time.Time
	bytes  int
}

// runningFieldValuesRead is a request that reads values.
type runningFieldValuesRead struct {
	began  time.Time
	done   chan struct{} // closed when values and err are set
	values *FieldValues
	err    error
}

func newFieldValuesCache() *fieldValuesCache {
	c := &fieldValuesCache{running: map[string]*runningFieldValuesRead{}, now: time.Now}
	c.entries, _ = simplelru.NewLRU(fieldValuesCacheMaxEntries, func(_ string, old cachedFieldValues) { c.bytes -= old.bytes }) // errs on size 0 alone
	return c
}

// getOrRead returns the values of a key that are at most a minute old, else those that another request reads now, else
// reads them. Fresh values are always read. ended returns the error of a request whose context has ended.
func (c *fieldValuesCache) getOrRead(ctx context.Context, key string, fresh bool, read func(context.Context) (*FieldValues, error), ended func() error) (*FieldValues, error) {
	if fresh {
		return c.readAndStore(ctx, key, read)
	}
	for {
		kept, other, own := c.findOrRegisterRead(key)
		switch {
		case kept != nil:
			return kept.copyMarkedAsCached(), nil
		case own != nil:
			return c.readForWaitingRequests(ctx, key, own, read)
		}
		select {
		case <-ctx.Done():
			return nil, ended()
		case <-other.done:
		}
		if other.err == nil {
			return other.values.copyMarkedAsCached(), nil
		}
		if !isRequestSpecificError(other.err) {
			return nil, other.err
		}
	}
}

// findOrRegisterRead returns the kept values of a key, or the request that reads them, or else a new request, which the
// caller has to carry out.
func (c *fieldValuesCache) findOrRegisterRead(key string) (kept *FieldValues, other, own *runningFieldValuesRead) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if e, ok := c.entries.Get(key); ok {
		if c.now().Sub(e.began) < fieldValuesCacheMaxAge {
			return e.values, nil, nil
		}
		c.entries.Remove(key)
	}
	if other = c.running[key]; other != nil && c.now().Sub(other.began) < fieldValuesCacheMaxAge {
		return nil, other, nil
	}
	own = &runningFieldValuesRead{began: c.now(), done: make(chan struct{}), err: context.Canceled}
	c.running[key] = own
	return nil, nil, own
}

// readForWaitingRequests reads values for all requests that wait for them.
func (c *fieldValuesCache) readForWaitingRequests(ctx context.Context, key string, own *runningFieldValuesRead, read func(context.Context) (*FieldValues, error)) (*FieldValues, error) {
	defer func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if c.running[key] == own {
			delete(c.running, key)
		}
		close(own.done)
	}()
	own.values, own.err = c.readAndStore(ctx, key, read)
	return own.values, own.err
}

// readAndStore reads values and keeps them.
func (c *fieldValuesCache) readAndStore(ctx context.Context, key string, read func(context.Context) (*FieldValues, error)) (*FieldValues, error) {
	began := c.now()
	values, err := read(ctx)
	if err == nil {
		c.storeValues(key, cachedFieldValues{values: values, began: began, bytes: len(key) + values.memoryBytes()})
	}
	return values, err
}

// storeValues keeps values, unless newer ones are kept or they fill too much memory.
func (c *fieldValuesCache) storeValues(key string, e cachedFieldValues) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if old, ok := c.entries.Peek(key); ok {
		if old.began.After(e.began) {
			return
		}
		c.entries.Remove(key)
	}
	if e.bytes > fieldValuesCacheMaxBytes {
		return
	}
	c.bytes += e.bytes
	c.entries.Add(key, e)
	for c.bytes > fieldValuesCacheMaxBytes {
		c.entries.RemoveOldest()
	}
}

// isRequestSpecificError reports whether other requests may succeed where an error ended one: the request ended, or found no slot.
func isRequestSpecificError(err error) bool {
	var failed *ExecuteError
	var busy *BusyError
	return errors.As(err, &failed) && failed.Code == executor.CodeTimeout || errors.As(err, &busy) || errors.Is(err, context.Canceled)
}

// copyMarkedAsCached returns a copy that no statement was run for.
func (v *FieldValues) copyMarkedAsCached() *FieldValues {
	out := *v
	out.Cached = true
	return &out
}

// memoryBytes estimates the memory of kept values.
func (v *FieldValues) memoryBytes() int {
	const each = 64 // of a slice header, a count and an allocation
	n := 2*each + len(v.SQL) + len(v.Min) + len(v.Max)
	for _, value := range v.Values {
		n += each + len(value.Value)
	}
	return n
}
