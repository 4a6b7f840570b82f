package document

import (
	"sort"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Kind is the kind of a node.
type Kind uint32

// The kinds.
const (
	SequenceNode = Kind(yaml.SequenceNode)
	MappingNode  = Kind(yaml.MappingNode)
	ScalarNode   = Kind(yaml.ScalarNode)
	AliasNode    = Kind(yaml.AliasNode)
)

// Style is how a value is written.
type Style uint32

// The styles.
const (
	TaggedStyle       = Style(yaml.TaggedStyle)
	DoubleQuotedStyle = Style(yaml.DoubleQuotedStyle)
	SingleQuotedStyle = Style(yaml.SingleQuotedStyle)
	LiteralStyle      = Style(yaml.LiteralStyle)
	FoldedStyle       = Style(yaml.FoldedStyle)
	FlowStyle         = Style(yaml.FlowStyle)
)

// Node is a value of a document and its position. It has no comments: a large model has hundreds of
// thousands of nodes.
type Node struct {
	Kind         Kind
	Style        Style
	Line, Column int32 // from 1
	Tag          string
	Value        string
	Content      []*Node // of a list: the items; of a mapping: keys and values in turn
	Alias        *Node   // what an alias stands for
}

// FollowAlias returns the node that an alias stands for, and any other node itself.
func (n *Node) FollowAlias() *Node {
	for n.Kind == AliasNode {
		n = n.Alias
	}
	return n
}

// IsText reports whether a node is a string.
func (n *Node) IsText() bool { return n.Kind == ScalarNode && n.Tag == "!!str" }

// IsBool reports whether a node is true or false.
func (n *Node) IsBool() bool { return n.Kind == ScalarNode && n.Tag == "!!bool" }

// IsNumber reports whether a node is a number.
func (n *Node) IsNumber() bool {
	return n.Kind == ScalarNode && (n.Tag == "!!int" || n.Tag == "!!float")
}

// IsNull reports whether a node is null.
func (n *Node) IsNull() bool { return n.Kind == ScalarNode && n.Tag == "!!null" }

// Member returns the value of a key of a mapping, nil where there is none. Merge keys are not followed.
func (n *Node) Member(key string) *Node {
	if n.Kind == MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// PathTo returns the path to a value of a tree that is in the order of its text: ".window.offset[2]", "" for the node itself.
func (n *Node) PathTo(value *Node) string {
	var path []byte
	for n != value && len(n.Content) > 0 {
		step := 1
		if n.Kind == MappingNode {
			step = 2
		}
		last := len(n.Content)/step - 1
		// The value is in the last of those that begin before it.
		i := sort.Search(last, func(i int) bool { return n.Content[(i+1)*step].isBehind(value) })
		if n.Kind == MappingNode {
			path = append(append(path, '.'), n.Content[i*step].Value...)
		} else {
			path = append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
		}
		n = n.Content[(i+1)*step-1]
	}
	return string(path)
}

// isBehind reports whether a node begins behind another one.
func (n *Node) isBehind(other *Node) bool {
	return n.Line > other.Line || n.Line == other.Line && n.Column > other.Column
}

// Decode stores a value without aliases in a Go variable, as the YAML library converts it.
func (n *Node) Decode(to any) error { return n.libraryNode().Decode(to) }

// yamlTreeCopier copies the tree that the library reads. An anchor inside of the value that it names makes a
// cycle, in the copy as well.
type yamlTreeCopier struct {
	*TreeBuilder
	seen    map[*yaml.Node]*Node // those that aliases may stand for
	anchors map[*Node]string     // nil without one
}

func (c *yamlTreeCopier) copyYAMLTree(from *yaml.Node) *Node {
	if n := c.seen[from]; n != nil {
		return n
	}
	n := c.NewNode(Kind(from.Kind), from.Tag, from.Line, from.Column)
	n.Style, n.Value = Style(from.Style), from.Value
	if from.Anchor != "" {
		c.seen[from] = n
		if c.anchors == nil {
			c.anchors = map[*Node]string{}
		}
		c.anchors[n] = from.Anchor
	}
	if from.Alias != nil {
		n.Alias = c.copyYAMLTree(from.Alias)
	}
	mark := c.BeginChildren()
	for _, child := range from.Content {
		c.AddChild(c.copyYAMLTree(child))
	}
	c.Close(n, mark)
	return n
}

// Describe returns what a node holds, in words for the author of the text: "a list", "the number 3".
func (n *Node) Describe() string {
	switch n.Kind {
	case MappingNode:
		return "an object"
	case SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "null"
	case "!!bool":
		return "the boolean " + n.Value
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!timestamp":
		return "the date " + n.Value
	case "!!str":
		return "a string"
	}
	return "a " + n.Tag
}
