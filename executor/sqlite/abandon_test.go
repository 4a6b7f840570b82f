package sqlite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// deaf takes seconds in one function, in which SQLite looks at no interrupt.
const deaf = "SELECT instr(printf('%.*c', 700000, 'x'), printf('%.*c', 350000, 'x') || 'b') AS n"

func drain(ctx context.Context, e *Executor, sql string) error {
	rows, err := e.Query(ctx, sql)
	if err != nil {
		return err
	}
	return rows.Close()
}

func TestAbandon_StatementThatIgnoresInterruptsGivesItsSlotBack(t *testing.T) {
	e, err := Open(t.Context(), Options{Path: memory, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	given, returned := make(chan struct{}), make(chan error, 1)
	go func() { returned <- drain(executor.OnAbandon(ctx, func() { close(given) }), e, deaf) }()
	select {
	case err := <-returned:
		t.Fatalf("the statement heard its interrupt: %v", err)
	case <-given:
	}
	if err := drain(t.Context(), e, "SELECT 7 AS n"); err != nil || e.PoolUse().InUse != 0 {
		t.Errorf("another statement: %v; %d slots are taken", err, e.PoolUse().InUse)
	}
	select {
	case <-returned:
		t.Error("the statement ended before another could run beside it")
	default:
	}
	var timeout *executor.Error
	if err := <-returned; !errors.As(err, &timeout) || timeout.Code != executor.CodeTimeout {
		t.Errorf("the statement: %v", err)
	}
	if e.abandoned != 0 || e.PoolUse().InUse != 0 {
		t.Errorf("%d statements are counted as given up, %d slots are taken", e.abandoned, e.PoolUse().InUse)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAbandon_StatementsThatRunOnAreBounded(t *testing.T) {
	e, err := Open(t.Context(), Options{Path: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var taken []*connection
	for i := range mostAbandoned + 1 {
		c, err := e.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := e.abandon(c), i < mostAbandoned; got != want {
			t.Errorf("the one with number %d: given up %v, want %v", i+1, got, want)
		}
		taken = append(taken, c)
	}
	if use := e.PoolUse(); use.InUse != 1 {
		t.Errorf("%d slots are taken, want that of the last", use.InUse)
	}
	for _, c := range taken {
		c.spent = true
		e.release(c)
	}
	if e.abandoned != 0 || e.PoolUse().InUse != 0 {
		t.Errorf("%d are counted as given up, %d slots are taken", e.abandoned, e.PoolUse().InUse)
	}
}

func TestValues_OfMoreThan64MiBAreRefused(t *testing.T) {
	e, err := Open(t.Context(), Options{Path: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := drain(t.Context(), e, "SELECT length(zeroblob(67108864)) AS n"); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	err = drain(t.Context(), e, "SELECT length(replace(printf('%.*c', 1000, 'x'), 'x', printf('%.*c', 1000000, 'y'))) AS n")
	var refused *executor.Error
	if !errors.As(err, &refused) || refused.Code != executor.CodeSQLRejected || !strings.Contains(refused.Message, "too big") {
		t.Errorf("a thousand megabytes: %v", err)
	}
}
