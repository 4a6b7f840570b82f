package layout

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// Role is the place of a value in a model.
type Role struct {
	Object modelspec.ObjectKind // of the value, or of the items of the list
	List   bool
	Data   bool // payload of an extension
	root   bool
}

// AssignRoles marks the values of a text that is a model; it leaves any other text alone.
func AssignRoles(root *Node) {
	isKey := func(keys []modelspec.ObjectKey) bool {
		return slices.ContainsFunc(keys, func(k modelspec.ObjectKey) bool {
			return k.Name != "name" && k.Name != "description" && root.member(k.Name) != nil
		})
	}
	modelAtRoot := root.member("semantic_model") == nil
	if isKey(modelspec.RootKeysOf(modelAtRoot)) {
		root.assign(Role{Object: modelspec.KindDocument, root: true}, modelspec.RootKeysOf(modelAtRoot))
	}
}

func (n *Node) assign(r Role, keys []modelspec.ObjectKey) {
	n.Role = r
	if r.List {
		r.List = false
		for _, e := range n.Entries {
			if n.Kind == SequenceNode {
				e.Value.assign(r, keys)
			}
		}
		return
	}
	for _, k := range keys {
		e := n.member(k.Name)
		if e == nil {
			continue
		}
		switch k.Type {
		case modelspec.TypeObject, modelspec.TypeTextOrObject:
			e.Value.assign(Role{Object: k.Object}, modelspec.KeysOf(k.Object))
		case modelspec.TypeObjects:
			e.Value.assign(Role{Object: k.Object, List: true}, modelspec.KeysOf(k.Object))
		case modelspec.TypeJSONText:
			e.Value.Role = Role{Data: true}
		}
	}
}

// isExpanded reports whether the value is always written over several lines.
func (r Role) isExpanded() bool {
	switch r.Object {
	case modelspec.KindDocument, modelspec.KindModel, modelspec.KindDataset, modelspec.KindMetric:
		return true
	case modelspec.KindField, modelspec.KindRelationship, modelspec.KindDialectEntry:
		return r.List
	}
	return false
}

// isSpaced reports whether an empty line is between the items of the list.
func (r Role) isSpaced() bool {
	return r.List && (r.Object == modelspec.KindDataset || r.Object == modelspec.KindMetric)
}
