package mysql_test

import (
	"context"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
)

func TestLimit_IsGivenToTheServerWithTheRowsOfABudget(t *testing.T) {
	s := servers.MariaDB(t)
	o := options(s.Address)
	o.PoolSize = 1
	e := open(t, o)
	within := func(d time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(executor.WithDeadlineForRows(t.Context()), d)
		t.Cleanup(cancel)
		return ctx
	}
	admin(t, s, "SET GLOBAL max_statement_time = 20")
	defer admin(t, s, "SET GLOBAL max_statement_time = DEFAULT")
	limited := open(t, o)
	for _, c := range []struct {
		what string
		e    executor.Executor
		ctx  context.Context
		want string
	}{
		{"a lower limit of the server", limited, within(58 * time.Second), "20.000000"},
		{"a lower budget", limited, within(3 * time.Second), "10.000000"},
		{"the server's limit again", limited, t.Context(), "20.000000"},
	} {
		checkLimit(c.ctx, t, c.what, c.e, c.want)
	}
	admin(t, s, "SET GLOBAL max_statement_time = DEFAULT")
	checkLimit(within(58*time.Second), t, "a budget", e, "65.000000")
	checkLimit(t.Context(), t, "no deadline", e, "0.000000")
}

func checkLimit(ctx context.Context, t *testing.T, what string, e executor.Executor, want string) {
	t.Helper()
	got, err := executortest.QueryRowsJSON(ctx, e, "SELECT CAST(@@max_statement_time AS CHAR) AS t")
	if want := `[{"t":"` + want + `"}]`; err != nil || got != want {
		t.Errorf("%s: got %s, %v, want %s", what, got, err, want)
	}
}
