package duckdb

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
)

// When one thread fails and another reports first, only the second run returns the cause.
func TestErrors_SpuriousInterruptFindsCause(t *testing.T) {
	t.Run("an interrupt error without an interrupt is replaced by the cause of a second run", func(t *testing.T) {
		e, err := Open(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		c := acquire(t, e)
		defer e.releaseConnection(c)
		early := classifyErrorMessage("INTERRUPT Error: Interrupted!")

		var told *executor.Error
		err = c.findErrorByRerun(t.Context(), "SELECT error('the reason')", early)
		if !errors.As(err, &told) || told.Code != executor.CodeSQLRejected || !strings.Contains(told.Message, "the reason") {
			t.Errorf("got %v, want what the statement says", err)
		}
		if err := c.findErrorByRerun(t.Context(), "SELECT 1", early); !errors.Is(err, early) {
			t.Errorf("a statement that runs tells %v, want the first error", err)
		}
		other := classifyErrorMessage("Binder Error: no such thing")
		if err := c.findErrorByRerun(t.Context(), "SELECT error('the reason')", other); !errors.Is(err, other) {
			t.Errorf("an error with a reason became %v", err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if err := c.findErrorByRerun(ended, "SELECT error('the reason')", early); !errors.Is(err, early) {
			t.Errorf("after the end of its context a statement ran: %v", err)
		}
	})
}
