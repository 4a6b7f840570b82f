package resultcache

import (
	"container/heap"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// entryOverheadBytes is what an entry takes beside its key and its values.
const entryOverheadBytes = 512

// Options are the bounds of a cache.
type Options struct {
	// MaxBytes bounds all that the cache holds.
	MaxBytes int64
	// EntryBytes bounds one result.
	EntryBytes int64
	// IsOwnError reports whether an error concerns only the request that started a statement, so that others do not share it.
	IsOwnError func(error) bool
	// PanicError returns the error of the requests whose statement panicked; nil means an error with the text of the panic.
	PanicError func(panicked any) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Outcome is where a result comes from.
type Outcome string

// The outcomes.
const (
	Miss   Outcome = "miss"   // of a statement that the request started
	Hit    Outcome = "hit"    // of an entry
	Shared Outcome = "shared" // of the statement of another request
	Bypass Outcome = "bypass" // of a statement of a request that asked for a new one
)

// Request asks for a result.
type Request struct {
	// Key is equal for requests that have the same result.
	Key string
	// Scope names the revision that the result belongs to; see Cache.Drop.
	Scope string
	// TTL is how long the result counts from the begin of its statement.
	TTL time.Duration
	// MaxAge is the age above which no datum of the result may be; nil where it may have any.
	MaxAge *time.Duration
	// State returns what names the state of the tables that the statement reads, as it is now; nil where nothing does. An entry
	// counts only while its state is the current one.
	State func(context.Context) (string, error)
	// Open starts the statement, for all requests that wait for it: its context ends when the last of them has left. It calls
	// begin right before the statement is sent, with the state that it has read before. Closing the rows gives back everything that Open has
	// taken.
	Open func(ctx context.Context, begin func(Beginning)) (executor.Rows, error)
	// Keep reports at the end of the statement whether its result may still be used; nil where it always may.
	Keep func() bool
}

// Beginning is what is known of a result before its statement is sent.
type Beginning struct {
	// State is that of Request.State, read before the statement.
	State string
	// Oldest is the age of the oldest datum; zero where the statement reads the tables as they are.
	Oldest time.Time
}

// Answer is the result of a request. The caller closes the rows.
type Answer struct {
	Rows    Rows
	Outcome Outcome
	Age     time.Duration // since the begin of the statement; 0 where the request has started it
	Oldest  time.Time     // of the Beginning of the statement
}

// Cache keeps results. It is safe for concurrent use.
type Cache struct {
	options Options

	mu        sync.Mutex
	bytes     int64   // of all that is held
	evictable int64   // of the entries in victims
	clock     float64 // the priority of the last victim
	kept      map[string]*entry
	victims   victimHeap         // the kept entries without a reader
	running   map[string]*flight // those that requests can join
	flights   map[*flight]bool   // all that have not ended
	requests  map[Outcome]int64
	evictions int64
}

// New returns an empty cache.
func New(o Options) *Cache {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.IsOwnError == nil {
		o.IsOwnError = func(error) bool { return false }
	}
	if o.PanicError == nil {
		o.PanicError = func(panicked any) error { return fmt.Errorf("panic: %v", panicked) }
	}
	return &Cache{options: o, kept: map[string]*entry{}, running: map[string]*flight{}, flights: map[*flight]bool{}, requests: map[Outcome]int64{}}
}

// Get returns the result of a request. It returns when the columns are known; the rows of a statement that the request has started may
// still arrive. The error is that of the statement, or that of a context that ends first.
func (c *Cache) Get(ctx context.Context, r Request) (*Answer, error) {
	for alone := false; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, started, err := c.find(ctx, &r, alone)
		if err != nil {
			return nil, err
		}
		if started != nil {
			return c.awaitColumns(ctx, &r, started)
		}
		if found.entry != nil {
			return c.count(&Answer{Rows: &entryRows{cache: c, entry: found.entry}, Outcome: Hit, Age: found.age, Oldest: found.entry.beginning.Oldest}), nil
		}
		answer, err := c.awaitEnd(ctx, found.flight)
		switch {
		case err == nil && answer == nil: // the result is too large to be kept
			alone = true
		case err == nil:
			return c.count(answer), nil
		case ctx.Err() != nil || !c.options.IsOwnError(err):
			return nil, err
		}
	}
}

// candidate is an entry, which is pinned, or a statement, which the request has joined.
type candidate struct {
	entry  *entry
	flight *flight
	age    time.Duration
	state  string
	known  bool // the state
}

// find returns an entry or a statement that serves the request, or else a statement that it has started.
func (c *Cache) find(ctx context.Context, r *Request, alone bool) (candidate, *flight, error) {
	if alone {
		return candidate{}, c.start(ctx, r, true), nil
	}
	c.mu.Lock()
	found := c.candidateOf(r)
	if found.entry == nil && found.flight == nil {
		started := c.startLocked(ctx, r, false)
		c.mu.Unlock()
		return candidate{}, started, nil
	}
	if r.State == nil {
		c.take(found)
		c.mu.Unlock()
		return found, nil, nil
	}
	c.mu.Unlock()
	state, err := r.State(ctx)
	if ctx.Err() != nil {
		return candidate{}, nil, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	found = c.candidateOf(r) // it may have been replaced in the meantime
	if err == nil && (found.entry != nil && found.state == state || found.flight != nil && (!found.known || found.state == state)) {
		c.take(found)
		return found, nil, nil
	}
	return candidate{}, c.startLocked(ctx, r, false), nil
}

// candidateOf returns the entry, else the statement, whose age the request allows.
func (c *Cache) candidateOf(r *Request) candidate {
	if r.MaxAge != nil && *r.MaxAge <= 0 {
		return candidate{}
	}
	now := c.options.Now()
	allows := func(b Beginning, began time.Time) bool {
		if !b.Oldest.IsZero() && b.Oldest.Before(began) {
			began = b.Oldest
		}
		return r.MaxAge == nil || now.Sub(began) <= *r.MaxAge
	}
	if e := c.kept[r.Key]; e != nil && now.Sub(e.began) < r.TTL && allows(e.beginning, e.began) {
		return candidate{entry: e, age: now.Sub(e.began), state: e.beginning.State, known: true}
	}
	f := c.running[r.Key]
	if f == nil || f.hasBegun && (now.Sub(f.began) >= r.TTL || !allows(f.beginning, f.began)) {
		return candidate{}
	}
	return candidate{flight: f, state: f.beginning.State, known: f.hasBegun}
}

// take pins an entry, or joins a statement.
func (c *Cache) take(found candidate) {
	if found.entry != nil {
		c.use(found.entry)
		c.pin(found.entry)
		return
	}
	found.flight.users++
}

// count counts a result.
func (c *Cache) count(a *Answer) *Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests[a.Outcome]++
	return a
}

// CountBypass counts a request that has not asked the cache.
func (c *Cache) CountBypass() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests[Bypass]++
}

