package importer

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/yamldocs"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// Read reads the documents of a file, YAML or JSON. Aliases and merge keys are resolved. order
// is the number of the file among the sources: the report is sorted by it. Errors are *Error.
func Read(s Source, order int) (documents []*Node, err error) {
	if i := bytes.IndexByte(s.Text, 0); i >= 0 || !utf8.Valid(s.Text) {
		return nil, &Error{File: s.Name, Message: "the file is not UTF-8 text"}
	}
	text := bytes.TrimPrefix(s.Text, []byte("\uFEFF"))
	r := reader{file: s.Name, order: order, left: limits.ModelNodes, bytes: limits.ModelValueBytes, open: map[*yaml.Node]bool{}}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		root, jsonErr := r.json(text)
		if jsonErr == nil {
			return []*Node{root}, nil
		}
		if limit := (*Error)(nil); errors.As(jsonErr, &limit) && limit.limit {
			return nil, jsonErr
		}
		if documents, err := r.yaml(text); err == nil {
			return documents, nil
		}
		return nil, jsonErr
	}
	return r.yaml(text)
}

// reader reads one file. left and bytes count down to its limits.
type reader struct {
	file        string
	order       int
	left, bytes int
	open        map[*yaml.Node]bool // the anchors around the node that is read
}

func (r *reader) fail(line int, format string, args ...any) *Error {
	return &Error{File: r.file, Line: line, Message: fmt.Sprintf(format, args...)}
}

func (r *reader) failLimit(line int, format string, args ...any) *Error {
	e := r.fail(line, format, args...)
	e.limit = true
	return e
}

func (r *reader) node(kind Kind, line int) *Node {
	return &Node{File: r.file, Line: line, Kind: kind, order: r.order}
}

// count takes a value of a number of bytes off the limits.
func (r *reader) count(line, depth, size int) error {
	r.left--
	r.bytes -= size
	switch {
	case r.left < 0:
		return r.failLimit(line, "the file holds more than %d keys and values, those that aliases repeat included", limits.ModelNodes)
	case r.bytes < 0:
		return r.failLimit(line, "the keys and values of the file have more than %d bytes, those that aliases repeat included", limits.ModelValueBytes)
	case depth > limits.ModelDepth:
		return r.failLimit(line, "the file is nested deeper than %d levels", limits.ModelDepth)
	}
	return nil
}

func (r *reader) yaml(text []byte) ([]*Node, error) {
	documents, err := yamldocs.Read(text, math.MaxInt)
	if err != nil {
		line := 0
		if failure := (*yamldocs.Error)(nil); errors.As(err, &failure) {
			line = failure.Line
		}
		return nil, r.fail(line, "the file is not YAML: %s", err)
	}
	var out []*Node
	for _, document := range documents {
		n, err := r.fromYAML(yamldocs.Root(document), 1)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (r *reader) fromYAML(from *yaml.Node, depth int) (*Node, error) {
	if err := r.count(from.Line, depth, len(from.Value)); err != nil {
		return nil, err
	}
	switch from.Kind {
	case yaml.AliasNode:
		if r.open[from.Alias] {
			return nil, r.fail(from.Line, "the alias *%s is inside of the value that it repeats", from.Value)
		}
		return r.fromYAML(from.Alias, depth+1)
	case yaml.SequenceNode, yaml.MappingNode:
		r.open[from] = true
		defer delete(r.open, from)
	}
	switch from.Kind {
	case yaml.SequenceNode:
		n := r.node(List, from.Line)
		for _, item := range from.Content {
			child, err := r.fromYAML(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, child)
		}
		return n, nil
	case yaml.MappingNode:
		return r.mapping(from, depth)
	}
	n := r.node(Scalar, from.Line)
	if from.Tag == "!!null" {
		n.Kind = Null
	}
	n.Text, n.Quoted = from.Value, from.Style&^yaml.TaggedStyle != 0
	return n, nil
}

func (r *reader) mapping(from *yaml.Node, depth int) (*Node, error) {
	n := r.node(Map, from.Line)
	known := map[string]int{}
	var merged []*Node
	for i := 0; i+1 < len(from.Content); i += 2 {
		key := from.Content[i]
		value, err := r.fromYAML(from.Content[i+1], depth+1)
		switch {
		case err != nil:
			return nil, err
		case key.Tag == "!!merge":
			if value.Kind == List {
				merged = append(merged, value.Items...)
			} else {
				merged = append(merged, value)
			}
			continue
		case key.Kind != yaml.ScalarNode:
			return nil, r.fail(key.Line, "a key must be text")
		}
		if line, twice := known[key.Value]; twice {
			return nil, r.fail(key.Line, "the key %q is given twice; the first is at line %d", key.Value, line)
		}
		known[key.Value] = key.Line
		n.Members = append(n.Members, Member{key.Value, key.Line, value})
	}
	for _, other := range merged {
		if other.Kind != Map {
			return nil, r.fail(other.Line, "a merge key takes maps")
		}
		for _, m := range other.Members {
			if _, own := known[m.Key]; own {
				continue
			}
			if err := r.count(m.Line, depth, len(m.Key)); err != nil {
				return nil, err
			}
			known[m.Key] = m.Line
			n.Members = append(n.Members, m)
		}
	}
	return n, nil
}
