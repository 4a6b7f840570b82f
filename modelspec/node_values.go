package modelspec

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
)

// nodeToGoValue turns a node into the values encoding/json would give, except that
// integers stay integers and large ones keep their digits.
func nodeToGoValue(n *document.Node) any {
	n = n.FollowAlias()
	switch n.Kind {
	case document.MappingNode:
		members := n.Members()
		m := make(map[string]any, len(members)/2)
		for i := 0; i < len(members); i += 2 {
			m[members[i].Value] = nodeToGoValue(members[i+1])
		}
		return m
	case document.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = nodeToGoValue(item)
		}
		return list
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int":
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return i
		}
		if i, ok := new(big.Int).SetString(n.Value, 0); ok {
			return i
		}
	case "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && f-f == 0 {
			return f
		}
	}
	return n.Value
}
