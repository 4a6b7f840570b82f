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

func (s *nameSet) containsName(name string) bool {
	_, has := s.spelled[canonicalCaseName(name)]
	return has
}

func (s *nameSet) addName(name string) {
	if !s.containsName(name) {
		s.spelled[canonicalCaseName(name)] = name
	}
}

// addUnique adds a name that the set does not have: base, or base with the least number.
func (s *nameSet) addUnique(base string) string {
	name := base
	if s.containsName(base) {
		key := canonicalCaseName(base)
		n := max(s.next[key], 2)
		for name = numberedName(base, n); s.containsName(name); name = numberedName(base, n) {
			n++
		}
		s.next[key] = n + 1
	}
	s.addName(name)
	return name
}

func numberedName(name string, n int) string { return name + "_" + strconv.Itoa(n) }

// makeColumnNamesUnique renames columns that share a name. Few columns are compared with each other before
// a set is made of them.
func makeColumnNamesUnique(cols []outputColumn) {
	const few = 24
	if len(cols) <= few && !haveSharedName(cols) {
		return
	}
	names := newNameSet(len(cols))
	for i := range cols {
		cols[i].name = names.addUnique(cols[i].name)
	}
}

// haveSharedName reports whether two columns have one name.
func haveSharedName(cols []outputColumn) bool {
	for i := range cols {
		for j := range cols[:i] {
			if strings.EqualFold(cols[i].name, cols[j].name) {
				return true
			}
		}
	}
	return false
}

// canonicalCaseName is the same text for all names that strings.EqualFold holds equal. Most names are
// that text themselves.
func canonicalCaseName(name string) string {
	for i := range len(name) {
		if c := name[i]; c > unicode.MaxASCII || 'A' <= c && c <= 'Z' {
			return strings.Map(canonicalCaseRune, name)
		}
	}
	return name
}

// canonicalCaseRune is the least of the letters that differ in case alone; of ASCII letters, the small one.
func canonicalCaseRune(r rune) rune {
	least := r
	if r > unicode.MaxASCII {
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			least = min(least, o)
		}
	}
	if least <= unicode.MaxASCII {
		return unicode.ToLower(least)
	}
	return least
}
