package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// json reads a JSON text, which must hold one value.
func (r *reader) json(text []byte) (*Node, error) {
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		line := 0
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line = 1 + bytes.Count(text[:min(len(text), max(0, int(syntax.Offset)-1))], []byte("\n"))
		}
		return nil, r.fail(line, "the file is not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	d := &jsonReader{reader: r, text: text, tokens: json.NewDecoder(bytes.NewReader(text)), line: 1}
	d.tokens.UseNumber()
	token, err := d.next()
	if err != nil {
		return nil, err
	}
	return d.value(token, 1)
}

// jsonReader reads the tokens of a valid JSON text and counts its lines.
type jsonReader struct {
	*reader
	text    []byte
	tokens  *json.Decoder
	line    int
	counted int // bytes whose lines are counted
}

func (d *jsonReader) next() (json.Token, error) {
	token, err := d.tokens.Token()
	end := int(d.tokens.InputOffset())
	d.line += bytes.Count(d.text[d.counted:end], []byte("\n"))
	d.counted = end
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

func (d *jsonReader) value(token json.Token, depth int) (*Node, error) {
	line := d.line
	size := 0
	if text, ok := token.(string); ok {
		size = len(text)
	}
	if err := d.count(line, depth, size); err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			return d.list(line, depth)
		}
		return d.object(line, depth)
	case string:
		n := d.node(Scalar, line)
		n.Text, n.Quoted = v, true
		return n, nil
	case json.Number:
		n := d.node(Scalar, line)
		n.Text = v.String()
		return n, nil
	case bool:
		n := d.node(Scalar, line)
		n.Text = "false"
		if v {
			n.Text = "true"
		}
		return n, nil
	}
	return d.node(Null, line), nil
}

func (d *jsonReader) list(line, depth int) (*Node, error) {
	n := d.node(List, line)
	for {
		token, err := d.next()
		if err != nil {
			return nil, err
		}
		if token == json.Delim(']') {
			return n, nil
		}
		item, err := d.value(token, depth+1)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
}

func (d *jsonReader) object(line, depth int) (*Node, error) {
	n := d.node(Map, line)
	known := map[string]bool{}
	for {
		token, err := d.next()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if !ok {
			return n, nil // the end of the object
		}
		at := d.line
		if known[key] {
			return nil, d.failLimit(at, "the key %q is given twice", key)
		}
		known[key] = true
		if token, err = d.next(); err != nil {
			return nil, err
		}
		value, err := d.value(token, depth+1)
		if err != nil {
			return nil, err
		}
		n.Members = append(n.Members, Member{key, at, value})
	}
}
