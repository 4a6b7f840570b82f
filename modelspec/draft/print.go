package draft

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// lineWidth is the number of columns that an expression on one line may reach.
const lineWidth = 160

// The columns at which the keys of a field and of a metric begin.
const (
	fieldIndent  = 12
	metricIndent = 8
)

// emptyLine is the comment in the place of an empty line, which the encoder has no way to
// write. No text of a model can be equal to it: comments have no control characters.
const emptyLine = "#\x01"

// Print writes the model in the standard form.
func Print(m *Model) []byte {
	root, tail := tree(m)
	var out strings.Builder
	for line := range strings.Lines(encode(root)) {
		if strings.TrimLeft(line, " ") == emptyLine+"\n" {
			line = "\n"
		}
		out.WriteString(line)
	}
	for _, line := range tail {
		out.WriteString("    " + commentText([]string{line}) + "\n")
	}
	return []byte(out.String())
}

// encode writes a node as YAML with an indentation of two.
func encode(n *yaml.Node) string {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(n); err != nil {
		panic("draft: " + err.Error()) // the nodes of this package have a kind and a tag that match
	}
	return out.String()
}

// oneLine is a key with a value on one line.
func oneLine(key string, value *yaml.Node) string {
	o := newObject(nil)
	o.add(key, value)
	return strings.TrimSuffix(encode(o.Node), "\n")
}

// separated puts an empty line between the items of a list.
func separated(list *yaml.Node) *yaml.Node {
	for i, item := range list.Content {
		if i > 0 {
			item.HeadComment = joinComments(emptyLine, item.HeadComment)
		}
	}
	return list
}

// expression writes an expression on one line while it fits, else a line for each entry
// that fits.
func (o *object) expression(e Expression, indent int) {
	entries := sequence()
	for _, entry := range e {
		x := newObject(nil)
		x.text("dialect", entry.Dialect)
		x.text("expression", entry.Text)
		entries.Content = append(entries.Content, x.Node)
	}
	value := newObject(nil)
	value.add("dialects", entries)
	setStyle(value.Node, yaml.FlowStyle)
	if !fits(oneLine("expression", value.Node), indent, e) {
		setStyle(value.Node, 0)
		for i, entry := range entries.Content {
			entry.Style = yaml.FlowStyle
			if !fits(strings.TrimSuffix(encode(entry), "\n"), indent+len("    - "), e[i:i+1]) {
				entry.Style = 0
			}
		}
	}
	o.add("expression", value.Node)
}

// fits reports whether a line at an indentation fits; a text of several lines does not.
func fits(line string, indent int, e Expression) bool {
	for _, entry := range e {
		if strings.Contains(entry.Text, "\n") {
			return false
		}
	}
	return indent+utf8.RuneCountInString(line) <= lineWidth
}

// setStyle sets the style of the collections of a tree.
func setStyle(n *yaml.Node, style yaml.Style) {
	if n.Kind == yaml.ScalarNode {
		return
	}
	n.Style = style
	for _, child := range n.Content {
		setStyle(child, style)
	}
}
