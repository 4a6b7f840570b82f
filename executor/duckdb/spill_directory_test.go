package duckdb_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

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

func TestSpill_UsesOwnDirectory(t *testing.T) {
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

func TestSpill_DirectoryPerDatabase(t *testing.T) {
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

func TestSpill_MissingDirectoryLimitsToMemory(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	working := t.TempDir()
	t.Chdir(working)
	e := open(t, scarce)
	refused(t, e, sorted, "memory_limit", "more memory than")
	if got := query(t, e, "SELECT 42 AS n"); got != `[{"n":42}]` {
		t.Fatal(got)
	}
	if beside, err := os.ReadDir(working); err != nil || len(beside) > 0 {
		t.Errorf("in the working directory: %v, error %v", beside, err)
	}
}

func TestSpill_FailedOpenLeavesNoFiles(t *testing.T) {
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

func TestSpill_RemovesLeftoversOfKilledProcess(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	old := time.Now().Add(-time.Hour)
	directory := func(name string) string {
		t.Helper()
		path := filepath.Join(temporary, name)
		if err := os.MkdirAll(filepath.Join(path, "spilled"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		return path
	}
	left, foreign, young := directory("semlayer-duckdb-1"), directory("somebody-elses"), directory("semlayer-duckdb-2")
	if err := os.Chtimes(young, time.Time{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	running := open(t, scarce)
	mine, err := filepath.Glob(filepath.Join(temporary, "semlayer-duckdb-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range mine {
		if path != young { // that of the running one
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}

	open(t, scarce)
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what nobody holds is still there: %v", err)
	}
	for _, path := range append(mine, foreign, young) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("removed what was not left behind: %v", err)
		}
	}
	if got := query(t, running, "SELECT count(*) AS n FROM ("+sorted+" LIMIT 10)"); got != `[{"n":10}]` {
		t.Error(got)
	}
}

func TestSpill_LimitOfTheTemporaryDirectory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	small := scarce
	small.SpillLimit = "1MiB"
	e := open(t, small)
	refused(t, e, sorted, "memory_limit", "more temporary space than")
	if got := query(t, e, "SELECT 42 AS n"); got != `[{"n":42}]` {
		t.Fatal(got)
	}
}
