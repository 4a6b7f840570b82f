package statements

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// overOrders is what the functions below are over: a result of the model, and the same rows as a table.
const overOrders = "FROM (SELECT order_id AS k, status AS s, amount AS a FROM orders ORDER BY 1 LIMIT 100) t"

// windowFunctions are calls over results as PostgreSQL has them.
var windowFunctions = []string{
	"LAG(a) OVER (ORDER BY k)", "LAG(a, 2) OVER (PARTITION BY s ORDER BY k)", "LAG(a, 1, 0) OVER (ORDER BY k DESC)", "LAG(a, 0) OVER (ORDER BY k)", "LAG(s) OVER (ORDER BY a, k)",
	"LEAD(a) OVER (ORDER BY k)", "LEAD(a, 3, -1) OVER (PARTITION BY s ORDER BY a DESC NULLS LAST, k)", "LEAD(s, 1, 'none') OVER (ORDER BY k)",
	"FIRST_VALUE(a) OVER (PARTITION BY s ORDER BY k)", "FIRST_VALUE(s) OVER (ORDER BY a DESC NULLS LAST, k)",
	"FIRST_VALUE(a) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
	"LAST_VALUE(a) OVER (PARTITION BY s ORDER BY k)", "LAST_VALUE(s) OVER (ORDER BY s)",
	"LAST_VALUE(a) OVER (ORDER BY k ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
	"NTH_VALUE(a, 2) OVER (ORDER BY k)", "NTH_VALUE(a, 2) OVER (ORDER BY k ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)",
	"NTILE(3) OVER (ORDER BY k)", "NTILE(2) OVER (PARTITION BY s ORDER BY k DESC)", "NTILE(100) OVER (ORDER BY k)",
	"PERCENT_RANK() OVER (ORDER BY s)", "PERCENT_RANK() OVER (PARTITION BY s ORDER BY k)", "CUME_DIST() OVER (ORDER BY s)", "CUME_DIST() OVER (PARTITION BY s ORDER BY k DESC)",
	"LAST_VALUE(a) OVER (PARTITION BY s ORDER BY a NULLS FIRST)", "FIRST_VALUE(a) OVER (ORDER BY k ROWS 2 PRECEDING)", "LAST_VALUE(a) OVER (ORDER BY k ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING)",
	"NTH_VALUE(a, 2) OVER (ORDER BY k ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)", "CUME_DIST() OVER (ORDER BY a NULLS FIRST)", "PERCENT_RANK() OVER (ORDER BY a)", "PERCENT_RANK() OVER (PARTITION BY k ORDER BY a)",
	"NTILE(3) OVER (ORDER BY a NULLS FIRST, k DESC)", "LAG(a, 100) OVER (ORDER BY k)", "LEAD(a, 1, a) OVER (ORDER BY k)",
	"LAG(a) OVER (ORDER BY s NULLS FIRST, k)", "a - LAG(a) OVER (ORDER BY k)", "COALESCE(LEAD(a) OVER (ORDER BY k), 7)",
}

func TestWindowFunctions_AnswerAsPostgreSQL(t *testing.T) {
	rows := "\nINSERT INTO orders VALUES (7, 9, 10, '2024-03-09', NULL, 40), (8, NULL, 99, NULL, 'completed', NULL);"
	s := newShop(t, orders(t)+rows)
	databases := map[string]executor.Executor{"duckdb": s.db}
	var script strings.Builder
	script.WriteString(orders(t) + rows)
	for i, call := range windowFunctions {
		fmt.Fprintf(&script, "\nCREATE TABLE plain_%d AS SELECT k, %s AS w %s;", i, call, overOrders)
	}
	for _, e := range otherEngines(t) {
		text := dataOfFixture(t, "orders", e.family) + rows
		if e.Dialect == "postgres" {
			text = script.String()
		}
		db, err := e.Load(t.Context(), "statements/window_functions", text)
		if err != nil {
			t.Fatal(e.Dialect, err)
		}
		t.Cleanup(func() { _ = db.Close() })
		databases[e.Dialect] = db
	}
	if databases["postgres"] == nil {
		t.Skip("no PostgreSQL to compare with")
	}
	for i, call := range windowFunctions {
		sql := "SELECT k, " + call + " AS w " + overOrders
		for name, db := range databases {
			compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, name)))
			if err != nil {
				t.Errorf("%s\n%v", sql, err)
				break
			}
			text, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, name), sqlemit.FormatOptions{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := servers.QueryTable(t.Context(), databases["postgres"], fmt.Sprintf("SELECT * FROM plain_%d", i), compiled.Planned.Columns)
			if err != nil {
				t.Fatal(err)
			}
			got, err := servers.QueryTable(t.Context(), db, text, compiled.Planned.Columns)
			if err != nil {
				t.Errorf("%s: %s\n%v", name, sql, err)
				continue
			}
			got.Columns = want.Columns
			if diff := table.Diff(want, got, false); diff != "" {
				t.Errorf("%s: - is PostgreSQL's, + is the statement's\n%s\n%s\n%s", name, sql, diff, text)
			}
		}
	}
}

func TestWindowFunctions_RejectCountsThatAreNotConstants(t *testing.T) {
	s := newShop(t, orders(t))
	for _, call := range []string{
		"LAG(a, k) OVER (ORDER BY k)", "LAG(a, -1) OVER (ORDER BY k)", "LEAD(a, 1.5) OVER (ORDER BY k)", "NTILE(0) OVER (ORDER BY k)", "NTILE(k) OVER (ORDER BY k)", "NTILE(NULL) OVER (ORDER BY k)",
		"NTH_VALUE(a, 0) OVER (ORDER BY k)", "NTH_VALUE(a, 99999999999999999999) OVER (ORDER BY k)", "LAG(DISTINCT a) OVER (ORDER BY k)", "LAG(a)", "NTILE('3') OVER (ORDER BY k)",
		"LAG() OVER (ORDER BY k)", "PERCENT_RANK(a) OVER (ORDER BY k)",
		"LAG(a) IGNORE NULLS OVER (ORDER BY k)", "FIRST_VALUE(a IGNORE NULLS) OVER (ORDER BY k)", "LAST_VALUE(a) FILTER (WHERE k > 1) OVER (ORDER BY k)", "NTH_VALUE(a, 2) FROM LAST OVER (ORDER BY k)",
	} {
		_, err := s.model.Compile(t.Context(), semsql.Statement{SQL: "SELECT k, " + call + " AS w " + overOrders}, targetOf(dialect(t, "duckdb")))
		if err == nil {
			t.Errorf("%s is accepted", call)
		}
	}
}

// The page of SQL names every window function of the parser.
func TestWindowFunctions_PageNamesThem(t *testing.T) {
	page, err := os.ReadFile("../../docs/sql.md")
	if err != nil {
		t.Fatal(err)
	}
	for fn := sqlexpr.FnUnknown; fn <= sqlexpr.FnIf; fn++ {
		if info := sqlexpr.InfoOfFunction(fn); info.Class == sqlexpr.ClassWindow && !strings.Contains(string(page), "`"+info.Name+"`") {
			t.Errorf("docs/sql.md does not name the window function %s", info.Name)
		}
	}
}
