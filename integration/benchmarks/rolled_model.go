package benchmarks

import (
	"fmt"
	"strings"
)

// RolledUpModelText returns the model of compile latency with n rollups of orders. Each has revenue and order_count by a part of the fields that
// ThreeMetricsQuery reads, under separate names; the last has all of them if serves is true.
func RolledUpModelText(n int, serves bool) string {
	fields := []string{"orders.status", "customers.region", "customers.segment", "products.category"}
	all := 1<<len(fields) - 1
	grains := []string{"day", "week", "month", "quarter", "year"}
	rollups := make([]string, n)
	for i := range rollups {
		parts, grain := i%all, grains[i/all%len(grains)]
		if serves && i == n-1 {
			parts, grain = all, "month"
		}
		var groups strings.Builder
		fmt.Fprintf(&groups, `{"field":"orders.order_date","grain":%q,"column":"bucket"}`, grain)
		for f, name := range fields {
			if parts&(1<<f) != 0 {
				fmt.Fprintf(&groups, `,{"field":%q,"column":%q}`, name, strings.ReplaceAll(name, ".", "_"))
			}
		}
		rollups[i] = fmt.Sprintf(`{"name":"rollup_%[1]d","of":"orders","source":"agg.rollup_%[1]d","group_by":[%[2]s],`+
			`"measures":[{"expression":"SUM(orders.amount)","column":"amount"},{"expression":"COUNT(orders.order_id)","column":"orders"}]}`, i, groups.String())
	}
	return LargeModelText(3) + `    custom_extensions:
      - {vendor_name: SEMLAYER, data: '{"v":"1.10","rollups":[` + strings.Join(rollups, ",") + "]}'}\n"
}
