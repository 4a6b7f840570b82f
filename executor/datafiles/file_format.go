package datafiles

import (
	"path/filepath"
	"strings"
)

// Format is how a file is written. A table has files of one format.
type Format int

// The formats.
const (
	FormatParquet Format = iota
	FormatCSV
	FormatJSON
)

// String returns the name of the format.
func (f Format) String() string {
	return [...]string{"Parquet", "CSV", "JSON"}[f]
}

// RecordLayout distinguishes the forms of one format.
type RecordLayout int

// The variants.
const (
	// RecordLayoutDefaultOfFormat is the only form of Parquet, CSV with commas or another character of
	// its own, and JSON as an array of objects.
	RecordLayoutDefaultOfFormat RecordLayout = iota
	// RecordLayoutTabSeparated is CSV with tabs.
	RecordLayoutTabSeparated
	// RecordLayoutJSONLines is JSON with an object on each line.
	RecordLayoutJSONLines
)

// Compression of a file of a text format.
type Compression int

// The compressions.
const (
	CompressionNone Compression = iota
	CompressionGzip
	CompressionZstd
)

type formatAndCompression struct {
	format      Format
	variant     RecordLayout
	compression Compression
}

// HasKnownEnding reports whether a file of this name holds data by its ending.
func HasKnownEnding(name string) bool {
	_, _, ok := formatOfFileName(name)
	return ok
}

// formatOfFileName reads the format from the name of a file, and returns the rest of the name. ok is
// false for a file that holds no data.
func formatOfFileName(name string) (k formatAndCompression, rest string, ok bool) {
	rest = name
	cut := func() string {
		ext := filepath.Ext(rest)
		rest = rest[:len(rest)-len(ext)]
		return strings.ToLower(ext)
	}
	ext := cut()
	switch ext {
	case ".gz":
		k.compression = CompressionGzip
	case ".zst":
		k.compression = CompressionZstd
	}
	if k.compression != CompressionNone {
		ext = cut()
	}
	switch ext {
	case ".parquet":
		k.format = FormatParquet
		return k, rest, k.compression == CompressionNone
	case ".csv":
		k.format = FormatCSV
	case ".tsv":
		k.format, k.variant = FormatCSV, RecordLayoutTabSeparated
	case ".json":
		k.format = FormatJSON
	case ".jsonl", ".ndjson":
		k.format, k.variant = FormatJSON, RecordLayoutJSONLines
	default:
		return k, rest, false
	}
	return k, rest, true
}
