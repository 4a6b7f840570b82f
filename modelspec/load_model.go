package modelspec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/internal/plainyaml"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// LoadErrorKind is why a text is not a model.
type LoadErrorKind string

// The kinds of load errors.
const (
	LoadErrorUnreadable LoadErrorKind = "io"       // the file cannot be read
	LoadErrorParse      LoadErrorKind = "parse"    // the text is not YAML, no JSON, or no model
	LoadErrorOntology   LoadErrorKind = "ontology" // the text is an ontology, which is another format
)

// LoadError reports why a text could not be read as a model. Every interface shows it
// as text; it is not part of the wire formats of the later stages.
type LoadError struct {
	Message  string
	Position Position // zero when no place is to blame
	Line     string   // of the text, at Position
	Hint     string   // what would help; empty where nothing is known
	Kind     LoadErrorKind
	File     string // as given to ParseFile; empty otherwise
	err      error
}

// Error returns the message, with file, line and column where they are known.
func (e *LoadError) Error() string {
	where := e.File
	if e.Position.Line > 0 {
		if where != "" {
			where = fmt.Sprintf("%s:%d:%d", where, e.Position.Line, e.Position.Column)
		} else {
			where = fmt.Sprintf("line %d, column %d", e.Position.Line, e.Position.Column)
		}
	}
	if where == "" {
		return e.Message
	}
	return where + ": " + e.Message
}

// Unwrap returns the cause, if there is one.
func (e *LoadError) Unwrap() error { return e.err }

// ErrorCode returns the kind.
func (e *LoadError) ErrorCode() string { return string(e.Kind) }

// The limits of a model text.
const (
	MaxModelBytes = limits.ModelBytes // length of the text
	MaxModelDepth = limits.ModelDepth // nesting of mappings and lists
	MaxModelNodes = limits.ModelNodes // keys and values, after aliases are expanded
)

// ParseFile reads and parses a model file. Its errors are *LoadError.
func ParseFile(path string) (*Document, error) {
	text, err := ReadModelFileText(path)
	if err != nil {
		return nil, err
	}
	return ParseWithPath(path, text)
}

// ReadModelFileText reads the text of a model file, unless it is longer than MaxModelBytes. Its
// errors are *LoadError.
func ReadModelFileText(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > MaxModelBytes {
		return nil, &LoadError{Kind: LoadErrorParse, File: path, Message: modelTooLongMessage(info.Size())}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fileReadErrorWithoutPath(path, err)
	}
	defer func() { _ = file.Close() }() // which was only read
	return Read(file, path)             // a device has no size and no end
}

// fileReadErrorWithoutPath returns the error of a text that cannot be read, without a path in its message: the file is named before.
func fileReadErrorWithoutPath(name string, err error) error {
	cause := err
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		cause = pathErr.Err
	}
	return &LoadError{Kind: LoadErrorUnreadable, File: name, Message: "cannot read the model: " + cause.Error(), err: err}
}

// Read reads the text of a model, unless it is longer than MaxModelBytes. Its errors are
// *LoadError with the given name as the file.
func Read(r io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxModelBytes+1))
	switch {
	case err != nil:
		return nil, fileReadErrorWithoutPath(name, err)
	case len(text) > MaxModelBytes:
		return nil, &LoadError{Kind: LoadErrorParse, File: name, Message: modelTooLongMessage(int64(len(text)))}
	}
	return text, nil
}

// ParseWithPath is Parse for the text of a file, which its errors name.
func ParseWithPath(path string, text []byte) (*Document, error) {
	doc, err := Parse(text)
	if loadErr := (*LoadError)(nil); errors.As(err, &loadErr) {
		loadErr.File = path
	}
	return doc, err
}

// Parse reads a model text, YAML or JSON, in either shape of the format. Its
// errors are *LoadError; every other flaw is left to Validate.
func Parse(text []byte) (*Document, error) {
	doc, err := parseDocument(text)
	if load := (*LoadError)(nil); errors.As(err, &load) {
		load.SetLineOf(text)
	}
	return doc, err
}

