package catalogue

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// run runs a statement of a session for some time, in the background.
func run(t *testing.T, q *statementTurns, session uint32, took time.Duration, order *[]uint32) {
	go func() {
		turn, err := q.wait(t.Context(), session)
		if err != nil {
			t.Error(err)
			return
		}
		*order = append(*order, session)
		time.Sleep(took)
		turn.release()
	}()
	synctest.Wait()
}

func TestStatementTurns_StartsTheSessionThatHasRunLeast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newStatementTurns(1)
		var order []uint32
		run(t, q, 1, 5*time.Second, &order)
		run(t, q, 2, 5*time.Second, &order)
		time.Sleep(6 * time.Second) // 2 runs
		run(t, q, 1, 5*time.Second, &order)
		run(t, q, 1, 5*time.Second, &order)
		run(t, q, 3, time.Millisecond, &order)
		run(t, q, 4, time.Millisecond, &order)
		time.Sleep(time.Minute)
		synctest.Wait()
		if diff := cmp.Diff([]uint32{1, 2, 3, 4, 1, 1}, order); diff != "" {
			t.Error(diff)
		}
		if len(q.used) != 0 || len(q.running) != 0 {
			t.Errorf("after the last statement: %v %v", q.used, q.running)
		}
	})
}

func TestStatementTurns_RunsAStatementAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newStatementTurns(4)
		var order []uint32
		first, err := q.wait(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		run(t, q, 2, time.Minute, &order)
		if !first.shared {
			t.Error("the statements run side by side")
		}
		first.release()
		begun := time.Now()
		run(t, q, 3, time.Second, &order)
		again, err := q.waitAlone(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(begun); waited != time.Minute {
			t.Errorf("the statement waited %v for the other one", waited)
		}
		run(t, q, 4, time.Second, &order)
		if diff := cmp.Diff([]uint32{2, 3}, order); diff != "" || again.shared {
			t.Error(diff, again.shared)
		}
		again.release()
		synctest.Wait()
		if diff := cmp.Diff([]uint32{2, 3, 4}, order); diff != "" {
			t.Error(diff)
		}
		time.Sleep(time.Minute)
	})
}

func TestStatementTurns_EndsAWaitWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newStatementTurns(1)
		first, err := q.wait(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := q.wait(ctx, 2); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		first.release()
		if _, err := q.wait(t.Context(), 3); err != nil || len(q.waiting) != 0 {
			t.Error(err, q.waiting)
		}
	})
}
