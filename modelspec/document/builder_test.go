package document_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/document"
)

// A tree that is built of released nodes holds nothing of the tree before.
func TestTreeBuilder_ReleasedNodesAreEmpty(t *testing.T) {
	for range 3 {
		var b document.TreeBuilder
		for range 1000 {
			n := b.NewNode(document.ScalarNode, "!!str", 1, 2)
			if n.Value != "" || n.Content != nil || n.Alias != nil || n.Style != 0 {
				t.Fatalf("a new node holds %+v", n)
			}
			mark := b.BeginChildren()
			b.AddChild(n)
			b.Close(n, mark)
			n.Value, n.Alias, n.Style = "x", n, document.LiteralStyle
		}
		b.Release()
	}
}
