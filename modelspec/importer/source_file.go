package importer

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// The limits of an import. Each file, and the nesting and the number of its values, is
// bounded as a model is.
const (
	MaxFiles      = 1000
	MaxTotalBytes = 64 << 20 // of all files
	MaxFileBytes  = limits.ModelBytes
)

// SourceFile is one input file.
type SourceFile struct {
	Name string // shown in the report and in errors
	Text []byte
}

// Options change an import.
type Options struct {
	// ModelName is the name of the model.
	ModelName string
	// SourcePrefix comes before the tables that the input names without a schema:
	// analytics.marts.
	SourcePrefix string
	// Dialect is the canonical name of the dialect of the SQL in the input. What is not portable becomes an entry of it. "" is unknown: only what
	// is portable is imported.
	Dialect string
}

// Error is why the input cannot be imported.
type Error struct {
	File    string
	Line    int // 0 where no line is to blame
	Message string

	limit bool // a limit was reached: another reading of the text cannot succeed
}

// Error returns the message with its place.
func (e *Error) Error() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Line == 0:
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// CheckSourceSizes rejects too many files, and files that are too long.
func CheckSourceSizes(sources []SourceFile) error {
	if len(sources) > MaxFiles {
		return &Error{Message: fmt.Sprintf("%d files are more than the limit of %d", len(sources), MaxFiles)}
	}
	total := 0
	for _, s := range sources {
		if len(s.Text) > MaxFileBytes {
			return &Error{File: s.Name, Message: fmt.Sprintf("the file has %d bytes, more than the limit of %d", len(s.Text), MaxFileBytes)}
		}
		total += len(s.Text)
	}
	if total > MaxTotalBytes {
		return &Error{Message: fmt.Sprintf("the files have %d bytes together, more than the limit of %d", total, MaxTotalBytes)}
	}
	return nil
}
