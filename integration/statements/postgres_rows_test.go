package statements

import (
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// rowsWithNulls are rows of orders that have no customer, no product, no date or no status.
const rowsWithNulls = `
INSERT INTO orders VALUES (7, 9, 10, '2024-03-09', NULL, 40), (8, NULL, 99, NULL, 'completed', 5);
INSERT INTO customers VALUES (4, 'north', '2024-02-02');`

// postgresStatements are statements without metrics, which PostgreSQL runs over the tables of the model.
var postgresStatements = map[string][]string{
	"arrays": {
		"SELECT order_id FROM orders WHERE status = ANY ('{completed,open}')",
		"SELECT order_id FROM orders WHERE status = ANY ('{completed,NULL}'::text[])",
		"SELECT order_id FROM orders WHERE status = SOME ('{ cancelled , \"x y\" }'::varchar[])",
		`SELECT order_id FROM orders WHERE status <> ALL ('{completed}'::"text"[])`,
		"SELECT order_id FROM orders WHERE status <> ALL ('{completed,NULL}'::text[])",
		"SELECT order_id FROM orders WHERE NOT status = ANY ('{completed,NULL}'::text[])",
		"SELECT order_id FROM orders WHERE status = ANY ('{}'::text[])",
		"SELECT order_id FROM orders WHERE status <> ALL ('{}'::text[])",
		"SELECT order_id FROM orders WHERE NOT status = ANY (ARRAY[]::text[])",
		"SELECT order_id FROM orders WHERE status = ANY (NULL::text[]) IS NULL",
		"SELECT order_id FROM orders WHERE order_id = ANY (ARRAY[1, 2]::bigint[])",
		"SELECT order_id FROM orders WHERE customer_id <> ALL (ARRAY[1, 2, NULL]::integer[])",
		"SELECT order_id FROM orders WHERE customer_id <> ALL ('{1,2}')",
		"SELECT order_id FROM orders WHERE customer_id = ANY (('{1,2}'::int8[]))",
		"SELECT order_id FROM orders WHERE order_date = ANY ('{2024-01-05,2024-02-10}'::date[])",
		"SELECT order_id FROM orders WHERE order_date <> ALL ('{2024-01-05,2024-02-10}')",
		"SELECT order_id FROM orders WHERE (status)::text = ANY ((ARRAY['completed'::character varying, 'open'::character varying])::text[])",
		"SELECT order_id, status = ANY ('{completed}') AS done FROM orders",
		"SELECT status = ANY ('{completed,cancelled}') AS known, COUNT(*) AS n FROM orders GROUP BY 1",
		"SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id HAVING COUNT(*) = ANY ('{1,3}'::bigint[])",
	},
}

// Each statement has the rows of PostgreSQL on every engine.
func TestStatements_HaveTheRowsOfPostgreSQL(t *testing.T) {
	s := newShop(t, orders(t)+rowsWithNulls)
	databases := map[string]executor.Executor{"duckdb": s.db}
	for _, e := range otherEngines(t) {
		db, err := e.Load(t.Context(), "statements/postgres_rows", dataOfFixture(t, "orders", e.family)+rowsWithNulls)
		if err != nil {
			t.Fatal(e.Dialect, err)
		}
		t.Cleanup(func() { _ = db.Close() })
		databases[e.Dialect] = db
	}
	if databases["postgres"] == nil {
		t.Skip("no PostgreSQL to compare with")
	}
	for subject, list := range postgresStatements {
		t.Run(subject, func(t *testing.T) {
			for _, sql := range list {
				for name, db := range databases {
					compareWithPostgreSQL(t, s, sql, name, db, databases["postgres"])
				}
			}
		})
	}
}

// compareWithPostgreSQL compares the rows of a statement on an engine with those of its text on PostgreSQL.
func compareWithPostgreSQL(t *testing.T, s *shop, sql, engine string, db, postgres executor.Executor) {
	t.Helper()
	compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, engine)))
	if err != nil {
		t.Errorf("%s: %s\n%v", engine, sql, err)
		return
	}
	text, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, engine), sqlemit.FormatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := servers.QueryTable(t.Context(), postgres, sql, compiled.Planned.Columns)
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	got, err := servers.QueryTable(t.Context(), db, text, compiled.Planned.Columns)
	if err != nil {
		t.Errorf("%s: %s\n%v\n%s", engine, sql, err, text)
		return
	}
	got.Columns = want.Columns
	if diff := table.Diff(want, got, false); diff != "" {
		t.Errorf("%s: - is PostgreSQL's, + is the statement's\n%s\n%s\n%s", engine, sql, diff, text)
	}
}
