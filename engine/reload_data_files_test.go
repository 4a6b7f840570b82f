package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

func TestReloadData_RegistersChangedFilesAndKeepsTheOldOnesAfterAnError(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("sales.csv", "amount\n1\n2\n")
	w, err := engine.OpenWarehouses(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, Data: []string{folder}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	total := func() string {
		t.Helper()
		made, err := w.GenerateModel(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e, err := w.OpenModel(t.Context(), "generated", made.Text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := askRows(t.Context(), e, &query.MetricQuery{Metrics: []string{"total_amount"}})
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Rows)
	}
	reload := func(want bool) error {
		t.Helper()
		changed, err := w.ReloadDataFiles(t.Context())
		if changed != want {
			t.Errorf("changed %v, want %v (%v)", changed, want, err)
		}
		return err
	}
	if err := reload(false); err != nil {
		t.Error(err)
	}
	if got := total(); got != `[{"total_amount":3}]` {
		t.Error(got)
	}
	put("sales.csv", "amount\n1\n2\n40\n")
	put("stock.csv", "stock_id\n1\n")
	if err := reload(true); err != nil {
		t.Error(err)
	}
	if got := total(); got != `[{"total_amount":43}]` || w.DataFilesReport().Tables != 2 {
		t.Errorf("%s of %+v", got, w.DataFilesReport())
	}
	put("stock.json", "[]")
	if err := reload(false); err == nil || !strings.Contains(err.Error(), "stock") {
		t.Errorf("two files for one table: %v", err)
	}
	if got := total(); got != `[{"total_amount":43}]` || w.DataFilesReport().Tables != 2 {
		t.Errorf("%s of %+v", got, w.DataFilesReport())
	}
}
