package statements

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql"
)

// groupingSetStatements have several sets of groups, over rows of the model and over results.
var groupingSetStatements = []string{
	"SELECT status, SUM(amount) AS s, COUNT(DISTINCT customer_id) AS c FROM orders GROUP BY ROLLUP (status)",
	"SELECT status, customer_id, COUNT(*) AS n, GROUPING(status, customer_id) AS g FROM orders GROUP BY CUBE (status, customer_id)",
	"SELECT status, customer_id, SUM(amount) AS s, GROUPING(customer_id, status) AS g FROM orders GROUP BY ROLLUP (status, customer_id)",
	"SELECT status, customer_id, product_id, SUM(amount) AS s, GROUPING(status, customer_id, product_id) AS g FROM orders GROUP BY GROUPING SETS ((status, customer_id), (product_id), ())",
	"SELECT status, customer_id, COUNT(*) AS n FROM orders GROUP BY status, ROLLUP (customer_id)",
	"SELECT status, customer_id, product_id, MAX(amount) AS n, GROUPING(product_id) AS g FROM orders GROUP BY status, CUBE (customer_id, product_id)",
	"SELECT status, customer_id, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS (status, customer_id)",
	"SELECT status, customer_id, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS (status, status, (customer_id, status), ())",
	"SELECT status, customer_id, product_id, SUM(amount) AS n FROM orders GROUP BY ROLLUP ((status, customer_id), product_id)",
	"SELECT status, customer_id, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS (ROLLUP (status, customer_id), CUBE (customer_id), ())",
	"SELECT status, customer_id, COUNT(*) AS n FROM orders GROUP BY ROLLUP (status), ROLLUP (customer_id)",
	"SELECT status, customer_id, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((status), (status, customer_id)), GROUPING SETS ((customer_id), ())",
	"SELECT COUNT(*) AS n, SUM(amount) AS s FROM orders GROUP BY ()",
	"SELECT COUNT(*) AS n, SUM(amount) AS s FROM orders GROUP BY GROUPING SETS ((), ())",
	"SELECT status, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((status), (status))",
	"SELECT status, COUNT(*) AS n, SUM(amount) AS s FROM orders WHERE amount > 1000 GROUP BY ROLLUP (status)",
	"SELECT status, COUNT(*) AS n FROM orders WHERE amount > 1000 GROUP BY GROUPING SETS ((), (status), ())",
	"SELECT status FROM orders WHERE amount > 1000 GROUP BY ROLLUP (status)",
	"SELECT status, customer_id FROM orders GROUP BY CUBE (status, customer_id)",
	"SELECT status, GROUPING(status) AS g FROM orders GROUP BY GROUPING SETS ((status), (), ())",
	"SELECT status, customer_id, GROUPING(status, customer_id) AS g FROM orders GROUP BY GROUPING SETS ((status), (customer_id)) HAVING GROUPING(status) = 1 OR status IS NOT NULL",
	"SELECT status, SUM(amount) AS s FROM orders GROUP BY ROLLUP (status) HAVING SUM(amount) > 100",
	"SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY ROLLUP (status, customer_id) HAVING GROUPING(customer_id) = 1 AND COUNT(*) > 1",
	"SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY CUBE (status, customer_id) HAVING status = 'completed'",
	"SELECT DISTINCT customer_id, GROUPING(status) AS g FROM orders GROUP BY CUBE (status, customer_id)",
	"SELECT DISTINCT COUNT(*) AS n FROM orders GROUP BY ROLLUP (status, customer_id)",
	"SELECT status, SUM(amount) AS s FROM orders GROUP BY ROLLUP (status) ORDER BY GROUPING(status) DESC, s DESC NULLS LAST LIMIT 2",
	"SELECT status, SUM(amount) AS s FROM orders GROUP BY ROLLUP (1) ORDER BY 2 DESC NULLS LAST LIMIT 1 OFFSET 1",
	"SELECT DATE_TRUNC('month', order_date)::timestamp AS m, status, COUNT(*) AS n FROM orders GROUP BY ROLLUP (1, status)",
	"SELECT CASE WHEN GROUPING(status) = 1 THEN 'all' ELSE COALESCE(status, 'none') END AS label, SUM(amount) AS s FROM orders GROUP BY ROLLUP (status)",
	"SELECT amount % 2 AS odd, status, COUNT(*) AS n, GROUPING(amount % 2) AS g FROM orders GROUP BY CUBE (amount % 2, status)",
	"SELECT c.region, o.status, SUM(o.amount) AS s, COUNT(*) AS n FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY ROLLUP (c.region, o.status)",
	"SELECT c.region, o.status, COUNT(DISTINCT o.customer_id) AS n FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY GROUPING SETS ((c.region), (o.status))",
	"SELECT status, s / 2.0 > 50 AS b, g FROM (SELECT status, SUM(amount) AS s, GROUPING(status) AS g FROM orders GROUP BY ROLLUP (status)) t",
	"SELECT status, SUM(s) AS s, COUNT(*) AS n, GROUPING(status) AS g FROM (SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY ROLLUP (status)",
	"SELECT status, customer_id, SUM(s) AS s, GROUPING(status, customer_id) AS g FROM (SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY GROUPING SETS ((status), (customer_id), (status), ()) HAVING SUM(s) > 30",
	"SELECT status, customer_id FROM (SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY CUBE (status, customer_id)",
	"SELECT status, COUNT(*) AS n FROM (SELECT status, customer_id FROM orders WHERE amount > 1000 GROUP BY 1, 2) t GROUP BY ROLLUP (status)",
	"SELECT COUNT(*) AS n FROM (SELECT status, customer_id FROM orders GROUP BY 1, 2) t GROUP BY GROUPING SETS ((), ())",
	"SELECT status, SUM(s) AS s, (SELECT MAX(amount) FROM orders) AS m, GROUPING(status) AS g FROM (SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY ROLLUP (status) ORDER BY GROUPING(status), status LIMIT 2",
	"SELECT status, SUM(s) AS s, RANK() OVER (ORDER BY GROUPING(status), SUM(s)) AS r FROM (SELECT status, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY ROLLUP (status)",
	"SELECT order_id FROM orders WHERE customer_id IN (SELECT customer_id FROM orders GROUP BY ROLLUP (customer_id) HAVING COUNT(*) > 1)",
	"SELECT status FROM orders GROUP BY ROLLUP (status) UNION ALL SELECT region FROM customers GROUP BY CUBE (region)",
	"SELECT status, GROUPING(status) AS g, COUNT(*) AS n FROM orders GROUP BY status",
	"SELECT status, status AS again, customer_id, COUNT(*) AS n FROM orders GROUP BY 1, 2, ROLLUP (3)",
	"SELECT status, status AS again, COUNT(*) AS n FROM orders GROUP BY GROUPING SETS ((1, 2), ())",
}

