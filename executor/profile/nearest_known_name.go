package profile

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

// nearestKnownName returns the known name that was probably meant, or "".
func nearestKnownName(name string, known []string) string {
	const longest = 40
	if name == "" || len(name) > longest || len(known) == 0 {
		return ""
	}
	name = strings.ToLower(name)
	nearest := suggest.Nearest(name, known, 1)[0]
	short := slices.IndexFunc(known, func(k string) bool { return isAbbreviation(name, k) })
	switch {
	case short >= 0 && !suggest.IsWithinEdits(1, name, nearest):
		return known[short]
	case suggest.IsWithinEdits(max(2, len(name)/2), name, nearest):
		return nearest
	}
	return ""
}

// isAbbreviation reports whether the letters of short appear in long in order, the
// first at its beginning: user for username, pwd for password.
func isAbbreviation(short, long string) bool {
	if short[0] != long[0] {
		return false
	}
	at := 0
	for i := 0; i < len(long) && at < len(short); i++ {
		if long[i] == short[at] {
			at++
		}
	}
	return at == len(short)
}
