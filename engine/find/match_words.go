package find

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// How well a word of a question matches a word of the vocabulary.
const (
	exactMatchQuality      = 1
	stemMatchQuality       = 0.9
	prefixMatchQuality     = 0.6
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

// wordMatch is a word of a question that matches a word of the vocabulary.
type wordMatch struct {
	query   int32
	quality float32
}

// searchScratch is the working memory of one search.
type searchScratch struct {
	matched   []uint8 // by place, how many of its words the question has
	touched   []int32 // places
	candidate []int32 // by object, its index among the candidates and 1
	overlap   map[int32]uint8
	// Per candidate and word of the question: the best contribution, how well it matched, and where.
	value, quality []float32
	place          []placeKind
}

// candidate is an object that matches a word.
type candidate struct {
	object int32
	row    int32 // of the working memory
	sum    float32
}

// findCandidates lists the objects that match a word of a question, and the importance of each word.
func (x *Index) findCandidates(s *searchScratch, words []string) (out []candidate, idf []float32) {
	matches := map[int32][]wordMatch{}
	idf = make([]float32, len(words))
	for i, w := range words {
		idf[i] = x.matchWord(s, w, int32(i), matches)
	}
	vocabulary := slices.Sorted(maps.Keys(matches))
	for _, word := range vocabulary {
		for _, p := range x.postings[word] {
			if s.matched[p] == 0 {
				s.touched = append(s.touched, p)
			}
			if s.matched[p] < math.MaxUint8 {
				s.matched[p]++
			}
		}
	}
	for _, word := range vocabulary {
		of := matches[word]
		for _, p := range x.postings[word] {
			at := x.places[p]
			if s.candidate[at.object] == 0 {
				out = append(out, candidate{object: at.object, row: int32(len(out))})
				s.candidate[at.object] = int32(len(out))
				s.addCandidateScoreRow(len(words))
			}
			c := &out[s.candidate[at.object]-1]
			weight := placeKindWeights[at.kind]
			if at.kind.isMatchedAsWhole() {
				weight *= float32(s.matched[p]) / float32(at.words)
			}
			for _, m := range of {
				i := int(c.row)*len(words) + int(m.query)
				if v := weight * m.quality * idf[m.query]; v > s.value[i] {
					c.sum += v - s.value[i]
					s.value[i], s.quality[i], s.place[i] = v, m.quality, at.kind
				}
			}
		}
	}
	return out, idf
}

// addCandidateScoreRow adds the row of a candidate.
func (s *searchScratch) addCandidateScoreRow(words int) {
	for range words {
		s.value, s.quality, s.place = append(s.value, 0), append(s.quality, 0), append(s.place, 0)
	}
}

func (x *Index) releaseScratch(s *searchScratch) {
	for _, p := range s.touched {
		s.matched[p], s.candidate[x.places[p].object] = 0, 0
	}
	s.touched, s.value, s.quality, s.place = s.touched[:0], s.value[:0], s.quality[:0], s.place[:0]
	x.scratch.Put(s)
}

// matchWord adds the words of the vocabulary that a word of a question matches, and returns the inverse document
// frequency of the word: that of its best matches.
func (x *Index) matchWord(s *searchScratch, w string, query int32, matches map[int32][]wordMatch) float32 {
	best, frequency := float32(0), 0
	seen := map[int32]bool{}
	add := func(word int32, quality float32) {
		if seen[word] {
			return
		}
		seen[word] = true
		matches[word] = append(matches[word], wordMatch{query, quality})
		switch {
		case quality > best:
			best, frequency = quality, len(x.postings[word])
		case quality == best:
			frequency += len(x.postings[word])
		}
	}
	at := sort.SearchStrings(x.words, w)
	if at < len(x.words) && x.words[at] == w {
		add(int32(at), exactMatchQuality)
	}
	root := stemOfWord(w)
	for _, word := range x.stems[root] {
		add(word, stemMatchQuality)
	}
	if !strings.HasPrefix(w, root) {
		root = w
	}
	if utf8.RuneCountInString(root) >= minPrefixLength && w != countWord { // a plural begins what its singular begins
		at := sort.SearchStrings(x.words, root)
		for i := at; i < len(x.words) && i < at+maxPrefixExpansions && strings.HasPrefix(x.words[i], root); i++ {
			add(int32(i), prefixMatchQuality)
		}
	}
	if best < stemMatchQuality && utf8.RuneCountInString(w) >= minMisspeltWordLength-1 { // it may be misspelt
		x.addNearWords(s, w, add)
	}
	if frequency == 0 {
		return 0
	}
	return float32(math.Log(1 + float64(len(x.objects)+1)/float64(frequency)))
}

// addNearWords adds the words of the vocabulary whose trigrams are like those of a word, or that one edit separates
// from it.
func (x *Index) addNearWords(s *searchScratch, w string, add func(int32, float32)) {
	clear(s.overlap)
	grams := trigramsOfWord(w)
	for _, g := range grams {
		for _, word := range x.trigrams[g] {
			s.overlap[word]++
		}
	}
	letters := []rune(w)
	likeness := func(word int32) float32 {
		alike := jaccardSimilarity(s.overlap[word], len(grams), x.counts[word])
		if alike < oneEditLikeness && isOneEdit(letters, []rune(x.words[word])) {
			return oneEditLikeness
		}
		return alike
	}
	near := make([]int32, 0, len(s.overlap))
	for word := range s.overlap {
		if likeness(word) >= minNearLikeness {
			near = append(near, word)
		}
	}
	slices.Sort(near)
	for _, word := range near {
		add(word, nearMatchQualityFactor*likeness(word))
	}
}

// isOneEdit reports whether one letter is changed, dropped, added or swapped with its neighbour between two words.
func isOneEdit(a, b []rune) bool {
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

func jaccardSimilarity(shared uint8, a int, b uint8) float32 {
	return float32(shared) / float32(a+int(b)-int(shared))
}
