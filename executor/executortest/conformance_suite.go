package executortest

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// ConformanceBackend is a driver family under test.
type ConformanceBackend struct {
	// Dialect is what Executor.Dialect must return.
	Dialect string
	// Open opens the warehouse with a pool of that many connections. The suite
	// closes what it opened.
	Open func(t testing.TB, connections int) executor.Executor
	// Series is a statement for the integers 0 to n-1 in order, column i.
	Series func(n int) string
	// Slow is a statement that computes for a minute before its first row.
	Slow string
	// Failing is a statement that yields rows of one integer column i, at
	// least a hundred thousand, and then fails on one of them.
	Failing string
	// Values are the types of the warehouse.
	Values []ValueCase
	// OnlySelect: the executor itself rejects everything but one SELECT, with code internal.
	OnlySelect bool
}

// ValueCase is an expression and how it must arrive.
type ValueCase struct {
	// SQL is the expression.
	SQL string
	// JSON is the value in the execute response.
	JSON string
	// Type is the column's Arrow type.
	Type arrow.DataType
	// Kind is what the text of a text column means.
	Kind executor.TextKind
	// Hint is given to the JSON writer and to the column.
	Hint jsonrows.TypeHint
	// Typed is the Arrow type of the column with its hint; nil where that does
	// not matter.
	Typed arrow.DataType
}

// RunConformance runs the suite.
func RunConformance(t *testing.T, b ConformanceBackend) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, ConformanceBackend)
	}{
		{"a value arrives as what it is", testValueTypes},
		{"a null of each type is null", testNullValues},
		{"an empty result keeps its columns", testEmptyResult},
		{"rows arrive once and in order", testLargeSeries},
		{"the end stays the end", testNextAfterLastRow},
		{"the dialect is named", testDialectName},
		{"more than one statement is refused", testRejectsSeveralStatements},
		{"the warehouse's words reach the caller", testRejectedSQL},
		{"a failure after the first rows is reported", testFailingStatement},
		{"a cancelled query returns at once", testCancelQuery},
		{"a cancelled next returns at once", testCancelNext},
		{"a missed deadline is a timeout", testDeadline},
		{"a context that has ended starts nothing", testEndedContext},
		{"a context covers its own call only", testRowsOutliveQueryContext},
		{"queries run side by side", testConcurrentQueries},
		{"a full pool waits until its deadline", testFullPool},
		{"closing early frees the connection", testCloseEarly},
		{"a cancelled statement does not spoil the next", testQueryAfterCancel},
		{"calls that end early disturb no others", testRandomCancelsBesideOthers},
		{"a closed executor refuses queries", testUseAfterClose},
		{"nothing is left running", testGoroutineLeaks},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, b) })
	}
}
