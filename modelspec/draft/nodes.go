package draft

import (
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// object is a YAML mapping that is being filled.
type object struct {
	*yaml.Node
	// above are comment lines for the next key.
	above []string
}

func newObject(comments []string) *object {
	return &object{&yaml.Node{Kind: yaml.MappingNode, HeadComment: commentText(comments)}, nil}
}

// add appends a key.
func (o *object) add(key string, value *yaml.Node) {
	name := scalar(key)
	name.HeadComment = commentText(o.above)
	o.above = nil
	o.Content = append(o.Content, name, value)
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
	entry := newObject(nil)
	entry.text("vendor_name", vendor())
	entry.text("data", payload)
	o.add("custom_extensions", sequence(entry.Node))
}

func sequence(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: items}
}

func flowList(values []string) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, value := range values {
		out.Content = append(out.Content, scalar(value))
	}
	return out
}

// scalar is a text, quoted where YAML needs it. Text with characters that a YAML reader
// could take for a line break is written with escapes.
func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(strings.ToValidUTF8(text, "\uFFFD"))
	if strings.ContainsFunc(text, needsEscape) || hasOtherMeaning(text) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func needsEscape(r rune) bool {
	switch r {
	case '\n':
		return false
	case '\u2028', '\u2029', '\uFEFF', '\uFFFE', '\uFFFF':
		return true
	}
	return unicode.IsControl(r)
}

// hasOtherMeaning reports whether a reader takes the plain text for something else: a
// merge key, and by YAML 1.1 a boolean.
func hasOtherMeaning(text string) bool {
	switch strings.ToLower(text) {
	case "<<", "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

// commentText joins comment lines. A line that holds a line break is several.
func commentText(lines []string) string {
	var out []string
	for _, line := range lines {
		for part := range strings.SplitSeq(strings.ToValidUTF8(line, "\uFFFD"), "\n") {
			part = strings.TrimRightFunc(strings.Map(spaceForControl, part), unicode.IsSpace)
			if part != "" {
				part = " " + part
			}
			out = append(out, "#"+part)
		}
	}
	return strings.Join(out, "\n")
}

func spaceForControl(r rune) rune {
	if needsEscape(r) {
		return ' '
	}
	return r
}
