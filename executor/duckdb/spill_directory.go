package duckdb

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// spillDirectory is the directory for the data that a statement cannot hold in memory. By default DuckDB
// makes one beside the database file or, for a database in memory, in the working directory of
// the process: places that a service may not write, or may share with another process that
// spills too. This directory is private to the process, and only its owner can read it.
type spillDirectory struct {
	path string
	// held is the directory itself, locked for as long as the process lives. The
	// system gives the lock back even when the process is killed.
	held *os.File
}

const (
	spillDirectoryPrefix = "semlayer-duckdb-"
	// minAbandonedSpillAge is how old a directory without a lock is before it counts as left
	// behind: a younger one may be about to be locked.
	minAbandonedSpillAge = time.Minute
)

// newSpillDirectory makes the directory where the system needs temporary files, and removes
// those that processes left there which were killed: a container that runs out of
// memory starts again with the same files. Where there is no room for a directory,
// the path is empty: a statement that needs more than its memory is then rejected, and
// all others run.
func newSpillDirectory() spillDirectory {
	removeAbandonedSpills(os.TempDir())
	path, err := os.MkdirTemp("", spillDirectoryPrefix)
	if err != nil {
		return spillDirectory{}
	}
	return spillDirectory{path, tryFlockDirectory(path)}
}

// remove deletes the directory with its remaining files.
func (s spillDirectory) remove() {
	if s.path != "" {
		// The next process removes the files that cannot be deleted now.
		_ = os.RemoveAll(s.path)
	}
	if s.held != nil {
		_ = s.held.Close()
	}
}

func removeAbandonedSpills(temporary string) {
	found, err := os.ReadDir(temporary)
	if err != nil {
		return
	}
	for _, entry := range found {
		if !strings.HasPrefix(entry.Name(), spillDirectoryPrefix) || !entry.IsDir() {
			continue
		}
		if info, err := entry.Info(); err != nil || time.Since(info.ModTime()) < minAbandonedSpillAge {
			continue
		}
		path := filepath.Join(temporary, entry.Name())
		if lock := tryFlockDirectory(path); lock != nil {
			spillDirectory{path, lock}.remove()
		}
	}
}
