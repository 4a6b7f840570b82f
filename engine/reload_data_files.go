package engine

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// registeredDataFiles are the data files that the embedded database has as tables.
type registeredDataFiles struct {
	paths       []string
	report      DataFilesReport
	fingerprint [sha256.Size]byte
}

// describeRegisteredDataFiles returns nil for a database without data files.
func describeRegisteredDataFiles(paths []string, set *datafiles.FileSet) *registeredDataFiles {
	if set == nil {
		return nil
	}
	return &registeredDataFiles{paths: slices.Clone(paths), report: newDataFilesReport(paths, set), fingerprint: set.Fingerprint()}
}

// dataFilesReplacer is an executor that registers data files again.
type dataFilesReplacer interface {
	ReplaceData(ctx context.Context, set *datafiles.FileSet) error
}

// ReloadDataFiles registers the data files of the embedded database again where a file is new or
// gone, or has another size or modification time, and reports whether it did. A statement that runs
// reads to its end what it began with. After an error, such as two files for one table, the
// database is as it was.
func (w *Warehouses) ReloadDataFiles(ctx context.Context) (changed bool, err error) {
	w.adding.Lock()
	defer w.adding.Unlock()
	held := w.data.Load()
	if held == nil {
		return false, nil
	}
	set, err := datafiles.FindTables(ctx, held.paths)
	if err != nil || set.Fingerprint() == held.fingerprint {
		return false, err
	}
	db, err := w.embeddedDB.open(ctx)
	if err != nil {
		return false, err
	}
	replacer, ok := db.(dataFilesReplacer)
	if !ok {
		return false, configError("the driver of the embedded database cannot register data files again")
	}
	if err := replacer.ReplaceData(ctx, set); err != nil {
		return false, err
	}
	w.data.Store(describeRegisteredDataFiles(held.paths, set))
	return true, nil
}

// DataFilesReport reports on the data files of the embedded database.
func (w *Warehouses) DataFilesReport() DataFilesReport {
	held := w.data.Load()
	if held == nil {
		return DataFilesReport{}
	}
	r := held.report
	r.Paths, r.Warnings = slices.Clone(r.Paths), slices.Clone(r.Warnings)
	r.addColumnNotes(w.embeddedDB.executorIfOpen())
	return r
}

// IsDataFileName reports whether a file of this name in a folder of data can be a table.
func IsDataFileName(name string) bool { return datafiles.HasKnownEnding(name) }
