package modelspec

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/nodes"
)

// parseJSON reads a JSON text into the same tree that YAML gives, with
// positions. The syntax is checked up front by encoding/json, so that the
// reader only has to find its way.
func parseJSON(b *nodes.YAMLTreeBuilder, text []byte) (*nodes.Node, error) {
	if !json.Valid(text) {
		return nil, jsonParseError(text)
	}
	r := jsonReader{YAMLTreeBuilder: b, text: text, str: string(text), at: Position{Line: 1, Column: 1}}
	r.skipPunctuation()
	return r.readValue(1)
}

func jsonParseError(text []byte) *LoadError {
	err := json.Unmarshal(text, new(json.RawMessage))
	offset, message := len(text), "unexpected end of the text"
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && (int(syntax.Offset) < len(text) || !strings.HasPrefix(syntax.Error(), "unexpected end")) {
		offset, message = max(0, int(syntax.Offset)-1), syntax.Error()
	}
	return &LoadError{Kind: LoadErrorParse, Position: positionOfOffset(text, offset), Message: "the text is not JSON: " + message, err: err}
}

// jsonReader reads valid JSON. It counts lines and columns as it goes: offsets
// only grow, and a model may be on one line.
type jsonReader struct {
	*nodes.YAMLTreeBuilder
	text    []byte
	str     string // the text again: values are parts of it
	pos     int
	counted int
	at      Position
	count   int
}

// currentPosition returns the position of the next byte. Only space has ends of lines, and skip counts
// those.
func (r *jsonReader) currentPosition() Position {
	for _, b := range r.text[r.counted:r.pos] {
		if utf8.RuneStart(b) {
			r.at.Column++
		}
	}
	r.counted = r.pos
	return r.at
}

// skipPunctuation passes over space and the punctuation between the values of a collection.
func (r *jsonReader) skipPunctuation() {
	at := r.currentPosition()
	pos := r.pos
between:
	for ; pos < len(r.text); pos++ {
		switch r.text[pos] {
		case '\n':
			at = Position{Line: at.Line + 1, Column: 1}
		case ' ', ',', ':', '\t', '\r':
			at.Column++
		default:
			break between
		}
	}
	r.pos, r.counted, r.at = pos, pos, at
}

func (r *jsonReader) readValue(depth int) (*nodes.Node, error) {
	p := r.currentPosition()
	if r.count++; r.count > MaxModelNodes {
		return nil, tooManyNodesError(p)
	}
	if depth > MaxModelDepth {
		return nil, newParseError(p, "the text is nested deeper than %d levels", MaxModelDepth)
	}
	n := r.NewNode(yaml.ScalarNode, "", p.Line, p.Column)
	switch r.text[r.pos] {
	case '{':
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		return n, r.readChildren(n, '}', depth)
	case '[':
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		return n, r.readChildren(n, ']', depth)
	case '"':
		n.Tag, n.Style, n.Value = "!!str", yaml.DoubleQuotedStyle, r.readString()
		return n, nil
	}
	start := r.pos
	for r.pos < len(r.text) && strings.IndexByte(" \n\t\r,]}", r.text[r.pos]) < 0 {
		r.pos++
	}
	n.Value = r.str[start:r.pos]
	switch n.Value {
	case "true", "false":
		n.Tag = "!!bool"
	case "null":
		n.Tag = "!!null"
	default:
		n.Tag = "!!int"
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	}
	return n, nil
}

// readChildren reads the values of a collection; keys and values come in turn.
func (r *jsonReader) readChildren(n *nodes.Node, end byte, depth int) error {
	mark := r.BeginChildren()
	for r.pos++; ; {
		r.skipPunctuation()
		if r.text[r.pos] == end {
			r.pos++
			r.Close(n, mark)
			return nil
		}
		child, err := r.readValue(depth + 1)
		if err != nil {
			return err
		}
		r.AddChild(child)
	}
}

// readString reads a string.
func (r *jsonReader) readString() string {
	start := r.pos
	end := start + 1 + bytes.IndexByte(r.text[start+1:], '"')
	for endsWithOpenEscape(r.text[start+1 : end]) {
		end += 1 + bytes.IndexByte(r.text[end+1:], '"')
	}
	r.pos = end + 1
	raw := r.str[start+1 : end]
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var s string
	if err := json.Unmarshal(r.text[start:end+1], &s); err != nil {
		return raw // the whole text is valid, and so is this part
	}
	return s
}

// endsWithOpenEscape reports whether the byte after s is escaped in it.
func endsWithOpenEscape(s []byte) bool {
	n := 0
	for i := len(s) - 1; i >= 0 && s[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
