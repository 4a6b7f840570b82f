package format

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/semlayer/semlayer/modelspec/internal/layout"
	"github.com/semlayer/semlayer/modelspec/limits"
)

const maxPayloadBytes = limits.PayloadBytes

// yamlToJSONWriter turns values of YAML into JSON text.
type yamlToJSONWriter struct {
	left    int // bytes until the limit: aliases repeat what they name
	depth   int
	aliased map[*layout.Node]bool
}

// jsonMember is a key and its value, as JSON text.
type jsonMember struct{ key, value string }

// jsonMembersOfMapping returns the members of a mapping, those that merge keys name included. It is
// false for what JSON cannot hold.
func (w *yamlToJSONWriter) jsonMembersOfMapping(n *layout.Node) ([]jsonMember, bool) {
	if w.depth++; w.depth > limits.PayloadDepth || w.aliased[n] || n.TagText != "" {
		return nil, false
	}
	defer func() { w.depth-- }()
	var out []jsonMember
	for _, e := range n.Entries {
		if e.Key.Kind != layout.ScalarNode || e.Key.Tag == "!!merge" || w.aliased[e.Key] {
			return nil, false
		}
		var value string
		var ok bool
		if e.Key.Value == "v" && w.depth == 1 && (e.Value.Tag == "!!float" || e.Value.Tag == "!!int") && e.Value.Kind == layout.ScalarNode && !w.aliased[e.Value] {
			value, ok = quoteJSON(e.Value.Value), true // the version is a string, and reads like a number
		} else {
			value, ok = w.valueAsJSONText(e.Value)
		}
		if !ok {
			return nil, false
		}
		m := jsonMember{quoteJSON(e.Key.Value), value}
		if w.left -= len(m.key) + len(m.value); w.left < 0 {
			return nil, false
		}
		out = append(out, m)
	}
	return out, true
}

func (w *yamlToJSONWriter) valueAsJSONText(n *layout.Node) (string, bool) {
	if w.aliased[n] || n.TagText != "" {
		return "", false
	}
	switch n.Kind {
	case layout.AliasNode:
		part := yamlToJSONWriter{left: w.left, depth: w.depth}
		text, ok := part.valueAsJSONText(n.Target)
		w.left = part.left
		return text, ok
	case layout.MappingNode:
		members, ok := w.jsonMembersOfMapping(n)
		return joinJSONMembers(members, " "), ok
	case layout.SequenceNode:
		if w.depth++; w.depth > limits.PayloadDepth {
			return "", false
		}
		defer func() { w.depth-- }()
		items := make([]string, len(n.Entries))
		for i, e := range n.Entries {
			text, ok := w.valueAsJSONText(e.Value)
			if w.left -= len(text); !ok || w.left < 0 {
				return "", false
			}
			items[i] = text
		}
		return "[" + strings.Join(items, ", ") + "]", true
	}
	switch n.Tag {
	case "!!str", "!!timestamp":
		return quoteJSON(n.Value), true
	case "!!null":
		return "null", true
	case "!!bool":
		return strings.ToLower(n.Value), true
	case "!!int":
		i, ok := new(big.Int).SetString(n.Value, 0)
		if !ok {
			return "", false
		}
		return i.String(), true
	case "!!float":
		text := yamlNumberAsJSON(n.Value)
		return text, json.Valid([]byte(text))
	}
	return "", false
}

// yamlNumberAsJSON writes the number .5, +1.5, 5. or 1_000.5 of YAML as JSON does. Another text,
// such as .inf, stays.
func yamlNumberAsJSON(text string) string {
	digits, negative := strings.CutPrefix(strings.ReplaceAll(text, "_", ""), "-")
	digits = strings.TrimPrefix(digits, "+")
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	digits = strings.TrimSuffix(digits, ".")
	if !json.Valid([]byte(digits)) {
		return text
	}
	if negative {
		digits = "-" + digits
	}
	return digits
}

func joinJSONMembers(members []jsonMember, space string) string {
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = m.key + ": " + m.value
	}
	return "{" + strings.Join(parts, ","+space) + "}"
}

// quoteJSON writes a string as JSON, with < > & as they are.
func quoteJSON(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// newPayloadNode returns the payload of the members: on one line in quotes where it fits, else with a
// line for each member.
func newPayloadNode(members []jsonMember) *layout.Node {
	n := layout.NewTextNode(joinJSONMembers(members, " "))
	if len(n.Value) > maxPayloadLineWidth && len(members) > 1 {
		n.Value = joinJSONMembers(members, "\n ")
		n.Style = layout.FoldedStyle
		n.Lines = strings.Split(n.Value, "\n")
	}
	return n
}

// maxPayloadLineWidth is the length of a payload on one line: the width of a line without the
// indentation of an extension and its key.
const maxPayloadLineWidth = layout.MaxLineWidth - 24
