package find

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// howManyReplacementWord is the word that "how many" and "number of" become. Words such as country, which begin with it, have
// nothing to do with it.
const howManyReplacementWord = "count"

// stopWords are English words that name nothing.
var stopWords = wordSet(`a an and are as at be been by can could did do does each for from give had has have how
	i in is it its list many me much my of on or our per please shall should show than that the their them then there these
	this those to us was we were what when where which who whose why will with would you your`)

func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}

// splitWords returns the words of a text: NFKC, folded, without marks. A word ends at everything that is neither a
// letter nor a digit, between a lower and an upper case letter, and between letters and digits.
func splitWords(text string) []string {
	if isASCII(text) {
		return splitASCIIWords(text)
	}
	return splitUnicodeWords(text)
}

// splitUnicodeWords does for any text what splitWords does.
func splitUnicodeWords(text string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, foldWord(string(word)))
			word = word[:0]
		}
	}
	var last rune
	for _, r := range norm.NFKC.String(text) {
		switch {
		case unicode.IsMark(r):
			if len(word) > 0 {
				word = append(word, r)
			}
			continue
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end()
			last = 0
			continue
		case unicode.IsLower(last) && unicode.IsUpper(r), last != 0 && unicode.IsLetter(last) != unicode.IsLetter(r):
			end()
		}
		word = append(word, r)
		last = r
	}
	end()
	return out
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// splitASCIIWords does for a text in ASCII what splitWords does. The words are parts of one text in small letters.
func splitASCIIWords(text string) []string {
	var out []string
	small := strings.ToLower(text)
	begun := -1
	for i := range len(text) {
		c := text[i]
		isLetter, isDigit := 'a' <= small[i] && small[i] <= 'z', '0' <= c && c <= '9'
		if begun >= 0 {
			last := text[i-1]
			wasDigit, isCamel := '0' <= last && last <= '9', 'a' <= last && last <= 'z' && 'A' <= c && c <= 'Z'
			if !isLetter && !isDigit || isCamel || wasDigit == isLetter {
				out = append(out, small[begun:i])
				begun = -1
			}
		}
		if begun < 0 && (isLetter || isDigit) {
			begun = i
		}
	}
	if begun >= 0 {
		out = append(out, small[begun:])
	}
	return out
}

// foldWord folds the case of a word and removes its marks. A word of marks alone keeps them.
func foldWord(word string) string {
	if isLowerASCII(word) {
		return word
	}
	folded := cases.Fold().String(norm.NFD.String(word))
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, folded)
	return norm.NFKC.String(bare)
}

func isLowerASCII(word string) bool {
	for i := range len(word) {
		if c := word[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// withoutStopWords leaves out the function words of a text, unless nothing else is left. The phrases "how many" and
// "number of" become the word count.
func withoutStopWords(all []string) []string {
	if !slices.ContainsFunc(all, func(w string) bool { return stopWords[w] }) {
		return all // the phrases end or begin with a function word
	}
	var out []string
	for i := 0; i < len(all); i++ {
		if i+1 < len(all) && (all[i] == "how" && all[i+1] == "many" || all[i] == "number" && all[i+1] == "of") {
			out = append(out, howManyReplacementWord)
			i++
			continue
		}
		if !stopWords[all[i]] {
			out = append(out, all[i])
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// stemOfWord returns the English stem of a word.
func stemOfWord(word string) string { return english.Stem(word, true) }

// maxRunesForSliceDedup is up to how many letters a search in a list is faster than a set.
const maxRunesForSliceDedup = 24

// trigramsOfWord returns the runs of three letters of a word between two spaces, each once.
func trigramsOfWord(word string) []string {
	runes := []rune(" " + word + " ")
	out := make([]string, 0, len(runes))
	if len(runes) <= maxRunesForSliceDedup {
		for i := 0; i+3 <= len(runes); i++ {
			if t := string(runes[i : i+3]); !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
		return out
	}
	seen := make(map[string]bool, len(runes))
	for i := 0; i+3 <= len(runes); i++ {
		if t := string(runes[i : i+3]); !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
