package engine_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/executortest"
)

// ready returns a database that the program has opened itself.
func ready(t *testing.T) *duckdb.Executor {
	t.Helper()
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{read(t, "testdata/orders.sql")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestConnections_QueriesRunOnAnExecutorOfTheProgram(t *testing.T) {
	db := ready(t)
	e, err := engine.Open(t.Context(), engine.Config{
		ModelPath: "testdata/orders.yaml", Logger: slog.New(slog.DiscardHandler),
		ConnectionsText: []byte("datasources: {profiled: {type: sqlite, uri: x}}"),
		Connections:     []engine.ProgramConnection{{Name: "own", Executor: db, MaxExecutions: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []engine.ConnectionInfo{{Name: "profiled", Dialect: "sqlite", Available: true}, {Name: "own", Dialect: "duckdb", Available: true}}
	if d := cmp.Diff(want, e.Connections()); d != "" {
		t.Error(d)
	}
	q := metricQuery(t, `{"metrics":["revenue"],"connection":"own"}`)
	for range 2 {
		got, err := askRows(t.Context(), e, q)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(`[{"revenue":450}]`, string(got.Rows)); d != "" {
			t.Error(d)
		}
	}
	s, err := askStream(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := askRows(t.Context(), e, q); codeOf(err) != "busy" {
		t.Errorf("beside an open stream: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := askRows(t.Context(), e, q); codeOf(err) != "driver" {
		t.Errorf("after Close of the engine: %v", err)
	}
	if got, err := executortest.QueryRowsJSON(t.Context(), db, "SELECT 1 AS n"); err != nil || got != `[{"n":1}]` {
		t.Errorf("the executor after Close of the engine: %s, %v", got, err)
	}
}

func TestConnections_WhatCannotBeMeantDoesNotOpen(t *testing.T) {
	db := ready(t)
	for _, tt := range []struct {
		name string
		list []engine.ProgramConnection
		want string
	}{
		{"no name", []engine.ProgramConnection{{Executor: db}}, "has no name"},
		{"no executor", []engine.ProgramConnection{{Name: "own"}}, "own of Config.Connections has no executor"},
		{"a negative bound", []engine.ProgramConnection{{Name: "own", Executor: db, MaxExecutions: -1}}, "negative"},
		{"the name of a profile", []engine.ProgramConnection{{Name: "profiled", Executor: db}}, "two connections are named profiled"},
		{"one name twice", []engine.ProgramConnection{{Name: "own", Executor: db}, {Name: "own", Executor: db}}, "two connections are named own"},
		{"a dialect that is not known", []engine.ProgramConnection{{Name: "own", Executor: stranger{db}}}, "writes no SQL for martian"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := engine.Open(t.Context(), engine.Config{
				ModelPath: "testdata/orders.yaml", Connections: tt.list,
				ConnectionsText: []byte("datasources: {profiled: {type: sqlite, uri: x}}"),
			})
			if codeOf(err) != "config" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

type stranger struct{ executor.Executor }

func (stranger) Dialect() string { return "martian" }
