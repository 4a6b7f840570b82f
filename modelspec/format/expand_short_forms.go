package format

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// shortFormDialect is the dialect of an expression in the short form.
const shortFormDialect = "ANSI_SQL"

// expandShortForms writes out the short forms of a model: an expression that is SQL alone, and a
// payload that is an object.
func expandShortForms(n *layout.Node) {
	aliased := map[*layout.Node]bool{}
	n.Walk(func(n *layout.Node) {
		if n.Kind == layout.AliasNode {
			aliased[n.Target] = true
		}
	})
	expandShortFormsOfEntries(n, aliased)
}

func expandShortFormsOfEntries(n *layout.Node, aliased map[*layout.Node]bool) {
	for _, e := range n.Entries {
		switch {
		case n.Kind == layout.MappingNode && isExpressionInShortForm(e):
			expandShortExpression(e)
		case e.Value.Role.Data && e.Value.Kind == layout.MappingNode:
			convertPayloadToJSONText(e, aliased)
		default:
			expandShortFormsOfEntries(e.Value, aliased)
		}
	}
}

// isExpressionInShortForm reports whether the entry is an expression in the short form.
func isExpressionInShortForm(e *layout.Entry) bool {
	if e.Value.Role.Object != modelspec.ObjectKindExpression {
		return false
	}
	v := e.Value
	if v.Kind == layout.AliasNode {
		v = v.Target
	}
	return v.Kind == layout.ScalarNode && v.Tag != "!!null" && v.Tag != "!!binary"
}

// expandShortExpression puts SQL text into the one entry of an expression. A number or a word
// that YAML reads as another type is the text that was written.
func expandShortExpression(e *layout.Entry) {
	sql := e.Value
	sql.Role = layout.ModelRole{}
	if sql.Kind == layout.ScalarNode && sql.TagText == "" {
		sql.Tag = "!!str"
	}
	member := func(key string, value *layout.Node) *layout.Entry {
		return &layout.Entry{Key: layout.NewTextNode(key), Value: value}
	}
	item := newFlowMapping(layout.ModelRole{Object: modelspec.ObjectKindDialectEntry}, member("dialect", layout.NewTextNode(shortFormDialect)), member("expression", sql))
	list := &layout.Node{Kind: layout.SequenceNode, Tag: "!!seq", Flow: true, Role: layout.ModelRole{Object: modelspec.ObjectKindDialectEntry, List: true}, Entries: []*layout.Entry{{Value: item}}}
	e.Value = newFlowMapping(layout.ModelRole{Object: modelspec.ObjectKindExpression}, member("dialects", list))
	// What was below the text is below the entry now, which is not a scalar any more.
	e.Head = append(e.Head, e.Under...)
	e.Under = nil
}

func newFlowMapping(r layout.ModelRole, entries ...*layout.Entry) *layout.Node {
	return &layout.Node{Kind: layout.MappingNode, Tag: "!!map", Flow: true, Role: r, Entries: entries}
}

// convertPayloadToJSONText puts an object into JSON text. The comments in it go before the entry. An
// object that JSON cannot hold, or a part of which the text names elsewhere, stays.
func convertPayloadToJSONText(e *layout.Entry, aliased map[*layout.Node]bool) {
	w := yamlToJSONWriter{left: maxPayloadBytes, aliased: aliased}
	members, ok := w.jsonMembersOfMapping(e.Value)
	if !ok {
		return
	}
	e.Value.WalkComments(func(c layout.Comment) { e.Head = append(e.Head, c) })
	e.Value = newPayloadNode(members)
}
