package semsql_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/semsql"
)

func shop(tb testing.TB) *semsql.Model {
	tb.Helper()
	return semsql.New(shopCatalog(tb))
}

func shopCatalog(tb testing.TB) *catalog.Catalog {
	tb.Helper()
	text, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	doc, err := modelspec.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return cat
}

func TestModel_HostileStatementsEndSoon(t *testing.T) {
	doubled := "SELECT amount + amount AS a FROM orders"
	for range 15 {
		doubled = "SELECT a + a AS a FROM (" + doubled + ") t"
	}
	nested := "SELECT * FROM orders"
	for range 40 {
		nested = "SELECT * FROM (" + nested + ") t"
	}
	const among = "status IN (SELECT status FROM shop GROUP BY 1 HAVING MEASURE(revenue) > 1)"
	const result = "(SELECT status AS s FROM orders GROUP BY 1)"
	m := shop(t)
	for name, sql := range map[string]string{
		"many subqueries in WHERE":     "SELECT status, MEASURE(revenue) FROM orders WHERE " + strings.Repeat(among+" AND ", 97) + among + " GROUP BY 1",
		"many subqueries in HAVING":    "SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 HAVING " + strings.Repeat(among+" AND ", 97) + among,
		"many subqueries of results":   "SELECT status FROM (SELECT status, MEASURE(revenue) FROM orders GROUP BY 1) t WHERE " + strings.Repeat(among+" AND ", 97) + among,
		"subqueries inside of others":  "SELECT status FROM orders WHERE customer_id IN " + strings.Repeat("(SELECT customer_id FROM orders WHERE customer_id IN ", 95) + "(1)" + strings.Repeat(")", 95),
		"many values of subqueries":    "SELECT status, MEASURE(revenue) FROM shop GROUP BY 1 HAVING MEASURE(revenue) > " + strings.Repeat("(SELECT MEASURE(revenue) FROM shop) + ", 98) + "1",
		"many set operations":          "SELECT status FROM orders" + strings.Repeat(" EXCEPT SELECT status FROM orders", 98),
		"many joins of results":        "SELECT 1 FROM " + result + " a0" + strings.Repeat(" JOIN "+result+" a1 ON TRUE", 48),
		"many tables of one another":   strings.Repeat("SELECT s FROM (", 95) + "SELECT status AS s FROM orders GROUP BY 1" + strings.Repeat(") t GROUP BY 1", 95),
		"subqueries and no group":      "SELECT status, MEASURE(revenue) FROM shop WHERE " + strings.Repeat(among+" AND ", 97) + among,
		"a sum that merging doubles":   doubled,
		"tables inside of tables":      nested,
		"many parentheses":             "SELECT " + strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000) + " FROM orders",
		"many items":                   "SELECT " + strings.Repeat("amount, ", 5000) + "amount FROM orders",
		"a long condition":             "SELECT amount FROM orders WHERE " + strings.Repeat("amount = 1 OR ", 20000) + "amount = 2",
		"many aggregates":              "SELECT " + strings.Repeat("SUM(amount + 1), ", 300) + "SUM(amount) FROM orders",
		"a statement of a megabyte":    "SELECT '" + strings.Repeat("x", 1<<20) + "' FROM orders",
		"quotes in names":              `SELECT "a"";DROP TABLE orders" FROM orders`,
		"a statement behind a literal": "SELECT status FROM orders WHERE status = 'x''; DROP TABLE orders; --'",
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			c, err := m.Compile(t.Context(), semsql.Statement{SQL: sql}, planner.Target{Dialect: "duckdb"})
			if took := time.Since(began); took > time.Minute {
				t.Errorf("it took %s", took)
			}
			checkOutcome(t, c, err)
		})
	}
}

// checkOutcome checks that a statement has a plan, or an error of statements.
func checkOutcome(t *testing.T, c *semsql.CompiledStatement, err error) {
	t.Helper()
	var e *semsql.Error
	switch {
	case err == nil:
		if err := plan.CheckTree(c.Planned.Root); err != nil {
			t.Errorf("%v\n%s", err, plan.Explain(c.Planned.Root))
		}
	case !errors.As(err, &e):
		t.Errorf("%T %v", err, err)
	case e.Code == "internal" || len(e.SQLState) != 5:
		t.Errorf("%s %s: %v", e.Code, e.SQLState, err)
	}
}

func FuzzModel_Compile(f *testing.F) {
	for _, sql := range []string{
		"SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC",
		"SELECT DATE_TRUNC('month', order_date), SUM(amount) FROM orders WHERE order_date >= '2024-02-01' GROUP BY 1",
		"SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS customers.region METRICS revenue, order_count) ORDER BY revenue DESC",
		"SELECT c.region, SUM(o.amount) FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY c.region",
		"SELECT AVG(r) FROM (SELECT region, MEASURE(revenue) AS r FROM shop GROUP BY region) t",
		"SELECT order_id, revenue FROM orders WHERE status LIKE 'c%' LIMIT 3",
		"WITH a AS (SELECT region, MEASURE(revenue) AS r FROM shop GROUP BY 1) SELECT x.r, ROW_NUMBER() OVER (ORDER BY y.r) FROM a x JOIN a y ON x.r = y.r",
		"SELECT region FROM shop WHERE region IN (SELECT region FROM shop) UNION SELECT status FROM orders",
	} {
		f.Add(sql)
	}
	m := shop(f)
	f.Fuzz(func(t *testing.T, sql string) {
		c, err := m.Compile(t.Context(), semsql.Statement{SQL: sql}, planner.Target{Dialect: "duckdb"})
		checkOutcome(t, c, err)
	})
}
