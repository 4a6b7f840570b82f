package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/semaphore"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
)

// queueTest is a queue before slots, and the requests of a test by name.
type queueTest struct {
	queues *slotQueues
	slots  *semaphore.NonBlockingSemaphore
	ran    chan string
	end    map[string]chan func()
}

func newQueueTest(slots, length int) *queueTest {
	return &queueTest{&slotQueues{length: length}, semaphore.NewNonBlockingSemaphore(slots), make(chan string, 100), map[string]chan func(){}}
}

func quotaOf(identity string, concurrent int) access.Quota {
	return access.Quota{Identity: identity, Limits: access.Limits{Concurrent: concurrent}}
}

func (q *queueTest) waiting() int {
	q.queues.mu.Lock()
	defer q.queues.mu.Unlock()
	n := 0
	for _, line := range q.queues.lines {
		n += line.count
	}
	return n
}

// ask sends a request that waits, and returns when it does, or has a slot. ran receives its name when it has one.
func (q *queueTest) ask(ctx context.Context, t *testing.T, name, connection string, quota access.Quota) {
	t.Helper()
	released := make(chan func(), 1)
	q.end[name] = released
	before, settled := q.waiting(), make(chan struct{})
	go func() {
		release, ok := q.queues.wait(ctx, connection, quota, time.Hour, q.slots.TryAcquireQuietly)
		if ok {
			released <- release
			q.ran <- name
		}
		close(settled)
	}()
	testwait.Until(t, name+" waits or runs", func() bool {
		select {
		case <-settled:
			return true
		default:
			return q.waiting() > before
		}
	})
}

// finish ends a request that runs.
func (q *queueTest) finish(t *testing.T, name string) {
	t.Helper()
	testwait.Receive(t, "the slot of "+name, q.end[name])()
}

func (q *queueTest) expect(t *testing.T, want string) {
	t.Helper()
	if got := testwait.Receive(t, "the next request", q.ran); got != want {
		t.Errorf("%s runs, want %s", got, want)
	}
}

func TestSlotQueue_FirstInFirstOutAndTurnsOfIdentities(t *testing.T) {
	q := newQueueTest(1, 10)
	ctx := t.Context()
	q.ask(ctx, t, "holder", "", quotaOf("x", 0))
	q.expect(t, "holder")
	for _, name := range []string{"a1", "a2", "a3"} {
		q.ask(ctx, t, name, "", quotaOf("a", 0))
	}
	for _, name := range []string{"b1", "b2"} {
		q.ask(ctx, t, name, "", quotaOf("b", 0))
	}
	last := "holder"
	for _, want := range []string{"a1", "b1", "a2", "b2", "a3"} {
		q.finish(t, last)
		q.expect(t, want)
		last = want
	}
	q.finish(t, last)
	if q.slots.TakenCount() != 0 || q.waiting() != 0 {
		t.Errorf("%d slots are taken, %d requests wait", q.slots.TakenCount(), q.waiting())
	}
}

func TestSlotQueue_ClientThatLeavesGivesUpItsPlace(t *testing.T) {
	q := newQueueTest(1, 2)
	q.ask(t.Context(), t, "holder", "", quotaOf("x", 0))
	q.expect(t, "holder")
	leaving, leave := context.WithCancel(t.Context())
	q.ask(leaving, t, "gone", "", quotaOf("a", 0))
	q.ask(t.Context(), t, "stays", "", quotaOf("a", 0))
	if _, ok := q.queues.wait(t.Context(), "", quotaOf("b", 0), time.Hour, q.slots.TryAcquireQuietly); ok {
		t.Error("a full queue takes a request")
	}
	leave()
	testwait.Until(t, "the place is free", func() bool { return q.waiting() == 1 })
	q.finish(t, "holder")
	q.expect(t, "stays")
	q.finish(t, "stays")
	if q.slots.TakenCount() != 0 {
		t.Errorf("%d slots are taken", q.slots.TakenCount())
	}
}

