package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// TreeLimits bound a tree.
type TreeLimits struct{ Nodes, Depth int }

// LimitError is a JSON text with more nodes, or more levels, than its limits.
type LimitError struct {
	Line, Column int
	TooDeep      bool // else it has too many nodes
}

// Error returns the message.
func (e *LimitError) Error() string {
	if e.TooDeep {
		return "the text is nested too deep"
	}
	return "the text has too many keys and values"
}

// ReadJSON reads a JSON text into the tree that YAML gives. The syntax is checked before by encoding/json, so that the
// reader only has to find its way. The error is an *Error, or a *LimitError; the tree is then that of the text before
// the mistake, in which the last member of each object may lack its value.
func (b *TreeBuilder) ReadJSON(text []byte, most TreeLimits) (*Node, error) {
	var mistake *Error
	if !json.Valid(text) {
		var offset int
		mistake, offset = newJSONError(text)
		text = text[:offset]
	}
	r := jsonReader{TreeBuilder: b, text: text, str: string(text), line: 1, column: 1, most: most}
	r.skipPunctuation()
	root, err := r.readValue(1)
	if mistake != nil {
		return root, mistake
	}
	return root, err
}

// errTextEnds ends the reading of the text before a mistake.
var errTextEnds = errors.New("the text ends")

// ReadJSON is the method of TreeBuilder with nodes that are not shared.
func ReadJSON(text []byte, most TreeLimits) (*Node, error) {
	return new(TreeBuilder).ReadJSON(text, most)
}

// newJSONError returns the mistake of a text, and its offset.
func newJSONError(text []byte) (*Error, int) {
	err := json.Unmarshal(text, new(json.RawMessage))
	offset, message := len(text), "unexpected end of the text"
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && (int(syntax.Offset) < len(text) || !strings.HasPrefix(syntax.Error(), "unexpected end")) {
		offset, message = max(0, int(syntax.Offset)-1), syntax.Error()
	}
	before := text[:offset]
	begin := bytes.LastIndexByte(before, '\n') + 1
	return &Error{Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[begin:]) + 1, Message: message, err: err}, offset
}

// jsonReader reads valid JSON. It counts lines and columns as it goes: offsets
// only grow, and a model may be on one line.
type jsonReader struct {
	*TreeBuilder
	text    []byte
	str     string // the text again: values are parts of it
	pos     int
	counted int
	line    int // of the byte at counted
	column  int
	count   int
	most    TreeLimits
}

// countColumns counts the characters up to the next byte. Only space has ends of lines, and skipPunctuation counts
// those.
func (r *jsonReader) countColumns() {
	for _, b := range r.text[r.counted:r.pos] {
		if utf8.RuneStart(b) {
			r.column++
		}
	}
	r.counted = r.pos
}

// skipPunctuation passes over space and the punctuation between the values of a collection.
func (r *jsonReader) skipPunctuation() {
	r.countColumns()
	line, column, pos := r.line, r.column, r.pos
between:
	for ; pos < len(r.text); pos++ {
		switch r.text[pos] {
		case '\n':
			line, column = line+1, 1
		case ' ', ',', ':', '\t', '\r':
			column++
		default:
			break between
		}
	}
	r.pos, r.counted, r.line, r.column = pos, pos, line, column
}

func (r *jsonReader) readValue(depth int) (*Node, error) {
	r.countColumns()
	if r.pos == len(r.text) {
		return nil, errTextEnds
	}
	if r.count++; r.count > r.most.Nodes || depth > r.most.Depth {
		return nil, &LimitError{r.line, r.column, r.count <= r.most.Nodes}
	}
	n := r.NewNode(ScalarNode, "", r.line, r.column)
	switch r.text[r.pos] {
	case '{':
		n.Kind, n.Tag = MappingNode, "!!map"
		return n, r.readChildren(n, '}', depth)
	case '[':
		n.Kind, n.Tag = SequenceNode, "!!seq"
		return n, r.readChildren(n, ']', depth)
	case '"':
		var err error
		n.Tag, n.Style = "!!str", DoubleQuotedStyle
		n.Value, err = r.readString()
		return n, err
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
func (r *jsonReader) readChildren(n *Node, end byte, depth int) error {
	mark := r.BeginChildren()
	for r.pos++; ; {
		r.skipPunctuation()
		if r.pos < len(r.text) && r.text[r.pos] == end {
			r.pos++
			r.Close(n, mark)
			return nil
		}
		child, err := r.readValue(depth + 1)
		if child != nil && (err == nil || child.Kind != ScalarNode) {
			r.AddChild(child)
		}
		if err != nil {
			r.Close(n, mark)
			return err
		}
	}
}

// readString reads a string.
func (r *jsonReader) readString() (string, error) {
	start, end := r.pos, r.pos
	for {
		next := bytes.IndexByte(r.text[end+1:], '"')
		if next < 0 {
			r.pos = len(r.text)
			return "", errTextEnds
		}
		if end += 1 + next; !endsWithOpenEscape(r.text[start+1 : end]) {
			break
		}
	}
	r.pos = end + 1
	raw := r.str[start+1 : end]
	if strings.IndexByte(raw, '\\') < 0 {
		return raw, nil
	}
	var s string
	_ = json.Unmarshal(r.text[start:end+1], &s) // the text is valid up to a mistake behind this part
	return s, nil
}

// endsWithOpenEscape reports whether the byte after s is escaped in it.
func endsWithOpenEscape(s []byte) bool {
	n := 0
	for i := len(s) - 1; i >= 0 && s[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
