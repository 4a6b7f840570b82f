package generate

import (
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// separateCaseWords puts an underscore where a word of a name ends by a change of case: before a capital after a small
// letter, and before the last of several capitals or digits if a small letter follows.
func separateCaseWords(name string) string {
	r := []rune(name)
	var b strings.Builder
	for i, c := range r {
		if i > 0 && unicode.IsUpper(c) {
			isWordStart := i+1 < len(r) && unicode.IsLower(r[i+1]) && (unicode.IsUpper(r[i-1]) || unicode.IsDigit(r[i-1]))
			if isWordStart || unicode.IsLower(r[i-1]) {
				b.WriteByte('_')
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}

// identifierOfWords returns the identifier of a name whose words an underscore separates.
func identifierOfWords(name string) string {
	return datafiles.IdentifierFromText(separateCaseWords(name))
}

// caseWordsLabel returns the words of a name as they are written, "" if no change of case separates them: the name of the
// field shows the words then.
func caseWordsLabel(name string) string {
	separated := separateCaseWords(name)
	if separated == name {
		return ""
	}
	return strings.Join(splitWords(separated), " ")
}
