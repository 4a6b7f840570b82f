package coerce

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestCoerce_StringTakesTypeOfComparand(t *testing.T) {
	t.Run("a string literal takes the type of what it is compared with", func(t *testing.T) {
		types := map[string]sqlexpr.Type{
			"d": sqlexpr.TypeDate, "ts": sqlexpr.TypeTimestamp, "tz": sqlexpr.TypeTimestampTZ, "clock": sqlexpr.TypeTime,
			"n": sqlexpr.TypeInt, "dec": sqlexpr.TypeDecimal, "s": sqlexpr.TypeString, "b": sqlexpr.TypeBool,
		}
		leaf := func(e sqlexpr.Expr) sqlexpr.Type {
			if c, ok := e.(*sqlexpr.Column); ok {
				return types[c.Path[0].Text]
			}
			return sqlexpr.TypeUnknown
		}
		for _, tt := range []struct{ condition, want string }{
			{"d >= '2024-01-31'", "d >= DATE '2024-01-31'"},
			{"'2024-01-31' < d", "DATE '2024-01-31' < d"},
			{"d = '2024-01-31T10:00:00'", "d = TIMESTAMP '2024-01-31 10:00:00'"},
			{"d = '2024-01-31T10:00:00+02:00'", "d = TIMESTAMP '2024-01-31 08:00:00'"},
			{"d = '2024-02-30'", "d = '2024-02-30'"},
			{"ts > '2024-01-31'", "ts > TIMESTAMP '2024-01-31 00:00:00'"},
			{"ts > '2024-01-31 10:00:00.5'", "ts > TIMESTAMP '2024-01-31 10:00:00.5'"},
			{"ts > '2024-01-31T10:00:00Z'", "ts > TIMESTAMP '2024-01-31 10:00:00'"},
			{"tz > '2024-01-31'", "tz > TIMESTAMPTZ '2024-01-31 00:00:00Z'"},
			{"tz > '2024-01-31 10:00:00+02:00'", "tz > TIMESTAMPTZ '2024-01-31 08:00:00Z'"},
			{"clock < '10:30:00'", "clock < TIME '10:30:00'"},
			{"n = '5'", "n = 5"},
			{"n = '-5'", "n = -5"},
			{"n = '1e3'", "n = 1e3"},
			{"n = '-2.5E-3'", "n = -2.5E-3"},
			{"n = '1e999'", "n = '1e999'"},
			{"n = 'NaN'", "n = 'NaN'"},
			{"n = '0x10'", "n = '0x10'"},
			{"dec <> '5.50'", "dec <> 5.50"},
			{"SUM(n) > '5'", "SUM(n) > 5"},
			{"d BETWEEN '2024-01-01' AND '2024-01-31'", "d BETWEEN DATE '2024-01-01' AND DATE '2024-01-31'"},
			{"d NOT IN ('2024-01-01', DATE '2024-01-02')", "d NOT IN (DATE '2024-01-01', DATE '2024-01-02')"},
			{"CASE d WHEN '2024-01-01' THEN '2024-01-02' ELSE s END = '2024-01-03'", "CASE d WHEN DATE '2024-01-01' THEN '2024-01-02' ELSE s END = '2024-01-03'"},
			{"COALESCE(d, '2024-01-01') IS DISTINCT FROM '2024-01-02'", "COALESCE(d, DATE '2024-01-01') IS DISTINCT FROM DATE '2024-01-02'"},
			{"NOT (d = '2024-01-01' OR s = '2024-01-01')", "NOT (d = DATE '2024-01-01' OR s = '2024-01-01')"},
			{"s = '5'", "s = '5'"},
			{"other = '2024-01-01'", "other = '2024-01-01'"},
			{"'2024-01-01' = '2024-01-01'", "'2024-01-01' = '2024-01-01'"},
		} {
			e, err := sqlexpr.Parse(tt.condition)
			if err != nil {
				t.Fatalf("%s: %v", tt.condition, err)
			}
			if got := sqlexpr.Format(literalCoercer{leaf}.rewriteUntilStable(e)); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.condition, got, tt.want)
			}
		}
	})
}
