package sqlexpr

import (
	"strings"
	"testing"
)

func TestByType_RewritesOperators(t *testing.T) {
	t.Run("the types of the operands decide what an operator means", func(t *testing.T) {
		tests := []struct{ text, want string }{
			{"d - d", "DATEDIFF('day', d, d)"},
			{"u - d", "DATEDIFF('day', d, u)"},
			{"d + 1", "CAST(DATEADD('day', 1, d) AS DATE)"},
			{"i + d", "CAST(DATEADD('day', i, d) AS DATE)"},
			{"d + INTERVAL '1' DAY", "CAST(d + INTERVAL '1' DAY AS DATE)"},
			{"d + INTERVAL '1' MONTH - 1", "CAST(d + INTERVAL '1' MONTH AS DATE) - 1"},
			{"d + INTERVAL '1' HOUR", "d + INTERVAL '1' HOUR"},
			{"DATE_TRUNC('month', d)", "CAST(DATE_TRUNC('month', d) AS DATE)"},
			{"CAST(DATEADD('month', 1, d) AS DATE)", "CAST(DATEADD('month', 1, d) AS DATE)"},
			{"DATEADD('month', 1, DATE_TRUNC('month', d)) - 1", "DATEADD('month', 1, CAST(DATE_TRUNC('month', d) AS DATE)) - 1"},
			{"COALESCE(d, t) - 1", "CAST(COALESCE(d, t) AS TIMESTAMP) - 1"},
			{"d - i", "CAST(DATEADD('day', -i, d) AS DATE)"},
			{"d - i - d", "DATEDIFF('day', d, CAST(DATEADD('day', -i, d) AS DATE))"},
			{"SUM(d - d) > 1", "SUM(DATEDIFF('day', d, d)) > 1"},
			{"MAX(d) - MIN(d) + 1", "DATEDIFF('day', MIN(d), MAX(d)) + 1"},
			{"COALESCE(d + 1, d)", "COALESCE(CAST(DATEADD('day', 1, d) AS DATE), d)"},
			{"d - u", "CAST(d AS DATE) - u"},
			{"u + d", "u + CAST(d AS DATE)"},
			{"d + n", "CAST(d AS DATE) + n"},
			{"t - t", "CAST(t AS TIMESTAMP) - CAST(t AS TIMESTAMP)"},
			{"t - z", "CAST(t AS TIMESTAMP) - CAST(z AS TIMESTAMPTZ)"},
			{"u - t", "u - CAST(t AS TIMESTAMP)"},
			{"CAST(b AS INTEGER)", "CAST(CASE WHEN b THEN 1 WHEN NOT b THEN 0 END AS INTEGER)"},
			{"CAST(b AS VARCHAR)", "CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END"},
			{"CAST(b AS VARCHAR(1))", "CAST(CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END AS VARCHAR(1))"},
			{"b || s", "CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END || s"},
			{"s || (i > 1)", "s || CASE WHEN i > 1 THEN 'true' WHEN NOT i > 1 THEN 'false' END"},
			{"CONCAT(s, b)", "CONCAT(s, CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END)"},
			{"CAST(f AS INTEGER)", "CAST(ROUND(f) AS INTEGER)"},
			{"CAST(f * 2 AS BIGINT)", "CAST(ROUND(f * 2) AS BIGINT)"},
			{"CAST(n AS BIGINT)", "CAST(ROUND(n) AS BIGINT)"},
			{"CAST(CAST(i AS DOUBLE) AS INTEGER)", "CAST(ROUND(CAST(i AS DOUBLE)) AS INTEGER)"},
			{"LOWER(CAST(b AS VARCHAR)) = 'true' AND d - d > 1", "LOWER(CASE WHEN b THEN 'true' WHEN NOT b THEN 'false' END) = 'true' AND DATEDIFF('day', d, d) > 1"},
		}
		for _, test := range tests {
			if got := Format(ResolveOperatorTypes(mustParse(t, test.text), columnTypes)); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
			}
		}
	})
}

// Some engines read the clock of the zone that a timestamp was written with.
func TestByType_ClockOfZonedTimestamp(t *testing.T) {
	t.Run("a zoned timestamp whose clock is read is marked as having a zone", func(t *testing.T) {
		for text, want := range map[string]int{
			"HOUR(z)": 1, "EXTRACT(DOW FROM z)": 1, "DATE_TRUNC('day', z)": 1, "DATEDIFF('day', z, COALESCE(z, z))": 2,
			"CAST(z AS DATE)": 1, "CAST(z AS TIMESTAMP)": 1, "z + INTERVAL '1' DAY": 1,
			"z": 0, "CAST(z AS TIMESTAMPTZ)": 0, "HOUR(t)": 0, "HOUR(u)": 0, "HOUR(CAST(z AS TIMESTAMPTZ))": 0, "z > CURRENT_TIMESTAMP": 0,
		} {
			known := 0
			e := mustParse(t, text)
			got := ResolveOperatorTypes(e, columnTypes)
			Walk(got, func(e Expr) bool {
				if k, ok := e.(*DeclaredTypeExpr); ok && k.Type == TypeTimestampTZ {
					known++
				}
				return true
			})
			if known != want || Format(got) != Format(e) {
				t.Errorf("%s: %d in %s, want %d", text, known, Format(got), want)
			}
		}
	})
}

