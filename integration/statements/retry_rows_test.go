package statements

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/semsql"
)

// The statement that an error suggests has the rows of what was written: those of the rejected text itself over the tables,
// or of the plain SQL beside it.
func TestRetries_HaveTheRowsOfWhatWasWritten(t *testing.T) {
	s := newShop(t, orders(t)+`
INSERT INTO orders VALUES (7, 9, 10, '2024-03-09', NULL, 40), (8, NULL, 99, NULL, 'completed', 5), (9, 5, 10, '2024-03-10', 'completed', 40);
INSERT INTO customers VALUES (4, 'north', '2024-02-02'), (5, NULL, '2024-02-03');`)
	revenues := " FROM (SELECT region, SUM(amount) AS revenue FROM orders LEFT JOIN customers USING (customer_id) GROUP BY region) AS t"
	for _, tc := range []struct{ refused, plain string }{
		// Named windows.
		{"SELECT order_id, SUM(amount) OVER w FROM orders WINDOW w AS (PARTITION BY status ORDER BY order_id)", ""},
		{`SELECT *, RANK() OVER (ORDER BY "amount" DESC, orders.order_id) AS place FROM orders`, ""},
		{"SELECT order_id, RANK() OVER (w ORDER BY amount DESC), COUNT(*) OVER w FROM orders WINDOW w AS (PARTITION BY status)", ""},
		{"SELECT region, RANK() OVER w FROM shop GROUP BY region WINDOW w AS (ORDER BY MEASURE(revenue) DESC)", "SELECT region, RANK() OVER (ORDER BY revenue DESC NULLS LAST)" + revenues},

		// Windows over groups and measures.
		{"SELECT region, MEASURE(revenue), SUM(MEASURE(revenue)) OVER () FROM shop GROUP BY region", "SELECT region, revenue, SUM(revenue) OVER ()" + revenues},
		{"SELECT region, SUM(revenue) OVER () FROM shop", "SELECT region, SUM(revenue) OVER ()" + revenues},
		{"SELECT region, revenue - AVG(revenue) OVER () AS d FROM shop", "SELECT region, revenue - AVG(revenue) OVER ()" + revenues},
		{"SELECT MAX(revenue) OVER () FROM shop", "SELECT SUM(amount) FROM orders"},
		{"SELECT region AS r, revenue, RANK() OVER (ORDER BY revenue DESC) FROM shop GROUP BY r ORDER BY revenue LIMIT 2", "SELECT region, revenue, RANK() OVER (ORDER BY revenue DESC NULLS LAST)" + revenues + " ORDER BY revenue LIMIT 2"},
		{"SELECT status, SUM(amount) AS a, SUM(SUM(amount)) OVER (ORDER BY status) FROM orders GROUP BY 1 ORDER BY 1", ""},
		{"SELECT status, COUNT(*) AS n, COUNT(*) OVER () FROM orders GROUP BY status HAVING COUNT(*) > 1", ""},
		{"SELECT DATE_TRUNC('month', order_date) AS m, RANK() OVER (ORDER BY DATE_TRUNC('month', order_date)) FROM orders GROUP BY DATE_TRUNC('month', order_date)", ""},
		{"SELECT status, SUM(amount) + 1 AS a FROM orders GROUP BY status ORDER BY RANK() OVER (ORDER BY SUM(amount) DESC)", ""},
		{"SELECT status FROM orders GROUP BY status ORDER BY SUM(COUNT(*)) OVER (PARTITION BY status)", ""},
		{"SELECT COUNT(*) OVER () FROM orders GROUP BY status", ""},
		{"SELECT SUM(SUM(amount)) OVER () FROM orders", ""},
		{"SELECT region, ROW_NUMBER() OVER (ORDER BY region) FROM shop", "SELECT region, ROW_NUMBER() OVER (ORDER BY region NULLS LAST) FROM (SELECT DISTINCT region FROM customers) AS t"},

		// Windows over rows.
		{"SELECT order_id, ROW_NUMBER() OVER (PARTITION BY status ORDER BY amount DESC, order_id) AS n FROM orders ORDER BY n, order_id LIMIT 3 OFFSET 1", ""},
		{"SELECT *, SUM(amount) OVER (ORDER BY order_id ROWS 1 PRECEDING) FROM orders WHERE amount > 30", ""},
		{"SELECT ROW_NUMBER() OVER (ORDER BY order_id), * FROM orders", ""},
		{"SELECT COUNT(*) OVER () FROM orders", ""},
		{"SELECT DISTINCT status, SUM(amount) OVER (PARTITION BY status) FROM orders", ""},
		{"SELECT o.order_id, c.region, SUM(o.amount) OVER (PARTITION BY c.region) FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id", ""},
		{"SELECT CASE WHEN amount > AVG(amount) OVER () THEN 'high' ELSE 'low' END AS level, order_id FROM orders", ""},
		{"SELECT n FROM (SELECT status, COUNT(*) OVER (PARTITION BY status) AS n FROM orders) AS t WHERE status = 'completed'", ""},
		{"SELECT status, COUNT(*) OVER () FROM orders UNION ALL SELECT region, 1 FROM customers", ""},

		// Aggregates over aggregates.
		{"SELECT SUM(SUM(amount)) FROM orders", "SELECT SUM(amount) FROM orders"},
		{"SELECT AVG(SUM(amount)) FROM orders WHERE order_id < 9 GROUP BY status", "SELECT AVG(s) FROM (SELECT SUM(amount) AS s FROM orders WHERE order_id < 9 GROUP BY status)"},
		{"SELECT MAX(COUNT(*)) - MIN(COUNT(*)) AS spread, COUNT(MAX(amount)) FROM orders GROUP BY status HAVING COUNT(*) < 9", "SELECT MAX(n) - MIN(n), COUNT(a) FROM (SELECT COUNT(*) AS n, MAX(amount) AS a FROM orders GROUP BY status)"},
		{"SELECT MIN(MEASURE(revenue)) FROM shop GROUP BY region", "SELECT MIN(revenue)" + revenues},

		// LEFT JOINs that keep the one side.
		{"SELECT c.region, SUM(o.amount), COUNT(*), COUNT(o.order_id) FROM customers c LEFT JOIN orders o ON c.customer_id = o.customer_id GROUP BY c.region", ""},
		{"SELECT c.region, SUM(o.amount) AS a FROM orders o RIGHT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1 HAVING COUNT(DISTINCT c.customer_id) > 1", ""},
		{"SELECT customers.region, orders.order_id FROM customers LEFT JOIN orders ON customers.customer_id = orders.customer_id", ""},
		{"SELECT * FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id WHERE o.amount IS NULL OR o.amount > 30", ""},
		{"SELECT region, SUM(amount) FROM customers LEFT JOIN orders USING (customer_id) GROUP BY region ORDER BY MAX(signup_date) LIMIT 2", ""},
		{"SELECT c.region, p.category FROM customers c LEFT JOIN orders o ON c.customer_id = o.customer_id LEFT JOIN products p ON o.product_id = p.product_id", ""},

		// LEFT JOINs with a condition beside the equality.
		{"SELECT c.region, COUNT(*) AS n FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id AND c.region = 'east' GROUP BY 1", ""},
		{"SELECT o.order_id, c.region FROM customers c RIGHT JOIN orders o ON c.signup_date > '2023-12-15' AND o.customer_id = c.customer_id", ""},
	} {
		t.Run(tc.refused, func(t *testing.T) { s.checkRetryRows(t, tc.refused, tc.plain) })
	}
}

func (s *shop) checkRetryRows(t *testing.T, refused, plain string) {
	t.Helper()
	_, err := s.model.Compile(t.Context(), semsql.Statement{SQL: refused}, targetOf(dialect(t, "duckdb")))
	var e *semsql.Error
	if !errors.As(err, &e) || e.Statement == "" {
		t.Fatalf("%v, want a refusal with a statement", err)
	}
	compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: e.Statement}, targetOf(dialect(t, "duckdb")))
	if err != nil {
		t.Fatalf("%s\n%v", e.Statement, err)
	}
	if plain == "" {
		plain = refused
	}
	want, err := servers.QueryTable(t.Context(), s.db, plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := s.answer(t, compiled)
	got.Columns = want.Columns
	if diff := table.Diff(want, got, strings.Contains(plain, "ORDER BY 1") || strings.Contains(plain, "LIMIT")); diff != "" {
		t.Errorf("- is plain SQL, + is the suggested statement\n%s\n%s", diff, e.Statement)
	}
}
