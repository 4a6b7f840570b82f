package naming

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Namer hands out column names that differ, ignoring case.
type Namer struct {
	taken Numbers[string] // in small letters
	next  map[string]int  // by name that was taken, the least number that may be free
}

// NewNamer returns a namer that has handed out no name.
func NewNamer() *Namer { return &Namer{taken: NewNumbers[string](12)} }

// Clone returns a namer that has handed out the same names.
func (n *Namer) Clone() *Namer {
	return &Namer{taken: Numbers[string]{slices.Clone(n.taken.keys), maps.Clone(n.taken.ids)}, next: maps.Clone(n.next)}
}

// UniqueName returns a name, numbered where it is taken.
func (n *Namer) UniqueName(name string) string {
	key := strings.ToLower(name)
	if !n.isTaken(key) {
		n.taken.AddNewKey(key)
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
	n.taken.AddNewKey(strings.ToLower(out))
	return out
}

func (n *Namer) isTaken(key string) bool {
	_, taken := n.taken.Find(key)
	return taken
}

// Unused returns a name, with the least number at which it is not taken where it is.
func Unused(name string, isTaken func(name string) bool) string {
	out := name
	for i := 2; isTaken(out); i++ {
		out = name + "_" + strconv.Itoa(i)
	}
	return out
}
