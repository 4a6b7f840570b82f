package duckdb

import (
	"context"

	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// ReplaceData registers data files again, or other ones. It prepares a new instance of the
// database beside the current one and then swaps them: a statement that runs reads to its
// end what it began with, and the old instance closes after the last of them. An error leaves
// everything as it was; its code is config, or timeout when ctx ends first.
func (e *Executor) ReplaceData(ctx context.Context, set *datafiles.FileSet) error {
	e.mu.Lock()
	o := e.options
	e.mu.Unlock()
	if o.Data == nil || set == nil {
		return execerr.ConfigError("the database was not opened with data files", nil)
	}
	o.Data = set
	in, err := openInstance(ctx, o, nil)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		in.retireInstance()
		return execerr.ClosedError()
	}
	if e.current != nil {
		e.current.retireInstance()
	}
	in.data.keepLostFiles(e.data)
	e.options, e.current, e.data = o, in, in.data
	return nil
}
