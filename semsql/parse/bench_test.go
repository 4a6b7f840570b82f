package parse

import "testing"

// What a tool sends for one chart: a derived table, a join, a top-n and an order.
const chartStatement = `SELECT "t"."region" AS "region", DATE_TRUNC('month', CAST("t"."order_date" AS TIMESTAMP)) AS "month", SUM("t"."revenue") AS "revenue", COUNT(DISTINCT "t"."customer_id")
FROM (SELECT * FROM "public"."shop") "t" INNER JOIN (SELECT "region" FROM "public"."shop" GROUP BY 1 ORDER BY SUM("revenue") DESC NULLS LAST LIMIT 10) "top" ON "t"."region" = "top"."region"
WHERE "t"."order_date" >= DATE '2024-01-01' AND "t"."order_date" < DATE '2025-01-01' AND "t"."status" IN ('completed', 'shipped') AND NOT ("t"."category" LIKE 'x%')
GROUP BY 1, 2 HAVING SUM("t"."revenue") > 100 ORDER BY 3 DESC, 1 LIMIT 1000`

func BenchmarkParse_Chart(b *testing.B) {
	b.SetBytes(int64(len(chartStatement)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(chartStatement, DefaultLimits()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat_Chart(b *testing.B) {
	q := mustParse(b, chartStatement)
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		text = AppendCanonical(text[:0], q)
	}
}

func BenchmarkEqual_Chart(b *testing.B) {
	q, again := mustParse(b, chartStatement), mustParse(b, chartStatement)
	b.ReportAllocs()
	for b.Loop() {
		if !Equal(q, again) {
			b.Fatal("not equal")
		}
	}
}
