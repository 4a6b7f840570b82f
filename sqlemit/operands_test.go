package sqlemit_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// typeByName are the types of the columns that the table below names.
var typeByName = map[string]sqlexpr.Type{
	"d": sqlexpr.TypeDate, "e": sqlexpr.TypeDate, "ts": sqlexpr.TypeTimestamp, "tz": sqlexpr.TypeTimestampTZ,
	"n": sqlexpr.TypeInt, "f": sqlexpr.TypeFloat, "p": sqlexpr.TypeDecimal, "b": sqlexpr.TypeBool, "s": sqlexpr.TypeString,
}

// What depends on the types and values of operands: x has no type.
var operandCases = []string{
	"t.d - t.e", "t.d - t.x", "t.x - t.d", "t.d + 1", "t.d - 1", "t.n + t.d", "t.d - t.n", "t.d + t.x",
	"t.d + 1 - t.e", "t.ts - t.ts", "t.ts - t.tz", "t.ts - t.x", "t.x - t.x", "t.d + INTERVAL '1' DAY",
	"DATE '2024-01-31' + 1", "DATE '2024-01-31' - t.x",
	"CAST(t.b AS INTEGER)", "CAST(t.b AS DECIMAL(3, 1))", "CAST(t.b AS DOUBLE)", "CAST(t.b AS VARCHAR)", "CAST(t.b AS VARCHAR(1))",
	"CAST(t.n > 1 AS INTEGER)", "CAST(t.n > 1 AS DECIMAL(3, 1))", "CAST(t.n > 1 AS VARCHAR)", "t.b || ''", "(t.n > 1) || t.s", "CONCAT(t.b, t.s)",
	"CAST(t.f AS INTEGER)", "CAST(t.p AS INTEGER)", "CAST(t.x AS INTEGER)", "CAST(CAST(t.x AS DECIMAL(9, 4)) AS DECIMAL(9, 2))",
	"HOUR(t.tz)", "EXTRACT(DOW FROM t.tz)", "DATE_TRUNC('hour', t.tz)", "DATEDIFF('day', t.tz, t.d)", "CAST(t.tz AS DATE)", "t.tz + INTERVAL '1' DAY",
	"EXTRACT(ISODOW FROM t.d)", "EXTRACT(ISOYEAR FROM t.d)", "EXTRACT(EPOCH FROM t.ts)", "EXTRACT(MICROSECOND FROM t.ts)",
	"SUBSTRING(t.s, 2)", "SUBSTRING(t.s, 2, t.n)", "SUBSTRING(t.s, POSITION('-' IN t.s) + 1)", "SUBSTRING(t.s, -2)", "SUBSTRING(t.s, 0, 3)",
	"SUBSTRING(t.s, -4, 3)", "SUBSTRING(t.s, 0, t.n)", "SUBSTRING(t.s, t.n, 3)",
	"COALESCE(t.p, t.f)", "CASE WHEN t.b THEN t.f WHEN t.s = '' THEN 0 ELSE t.n END", "LEAST(t.f, t.p)", "GREATEST(t.f, 0)",
	"TRY_CAST(t.s AS INTEGER)", "TRY_CAST(t.s AS DECIMAL(5, 2))", "TRY_CAST(t.s AS DOUBLE)", "TRY_CAST(t.s AS BOOLEAN)", "TRY_CAST(t.s AS VARCHAR(3))",
	"TRY_CAST(t.s AS DATE)", "TRY_CAST(t.s AS TIMESTAMP)", "TRY_CAST(t.s AS TIMESTAMPTZ)", "TRY_CAST(t.s AS TIME)",
	"TRY_CAST(t.x AS INTEGER)", "TRY_CAST(t.n AS DOUBLE)", "TRY_CAST(t.f AS INTEGER)", "TRY_CAST(t.p AS DECIMAL(5, 2))", "TRY_CAST(t.ts AS DATE)", "TRY_CAST(t.b AS INTEGER)",
	"TO_CHAR(t.d, 'YYYY-MM')", "TO_CHAR(t.tz, 'HH12:MI AM')", "CAST(t.tz AS TIMESTAMP_NTZ)", "CAST(t.s AS TIMESTAMP_TZ)", "TIMESTAMP_NTZ '2024-01-31 10:00:00'",
	"ROUND(t.f / t.n, 2)", "CAST(t.p / t.n AS DECIMAL(9, 2))", "ROUND(SUM(t.f / t.n))",
}

func TestOperands_DecideSpelling(t *testing.T) {
	const path = "testdata/operands.txt"
	leaf := func(e sqlexpr.Expr) sqlexpr.Type {
		c, ok := e.(*sqlexpr.Column)
		if !ok {
			return sqlexpr.TypeUnknown
		}
		return typeByName[c.Path[len(c.Path)-1].Text]
	}
	var b strings.Builder
	for _, text := range operandCases {
		printEveryDialect(t, &b, text, sqlexpr.ResolveOperatorTypes(parse(t, text), leaf))
	}
	golden(t, path, b.String())
}
