package pgwire_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
)

// Statements of the port read kept results, in text and in binary, unless their session allows no age.
func TestSession_ReadsKeptResults(t *testing.T) {
	p := startPortOf(t, openShopWith(t, engine.Config{CacheMiB: 4, CacheTTL: time.Hour}), nil)
	c := connect(t, p.url(""))
	const statement = "SELECT status, MEASURE(revenue) FROM orders GROUP BY status ORDER BY status"
	want := rowsOf(t, connect(t, startPort(t, nil).url("")).PgConn(), statement)
	served := map[string]int64{}
	expect := func(outcome string) {
		t.Helper()
		testwait.Until(t, "no statement runs", func() bool { s, _ := p.engine.ResultCacheStats(); return s.Waiting == 0 })
		s, _ := p.engine.ResultCacheStats()
		for o, n := range s.Requests {
			if more := n - served[string(o)]; more != 0 && string(o) != outcome {
				t.Errorf("%d of %s, want one of %s", more, o, outcome)
			}
			served[string(o)] = n
		}
	}
	for _, outcome := range []string{"miss", "hit", "hit"} {
		if d := cmp.Diff(want, rowsOf(t, c.PgConn(), statement)); d != "" {
			t.Errorf("%s: %s", outcome, d)
		}
		expect(outcome)
	}
	rows, err := c.Query(context.Background(), statement) // in binary
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for rows.Next() {
		count++
	}
	if rows.Err() != nil || count != len(want) {
		t.Errorf("%d rows in binary, %v", count, rows.Err())
	}
	expect("hit")
	for _, outcome := range []string{"bypass", "bypass"} {
		if d := cmp.Diff(want, rowsOf(t, c.PgConn(), "SET semlayer.max_age = 0; "+statement)); d != "" {
			t.Errorf("%s: %s", outcome, d)
		}
		expect(outcome)
	}
	if got := rowsOf(t, c.PgConn(), "RESET semlayer.max_age; "+statement); len(got) != len(want) {
		t.Errorf("%d rows", len(got))
	}
	expect("hit")
}
