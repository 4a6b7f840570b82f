package executortest

import (
	"context"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// TestStatementIgnoringInterrupt checks what happens to a statement that ignores its interrupt: after a grace its slot
// serves another statement, and its caller still gets the error of the deadline once it ends.
// The executor has one slot. Deaf is the statement: it takes some seconds in one step.
func TestStatementIgnoringInterrupt(t *testing.T, e executor.Executor, deaf string) {
	t.Helper()
	inUse := func() int { return e.(executor.PoolReporter).PoolUse().InUse }
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	given, returned := make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := QueryRowsJSON(executor.WithAbandonFunc(ctx, func() { close(given) }), e, deaf)
		returned <- err
	}()
	select {
	case err := <-returned:
		t.Fatalf("the statement took note of its interrupt: %v", err)
	case <-given:
	}
	if n := inUse(); n != 0 {
		t.Errorf("%d slots are taken", n)
	}
	if got, err := QueryRowsJSON(t.Context(), e, "SELECT 7 AS n"); err != nil || got != `[{"n":7}]` {
		t.Errorf("another statement: %s, %v", got, err)
	}
	select {
	case <-returned:
		t.Error("the statement ended before another could run beside it")
	default:
	}
	ExpectError(t, <-returned, executor.CodeTimeout)
	if n := inUse(); n != 0 {
		t.Errorf("%d slots are taken after its end", n)
	}
}