// Drop forgets the entries of the scopes for which it is true, and keeps no result of their statements that run. A statement runs on for
// those that wait for it.
func (c *Cache) Drop(isGone func(scope string) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.kept {
		if isGone(e.scope) {
			c.drop(e)
		}
	}
	for f := range c.flights {
		if isGone(f.request.Scope) {
			f.dropped = true
			f.forgetLocked()
		}
	}
}

// Stats are the numbers of a cache.
type Stats struct {
	Requests  map[Outcome]int64 // answered, by outcome
	Bytes     int64
	Entries   int
	Evictions int64
	Waiting   int // statements that run for requests
}

// Stats returns the numbers.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Stats{Requests: map[Outcome]int64{}, Bytes: c.bytes, Entries: len(c.kept), Evictions: c.evictions, Waiting: len(c.running)}
	for _, o := range []Outcome{Miss, Hit, Shared, Bypass} {
		s.Requests[o] = c.requests[o]
	}
	return s
}

// reserve takes bytes, for which it evicts entries. It takes none where that would not help.
func (c *Cache) reserve(n int64) bool {
	if c.bytes-c.evictable+n > c.options.MaxBytes {
		return false
	}
	for c.bytes+n > c.options.MaxBytes {
		victim := c.victims[0]
		c.clock = victim.priority
		c.evictions++
		c.drop(victim)
	}
	c.bytes += n
	return true
}

// drop forgets an entry. Its bytes are free when its last reader has closed it.
func (c *Cache) drop(e *entry) {
	if !e.kept {
		return
	}
	e.kept = false
	delete(c.kept, e.key)
	if e.pins == 0 {
		c.evictable -= e.bytes
		heap.Remove(&c.victims, e.place)
		c.free(e)
	}
}

// free gives back the bytes of an entry that no request can find and no reader holds.
func (c *Cache) free(e *entry) {
	c.bytes -= e.bytes
	for _, b := range e.batches {
		b.Release()
	}
	e.batches = nil
}

// pin keeps an entry in memory until unpin.
func (c *Cache) pin(e *entry) {
	if e.pins++; e.pins == 1 && e.kept {
		c.evictable -= e.bytes
		heap.Remove(&c.victims, e.place)
	}
}

func (c *Cache) unpin(e *entry) {
	if e.pins--; e.pins > 0 {
		return
	}
	if !e.kept {
		c.free(e)
		return
	}
	c.evictable += e.bytes
	heap.Push(&c.victims, e)
}

// use counts a use of an entry that is not pinned by it yet.
func (c *Cache) use(e *entry) {
	e.uses++
	e.priority = c.clock + float64(e.uses)*e.milliseconds/float64(e.bytes)
	if e.kept && e.pins == 0 {
		heap.Fix(&c.victims, e.place)
	}
}
