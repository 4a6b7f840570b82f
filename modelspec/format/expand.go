package format

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// shortDialect is the dialect of an expression in the short form.
const shortDialect = "ANSI_SQL"

// expand writes out the short forms of a model: an expression that is SQL alone, and a
// payload that is an object.
func expand(n *layout.Node) {
	aliased := map[*layout.Node]bool{}
	n.Walk(func(n *layout.Node) {
		if n.Kind == layout.AliasNode {
			aliased[n.Target] = true
		}
	})
	expandEntries(n, aliased)
}

func expandEntries(n *layout.Node, aliased map[*layout.Node]bool) {
	for _, e := range n.Entries {
		switch {
		case n.Kind == layout.MappingNode && isExpression(e):
			expandExpression(e)
		case e.Value.Role.Data && e.Value.Kind == layout.MappingNode:
			expandData(e, aliased)
		default:
			expandEntries(e.Value, aliased)
		}
	}
}

// isExpression reports whether the entry is an expression in the short form.
func isExpression(e *layout.Entry) bool {
	if e.Value.Role.Object != modelspec.KindExpression {
		return false
	}
	v := e.Value
	if v.Kind == layout.AliasNode {
		v = v.Target
	}
	return v.Kind == layout.ScalarNode && v.Tag != "!!null" && v.Tag != "!!binary"
}

// expandExpression puts SQL text into the one entry of an expression. A number or a word
// that YAML reads as another type is the text that was written.
func expandExpression(e *layout.Entry) {
	sql := e.Value
	sql.Role = layout.Role{}
	if sql.Kind == layout.ScalarNode && sql.TagText == "" {
		sql.Tag = "!!str"
	}
	member := func(key string, value *layout.Node) *layout.Entry {
		return &layout.Entry{Key: layout.TextNode(key), Value: value}
	}
	item := mapping(layout.Role{Object: modelspec.KindDialectEntry}, member("dialect", layout.TextNode(shortDialect)), member("expression", sql))
	list := &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq", Flow: true, Role: layout.Role{Object: modelspec.KindDialectEntry, List: true}, Entries: []*layout.Entry{{Value: item}}}
	e.Value = mapping(layout.Role{Object: modelspec.KindExpression}, member("dialects", list))
	// What was below the text is below the entry now, which is not a scalar any more.
	e.Head = append(e.Head, e.Under...)
	e.Under = nil
}

func mapping(r layout.Role, entries ...*layout.Entry) *layout.Node {
	return &layout.Node{Kind: layout.MappingNode, Tag: "!!map", Flow: true, Role: r, Entries: entries}
}

// expandData puts an object into JSON text. The comments in it go before the entry. An
// object that JSON cannot hold, or a part of which the text names elsewhere, stays.
func expandData(e *layout.Entry, aliased map[*layout.Node]bool) {
	w := jsonWriter{left: maxPayload, aliased: aliased}
	members, ok := w.members(e.Value)
	if !ok {
		return
	}
	e.Value.Comments(func(c layout.Comment) { e.Head = append(e.Head, c) })
	e.Value = dataNode(members)
}
