package modelspec

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/nodes"
	"github.com/semlayer/semlayer/modelspec/internal/yamldocs"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// parseYAML reads the one YAML document of a text.
func parseYAML(text []byte) (*nodes.Node, error) {
	documents, err := yamldocs.Read(text, 2)
	switch {
	case err != nil:
		return nil, yamlFailure(text, err)
	case len(documents) == 0:
		return nil, parseFailure(Position{}, "the text holds only comments")
	case len(documents) > 1:
		second := documents[1]
		return nil, parseFailure(Position{Line: second.Line, Column: second.Column}, "a second YAML document begins here; a model file holds one")
	}
	return nodes.FromYAML(yamldocs.Root(documents[0])), nil
}

func positionOfNode(n *nodes.Node) Position {
	return Position{Line: int(n.Line), Column: int(n.Column)}
}

// yamlFailure restates the library's error as ours, and names "tab" where a tab is the cause.
func yamlFailure(text []byte, err error) *LoadError {
	var where Position
	if failure := (*yamldocs.Error)(nil); errors.As(err, &failure) && failure.Line > 0 {
		where = Position{Line: failure.Line, Column: 1}
	}
	if tab, ok := findTab(text, where.Line); ok {
		return parseFailure(tab, "a tab is used for indentation; YAML takes spaces only")
	}
	return &LoadError{Kind: LoadParse, Position: where, Message: fmt.Sprintf("the text is not YAML: %s", err), err: errors.Unwrap(err)}
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
