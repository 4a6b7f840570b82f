package postgres_test

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// The server writes each number as text beside it.
func TestQuery_ReadsNumbersAsTheServerWritesThem(t *testing.T) {
	e := openWith(t, servers.Postgres(t).Address, 1)
	for _, c := range []struct{ name, numbers, as string }{
		{"each power of ten", "SELECT s * v * 10::numeric ^ p AS v FROM generate_series(-8, 15) p, (VALUES (1), (3), (9)) a(v), (VALUES (1), (-1)) b(s) WHERE v * 10::numeric ^ p < 10::numeric ^ 14", "numeric(18,4)"},
		{"each number of nines", "SELECT s * (10::numeric ^ p - 1) AS v FROM generate_series(0, 18) p, (VALUES (1), (-1)) b(s)", "numeric(18,0)"},
		{"nines behind the point", "SELECT s * (1 - 0.1 ^ p) AS v FROM generate_series(0, 17) p, (VALUES (1), (-1)) b(s)", "numeric(18,17)"},
		{"only digits behind the point", "SELECT i / 1000000000.0 AS v FROM generate_series(-999, 999, 37) i", "numeric(18,18)"},
		{"no digit behind the point", "SELECT i * 10000::numeric AS v FROM generate_series(-9999, 9999, 101) i", "numeric(9)"},
		{"one digit", "SELECT i::numeric AS v FROM generate_series(-9, 9) i", "numeric(1)"},
		{"cents", "SELECT i / 100.0 AS v FROM generate_series(-20500, 20500, 7) i", "numeric(12,2)"},
		{"three digits behind the point", "SELECT i * 1.003 AS v FROM generate_series(-900000, 900000, 1777) i", "numeric(10,3)"},
		{"nineteen digits", "SELECT s * (10::numeric ^ p - 1) / 10 AS v FROM generate_series(0, 18) p, (VALUES (1), (-1)) b(s)", "numeric(19,1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := e.Query(t.Context(), "SELECT v::"+c.as+" AS v, (v::"+c.as+")::text AS want FROM ("+c.numbers+") AS n")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			batch, err := rows.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer batch.Release()
			numbers, want := batch.Column(0).(*array.Decimal128), batch.Column(1).(*array.String)
			scale := numbers.DataType().(*arrow.Decimal128Type).Scale
			for i := range int(batch.NumRows()) {
				if got := numbers.Value(i).ToString(scale); got != want.Value(i) {
					t.Errorf("got %s, want %s", got, want.Value(i))
				}
			}
		})
	}
}
