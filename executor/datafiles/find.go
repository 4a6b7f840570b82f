package datafiles

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
)

// Find lists the tables of paths: folders, files, and globs that match files. The error is an
// *executor.Error of code config that names the files, or the error of ctx.
func Find(ctx context.Context, paths []string) (*Set, error) {
	w := &walk{ctx: ctx, set: &Set{}}
	for _, path := range paths {
		if err := w.path(path); err != nil {
			return nil, err
		}
	}
	if len(w.set.Tables) == 0 {
		return nil, invalid("there is no data file in "+quoteAll(paths), endings)
	}
	if err := w.checkNames(); err != nil {
		return nil, err
	}
	slices.SortFunc(w.set.Tables, func(a, b Table) int { return strings.Compare(a.Name, b.Name) })
	return w.set, nil
}

const endings = "data files end in .parquet, .csv, .tsv, .json, .jsonl or .ndjson, the text formats also with .gz or .zst"

func invalid(message, hint string) error {
	return &executor.Error{Code: executor.CodeConfig, Message: message, Hint: hint}
}

// path adds the tables of one path.
func (w *walk) path(path string) error {
	if path == "" || strings.ContainsRune(path, 0) {
		return invalid("the path "+strconv.Quote(path)+" of data files is not valid", "")
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return w.root(path)
	case err == nil:
		return w.single(path, info)
	case !errors.Is(err, fs.ErrNotExist):
		return unreadable(path, err)
	}
	matches, globErr := filepath.Glob(path)
	if globErr != nil || len(matches) == 0 {
		return invalid("there is no data file at "+quote(path), "give a folder, a file, or a glob that matches files")
	}
	found := 0
	for _, match := range matches {
		info, err := os.Stat(match)
		if err != nil {
			return unreadable(match, err)
		}
		_, _, ok := kindOf(filepath.Base(match))
		if !ok || !info.Mode().IsRegular() {
			w.set.Skipped++
			continue
		}
		if err := w.single(match, info); err != nil {
			return err
		}
		found++
	}
	if found == 0 {
		return invalid("there is no data file among the matches of "+quote(path), endings)
	}
	return nil
}

// single adds a file as a table.
func (w *walk) single(path string, info fs.FileInfo) error {
	k, name, ok := kindOf(filepath.Base(path))
	if !ok || !info.Mode().IsRegular() {
		return invalid(quote(path)+" is not a data file", endings)
	}
	canonical, err := canonicalPath(path)
	if err != nil {
		return unreadable(path, err)
	}
	f := fileOf(canonical, filepath.Base(path), k, info)
	return w.add(Table{Name: Ident(name), Format: k.format, Path: path, Files: []File{f}})
}

func fileOf(canonical, name string, k kind, info fs.FileInfo) File {
	return File{Path: canonical, Name: name, Variant: k.variant, Compression: k.compression, Size: info.Size(), Modified: info.ModTime()}
}

// add adds a table.
func (w *walk) add(t Table) error {
	if w.set.Files += len(t.Files); w.set.Files > MaxFiles {
		return tooMany(t.Path)
	}
	w.set.Tables = append(w.set.Tables, t)
	return nil
}

func tooMany(path string) error {
	return invalid("there are more than "+strconv.Itoa(MaxFiles)+" data files, the last of them in "+quote(path),
		"write the data to fewer and larger files")
}

// checkNames refuses two tables of one name.
func (w *walk) checkNames() error {
	paths := map[string]string{}
	for _, t := range w.set.Tables {
		other, taken := paths[t.Name]
		if taken {
			return invalid(quote(other)+" and "+quote(t.Path)+" are both the table "+t.Name,
				"rename one of them, or put the files of one table into a folder")
		}
		paths[t.Name] = t.Path
	}
	return nil
}

// unreadable is the error of a path that the system refuses.
func unreadable(path string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return invalid("the data at "+quote(path)+" cannot be read: "+err.Error(), "")
}

func canonicalPath(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}
