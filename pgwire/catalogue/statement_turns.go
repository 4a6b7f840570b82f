package catalogue

import (
	"context"
	"slices"
	"sync"
	"time"
)

// statementTurns decides which statement runs next. A session has a virtual time, which its running statements move
// forward, and the waiting statement with the earliest one is next. So a session that has run little passes
// those that have run long, and one that comes later has no advantage from its absence.
type statementTurns struct {
	slots int

	mu      sync.Mutex
	running []*statementTurn
	waiting []*statementTurn         // the next one first
	now     time.Duration            // virtual time of the statement that began last
	used    map[uint32]time.Duration // virtual time of the sessions that are ahead of now
}

// statementTurn is the permission of one statement to run.
type statementTurn struct {
	turns   *statementTurns
	session uint32
	virtual time.Duration
	alone   bool // it runs without others
	shared  bool // another statement has run beside it
	begun   time.Time
	ready   chan struct{} // closed when the statement may run
}

func newStatementTurns(slots int) *statementTurns {
	return &statementTurns{slots: slots, used: map[uint32]time.Duration{}}
}

// wait waits for the turn of a statement.
func (q *statementTurns) wait(ctx context.Context, session uint32) (*statementTurn, error) {
	q.mu.Lock()
	t := &statementTurn{turns: q, session: session, virtual: max(q.now, q.used[session])}
	return t, q.enqueueAndWait(ctx, t)
}

// waitAlone waits until a statement that has had its turn can run again, without others. It keeps its place.
func (q *statementTurns) waitAlone(ctx context.Context, before *statementTurn) (*statementTurn, error) {
	q.mu.Lock()
	t := &statementTurn{turns: q, session: before.session, virtual: before.virtual, alone: true}
	return t, q.enqueueAndWait(ctx, t)
}

// enqueueAndWait unlocks the mutex.
func (q *statementTurns) enqueueAndWait(ctx context.Context, t *statementTurn) error {
	t.ready = make(chan struct{})
	at, _ := slices.BinarySearchFunc(q.waiting, t, func(other, t *statementTurn) int {
		if other.virtual <= t.virtual {
			return -1
		}
		return 1
	})
	q.waiting = slices.Insert(q.waiting, at, t)
	q.startNext()
	q.mu.Unlock()
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := slices.Index(q.waiting, t); at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	} else {
		q.end(t)
	}
	q.startNext()
	return ctx.Err()
}

// startNext starts the statements that may run.
func (q *statementTurns) startNext() {
	for len(q.waiting) > 0 {
		t := q.waiting[0]
		if len(q.running) > 0 && (t.alone || q.running[0].alone) || len(q.running) == q.slots {
			return
		}
		q.waiting = q.waiting[1:]
		q.now = max(q.now, t.virtual)
		for _, other := range q.running {
			other.shared, t.shared = true, true
		}
		q.running = append(q.running, t)
		t.begun = time.Now()
		close(t.ready)
	}
}

// release ends the turn.
func (t *statementTurn) release() {
	t.turns.mu.Lock()
	defer t.turns.mu.Unlock()
	t.turns.end(t)
	t.turns.startNext()
}

func (q *statementTurns) end(t *statementTurn) {
	q.running = slices.DeleteFunc(q.running, func(other *statementTurn) bool { return other == t })
	q.used[t.session] = max(q.used[t.session], t.virtual) + time.Since(t.begun)
	for session, virtual := range q.used {
		if virtual <= q.now || len(q.running)+len(q.waiting) == 0 {
			delete(q.used, session)
		}
	}
}
