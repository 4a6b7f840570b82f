package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/planner/query"
)

func open(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	c.Drivers = append(c.Drivers, duckdb.Driver())
	e, err := engine.Open(context.Background(), c)
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

// shop returns the model of the six orders with its data in memory.
func shop(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelPath: "testdata/orders.yaml", Setup: []string{read(t, "testdata/orders.sql")}})
}

// metricsOf lists the metrics of an engine.
func metricsOf(t *testing.T, e *engine.Engine) []describe.Metric {
	t.Helper()
	metrics, err := e.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return metrics
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func metricQuery(t *testing.T, body string) *query.MetricQuery {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func codeOf(err error) string {
	var coded engine.CodedError
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}

// wide returns a model of n metrics over a dataset with n time fields.
func wide(n int) string {
	var fields, metrics strings.Builder
	for i := range n {
		fmt.Fprintf(&fields, "      - {name: t%d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: t%d}]}}\n", i, i)
		fmt.Fprintf(&metrics, "  - {name: m%d, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(a.t%d)}]}}\n", i, i)
	}
	return "version: 0.2.0.dev0\nname: m\ndatasets:\n  - name: a\n    source: a\n    fields:\n" + fields.String() + "metrics:\n" + metrics.String()
}

// createEmptyFile makes a file that has no bytes, unless it exists.
func createEmptyFile(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
