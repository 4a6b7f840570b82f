package sqlexpr

import "testing"

const whereClause = `orders.status IN ('paid', 'shipped') AND orders.amount BETWEEN 10 AND 500.50
	AND (customers.country = 'DE' OR customers.segment LIKE 'ent%') AND orders.order_date >= DATE '2024-01-01'
	AND COALESCE(orders.discount, 0) < 0.2 AND NOT orders.is_test`

func BenchmarkParse_WhereClause(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(whereClause)))
	for b.Loop() {
		if _, err := ParseLimited(whereClause, QueryLimits()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat_WhereClause(b *testing.B) {
	e := mustParse(b, whereClause)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendFormatted(buf[:0], e)
	}
}

func BenchmarkNormalize_WhereClause(b *testing.B) {
	e := mustParse(b, whereClause)
	b.ReportAllocs()
	for b.Loop() {
		Normalize(e)
	}
}

func BenchmarkRewrite_OneColumn(b *testing.B) {
	e := mustParse(b, whereClause)
	ref := &Ref{ID: 1}
	b.ReportAllocs()
	for b.Loop() {
		Rewrite(e, func(x Expr) Expr {
			if c, ok := x.(*Column); ok && c.Path[len(c.Path)-1].Text == "is_test" {
				return ref
			}
			return nil
		})
	}
}
