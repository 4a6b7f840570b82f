package parse

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func stateOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.SQLState
	}
	return ""
}

// list repeats an element n times, separated by commas.
func list(element string, n int) string {
	return strings.TrimSuffix(strings.Repeat(element+",", n), ",")
}

// Each limit has a statement at its edge, which parses, and one beyond, which does not.
func TestParse_HoldsItsLimits(t *testing.T) {
	nested := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for _, tc := range []struct {
		name  string
		state string
		most  int
		text  func(n int) string
	}{
		{"parentheses", "54001", 100, func(n int) string { return "SELECT " + nested("(", "a", ")", n) + " FROM t" }},
		{"calls", "54001", 100, func(n int) string { return "SELECT " + nested("f(", "a", ")", n) + " FROM t" }},
		{"signs", "54001", 100, func(n int) string { return "SELECT " + nested("- ", "a", "", n) + " FROM t" }},
		{"negations", "54001", 100, func(n int) string { return "SELECT " + nested("NOT ", "a", "", n) + " FROM t" }},
		{"a chain of additions", "54001", 100, func(n int) string { return "SELECT " + nested("1 + ", "a", "", n) + " FROM t" }},
		{"casts", "54001", 100, func(n int) string { return "SELECT a" + nested("::int", "", "", n) + " FROM t" }},
		{"IN in IN", "54001", 100, func(n int) string { return "SELECT a" + nested(" IN (1)", "", "", n) + " FROM t" }},
		{"derived tables", "54000", 99, func(n int) string { return nested("SELECT * FROM (", "SELECT a FROM t", ")", n) }},
		{"common tables", "54000", 99, func(n int) string { return nested("WITH x AS (", "SELECT a FROM t", ") SELECT a FROM x", n) }},
		{"scalar subqueries", "54001", 100, func(n int) string { return "SELECT " + nested("(SELECT ", "1", ")", n) }},
		{"operands of UNION", "54001", 100, func(n int) string { return "SELECT 1" + strings.Repeat(" UNION SELECT 1", n) }},
		{"bytes of a name", "54000", 1024, func(n int) string { return "SELECT " + strings.Repeat("a", n) + " FROM t" }},
		{"bytes of a quoted name", "54000", 1024, func(n int) string { return `SELECT a AS "` + strings.Repeat("a", n-2) + `" FROM t` }},
		{"bytes of a text", "54000", 1 << 16, func(n int) string { return "SELECT '" + strings.Repeat("a", n-2) + "' FROM t" }},
		{"bytes of a number", "54000", 1 << 16, func(n int) string { return "SELECT " + strings.Repeat("1", n) + " FROM t" }},
		{"items of IN", "54000", 1000, func(n int) string { return "SELECT a IN (" + list("1", n) + ") FROM t" }},
		{"values of ANY", "54000", 1000, func(n int) string { return "SELECT a = ANY (ARRAY[" + list("1", n) + "]) FROM t" }},
		{"rows of VALUES", "54000", 1000, func(n int) string { return "SELECT a IN (VALUES " + list("(1)", n) + ") FROM t" }},
		{"relations", "54000", 100, func(n int) string { return "SELECT a FROM " + list("t", n) }},
		{"relations of subqueries", "54000", 100, func(n int) string {
			return "SELECT a FROM t WHERE " + strings.Repeat("a IN (SELECT b FROM u) AND ", n-1) + "TRUE"
		}},
		{"joined relations", "54000", 100, func(n int) string { return "SELECT a FROM t" + strings.Repeat(" CROSS JOIN t", n-1) }},
		{"items of SELECT", "54000", 1600, func(n int) string { return "SELECT " + list("a", n) + " FROM t" }},
		{"groups", "54000", 1600, func(n int) string { return "SELECT a FROM t GROUP BY " + list("a", n) }},
		{"keys of ORDER BY", "54000", 1600, func(n int) string { return "SELECT a FROM t ORDER BY " + list("a", n) }},
		{"arguments", "54000", 1600, func(n int) string { return "SELECT f(" + list("a", n) + ") FROM t" }},
		{"signs and negations in turn", "54001", 50, func(n int) string { return "SELECT " + nested("- NOT ", "a", "", n) + " FROM t" }},
	} {
		if q, err := Parse(tc.text(tc.most), DefaultLimits()); err != nil {
			t.Errorf("%d %s are refused: %v", tc.most, tc.name, err)
		} else {
			checkIdentity(t, q)
		}
		if _, err := Parse(tc.text(tc.most+1), DefaultLimits()); stateOf(err) != tc.state {
			t.Errorf("%d %s: %v, want %s", tc.most+1, tc.name, err, tc.state)
		}
	}
}

