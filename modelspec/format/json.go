package format

import (
	"encoding/json"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// formatJSON formats a JSON text, which stays JSON.
func formatJSON(source string) (string, error) {
	r := jsonReader{text: source}
	root, err := r.readValue(1)
	if err != nil {
		return "", err
	}
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

// jsonReader reads a valid JSON text.
type jsonReader struct {
	text  string
	pos   int
	count int
}

// checkValueLimits counts a value at a depth.
func (r *jsonReader) checkValueLimits(depth int) error {
	if r.count++; r.count > limits.ModelNodes || depth > limits.ModelDepth {
		_, err := modelspec.Parse([]byte(r.text)) // which has the same limits
		return err
	}
	return nil
}

func (r *jsonReader) skipPunctuation() {
	for r.pos < len(r.text) && strings.IndexByte(" \t\n,:", r.text[r.pos]) >= 0 {
		r.pos++
	}
}

func (r *jsonReader) readValue(depth int) (*layout.Node, error) {
	r.skipPunctuation()
	if err := r.checkValueLimits(depth); err != nil {
		return nil, err
	}
	switch r.text[r.pos] {
	case '{', '[':
		n := &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq"}
		if r.text[r.pos] == '{' {
			n.Kind, n.Tag = layout.MappingNode, "!!map"
		}
		r.pos++
		for r.skipPunctuation(); r.text[r.pos] != '}' && r.text[r.pos] != ']'; r.skipPunctuation() {
			e := &layout.Entry{}
			var err error
			if n.Kind == layout.MappingNode {
				e.Key = r.readScalar()
				r.skipPunctuation()
			}
			if e.Value, err = r.readValue(depth + 1); err != nil {
				return nil, err
			}
			n.Entries = append(n.Entries, e)
		}
		r.pos++
		return n, nil
	}
	return r.readScalar(), nil
}

// readScalar reads a scalar. Its one line is the characters of the text.
func (r *jsonReader) readScalar() *layout.Node {
	start := r.pos
	if r.text[start] == '"' {
		for r.pos++; r.text[r.pos] != '"'; r.pos++ {
			if r.text[r.pos] == '\\' {
				r.pos++
			}
		}
		r.pos++
	} else {
		for r.pos < len(r.text) && strings.IndexByte(" \t\n,]}", r.text[r.pos]) < 0 {
			r.pos++
		}
	}
	literal := r.text[start:r.pos]
	n := &layout.Node{Value: literal, Lines: []string{literal}}
	switch literal[0] {
	case '"':
		n.Tag = "!!str"
		_ = json.Unmarshal([]byte(literal), &n.Value) // the text is valid
	case 't', 'f':
		n.Tag = "!!bool"
	case 'n':
		n.Tag = "!!null"
	default:
		n.Tag = "!!int"
		if strings.ContainsAny(literal, ".eE") {
			n.Tag = "!!float"
		}
	}
	return n
}