// resultAggregateStatements have aggregates over results that not only add, count and compare.
var resultAggregateStatements = []string{
	"SELECT k, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY s) AS m FROM (SELECT status AS k, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY k",
	"SELECT k, PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY s DESC NULLS LAST) AS m FROM (SELECT status AS k, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY k",
	"SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY s) AS m, COUNT(*) AS n FROM (SELECT customer_id, SUM(amount) AS s FROM orders GROUP BY 1) t",
	"SELECT k, SUM(DISTINCT s) AS a, AVG(DISTINCT s) AS b FROM (SELECT status AS k, order_id, SUM(amount) % 3 AS s FROM orders GROUP BY 1, 2) t GROUP BY k",
	"SELECT k, BOOL_AND(s > 50) AS a, BOOL_OR(s > 100) AS b FROM (SELECT status AS k, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY k",
	"SELECT c, STRING_AGG(k, '+' ORDER BY k DESC NULLS LAST) AS l FROM (SELECT customer_id AS c, status AS k, COUNT(*) AS n FROM orders GROUP BY 1, 2) t GROUP BY c",
	"SELECT k, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s) AS m, GROUPING(k) AS g FROM (SELECT status AS k, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY ROLLUP (k)",
	"SELECT COUNT(*) FILTER (WHERE s > 60) AS a, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s) FILTER (WHERE s > 60) AS b FROM (SELECT customer_id, SUM(amount) AS s FROM orders GROUP BY 1) t",
}

