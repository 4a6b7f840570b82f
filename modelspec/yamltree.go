package modelspec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/nodes"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// parseYAML reads the one YAML document of a text.
func parseYAML(text []byte) (root *nodes.Node, err error) {
	// The library reports its own bugs on hostile input by panicking; a text
	// that does that to it is not one we can read.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, parseFailure(Position{}, "the text is not YAML: the parser gave up (%v)", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, parseFailure(Position{}, "the text holds only comments")
		}
		return nil, yamlFailure(text, err)
	}
	var second yaml.Node
	switch err := dec.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, yamlFailure(text, err)
	default:
		return nil, parseFailure(Position{Line: second.Line, Column: second.Column}, "a second YAML document begins here; a model file holds one")
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		return nodes.FromYAML(doc.Content[0]), nil
	}
	return nodes.FromYAML(&doc), nil
}

func positionOfNode(n *nodes.Node) Position {
	return Position{Line: int(n.Line), Column: int(n.Column)}
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlFailure restates the library's error as ours, with the position taken
// out of its text, and names "tab" where a tab is the cause.
func yamlFailure(text []byte, err error) *LoadError {
	message := err.Error()
	var where Position
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		message = message[len(m[0]):]
		if line, convErr := strconv.Atoi(m[1]); convErr == nil {
			where = Position{Line: line, Column: 1}
		}
	}
	if tab, ok := findTab(text, where.Line); ok {
		return parseFailure(tab, "a tab is used for indentation; YAML takes spaces only")
	}
	return &LoadError{Kind: LoadParse, Position: where, Message: fmt.Sprintf("the text is not YAML: %s", message), err: err}
}

// findTab looks for a tab in the indentation of the blamed line or its
// neighbours: the library counts lines from different places.
func findTab(text []byte, line int) (Position, bool) {
	for i, l := range strings.Split(string(text), "\n") {
		if line > 0 && (i+1 < line-1 || i+1 > line+1) {
			continue
		}
		indentation := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if column := strings.IndexByte(indentation, '\t'); column >= 0 {
			return Position{Line: i + 1, Column: column + 1}, true
		}
	}
	return Position{}, false
}

// checkTree holds the limits that the library does not: depth, the size of
// what aliases expand to, repeated keys, keys that are not text.
func checkTree(root *nodes.Node) error {
	c := treeCheck{left: MaxNodes, bytes: limits.ModelValueBytes}
	return c.walk(root, 1)
}

// treeCheck holds the remainder of each bound.
type treeCheck struct{ left, bytes int }

func (c *treeCheck) walk(n *nodes.Node, depth int) error {
	if c.left--; c.left < 0 {
		return tooManyNodesError(positionOfNode(n))
	}
	if n.Kind == yaml.ScalarNode {
		c.bytes -= len(n.Value)
	}
	if c.bytes < 0 {
		return parseFailure(positionOfNode(n), "the keys and values of the text have more than %d bytes, those that aliases repeat included", limits.ModelValueBytes)
	}
	if depth > MaxDepth {
		return parseFailure(positionOfNode(n), "the text is nested deeper than %d levels", MaxDepth)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.walk(n.Alias, depth+1)
	case yaml.MappingNode:
		if err := checkKeys(n); err != nil {
			return err
		}
	}
	for _, child := range n.Content {
		if err := c.walk(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func tooManyNodesError(p Position) *LoadError {
	return parseFailure(p, "the text holds more than %d keys and values, those that aliases repeat included", MaxNodes)
}

// checkKeys compares few keys by pairs and many by a set: objects have few.
func checkKeys(n *nodes.Node) error {
	var seen map[string]*nodes.Node
	if len(n.Content) > 40 {
		seen = make(map[string]*nodes.Node, len(n.Content)/2)
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return parseFailure(positionOfNode(key), "a key must be text")
		}
		var first *nodes.Node
		if seen != nil {
			first = seen[key.Value]
			seen[key.Value] = key
		} else {
			for j := 0; j < i; j += 2 {
				if n.Content[j].Value == key.Value {
					first = n.Content[j]
					break
				}
			}
		}
		if first != nil {
			return parseFailure(positionOfNode(key), "the key %q is given twice; the first is at line %d, column %d", key.Value, first.Line, first.Column)
		}
	}
	return nil
}
