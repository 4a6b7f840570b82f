package format

import (
	"cmp"
	"math"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// arrange puts the keys of every object into the order of the format. An alias must stay
// behind its anchor: where the order would move it before, the keys stay as they are.
func arrange(root *node) {
	original := orders{}
	root.sort(original)
	if !root.hasAlias() {
		return
	}
	for moved := misplacedAliases(root); len(moved) > 0; moved = misplacedAliases(root) {
		restored := false
		for _, n := range moved {
			if order, ok := original[n]; ok {
				n.entries = order
				delete(original, n)
				restored = true
			}
		}
		for n, order := range original {
			if !restored {
				n.entries = order
			}
		}
		if !restored {
			return
		}
	}
}

// orders holds the entries of the mappings that were sorted, as they were.
type orders map[*node][]*entry

func (n *node) sort(original orders) {
	for _, e := range n.entries {
		e.value.sort(original)
	}
	keys := modelspec.KeysOf(n.role.object)
	if n.role.root {
		keys = modelspec.RootKeysOf(n.member("semantic_model") == nil)
	}
	if n.kind != mappingNode || n.role.list || len(keys) == 0 {
		return
	}
	rank := make(map[string]int, len(keys)+1)
	for i, k := range keys {
		rank[k.Name] = i
	}
	place := func(e *entry) int {
		if e.key.tag == "!!merge" {
			return -1
		}
		if i, ok := rank[e.key.value]; ok && e.key.kind == scalarNode {
			return i
		}
		return math.MaxInt
	}
	inOrder := func(a, b *entry) int { return cmp.Compare(place(a), place(b)) }
	if !slices.IsSortedFunc(n.entries, inOrder) {
		original[n] = slices.Clone(n.entries)
		slices.SortStableFunc(n.entries, inOrder)
	}
}

// misplacedAliases lists the mappings that hold an alias which is before its anchor, or
// after another anchor of that name.
func misplacedAliases(root *node) []*node {
	f := aliasFinder{anchors: map[string]*node{}, parents: map[*node]*node{}}
	f.find(root, nil)
	return f.found
}

type aliasFinder struct {
	anchors map[string]*node
	parents map[*node]*node
	found   []*node
}

func (f *aliasFinder) find(n, parent *node) {
	f.parents[n] = parent
	if n.anchor != "" {
		f.anchors[n.anchor] = n
	}
	if n.kind == aliasNode && f.anchors[n.value] != n.target {
		for at := parent; at != nil; at = f.parents[at] {
			f.found = append(f.found, at)
		}
	}
	for _, e := range n.entries {
		if e.key != nil {
			f.find(e.key, n)
		}
		f.find(e.value, n)
	}
}

func (n *node) hasAlias() bool {
	return n.kind == aliasNode || slices.ContainsFunc(n.entries, func(e *entry) bool { return e.value.hasAlias() })
}
