package find

import (
	"container/heap"
	"math"
	"slices"
)

// searchScratch is the working memory of one search.
type searchScratch struct {
	// Of the words of the question, one after another: the words of the vocabulary that they match, and where these end.
	matches   []wordMatch
	ends      []int
	isMatched []bool // by word of the vocabulary, by the word of the question at hand
	distinct  []int32

	overlap []uint16 // by word of the vocabulary, the trigrams that it shares with the word at hand
	sharing []int32

	shared  []uint16 // by object, the trigrams that its name shares with a question that nothing matches; made when needed
	matched []uint8  // by place that counts as a whole, how many of its words the question has
	touched []int32  // places

	best       []float32 // by object, what the word at hand counts
	improved   []int32   // objects
	sums       []float32 // by object, what all words count
	found      []int32   // objects with a sum
	candidates []candidate

	rows []int32 // by object, the row of its candidate and 1
	// Per row and word of the question: the best contribution, how well it matched, and where.
	value, quality []float32
	place          []placeKind
}

// candidate is an object that matches a word.
type candidate struct {
	object int32
	row    int32 // of the working memory; of ranked candidates alone
	sum    float32
}

func newSearchScratch(words, places, objects int) *searchScratch {
	return &searchScratch{
		isMatched: make([]bool, words), overlap: make([]uint16, words), matched: make([]uint8, places),
		best: make([]float32, objects), sums: make([]float32, objects), rows: make([]int32, objects),
	}
}

// findCandidates lists the objects that match a word of a question and that accept keeps, and the importance of each word.
// The list is valid until the working memory is released.
func (x *Index) findCandidates(s *searchScratch, words []string, accept func(object int32) bool) (all []candidate, idf []float32) {
	idf = make([]float32, len(words))
	for i, w := range words {
		idf[i] = x.matchWord(s, w)
		s.ends = append(s.ends, len(s.matches))
	}
	x.countMatchedWords(s)
	for i := range words {
		for _, m := range s.matchesOf(i) {
			factor := m.quality * idf[i]
			for _, p := range x.postings[m.word] {
				at := x.places[p]
				v := x.weightOfPlace(s, p) * factor
				if v <= s.best[at.object] {
					continue
				}
				if s.best[at.object] == 0 {
					s.improved = append(s.improved, at.object)
				}
				s.best[at.object] = v
			}
		}
		for _, o := range s.improved {
			if s.sums[o] == 0 {
				s.found = append(s.found, o)
			}
			s.sums[o] += s.best[o]
			s.best[o] = 0
		}
		s.improved = s.improved[:0]
	}
	for _, o := range s.found {
		if accept(o) {
			s.candidates = append(s.candidates, candidate{object: o, sum: s.sums[o]})
		}
	}
	return s.candidates, idf
}

// matchesOf returns the words of the vocabulary that a word of the question matches.
func (s *searchScratch) matchesOf(word int) []wordMatch {
	begin := 0
	if word > 0 {
		begin = s.ends[word-1]
	}
	return s.matches[begin:s.ends[word]]
}

// countMatchedWords counts the words of places of which the question may have a share.
func (x *Index) countMatchedWords(s *searchScratch) {
	for _, m := range s.matches {
		s.distinct = append(s.distinct, m.word)
	}
	slices.Sort(s.distinct)
	s.distinct = slices.Compact(s.distinct)
	for _, word := range s.distinct {
		for _, p := range x.postings[word] {
			if at := &x.places[p]; at.words == 1 || !at.kind.isWeightedByMatchedWordShare() {
				continue
			}
			if s.matched[p] == 0 {
				s.touched = append(s.touched, p)
			}
			if s.matched[p] < math.MaxUint8 {
				s.matched[p]++
			}
		}
	}
}

// weightOfPlace returns the weight of a word in a place.
func (x *Index) weightOfPlace(s *searchScratch, place int32) float32 {
	at := &x.places[place]
	weight := placeKindWeights[at.kind]
	if at.words > 1 && at.kind.isWeightedByMatchedWordShare() {
		weight *= float32(s.matched[place]) / float32(at.words)
	}
	return weight
}

// topCandidates returns the n candidates with the greatest sums, the greatest first, or all where these are fewer.
func (x *Index) topCandidates(all []candidate, n int) []candidate {
	if n < len(all) {
		worst := &worstFirst{x, all[:n]}
		heap.Init(worst)
		for _, c := range all[n:] {
			if x.compareCandidates(c, worst.list[0]) < 0 {
				worst.list[0] = c
				heap.Fix(worst, 0)
			}
		}
		all = all[:n]
	}
	slices.SortFunc(all, x.compareCandidates)
	return all
}

// compareCandidates orders candidates by their sums, the greatest first, and equal ones by their rank.
func (x *Index) compareCandidates(a, b candidate) int {
	switch {
	case a.sum > b.sum:
		return -1
	case a.sum < b.sum:
		return 1
	}
	return int(x.rank[a.object]) - int(x.rank[b.object])
}

// worstFirst is a heap of candidates, the last in their order on top.
type worstFirst struct {
	*Index
	list []candidate
}

func (h *worstFirst) Len() int           { return len(h.list) }
func (h *worstFirst) Less(i, j int) bool { return h.compareCandidates(h.list[i], h.list[j]) > 0 }
func (h *worstFirst) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *worstFirst) Push(any)           { panic("the heap has a fixed size") }
func (h *worstFirst) Pop() any           { panic("the heap has a fixed size") }

// fillCandidateScoreRows gives candidates their rows.
func (x *Index) fillCandidateScoreRows(s *searchScratch, idf []float32, lists ...[]candidate) {
	n := 0
	for _, list := range lists {
		for i := range list {
			list[i].row = int32(n)
			n++
			s.rows[list[i].object] = int32(n)
		}
	}
	cells := n * len(idf)
	s.value, s.quality, s.place = zeroed(s.value, cells), zeroed(s.quality, cells), zeroed(s.place, cells)
	for word := range idf {
		for _, m := range s.matchesOf(word) {
			factor := m.quality * idf[word]
			for _, p := range x.postings[m.word] {
				row := int(s.rows[x.places[p].object])
				if row == 0 {
					continue
				}
				i := (row-1)*len(idf) + word
				if v := x.weightOfPlace(s, p) * factor; v > s.value[i] {
					s.value[i], s.quality[i], s.place[i] = v, m.quality, x.places[p].kind
				}
			}
		}
	}
	for _, list := range lists {
		for _, c := range list {
			s.rows[c.object] = 0
		}
	}
}

// zeroed returns a slice of n zeros, in the memory of another one where that is large enough.
func zeroed[T any](of []T, n int) []T {
	if cap(of) < n {
		return make([]T, n)
	}
	of = of[:n]
	clear(of)
	return of
}

func (x *Index) releaseScratch(s *searchScratch) {
	for _, p := range s.touched {
		s.matched[p] = 0
	}
	for _, o := range s.found {
		s.sums[o] = 0
	}
	s.matches, s.ends, s.distinct = s.matches[:0], s.ends[:0], s.distinct[:0]
	s.touched, s.found, s.candidates = s.touched[:0], s.found[:0], s.candidates[:0]
	x.scratch.Put(s)
}
