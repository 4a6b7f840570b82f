package benchmarks

import (
	"fmt"
	"strings"
)

// dashboardModelText returns the model of a dashboard: sales with a day and two dimensions in their table, and one in each joined dataset. Two rollups
// serve the dashboard: one by month, and one by day without joined dimensions.
func dashboardModelText() string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: dashboard\n    custom_extensions: [{vendor_name: SEMLAYER, data: '" + dashboardRollups + "'}]\n    datasets:\n")
	writeDatasetYAML(&b, "sales", "sale_id", "customer_id:Integer", "product_id:Integer", "sold_on:Date", "status", "channel", "cents:Integer")
	writeDatasetYAML(&b, "customers", "customer_id", "region")
	writeDatasetYAML(&b, "products", "product_id", "category")
	b.WriteString("    relationships:\n")
	for _, to := range []string{"customer", "product"} {
		fmt.Fprintf(&b, "      - {name: sales_%[1]s, from: sales, to: %[1]ss, from_columns: [%[1]s_id], to_columns: [%[1]s_id]}\n", to)
	}
	b.WriteString("    metrics:\n")
	writeMetricYAML(&b, "revenue", "SUM(sales.cents)")
	writeMetricYAML(&b, "sale_count", "COUNT(sales.cents)")
	writeMetricYAML(&b, "cents_per_sale", "SUM(sales.cents) / COUNT(sales.cents)")
	return b.String()
}

const dashboardRollups = `{"v":"1.10","rollups":[` +
	`{"name":"monthly","of":"sales","group_by":[{"field":"sales.sold_on","grain":"month","column":"month"},{"field":"sales.status","column":"status"},{"field":"sales.channel","column":"channel"},{"field":"customers.region","column":"region"},{"field":"products.category","column":"category"}],` +
	`"measures":[{"expression":"SUM(sales.cents)","column":"cents"},{"expression":"COUNT(sales.cents)","column":"n"}],"rows":25000},` +
	`{"name":"daily","of":"sales","group_by":[{"field":"sales.sold_on","column":"day"},{"field":"sales.status","column":"status"},{"field":"sales.channel","column":"channel"}],` +
	`"measures":[{"expression":"SUM(sales.cents)","column":"cents"},{"expression":"COUNT(sales.cents)","column":"n"}],"rows":10000}]}`

// createDashboardSQL makes the tables: n sales of two years, of which some have no customer. The products are 1,000.
func createDashboardSQL(n int) string {
	return fmt.Sprintf(`SET memory_limit = '4GiB';
CREATE TABLE customers AS SELECT i AS customer_id, 'region ' || (i %% 8) AS region FROM range(%[1]d) t(i);
CREATE TABLE products AS SELECT i AS product_id, 'category ' || (i %% 10) AS category FROM range(1000) t(i);
CREATE TABLE sales AS SELECT i AS sale_id, CASE WHEN i %% 97 = 0 THEN NULL ELSE hash(i) %% %[1]d END::BIGINT AS customer_id,
	(hash(i + 1) %% 1001)::BIGINT AS product_id, DATE '2023-01-01' + (hash(i + 2) %% 731)::INTEGER AS sold_on,
	'status ' || (hash(i + 3) %% 4) AS status, 'channel ' || (hash(i + 4) %% 3) AS channel, (hash(i + 5) %% 100000)::INTEGER AS cents
	FROM range(%[2]d) t(i);`, n/10+100, n)
}

// dashboardQueries are the ten tiles of the dashboard. Each has one order of its rows.
var dashboardQueries = []string{
	`{"metrics":["revenue","sale_count"]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"metric_time__month"}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"day"}],"order_by":[{"key":"metric_time__day"}],"time_range":{"start":"2024-10-01","end":"2025-01-01"}}`,
	`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"products.category"}],"order_by":[{"key":"category","desc":true}],"limit":5}`,
	`{"metrics":["revenue","sale_count"],"group_by":[{"field":"sales.status"}],"order_by":[{"key":"status"}]}`,
	`{"metrics":["cents_per_sale"],"group_by":[{"field":"sales.channel"}],"order_by":[{"key":"channel"}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"customers.region"},{"field":"metric_time","grain":"quarter"}],"order_by":[{"key":"region"},{"key":"metric_time__quarter"}]}`,
	`{"metrics":["revenue"],"group_by":[{"field":"products.category"}],"where_sql":"sales.channel = 'channel 1'","order_by":[{"key":"category"}]}`,
	`{"metrics":["sale_count"],"group_by":[{"field":"sales.channel"},{"field":"sales.status"}],"order_by":[{"key":"channel"},{"key":"status"}],"time_range":{"start":"2024-01-01","end":"2025-01-01"}}`,
}
