package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/semlayer/semlayer/modelspec/access"
)

// DefaultQueueLength is the most requests that wait for one connection.
const DefaultQueueLength = 64

// slotQueues hold the requests that wait for an execution slot: a queue for each connection, in which the requests of an identity keep
// their order and identities take turns. A request takes a slot of its connection and of the engine, and counts for its identity.
//
//	request ─► line of its connection ─► turn of its identity ─► slots free? ─► runs
//
// Slots are only taken and given back with the lock held, so that no slot is free while a request that may have it waits.
type slotQueues struct {
	length int // of one queue

	mu      sync.Mutex
	lines   []*slotLine    // in the order in which connections were first waited for
	turn    int            // of the next line
	running map[string]int // executions by identity and model
	waits   QueueWaits
}

// QueueWaits is how often and how long requests have waited.
type QueueWaits struct {
	Count   int64
	Seconds float64
}

// slotLine is the queue of one connection. Each identity has its own requests, in order.
type slotLine struct {
	connection string
	identities []string // in the order of their turns
	waiting    map[string][]*waitingRequest
	count      int
}

// waitingRequest is a request that waits.
type waitingRequest struct {
	quota   access.Quota
	take    func() (release func(), ok bool)
	granted chan func() // has the release, once
}

// quotaCountKey is the key under which the executions of an identity are counted.
func quotaCountKey(q access.Quota) string { return q.Model + "\x00" + q.Identity }

// takeForIdentity takes slots, unless the identity has as many executions as it may. The lock is held.
func (s *slotQueues) takeForIdentity(q access.Quota, take func() (func(), bool)) (release func(), ok bool) {
	key := quotaCountKey(q)
	if q.Concurrent > 0 && s.running[key] >= q.Concurrent {
		return nil, false
	}
	free, ok := take()
	if !ok {
		return nil, false
	}
	if q.Concurrent > 0 {
		if s.running == nil {
			s.running = map[string]int{}
		}
		s.running[key]++
	}
	var once sync.Once
	return func() {
		once.Do(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			free()
			if q.Concurrent > 0 {
				if s.running[key]--; s.running[key] == 0 {
					delete(s.running, key)
				}
			}
			s.grantFreeSlots()
		})
	}, true
}

// tryTake takes slots at once, or reports that there are none.
func (s *slotQueues) tryTake(q access.Quota, take func() (func(), bool)) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeForIdentity(q, take)
}

// wait takes slots as soon as it is the turn of the request. ok is false where the queue is full, the time is over, or ctx has ended.
func (s *slotQueues) wait(ctx context.Context, connection string, q access.Quota, most time.Duration, take func() (func(), bool)) (release func(), ok bool) {
	request := &waitingRequest{quota: q, take: take, granted: make(chan func(), 1)}
	s.mu.Lock()
	line := s.lineOf(connection)
	if line.count >= s.length {
		s.mu.Unlock()
		return nil, false
	}
	line.add(request)
	s.grantFreeSlots()
	s.mu.Unlock()
	select { // a request that found a slot has not waited
	case release := <-request.granted:
		return release, true
	default:
	}
	begun := time.Now()
	over := time.NewTimer(most)
	defer over.Stop()
	select {
	case release = <-request.granted:
	case <-over.C:
	case <-ctx.Done():
	}
	s.mu.Lock()
	s.waits.Count++
	s.waits.Seconds += time.Since(begun).Seconds()
	line.remove(request)
	s.mu.Unlock()
	if release != nil {
		return release, true
	}
	select {
	case release := <-request.granted: // at the same time
		if ctx.Err() == nil {
			return release, true
		}
		release()
	default:
	}
	return nil, false
}

func (s *slotQueues) lineOf(connection string) *slotLine {
	for _, line := range s.lines {
		if line.connection == connection {
			return line
		}
	}
	line := &slotLine{connection: connection, waiting: map[string][]*waitingRequest{}}
	s.lines = append(s.lines, line)
	return line
}

// grantFreeSlots gives free slots to requests that wait, one line after the other. The lock is held.
func (s *slotQueues) grantFreeSlots() {
	for failed := 0; failed < len(s.lines); {
		line := s.lines[s.turn%len(s.lines)]
		s.turn++
		if s.grantNext(line) {
			failed = 0
		} else {
			failed++
		}
	}
}

// grantNext lets the first request run whose identity has its turn and may have a slot; false where there is none.
func (s *slotQueues) grantNext(line *slotLine) bool {
	for _, identity := range line.identities {
		request := line.waiting[identity][0]
		release, ok := s.takeForIdentity(request.quota, request.take)
		if !ok {
			continue
		}
		line.remove(request)
		if at := slices.Index(line.identities, identity); at >= 0 { // its next request waits until the others had their turn
			line.identities = append(slices.Delete(line.identities, at, at+1), identity)
		}
		request.granted <- release
		return true
	}
	return false
}

func (l *slotLine) add(r *waitingRequest) {
	identity := r.quota.Identity
	if len(l.waiting[identity]) == 0 {
		l.identities = append(l.identities, identity)
	}
	l.waiting[identity] = append(l.waiting[identity], r)
	l.count++
}

// remove takes a request out of the line, if it is there.
func (l *slotLine) remove(r *waitingRequest) {
	identity := r.quota.Identity
	at := slices.Index(l.waiting[identity], r)
	if at < 0 {
		return
	}
	l.count--
	if l.waiting[identity] = slices.Delete(l.waiting[identity], at, at+1); len(l.waiting[identity]) == 0 {
		delete(l.waiting, identity)
		l.identities = slices.DeleteFunc(l.identities, func(name string) bool { return name == identity })
	}
}

// QueueInfo is the number of requests that wait for a slot of a connection.
type QueueInfo struct {
	Connection string // name of the profile; "" for the embedded database
	Waiting    int
}

// Queues reports the requests that wait, for each connection that was waited for.
func (e *Engine) Queues() ([]QueueInfo, QueueWaits) {
	s := e.warehouses.queues
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []QueueInfo
	for _, line := range s.lines {
		out = append(out, QueueInfo{line.connection, line.count})
	}
	return out, s.waits
}
