package format

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// role is the place of a value in a model.
type role struct {
	object modelspec.ObjectKind // of the value, or of the items of the list
	list   bool
	data   bool // payload of an extension
	root   bool
}

// assignRoles marks the values of a text that is a model; it leaves any other text alone.
func assignRoles(root *node) {
	isKey := func(keys []modelspec.Key) bool {
		return slices.ContainsFunc(keys, func(k modelspec.Key) bool {
			return k.Name != "name" && k.Name != "description" && root.member(k.Name) != nil
		})
	}
	modelAtRoot := root.member("semantic_model") == nil
	if isKey(modelspec.RootKeysOf(modelAtRoot)) {
		root.assign(role{object: modelspec.KindDocument, root: true}, modelspec.RootKeysOf(modelAtRoot))
	}
}

func (n *node) assign(r role, keys []modelspec.Key) {
	n.role = r
	if r.list {
		r.list = false
		for _, e := range n.entries {
			if n.kind == sequenceNode {
				e.value.assign(r, keys)
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
			e.value.assign(role{object: k.Object}, modelspec.KeysOf(k.Object))
		case modelspec.TypeObjects:
			e.value.assign(role{object: k.Object, list: true}, modelspec.KeysOf(k.Object))
		case modelspec.TypeJSONText:
			e.value.role = role{data: true}
		}
	}
}

// isExpanded reports whether the value is always written over several lines.
func (r role) isExpanded() bool {
	switch r.object {
	case modelspec.KindDocument, modelspec.KindModel, modelspec.KindDataset, modelspec.KindMetric:
		return true
	case modelspec.KindField, modelspec.KindRelationship, modelspec.KindDialectEntry:
		return r.list
	}
	return false
}

// isSpaced reports whether an empty line is between the items of the list.
func (r role) isSpaced() bool {
	return r.list && (r.object == modelspec.KindDataset || r.object == modelspec.KindMetric)
}
