package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// object is a mapping that is being filled.
type object struct {
	*layout.Node
	// above are comment lines for the next key.
	above []string
}

func newObject() *object {
	return &object{&layout.Node{Kind: layout.MappingNode, Tag: "!!map"}, nil}
}

// add appends a key.
func (o *object) add(key string, value *layout.Node) {
	o.Entries = append(o.Entries, &layout.Entry{Key: scalar(key), Value: value, Head: comments(o.above)})
	o.above = nil
}

// text appends a key with a text, optional unless the text is empty.
func (o *object) text(key, value string) { o.add(key, scalar(value)) }

func (o *object) optional(key, value string) {
	if value != "" {
		o.text(key, value)
	}
}

// names appends a list of texts on one line.
func (o *object) names(key string, values []string) {
	o.add(key, flowList(values))
}

// extension appends the payload of the vendor extension, where there is one.
func (o *object) extension(payload string) {
	if payload == "" {
		return
	}
	entry := newObject()
	entry.text("vendor_name", vendor())
	entry.text("data", payload)
	o.add("custom_extensions", sequence(item(entry, nil)))
}

func sequence(items ...*layout.Entry) *layout.Node {
	return &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq", Entries: items}
}

// item is an object of a sequence, with the comment lines above it.
func item(o *object, above []string) *layout.Entry {
	return &layout.Entry{Value: o.Node, Head: comments(above)}
}

func flowList(values []string) *layout.Node {
	out := blockList(values)
	out.Flow = true
	return out
}

func blockList(values []string) *layout.Node {
	out := sequence()
	for _, value := range values {
		out.Entries = append(out.Entries, &layout.Entry{Value: scalar(value)})
	}
	return out
}

// scalar is a text. One of several lines is written as they are; the layout writes any
// other on one line, in quotes where YAML needs them.
func scalar(text string) *layout.Node {
	n := layout.TextNode(strings.ToValidUTF8(text, "\uFFFD"))
	if hasReadableLines(n.Value) {
		n.Style = layout.LiteralStyle
		n.Lines = strings.Split(strings.TrimSuffix(n.Value, "\n"), "\n")
	}
	return n
}

// hasReadableLines reports whether a text has several lines, or a line end, and YAML keeps all
// of them without escapes.
func hasReadableLines(text string) bool {
	lines := strings.Split(text, "\n")
	if len(lines) == 1 || lines[0] == "" || strings.HasSuffix(text, "\n\n") {
		return false
	}
	return !slices.ContainsFunc(lines, func(line string) bool {
		return line != strings.TrimRight(line, " ") || strings.ContainsFunc(line, needsEscape)
	}) && lines[0] == strings.TrimLeft(lines[0], " ")
}

func needsEscape(r rune) bool {
	switch r {
	case '\u2028', '\u2029', '\uFEFF', '\uFFFE', '\uFFFF':
		return true
	}
	return unicode.IsControl(r)
}

// commentLines makes comment lines of texts. A text that holds a line break is several.
func commentLines(texts []string) []string {
	var out []string
	for _, text := range texts {
		for part := range strings.SplitSeq(strings.ToValidUTF8(text, "\uFFFD"), "\n") {
			part = strings.TrimRightFunc(strings.Map(spaceForControl, part), unicode.IsSpace)
			if part != "" {
				part = " " + part
			}
			out = append(out, "#"+part)
		}
	}
	return out
}

func comments(texts []string) []layout.Comment {
	var out []layout.Comment
	for _, line := range commentLines(texts) {
		out = append(out, layout.Comment{Text: line})
	}
	return out
}

func spaceForControl(r rune) rune {
	if needsEscape(r) {
		return ' '
	}
	return r
}
