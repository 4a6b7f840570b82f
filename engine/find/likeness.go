package find

import (
	"strings"
	"unicode/utf8"
)

// LikenessScorer compares values of the data with one text.
type LikenessScorer struct {
	folded   string
	trigrams map[string]bool
	isLong   bool // long enough for misspellings
}

// MinLikeness is how alike a value and a text are at least that are near each other.
const MinLikeness = minNearLikeness

// maxComparedRunes bounds the length of the values that are compared by trigrams. A text of 200 characters
// shares less than 0.4 of the trigrams of longer ones, unless these repeat themselves.
const maxComparedRunes = 600

// NewLikenessScorer prepares the comparison with a text.
func NewLikenessScorer(text string) *LikenessScorer {
	l := &LikenessScorer{folded: foldText(text), trigrams: map[string]bool{}}
	for _, g := range trigramsOfWord(l.folded) {
		l.trigrams[g] = true
	}
	l.isLong = utf8.RuneCountInString(l.folded) >= minMisspeltWordLength
	return l
}

// EqualsFolded reports whether a value is the text but for case, marks and surrounding spaces.
func (l *LikenessScorer) EqualsFolded(value string) bool {
	return len(value) <= 8*(len(l.folded)+16) && foldText(value) == l.folded
}

// Score returns how alike a value is: 1 for another spelling of the text, else the Jaccard index of the trigrams, and at
// least 0.7 for a value that one edit of a letter separates from the text.
func (l *LikenessScorer) Score(value string) float64 {
	if !hasAtMostRunes(value, maxComparedRunes) {
		return 0
	}
	folded := foldText(value)
	if folded == l.folded {
		return 1
	}
	grams := trigramsOfWord(folded)
	shared := 0
	for _, g := range grams {
		if l.trigrams[g] {
			shared++
		}
	}
	if shared == 0 && !l.isLong {
		return 0
	}
	likeness := float64(shared) / float64(len(grams)+len(l.trigrams)-shared)
	if l.isLong && likeness < oneEditLikeness && isOneEditApart([]rune(l.folded), []rune(folded)) {
		return oneEditLikeness
	}
	return likeness
}

// foldText returns a text without case, marks and surrounding spaces. What is neither a letter nor a digit stays.
func foldText(text string) string { return foldWord(strings.TrimSpace(text)) }

// hasAtMostRunes reports whether a text has at most n characters.
func hasAtMostRunes(text string, n int) bool {
	return len(text) <= n || len(text) <= utf8.UTFMax*n && utf8.RuneCountInString(text) <= n
}
