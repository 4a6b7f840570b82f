package datafiles

import (
	"strconv"
	"strings"
	"unicode"
)

// maxShownPathLength is the longest path that a message repeats whole.
const maxShownPathLength = 200

// quotePathForMessage shows a path in a message: as it is where it is made of ordinary characters, else in
// quotes, and its end alone where it is long.
func quotePathForMessage(path string) string {
	if r := []rune(path); len(r) > maxShownPathLength {
		path = "…" + string(r[len(r)-maxShownPathLength:])
	}
	ordinary := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/\\._-=+:,@%~…", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !ordinary(r) }) < 0 {
		return path
	}
	return strconv.Quote(path)
}

func formatPathsForMessage(paths []string) string {
	shown := make([]string, len(paths))
	for i, p := range paths {
		shown[i] = quotePathForMessage(p)
	}
	return strings.Join(shown, ", ")
}
