package sqlemit

import "strings"

// wordSet is a set of words in lower case.
type wordSet map[string]struct{}

func newWordSet(lists ...string) wordSet {
	s := wordSet{}
	for _, l := range lists {
		for _, w := range strings.Fields(l) {
			s[w] = struct{}{}
		}
	}
	return s
}

// maxReservedWordLength bounds the folding buffer of has; no reserved word is longer.
const maxReservedWordLength = 32

func (s wordSet) containsWord(word string) bool {
	if len(word) > maxReservedWordLength {
		return false
	}
	var buf [maxReservedWordLength]byte
	for i := range len(word) {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	_, ok := s[string(buf[:len(word)])]
	return ok
}
