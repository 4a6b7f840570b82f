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

// computedIntervals are statements that the dialects of MariaDB and SQLite do not have.
const computedIntervals = "intervals that are computed"

// statistics are statements that the dialect of SQLite does not have.
const statistics = "statistics over results"

// postgresStatements are statements without metrics, which PostgreSQL runs over the tables of the model.
var postgresStatements = map[string][]string{
	computedIntervals: {
		"SELECT order_id, order_date + amount * INTERVAL '1 day' AS due FROM orders",
		"SELECT order_id, order_date + (-EXTRACT(DOW FROM order_date) * INTERVAL '1 DAY') AS week FROM orders",
		"SELECT order_date - INTERVAL '1 day' * customer_id AS d, COUNT(*) AS n FROM orders GROUP BY 1",
	},
	"conditions beside the equality of a join": {
		"SELECT o.status, COUNT(*) AS n FROM orders o JOIN customers c ON o.customer_id = c.customer_id AND c.region = 'east' GROUP BY 1",
		"SELECT o.order_id, c.region FROM orders o JOIN customers c ON c.region IN ('east', 'north') AND o.customer_id = c.customer_id AND o.amount > 50",
		"SELECT o.order_id FROM customers c JOIN orders o ON o.customer_id = c.customer_id AND o.order_id = c.customer_id",
		"SELECT o.order_id, p.category FROM orders o JOIN customers c ON o.customer_id = c.customer_id JOIN products p ON c.region = 'east' AND p.product_id = o.product_id AND p.unit_cost > c.customer_id",
		"SELECT o.order_id, c.region FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id JOIN products p ON p.product_id = o.product_id AND c.region IS NULL",
		"SELECT o.order_id FROM orders o, customers c WHERE o.customer_id = c.customer_id AND o.order_id = c.customer_id",
		"SELECT o.order_id FROM orders o JOIN customers c ON o.customer_id = c.customer_id AND o.product_id IN (SELECT product_id FROM products WHERE category = 'books')",
		"SELECT status, SUM(amount) AS s FROM orders JOIN (SELECT status AS status__, SUM(amount) AS rank__ FROM orders GROUP BY status ORDER BY rank__ DESC LIMIT 1) AS series_limit ON status = status__ GROUP BY status",
		"SELECT o.status, SUM(o.amount) AS s FROM orders o JOIN (SELECT status AS k, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 1) AS t ON o.status = t.k AND amount > 50 GROUP BY o.status",
	},
	"constants under casts": {
		"SELECT order_id FROM orders ORDER BY order_id LIMIT 2::bigint",
		"SELECT order_id FROM orders ORDER BY order_id LIMIT CAST(2 AS integer) OFFSET 1::int8",
		"SELECT order_id FROM orders ORDER BY order_id LIMIT '2'::bigint OFFSET (SELECT 1)",
		"SELECT order_id FROM orders ORDER BY order_id LIMIT 2.5::int",
		"SELECT order_id FROM orders ORDER BY order_id LIMIT NULL::bigint",
		"SELECT order_id FROM orders ORDER BY order_id FETCH FIRST (3::int) ROWS ONLY",
		"SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount ASC NULLS LAST) AS m FROM orders",
		"SELECT status, PERCENTILE_DISC(0.25::double precision) WITHIN GROUP (ORDER BY amount DESC NULLS LAST) AS m FROM orders GROUP BY status",
		"SELECT order_id FROM orders WHERE order_date >= (SELECT DATE '2024-02-01')",
		"SELECT order_id FROM orders WHERE customer_id = ((SELECT 1::bigint)::bigint)",
		"SELECT order_id FROM orders WHERE customer_id = ((SELECT NULL::integer)::integer)",
		"SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY 1 HAVING COUNT(*) > (SELECT 1)",
		"SELECT order_id, (SELECT 5) AS five FROM orders",
		"SELECT DATE_TRUNC('month'::text, order_date)::timestamp AS m, COUNT(*) AS n FROM orders GROUP BY 1",
		"SELECT DATE_PART('month'::text, order_date) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
		"SELECT TO_CHAR(order_date, 'MM'::text) AS m, COUNT(*) AS n FROM orders GROUP BY 1",
		"SELECT order_id FROM orders WHERE order_date >= TO_DATE('2024-02-01'::text, 'YYYY-MM-DD'::text)",
		"SELECT order_id FROM orders WHERE order_date >= MAKE_DATE(2024::int, 2::smallint, 1)",
		"SELECT order_id FROM orders WHERE order_date >= '2024-02-01 10:00:00'::timestamp::date",
		"SELECT order_id FROM orders WHERE order_date < CAST(DATE '2024-02-10' AS timestamp)",
		"SELECT order_id FROM orders WHERE order_date >= DATE '2024-03-09' - '30 days'::interval",
		"SELECT order_id FROM orders WHERE order_date >= DATE '2024-03-09' - CAST('1 month'::text AS interval)",
		"SELECT order_id FROM orders WHERE status LIKE 'c%ed'::text",
		"SELECT order_id FROM orders WHERE status LIKE 'c!%%'::text ESCAPE '!'::text",
		"SELECT order_id, ROUND(amount / 7.0, 2::integer) AS r FROM orders",
		"SELECT order_id, SUBSTRING(status, 1::int, 3::int) AS s FROM orders",
		"SELECT k, LAG(a, 1::int, 0::bigint) OVER (ORDER BY k) AS b FROM (SELECT order_id AS k, amount AS a FROM orders ORDER BY 1 LIMIT 100) t",
	},
	"several sets of groups": groupingSetStatements, "aggregates over results": resultAggregateStatements, statistics: statisticStatements,
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

// shopOnEngines returns the shop with rows that have no customer, product, date or status, and its tables on every engine that is there.
func shopOnEngines(t *testing.T) (*shop, map[string]executor.Executor) {
	t.Helper()
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
	return s, databases
}

// Programs read the columns of a relation by a statement without rows, which each engine runs.
func TestStatements_WithoutRowsHaveTheColumnsOfTheModel(t *testing.T) {
	s, databases := shopOnEngines(t)
	for _, sql := range []string{"SELECT * FROM shop LIMIT 0", "SELECT * FROM shop WHERE 1 = 0"} {
		for name, db := range databases {
			compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, name)))
			if err != nil {
				t.Fatal(name, err)
			}
			text, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, name), sqlemit.FormatOptions{})
			if err != nil {
				t.Fatal(name, err)
			}
			got, err := servers.QueryTable(t.Context(), db, text, compiled.Planned.Columns)
			if err != nil || len(got.Rows) > 0 || len(got.Columns) != len(s.model.Relations().Wide.Columns) {
				t.Errorf("%s: %v, %d rows, %d columns\n%s", name, err, len(got.Rows), len(got.Columns), text)
			}
		}
	}
}

// Each statement has the rows of PostgreSQL on every engine.
func TestStatements_HaveTheRowsOfPostgreSQL(t *testing.T) {
	s, databases := shopOnEngines(t)
	if databases["postgres"] == nil {
		t.Skip("no PostgreSQL to compare with")
	}
	for subject, list := range postgresStatements {
		t.Run(subject, func(t *testing.T) {
			for _, sql := range list {
				for name, db := range databases {
					if subject == computedIntervals && name != "duckdb" && name != "postgres" {
						continue
					}
					if subject == statistics && name == "sqlite" {
						continue
					}
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
