package format

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// formatJSON formats a JSON text, which stays JSON.
func formatJSON(source string) (string, error) {
	read, err := document.ReadJSON([]byte(source), document.TreeLimits{Nodes: limits.ModelNodes, Depth: limits.ModelDepth})
	if err != nil {
		_, err := modelspec.Parse([]byte(source)) // which has the same limits
		return "", err
	}
	c := newTextCursor(source)
	root := c.layoutOfJSON(read)
	if root.Kind == layout.MappingNode {
		layout.AssignRoles(root)
		expandShortForms(root)
		layout.SortKeys(root)
	}
	var out strings.Builder
	writeIndentedJSON(&out, root, "")
	out.WriteByte('\n')
	return out.String(), nil
}

// writeIndentedJSON writes a value with a line for each member.
func writeIndentedJSON(out *strings.Builder, n *layout.Node, indent string) {
	if !n.IsCollection() {
		if n.Lines != nil {
			out.WriteString(n.Lines[0])
		} else {
			out.WriteString(quoteJSON(n.Value))
		}
		return
	}
	brackets := "[]"
	if n.Kind == layout.MappingNode {
		brackets = "{}"
	}
	out.WriteString(brackets[:1])
	for i, e := range n.Entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + indent + "  ")
		if e.Key != nil {
			writeIndentedJSON(out, e.Key, "")
			out.WriteString(": ")
		}
		writeIndentedJSON(out, e.Value, indent+"  ")
	}
	if len(n.Entries) > 0 {
		out.WriteString("\n" + indent)
	}
	out.WriteString(brackets[1:])
}

// layoutOfJSON returns a value of the text. The one line of a scalar is its characters in the text.
func (c *textCursor) layoutOfJSON(n *document.Node) *layout.Node {
	out := &layout.Node{Kind: layout.ScalarNode, Tag: n.Tag, Value: n.Value}
	switch n.Kind {
	case document.MappingNode:
		out.Kind = layout.MappingNode
		for i := 0; i < len(n.Content); i += 2 {
			key := c.layoutOfJSON(n.Content[i])
			out.Entries = append(out.Entries, &layout.Entry{Key: key, Value: c.layoutOfJSON(n.Content[i+1])})
		}
		return out
	case document.SequenceNode:
		out.Kind = layout.SequenceNode
		for _, item := range n.Content {
			out.Entries = append(out.Entries, &layout.Entry{Value: c.layoutOfJSON(item)})
		}
		return out
	}
	literal := n.Value
	if n.IsText() {
		start := c.offsetOfNode(n)
		end := start + 1
		for ; c.text[end] != '"'; end++ {
			if c.text[end] == '\\' {
				end++
			}
		}
		literal = c.text[start : end+1]
	}
	out.Lines = []string{literal}
	return out
}
