package parse

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// refusalOf parses a statement that is rejected.
func refusalOf(t *testing.T, text string) *Error {
	t.Helper()
	_, err := Parse(text, DefaultLimits())
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%s\n%v, want a refusal", text, err)
	}
	return e
}

// A statement with named windows is rejected with the statement that writes each of them out.
func TestParse_WritesNamedWindowsOut(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"SELECT SUM(a) OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY c)", "SELECT SUM(a) OVER (PARTITION BY b ORDER BY c) FROM t"},
		{"SELECT SUM(a) OVER (W) FROM t WINDOW w AS (PARTITION BY b)", "SELECT SUM(a) OVER (PARTITION BY b) FROM t"},
		{`SELECT SUM(a) OVER "w", b FROM t GROUP BY b WINDOW "w" AS (ORDER BY c ROWS 1 PRECEDING)`, "SELECT SUM(a) OVER (ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), b FROM t GROUP BY b"},
		{"SELECT SUM(a) OVER (w ORDER BY c DESC) FROM t WINDOW w AS (PARTITION BY b)", "SELECT SUM(a) OVER (PARTITION BY b ORDER BY c DESC) FROM t"},
		{"SELECT RANK() OVER v, SUM(a) OVER w FROM t WINDOW w AS (PARTITION BY b), v AS (w ORDER BY c)", "SELECT RANK() OVER (PARTITION BY b ORDER BY c), SUM(a) OVER (PARTITION BY b) FROM t"},
		{"SELECT a FROM t WINDOW w AS () ORDER BY RANK() OVER w", "SELECT a FROM t ORDER BY RANK() OVER ()"},
		{"SELECT a FROM t WINDOW w AS (ORDER BY a)", "SELECT a FROM t"},
		{"SELECT s FROM (SELECT SUM(a) OVER w AS s FROM t WINDOW w AS (ORDER BY a)) AS x", "SELECT s FROM (SELECT SUM(a) OVER (ORDER BY a) AS s FROM t) AS x"},
		{"WITH x AS (SELECT a FROM t WINDOW w AS (ORDER BY a)) SELECT SUM(a) OVER w FROM x WINDOW w AS ()", "WITH x AS (SELECT a FROM t) SELECT SUM(a) OVER () FROM x"},
		{"SELECT SUM(a) OVER w FROM t WINDOW w AS () UNION ALL SELECT SUM(b) OVER w FROM t WINDOW w AS (ORDER BY b)", "SELECT SUM(a) OVER () FROM t UNION ALL SELECT SUM(b) OVER (ORDER BY b) FROM t"},

		// No name to write out, or one whose window PostgreSQL rejects: there is no such statement.
		{"SELECT SUM(a) OVER w FROM t", ""},
		{"SELECT SUM(a) OVER (w ORDER BY b) FROM t", ""},
		{"SELECT SUM(a) OVER w FROM t WINDOW v AS ()", ""},
		{`SELECT SUM(a) OVER w FROM t WINDOW "W" AS ()`, ""},
		{"SELECT SUM(a) OVER w FROM t WINDOW w AS (), w AS (ORDER BY a)", ""},
		{"SELECT SUM(a) OVER (w PARTITION BY b) FROM t WINDOW w AS (ORDER BY a)", ""},
		{"SELECT SUM(a) OVER (w ORDER BY b) FROM t WINDOW w AS (ORDER BY a)", ""},
		{"SELECT SUM(a) OVER (w) FROM t WINDOW w AS (ROWS 1 PRECEDING)", ""},
		{"SELECT RANK() OVER v FROM t WINDOW v AS (w ORDER BY c), w AS (PARTITION BY b)", ""},
		{"SELECT a FROM (SELECT SUM(a) OVER w AS a FROM t) AS x WINDOW w AS ()", ""},
		{"SELECT a FROM t WINDOW w AS () UNION SELECT b FROM t WINDOW w AS () ORDER BY RANK() OVER w", ""},
		{"SELECT SUM(a) OVER w FROM t WINDOW w AS () FROM t", ""},
		{"SELECT SUM(a) OVER w FROM t WINDOW w AS (RANGE 1 PRECEDING)", ""},
	} {
		e := refusalOf(t, tc.text)
		if e.Code != CodeUnsupported || e.Statement != tc.want {
			t.Errorf("%s\nis refused with %s and %q, want %q", tc.text, e.Code, e.Statement, tc.want)
		}
		if e.Statement != "" {
			checkIdentity(t, mustParse(t, e.Statement))
		}
	}
}

// Names of windows do not multiply the text of a statement without bound, also not through subqueries inside of windows.
func TestParse_BoundsTheTextOfNamedWindows(t *testing.T) {
	many := "SELECT " + strings.Repeat("RANK() OVER w, ", 1000) + "a FROM t WINDOW w AS (PARTITION BY '" + strings.Repeat("x", 10_000) + "')"
	nested := "a"
	for i := range 20 {
		nested = fmt.Sprintf("(SELECT RANK() OVER w + RANK() OVER w FROM t WINDOW w AS (ORDER BY %s, %d))", nested, i)
	}
	for name, text := range map[string]string{"many": many, "nested": "SELECT " + nested + " FROM t"} {
		start := time.Now()
		if e := refusalOf(t, text); e.Statement != "" {
			t.Errorf("%s: the statement without names has %d bytes", name, len(e.Statement))
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: takes %v", name, took)
		}
	}
}
