package mysql_test

import (
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
)

func TestStatement_CarriesTheTagOfItsRequest(t *testing.T) {
	s := servers.MariaDB(t)
	e := open(t, options(s.Address))
	const running = "SELECT info AS q FROM information_schema.processlist WHERE id = CONNECTION_ID()"
	ctx := executor.WithQueryTag(t.Context(), "0a1b")
	for _, want := range []string{"/* semlayer 0a1b/1 */ ", "/* semlayer 0a1b/2 */ "} {
		got, err := executortest.QueryRowsJSON(ctx, e, running)
		if err != nil || got != `[{"q":"`+want+running+`"}]` {
			t.Errorf("got %s, %v, want %s in front", got, err, want)
		}
	}
	if got, err := executortest.QueryRowsJSON(t.Context(), e, running); err != nil || got != `[{"q":"`+running+`"}]` {
		t.Errorf("without an id: got %s, %v", got, err)
	}
}
