package modelspec

import (
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// parseYAML reads the one YAML document of a text.
func parseYAML(b *document.TreeBuilder, text []byte) (*document.Node, error) {
	documents, err := b.ReadYAML(text, 2)
	switch {
	case err != nil:
		return nil, yamlParseError(err)
	case len(documents) == 0:
		return nil, newParseError(Position{}, "the text holds only comments")
	case len(documents) > 1:
		second := documents[1]
		return nil, newParseError(Position{Line: second.Line, Column: second.Column}, "a second YAML document begins here; a file holds one")
	}
	return documents[0].Root, nil
}

// parseJSON reads a JSON text.
func parseJSON(b *document.TreeBuilder, text []byte) (*document.Node, error) {
	root, err := b.ReadJSON(text, document.TreeLimits{Nodes: MaxModelNodes, Depth: MaxModelDepth})
	var mistake *document.Error
	var limit *document.LimitError
	switch {
	case errors.As(err, &mistake):
		return nil, &LoadError{Kind: LoadErrorParse, Position: Position{mistake.Line, mistake.Column}, Message: "the text is not JSON: " + mistake.Message, err: mistake.Unwrap()}
	case errors.As(err, &limit) && limit.TooDeep:
		return nil, tooDeepError(Position{limit.Line, limit.Column})
	case errors.As(err, &limit):
		return nil, tooManyNodesError(Position{limit.Line, limit.Column})
	}
	return root, nil
}

func positionOfNode(n *document.Node) Position {
	return Position{Line: int(n.Line), Column: int(n.Column)}
}

// yamlParseError restates the library's error as ours.
func yamlParseError(err error) *LoadError {
	out := &LoadError{Kind: LoadErrorParse, Message: fmt.Sprintf("the text is not YAML: %s", err), err: errors.Unwrap(err)}
	if failure := (*document.Error)(nil); errors.As(err, &failure) {
		out.Position, out.Hint = Position{Line: failure.Line, Column: failure.Column}, failure.Hint
	}
	return out
}

// checkTreeLimits holds the limits that the library does not: depth, the size of
// what aliases expand to, repeated keys, keys that are not text.
func checkTreeLimits(root *document.Node) error {
	c := remainingTreeLimits{left: MaxModelNodes, bytes: limits.ModelKeysAndValuesBytes}
	return c.countNodeAgainstLimits(root, 1)
}

// remainingTreeLimits holds the remainder of each bound.
type remainingTreeLimits struct{ left, bytes int }

func (c *remainingTreeLimits) countNodeAgainstLimits(n *document.Node, depth int) error {
	if c.left--; c.left < 0 {
		return tooManyNodesError(positionOfNode(n))
	}
	if n.Kind == document.ScalarNode {
		c.bytes -= len(n.Value)
	}
	if c.bytes < 0 {
		return newParseError(positionOfNode(n), "the keys and values of the text have more than %d bytes, those that aliases repeat included", limits.ModelKeysAndValuesBytes)
	}
	if depth > MaxModelDepth {
		return tooDeepError(positionOfNode(n))
	}
	switch n.Kind {
	case document.AliasNode:
		return c.countNodeAgainstLimits(n.Alias, depth+1)
	case document.MappingNode:
		switch key, earlier := n.FirstBadKey(); {
		case earlier != nil:
			return newParseError(positionOfNode(key), "the key %q is given twice; the first is at line %d, column %d", key.Value, earlier.Line, earlier.Column)
		case key != nil:
			return newParseError(positionOfNode(key), "a key must be text")
		}
	}
	for _, child := range n.Content {
		if err := c.countNodeAgainstLimits(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func tooManyNodesError(p Position) *LoadError {
	return newParseError(p, "the text holds more than %d keys and values, those that aliases repeat included", MaxModelNodes)
}

func tooDeepError(p Position) *LoadError {
	return newParseError(p, "the text is nested deeper than %d levels", MaxModelDepth)
}
