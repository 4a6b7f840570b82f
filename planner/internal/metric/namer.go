package metric

import (
	"slices"
	"strconv"
	"strings"
)

// Namer hands out column names that differ, ignoring case.
type Namer struct {
	few   []string        // the names in small letters, while there are at most maxNamesSearchedLinearly
	taken map[string]bool // and from then on
	next  map[string]int  // by name that was taken, the least number that may be free
}

// maxNamesSearchedLinearly is the number of names that are found as fast one by one as in a map.
const maxNamesSearchedLinearly = 24

// NewNamer returns a namer that has handed out no name.
func NewNamer() *Namer { return &Namer{} }

// UniqueName is a name, numbered where it is taken.
func (n *Namer) UniqueName(name string) string {
	key := strings.ToLower(name)
	if !n.isTaken(key) {
		n.takeName(key)
		return name
	}
	if n.next == nil {
		n.next = map[string]int{}
	}
	i := max(n.next[key], 2)
	out := name + "_" + strconv.Itoa(i)
	for n.isTaken(strings.ToLower(out)) {
		i++
		out = name + "_" + strconv.Itoa(i)
	}
	n.next[key] = i + 1
	n.takeName(strings.ToLower(out))
	return out
}

func (n *Namer) isTaken(key string) bool {
	if n.taken == nil {
		return slices.Contains(n.few, key)
	}
	return n.taken[key]
}

func (n *Namer) takeName(key string) {
	switch {
	case n.taken != nil:
		n.taken[key] = true
	case n.few == nil:
		n.few = append(make([]string, 0, maxNamesSearchedLinearly/2), key)
	case len(n.few) < maxNamesSearchedLinearly:
		n.few = append(n.few, key)
	default:
		n.taken = make(map[string]bool, 2*maxNamesSearchedLinearly)
		for _, name := range n.few {
			n.taken[name] = true
		}
		n.taken[key] = true
	}
}
