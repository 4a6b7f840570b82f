package pgwire_test

import (
	"fmt"
	"strings"
	"testing"
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
