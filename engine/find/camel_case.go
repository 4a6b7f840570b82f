package find

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A question may have a word of camel case in small letters or in capitals, where nothing shows its parts. So the index
// keeps the parts of each such word by its letters, and a question is split as the model splits the word.

// addCompounds adds the words of a text that camel case joins.
func (b *indexBuilder) addCompounds(text string) {
	if !hasCamelCase(text) {
		return
	}
	for run := range strings.FieldsFuncSeq(norm.NFKC.String(text), isNeitherLetterNorMark) {
		if parts := splitWords(run); len(parts) > 1 {
			b.compounds[strings.Join(parts, "")] = parts
		}
	}
}

// hasCamelCase reports whether a capital follows a small letter.
func hasCamelCase(text string) bool {
	wasLower := false
	for _, r := range text {
		if wasLower && unicode.IsUpper(r) {
			return true
		}
		wasLower = unicode.IsLower(r) || wasLower && unicode.IsMark(r)
	}
	return false
}

func isNeitherLetterNorMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// splitQuestion returns the words of a question, those of camel case as the model has them.
func (x *Index) splitQuestion(text string) []string {
	if len(x.compounds) == 0 && !hasCamelCase(text) {
		return splitWords(text)
	}
	var out []string
	text = norm.NFKC.String(text)
	for len(text) > 0 {
		end := strings.IndexFunc(text, isNeitherLetterNorMark)
		if end < 0 {
			end = len(text)
		}
		if end > 0 {
			out = append(out, x.splitRun(text[:end])...)
			text = text[end:]
			continue
		}
		end = strings.IndexFunc(text, unicode.IsLetter)
		if end < 0 {
			end = len(text)
		}
		out = append(out, splitWords(text[:end])...)
		text = text[end:]
	}
	return out
}

// splitRun returns the words of letters that follow each other: the parts of a compound of the model, a word of the
// model that capitals interrupt, or else the parts of camel case.
func (x *Index) splitRun(run string) []string {
	parts := splitWords(run)
	whole := strings.Join(parts, "")
	_, isWord := slices.BinarySearch(x.words, whole)
	switch compound := x.compounds[whole]; {
	case compound != nil && !(isWord && len(parts) == 1):
		return compound
	case isWord:
		return []string{whole}
	}
	return parts
}
