package engine_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
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

// shop is the model of the six orders with its data in memory.
func shop(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelPath: "testdata/orders.yaml", Setup: []string{read(t, "testdata/orders.sql")}})
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func query(t *testing.T, body string) *engine.MetricQuery {
	t.Helper()
	q, err := engine.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func codeOf(err error) string {
	var coded engine.Coded
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}
