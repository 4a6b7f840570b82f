package benchmarks

import (
	"fmt"
	"strings"
)

// LargeModelText returns a model text of n datasets: shops of three datasets each, a fact
// with two dimensions, and the remaining ones as dimensions without a fact. Every
// query of the benchmarks asks the first shop, so that only the size of the
// model differs.
func LargeModelText(n int) string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: shops\n    datasets:\n")
	var relationships, metrics strings.Builder
	for i := 0; i < n; i += 3 {
		suffix := ""
		if i > 0 {
			suffix = fmt.Sprintf("_%d", i/3)
		}
		if i+3 > n {
			for j := i; j < n; j++ {
				writeDatasetYAML(&b, fmt.Sprintf("extra_%d", j), "id", "name")
			}
			break
		}
		writeDatasetYAML(&b, "orders"+suffix, "order_id", "customer_id", "product_id", "order_date:Date", "status", "amount:Decimal")
		writeDatasetYAML(&b, "customers"+suffix, "customer_id", "region", "segment")
		writeDatasetYAML(&b, "products"+suffix, "product_id", "category", "unit_cost:Decimal")
		for _, to := range []string{"customer", "product"} {
			fmt.Fprintf(&relationships, "      - {name: orders%[1]s_%[2]s, from: orders%[1]s, to: %[2]ss%[1]s, from_columns: [%[2]s_id], to_columns: [%[2]s_id]}\n", suffix, to)
		}
		writeMetricYAML(&metrics, "revenue"+suffix, "SUM(orders"+suffix+".amount)")
		writeMetricYAML(&metrics, "order_count"+suffix, "COUNT(orders"+suffix+".order_id)")
		writeMetricYAML(&metrics, "avg_order_value"+suffix, "SUM(orders"+suffix+".amount) / COUNT(orders"+suffix+".order_id)")
	}
	b.WriteString("    relationships:\n" + relationships.String())
	b.WriteString("    metrics:\n" + metrics.String())
	return b.String()
}

// writeDatasetYAML writes one dataset; the first field is its key, and a field may carry
// its datatype after a colon.
func writeDatasetYAML(b *strings.Builder, name string, fields ...string) {
	fmt.Fprintf(b, "      - name: %[1]s\n        source: %[1]s\n        primary_key: [%[2]s]\n        fields:\n", name, fields[0])
	for _, f := range fields {
		column, datatype, typed := strings.Cut(f, ":")
		if typed {
			datatype = "datatype: " + datatype + ", "
		}
		fmt.Fprintf(b, "          - {name: %s, %sexpression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", column, datatype, column)
	}
}

func writeMetricYAML(b *strings.Builder, name, expression string) {
	fmt.Fprintf(b, "      - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %q}]}}\n", name, expression)
}

// The queries whose compilation is measured.
const (
	// OneMetricQuery is one metric by one joined dimension.
	OneMetricQuery = `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`
	// ThreeMetricsQuery is three metrics by two joined dimensions and month, with a range, a
	// filter, an order and a limit.
	ThreeMetricsQuery = `{"metrics":["revenue","order_count","avg_order_value"],` +
		`"group_by":[{"field":"customers.region"},{"field":"products.category"},{"field":"orders.order_date","grain":"month"}],` +
		`"where_sql":"orders.status = 'completed' AND customers.segment IN ('retail', 'online')",` +
		`"time_range":{"start":"2024-01-01","end":"2025-01-01"},` +
		`"order_by":[{"key":"revenue","desc":true}],"limit":100}`
)
