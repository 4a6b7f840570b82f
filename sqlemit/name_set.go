package sqlemit

import (
	"strconv"
	"strings"
	"unicode"
)

// nameSet holds names that engines compare without regard to case, quotes or not.
type nameSet struct {
	few     []string          // the first spellings, while there are at most maxNamesSearchedLinearly
	spelled map[string]string // and from then on, by folded name
	next    map[string]int    // by folded name, the least number that may be free
}

// maxNamesSearchedLinearly is the number of names that are found as fast one by one as in a map.
const maxNamesSearchedLinearly = 24

func newNameSet(size int) *nameSet {
	if size > maxNamesSearchedLinearly {
		return &nameSet{spelled: make(map[string]string, size)}
	}
	return &nameSet{few: make([]string, 0, size)}
}

// findSpelling returns the first spelling of a name, and whether the set has the name.
func (s *nameSet) findSpelling(name string) (spelling string, has bool) {
	if s.spelled != nil {
		spelling, has = s.spelled[caseInsensitiveNameKey(name)]
		return spelling, has
	}
	for _, other := range s.few {
		if areSameName(other, name) {
			return other, true
		}
	}
	return "", false
}

func (s *nameSet) containsName(name string) bool {
	_, has := s.findSpelling(name)
	return has
}

func (s *nameSet) addNameIfAbsent(name string) {
	if !s.containsName(name) {
		s.addAbsentName(name)
	}
}

// addAbsentName adds a name that the set does not have.
func (s *nameSet) addAbsentName(name string) {
	if s.spelled == nil && len(s.few) < maxNamesSearchedLinearly {
		s.few = append(s.few, name)
		return
	}
	if s.spelled == nil {
		s.spelled = make(map[string]string, 2*len(s.few))
		for _, other := range s.few {
			s.spelled[caseInsensitiveNameKey(other)] = other
		}
	}
	s.spelled[caseInsensitiveNameKey(name)] = name
}

// addUniqueName adds a name that the set does not have: base, or base with the least number.
func (s *nameSet) addUniqueName(base string) string {
	name := base
	if s.containsName(base) {
		key := caseInsensitiveNameKey(base)
		n := max(s.next[key], 2)
		for name = numberedName(base, n); s.containsName(name); name = numberedName(base, n) {
			n++
		}
		if s.next == nil {
			s.next = map[string]int{}
		}
		s.next[key] = n + 1
	}
	s.addAbsentName(name)
	return name
}

func numberedName(name string, n int) string { return name + "_" + strconv.Itoa(n) }

// makeColumnNamesUnique renames columns that share a name. Few columns are compared with each other before
// a set is made of them.
func makeColumnNamesUnique(cols []outputColumn) {
	if len(cols) <= maxNamesSearchedLinearly && !hasDuplicateColumnName(cols) {
		return
	}
	names := newNameSet(len(cols))
	for i := range cols {
		cols[i].name = names.addUniqueName(cols[i].name)
	}
}

// hasDuplicateColumnName reports whether two columns have one name. A column is compared with those before it only where one
// of them may have its name by the marks of both.
func hasDuplicateColumnName(cols []outputColumn) bool {
	var marks uint64 // of the columns so far
	for i := range cols {
		mark := lastTwoLettersBit(cols[i].name)
		if marks&mark == 0 {
			marks |= mark
			continue
		}
		marks |= mark
		for j := range cols[:i] {
			if areSameName(cols[i].name, cols[j].name) {
				return true
			}
		}
	}
	return false
}

// lastTwoLettersBit returns one bit for the last two letters of a name, the same for names that differ in case alone. Letters beyond ASCII,
// which may be the other case of an ASCII letter, have all bits.
func lastTwoLettersBit(name string) uint64 {
	if len(name) < 2 {
		return ^uint64(0)
	}
	x, y := name[len(name)-1], name[len(name)-2]
	if x|y > unicode.MaxASCII {
		return ^uint64(0)
	}
	return 1 << ((x&^caseBit*5 + y&^caseBit) % 64)
}

// areSameName is strings.EqualFold, which most pairs of names need not ask: their last letters differ.
func areSameName(a, b string) bool {
	return haveSameLastLetters(a, b) && strings.EqualFold(a, b)
}

// caseBit is the one in which two ASCII letters differ that differ in case alone.
const caseBit = 'a' - 'A'

// haveSameLastLetters reports whether the last letters of two names, two of each where they are ASCII, may be the same.
func haveSameLastLetters(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	x, y := a[len(a)-1], b[len(b)-1]
	if x > unicode.MaxASCII || y > unicode.MaxASCII {
		return true
	}
	if (x^y)&^caseBit != 0 {
		return false
	}
	if len(a) == 1 || len(b) == 1 {
		return len(a) == len(b)
	}
	x, y = a[len(a)-2], b[len(b)-2]
	return (x^y)&^caseBit == 0 || x > unicode.MaxASCII || y > unicode.MaxASCII
}

// caseInsensitiveNameKey returns the same text for all names that strings.EqualFold holds equal. Most names are
// that text themselves.
func caseInsensitiveNameKey(name string) string {
	for i := range len(name) {
		if c := name[i]; c > unicode.MaxASCII || 'A' <= c && c <= 'Z' {
			return strings.Map(canonicalCaseRune, name)
		}
	}
	return name
}

// canonicalCaseRune returns the least of the letters that differ in case alone; of ASCII letters, the small one.
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
