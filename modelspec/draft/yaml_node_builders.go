package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// mappingNodeBuilder is a mapping that is being filled.
type mappingNodeBuilder struct {
	*layout.Node
	// above are comment lines for the next key.
	above []string
}

func newMappingNodeBuilder() *mappingNodeBuilder {
	return &mappingNodeBuilder{&layout.Node{Kind: layout.MappingNode, Tag: "!!map"}, nil}
}

// addMember appends a key.
func (o *mappingNodeBuilder) addMember(key string, value *layout.Node) {
	o.Entries = append(o.Entries, &layout.Entry{Key: newTextNode(key), Value: value, Head: newLayoutComments(o.above)})
	o.above = nil
}

// addTextMember appends a key with a text, optional unless the text is empty.
func (o *mappingNodeBuilder) addTextMember(key, value string) { o.addMember(key, newTextNode(value)) }

func (o *mappingNodeBuilder) addNonEmptyTextMember(key, value string) {
	if value != "" {
		o.addTextMember(key, value)
	}
}

// addTextListMember appends a list of texts on one line.
func (o *mappingNodeBuilder) addTextListMember(key string, values []string) {
	o.addMember(key, newFlowListNode(values))
}

// addExtensionPayload appends the payload of the vendor extension, where there is one.
func (o *mappingNodeBuilder) addExtensionPayload(payload string) {
	if payload == "" {
		return
	}
	entry := newMappingNodeBuilder()
	entry.addTextMember("vendor_name", extensionVendorName())
	entry.addTextMember("data", payload)
	o.addMember("custom_extensions", newSequenceNode(newSequenceItem(entry, nil)))
}

func newSequenceNode(items ...*layout.Entry) *layout.Node {
	return &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq", Entries: items}
}

// newSequenceItem returns an object of a sequence, with the comment lines above it.
func newSequenceItem(o *mappingNodeBuilder, above []string) *layout.Entry {
	return &layout.Entry{Value: o.Node, Head: newLayoutComments(above)}
}

func newFlowListNode(values []string) *layout.Node {
	out := newBlockListNode(values)
	out.Flow = true
	return out
}

func newBlockListNode(values []string) *layout.Node {
	out := newSequenceNode()
	for _, value := range values {
		out.Entries = append(out.Entries, &layout.Entry{Value: newTextNode(value)})
	}
	return out
}

// newTextNode returns a text. One of several lines is written as they are; the layout writes any
// other on one line, in quotes where YAML needs them.
func newTextNode(text string) *layout.Node {
	n := layout.NewTextNode(strings.ToValidUTF8(text, "\uFFFD"))
	if fitsBlockScalar(n.Value) {
		n.Style = layout.LiteralStyle
		n.Lines = strings.Split(strings.TrimSuffix(n.Value, "\n"), "\n")
	}
	return n
}

// fitsBlockScalar reports whether a text has several lines, or a line end, and YAML keeps all
// of them without escapes.
func fitsBlockScalar(text string) bool {
	lines := strings.Split(text, "\n")
	if len(lines) == 1 || lines[0] == "" || strings.HasSuffix(text, "\n\n") {
		return false
	}
	return !slices.ContainsFunc(lines, func(line string) bool {
		return line != strings.TrimRight(line, " ") || strings.ContainsFunc(line, needsYAMLEscape)
	}) && lines[0] == strings.TrimLeft(lines[0], " ")
}

func needsYAMLEscape(r rune) bool {
	switch r {
	case '\u2028', '\u2029', '\uFEFF', '\uFFFE', '\uFFFF':
		return true
	}
	return unicode.IsControl(r)
}

// splitIntoCommentLines makes comment lines of texts. A text that holds a line break is several.
func splitIntoCommentLines(texts []string) []string {
	var out []string
	for _, text := range texts {
		for part := range strings.SplitSeq(strings.ToValidUTF8(text, "\uFFFD"), "\n") {
			part = strings.TrimRightFunc(strings.Map(replaceControlCharacter, part), unicode.IsSpace)
			if part != "" {
				part = " " + part
			}
			out = append(out, "#"+part)
		}
	}
	return out
}

func newLayoutComments(texts []string) []layout.Comment {
	var out []layout.Comment
	for _, line := range splitIntoCommentLines(texts) {
		out = append(out, layout.Comment{Text: line})
	}
	return out
}

func replaceControlCharacter(r rune) rune {
	if needsYAMLEscape(r) {
		return ' '
	}
	return r
}
