package statements

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/semsql"
)

// A statement without metrics means in plain SQL what it means over the model: DuckDB runs both.
func TestStatements_AnswerAsDuckDBDoesOverEqualTables(t *testing.T) {
	s := newShop(t, orders(t)+`
INSERT INTO orders VALUES (7, 9, 10, '2024-03-09', NULL, 40), (8, NULL, 99, NULL, 'completed', 5);
INSERT INTO customers VALUES (4, 'north', '2024-02-02');`)
	for _, sql := range []string{
		"SELECT status, COUNT(*), SUM(amount), MIN(order_date), MAX(amount), COUNT(DISTINCT customer_id) FROM orders GROUP BY status",
		"SELECT COUNT(*) FROM orders WHERE status <> 'completed'",
		"SELECT COUNT(*) FROM orders WHERE NOT (status = 'completed')",
		"SELECT COUNT(*) FROM orders WHERE status IN ('completed', NULL)",
		"SELECT COUNT(*) FROM orders WHERE status NOT IN ('completed', NULL)",
		"SELECT COUNT(*) FROM orders WHERE order_date BETWEEN '2024-01-20' AND '2024-02-15' OR amount = 5",
		"SELECT COUNT(*) FROM orders WHERE NOT (order_date BETWEEN '2024-01-20' AND '2024-02-15')",
		"SELECT COUNT(*) FROM orders WHERE order_date NOT BETWEEN '2024-01-20' AND '2024-02-15'",
		"SELECT COUNT(*) FROM orders WHERE order_date = '2024-02-10'",
		"SELECT COUNT(*) FROM orders WHERE order_date <> '2024-02-10'",
		"SELECT COUNT(*) FROM orders WHERE '2024-02-10' < order_date AND DATE '2024-03-05' >= order_date",
		"SELECT COUNT(*) FROM orders WHERE order_date IS NOT DISTINCT FROM '2024-02-10'",
		"SELECT customer_id, status, COUNT(*) FROM orders GROUP BY 1, 2 HAVING COUNT(*) > 1 OR SUM(amount) < 50",
		"SELECT customer_id FROM orders GROUP BY customer_id HAVING MAX(amount) > 60",
		"SELECT SUM(amount) FROM orders HAVING COUNT(*) > 100",
		"SELECT SUM(amount) FROM orders HAVING COUNT(*) > 1",
		"SELECT DISTINCT customer_id, status FROM orders",
		"SELECT DISTINCT COUNT(*) FROM orders GROUP BY customer_id",
		"SELECT amount, amount * 2 + 1 AS x, -amount AS y, amount % 7 AS z, ABS(amount - 60) AS w FROM orders",
		"SELECT CASE WHEN amount > 90 THEN 'l' WHEN amount > 45 THEN 'm' ELSE 's' END AS c, COUNT(*) FROM orders GROUP BY 1",
		"SELECT COALESCE(status, 'none') AS s, COUNT(*) FROM orders GROUP BY COALESCE(status, 'none')",
		"SELECT EXTRACT(MONTH FROM order_date) AS m, SUM(amount) FROM orders GROUP BY EXTRACT(MONTH FROM order_date)",
		"SELECT DATE_TRUNC('month', order_date)::timestamp AS m, COUNT(*) FROM orders GROUP BY 1",
		"SELECT c.region, o.status, SUM(o.amount) AS s, COUNT(*) AS n FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1, 2",
		"SELECT c.region, COUNT(*) AS n FROM orders o JOIN customers c ON o.customer_id = c.customer_id JOIN products p ON p.product_id = o.product_id WHERE p.category = 'books' GROUP BY c.region",
		"SELECT c.region, p.category, MAX(p.unit_cost) AS m FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id LEFT JOIN products p ON p.product_id = o.product_id GROUP BY 1, 2",
		"SELECT o.order_id, c.region, p.category FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id JOIN products p ON p.product_id = o.product_id",
		"SELECT DISTINCT c.region FROM orders o JOIN customers c ON o.customer_id = c.customer_id",
		"SELECT COUNT(*) FROM orders o, customers c WHERE o.customer_id = c.customer_id AND c.region = 'east'",
		"SELECT SUM(amount) FILTER (WHERE status IS NULL) AS a, COUNT(*) FILTER (WHERE order_date > '2024-02-01') AS b, COUNT(status) AS c FROM orders",
		"SELECT status FROM orders ORDER BY amount DESC LIMIT 3",
		"SELECT customer_id, SUM(amount) AS s FROM orders GROUP BY customer_id ORDER BY s DESC, customer_id LIMIT 2 OFFSET 1",
		"SELECT x.s, COUNT(*) FROM (SELECT status AS s, amount + 1 AS a FROM orders WHERE amount > 30) x WHERE x.a < 110 GROUP BY x.s",
		"SELECT AVG(s) AS a, MAX(n) AS m FROM (SELECT customer_id, SUM(amount) AS s, COUNT(*) AS n FROM orders GROUP BY customer_id) t",
		"SELECT a.customer_id, a.s, b.n FROM (SELECT customer_id, SUM(amount) AS s FROM orders GROUP BY 1) a LEFT JOIN (SELECT customer_id, COUNT(*) AS n FROM customers GROUP BY 1) b ON a.customer_id = b.customer_id",
		"SELECT customer_id FROM orders UNION SELECT customer_id FROM customers",
		"SELECT customer_id FROM orders EXCEPT SELECT customer_id FROM customers",
		"SELECT customer_id FROM orders INTERSECT SELECT customer_id FROM customers",
		"SELECT order_id FROM orders WHERE customer_id IN (SELECT customer_id FROM customers WHERE region = 'east') AND NOT product_id IN (SELECT product_id FROM products WHERE category = 'toys')",
		"SELECT status, s, RANK() OVER (ORDER BY s DESC) AS r, SUM(s) OVER (PARTITION BY status) AS t FROM (SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) q",
		"SELECT order_id, amount > (SELECT AVG(amount) FROM orders) AS above FROM orders",
		"WITH t AS (SELECT * FROM orders WHERE amount > 40), u AS (SELECT status, COUNT(*) AS n FROM t GROUP BY 1) SELECT u.status, u.n, v.n AS k FROM u JOIN u v ON u.n = v.n",
		"SELECT LOWER(status) || '-' AS x, LENGTH(status) AS l, SUBSTRING(status, 1, 3) AS p, REPLACE(status, 'c', 'k') AS r FROM orders",
		"SELECT status LIKE 'c%' AS a, status ILIKE 'C_M%' AS b, status NOT LIKE '%ed' AS c FROM orders",
		"SELECT COUNT(*) FROM orders WHERE LOWER(status) LIKE 'can%' AND (amount > 20 OR amount IS NULL)",
		"SELECT GREATEST(amount, 60) AS g, LEAST(amount, 60) AS l, NULLIF(amount, 70) AS n, ROUND(amount * 1.55, 1) AS r FROM orders",
		"SELECT COUNT(*) FROM orders JOIN customers USING (customer_id)",
		"SELECT o.order_id, c.region FROM customers c RIGHT JOIN orders o ON o.customer_id = c.customer_id",
		"SELECT 1 AS one, status, COUNT(*) FROM orders GROUP BY 1, 2",
		"SELECT status, COUNT(*) FROM orders WHERE order_date > '2024-01-10' AND order_date >= '2024-02-01' AND order_date < '2024-03-08' GROUP BY status",
		"SELECT 'x' AS k FROM orders GROUP BY 1",
		"SELECT 'x' AS k FROM orders WHERE amount > 1000 GROUP BY 1",
		"SELECT COUNT(*) AS n FROM (SELECT DISTINCT status FROM orders) d",
		"SELECT customer_id + 1 AS k, SUM(amount) AS s FROM orders GROUP BY customer_id",
		"SELECT SUM(amount) + COUNT(*) AS x FROM orders GROUP BY status",
		"SELECT SUM(CASE WHEN status = 'completed' THEN amount ELSE 0 END) AS x FROM orders",
		"SELECT order_date FROM orders WHERE order_date > '2024-02-10' OR order_date < '2024-01-10'",
		"SELECT MIN(status) AS a, MAX(status) AS b FROM orders",
		"SELECT customer_id, STRING_AGG(DISTINCT status, ','::text ORDER BY status) AS l FROM orders GROUP BY customer_id",
		"SELECT STRING_AGG(status, '+' ORDER BY order_id DESC) AS l FROM orders",
		"SELECT order_id FROM orders ORDER BY order_id FETCH FIRST 2 ROWS ONLY",
		"SELECT c.customer_id, COUNT(*) AS n FROM customers c, orders o WHERE o.customer_id = c.customer_id AND o.order_date >= '2024-02-01' GROUP BY c.customer_id",
		"SELECT status, MAX(order_date) - MIN(order_date) AS days FROM orders GROUP BY status",
		"SELECT COUNT(*) FROM orders WHERE amount BETWEEN 50 AND 100 AND status IS NOT NULL",
		"SELECT COUNT(*) FROM orders WHERE (status = 'completed') IS NOT TRUE",
		"SELECT (amount > 60) AS big, COUNT(*) FROM orders GROUP BY amount > 60",
		"SELECT CAST(amount AS VARCHAR) AS t, CAST('12' AS INTEGER) + amount AS u FROM orders",
		"SELECT region, (SELECT COUNT(*) FROM orders) AS n FROM customers",
		"SELECT t.customer_id FROM (SELECT customer_id FROM orders ORDER BY amount DESC LIMIT 3) t WHERE t.customer_id > 1",
		"SELECT q.m, COUNT(*) AS n FROM (SELECT customer_id, MAX(amount) AS m FROM orders GROUP BY customer_id HAVING COUNT(*) > 1) q GROUP BY q.m",
		"SELECT order_id FROM orders WHERE EXTRACT(YEAR FROM order_date) = 2024 AND EXTRACT(MONTH FROM order_date) IN (1, 3)",
		"SELECT status FROM orders WHERE status IS NULL OR status = '' GROUP BY status",
		"SELECT customer_id, COUNT(*) FILTER (WHERE status = 'completed') * 100 / COUNT(*) AS pct FROM orders GROUP BY customer_id",
		"SELECT MEDIAN(amount) AS m, STDDEV(amount) AS s, BOOL_OR(amount > 100) AS b FROM orders",
	} {
		compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb")))
		if err != nil {
			t.Errorf("%s\n%v", sql, err)
			continue
		}
		want, err := servers.QueryTable(t.Context(), s.db, sql, compiled.Planned.Columns)
		if err != nil {
			t.Errorf("%s\n%v", sql, err)
			continue
		}
		got := s.answer(t, compiled)
		got.Columns = want.Columns
		if diff := table.Diff(want, got, false); diff != "" {
			t.Errorf("- is DuckDB's, + is the statement's\n%s\n%s", sql, diff)
		}
	}
}
