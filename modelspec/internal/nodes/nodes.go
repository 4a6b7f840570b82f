// Package nodes allocates the trees of large texts in slabs: one allocation for
// many nodes, and one for the children of each collection.
package nodes

import "go.yaml.in/yaml/v3"

// Builder makes the nodes of one tree. The zero value is ready.
type Builder struct {
	slab  []Node
	stack []*Node
}

// New returns a node at a place of the text.
func (b *Builder) New(kind yaml.Kind, tag string, line, column int) *Node {
	if len(b.slab) == 0 {
		b.slab = make([]Node, 128)
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	n.Kind, n.Tag, n.Line, n.Column = kind, tag, int32(line), int32(column)
	return n
}

// Mark remembers where the children of a collection begin.
func (b *Builder) Mark() int { return len(b.stack) }

// Add adds a child to the collection whose children began last.
func (b *Builder) Add(n ...*Node) { b.stack = append(b.stack, n...) }

// Close gives a collection the children added since mark.
func (b *Builder) Close(n *Node, mark int) {
	if len(b.stack) > mark {
		n.Content = append(make([]*Node, 0, len(b.stack)-mark), b.stack[mark:]...)
		b.stack = b.stack[:mark]
	}
}
