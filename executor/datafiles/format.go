package datafiles

import (
	"path/filepath"
	"strings"
)

// Format is how a file is written. A table has files of one format.
type Format int

// The formats.
const (
	Parquet Format = iota
	CSV
	JSON
)

// String is the name of the format.
func (f Format) String() string {
	return [...]string{"Parquet", "CSV", "JSON"}[f]
}

// Variant distinguishes the forms of one format.
type Variant int

// The variants.
const (
	// Plain is the only form of Parquet, CSV with commas or another character of
	// its own, and JSON as an array of objects.
	Plain Variant = iota
	// TabSeparated is CSV with tabs.
	TabSeparated
	// Lines is JSON with an object on each line.
	Lines
)

// Compression of a file of a text format.
type Compression int

// The compressions.
const (
	Uncompressed Compression = iota
	Gzip
	Zstd
)

type kind struct {
	format      Format
	variant     Variant
	compression Compression
}

// kindOf reads the format from the name of a file, and returns the rest of the name. ok is
// false for a file that holds no data.
func kindOf(name string) (k kind, rest string, ok bool) {
	rest = name
	cut := func() string {
		ext := filepath.Ext(rest)
		rest = rest[:len(rest)-len(ext)]
		return strings.ToLower(ext)
	}
	ext := cut()
	switch ext {
	case ".gz":
		k.compression = Gzip
	case ".zst":
		k.compression = Zstd
	}
	if k.compression != Uncompressed {
		ext = cut()
	}
	switch ext {
	case ".parquet":
		k.format = Parquet
		return k, rest, k.compression == Uncompressed
	case ".csv":
		k.format = CSV
	case ".tsv":
		k.format, k.variant = CSV, TabSeparated
	case ".json":
		k.format = JSON
	case ".jsonl", ".ndjson":
		k.format, k.variant = JSON, Lines
	default:
		return k, rest, false
	}
	return k, rest, true
}
