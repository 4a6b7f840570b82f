package engine_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

func TestResults_BatchesAndConstantsShareMemory(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes}) // 24 MiB for results
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(bakeryModel), Memory: budget, Drivers: []warehouse.Driver{duckdb.Driver()},
		Setup: []string{"CREATE TABLE batches AS SELECT i AS batch, repeat('x', 6000) AS oven, 1 AS loaves FROM range(2000) t(i)"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	results := budget.Part(memory.Results)
	check := func(what, sql string, retryable bool) {
		t.Helper()
		var limit *memory.LimitError
		for door, ask := range map[string]func() error{
			"JSON": func() error { _, err := askRows(t.Context(), e, &query.SQLStatement{SQL: sql}); return err },
			"a stream": func() error {
				s, err := askStream(t.Context(), e, &query.SQLStatement{SQL: sql})
				if err != nil {
					return err
				}
				_, err = s.Write(t.Context(), io.Discard)
				return errors.Join(err, s.Close())
			},
		} {
			if err := ask(); !errors.As(err, &limit) || limit.Retryable() != retryable {
				t.Errorf("%s, %s: %v, want a limit of memory", what, door, err)
			}
			if results.Held() > results.Capacity()/2 && !retryable || results.Held() == 0 && retryable {
				t.Errorf("%s, %s: %d bytes are held afterwards", what, door, results.Held())
			}
		}
	}
	check("a constant of each row", "SELECT batch, '"+strings.Repeat("x", 10_000)+"' AS text FROM batches", false)
	held, err := results.Reserve(results.Capacity() - 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	check("a batch of 12 MB while others hold the share", "SELECT oven FROM batches", true)
	held.Release()
	s, err := askStream(t.Context(), e, &query.SQLStatement{SQL: "SELECT oven FROM batches"})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Write(t.Context(), io.Discard); n != 2000 || err != nil {
		t.Errorf("a stream: %d rows, %v", n, err)
	}
	if err := s.Close(); err != nil || results.Held() != 0 {
		t.Errorf("at the end: %v, %d bytes are held", err, results.Held())
	}
}
