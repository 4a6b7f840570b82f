package format

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
)

const maxPayload = limits.PayloadBytes

// jsonWriter turns values of YAML into JSON text.
type jsonWriter struct {
	left    int // bytes until the limit: aliases repeat what they name
	depth   int
	aliased map[*node]bool
}

// jsonMember is a key and its value, as JSON text.
type jsonMember struct{ key, value string }

// members returns the members of a mapping, those that merge keys name included. It is
// false for what JSON cannot hold.
func (w *jsonWriter) members(n *node) ([]jsonMember, bool) {
	if w.depth++; w.depth > limits.PayloadDepth || w.aliased[n] || n.tagText != "" {
		return nil, false
	}
	defer func() { w.depth-- }()
	var out []jsonMember
	for _, e := range n.entries {
		if e.key.kind != scalarNode || e.key.tag == "!!merge" || w.aliased[e.key] {
			return nil, false
		}
		var value string
		var ok bool
		if e.key.value == "v" && w.depth == 1 && (e.value.tag == "!!float" || e.value.tag == "!!int") && e.value.kind == scalarNode && !w.aliased[e.value] {
			value, ok = quoteJSON(e.value.value), true // the version is a string, and reads like a number
		} else {
			value, ok = w.value(e.value)
		}
		if !ok {
			return nil, false
		}
		m := jsonMember{quoteJSON(e.key.value), value}
		if w.left -= len(m.key) + len(m.value); w.left < 0 {
			return nil, false
		}
		out = append(out, m)
	}
	return out, true
}

func (w *jsonWriter) value(n *node) (string, bool) {
	if w.aliased[n] || n.tagText != "" {
		return "", false
	}
	switch n.kind {
	case aliasNode:
		part := jsonWriter{left: w.left, depth: w.depth}
		text, ok := part.value(n.target)
		w.left = part.left
		return text, ok
	case mappingNode:
		members, ok := w.members(n)
		return joinMembers(members, " "), ok
	case sequenceNode:
		if w.depth++; w.depth > limits.PayloadDepth {
			return "", false
		}
		defer func() { w.depth-- }()
		items := make([]string, len(n.entries))
		for i, e := range n.entries {
			text, ok := w.value(e.value)
			if w.left -= len(text); !ok || w.left < 0 {
				return "", false
			}
			items[i] = text
		}
		return "[" + strings.Join(items, ", ") + "]", true
	}
	switch n.tag {
	case "!!str", "!!timestamp":
		return quoteJSON(n.value), true
	case "!!null":
		return "null", true
	case "!!bool":
		return strings.ToLower(n.value), true
	case "!!int":
		i, ok := new(big.Int).SetString(n.value, 0)
		if !ok {
			return "", false
		}
		return i.String(), true
	case "!!float":
		return n.value, json.Valid([]byte(n.value))
	}
	return "", false
}

func joinMembers(members []jsonMember, space string) string {
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

// dataNode is the payload of the members: on one line in quotes where it fits, else with a
// line for each member.
func dataNode(members []jsonMember) *node {
	n := textNode(joinMembers(members, " "))
	if len(n.value) > dataWidth && len(members) > 1 {
		n.value = joinMembers(members, "\n ")
		n.style = foldedStyle
		n.lines = strings.Split(n.value, "\n")
	}
	return n
}

// dataWidth is the length of a payload on one line: the width of a line without the
// indentation of an extension and its key.
const dataWidth = maxWidth - 24
