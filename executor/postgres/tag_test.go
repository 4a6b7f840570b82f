package postgres_test

import (
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/postgres"
)

func TestStatement_CarriesTheTagOfItsRequestAndIsRememberedWithoutIt(t *testing.T) {
	s := servers.Postgres(t)
	o := options(s.Address)
	o.PoolSize = 1
	e := open(t, o)
	const running = "SELECT query AS q FROM pg_stat_activity WHERE pid = pg_backend_pid()"
	// The second and third time the columns of the statement are known.
	ctx := executor.WithQueryTag(t.Context(), "0a1b")
	for _, want := range []string{"/* semlayer 0a1b/1 */ ", "/* semlayer 0a1b/2 */ ", "/* semlayer 0a1b/3 */ "} {
		got, err := executortest.QueryRowsJSON(ctx, e, running)
		if err != nil || got != `[{"q":"`+want+running+`"}]` {
			t.Errorf("got %s, %v, want %s in front", got, err, want)
		}
	}
	if got, err := executortest.QueryRowsJSON(t.Context(), e, running); err != nil || got != `[{"q":"`+running+`"}]` {
		t.Errorf("without an id: got %s, %v", got, err)
	}
	if n := postgres.Described(e); n != 1 {
		t.Errorf("%d statements are remembered, want one", n)
	}
}
