package draft

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// PrintModel writes the model in the layout of package format.
func PrintModel(m *Model) []byte {
	root := newDocumentMapping(m)
	layout.AssignRoles(root.Node)
	layout.SortKeys(root.Node)
	return []byte(printNodeWithComments(root.Node, m.Comments))
}

// printNodeWithComments writes a value with the comment lines before it.
func printNodeWithComments(n *layout.Node, above []string) string {
	return layout.Print(&layout.Document{Head: newLayoutComments(above), Root: &layout.Entry{Value: n}})
}

// linesOfPrintedValue returns the lines of a value.
func linesOfPrintedValue(n *layout.Node) []string {
	return strings.Split(strings.TrimSuffix(printNodeWithComments(n, nil), "\n"), "\n")
}
