package sqltype_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// byLetter types columns by their first letter.
func byLetter(e sqlexpr.Expr) sqltype.Type {
	c, ok := e.(*sqlexpr.Column)
	if !ok {
		return sqltype.Unknown
	}
	return map[byte]sqltype.Type{
		'i': sqltype.Integer, 'b': sqltype.Bigint, 'n': sqltype.Numeric, 'f': sqltype.Double, 's': sqltype.Text, 't': sqltype.Timestamp,
		'z': sqltype.TimestampTZ, 'd': sqltype.Date, 'c': sqltype.Boolean,
	}[c.Path[0].Text[0]]
}

func TestOf_IsTheTypeOfPostgreSQL(t *testing.T) {
	for text, want := range map[string]string{
		"i": "integer", "b": "bigint", "u": "text", "s": "text", "c": "boolean",
		"1": "integer", "3000000000": "bigint", "99999999999999999999": "numeric", "1.5": "numeric", "1e3": "double precision",
		"'a'": "text", "TRUE": "boolean", "NULL": "text", "DATE '2024-01-31'": "date", "TIMESTAMP '2024-01-31 00:00:00'": "timestamp",
		"i + 1": "integer", "i + b": "bigint", "b * n": "numeric", "n - f": "double precision", "i % 2": "integer", "-b": "bigint",
		"i / i": "double precision", "n / 2": "double precision", "s || s": "text", "b = 1": "boolean", "NOT c": "boolean",
		"d + 1": "date", "d - d": "integer", "d + INTERVAL '1' DAY": "timestamp", "d + n * INTERVAL '1' DAY": "timestamp", "d + (-(n * 2) * INTERVAL '1' DAY)": "timestamp",
		"INTERVAL '1' DAY / 2 + z": "timestamptz", "z - INTERVAL '1' HOUR": "timestamptz",
		"SUM(i)": "numeric", "SUM(b)": "numeric", "SUM(n)": "numeric", "SUM(f)": "double precision", "SUM(u)": "text",
		"COUNT(*)": "bigint", "COUNT(DISTINCT s)": "bigint", "AVG(i)": "double precision", "MIN(i)": "integer", "MAX(d)": "date",
		"SUM(b) FILTER (WHERE c)": "numeric", "SUM(b) OVER ()": "numeric", "RANK() OVER (ORDER BY b)": "bigint", "ROW_NUMBER() OVER ()": "bigint",
		"MEDIAN(i)": "double precision", "BOOL_AND(c)": "boolean", "LISTAGG(s, ',')": "text", "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY d)": "date",
		"CASE WHEN c THEN i ELSE n END": "numeric", "CASE WHEN c THEN NULL ELSE s END": "text", "CASE WHEN c THEN i ELSE s END": "text",
		"COALESCE(b, 0)": "bigint", "COALESCE(NULL, d)": "date", "NULLIF(i, 0)": "integer", "GREATEST(i, f)": "double precision",
		"CAST(s AS INTEGER)": "integer", "CAST(s AS BIGINT)": "bigint", "CAST(s AS DECIMAL(9, 2))": "numeric", "CAST(s AS DATE)": "date", "CAST(b AS TEXT)": "text",
		"EXTRACT(YEAR FROM d)": "numeric", "DATE_TRUNC('month', d)": "timestamp", "DATE_TRUNC('month', z)": "timestamptz", "DATE_TRUNC('month', t)": "timestamp",
		"LENGTH(s)": "integer", "UPPER(s)": "text", "ABS(n)": "numeric", "ROUND(f)": "double precision", "SQRT(i)": "double precision", "CURRENT_DATE": "date",
		"s IN ('a')": "boolean", "s LIKE 'a%'": "boolean", "b BETWEEN 1 AND 2": "boolean", "b IS NULL": "boolean",
	} {
		e, err := sqlexpr.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := sqltype.TypeOfExpr(e, byLetter).String(); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestCommon_HoldsTheValuesOfBothTypes(t *testing.T) {
	for _, test := range []struct {
		a, b, want sqltype.Type
		ok         bool
	}{
		{sqltype.Integer, sqltype.Bigint, sqltype.Bigint, true},
		{sqltype.Numeric, sqltype.Double, sqltype.Double, true},
		{sqltype.Date, sqltype.Timestamp, sqltype.Timestamp, true},
		{sqltype.Unknown, sqltype.Text, sqltype.Text, true},
		{sqltype.Text, sqltype.Text, sqltype.Text, true},
		{sqltype.Text, sqltype.Bigint, sqltype.Unknown, false},
		{sqltype.Date, sqltype.Time, sqltype.Unknown, false},
		{sqltype.Boolean, sqltype.Integer, sqltype.Unknown, false},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := test.a, test.b
			if swapped {
				a, b = b, a
			}
			if got, ok := sqltype.CommonType(a, b); got != test.want || ok != test.ok {
				t.Errorf("%s and %s are %s %t, want %s %t", a, b, got, ok, test.want, test.ok)
			}
		}
	}
}

func TestType_SurvivesItsLogicalType(t *testing.T) {
	for own := sqltype.Unknown; own <= sqltype.TimestampTZ; own++ {
		want := own
		if own == sqltype.Integer {
			want = sqltype.Bigint // an integer of the model
		}
		if got := sqltype.FromLogicalType(own.Logical()); got != want {
			t.Errorf("%d %s is %s", own, own, got)
		}
	}
}
