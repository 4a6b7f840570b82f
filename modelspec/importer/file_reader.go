package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// Read reads the documents of a file, YAML or JSON. Aliases and merge keys are resolved. order
// is the number of the file among the sources: the report is sorted by it. Errors are *Error.
func Read(s SourceFile, order int) (documents []*Node, err error) {
	if i := bytes.IndexByte(s.Text, 0); i >= 0 || !utf8.Valid(s.Text) {
		return nil, &Error{File: s.Name, Message: "the file is not UTF-8 text"}
	}
	text := bytes.TrimPrefix(s.Text, []byte("\uFEFF"))
	r := fileReader{file: s.Name, order: order, left: limits.ModelNodes, bytes: limits.ModelKeysAndValuesBytes, open: map[*document.Node]bool{}}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		root, jsonErr := r.readJSON(text)
		if jsonErr == nil {
			return []*Node{root}, nil
		}
		if limit := (*Error)(nil); errors.As(jsonErr, &limit) && limit.limit {
			return nil, jsonErr
		}
		if documents, err := r.readYAML(text); err == nil {
			return documents, nil
		}
		return nil, jsonErr
	}
	return r.readYAML(text)
}

// fileReader reads one file. left and bytes count down to its limits.
type fileReader struct {
	file        string
	order       int
	left, bytes int
	json        bool
	open        map[*document.Node]bool // the anchors around the node that is read
}

func (r *fileReader) newError(line int, format string, args ...any) *Error {
	return &Error{File: r.file, Line: line, Message: fmt.Sprintf(format, args...)}
}

func (r *fileReader) newLimitError(line int, format string, args ...any) *Error {
	e := r.newError(line, format, args...)
	e.limit = true
	return e
}

func (r *fileReader) newNode(kind NodeKind, line int) *Node {
	return &Node{File: r.file, Line: line, Kind: kind, order: r.order}
}

func (r *fileReader) newTooManyValuesError(line int) error {
	return r.newLimitError(line, "the file holds more than %d keys and values, those that aliases repeat included", limits.ModelNodes)
}

func (r *fileReader) newTooDeepError(line int) error {
	return r.newLimitError(line, "the file is nested deeper than %d levels", limits.ModelDepth)
}

// countValueAgainstLimits takes a value of a number of bytes off the limits.
func (r *fileReader) countValueAgainstLimits(line, depth, size int) error {
	r.left--
	r.bytes -= size
	switch {
	case r.left < 0:
		return r.newTooManyValuesError(line)
	case r.bytes < 0:
		return r.newLimitError(line, "the keys and values of the file have more than %d bytes, those that aliases repeat included", limits.ModelKeysAndValuesBytes)
	case depth > limits.ModelDepth:
		return r.newTooDeepError(line)
	}
	return nil
}

// readJSON reads a JSON text, which must hold one value.
func (r *fileReader) readJSON(text []byte) (*Node, error) {
	root, err := document.ReadJSON(text, document.TreeLimits{Nodes: 2 * limits.ModelNodes, Depth: limits.ModelDepth})
	var syntax *json.SyntaxError
	var limit *document.LimitError
	switch {
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(text[:min(len(text), max(0, int(syntax.Offset)-1))], []byte("\n"))
		return nil, r.newError(line, "the file is not JSON: %s", syntax)
	case errors.As(err, &limit) && limit.TooDeep:
		return nil, r.newTooDeepError(limit.Line)
	case errors.As(err, &limit):
		return nil, r.newTooManyValuesError(limit.Line)
	case err != nil:
		return nil, r.newError(0, "the file is not JSON: %s", err)
	}
	r.json = true
	return r.convertNode(root, 1)
}

func (r *fileReader) readYAML(text []byte) ([]*Node, error) {
	documents, err := document.ReadYAML(text, math.MaxInt)
	if err != nil {
		line := 0
		if mistake := (*document.Error)(nil); errors.As(err, &mistake) {
			line = mistake.Line
		}
		return nil, r.newError(line, "the file is not YAML: %s", err)
	}
	var out []*Node
	for _, d := range documents {
		n, err := r.convertNode(d.Root, 1)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (r *fileReader) convertNode(from *document.Node, depth int) (*Node, error) {
	if err := r.countValueAgainstLimits(int(from.Line), depth, len(from.Value)); err != nil {
		return nil, err
	}
	switch from.Kind {
	case document.AliasNode:
		if r.open[from.Alias] {
			return nil, r.newError(int(from.Line), "the alias *%s is inside of the value that it repeats", from.Value)
		}
		return r.convertNode(from.Alias, depth+1)
	case document.SequenceNode, document.MappingNode:
		r.open[from] = true
		defer delete(r.open, from)
	}
	switch from.Kind {
	case document.SequenceNode:
		n := r.newNode(KindList, int(from.Line))
		for _, item := range from.Content {
			child, err := r.convertNode(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, child)
		}
		return n, nil
	case document.MappingNode:
		return r.readMapping(from, depth)
	}
	n := r.newNode(KindScalar, int(from.Line))
	if from.Tag == "!!null" {
		n.Kind = KindNull
	}
	n.Text, n.Quoted = from.Value, from.Style&^document.TaggedStyle != 0
	return n, nil
}

func (r *fileReader) readMapping(from *document.Node, depth int) (*Node, error) {
	n := r.newNode(KindMap, int(from.Line))
	known := map[string]int{}
	var merged []*Node
	for i := 0; i+1 < len(from.Content); i += 2 {
		key := from.Content[i]
		value, err := r.convertNode(from.Content[i+1], depth+1)
		switch {
		case err != nil:
			return nil, err
		case key.Tag == "!!merge":
			if value.Kind == KindList {
				merged = append(merged, value.Items...)
			} else {
				merged = append(merged, value)
			}
			continue
		case key.Kind != document.ScalarNode:
			return nil, r.newError(int(key.Line), "a key must be text")
		}
		line, twice := known[key.Value]
		switch {
		case twice && r.json:
			return nil, r.newLimitError(int(key.Line), "the key %q is given twice", key.Value)
		case twice:
			return nil, r.newError(int(key.Line), "the key %q is given twice; the first is at line %d", key.Value, line)
		}
		known[key.Value] = int(key.Line)
		n.Members = append(n.Members, MapEntry{key.Value, int(key.Line), value})
	}
	for _, other := range merged {
		if other.Kind != KindMap {
			return nil, r.newError(other.Line, "a merge key takes maps")
		}
		for _, m := range other.Members {
			if _, own := known[m.Key]; own {
				continue
			}
			if err := r.countValueAgainstLimits(m.Line, depth, len(m.Key)); err != nil {
				return nil, err
			}
			known[m.Key] = m.Line
			n.Members = append(n.Members, m)
		}
	}
	return n, nil
}
