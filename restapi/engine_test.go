package restapi_test

import (
	"log/slog"
	"os"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// drivers returns the drivers of the embedded database.
func drivers() []warehouse.Driver { return []warehouse.Driver{duckdb.Driver()} }

// engineOf opens a model of testdata with its data in memory.
func engineOf(t testing.TB, name string, c engine.Config) *engine.Engine {
	t.Helper()
	script, err := os.ReadFile("testdata/" + name + ".sql")
	if err != nil {
		t.Fatal(err)
	}
	c.ModelPath, c.Setup, c.Drivers = "testdata/"+name+".yaml", []string{string(script)}, drivers()
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	e, err := engine.Open(t.Context(), c)
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
