package sqlexpr

import (
	"strings"
	"testing"
)

func TestNormalizeDays_ComparesStoredTimesWithConstants(t *testing.T) {
	asDays := func(e Expr) Expr {
		return Rewrite(e, func(x Expr) Expr {
			if c, ok := x.(*Column); ok && strings.HasPrefix(c.Path[0].Text, "day") {
				return DayOf(x)
			}
			return nil
		})
	}
	for _, tt := range []struct{ condition, want string }{
		{"day >= '2024-01-05'", "day >= DATE '2024-01-05'"},
		{"day > '2024-01-05'", "day >= DATE '2024-01-06'"},
		{"day <= DATE '2024-02-29'", "day < DATE '2024-03-01'"},
		{"day < '2024-01-05'", "day < DATE '2024-01-05'"},
		{"'2024-01-05' < day", "day >= DATE '2024-01-06'"},
		{"day >= TIMESTAMP '2024-01-05 12:00:00'", "day >= DATE '2024-01-06'"},
		{"day > TIMESTAMP '2024-01-05 12:00:00'", "day >= DATE '2024-01-06'"},
		{"day <= TIMESTAMP '2024-01-05 12:00:00'", "day < DATE '2024-01-06'"},
		{"day < TIMESTAMP '2024-01-05 00:00:00'", "day < DATE '2024-01-05'"},
		{"day < TIMESTAMPTZ '2024-01-05 23:00:00-02:00'", "day < DATE '2024-01-07'"},
		{"day = '2024-12-31'", "day >= DATE '2024-12-31' AND day < DATE '2025-01-01'"},
		{"day = '2024-01-05 12:00:00'", "day >= DATE '2024-01-06' AND day < DATE '2024-01-06'"},
		{"day <> '2024-01-05'", "day < DATE '2024-01-05' OR day >= DATE '2024-01-06'"},
		{"NOT day = '2024-01-05'", "NOT (day >= DATE '2024-01-05' AND day < DATE '2024-01-06')"},
		{"day BETWEEN '2024-01-05' AND '2024-01-07'", "day >= DATE '2024-01-05' AND day < DATE '2024-01-08'"},
		{"day NOT BETWEEN '2024-01-05' AND '2024-01-07'", "day < DATE '2024-01-05' OR day >= DATE '2024-01-08'"},
		{"day IN ('2024-01-06', '2024-01-05')", "day >= DATE '2024-01-05' AND day < DATE '2024-01-07'"},
		{"day NOT IN ('2024-01-05', '2024-01-08')", "NOT (day >= DATE '2024-01-05' AND day < DATE '2024-01-06' OR day >= DATE '2024-01-08' AND day < DATE '2024-01-09')"},
		{"day IS NULL", "day IS NULL"},
		{"CASE WHEN day = '2024-01-05' THEN 1 END = 1", "CASE WHEN day >= DATE '2024-01-05' AND day < DATE '2024-01-06' THEN 1 END = 1"},
		// Compared as days: what is not a constant, a day without a next one, and values that would be read twice.
		{"day = other", "<bucket(day, day)> = other"},
		{"day IN ('2024-01-05', NULL)", "<bucket(day, day)> IN ('2024-01-05', NULL)"},
		{"day <= '9999-12-31'", "<bucket(day, day)> <= '9999-12-31'"},
		{"CAST(day AS DATE) = day_2", "<bucket(day, day)> = <bucket(day, day_2)>"},
	} {
		e, err := Parse(tt.condition)
		if err != nil {
			t.Fatalf("%s: %v", tt.condition, err)
		}
		if got := Format(NormalizeDays(asDays(e))); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.condition, got, tt.want)
		}
	}
	computed := &Binary{Op: OpEq, L: DayOf(&Call{Fn: FnCoalesce, Name: Name{Text: "COALESCE"}, Args: []Expr{&Null{}}}), R: &String{Value: "2024-01-05"}}
	if got, want := Format(NormalizeDays(computed)), "<bucket(day, COALESCE(NULL))> = '2024-01-05'"; got != want {
		t.Errorf("a computed value: got %s, want %s", got, want)
	}
}
