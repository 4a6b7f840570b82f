package format

import (
	"encoding/json"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// formatJSON formats a JSON text, which stays JSON.
func formatJSON(source string) (string, error) {
	r := jsonReader{text: source}
	root, err := r.value(1)
	if err != nil {
		return "", err
	}
	if root.kind == mappingNode {
		assignRoles(root)
		expand(root)
		arrange(root)
	}
	var out strings.Builder
	writeJSON(&out, root, "")
	out.WriteByte('\n')
	return out.String(), nil
}

// writeJSON writes a value with a line for each member.
func writeJSON(out *strings.Builder, n *node, indent string) {
	if !n.isCollection() {
		if n.lines != nil {
			out.WriteString(n.lines[0])
		} else {
			out.WriteString(quoteJSON(n.value))
		}
		return
	}
	brackets := "[]"
	if n.kind == mappingNode {
		brackets = "{}"
	}
	out.WriteString(brackets[:1])
	for i, e := range n.entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + indent + "  ")
		if e.key != nil {
			writeJSON(out, e.key, "")
			out.WriteString(": ")
		}
		writeJSON(out, e.value, indent+"  ")
	}
	if len(n.entries) > 0 {
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

// bound counts a value at a depth.
func (r *jsonReader) bound(depth int) error {
	if r.count++; r.count > limits.ModelNodes || depth > limits.ModelDepth {
		_, err := modelspec.Parse([]byte(r.text)) // which has the same limits
		return err
	}
	return nil
}

func (r *jsonReader) skip() {
	for r.pos < len(r.text) && strings.IndexByte(" \t\n,:", r.text[r.pos]) >= 0 {
		r.pos++
	}
}

func (r *jsonReader) value(depth int) (*node, error) {
	r.skip()
	if err := r.bound(depth); err != nil {
		return nil, err
	}
	switch r.text[r.pos] {
	case '{', '[':
		n := &node{kind: sequenceNode, tag: "!!seq"}
		if r.text[r.pos] == '{' {
			n.kind, n.tag = mappingNode, "!!map"
		}
		r.pos++
		for r.skip(); r.text[r.pos] != '}' && r.text[r.pos] != ']'; r.skip() {
			e := &entry{}
			var err error
			if n.kind == mappingNode {
				e.key = r.scalar()
				r.skip()
			}
			if e.value, err = r.value(depth + 1); err != nil {
				return nil, err
			}
			n.entries = append(n.entries, e)
		}
		r.pos++
		return n, nil
	}
	return r.scalar(), nil
}

// scalar reads a scalar. Its one line is the characters of the text.
func (r *jsonReader) scalar() *node {
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
	n := &node{value: literal, lines: []string{literal}}
	switch literal[0] {
	case '"':
		n.tag = "!!str"
		_ = json.Unmarshal([]byte(literal), &n.value) // the text is valid
	case 't', 'f':
		n.tag = "!!bool"
	case 'n':
		n.tag = "!!null"
	default:
		n.tag = "!!int"
		if strings.ContainsAny(literal, ".eE") {
			n.tag = "!!float"
		}
	}
	return n
}
