package datafiles

import (
	"strconv"
	"strings"
	"unicode"
)

// maxShown is the longest path that a message repeats whole.
const maxShown = 200

// quote shows a path in a message: as it is where it is made of ordinary characters, else in
// quotes, and its end alone where it is long.
func quote(path string) string {
	if r := []rune(path); len(r) > maxShown {
		path = "…" + string(r[len(r)-maxShown:])
	}
	ordinary := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/\\._-=+:,@%~…", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !ordinary(r) }) < 0 {
		return path
	}
	return strconv.Quote(path)
}

func quoteAll(paths []string) string {
	shown := make([]string, len(paths))
	for i, p := range paths {
		shown[i] = quote(p)
	}
	return strings.Join(shown, ", ")
}
