package format

import (
	"github.com/semlayer/semlayer/modelspec"
)

// shortDialect is the dialect of an expression in the short form.
const shortDialect = "ANSI_SQL"

// expand writes out the short forms of a model: an expression that is SQL alone, and a
// payload that is an object.
func expand(n *node) {
	aliased := map[*node]bool{}
	n.walk(func(n *node) {
		if n.kind == aliasNode {
			aliased[n.target] = true
		}
	})
	n.expand(aliased)
}

func (n *node) expand(aliased map[*node]bool) {
	for _, e := range n.entries {
		switch {
		case n.kind == mappingNode && isExpression(e):
			expandExpression(e)
		case e.value.role.data && e.value.kind == mappingNode:
			expandData(e, aliased)
		default:
			e.value.expand(aliased)
		}
	}
}

// isExpression reports whether the entry is an expression in the short form.
func isExpression(e *entry) bool {
	if e.value.role.object != modelspec.KindExpression {
		return false
	}
	v := e.value
	if v.kind == aliasNode {
		v = v.target
	}
	return v.kind == scalarNode && v.tag != "!!null" && v.tag != "!!binary"
}

// expandExpression puts SQL text into the one entry of an expression. A number or a word
// that YAML reads as another type is the text that was written.
func expandExpression(e *entry) {
	sql := e.value
	sql.role = role{}
	if sql.kind == scalarNode && sql.tagText == "" {
		sql.tag = "!!str"
	}
	member := func(key string, value *node) *entry { return &entry{key: textNode(key), value: value} }
	item := mapping(role{object: modelspec.KindDialectEntry}, member("dialect", textNode(shortDialect)), member("expression", sql))
	list := &node{kind: sequenceNode, tag: "!!seq", flow: true, role: role{object: modelspec.KindDialectEntry, list: true}, entries: []*entry{{value: item}}}
	e.value = mapping(role{object: modelspec.KindExpression}, member("dialects", list))
	// What was below the text is below the entry now, which is not a scalar any more.
	e.head = append(e.head, e.under...)
	e.under = nil
}

func textNode(value string) *node { return &node{kind: scalarNode, tag: "!!str", value: value} }

func mapping(r role, entries ...*entry) *node {
	return &node{kind: mappingNode, tag: "!!map", flow: true, role: r, entries: entries}
}

// expandData puts an object into JSON text. The comments in it go before the entry. An
// object that JSON cannot hold, or a part of which the text names elsewhere, stays.
func expandData(e *entry, aliased map[*node]bool) {
	w := jsonWriter{left: maxPayload, aliased: aliased}
	members, ok := w.members(e.value)
	if !ok {
		return
	}
	e.value.comments(func(c comment) { e.head = append(e.head, c) })
	e.value = dataNode(members)
}

// comments calls f for the comments inside of a value, in their order.
func (n *node) comments(f func(comment)) {
	for _, e := range n.entries {
		for _, c := range e.head {
			f(c)
		}
		for _, text := range e.tail {
			f(comment{text: text})
		}
		if e.key != nil {
			e.key.comments(f)
		}
		e.value.comments(f)
		for _, c := range e.under {
			f(c)
		}
	}
	for _, c := range n.foot {
		f(c)
	}
}
