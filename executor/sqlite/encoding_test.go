package sqlite_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
)

func TestEncoding_BytesThatAreNotUTF8AreAnError(t *testing.T) {
	e := open(t, ":memory:")
	for _, sql := range []string{
		"SELECT CAST(x'5a6feb' AS TEXT) AS city",
		"SELECT 'a' AS n, CAST(x'5a6feb' AS TEXT) AS city UNION ALL SELECT 'b', 'c'",
	} {
		got, err := executortest.QueryRowsJSON(t.Context(), e, sql)
		failure := executortest.ExpectError(t, err, executor.CodeDriver)
		if !strings.Contains(failure.Message, "column city") || !strings.Contains(failure.Message, "UTF-8") {
			t.Errorf("%s: got %s, message %q", sql, got, failure.Message)
		}
	}
}
