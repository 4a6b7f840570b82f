package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// readJSON reads a JSON text, which must hold one value.
func (r *fileReader) readJSON(text []byte) (*Node, error) {
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		line := 0
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line = 1 + bytes.Count(text[:min(len(text), max(0, int(syntax.Offset)-1))], []byte("\n"))
		}
		return nil, r.newError(line, "the file is not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	d := &jsonReader{fileReader: r, text: text, tokens: json.NewDecoder(bytes.NewReader(text)), line: 1}
	d.tokens.UseNumber()
	token, err := d.nextToken()
	if err != nil {
		return nil, err
	}
	return d.readValue(token, 1)
}

// jsonReader reads the tokens of a valid JSON text and counts its lines.
type jsonReader struct {
	*fileReader
	text    []byte
	tokens  *json.Decoder
	line    int
	counted int // bytes whose lines are counted
}

func (d *jsonReader) nextToken() (json.Token, error) {
	token, err := d.tokens.Token()
	end := int(d.tokens.InputOffset())
	d.line += bytes.Count(d.text[d.counted:end], []byte("\n"))
	d.counted = end
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

func (d *jsonReader) readValue(token json.Token, depth int) (*Node, error) {
	line := d.line
	size := 0
	if text, ok := token.(string); ok {
		size = len(text)
	}
	if err := d.countValueAgainstLimits(line, depth, size); err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			return d.readList(line, depth)
		}
		return d.readObject(line, depth)
	case string:
		n := d.newNode(KindScalar, line)
		n.Text, n.Quoted = v, true
		return n, nil
	case json.Number:
		n := d.newNode(KindScalar, line)
		n.Text = v.String()
		return n, nil
	case bool:
		n := d.newNode(KindScalar, line)
		n.Text = "false"
		if v {
			n.Text = "true"
		}
		return n, nil
	}
	return d.newNode(KindNull, line), nil
}

func (d *jsonReader) readList(line, depth int) (*Node, error) {
	n := d.newNode(KindList, line)
	for {
		token, err := d.nextToken()
		if err != nil {
			return nil, err
		}
		if token == json.Delim(']') {
			return n, nil
		}
		item, err := d.readValue(token, depth+1)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
}

func (d *jsonReader) readObject(line, depth int) (*Node, error) {
	n := d.newNode(KindMap, line)
	known := map[string]bool{}
	for {
		token, err := d.nextToken()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if !ok {
			return n, nil // the end of the object
		}
		at := d.line
		if known[key] {
			return nil, d.newLimitError(at, "the key %q is given twice", key)
		}
		known[key] = true
		if token, err = d.nextToken(); err != nil {
			return nil, err
		}
		value, err := d.readValue(token, depth+1)
		if err != nil {
			return nil, err
		}
		n.Members = append(n.Members, MapEntry{key, at, value})
	}
}
