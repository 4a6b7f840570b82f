package parse

import (
	"strings"
	"testing"
)

func TestParse_SuggestsExpressionsForFunctionsAboutTimes(t *testing.T) {
	for _, tc := range []struct{ sql, function, want string }{
		{"SELECT d - make_interval(days => 3) FROM t", "make_interval", "SELECT d - INTERVAL '3 days' FROM t"},
		{"SELECT d - MAKE_INTERVAL(mins := 15) FROM t", "make_interval", "SELECT d - INTERVAL '15 minutes' FROM t"},
		{"SELECT d + make_interval(0, 0, 2, 0) FROM t", "make_interval", "SELECT d + INTERVAL '2 weeks' FROM t"},
		{"SELECT d + make_interval(days => n) FROM t", "make_interval", ""},
		{"SELECT d + make_interval(days => 1, hours => 2) FROM t", "make_interval", ""},
		{"SELECT d + make_interval(moons => 1) FROM t", "make_interval", ""},
		{"SELECT d + make_interval() FROM t", "make_interval", ""},
		{"SELECT age(d) FROM t", "age", "SELECT DATEDIFF('day', d, CURRENT_DATE) FROM t"},
		{"SELECT age(DATE '2024-03-01', d) FROM t", "age", "SELECT DATEDIFF('day', d, DATE '2024-03-01') FROM t"},
		{"SELECT date_bin('1 hour', d, TIMESTAMP '2024-01-01 00:00:00') FROM t", "date_bin", "SELECT DATE_TRUNC('hour', d) FROM t"},
		{"SELECT date_bin(INTERVAL '1' DAY, d, '2024-01-01'::timestamp) FROM t", "date_bin", "SELECT DATE_TRUNC('day', d) FROM t"},
	} {
		e := refusalOf(t, tc.sql)
		if e.Code != CodeUnsupported || !strings.HasPrefix(e.Message, "the function "+tc.function) {
			t.Errorf("%s: %v", tc.sql, e)
		}
		if !strings.EqualFold(e.Statement, tc.want) {
			t.Errorf("%s suggests\n%s, want\n%s", tc.sql, e.Statement, tc.want)
		}
	}
	// No unit has these buckets: the name of the function is refused where names are looked up.
	for _, sql := range []string{
		"SELECT date_bin('15 minutes', d, DATE '2024-01-01') FROM t",
		"SELECT date_bin('1 day', d, TIMESTAMP '2024-01-01 06:00:00') FROM t",
		"SELECT date_bin('1 day', d, other) FROM t",
	} {
		if _, err := Parse(sql, DefaultLimits()); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
