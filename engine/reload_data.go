package engine

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// registeredData are the data files that the embedded database has as tables.
type registeredData struct {
	paths       []string
	report      DataReport
	fingerprint [sha256.Size]byte
}

// newRegisteredData returns nil for a database without data files.
func newRegisteredData(paths []string, set *datafiles.FileSet) *registeredData {
	if set == nil {
		return nil
	}
	return &registeredData{paths: slices.Clone(paths), report: newDataReport(paths, set), fingerprint: set.Fingerprint()}
}

// dataReplacer is an executor that registers data files again.
type dataReplacer interface {
	ReplaceData(ctx context.Context, set *datafiles.FileSet) error
}

// ReloadData registers the data files of the embedded database again where a file is new or
// gone, or has another size or modification time, and reports whether it did. A statement that runs
// reads to its end what it began with. After an error, such as two files for one table, the
// database is as it was.
func (w *Warehouses) ReloadData(ctx context.Context) (changed bool, err error) {
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
	replacer, ok := db.(dataReplacer)
	if !ok {
		return false, configError("the driver of the embedded database cannot register data files again")
	}
	if err := replacer.ReplaceData(ctx, set); err != nil {
		return false, err
	}
	w.data.Store(newRegisteredData(held.paths, set))
	return true, nil
}

// DataReport reports on the data files of the embedded database.
func (w *Warehouses) DataReport() DataReport {
	held := w.data.Load()
	if held == nil {
		return DataReport{}
	}
	r := held.report
	r.Paths, r.Warnings = slices.Clone(r.Paths), slices.Clone(r.Warnings)
	return r
}
