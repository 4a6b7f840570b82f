package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// SortKeys puts the keys of every object into the order of the format. An alias must stay
// after its anchor: where the order would move it before, the keys stay as they are.
func SortKeys(root *Node) {
	a := keySorter{unsortedEntriesByMapping{}, map[modelspec.ObjectKind]map[string]int{}}
	a.sortKeys(root)
	original := a.original
	if !root.hasAlias() {
		return
	}
	for moved := mappingsWithMisplacedAliases(root); len(moved) > 0; moved = mappingsWithMisplacedAliases(root) {
		restored := false
		for _, n := range moved {
			if order, ok := original[n]; ok {
				n.Entries = order
				delete(original, n)
				restored = true
			}
		}
		for n, order := range original {
			if !restored {
				n.Entries = order
			}
		}
		if !restored {
			return
		}
	}
}

// unsortedEntriesByMapping holds the entries of the mappings that were sorted, as they were.
type unsortedEntriesByMapping map[*Node][]*Entry

// keySorter sorts keys.
type keySorter struct {
	original unsortedEntriesByMapping
	ranks    map[modelspec.ObjectKind]map[string]int // of the keys of an object
}

// keyRanksOfNode returns the places of the keys of an object, empty for a value that is not one.
func (a keySorter) keyRanksOfNode(n *Node) map[string]int {
	if n.Role.root {
		return keyRankByName(modelspec.RootKeysOf(n.findEntry("semantic_model") == nil))
	}
	rank, ok := a.ranks[n.Role.Object]
	if !ok {
		rank = keyRankByName(modelspec.KeysOfObjectKind(n.Role.Object))
		a.ranks[n.Role.Object] = rank
	}
	return rank
}

func keyRankByName(keys []modelspec.ObjectKeyDefinition) map[string]int {
	rank := make(map[string]int, len(keys))
	for i, k := range keys {
		rank[k.Name] = i
	}
	return rank
}

func (a keySorter) sortKeys(n *Node) {
	for _, e := range n.Entries {
		a.sortKeys(e.Value)
	}
	if n.Kind != MappingNode || n.Role.List {
		return
	}
	rank := a.keyRanksOfNode(n)
	if len(rank) == 0 {
		return
	}
	place := func(e *Entry) int {
		if e.Key.Tag == "!!merge" {
			return -1
		}
		if i, ok := rank[e.Key.Value]; ok && e.Key.Kind == ScalarNode {
			return i
		}
		return math.MaxInt
	}
	inOrder := func(a, b *Entry) int { return cmp.Compare(place(a), place(b)) }
	if !slices.IsSortedFunc(n.Entries, inOrder) {
		a.original[n] = slices.Clone(n.Entries)
		slices.SortStableFunc(n.Entries, inOrder)
	}
}

// mappingsWithMisplacedAliases lists the mappings that hold an alias which is before its anchor, or
// after another anchor of that name.
func mappingsWithMisplacedAliases(root *Node) []*Node {
	f := misplacedAliasFinder{anchors: map[string]*Node{}, parents: map[*Node]*Node{}}
	f.findMisplaced(root, nil)
	return f.found
}

type misplacedAliasFinder struct {
	anchors map[string]*Node
	parents map[*Node]*Node
	found   []*Node
}

func (f *misplacedAliasFinder) findMisplaced(n, parent *Node) {
	f.parents[n] = parent
	if n.Anchor != "" {
		f.anchors[n.Anchor] = n
	}
	if n.Kind == AliasNode && f.anchors[n.Value] != n.Target {
		for at := parent; at != nil; at = f.parents[at] {
			f.found = append(f.found, at)
		}
	}
	for _, e := range n.Entries {
		if e.Key != nil {
			f.findMisplaced(e.Key, n)
		}
		f.findMisplaced(e.Value, n)
	}
}

func (n *Node) hasAlias() bool {
	return n.Kind == AliasNode || slices.ContainsFunc(n.Entries, func(e *Entry) bool { return e.Value.hasAlias() })
}
