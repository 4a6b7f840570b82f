package duckdb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// deaf takes seconds in one step, in which DuckDB looks at no interrupt.
const deaf = "SELECT count(*) AS n FROM (SELECT repeat('x', 2000 + i::INTEGER) AS s FROM range(1) r(i)) WHERE s LIKE '%_x%_x%_b'"

func drain(ctx context.Context, e *Executor, sql string) error {
	rows, err := e.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	batch, err := rows.Next(ctx)
	if err == nil {
		batch.Release()
	}
	return err
}

func TestAbandon_StatementThatIgnoresInterruptsGivesItsSlotBack(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	e, err := Open(t.Context(), Options{Connections: 1, Setup: []string{"CREATE TABLE t AS SELECT 7 AS n"}})
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
	if use := e.PoolUse(); use.InUse != 0 {
		t.Errorf("%d slots are taken", use.InUse)
	}
	if err := drain(t.Context(), e, "SELECT n FROM t"); err != nil {
		t.Errorf("another statement, on a new instance: %v", err)
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
	if spills, _ := filepath.Glob(filepath.Join(temporary, spillPrefix+"*")); len(spills) != 1 {
		t.Errorf("directories for one instance: %v", spills)
	}
	if e.abandoned != 0 || e.PoolUse().InUse != 0 {
		t.Errorf("%d statements are counted as given up, %d slots are taken", e.abandoned, e.PoolUse().InUse)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAbandon_StatementsThatRunOnAreBounded(t *testing.T) {
	e, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var taken []*connection
	for range mostAbandoned + 1 {
		c, err := e.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, c)
	}
	for i, c := range taken {
		if got, want := e.abandon(c), i < mostAbandoned; got != want {
			t.Errorf("the one with number %d: given up %v, want %v", i+1, got, want)
		}
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
	if err := drain(t.Context(), e, "SELECT 1"); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// Two instances that write one file would destroy it.
func TestAbandon_DatabaseThatIsWrittenKeepsItsInstance(t *testing.T) {
	e, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "a.duckdb"), ReadWrite: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c, err := e.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := e.current
	if !e.abandon(c) || e.current != before || e.PoolUse().InUse != 0 {
		t.Error("the slot is not free, or the instance is another")
	}
	c.spent = true
	e.release(c)
}
