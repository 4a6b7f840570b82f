package pgwire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/pgwire"
)

// What a session keeps is bounded, and rejected beyond it; the session continues.
func TestSession_KeepsABoundedAmount(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	value := strings.Repeat("x", 400<<10)
	for i, state := range []string{"", "", "53400"} {
		if _, err := run(c, fmt.Sprintf("SET my.v%d = '%s'", i, value)); stateOf(err) != state {
			t.Errorf("variable %d: %v, want %q", i, stateOf(err), state)
		}
	}
	statement := "SELECT status FROM orders /* " + strings.Repeat("x", 900<<10) + " */"
	refused := 0
	for i := range 30 {
		_, err := c.Prepare(t.Context(), fmt.Sprint("p", i), statement, nil)
		if state := stateOf(err); state == "53400" {
			refused++
		} else if state != "" {
			t.Fatal(state)
		}
	}
	if refused < 10 || refused > 15 { // of 900 KiB each, 16 MiB hold 18
		t.Errorf("%d of 30 statements are refused", refused)
	}
	if _, err := run(c, "DEALLOCATE ALL; RESET ALL"); err != nil {
		t.Error(err)
	}
	if _, err := c.Prepare(t.Context(), "again", statement, nil); err != nil {
		t.Error(err)
	}
}

// All sessions share one bound. A session that keeps little goes on when others hold the share.
func TestSession_SessionsShareTheMemoryThatTheyKeep(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes}) // 8 MiB for sessions
	port := startPort(t, func(c *pgwire.Config) { c.Memory, c.MaxSessions = budget, 20 })
	statement := "SELECT status FROM orders /* " + strings.Repeat("x", 800<<10) + " */"
	refused, greedy := 0, make([]*pgconn.PgConn, 4)
	for i := range greedy {
		greedy[i] = connect(t, port.url("")).PgConn()
		for k := range 5 {
			if _, err := run(greedy[i], fmt.Sprintf("PREPARE p%d AS %s", k, statement)); stateOf(err) == "53200" {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if refused < 8 || refused > 14 { // of 20 statements of 800 KiB, 7 MiB hold 8
		t.Errorf("%d of 20 statements are refused", refused)
	}
	small := connect(t, port.url("")).PgConn()
	for i := range 20 {
		if _, err := small.Prepare(t.Context(), fmt.Sprint("p", i), "SELECT status FROM orders", nil); err != nil {
			t.Fatalf("a small statement: %v", err)
		}
	}
	for name, sql := range map[string]string{
		"a variable": "SET my.text = '" + strings.Repeat("x", 900<<10) + "'",
		"a cursor":   "BEGIN; DECLARE c CURSOR FOR " + statement,
	} {
		if _, err := run(small, sql); stateOf(err) != "53200" {
			t.Errorf("%s: %v, want 53200", name, err)
		}
		_, _ = run(small, "ROLLBACK")
	}
	if _, err := run(greedy[0], "DEALLOCATE ALL"); err != nil {
		t.Fatal(err)
	}
	if _, err := run(small, "PREPARE large AS "+statement); err != nil {
		t.Errorf("after others have given their memory back: %v", err)
	}
	for _, c := range greedy {
		_ = c.Close(t.Context())
	}
	_ = small.Close(t.Context())
	const guaranteed = 20 * 64 << 10
	testwait.Until(t, "only the guaranteed bytes are held", func() bool { return budget.Part(memory.Sessions).Held() == guaranteed })
}

// A message that does not fit is refused, and the session goes on.
func TestSession_LargeMessagesShareMemory(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes})
	messages := budget.Part(memory.Messages)
	port := startPort(t, func(c *pgwire.Config) { c.Memory = budget })
	c := connect(t, port.url("")).PgConn()
	held, err := messages.Reserve(messages.Capacity())
	if err != nil {
		t.Fatal(err)
	}
	long := "SELECT status FROM orders /* " + strings.Repeat("x", 200<<10) + " */"
	if _, err := run(c, long); stateOf(err) != "53200" {
		t.Errorf("%v, want 53200", err)
	}
	if _, err := c.Prepare(t.Context(), "p", long, nil); stateOf(err) != "53200" {
		t.Errorf("%v, want 53200", err)
	}
	if _, err := run(c, "SELECT status FROM orders"); err != nil {
		t.Errorf("a short message: %v", err)
	}
	held.Release()
	if _, err := run(c, long); err != nil {
		t.Errorf("with memory again: %v", err)
	}
}