// statisticStatements have statistics over results, which SQLite lacks.
var statisticStatements = []string{
	"SELECT k, STDDEV_POP(s) AS a, VARIANCE(s) AS b FROM (SELECT status AS k, customer_id, SUM(amount) AS s FROM orders GROUP BY 1, 2) t GROUP BY k",
	"SELECT STDDEV(s) AS a, VAR_POP(s) AS b FROM (SELECT customer_id, SUM(amount) AS s FROM orders GROUP BY 1) t GROUP BY ROLLUP (customer_id)",
}

// The rows of several sets of groups are those of one SELECT for each set, also of metrics over several datasets.
func TestGroupingSets_AreTheUnionOfSelects(t *testing.T) {
	s := newShop(t, orders(t)+rowsWithNulls)
	for _, test := range []struct{ second, measures, where string }{
		{"category", "MEASURE(revenue) AS a, MEASURE(unique_customers) AS b", " WHERE status = 'completed'"},
		{"category", "MEASURE(avg_order_value) AS a, COUNT(orders.*) AS b", " WHERE amount > 1000"},
		{"status", "MEDIAN(orders.amount) AS a, SUM(orders.amount) FILTER (WHERE orders.status = 'completed') AS b", " WHERE region = 'east'"},
		{"signup_date", "MEASURE(customer_count) AS a, MEASURE(revenue) AS b", " WHERE region = 'north'"},
	} {
		sets := [][]string{{"region", test.second}, {"region"}, {test.second}, {}, {"region"}}
		typ := map[string]string{"category": "text", "status": "text", "signup_date": "date"}[test.second]
		for _, where := range []string{"", test.where} {
			var list, parts []string
			for _, set := range sets {
				list = append(list, "("+strings.Join(set, ", ")+")")
				items := []string{"CAST(NULL AS text) AS region", "CAST(NULL AS " + typ + ") AS " + test.second}
				for _, group := range set {
					items[map[string]int{"region": 0, test.second: 1}[group]] = group
				}
				part := "SELECT " + strings.Join(items, ", ") + ", " + test.measures + " FROM shop" + where
				if len(set) > 0 {
					part += " GROUP BY " + strings.Join(set, ", ")
				}
				parts = append(parts, part)
			}
			sql := "SELECT region, " + test.second + ", " + test.measures + " FROM shop" + where + " GROUP BY GROUPING SETS (" + strings.Join(list, ", ") + ")"
			got, want := s.answerSQL(t, sql), s.answerSQL(t, strings.Join(parts, " UNION ALL "))
			if diff := table.Diff(want, got, false); diff != "" {
				t.Errorf("%s\n- is the union, + is the statement\n%s", sql, diff)
			}
		}
	}
}

// answerSQL returns the rows of a statement.
func (s *shop) answerSQL(t *testing.T, sql string) *table.Table {
	t.Helper()
	compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb")))
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	return s.answer(t, compiled)
}

// A condition on a group hides rows after windows, which the sets without the group do not have: the error is at the condition, also where a
// subquery has it.
func TestGroupingSets_RefuseConditionsBesideWindows(t *testing.T) {
	s := newShop(t, orders(t))
	const groups = " GROUP BY GROUPING SETS ((1, 2), (1)) ORDER BY 1, 2"
	for _, from := range []string{"orders WHERE status = 'completed'", "(SELECT * FROM orders WHERE status = 'completed') AS o"} {
		sql := "SELECT DATE_TRUNC('month', order_date) AS m, status, MEASURE(revenue_running) AS r FROM " + from + groups
		_, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb")))
		var refused *semsql.Error
		if !errors.As(err, &refused) || refused.Code != planerr.CodeNotImplemented || !strings.HasPrefix(sql[refused.Position-1:], "status = 'completed'") {
			t.Errorf("%s\n%v, want not_implemented at the condition", sql, err)
		}
	}
}
