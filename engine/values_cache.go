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
	valuesCacheAge     = time.Minute
	valuesCacheEntries = 1000
	valuesCacheBytes   = 16 << 20
)

// valuesCache keeps values that were read. Programs ask for the values of the same fields again and again while a
// person types. Requests with equal keys that arrive at the same time are read once.
type valuesCache struct {
	mutex   sync.Mutex
	entries *simplelru.LRU[string, valuesEntry]
	bytes   int
	running map[string]*valuesRead
	now     func() time.Time
}

// valuesEntry are values and the time at which their reading began.
type valuesEntry struct {
	values *Values
	began  time.Time
	bytes  int
}

// valuesRead is a request that reads values.
type valuesRead struct {
	began  time.Time
	done   chan struct{} // closed when values and err are set
	values *Values
	err    error
}

func newValuesCache() *valuesCache {
	c := &valuesCache{running: map[string]*valuesRead{}, now: time.Now}
	c.entries, _ = simplelru.NewLRU(valuesCacheEntries, func(_ string, old valuesEntry) { c.bytes -= old.bytes }) // errs on size 0 alone
	return c
}

// getOrRead returns the values of a key that are at most a minute old, else those that another request reads now, else
// reads them. Fresh values are always read. ended returns the error of a request whose context has ended.
func (c *valuesCache) getOrRead(ctx context.Context, key string, fresh bool, read func(context.Context) (*Values, error), ended func() error) (*Values, error) {
	if fresh {
		return c.read(ctx, key, read)
	}
	for {
		kept, other, own := c.keptOrRunning(key)
		switch {
		case kept != nil:
			return kept.asCached(), nil
		case own != nil:
			return c.readForAll(ctx, key, own, read)
		}
		select {
		case <-ctx.Done():
			return nil, ended()
		case <-other.done:
		}
		if other.err == nil {
			return other.values.asCached(), nil
		}
		if !isOfOneRequest(other.err) {
			return nil, other.err
		}
	}
}

// keptOrRunning returns the kept values of a key, or the request that reads them, or else a new request, which the
// caller has to carry out.
func (c *valuesCache) keptOrRunning(key string) (kept *Values, other, own *valuesRead) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if e, ok := c.entries.Get(key); ok {
		if c.now().Sub(e.began) < valuesCacheAge {
			return e.values, nil, nil
		}
		c.entries.Remove(key)
	}
	if other = c.running[key]; other != nil && c.now().Sub(other.began) < valuesCacheAge {
		return nil, other, nil
	}
	own = &valuesRead{began: c.now(), done: make(chan struct{}), err: context.Canceled}
	c.running[key] = own
	return nil, nil, own
}

// readForAll reads values for all requests that wait for them.
func (c *valuesCache) readForAll(ctx context.Context, key string, own *valuesRead, read func(context.Context) (*Values, error)) (*Values, error) {
	defer func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if c.running[key] == own {
			delete(c.running, key)
		}
		close(own.done)
	}()
	own.values, own.err = c.read(ctx, key, read)
	return own.values, own.err
}

// read reads values and keeps them.
func (c *valuesCache) read(ctx context.Context, key string, read func(context.Context) (*Values, error)) (*Values, error) {
	began := c.now()
	values, err := read(ctx)
	if err == nil {
		c.keep(key, valuesEntry{values: values, began: began, bytes: len(key) + values.memoryBytes()})
	}
	return values, err
}

// keep keeps values, unless newer ones are kept or they fill too much memory.
func (c *valuesCache) keep(key string, e valuesEntry) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if old, ok := c.entries.Peek(key); ok {
		if old.began.After(e.began) {
			return
		}
		c.entries.Remove(key)
	}
	if e.bytes > valuesCacheBytes {
		return
	}
	c.bytes += e.bytes
	c.entries.Add(key, e)
	for c.bytes > valuesCacheBytes {
		c.entries.RemoveOldest()
	}
}

// isOfOneRequest reports whether other requests may succeed where an error ended one: the request ended, or found no slot.
func isOfOneRequest(err error) bool {
	var failed *ExecuteError
	var busy *BusyError
	return errors.As(err, &failed) && failed.Code == executor.CodeTimeout || errors.As(err, &busy) || errors.Is(err, context.Canceled)
}

// asCached is a copy that no statement was run for.
func (v *Values) asCached() *Values {
	out := *v
	out.Cached = true
	return &out
}

// memoryBytes estimates the memory of kept values.
func (v *Values) memoryBytes() int {
	const each = 64 // of a slice header, a count and an allocation
	n := 2*each + len(v.SQL) + len(v.Min) + len(v.Max)
	for _, value := range v.Values {
		n += each + len(value.Value)
	}
	return n
}
