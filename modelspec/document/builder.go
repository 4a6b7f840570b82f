package document

import "sync"

// block is as many nodes as are allocated at a time.
type block [128]Node

// releasedBlocks holds empty blocks. A server that loads a model again needs as many nodes as before.
var releasedBlocks = sync.Pool{New: func() any { return new(block) }}

// TreeBuilder makes the nodes of one tree, in blocks to save allocations. The zero value is ready.
type TreeBuilder struct {
	free   []Node // of the last block
	blocks []*block
	stack  []*Node
}

// Release empties the nodes and leaves them to other trees. Nothing may use the tree from then on.
func (b *TreeBuilder) Release() {
	for _, blk := range b.blocks {
		*blk = block{}
		releasedBlocks.Put(blk)
	}
	*b = TreeBuilder{}
}

// NewNode returns a node at a place of the text.
func (b *TreeBuilder) NewNode(kind Kind, tag string, line, column int) *Node {
	if len(b.free) == 0 {
		blk := releasedBlocks.Get().(*block)
		b.blocks = append(b.blocks, blk)
		b.free = blk[:]
	}
	n := &b.free[0]
	b.free = b.free[1:]
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
