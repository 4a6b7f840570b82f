package document

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// NewText returns a text, in the style in which YAML writes it.
func NewText(value string) *Node {
	var n yaml.Node
	_ = n.Encode(value) // a text always encodes
	return &Node{Kind: ScalarNode, Tag: n.Tag, Style: Style(n.Style), Value: n.Value}
}

// NewMapping returns a mapping of keys and values in turn.
func NewMapping(members ...*Node) *Node {
	return &Node{Kind: MappingNode, Tag: "!!map", Content: members}
}

// NewList returns a list.
func NewList(items ...*Node) *Node {
	return &Node{Kind: SequenceNode, Tag: "!!seq", Content: items}
}

// Print writes a tree without aliases as YAML, in which each level is indented by some spaces.
func Print(root *Node, indent int) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(indent)
	if err := encoder.Encode(root.libraryNode()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (n *Node) libraryNode() *yaml.Node {
	if n.Kind == AliasNode {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	out := &yaml.Node{Kind: yaml.Kind(n.Kind), Style: yaml.Style(n.Style), Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		out.Content = append(out.Content, child.libraryNode())
	}
	return out
}
