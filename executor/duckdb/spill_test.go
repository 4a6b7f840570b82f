package duckdb_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// sorted sorts more than the memory holds.
const sorted = "SELECT hash(i) AS h, repeat('x', 20) || i AS s FROM range(3000000) t(i) ORDER BY h"

var scarce = duckdb.Options{MemoryLimit: "64MB", Threads: 1}

// spills lists what has been written below a directory for temporary files.
func spills(t *testing.T, where string) (found []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(where, "semlayer-duckdb-*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestWhatDoesNotFitMemoryGoesToADirectoryOfItsOwn(t *testing.T) {
	temporary, working := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Chdir(working)
	e, err := duckdb.Open(t.Context(), scarce)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.Query(t.Context(), sorted)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := rows.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	batch.Release()
	files := spills(t, temporary)
	if len(files) == 0 {
		t.Fatal("nothing was spilled: the test shows nothing")
	}
	if info, err := os.Stat(filepath.Dir(files[0])); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v, error %v", info.Mode(), err)
	}
	if beside, err := os.ReadDir(working); err != nil || len(beside) > 0 {
		t.Errorf("in the working directory: %v, error %v", beside, err)
	}
	// The rows outlive the executor, and so does what they have spilled.
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	total := batch.NumRows()
	for {
		batch, err := rows.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		total += batch.NumRows()
		batch.Release()
	}
	if err := rows.Close(); err != nil || total != 3_000_000 {
		t.Errorf("%d rows, error %v", total, err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

func TestTwoDatabasesDoNotShareTheirDirectory(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	first, second := open(t, scarce), open(t, scarce)
	if made, err := os.ReadDir(temporary); err != nil || len(made) != 2 {
		t.Fatalf("%v, error %v", made, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if got := query(t, second, "SELECT count(*) AS n FROM ("+sorted+" LIMIT 10)"); got != `[{"n":10}]` {
		t.Fatal(got)
	}
}

func TestWithoutAPlaceForFilesWhatFitsMemoryRuns(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	working := t.TempDir()
	t.Chdir(working)
	e := open(t, scarce)
	refused(t, e, sorted, "driver", "Out of Memory")
	if got := query(t, e, "SELECT 42 AS n"); got != `[{"n":42}]` {
		t.Fatal(got)
	}
	if beside, err := os.ReadDir(working); err != nil || len(beside) > 0 {
		t.Errorf("in the working directory: %v, error %v", beside, err)
	}
}

func TestAFailureToOpenLeavesNothing(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, o := range []duckdb.Options{{Path: filepath.Join(temporary, "missing", "x.duckdb")}, {Setup: []string{"SELEC"}}} {
		if _, err := duckdb.Open(t.Context(), o); err == nil {
			t.Fatal("opened")
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}
