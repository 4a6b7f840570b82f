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
		ctx, cancel := context.WithTimeout(executor.BoundRows(t.Context()), d)
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
		checkLimit(t, c.what, c.e, c.ctx, c.want)
	}
	admin(t, s, "SET GLOBAL max_statement_time = DEFAULT")
	checkLimit(t, "a budget", e, within(58*time.Second), "65.000000")
	checkLimit(t, "no deadline", e, t.Context(), "0.000000")
}

func checkLimit(t *testing.T, what string, e executor.Executor, ctx context.Context, want string) {
	t.Helper()
	got, err := executortest.Answer(ctx, e, "SELECT CAST(@@max_statement_time AS CHAR) AS t")
	if want := `[{"t":"` + want + `"}]`; err != nil || got != want {
		t.Errorf("%s: got %s, %v, want %s", what, got, err, want)
	}
}
