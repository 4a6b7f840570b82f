package find

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"strings"
)

// SearchRequest is what to find.
type SearchRequest struct {
	Text  string
	Kinds []Kind // nil for all
	// Accept keeps an object; nil keeps all.
	Accept        func(Object) bool
	Limit, Offset int
}

// Hit is an object that a question names.
type Hit struct {
	Object
	Score float64 // in (0, 1], two digits
	Why   string  // the places and words that matched
}

// HitPage is one page of the hits of a question.
type HitPage struct {
	Hits  []Hit
	Total int
	// Near: nothing matched, and the hits have the nearest names.
	Near bool
}

const (
	// alreadyMatchedWordWeight is what a word counts after a hit that matches it.
	alreadyMatchedWordWeight = 0.35
	// maxCoverCandidates bounds the candidates that are ranked as a cover.
	maxCoverCandidates = 500
	maxNearHits        = 3
)

// Find returns a page of the objects that a question names, the best first.
func (x *Index) Find(q SearchRequest) HitPage {
	s := x.scratch.Get().(*searchScratch)
	defer x.releaseScratch(s)
	asked := x.splitQuestion(q.Text)
	words := questionWords(asked)
	all, idf := x.findCandidates(s, words, func(object int32) bool { return x.acceptsObject(q, object) })
	if len(all) == 0 {
		return x.findNearestNames(s, q, asked)
	}
	out := HitPage{Total: len(all)}
	if q.Offset >= out.Total {
		return out
	}
	end := min(q.Offset+q.Limit, out.Total)
	r := hitRanker{Index: x, searchScratch: s, words: words, idf: idf, residual: slices.Repeat([]float32{1}, len(words))}
	for _, i := range idf {
		r.greatest += placeKindWeights[placeKindName] * i
	}
	first, all := r.takeWholeQuestionMatches(asked, all)
	all = x.topCandidates(all, max(end-len(first), min(maxCoverCandidates, len(all))))
	x.fillCandidateScoreRows(s, idf, first, all)
	hits := r.greedyCoverHits(first, all, end)
	out.Hits = hits[q.Offset:end]
	return out
}

// MatchingNames reports for the names of objects of a kind whether they match a text.
func (x *Index) MatchingNames(kind Kind, text string) map[string]bool {
	s := x.scratch.Get().(*searchScratch)
	defer x.releaseScratch(s)
	all, _ := x.findCandidates(s, questionWords(x.splitQuestion(text)), func(object int32) bool { return x.objects[object].Kind == kind })
	out := make(map[string]bool, len(all))
	for _, c := range all {
		out[x.objects[c.object].Name] = true
	}
	return out
}

// questionWords returns the different words of a question that mean something.
func questionWords(all []string) []string {
	words := slices.Clone(withoutStopWords(all))
	slices.Sort(words)
	return slices.Compact(words)
}

func (x *Index) acceptsObject(q SearchRequest, object int32) bool {
	o := &x.objects[object]
	return (q.Kinds == nil || slices.Contains(q.Kinds, o.Kind)) && (q.Accept == nil || q.Accept(*o))
}

// hitRanker chooses hits one after another.
type hitRanker struct {
	*Index
	*searchScratch
	words    []string
	idf      []float32 // of each word of the question
	residual []float32 // of each word of the question, what it still counts
	greatest float32   // sum that the question allows
}

// takeWholeQuestionMatches removes the candidates whose name is the question, and then those with a name, synonym, label or
// question of the same stems, and returns them in that order before the others.
func (r *hitRanker) takeWholeQuestionMatches(asked []string, all []candidate) (phrases, others []candidate) {
	order := map[int32]int{}
	for at := r.phrases[phraseKey(asked)]; at > 0; at = r.phraseObjects[at-1].before {
		o := r.phraseObjects[at-1].object
		order[o] = 2
		if name := r.names[o]; slices.Equal(asked, name) || slices.Equal(asked, name[len(name)-int(r.own[o]):]) {
			order[o] = 1
		}
		r.rows[o] = 1 // a mark
	}
	if len(order) == 0 {
		return nil, all
	}
	others = slices.DeleteFunc(all, func(c candidate) bool {
		if r.rows[c.object] == 0 {
			return false
		}
		phrases = append(phrases, c)
		return true
	})
	for o := range order {
		r.rows[o] = 0
	}
	slices.SortFunc(phrases, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(order[a.object], order[b.object]), r.compareCandidates(a, b))
	})
	return phrases, others
}

