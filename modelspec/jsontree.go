package modelspec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// parseJSON reads a JSON text into the same tree that YAML gives, with
// positions.
func parseJSON(text []byte) (*yaml.Node, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	r := jsonReader{text: text, dec: dec, at: Position{Line: 1, Column: 1}}
	root, err := r.value(1)
	if err != nil {
		return nil, r.failure(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, parseFailure(r.next(), "there is text after the end of the JSON value")
	}
	return root, nil
}

// jsonReader counts lines and columns as it goes: offsets only grow, and a
// model may stand on one line.
type jsonReader struct {
	text   []byte
	dec    *json.Decoder
	offset int // counted up to here
	at     Position
	nodes  int
}

func (r *jsonReader) position(offset int) Position {
	for ; r.offset < offset; r.offset++ {
		switch b := r.text[r.offset]; {
		case b == '\n':
			r.at = Position{Line: r.at.Line + 1, Column: 1}
		case utf8.RuneStart(b):
			r.at.Column++
		}
	}
	return r.at
}

// next is the position of the coming token.
func (r *jsonReader) next() Position {
	i := int(r.dec.InputOffset())
	for i < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[i]) >= 0 {
		i++
	}
	return r.position(i)
}

func (r *jsonReader) node(kind yaml.Kind, tag string) *yaml.Node {
	p := r.next()
	return &yaml.Node{Kind: kind, Tag: tag, Line: p.Line, Column: p.Column}
}

func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	n := r.node(yaml.ScalarNode, "")
	if r.nodes++; r.nodes > MaxNodes {
		return nil, tooMany(at(n))
	}
	if depth > MaxDepth {
		return nil, parseFailure(at(n), "the text is nested deeper than %d levels", MaxDepth)
	}
	token, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		return n, r.children(n, t, depth)
	case string:
		n.Tag, n.Value, n.Style = "!!str", t, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = "!!int", t.String()
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", "false"
		if t {
			n.Value = "true"
		}
	case nil:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, nil
}

func (r *jsonReader) children(n *yaml.Node, open json.Delim, depth int) error {
	n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	for r.dec.More() {
		child, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.Content = append(n.Content, child)
	}
	_, err := r.dec.Token()
	return err
}

func (r *jsonReader) failure(err error) error {
	if loadErr := (*LoadError)(nil); errors.As(err, &loadErr) {
		return loadErr
	}
	// The token reader counts offsets in two ways; the validator has one.
	offset, message := len(r.text), "unexpected end of the text"
	var syntax *json.SyntaxError
	if whole := json.Unmarshal(r.text, new(json.RawMessage)); errors.As(whole, &syntax) && int(syntax.Offset) < len(r.text) {
		offset, message = max(0, int(syntax.Offset)-1), whole.Error()
	}
	return &LoadError{Kind: LoadParse, Position: positionOf(r.text, offset), Message: "the text is no JSON: " + message, err: err}
}
