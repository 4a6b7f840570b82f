package sqlemit

import (
	"strconv"
	"strings"
	"unicode"
)

// nameSet holds names that engines compare without regard to case, quotes or not.
type nameSet struct {
	spelled map[string]string // by folded name, its first spelling
	next    map[string]int    // by folded name, the least number that may be free
}

func newNameSet(size int) *nameSet {
	return &nameSet{spelled: make(map[string]string, size), next: map[string]int{}}
}

func (s *nameSet) has(name string) bool {
	_, has := s.spelled[foldName(name)]
	return has
}

func (s *nameSet) add(name string) {
	if !s.has(name) {
		s.spelled[foldName(name)] = name
	}
}

// addUnique adds a name that the set does not have: base, or base with the least number.
func (s *nameSet) addUnique(base string) string {
	name := base
	if s.has(base) {
		key := foldName(base)
		n := max(s.next[key], 2)
		for name = numberedName(base, n); s.has(name); name = numberedName(base, n) {
			n++
		}
		s.next[key] = n + 1
	}
	s.add(name)
	return name
}

func numberedName(name string, n int) string { return name + "_" + strconv.Itoa(n) }

// uniqueNames renames columns that share a name.
func uniqueNames(cols []outputColumn) {
	names := newNameSet(len(cols))
	for i := range cols {
		cols[i].name = names.addUnique(cols[i].name)
	}
}

// foldName is the same text for all names that strings.EqualFold holds equal.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= unicode.MaxASCII && r != 'k' && r != 'K' && r != 's' && r != 'S' {
			return unicode.ToLower(r)
		}
		least := r
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			least = min(least, o)
		}
		return least
	}, name)
}
