package statements

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// A statement of as many subqueries as there may be is compiled at once. DuckDB takes seconds to plan it, and gives up
// when the time is over.
func TestStatements_ManySubqueriesEndWithTheirTimeout(t *testing.T) {
	s := newShop(t, orders(t))
	const among = "region IN (SELECT region FROM shop GROUP BY 1 HAVING MEASURE(revenue) > 1)"
	began := time.Now()
	compiled, err := s.model.Compile(t.Context(), semsql.Statement{
		SQL: "SELECT region, MEASURE(revenue) FROM shop WHERE " + strings.Repeat(among+" AND ", 97) + among + " GROUP BY 1",
	}, targetOf(dialect(t, "duckdb")))
	if err != nil {
		t.Fatal(err)
	}
	sql, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, "duckdb"), sqlemit.FormatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > testwait.Deadline {
		t.Errorf("it is compiled in %s", took)
	}
	hasty, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	began = time.Now()
	_, err = servers.QueryTable(hasty, s.db, sql, compiled.Planned.Columns)
	var late *executor.Error
	if !errors.As(err, &late) || late.Code != executor.CodeTimeout {
		t.Errorf("%v, want a timeout", err)
	}
	if took := time.Since(began); took > testwait.Deadline {
		t.Errorf("it ends %s after its start", took)
	}
	if _, err := servers.QueryTable(t.Context(), s.db, "SELECT 1", nil); err != nil {
		t.Error(err)
	}
}
