package suggest

import "strings"

// scorePerEdit is the score of one edit. Scores are integers so that the ranking is
// the same on every machine; the finer steps order what edits alone would tie.
const scorePerEdit = 8

// maxComparedRunes is how many runes of a name take part: a distance costs the product
// of the lengths, and names come from outside.
const maxComparedRunes = 128

type similarityScorer struct {
	folded string
	runes  []rune
	rows   [3][]int
}

func newSimilarityScorer(name string) *similarityScorer {
	f := strings.ToLower(name)
	return &similarityScorer{folded: f, runes: clipToComparedRunes(f)}
}

func clipToComparedRunes(s string) []rune {
	r := []rune(s)
	return r[:min(len(r), maxComparedRunes)]
}

// distanceScore is 0 for names equal but for case and grows with the distance. What
// would be above limit may come out as any number above limit.
func (s *similarityScorer) distanceScore(candidate string, limit int) int {
	c := strings.ToLower(candidate)
	if c == s.folded {
		return 0
	}
	best := scorePerEdit * s.editDistance(clipToComparedRunes(c), limit/scorePerEdit)
	if s.folded == "" || c == "" {
		return best
	}
	if c == lastPathPart(s.folded) {
		best = min(best, scorePerEdit/4)
	}
	if last := lastPathPart(c); last != c && lastPathPart(s.folded) == s.folded {
		best = min(best, scorePerEdit/4+scorePerEdit*s.editDistance(clipToComparedRunes(last), limit/scorePerEdit))
	}
	extra := len(c) - len(s.folded)
	if extra < 0 {
		extra = -extra
	}
	switch {
	case strings.HasPrefix(c, s.folded) || strings.HasPrefix(s.folded, c):
		best = min(best, scorePerEdit+extra)
	case strings.Contains(c, s.folded) || strings.Contains(s.folded, c):
		best = min(best, 2*scorePerEdit+extra)
	}
	return best
}

func lastPathPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// editDistance returns the optimal string alignment distance: insertions, deletions,
// substitutions and swaps of neighbours cost one each. It gives up, with a
// number above limit, when the distance can only be above limit.
func (s *similarityScorer) editDistance(b []rune, limit int) int {
	a := s.runes
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	for i := range s.rows {
		if cap(s.rows[i]) <= len(b) {
			s.rows[i] = make([]int, len(b)+1)
		}
		s.rows[i] = s.rows[i][:len(b)+1]
	}
	before, prev, cur := s.rows[0], s.rows[1], s.rows[2]
	above := false
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
			least = min(least, cur[j])
		}
		// A swap reaches over one row, so two rows above the limit decide.
		if least > limit && above {
			return limit + 1
		}
		above = least > limit
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
