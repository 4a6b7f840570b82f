package layout

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// ModelRole is the place of a value in a model.
type ModelRole struct {
	Object modelspec.ObjectKind // of the value, or of the items of the list
	List   bool
	Data   bool // payload of an extension
	root   bool
}

// AssignRoles marks the values of a text that is a model; it leaves any other text alone.
func AssignRoles(root *Node) {
	isKey := func(keys []modelspec.ObjectKeyDefinition) bool {
		return slices.ContainsFunc(keys, func(k modelspec.ObjectKeyDefinition) bool {
			return k.Name != "name" && k.Name != "description" && root.findEntry(k.Name) != nil
		})
	}
	modelAtRoot := root.findEntry("semantic_model") == nil
	if isKey(modelspec.RootKeysOf(modelAtRoot)) {
		root.assignRole(ModelRole{Object: modelspec.ObjectKindDocument, root: true}, modelspec.RootKeysOf(modelAtRoot))
	}
}

func (n *Node) assignRole(r ModelRole, keys []modelspec.ObjectKeyDefinition) {
	n.Role = r
	if r.List {
		r.List = false
		for _, e := range n.Entries {
			if n.Kind == SequenceNode {
				e.Value.assignRole(r, keys)
			}
		}
		return
	}
	for _, k := range keys {
		e := n.findEntry(k.Name)
		if e == nil {
			continue
		}
		switch k.Type {
		case modelspec.ValueTypeObject, modelspec.ValueTypeTextOrObject:
			e.Value.assignRole(ModelRole{Object: k.Object}, modelspec.KeysOfObjectKind(k.Object))
		case modelspec.ValueTypeObjectList:
			e.Value.assignRole(ModelRole{Object: k.Object, List: true}, modelspec.KeysOfObjectKind(k.Object))
		case modelspec.ValueTypeJSONText:
			e.Value.Role = ModelRole{Data: true}
		}
	}
}

// isAlwaysBlock reports whether the value is always written over several lines.
func (r ModelRole) isAlwaysBlock() bool {
	switch r.Object {
	case modelspec.ObjectKindDocument, modelspec.ObjectKindModel, modelspec.ObjectKindDataset, modelspec.ObjectKindMetric:
		return true
	case modelspec.ObjectKindField, modelspec.ObjectKindRelationship, modelspec.ObjectKindDialectEntry:
		return r.List
	}
	return false
}

// hasBlankLinesBetweenItems reports whether an empty line is between the items of the list.
func (r ModelRole) hasBlankLinesBetweenItems() bool {
	return r.List && (r.Object == modelspec.ObjectKindDataset || r.Object == modelspec.ObjectKindMetric)
}
