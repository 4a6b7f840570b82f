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

// FindTables lists the tables of paths: folders, files, and globs that match files. The error is an
// *executor.Error of code config that names the files, or the error of ctx.
func FindTables(ctx context.Context, paths []string) (*FileSet, error) {
	w := &fileWalk{ctx: ctx, set: &FileSet{}}
	for _, path := range paths {
		if err := w.addTablesOfPath(path); err != nil {
			return nil, err
		}
	}
	if len(w.set.Tables) == 0 {
		return nil, invalidFilesError("no data file found in "+formatPathsForMessage(paths), knownSuffixesHint)
	}
	if err := w.rejectDuplicateTableNames(); err != nil {
		return nil, err
	}
	slices.SortFunc(w.set.Tables, func(a, b Table) int { return strings.Compare(a.Name, b.Name) })
	return w.set, nil
}

const knownSuffixesHint = "data files end in .parquet, .csv, .tsv, .json, .jsonl or .ndjson, the text formats also with .gz or .zst"

func invalidFilesError(message, hint string) error {
	return &executor.Error{Code: executor.CodeConfig, Message: message, Hint: hint}
}

// addTablesOfPath adds the tables of one path.
func (w *fileWalk) addTablesOfPath(path string) error {
	if path == "" || strings.ContainsRune(path, 0) {
		return invalidFilesError("the path "+strconv.Quote(path)+" of data files is not valid", "")
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return w.addFolderTables(path)
	case err == nil:
		return w.addSingleFileTable(path, info)
	case !errors.Is(err, fs.ErrNotExist):
		return unreadablePathError(path, err)
	}
	matches, globErr := filepath.Glob(path)
	if globErr != nil || len(matches) == 0 {
		return invalidFilesError("no data file found at "+quotePathForMessage(path), "give a folder, a file, or a glob that matches files")
	}
	found := 0
	for _, match := range matches {
		info, err := os.Stat(match)
		if err != nil {
			return unreadablePathError(match, err)
		}
		_, _, ok := formatOfFileName(filepath.Base(match))
		if !ok || !info.Mode().IsRegular() {
			w.set.Skipped++
			continue
		}
		if err := w.addSingleFileTable(match, info); err != nil {
			return err
		}
		found++
	}
	if found == 0 {
		return invalidFilesError("no data file found among the files that match "+quotePathForMessage(path), knownSuffixesHint)
	}
	return nil
}

// addSingleFileTable adds a file as a table.
func (w *fileWalk) addSingleFileTable(path string, info fs.FileInfo) error {
	k, name, ok := formatOfFileName(filepath.Base(path))
	if !ok || !info.Mode().IsRegular() {
		return invalidFilesError(quotePathForMessage(path)+" is not a data file", knownSuffixesHint)
	}
	canonical, err := resolveCanonicalPath(path)
	if err != nil {
		return unreadablePathError(path, err)
	}
	f := newFile(canonical, filepath.Base(path), k, info)
	return w.addTable(Table{Name: IdentifierFromText(name), Format: k.format, Path: path, Files: []File{f}})
}

func newFile(canonical, name string, k formatAndCompression, info fs.FileInfo) File {
	return File{Path: canonical, Name: name, Variant: k.variant, Compression: k.compression, Size: info.Size(), Modified: info.ModTime()}
}

// addTable adds a table.
func (w *fileWalk) addTable(t Table) error {
	if w.set.Files += len(t.Files); w.set.Files > MaxFiles {
		return tooManyFilesError(t.Path)
	}
	w.set.Tables = append(w.set.Tables, t)
	return nil
}

func tooManyFilesError(path string) error {
	return invalidFilesError("there are more than "+strconv.Itoa(MaxFiles)+" data files, the last of them in "+quotePathForMessage(path),
		"write the data to fewer and larger files")
}

// rejectDuplicateTableNames rejects two tables of one name.
func (w *fileWalk) rejectDuplicateTableNames() error {
	paths := map[string]string{}
	for _, t := range w.set.Tables {
		other, taken := paths[t.Name]
		if taken {
			return invalidFilesError(quotePathForMessage(other)+" and "+quotePathForMessage(t.Path)+" are both the table "+t.Name,
				"rename one of them, or put the files of one table into a folder")
		}
		paths[t.Name] = t.Path
	}
	return nil
}

// unreadablePathError returns the error of a path that the system rejects.
func unreadablePathError(path string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return invalidFilesError("the data at "+quotePathForMessage(path)+" cannot be read: "+err.Error(), "")
}

func resolveCanonicalPath(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

// ColumnNote is a decision about the type of a column of data files that its values alone do not settle.
type ColumnNote struct {
	Table, Column string
	Text          string // a sentence that names the table and the column
	// AmbiguousDays is set where the day and the month of every value can change places.
	AmbiguousDays bool
}

// ColumnNoter is an executor over data files.
type ColumnNoter interface {
	// ColumnNotes lists the notes about the columns of the files.
	ColumnNotes() []ColumnNote
}

// IdentifierFromText makes an identifier of a text, such as the name of a file: lower case, runs of
// characters outside a-z0-9_ replaced by one _, no _ at the ends, t_ before a digit, and t
// where nothing is left.
func IdentifierFromText(text string) string {
	var b strings.Builder
	replaced := false
	for _, r := range strings.ToLower(text) {
		if r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			b.WriteRune(r)
			replaced = false
		} else if !replaced {
			b.WriteByte('_')
			replaced = true
		}
	}
	name := strings.Trim(b.String(), "_")
	switch {
	case name == "":
		return "t"
	case name[0] <= '9':
		return "t_" + name
	}
	return name
}
