package suggest

import "strings"

// minMisspeltRunes is the length from which on one edit is a slip: of shorter names, most are one edit apart.
const minMisspeltRunes = 3

// Respelling returns the name that was meant: the one that differs in case alone, else the only one that differs by
// one edit. ok is false where there is none, or two are as near.
func Respelling(name string, names []string) (better string, ok bool) {
	s := newSimilarityScorer(name)
	for _, n := range names {
		if n != better && strings.ToLower(n) == s.folded {
			if ok {
				return "", false
			}
			better, ok = n, true
		}
	}
	if ok || len(s.runes) < minMisspeltRunes {
		return better, ok
	}
	for _, n := range names {
		if n != better && s.editDistance(clipToComparedRunes(strings.ToLower(n)), 1) == 1 {
			if ok {
				return "", false
			}
			better, ok = n, true
		}
	}
	return better, ok
}