// SetLineOf keeps the line of a text that the error is about.
func (e *LoadError) SetLineOf(text []byte) {
	number := 0
	for line := range bytes.Lines(text) {
		if number++; number == e.Position.Line {
			e.Line = string(bytes.TrimRight(line, "\r\n"))
			return
		}
	}
}

func parseDocument(text []byte) (*Document, error) {
	var tree document.TreeBuilder
	defer tree.Release() // the document has copies
	root, err := readTree(&tree, text)
	if err != nil {
		return nil, err
	}
	return decodeDocument(root, text)
}

// ReadTree reads one document, YAML or JSON, within the limits of a model text, into the tree of its nodes: no key of a
// mapping repeats, and aliases end. Its errors are *LoadError.
func ReadTree(text []byte) (*document.Node, error) {
	return readTree(new(document.TreeBuilder), text)
}

func readTree(b *document.TreeBuilder, text []byte) (*document.Node, error) {
	if err := refuseUnreadableModelText(text); err != nil {
		return nil, err
	}
	root, err := parseJSONOrYAMLTree(b, text)
	if err != nil {
		return nil, err
	}
	return root, checkTreeLimits(root)
}

func modelTooLongMessage(n int64) string {
	return fmt.Sprintf("the text has %d bytes, more than the limit of %d", n, MaxModelBytes)
}

func newParseError(p Position, format string, args ...any) *LoadError {
	return &LoadError{Kind: LoadErrorParse, Position: p, Message: fmt.Sprintf(format, args...)}
}

var (
	utf8ByteOrderMark    = []byte("\xEF\xBB\xBF")
	utf16BEByteOrderMark = []byte("\xFE\xFF")
	utf16LEByteOrderMark = []byte("\xFF\xFE")
)

// refuseUnreadableModelText rejects bytes that no parser should see.
func refuseUnreadableModelText(text []byte) error {
	start := Position{Line: 1, Column: 1}
	switch {
	case len(text) > MaxModelBytes:
		return newParseError(Position{}, "%s", modelTooLongMessage(int64(len(text))))
	case bytes.HasPrefix(text, utf8ByteOrderMark):
		return newParseError(start, "the text begins with a byte order mark; save it as UTF-8 without one")
	case bytes.HasPrefix(text, utf16BEByteOrderMark), bytes.HasPrefix(text, utf16LEByteOrderMark):
		return newParseError(start, "the text is UTF-16; save it as UTF-8")
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return newParseError(positionOfOffset(text, i), "the text holds a NUL byte")
	}
	if !utf8.Valid(text) {
		i := 0
		for i < len(text) {
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		return newParseError(positionOfOffset(text, i), "the byte 0x%02X is not valid UTF-8", text[i])
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return newParseError(Position{}, "the text is empty")
	}
	return nil
}

// parseJSONOrYAMLTree reads JSON as JSON, because YAML's reading of JSON differs in the
// details (surrogate escapes, long keys), and everything else as YAML: plain
// YAML by the fast reader, what that hands back by the general one. A text
// in braces may be either; if it is neither, JSON's message is the one to show.
func parseJSONOrYAMLTree(b *document.TreeBuilder, text []byte) (*document.Node, error) {
	trimmed := bytes.TrimSpace(text)
	if trimmed[0] != '{' && trimmed[0] != '[' {
		if root, ok := plainyaml.Parse(b, text); ok {
			return root, nil
		}
		return parseYAML(b, text)
	}
	root, jsonErr := parseJSON(b, text)
	if limit := (*LoadError)(nil); jsonErr == nil || errors.As(jsonErr, &limit) && limit.err == nil {
		return root, jsonErr // JSON, or too much of it
	}
	if root, err := parseYAML(b, text); err == nil {
		return root, nil
	}
	return nil, jsonErr
}
