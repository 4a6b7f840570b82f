package query

import "strings"

// node is a JSON value as it stands in the text: the members of an object, the
// items of an array, or the raw token of a scalar.
type node struct {
	open    byte // '{', '[', or 0 for a scalar
	raw     string
	members []member
	items   []*node
}

type member struct {
	key   string
	value *node
}

// tree reads any JSON value.
func (s *scanner) tree() (*node, error) {
	switch c := s.peek(); c {
	case '{':
		n := &node{open: c}
		seen := map[string]bool{}
		err := s.members(func(key string) error {
			if seen[key] {
				return s.duplicate()
			}
			seen[key] = true
			value, err := s.tree()
			n.members = append(n.members, member{key, value})
			return err
		})
		return n, err
	case '[':
		n := &node{open: c}
		err := s.array(func(int) error {
			item, err := s.tree()
			n.items = append(n.items, item)
			return err
		})
		return n, err
	default:
		start := s.pos
		err := s.scalar(c)
		return &node{raw: s.text[start:s.pos]}, err
	}
}

func (s *scanner) scalar(first byte) (err error) {
	switch {
	case first == '"':
		_, err = s.str()
	case first == '-' || ('0' <= first && first <= '9'):
		_, err = s.number()
	default:
		_, err = s.literalWord()
	}
	return err
}

// print writes the value without white space.
func (n *node) print(b *strings.Builder) {
	switch n.open {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			quote(b, m.key)
			b.WriteByte(':')
			m.value.print(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.print(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(n.raw)
	}
}

// quote writes a JSON string.
func quote(b *strings.Builder, text string) {
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

// hasKind reports whether the value has the shape that a key takes, so that a key
// renamed to it is not refused for its type. null fits every key.
func (n *node) hasKind(k kind) bool {
	if n.raw == "null" {
		return true
	}
	switch k {
	case textKind:
		return n.isText()
	case booleanKind:
		return n.raw == "true" || n.raw == "false"
	case integerKind:
		return n.raw != "" && strings.Trim(n.raw, "0123456789") == ""
	case textsKind:
		return n.open == '[' && allNodes(n.items, (*node).isText)
	case objectsKind:
		return n.open == '[' && allNodes(n.items, (*node).isObject)
	case objectKind, bindingsKind:
		return n.isObject()
	case objectsMapKind:
		return n.isObject() && allNodes(n.values(), (*node).isObject)
	}
	return false
}

// convert is the value written as a key takes it: unchanged, or one string where a list is
// wanted, or the strings as the first key of objects; nil if none of these fits.
func (n *node) convert(k key) *node {
	switch {
	case n.hasKind(k.kind):
		return n
	case n.isText() && (k.kind == textsKind || k.kind == objectsKind):
		return (&node{open: '[', items: []*node{n}}).convert(k)
	case k.kind == objectsKind && n.open == '[' && len(k.nested) > 0 && allNodes(n.items, (*node).isText):
		out := &node{open: '['}
		for _, item := range n.items {
			out.items = append(out.items, &node{open: '{', members: []member{{k.nested[0].name, item}}})
		}
		return out
	}
	return nil
}

func (n *node) isText() bool   { return strings.HasPrefix(n.raw, `"`) }
func (n *node) isObject() bool { return n.open == '{' }

func (n *node) values() []*node {
	out := make([]*node, len(n.members))
	for i, m := range n.members {
		out[i] = m.value
	}
	return out
}

func allNodes(nodes []*node, is func(*node) bool) bool {
	for _, n := range nodes {
		if !is(n) {
			return false
		}
	}
	return true
}
