package engine

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// freshnessReadings keeps the values that name the states of tables. A value counts for a request if its reading began at most some time
// before the request asked. Requests that need a value at the same time wait for one reading.
type freshnessReadings struct {
	mu    sync.Mutex
	byKey map[string]*tableState
	now   func() time.Time
}

// tableState is what is known of one table.
type tableState struct {
	last    *freshnessReading // that has succeeded; nil before
	running *freshnessReading // nil: none
}

// freshnessReading is a reading of the value of one table.
type freshnessReading struct {
	began time.Time
	done  chan struct{} // closed when value and err are set
	value string
	err   error
}

// maxTableStates bounds the tables whose values are kept.
const maxTableStates = 10_000

func newFreshnessReadings() *freshnessReadings {
	return &freshnessReadings{byKey: map[string]*tableState{}, now: time.Now}
}

// value returns the value of a table, from a reading that began at most age ago.
func (f *freshnessReadings) value(ctx context.Context, key string, age time.Duration, read func(context.Context) (string, error)) (string, error) {
	oldest := f.now().Add(-age)
	for {
		known, other, own := f.findOrBegin(key, oldest)
		switch {
		case known != nil:
			return known.value, nil
		case own != nil:
			return f.run(ctx, key, own, read)
		}
		select {
		case <-other.done:
		case <-ctx.Done():
			return "", ctx.Err()
		}
		if other.err != nil && !other.began.Before(oldest) && !isErrorOfOneRequest(other.err) {
			return "", other.err
		}
	}
}

// findOrBegin returns a reading that counts, or one that runs, or else a new one, which the caller carries out.
func (f *freshnessReadings) findOrBegin(key string, oldest time.Time) (known, other, own *freshnessReading) {
	f.mu.Lock()
	defer f.mu.Unlock()
	state := f.byKey[key]
	if state == nil {
		if len(f.byKey) >= maxTableStates {
			f.forgetOneIdle()
		}
		state = &tableState{}
		f.byKey[key] = state
	}
	switch {
	case state.last != nil && !state.last.began.Before(oldest):
		return state.last, nil, nil
	case state.running != nil:
		return nil, state.running, nil
	}
	state.running = &freshnessReading{began: f.now(), done: make(chan struct{})}
	return nil, nil, state.running
}

// forgetOneIdle makes room for a table.
func (f *freshnessReadings) forgetOneIdle() {
	for key, state := range f.byKey {
		if state.running == nil {
			delete(f.byKey, key)
			return
		}
	}
}

// run carries out a reading for all that wait for it.
func (f *freshnessReadings) run(ctx context.Context, key string, own *freshnessReading, read func(context.Context) (string, error)) (string, error) {
	defer func() {
		panicked := recover()
		if panicked != nil {
			own.err = fmt.Errorf("a panic while the state of a table was read: %v", panicked)
		}
		f.mu.Lock()
		state := f.byKey[key]
		if state.running = nil; own.err == nil {
			state.last = own
		}
		f.mu.Unlock()
		close(own.done)
		if panicked != nil {
			panic(panicked)
		}
	}()
	own.value, own.err = read(ctx)
	return own.value, own.err
}
