package executortest

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
)

func testRejectedSQL(t *testing.T, b ConformanceBackend) {
	e := openBackend(t, b, 1)
	for _, sql := range []string{"SELEC 1", "SELECT no_such_column FROM (SELECT 1 AS n) AS t", "SELECT * FROM no_such_table"} {
		_, err := drainStatement(t.Context(), e, sql)
		failure := ExpectError(t, err, executor.CodeSQLRejected)
		word := strings.Fields(strings.ReplaceAll(sql, "SELECT ", ""))[0]
		if word == "*" {
			word = "no_such_table"
		}
		if !strings.Contains(failure.Message, word) {
			t.Errorf("%s: the message does not quote the warehouse: %s", sql, failure.Message)
		}
	}
	if got, err := drainStatement(t.Context(), e, b.Series(2)); got != 2 || err != nil {
		t.Errorf("after an error: %d rows, error %v", got, err)
	}
}

func testFailingStatement(t *testing.T, b ConformanceBackend) {
	rows, err := drainStatement(t.Context(), openBackend(t, b, 1), b.Failing)
	ExpectError(t, err, executor.CodeSQLRejected)
	if rows == 0 {
		t.Error("the statement failed before its first rows: the test shows nothing")
	}
}

func testUseAfterClose(t *testing.T, b ConformanceBackend) {
	e := b.Open(t, 1)
	for range 2 {
		if err := e.Close(); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
	_, err := e.Query(t.Context(), b.Series(1))
	ExpectError(t, err, executor.CodeDriver)
}
