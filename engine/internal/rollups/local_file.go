package rollups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// textTable records, in a local file, how the connection compares the texts of each column.
const textTable = "semlayer_rollup_texts"

// The columns of the table of texts: 1 is true.
const (
	textRollup  = "name"
	textColumn  = "column_name"
	textEqual   = "equal_by_bytes"
	textOrdered = "ordered_by_bytes"
)

var textColumns = []sqlemit.TableColumn{
	{Name: textRollup, Type: sqlemit.ColumnText}, {Name: textColumn, Type: sqlemit.ColumnText},
	{Name: textEqual, Type: sqlemit.ColumnInteger}, {Name: textOrdered, Type: sqlemit.ColumnInteger},
}

// localTableName returns a table of a local file beside those of rollups.
func localTableName(name string) sqlemit.TableName { return sqlemit.TableName{{Text: name}} }

// UnorderedTextsQuery returns the statement that reads the columns, and their rollups before them, whose texts the connection orders otherwise than by
// their bytes.
func UnorderedTextsQuery(d *sqlemit.Dialect) (string, error) {
	isUnordered := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: newColumn(textOrdered), R: &sqlexpr.Number{Text: "0"}}
	return sqlemit.SelectValues([]sqlexpr.Expr{newColumn(textRollup), newColumn(textColumn)}, localTableName(textTable), isUnordered, d)
}

// LocalFile is a file with the tables of the local rollups of a connection while a refresh changes it: a copy beside it, which takes its place.
type LocalFile struct {
	path, made string
	dialect    *sqlemit.Dialect
	session    executor.TableLoader
}

// OpenLocalFile copies the file at a path, or makes a new one, and opens the copy. Copies of builds that were killed more than a day ago are removed. The
// error is an *executor.Error of code config where the folder cannot be written.
func OpenLocalFile(ctx context.Context, path string, d *sqlemit.Dialect, open func(ctx context.Context, path string) (executor.WriteSession, error)) (*LocalFile, error) {
	f := &LocalFile{path: path, made: path + newMark + fmt.Sprintf("%08x", rand.Uint32()), dialect: d}
	//nolint:gosec // a server of another user reads the folder
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, f.failure("the folder of local rollups cannot be made", err)
	}
	if err := removeOldCopies(path); err != nil {
		return nil, f.failure("the folder of local rollups cannot be read", err)
	}
	copied, err := copyFile(path, f.made)
	if err != nil {
		return nil, errors.Join(f.failure("the file of local rollups cannot be copied", err), f.remove())
	}
	session, err := open(ctx, f.made)
	if err != nil {
		return nil, errors.Join(err, f.remove())
	}
	loader, ok := session.(executor.TableLoader)
	if !ok {
		return nil, errors.Join(newConfigError("the driver of the embedded database loads no tables"), session.Close(), f.remove())
	}
	f.session = loader
	if !copied {
		for _, sql := range []string{
			sqlemit.CreateSchema(sqlexpr.Name{Text: plan.LocalSchema}, d), sqlemit.CreateTable(localTableName(controlTable), controlColumns, d),
			sqlemit.CreateTable(localTableName(textTable), textColumns, d),
		} {
			if err := loader.Exec(ctx, sql); err != nil {
				return nil, errors.Join(err, f.Discard())
			}
		}
	}
	return f, nil
}

// failure returns the error of the operating system without the folder.
func (f *LocalFile) failure(what string, err error) error {
	text := err.Error()
	if at, ok := errors.AsType[*os.PathError](err); ok {
		text = at.Err.Error()
	}
	return &executor.Error{Code: executor.CodeConfig, Message: what + ": " + text, Err: err}
}

// copyFile copies a file, if there is one.
func copyFile(from, to string) (copied bool, err error) {
	in, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) //nolint:gosec // a server of another user reads the file
	if err != nil {
		return false, err
	}
	_, err = io.Copy(out, in)
	return true, errors.Join(err, out.Close())
}

// removeOldCopies removes the copies of a file that killed builds have left.
func removeOldCopies(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), filepath.Base(path)+newMark) && time.Since(info.ModTime()) > leftOverHours*time.Hour {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return nil
}

func (f *LocalFile) remove() error {
	return errors.Join(removeIfThere(f.made), removeIfThere(f.made+".wal"))
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Discard ends the changes without an effect.
func (f *LocalFile) Discard() error { return errors.Join(f.session.Close(), f.remove()) }

// Publish puts the changed file in the place of the old one.
func (f *LocalFile) Publish(ctx context.Context) error {
	if err := f.session.Exec(ctx, "CHECKPOINT"); err != nil { // which writes all rows to the file itself
		return errors.Join(err, f.Discard())
	}
	if err := f.session.Close(); err != nil {
		return errors.Join(err, f.remove())
	}
	if err := f.sync(); err != nil {
		return errors.Join(f.failure("the file of local rollups cannot be written", err), f.remove())
	}
	return nil
}

func (f *LocalFile) sync() error {
	made, err := os.OpenFile(f.made, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(made.Sync(), made.Close()); err != nil {
		return err
	}
	return os.Rename(f.made, f.path)
}