func TestParse_BoundsTheText(t *testing.T) {
	limits := DefaultLimits()
	limits.Text = 20
	if _, err := Parse("SELECT a FROM orders", limits); err != nil {
		t.Error(err)
	}
	if _, err := Parse("SELECT a FROM orders;", limits); stateOf(err) != "54000" {
		t.Errorf("%v, want 54000", err)
	}
}

// A chain of AND or of OR is one level, however long.
func TestParse_AcceptsALongChainOfConditions(t *testing.T) {
	text := "SELECT a FROM t WHERE " + strings.Repeat("a = 1 OR ", 50_000) + "b"
	checkIdentity(t, mustParse(t, text))
}

// No repeated text takes long, and none ends the process.
func TestParse_EndsSoonOnHostileTexts(t *testing.T) {
	const size = 1 << 18
	for _, element := range []string{
		"(", "SELECT ", "SELECT (", "SELECT * FROM (", "((SELECT 1) UNION ", "a.", "- ", "NOT ", "f(", "CASE WHEN ", "a IN (", "a = ANY (ARRAY[", "/*", "'", `"`, "$$", "$a$",
		"E'\\", "1 + ", "a AND ", "a::int", "WITH x AS (", "x JOIN ", "é", "€", ";", "SELECT 1;", ",", "[", "1.", "$1", "''", "OVER (", "SEMANTIC_VIEW(", "BETWEEN ", "COPY (", "pg_catalog.",
		"EXISTS (", "INTERVAL ", "a LIKE ", "||-", "<<", "--\n", "LIMIT ", "UNION ", "\x00", "\xff",
	} {
		for _, head := range []string{"", "SELECT ", "SELECT a FROM ", "SELECT a FROM t WHERE a IN (", "SELECT * FROM SEMANTIC_VIEW(m METRICS "} {
			text := head + strings.Repeat(element, size/len(element))
			start := time.Now()
			_, err := Parse(text, DefaultLimits())
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Errorf("%q repeated behind %q: %T", element, head, err)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("%q repeated behind %q took %v", element, head, took)
			}
			if err != nil && len(err.Error()) > 400 {
				t.Errorf("%q repeated behind %q has a message of %d bytes", element, head, len(err.Error()))
			}
		}
	}
}

// Nesting is bounded before it takes the stack, and time grows with the text.
func TestParse_RefusesADepthOfTenThousand(t *testing.T) {
	for _, element := range []string{"(", "f(", "- ", "NOT ", "(SELECT ", "CASE ", "1 + ", "a IN (", "EXISTS (SELECT "} {
		text := "SELECT " + strings.Repeat(element, 10_000) + "1" + strings.Repeat(")", 10_000)
		if _, err := Parse(text, DefaultLimits()); stateOf(err) != "54001" && stateOf(err) != "42601" {
			t.Errorf("%q: %v", element, err)
		}
	}
	if _, err := Parse(fmt.Sprintf("SELECT %s1", strings.Repeat("(", 10_000)), DefaultLimits()); stateOf(err) != "54001" {
		t.Errorf("%v, want 54001", err)
	}
}
