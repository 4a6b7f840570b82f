package document

import (
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/yamldocs"
)

// Error is why a text is not YAML, with the place of the mistake; the zero place is unknown.
type Error struct {
	Line, Column int // from 1
	Message      string
	Hint         string // what to change; empty where the mistake is not a usual one
	err          error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the library's error.
func (e *Error) Unwrap() error { return e.err }

// YAMLDocument is one document of a text, and where it begins.
type YAMLDocument struct {
	Root         *Node
	Line, Column int
}

// ReadYAML returns the first documents of a text, at most so many. A text of comments alone has no document. The
// error is an *Error.
func ReadYAML(text []byte, most int) ([]YAMLDocument, error) {
	return new(TreeBuilder).ReadYAML(text, most)
}

// ReadYAML is the function ReadYAML with the nodes of the builder.
func (b *TreeBuilder) ReadYAML(text []byte, most int) ([]YAMLDocument, error) {
	documents, err := yamldocs.Read(text, most)
	if failure := (*yamldocs.Error)(nil); errors.As(err, &failure) {
		return nil, &Error{failure.Line, failure.Column, failure.Message, failure.Hint, failure.Unwrap()}
	}
	out := make([]YAMLDocument, len(documents))
	for i, d := range documents {
		c := yamlTreeCopier{b, map[*yaml.Node]*Node{}}
		out[i] = YAMLDocument{c.copyYAMLTree(yamldocs.RootNode(d)), d.Line, d.Column}
	}
	return out, nil
}
