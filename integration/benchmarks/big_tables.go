package benchmarks

import (
	"fmt"
	"strings"
)

// bigTablesModelText returns the model of the big tables: two facts that share customers and
// products.
func bigTablesModelText() string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: big\n    datasets:\n")
	writeDatasetYAML(&b, "orders", "order_id", "customer_id", "product_id", "order_date:Date", "amount:Decimal")
	writeDatasetYAML(&b, "returns", "return_id", "customer_id", "product_id", "return_date:Date", "refund:Decimal")
	writeDatasetYAML(&b, "customers", "customer_id", "region", "segment")
	b.WriteString("          - {name: lifetime_value, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\":\"1.9\",\"lod\":{\"grain\":[\"customer_id\"]}}'}]}\n")
	writeDatasetYAML(&b, "products", "product_id", "category")
	b.WriteString("    relationships:\n")
	for _, fact := range []string{"orders", "returns"} {
		for _, to := range []string{"customer", "product"} {
			fmt.Fprintf(&b, "      - {name: %[1]s_%[2]s, from: %[1]s, to: %[2]ss, from_columns: [%[2]s_id], to_columns: [%[2]s_id]}\n", fact, to)
		}
	}
	b.WriteString("    metrics:\n")
	writeMetricYAML(&b, "revenue", "SUM(orders.amount)")
	writeMetricYAML(&b, "order_count", "COUNT(orders.order_id)")
	writeMetricYAML(&b, "avg_order_value", "SUM(orders.amount) / COUNT(orders.order_id)")
	writeMetricYAML(&b, "refunds", "SUM(returns.refund)")
	writeMetricYAML(&b, "refund_rate", "SUM(returns.refund) / SUM(orders.amount)")
	writeMetricYAML(&b, "buyers", "COUNT(DISTINCT orders.customer_id)")
	writeMetricYAML(&b, "avg_lifetime_value", "AVG(customers.lifetime_value)")
	writeWindowMetricYAML(&b, "revenue_rolling", `{"window":{"type":"rolling","function":"avg","periods":3}}`)
	writeWindowMetricYAML(&b, "revenue_pop", `{"window":{"type":"pop","offset":"1 month"}}`)
	return b.String()
}

func writeWindowMetricYAML(b *strings.Builder, name, payload string) {
	fmt.Fprintf(b, "      - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '%s'}]}\n", name, payload)
}

// createBigTablesSQL makes the tables: n orders, a tenth as many returns and customers,
// and 1,000 products. Some keys are NULL and some match no row.
func createBigTablesSQL(n int) []string {
	return []string{
		fmt.Sprintf(`CREATE TABLE customers AS SELECT i AS customer_id, 'region ' || (i %% 20) AS region, 'segment ' || (i %% 5) AS segment FROM range(%d) t(i)`, n/10),
		`CREATE TABLE products AS SELECT i AS product_id, 'category ' || (i % 50) AS category FROM range(1000) t(i)`,
		fmt.Sprintf(`CREATE TABLE orders AS SELECT i AS order_id,
			CASE WHEN i %% 97 = 0 THEN NULL ELSE hash(i) %% %d END::BIGINT AS customer_id,
			(hash(i + 1) %% 1001)::BIGINT AS product_id,
			DATE '2022-01-01' + (hash(i + 2) %% 1096)::INTEGER AS order_date,
			((hash(i + 3) %% 100000)::DECIMAL(12,2) / 100)::DECIMAL(12,2) AS amount
			FROM range(%d) t(i)`, n/10+100, n),
		fmt.Sprintf(`CREATE TABLE returns AS SELECT i AS return_id,
			(hash(i + 4) %% %d)::BIGINT AS customer_id,
			(hash(i + 5) %% 1001)::BIGINT AS product_id,
			DATE '2022-01-01' + (hash(i + 6) %% 1096)::INTEGER AS return_date,
			((hash(i + 7) %% 10000)::DECIMAL(12,2) / 100)::DECIMAL(12,2) AS refund
			FROM range(%d) t(i)`, n/10+100, n/10),
	}
}

// bigTableBenchmark is one question, as a query and as the SQL that a careful analyst would
// write for it by hand.
type bigTableBenchmark struct {
	name  string
	query string
	hand  string
}

