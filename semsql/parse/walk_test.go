package parse

import (
	"reflect"
	"testing"
)

// TestWalk_VisitsEveryNodeOfEveryKind fills every field of every kind of node with a node and
// expects each of them to be visited, once and in the order of the fields.
func TestWalk_VisitsEveryNodeOfEveryKind(t *testing.T) {
	for _, kind := range nodeKinds() {
		n := reflect.New(reflect.TypeOf(kind).Elem())
		want := fillNodes(n.Elem())
		var got []Node
		VisitChildren(n.Interface().(Node), func(child Node) { got = append(got, child) })
		if len(got) != len(want) {
			t.Errorf("%T: %d nodes visited, want %d", kind, len(got), len(want))
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%T: the node visited in place %d is %T, want %T", kind, i, got[i], want[i])
			}
		}
	}
}

func TestWalk_LeavesOutWhatIsBelowARefusedNode(t *testing.T) {
	inner := &Number{Text: "1"}
	tree := &Unary{Op: OpNeg, X: &Unary{Op: OpNeg, X: inner}}
	var seen []Node
	Walk(tree, func(n Node) bool {
		seen = append(seen, n)
		return n == Node(tree)
	})
	if len(seen) != 2 || seen[1] != Node(tree.X) {
		t.Errorf("visited %v, want the two negations", seen)
	}
}

// fillNodes puts a node, or a list of two, into each field that holds nodes and returns them in order.
func fillNodes(v reflect.Value) []Node {
	var filled []Node
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Slice {
			n := newNode(f.Type().Elem())
			if n == nil {
				continue
			}
			f.Set(reflect.Append(f, reflect.ValueOf(n), reflect.ValueOf(newNode(f.Type().Elem()))))
			for j := range 2 {
				filled = append(filled, f.Index(j).Interface().(Node))
			}
		} else if n := newNode(f.Type()); n != nil {
			f.Set(reflect.ValueOf(n))
			filled = append(filled, n)
		}
	}
	return filled
}

// newNode returns a node that a field of the type may hold; nil for a field of something else.
func newNode(t reflect.Type) Node {
	switch {
	case t == reflect.TypeFor[Expr]():
		return &Number{Text: "1"}
	case t == reflect.TypeFor[Relation]():
		return &Table{}
	case t == reflect.TypeFor[QueryBody]():
		return &Select{}
	case t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[Node]()):
		return reflect.New(t.Elem()).Interface().(Node)
	}
	return nil
}
