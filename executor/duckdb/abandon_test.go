package duckdb

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// deaf takes seconds in one step, in which DuckDB looks at no interrupt.
const deaf = "SELECT count(*) AS n FROM (SELECT repeat('x', 2000 + i::INTEGER) AS s FROM range(1) r(i)) WHERE s LIKE '%_x%_x%_b'"

func TestAbandon_StatementThatIgnoresInterruptsGivesItsSlotBack(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	e, err := Open(t.Context(), Options{Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	before := e.current
	executortest.TestStatementIgnoringInterrupt(t, e, deaf)
	if e.current == before {
		t.Error("other statements run on the instance of the one that was given up")
	}
	if n := e.slots.AbandonedStatementCount(); n != 0 {
		t.Errorf("%d statements are counted as given up", n)
	}
	if spills, _ := filepath.Glob(filepath.Join(temporary, spillDirectoryPrefix+"*")); len(spills) != 1 {
		t.Errorf("directories for one instance: %v", spills)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Too many statements that run on leave the others where they are.
func TestAbandon_InstanceStaysWhereNoMoreAreGivenUp(t *testing.T) {
	e, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var taken []*connection
	for i := range driver.MaxAbandonedStatements + 1 {
		c := acquire(t, e)
		before := e.current
		if got, want := e.abandonConnection(c), i < driver.MaxAbandonedStatements; got != want || (e.current == before) == want {
			t.Errorf("the one with number %d: given up %v, want %v; the instance is the same: %v", i+1, got, want, e.current == before)
		}
		taken = append(taken, c)
	}
	for _, c := range taken {
		c.spent = true
		e.releaseConnection(c)
	}
	if n := e.slots.AbandonedStatementCount(); n != 0 || e.PoolUse().InUse != 0 {
		t.Errorf("%d are counted as given up, %d slots are taken", n, e.PoolUse().InUse)
	}
	if got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n"); err != nil || got != `[{"n":1}]` {
		t.Errorf("%s, %v", got, err)
	}
}

// Two instances that write one file would destroy it.
func TestAbandon_DatabaseThatIsWrittenKeepsItsInstance(t *testing.T) {
	e, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "a.duckdb"), ReadWrite: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := acquire(t, e)
	before := e.current
	if !e.abandonConnection(c) || e.current != before || e.PoolUse().InUse != 0 {
		t.Error("the slot is not free, or the instance is another")
	}
	c.spent = true
	e.releaseConnection(c)
}

func acquire(t *testing.T, e *Executor) *connection {
	t.Helper()
	c, err := driver.OpenConnectionWithSlot(t.Context(), e.slots, e.takeConnection)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
