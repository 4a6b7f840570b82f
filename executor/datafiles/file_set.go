package datafiles

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// MaxFiles is the most files that a Set holds.
const MaxFiles = 10_000

// FileSet is what Find has found. It does not change.
type FileSet struct {
	// Tables in the order of their names.
	Tables []Table
	// Files is how many files the tables have, Skipped how many files hold no data
	// or are hidden.
	Files, Skipped int
	// Warnings name the symbolic links that are not followed.
	Warnings []string
}

// Table is one or more files with the same name of table and format.
type Table struct {
	Name   string
	Format Format
	// Files in the order of their names.
	Files []File
	// Path is the file, or the folder, that the table is named for, as the user
	// wrote its beginning.
	Path string
}

// File is one file of a table.
type File struct {
	// Path is canonical: absolute and without a symbolic link.
	Path string
	// Name is the path below the path that the user gave, for messages: it does not
	// disclose where the data lie.
	Name        string
	Variant     RecordLayout
	Compression Compression
	// Keys are the key=value folders between the table's folder and the file.
	Keys     []PartitionKey
	Size     int64
	Modified time.Time
}

// PartitionKey is the key=value name of a folder.
type PartitionKey struct{ Name, Value string }

// Fingerprint changes when a file is added, removed, or has another size or modification
// time.
func (s *FileSet) Fingerprint() [sha256.Size]byte {
	h := sha256.New()
	var b []byte
	for _, t := range s.Tables {
		b = appendLengthPrefixed(b[:0], t.Name)
		b = binary.AppendUvarint(b, uint64(len(t.Files)))
		for _, f := range t.Files {
			b = appendLengthPrefixed(b, f.Path)
			b = binary.AppendVarint(b, f.Size)
			b = binary.AppendVarint(b, f.Modified.UnixNano())
		}
		h.Write(b)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func appendLengthPrefixed(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
