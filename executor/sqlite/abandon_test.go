package sqlite

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
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
	e, err := Open(t.Context(), Options{Path: inMemoryDatabasePath, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	executortest.TestStatementIgnoringInterrupt(t, e, deaf)
	if n := e.slots.AbandonedStatementCount(); n != 0 {
		t.Errorf("%d statements are counted as given up", n)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestValues_OfMoreThan64MiBAreRefused(t *testing.T) {
	e, err := Open(t.Context(), Options{Path: inMemoryDatabasePath})
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