func TestSlotQueue_IdentityAtItsLimitBlocksNoOther(t *testing.T) {
	q := newQueueTest(2, 10)
	ctx := t.Context()
	q.ask(ctx, t, "a1", "", quotaOf("a", 1))
	q.expect(t, "a1")
	q.ask(ctx, t, "a2", "", quotaOf("a", 1))
	q.ask(ctx, t, "b1", "", quotaOf("b", 1))
	q.expect(t, "b1")
	if release, ok := q.queues.tryTake(quotaOf("a", 1), q.slots.TryAcquireQuietly); ok {
		release()
		t.Error("an identity has more executions than its quota")
	}
	q.finish(t, "b1")
	testwait.ExpectNothing(t, "a request beyond the quota of its identity", q.ran)
	q.finish(t, "a1")
	q.expect(t, "a2")
	q.finish(t, "a2")
	if len(q.queues.running) != 0 {
		t.Errorf("%v are counted", q.queues.running)
	}
}

func TestSlotQueue_ConnectionsDoNotBlockEachOther(t *testing.T) {
	q := newQueueTest(10, 10)
	slow := semaphore.NewNonBlockingSemaphore(1)
	hold, _ := slow.TryAcquire()
	go func() {
		if release, ok := q.queues.wait(t.Context(), "slow", quotaOf("a", 0), time.Hour, slow.TryAcquireQuietly); ok {
			q.ran <- "slow"
			release()
		}
	}()
	testwait.Until(t, "a request waits for the slow connection", func() bool { return q.waiting() == 1 })
	q.ask(t.Context(), t, "other", "other", quotaOf("a", 0))
	q.expect(t, "other")
	hold()
	q.finish(t, "other") // any slot that is given back lets the queues look for free ones
	q.expect(t, "slow")
}

func TestSlotQueue_WaitEnds(t *testing.T) {
	q := newQueueTest(1, 10)
	hold, _ := q.slots.TryAcquire()
	if _, ok := q.queues.wait(t.Context(), "", quotaOf("a", 0), time.Millisecond, q.slots.TryAcquireQuietly); ok || q.waiting() != 0 {
		t.Errorf("a request without a slot runs; %d wait", q.waiting())
	}
	hold()
}

func TestSlotQueue_ManyRequestsLeaveNoSlotTaken(t *testing.T) {
	q := newQueueTest(3, 1000)
	done := make(chan bool, 300)
	for i := range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		if i%3 == 0 {
			cancel()
		}
		go func() {
			defer cancel()
			release, ok := q.queues.wait(ctx, fmt.Sprint(i%2), quotaOf(fmt.Sprint(i%5), 2), time.Hour, q.slots.TryAcquireQuietly)
			if ok {
				release()
			}
			done <- ok
		}()
	}
	for range 300 {
		testwait.Receive(t, "the end of a request", done)
	}
	if q.slots.TakenCount() != 0 || q.waiting() != 0 || len(q.queues.running) != 0 {
		t.Errorf("%d slots are taken, %d requests wait, %v are counted", q.slots.TakenCount(), q.waiting(), q.queues.running)
	}
}

// 64 clients, 48 of one identity and 16 of another, each of which asks again when its execution ends: both identities get about half of
// the executions.
func TestSlotQueue_IdentitiesGetEqualShares(t *testing.T) {
	const slots, executions = 4, 300
	q := newQueueTest(slots, 100)
	request := 0
	ask := func(identity string) {
		q.ask(t.Context(), t, fmt.Sprintf("%s %d", identity, request), "", quotaOf(identity, 0))
		request++
	}
	for i := range 64 {
		if i%4 == 3 {
			ask("few")
		} else {
			ask("many")
		}
	}
	count := map[string]int{}
	for range executions {
		name := testwait.Receive(t, "the next execution", q.ran)
		identity, _, _ := strings.Cut(name, " ")
		count[identity]++
		ask(identity)
		q.finish(t, name)
	}
	for identity, n := range count {
		if n*100 < executions*45 {
			t.Errorf("%s has %d of %d executions", identity, n, executions)
		}
	}
	if len(count) != 2 {
		t.Errorf("%v", count)
	}
}