// bigTableBenchmarks are the questions of the comparison. The hand-written SQL gives the
// same rows, which the benchmark checks before it measures.
var bigTableBenchmarks = []bigTableBenchmark{
	{
		"one fact by one dimension",
		`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`,
		`SELECT c.region, SUM(o.amount) FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY c.region`,
	},
	{
		"conditions on two joined datasets",
		`{"metrics":["revenue",{"name":"of_one","expression":"SUM(CASE WHEN customers.segment = 'segment 1' AND products.category <> 'category 7' THEN orders.amount END)"}],"group_by":[{"field":"orders.order_date","grain":"month"}]}`,
		`SELECT date_trunc('month', o.order_date)::DATE, SUM(o.amount), SUM(CASE WHEN c.segment = 'segment 1' AND p.category <> 'category 7' THEN o.amount END) FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id LEFT JOIN products p ON o.product_id = p.product_id GROUP BY 1`,
	},
	{
		"three metrics by two dimensions and month",
		`{"metrics":["revenue","order_count","avg_order_value"],"group_by":[{"field":"customers.region"},{"field":"products.category"},{"field":"orders.order_date","grain":"month"}]}`,
		`SELECT c.region, p.category, date_trunc('month', o.order_date) AS m, SUM(o.amount), COUNT(o.order_id), SUM(o.amount)::DOUBLE / NULLIF(COUNT(o.order_id), 0)
		 FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id LEFT JOIN products p ON o.product_id = p.product_id GROUP BY ALL`,
	},
	{
		"two facts by one dimension",
		`{"metrics":["revenue","refunds"],"group_by":[{"field":"customers.region"}]}`,
		`WITH o AS (SELECT c.region, SUM(o.amount) AS v FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1),
		      r AS (SELECT c.region, SUM(r.refund) AS v FROM returns r LEFT JOIN customers c ON r.customer_id = c.customer_id GROUP BY 1)
		 SELECT COALESCE(o.region, r.region), o.v, r.v FROM o FULL JOIN r ON o.region IS NOT DISTINCT FROM r.region`,
	},
	{
		"ratio across facts by one dimension",
		`{"metrics":["refund_rate"],"group_by":[{"field":"products.category"}]}`,
		`WITH o AS (SELECT p.category, SUM(o.amount) AS v FROM orders o LEFT JOIN products p ON o.product_id = p.product_id GROUP BY 1),
		      r AS (SELECT p.category, SUM(r.refund) AS v FROM returns r LEFT JOIN products p ON r.product_id = p.product_id GROUP BY 1)
		 SELECT COALESCE(o.category, r.category), r.v::DOUBLE / NULLIF(o.v, 0) FROM o FULL JOIN r ON o.category IS NOT DISTINCT FROM r.category`,
	},
	{
		"count distinct by one dimension",
		`{"metrics":["buyers"],"group_by":[{"field":"products.category"}]}`,
		`SELECT p.category, COUNT(DISTINCT o.customer_id) FROM orders o LEFT JOIN products p ON o.product_id = p.product_id GROUP BY 1`,
	},
	{
		"median by one dimension",
		`{"metrics":[{"name":"typical","expression":"MEDIAN(orders.amount)"}],"group_by":[{"field":"customers.region"}]}`,
		`SELECT c.region, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY o.amount::DOUBLE) FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY c.region`,
	},
	{
		"average lifetime value by dimension",
		`{"metrics":["avg_lifetime_value"],"group_by":[{"field":"customers.region"}]}`,
		`WITH v AS (SELECT customer_id, SUM(amount) AS v FROM orders WHERE customer_id IS NOT NULL GROUP BY 1)
		 SELECT c.region, AVG(v.v::DOUBLE) FROM customers c LEFT JOIN v ON c.customer_id = v.customer_id GROUP BY 1`,
	},
	{
		"rolling average by dimension and month",
		`{"metrics":["revenue_rolling"],"group_by":[{"field":"customers.region"},{"field":"metric_time","grain":"month"}]}`,
		`WITH b AS (SELECT c.region, date_trunc('month', o.order_date) AS m, SUM(o.amount) AS v FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1, 2)
		 SELECT region, m, AVG(v::DOUBLE) OVER (PARTITION BY region ORDER BY m RANGE BETWEEN INTERVAL 2 MONTH PRECEDING AND CURRENT ROW) FROM b`,
	},
	{
		"change over a month by dimension",
		`{"metrics":["revenue_pop"],"group_by":[{"field":"customers.region"},{"field":"metric_time","grain":"month"}]}`,
		`WITH b AS (SELECT c.region, date_trunc('month', o.order_date) AS m, SUM(o.amount) AS v FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1, 2)
		 SELECT x.region, x.m, (x.v - y.v)::DOUBLE / NULLIF(y.v, 0) FROM b x LEFT JOIN b y ON x.region IS NOT DISTINCT FROM y.region AND y.m = x.m - INTERVAL 1 MONTH`,
	},
}
