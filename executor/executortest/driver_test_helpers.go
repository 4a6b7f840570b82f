package executortest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// CollectJSON runs a statement and gathers its rows.
func CollectJSON(ctx context.Context, e executor.Executor, sql string) (jsonrows.CollectedResult, error) {
	rows, err := e.Query(ctx, sql)
	if err != nil {
		return jsonrows.CollectedResult{}, err
	}
	defer rows.Close()
	return jsonrows.CollectResult(ctx, rows, nil)
}

// QueryRowsJSON runs a statement and gives its rows as JSON.
func QueryRowsJSON(ctx context.Context, e executor.Executor, sql string) (string, error) {
	result, err := CollectJSON(ctx, e, sql)
	return string(result.Rows), err
}

// OpenForTest returns an Open of a driver family for tests: what it opens ends with the test.
func OpenForTest[O any, E executor.Executor](open func(O) (E, error)) func(testing.TB, O) E {
	return func(t testing.TB, o O) E {
		t.Helper()
		e, err := open(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
		return e
	}
}

// ExpectError fails the test unless the error has that code, and when what a user is
// shown of it holds one of the texts.
func ExpectError(t testing.TB, err error, code string, hidden ...string) *executor.Error {
	t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want an *executor.Error of code %s", err, code)
	}
	for _, text := range hidden {
		if shown := e.Message + e.Hint; strings.Contains(shown, text) {
			t.Errorf("the error shows %s: %s", text, shown)
		}
	}
	return e
}

// TestRejectedOptions checks that an Open takes none of the options for a warehouse: the code is
// config, and neither the error nor one of its causes shows the secret that stands in
// the options.
func TestRejectedOptions[O any, E executor.Executor](t *testing.T, open func(O) (E, error), secret string, options ...O) {
	t.Helper()
	for _, o := range options {
		_, err := open(o)
		for cause := error(ExpectError(t, err, executor.CodeConfig, secret)); cause != nil; cause = errors.Unwrap(cause) {
			if strings.Contains(cause.Error(), secret) {
				t.Errorf("the secret shows: %v", cause)
			}
		}
	}
}
