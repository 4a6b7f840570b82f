// Package nodes allocates the nodes of large syntax trees in blocks, to save allocations.
package nodes

import "go.yaml.in/yaml/v3"

// TreeBuilder makes the nodes of one tree. The zero value is ready.
type TreeBuilder struct {
	slab  []Node
	stack []*Node
}

// NewNode returns a node at a place of the text.
func (b *TreeBuilder) NewNode(kind yaml.Kind, tag string, line, column int) *Node {
	if len(b.slab) == 0 {
		b.slab = make([]Node, 128)
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	n.Kind, n.Tag, n.Line, n.Column = kind, tag, int32(line), int32(column)
	return n
}

// BeginChildren remembers where the children of a collection begin.
func (b *TreeBuilder) BeginChildren() int { return len(b.stack) }

// AddChild adds a child to the collection whose children began last.
func (b *TreeBuilder) AddChild(n ...*Node) { b.stack = append(b.stack, n...) }

// Close gives a collection the children added since mark.
func (b *TreeBuilder) Close(n *Node, mark int) {
	if len(b.stack) > mark {
		n.Content = append(make([]*Node, 0, len(b.stack)-mark), b.stack[mark:]...)
		b.stack = b.stack[:mark]
	}
}
