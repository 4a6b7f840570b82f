package profile

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Source is where a model is made from: DataFiles, Database or Named.
type Source interface{ source() }

// DataFiles is a folder, a file or a glob of data files.
type DataFiles struct{ Path string }

// Database is a connection that a DSN describes, or the path of a database file.
type Database struct {
	DSN DSN
	// Path is the file as it was given; empty for a DSN.
	Path string
}

// Named is a profile of the connections file.
type Named struct{ Profile Profile }

func (DataFiles) source() {}
func (Database) source()  {}
func (Named) source()     {}

// UnknownSourceError is the error of a text that is not a path, a DSN or a profile.
type UnknownSourceError struct {
	Text     string
	Profiles []string // the known ones
}

// Error names the text and the known profiles.
func (e *UnknownSourceError) Error() string {
	known := "there are no connection profiles"
	if len(e.Profiles) > 0 {
		names := make([]string, len(e.Profiles))
		for i, n := range e.Profiles {
			names[i] = quoteName(n)
		}
		known = "the known profiles are " + strings.Join(names, ", ")
	}
	return quoteName(e.Text) + " is not an existing file, a folder, a DSN or a connection profile; " + known
}

// ResolveSource returns what a text names: an existing path or a glob that matches files,
// then a DSN, then a profile of the file, which may be nil. The error is an
// *UnknownSourceError, or an *executor.Error of a DSN or a profile that cannot be used.
func ResolveSource(text string, file *File) (Source, error) {
	if info, err := os.Stat(text); err == nil {
		return existing(text, info)
	}
	if matches, err := filepath.Glob(text); err == nil && slices.ContainsFunc(matches, isFile) {
		return DataFiles{text}, nil
	}
	if IsDSN(text) {
		d, err := ParseDSN("main", text)
		if err != nil {
			return nil, err
		}
		return Database{DSN: d}, nil
	}
	if file == nil {
		file = &File{}
	}
	p, ok := file.Lookup(text)
	if !ok {
		unknown := &UnknownSourceError{Text: text}
		for _, known := range file.Profiles {
			unknown.Profiles = append(unknown.Profiles, known.Name)
		}
		return nil, unknown
	}
	if p.Err != nil {
		return nil, p.Err
	}
	return Named{p}, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// existing returns the source of a path: a database file by its name and its first bytes,
// else data files.
func existing(path string, info os.FileInfo) (Source, error) {
	if info.IsDir() {
		return DataFiles{path}, nil
	}
	kindName := databaseKind(path)
	if kindName == "" {
		return DataFiles{path}, nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, invalidDSN("the file has no absolute path", "")
	}
	p := dsnParser{name: "main", values: map[string]string{}}
	p.add("uri", absolute)
	d, err := p.entry(kindName, nil)
	if err != nil {
		return nil, err
	}
	return Database{DSN: d, Path: path}, nil
}

// databaseKind returns the type of the database in a file, "" if it is not one. The name
// must be that of a database; the first bytes decide between the two types, because
// programs write SQLite files under the same names.
func databaseKind(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3":
	default:
		return ""
	}
	const duckMark, sqliteMark = "DUCK", "SQLite format 3\x00"
	head := make([]byte, len(sqliteMark))
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	n, _ := io.ReadFull(f, head)
	switch text := string(head[:n]); {
	case text == sqliteMark:
		return "sqlite"
	case len(text) >= 12 && text[8:12] == duckMark:
		return "duckdb"
	}
	return ""
}
