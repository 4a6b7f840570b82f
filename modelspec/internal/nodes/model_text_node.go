package nodes

import "go.yaml.in/yaml/v3"

// Node is a value of a model's text and its position. It is yaml.Node without the parts
// that a model does not need, such as comments: half the size, and a large model has
// hundreds of thousands.
type Node struct {
	Kind         yaml.Kind
	Style        yaml.Style
	Line, Column int32
	Tag          string
	Value        string
	Content      []*Node
	Alias        *Node // what an alias stands for
}

// FromYAML copies the tree that the library reads. An anchor inside of the
// value that it names makes a cycle, in the copy as well.
func FromYAML(b *YAMLTreeBuilder, root *yaml.Node) *Node {
	c := yamlTreeCopier{b, map[*yaml.Node]*Node{}}
	return c.copyYAMLTree(root)
}

type yamlTreeCopier struct {
	*YAMLTreeBuilder
	seen map[*yaml.Node]*Node // those that aliases may stand for
}

func (c *yamlTreeCopier) copyYAMLTree(from *yaml.Node) *Node {
	if n := c.seen[from]; n != nil {
		return n
	}
	n := c.NewNode(from.Kind, from.Tag, from.Line, from.Column)
	n.Style, n.Value = from.Style, from.Value
	if from.Anchor != "" {
		c.seen[from] = n
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
