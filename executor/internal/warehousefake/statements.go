package warehousefake

import (
	"regexp"
	"strconv"
	"strings"
)

// SlowStatement is a statement that computes until it is cancelled.
const SlowStatement = "SELECT slow()"

// OneRowStatement is a statement of one row.
const OneRowStatement = "SELECT 1 AS v"

// FailingMidResultStatement is a statement that yields rows and then fails on one of them.
const FailingMidResultStatement = "SELECT failing()"

const (
	failingResultRows = 400_000
	firstFailingRow   = 150_000
)

// SeriesStatement returns a statement for the integers 0 to n-1 in column i.
func SeriesStatement(n int) string { return "SELECT i FROM series(" + strconv.Itoa(n) + ")" }

// StatementAnswer describes the response of a fake warehouse to a statement. One of SyntaxError, Slow,
// Empty, Value and Rows is set.
type StatementAnswer struct {
	// SyntaxError is the message of a syntax error.
	SyntaxError string
	Slow        bool
	// Empty has the columns first, an integer, and second, a text, and no row.
	Empty bool
	// Value is the expression of column v: one row, and one more with a null
	// when AndNull.
	Value   string
	AndNull bool
	// Rows are integers from 0 in column i; it fails at FailAt if that is not 0.
	Rows, FailAt int
}

var (
	seriesStatementPattern        = regexp.MustCompile(`^SELECT i FROM series\((\d+)\)$`)
	nullableValueStatementPattern = regexp.MustCompile(`^SELECT CASE WHEN n = 1 THEN (.*) END AS v FROM \(SELECT 1 AS n UNION ALL SELECT 2\) AS t ORDER BY n$`)
	valueStatementPattern         = regexp.MustCompile(`^SELECT (.*) AS v$`)
	noRowsStatement               = "SELECT n AS first, 'x' AS second FROM (SELECT 1 AS n) AS t WHERE n = 2"
)

// AnswerForStatement parses the statements of executortest. It rejects every other statement and quotes
// it.
func AnswerForStatement(sql string) StatementAnswer {
	switch sql {
	case SlowStatement:
		return StatementAnswer{Slow: true}
	case FailingMidResultStatement:
		return StatementAnswer{Rows: failingResultRows, FailAt: firstFailingRow}
	case noRowsStatement:
		return StatementAnswer{Empty: true}
	}
	if m := seriesStatementPattern.FindStringSubmatch(sql); m != nil {
		n, _ := strconv.Atoi(m[1])
		return StatementAnswer{Rows: n}
	}
	if m := nullableValueStatementPattern.FindStringSubmatch(sql); m != nil {
		return StatementAnswer{Value: m[1], AndNull: true}
	}
	if m := valueStatementPattern.FindStringSubmatch(sql); m != nil && !strings.Contains(sql, ";") {
		return StatementAnswer{Value: m[1]}
	}
	return StatementAnswer{SyntaxError: "what is this: " + sql}
}
