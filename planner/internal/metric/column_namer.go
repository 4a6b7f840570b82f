package metric

import (
	"strconv"
	"strings"
)

// ColumnNamer hands out column names that differ, ignoring case.
type ColumnNamer struct {
	taken distinctKeyNumbers[string] // in small letters
	next  map[string]int             // by name that was taken, the least number that may be free
}

// NewColumnNamer returns a namer that has handed out no name.
func NewColumnNamer() *ColumnNamer { return &ColumnNamer{taken: newDistinctKeyNumbers[string](12)} }

// UniqueName returns a name, numbered where it is taken.
func (n *ColumnNamer) UniqueName(name string) string {
	key := strings.ToLower(name)
	if !n.isTaken(key) {
		n.taken.addNewKey(key)
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
	n.taken.addNewKey(strings.ToLower(out))
	return out
}

func (n *ColumnNamer) isTaken(key string) bool {
	_, taken := n.taken.find(key)
	return taken
}

// unusedName returns a name, with the least number at which it is not taken where it is.
func unusedName(name string, isTaken func(name string) bool) string {
	out := name
	for i := 2; isTaken(out); i++ {
		out = name + "_" + strconv.Itoa(i)
	}
	return out
}
