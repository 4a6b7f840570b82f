package metric

import (
	"strconv"
	"strings"
)

// Namer hands out column names that differ, ignoring case.
type Namer struct {
	taken map[string]bool
	next  map[string]int // by name, the least number that may be free
}

// NewNamer returns a namer that has handed out no name.
func NewNamer() *Namer { return &Namer{taken: map[string]bool{}, next: map[string]int{}} }

// UniqueName is a name, numbered where it is taken.
func (n *Namer) UniqueName(name string) string {
	out, key := name, strings.ToLower(name)
	i := max(n.next[key], 2)
	for ; n.taken[strings.ToLower(out)]; i++ {
		out = name + "_" + strconv.Itoa(i)
	}
	n.next[key] = i
	n.taken[strings.ToLower(out)] = true
	return out
}