// An engine that stores times as texts must know that a comparison is one of times.
func TestByType_MarksComparedTimes(t *testing.T) {
	for text, want := range map[string]Type{
		"z > t": TypeTimestampTZ, "d = t": TypeDate, "d < d": TypeDate, "u = t": TypeTimestamp, "t IN (u, z)": TypeTimestamp, "u BETWEEN t AND z": TypeTimestamp,
		"t > TIMESTAMP '2024-01-31 10:00:00'": TypeUnknown, "d = :day": TypeUnknown, "u = u": TypeUnknown, "i > n": TypeUnknown,
	} {
		marked := TypeUnknown
		Walk(ResolveOperatorTypes(mustParse(t, text), columnTypes), func(e Expr) bool {
			if known, ok := e.(*DeclaredTypeExpr); ok && !known.ReadsClock {
				marked = known.Type
			}
			return true
		})
		if marked != want {
			t.Errorf("%s marks %s, want %s", text, marked, want)
		}
	}
}

// An engine without a common type of decimals and doubles must know that a choice has a double.
func TestByType_MarksChosenDoubles(t *testing.T) {
	for text, want := range map[string]string{
		"COALESCE(n, f)": "f", "GREATEST(f, i, f2)": "f", "LEAST(u, f)": "f", "IF(b, f, n)": "f", "CASE WHEN f > 1 THEN n ELSE f2 END": "f2",
		"LAG(n, 1, f) OVER (ORDER BY i)": "f", "COALESCE(SUM(n), AVG(n))": "", "COALESCE(f, f2)": "", "COALESCE(f, 0)": "", "CASE WHEN b THEN f END": "",
		"COALESCE(n, f / 2)": "", "COALESCE(n, i)": "", "COALESCE(u, n)": "", "f + n": "", "NULLIF(f, n)": "",
	} {
		marked := ""
		Walk(ResolveOperatorTypes(mustParse(t, text), columnTypes), func(e Expr) bool {
			if known, ok := e.(*DeclaredTypeExpr); ok {
				marked += Format(known.X)
			}
			return true
		})
		if marked != want {
			t.Errorf("%s marks %q, want %q", text, marked, want)
		}
	}
}

// A dialect decides which strings are numbers, which values of an unknown type are strings, and which collation a string has.
func TestByType_MarksWhatIsCastFromOrToText(t *testing.T) {
	for text, want := range map[string]bool{
		"CAST(s AS INTEGER)": true, "CAST(LOWER(s) AS DOUBLE)": true, "CAST('5' AS DECIMAL)": true, "CAST(u AS INTEGER)": true,
		"CAST(i AS DOUBLE)": false, "CAST(i AS VARCHAR)": true, "CAST(d AS VARCHAR)": true, "CAST(s AS VARCHAR)": false, "CAST(u AS VARCHAR)": false, "CAST(s AS DATE)": false, "CAST(b AS INTEGER)": false,
	} {
		c, ok := ResolveOperatorTypes(mustParse(t, text), columnTypes).(*Cast)
		if !ok {
			t.Fatalf("%s is not a cast", text)
		}
		if _, marked := c.X.(*DeclaredTypeExpr); marked != want {
			t.Errorf("%s is marked: %v, want %v", text, marked, want)
		}
	}
}

func TestByType_KeepsPlainTree(t *testing.T) {
	for _, text := range []string{
		"i + 1", "u - u", "i - n * f", "DATE '2024-01-31' + INTERVAL '1' DAY", "INTERVAL '1' DAY + t", "DATE '2024-01-31' + 1", "DATE '2024-01-31' - DATE '2024-01-01'",
		"CURRENT_TIMESTAMP - CURRENT_TIMESTAMP", "CAST(i > 1 AS INTEGER)", "CAST(2 AS VARCHAR)", "CAST(2.5 AS INTEGER)", "CAST(f AS DECIMAL(10, 2))", "CAST(u AS VARCHAR)", "HOUR(t)", "z > CURRENT_TIMESTAMP", "CAST(b AS BOOLEAN)", "s || i", "CONCAT(s, i)", "d > DATE '2024-01-31'",
	} {
		if e := mustParse(t, text); ResolveOperatorTypes(e, columnTypes) != e {
			t.Errorf("%s became %s", text, Format(ResolveOperatorTypes(e, columnTypes)))
		}
	}
	if ResolveOperatorTypes(nil, columnTypes) != nil {
		t.Error("nothing became something")
	}
}

// A generated chain must not cost the square of its length: four times the length, not sixteen times the objects.
func TestByType_LongSumInLinearTime(t *testing.T) {
	objects := func(days int) float64 {
		e := mustParse(t, "d"+strings.Repeat(" + i", days))
		return testing.AllocsPerRun(3, func() {
			if got := ResolveOperatorTypes(e, columnTypes); TypeOf(got, columnTypes) != TypeDate {
				t.Error("a date and days are no date")
			}
		})
	}
	if short, long := objects(100), objects(400); long > 5*short {
		t.Errorf("%.0f objects for 100 terms, %.0f for 400", short, long)
	}
}
