package find

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// How well a word of a question matches a word of the vocabulary.
const (
	exactWordMatchQuality  = 1
	stemWordMatchQuality   = 0.9
	prefixWordMatchQuality = 0.6
	nearMatchQualityFactor = 0.5
	minNearLikeness        = 0.4
	// oneEditLikeness is how alike two words are that one edit of a letter separates. Trigrams alone miss
	// edits in the middle of short words.
	oneEditLikeness = 0.7
	// minPrefixLength is the least length of a word that others may begin with.
	minPrefixLength = 3
	// maxPrefixExpansions bounds the words of the vocabulary that begin with a word of a question.
	maxPrefixExpansions = 200
)

// wordMatch is a word of the vocabulary that a word of a question matches.
type wordMatch struct {
	word    int32
	quality float32
}

// matchWord appends the words of the vocabulary that a word of a question matches, and returns the inverse document
// frequency of the word: that of its best matches.
func (x *Index) matchWord(s *searchScratch, w string) float32 {
	best, frequency := float32(0), 0
	begun := len(s.matches)
	add := func(word int32, quality float32) {
		if s.isMatched[word] {
			return
		}
		s.isMatched[word] = true
		s.matches = append(s.matches, wordMatch{word, quality})
		switch {
		case quality > best:
			best, frequency = quality, len(x.postings[word])
		case quality == best:
			frequency += len(x.postings[word])
		}
	}
	at := sort.SearchStrings(x.words, w)
	if at < len(x.words) && x.words[at] == w {
		add(int32(at), exactWordMatchQuality)
	}
	root := stemOfWord(w)
	for _, word := range x.stems[root] {
		add(word, stemWordMatchQuality)
	}
	if !strings.HasPrefix(w, root) {
		root = w
	}
	if utf8.RuneCountInString(root) >= minPrefixLength && w != howManyReplacementWord { // a plural begins what its singular begins
		at := sort.SearchStrings(x.words, root)
		for i := at; i < len(x.words) && i < at+maxPrefixExpansions && strings.HasPrefix(x.words[i], root); i++ {
			add(int32(i), prefixWordMatchQuality)
		}
	}
	if best < stemWordMatchQuality && utf8.RuneCountInString(w) >= minMisspeltWordLength-1 { // it may be misspelt
		x.addNearWords(s, w, add)
	}
	for _, m := range s.matches[begun:] {
		s.isMatched[m.word] = false
	}
	if frequency == 0 {
		return 0
	}
	return float32(math.Log(1 + float64(len(x.objects)+1)/float64(frequency)))
}

// addNearWords adds the words of the vocabulary whose trigrams are like those of a word, or that one edit separates
// from it.
func (x *Index) addNearWords(s *searchScratch, w string, add func(int32, float32)) {
	grams := trigramsOfWord(w)
	sharing := s.sharing[:0] // words that share a trigram
	for _, g := range grams {
		for _, word := range x.trigrams[g] {
			if s.overlap[word] == 0 {
				sharing = append(sharing, word)
			}
			s.overlap[word]++
		}
	}
	s.sharing = sharing
	letters := []rune(w)
	likeness := func(word int32) float32 {
		alike := jaccardSimilarity(s.overlap[word], len(grams), x.counts[word])
		if alike < oneEditLikeness && isOneEditApart(letters, []rune(x.words[word])) {
			return oneEditLikeness
		}
		return alike
	}
	slices.Sort(sharing)
	for _, word := range sharing {
		if alike := likeness(word); alike >= minNearLikeness {
			add(word, nearMatchQualityFactor*alike)
		}
	}
	for _, word := range sharing {
		s.overlap[word] = 0
	}
}

// isOneEditApart reports whether one letter is changed, dropped, added or swapped with its neighbour between two words.
func isOneEditApart(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return slices.Equal(a[i:], b[i+1:])
	}
	if i == len(a) || slices.Equal(a[i+1:], b[i+1:]) {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}

func jaccardSimilarity(shared uint16, a int, b uint8) float32 {
	if shared == 0 {
		return 0
	}
	return float32(shared) / float32(a+int(b)-int(shared))
}
