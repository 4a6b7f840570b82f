package query

import "strings"

// jsonNode is a JSON value as it stands in the text: the members of an object, the
// items of an array, or the raw token of a scalar.
type jsonNode struct {
	open    byte // '{', '[', or 0 for a scalar
	raw     string
	members []jsonMember
	items   []*jsonNode
}

type jsonMember struct {
	key   string
	value *jsonNode
}

// readTree reads any JSON value.
func (s *scanner) readTree() (*jsonNode, error) {
	switch c := s.peek(); c {
	case '{':
		n := &jsonNode{open: c}
		seen := map[string]bool{}
		err := s.readObjectMembers(func(key string) error {
			if seen[key] {
				return s.duplicateKeyError()
			}
			seen[key] = true
			value, err := s.readTree()
			n.members = append(n.members, jsonMember{key, value})
			return err
		})
		return n, err
	case '[':
		n := &jsonNode{open: c}
		err := s.readItems(func(int) error {
			item, err := s.readTree()
			n.items = append(n.items, item)
			return err
		})
		return n, err
	default:
		start := s.pos
		err := s.readScalarText(c)
		return &jsonNode{raw: s.text[start:s.pos]}, err
	}
}

func (s *scanner) readScalarText(first byte) (err error) {
	switch {
	case first == '"':
		_, err = s.readString()
	case first == '-' || ('0' <= first && first <= '9'):
		_, err = s.readNumberToken()
	default:
		_, err = s.readLiteralWord()
	}
	return err
}

// writeCompact writes the value without white space.
func (n *jsonNode) writeCompact(b *strings.Builder) {
	switch n.open {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSONString(b, m.key)
			b.WriteByte(':')
			m.value.writeCompact(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeCompact(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(n.raw)
	}
}

// writeJSONString writes a JSON string.
func writeJSONString(b *strings.Builder, text string) {
	const hex = "0123456789abcdef"
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			b.WriteString(`\u00`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}

// hasShapeOfKind reports whether the value has the shape that a key takes, so that a key
// renamed to it is not rejected for its type. null fits every key.
func (n *jsonNode) hasShapeOfKind(k bodyKeyValueKind) bool {
	if n.raw == "null" {
		return true
	}
	switch k {
	case bodyKeyValueText:
		return n.isText()
	case bodyKeyValueBoolean:
		return n.raw == "true" || n.raw == "false"
	case bodyKeyValueInteger:
		return n.raw != "" && strings.Trim(n.raw, "0123456789") == ""
	case bodyKeyValueTextArray:
		return n.open == '[' && allNodesMatch(n.items, (*jsonNode).isText)
	case bodyKeyValueScalarArray:
		return n.open == '[' && allNodesMatch(n.items, func(n *jsonNode) bool { return n.open == 0 })
	case bodyKeyValueTextOrObjectArray:
		return n.open == '[' && allNodesMatch(n.items, func(n *jsonNode) bool { return n.isText() || n.isObject() })
	case bodyKeyValueNestedTextArray:
		return n.open == '[' && allNodesMatch(n.items, func(n *jsonNode) bool { return n.hasShapeOfKind(bodyKeyValueTextArray) })
	case bodyKeyValueNumber:
		return n.raw != "" && strings.ContainsRune("-0123456789", rune(n.raw[0]))
	case bodyKeyValueBooleanOrText:
		return n.isText() || n.hasShapeOfKind(bodyKeyValueBoolean)
	case bodyKeyValueObjectArray:
		return n.open == '[' && allNodesMatch(n.items, (*jsonNode).isObject)
	case bodyKeyValueObjectOrArray:
		return n.isObject() || n.hasShapeOfKind(bodyKeyValueObjectArray)
	case bodyKeyValueFixedKeysObject, bodyKeyValueScalarMap:
		return n.isObject()
	case bodyKeyValueObjectMap:
		return n.isObject() && allNodesMatch(n.memberValues(), (*jsonNode).isObject)
	}
	return false
}

func (n *jsonNode) isText() bool   { return strings.HasPrefix(n.raw, `"`) }
func (n *jsonNode) isObject() bool { return n.open == '{' }

func (n *jsonNode) memberValues() []*jsonNode {
	out := make([]*jsonNode, len(n.members))
	for i, m := range n.members {
		out[i] = m.value
	}
	return out
}

func allNodesMatch(nodes []*jsonNode, is func(*jsonNode) bool) bool {
	for _, n := range nodes {
		if !is(n) {
			return false
		}
	}
	return true
}
