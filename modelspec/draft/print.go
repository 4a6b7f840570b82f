package draft

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// Print writes the model in the layout of package format.
func Print(m *Model) []byte {
	root := documentObject(m)
	layout.AssignRoles(root.Node)
	layout.Arrange(root.Node)
	return []byte(printValue(root.Node, m.Comments))
}

// printValue writes a value with the comment lines before it.
func printValue(n *layout.Node, above []string) string {
	return layout.Print(&layout.Document{Head: comments(above), Root: &layout.Entry{Value: n}})
}

// printedLines are the lines of a value.
func printedLines(n *layout.Node) []string {
	return strings.Split(strings.TrimSuffix(printValue(n, nil), "\n"), "\n")
}
