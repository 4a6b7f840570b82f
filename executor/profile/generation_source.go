package profile

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// GenerationSource is where a model is made from: DataFilesSource, Database or Named.
type GenerationSource interface{ isSource() }

// DataFilesSource is a folder, a file or a glob of data files.
type DataFilesSource struct{ Path string }

// DatabaseSource is a connection that a ParsedDSN describes, or the path of a database file.
type DatabaseSource struct {
	DSN ParsedDSN
	// Path is the file as it was given; empty for a ParsedDSN.
	Path string
}

// NamedProfileSource is a profile of the connections file.
type NamedProfileSource struct{ Profile Profile }

func (DataFilesSource) isSource()    {}
func (DatabaseSource) isSource()     {}
func (NamedProfileSource) isSource() {}

// UnknownSourceError is the error of a text that is not a path, a ParsedDSN or a profile.
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
			names[i] = quoteUnlessPlainName(n)
		}
		known = "the known profiles are " + strings.Join(names, ", ")
	}
	return quoteUnlessPlainName(e.Text) + " is not an existing file, a folder, a DSN or a connection profile; " + known
}

// ResolveSource returns what a text names: an existing path or a glob that matches files,
// then a ParsedDSN, then a profile of the file, which may be nil. The error is an
// *UnknownSourceError, or an *executor.Error of a ParsedDSN or a profile that cannot be used.
func ResolveSource(text string, file *ProfilesFile) (GenerationSource, error) {
	if info, err := os.Stat(text); err == nil {
		return sourceOfExistingPath(text, info)
	}
	if matches, err := filepath.Glob(text); err == nil && slices.ContainsFunc(matches, isExistingFile) {
		return DataFilesSource{text}, nil
	}
	if IsDSN(text) {
		d, err := ParseDSN("main", text)
		if err != nil {
			return nil, err
		}
		return DatabaseSource{DSN: d}, nil
	}
	if file == nil {
		file = &ProfilesFile{}
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
	return NamedProfileSource{p}, nil
}

func isExistingFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// sourceOfExistingPath returns the source of a path: a database file by its name and its first bytes,
// else data files.
func sourceOfExistingPath(path string, info os.FileInfo) (GenerationSource, error) {
	if info.IsDir() {
		return DataFilesSource{path}, nil
	}
	kindName := detectDatabaseFileType(path)
	if kindName == "" {
		return DataFilesSource{path}, nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, invalidDSNError("the file has no absolute path", "")
	}
	p := dsnParser{name: "main", values: map[string]string{}}
	p.addKey("uri", absolute)
	d, err := p.parseKeysAsProfile(kindName, nil)
	if err != nil {
		return nil, err
	}
	return DatabaseSource{DSN: d, Path: path}, nil
}

// detectDatabaseFileType returns the type of the database in a file, "" if it is not one. The name
// must be that of a database; the first bytes decide between the two types, because
// programs write SQLite files under the same names.
func detectDatabaseFileType(path string) string {
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
