package query_test

import (
	"testing"

	"github.com/semlayer/semlayer/planner/query"
)

const q3 = `{"metrics":["revenue","order_count","avg_order_value"],"group_by":[{"field":"customers.region"},{"field":"products.category"},{"field":"orders.order_date","grain":"month"}],"where_sql":"orders.status = 'completed'","time_range":{"start":"2024-01-01","end":"2025-01-01"},"order_by":[{"key":"revenue","desc":true}],"limit":100}`

func BenchmarkDecode_Q3(b *testing.B) {
	body := []byte(q3)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := query.DecodeMetric(body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode_UnknownKey(b *testing.B) {
	body := []byte(`{"metrcis":["revenue"],"group_by":[{"field":"customers.region"}],"limit":100}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := query.DecodeMetric(body); err == nil {
			b.Fatal("accepted")
		}
	}
}