// greedyCoverHits returns the first hits: phrases, then the greedy cover of the candidates, then the others in their order.
func (r *hitRanker) greedyCoverHits(phrases, all []candidate, end int) []Hit {
	out := make([]Hit, 0, end)
	last := 1.0
	add := func(c candidate, score float64) {
		last = min(last, max(0.01, math.Round(score*100)/100))
		out = append(out, Hit{Object: r.objects[c.object], Score: last, Why: r.matchReason(c)})
		for i, v := range r.scoresOfCandidateByWord(r.value, c) {
			if v > 0 {
				r.residual[i] *= 1 - (1-alreadyMatchedWordWeight)*v/(placeKindWeights[placeKindName]*r.idf[i])
			}
		}
	}
	for _, c := range phrases {
		if len(out) == end {
			return out
		}
		add(c, 1)
	}
	queue := &candidateQueue{hitRanker: r, list: slices.Clone(all[:min(len(all), maxCoverCandidates)])}
	for i := range queue.list {
		queue.list[i].sum = r.matchSumOfUncoveredWords(queue.list[i])
	}
	heap.Init(queue)
	for queue.Len() > 0 && len(out) < end {
		// Sums only decrease, so a candidate whose current sum is still the greatest is the next.
		if current := r.matchSumOfUncoveredWords(queue.list[0]); current < queue.list[0].sum {
			queue.list[0].sum = current
			heap.Fix(queue, 0)
			continue
		}
		c := heap.Pop(queue).(candidate)
		add(c, float64(c.sum/r.greatest))
	}
	for _, c := range all[min(len(all), maxCoverCandidates):] {
		if len(out) == end {
			break
		}
		add(c, float64(r.matchSumOfUncoveredWords(c)/r.greatest))
	}
	return out
}

// scoresOfCandidateByWord returns the scores of a candidate in the working memory, by word of the question.
func (r *hitRanker) scoresOfCandidateByWord(of []float32, c candidate) []float32 {
	return of[int(c.row)*len(r.words) : (int(c.row)+1)*len(r.words)]
}

// matchSumOfUncoveredWords returns what the words that a candidate matches still count.
func (r *hitRanker) matchSumOfUncoveredWords(c candidate) float32 {
	total := float32(0)
	for i, v := range r.scoresOfCandidateByWord(r.value, c) {
		total += v * r.residual[i]
	}
	return total
}

// matchReason names the places and words that matched, the best place of each word.
func (r *hitRanker) matchReason(c candidate) string {
	var parts []string
	for kind := range placeKindWeights {
		var words []string
		for i, q := range r.scoresOfCandidateByWord(r.quality, c) {
			if q > 0 && r.place[int(c.row)*len(r.words)+i] == placeKind(kind) {
				words = append(words, r.words[i])
			}
		}
		if len(words) > 0 {
			parts = append(parts, placeKindNames[kind]+": "+strings.Join(words, " "))
		}
	}
	if s := r.objects[c.object].Saved; s != nil && s.Verified != nil {
		parts = append(parts, "verified by "+s.Verified.By)
	}
	return strings.Join(parts, "; ")
}

// candidateQueue holds candidates, the greatest sum first.
type candidateQueue struct {
	*hitRanker
	list []candidate
}

func (q *candidateQueue) Len() int { return len(q.list) }
func (q *candidateQueue) Less(i, j int) bool {
	if q.list[i].sum != q.list[j].sum {
		return q.list[i].sum > q.list[j].sum
	}
	return q.rank[q.list[i].object] < q.rank[q.list[j].object]
}
func (q *candidateQueue) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *candidateQueue) Push(v any)    { q.list = append(q.list, v.(candidate)) }
func (q *candidateQueue) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}

// findNearestNames returns the objects with the nearest names.
func (x *Index) findNearestNames(s *searchScratch, q SearchRequest, asked []string) HitPage {
	grams := trigramsOfWord(strings.Join(asked, " "))
	names := x.nameGrams()
	if s.shared == nil {
		s.shared = make([]uint16, len(x.objects))
	}
	overlap := s.shared
	clear(overlap)
	for _, g := range grams {
		for _, o := range names.objects[g] {
			overlap[o]++
		}
	}
	score := func(o int32) float32 { return jaccardSimilarity(overlap[o], len(grams), names.counts[o]) }
	better := func(a, b int32) bool {
		if of, than := score(a), score(b); of != than {
			return of > than
		}
		return x.rank[a] < x.rank[b]
	}
	var nearest []int32
	for o := range int32(len(x.objects)) {
		isFull := len(nearest) == maxNearHits
		if x.objects[o].Kind == KindValue || isFull && !better(o, nearest[maxNearHits-1]) || !x.acceptsObject(q, o) {
			continue
		}
		if isFull {
			nearest = nearest[:maxNearHits-1]
		}
		at := 0
		for at < len(nearest) && better(nearest[at], o) {
			at++
		}
		nearest = slices.Insert(nearest, at, o)
	}
	out := HitPage{Total: len(nearest), Near: true}
	for _, o := range nearest[min(q.Offset, len(nearest)):min(q.Offset+q.Limit, len(nearest))] {
		out.Hits = append(out.Hits, Hit{Object: x.objects[o], Score: max(0.01, math.Round(float64(score(o))*100)/100), Why: "name: " + strings.Join(x.names[o], " ")})
	}
	return out
}
