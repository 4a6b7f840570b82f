package suggest

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxCandidates is the most candidates any answer of the service carries.
const MaxCandidates = 20

// Nearest returns the distinct names ranked by nearness to name, nearest
// first, at most max of them (Limit when max is not between 1 and Limit). It
// never filters by quality: with few names it returns them all. What has no name
// cannot be meant, and is left out.
func Nearest(name string, names []string, max int) []string {
	if max < 1 || max > MaxCandidates {
		max = MaxCandidates
	}
	if len(names) == 0 {
		return nil
	}
	s := newSimilarityScorer(name)
	best := make([]scoredName, 0, max+1)
	for _, n := range names {
		if n == "" {
			continue
		}
		limit := math.MaxInt / 2
		if len(best) == max {
			limit = best[max-1].score
		}
		best = insertScoredName(best, scoredName{s.distanceScore(n, limit), n}, max)
	}
	out := make([]string, len(best))
	for i, b := range best {
		out[i] = b.name
	}
	return out
}

// ClosestIfNear returns the nearest name when it is near enough to be what was
// meant, for messages that offer a single correction.
func ClosestIfNear(name string, names []string) (string, bool) {
	ranked := Nearest(name, names, 1)
	if len(ranked) == 0 {
		return "", false
	}
	allowed := max(1, len([]rune(name))/3) * scorePerEdit
	return ranked[0], newSimilarityScorer(name).distanceScore(ranked[0], allowed) <= allowed
}

// IsWithinEdits reports whether one name becomes the other by at most so many edits, regardless
// of case. An edit inserts, deletes or replaces a character, or swaps two neighbours.
func IsWithinEdits(edits int, name, other string) bool {
	s := newSimilarityScorer(name)
	return s.editDistance(clipToComparedRunes(strings.ToLower(other)), edits) <= edits
}

type scoredName struct {
	score int
	name  string
}

func (s scoredName) compareByScore(o scoredName) int {
	if s.score != o.score {
		return s.score - o.score
	}
	if c := strings.Compare(strings.ToLower(s.name), strings.ToLower(o.name)); c != 0 {
		return c
	}
	return strings.Compare(s.name, o.name)
}

// insertScoredName keeps best sorted, free of duplicates and no longer than limit.
func insertScoredName(best []scoredName, x scoredName, limit int) []scoredName {
	at, found := slices.BinarySearchFunc(best, x, scoredName.compareByScore)
	if found || at >= limit {
		return best
	}
	best = slices.Insert(best, at, x)
	return best[:min(len(best), limit)]
}

// RankingBudget bounds the work of ranking names. A text full of wrong names would
// otherwise cost the product of its wrong names and its right ones.
type RankingBudget struct{ left int }

// readCharacterCostInComparisons is what reading a character of a name costs, in comparisons.
const readCharacterCostInComparisons = 8

// NewRankingBudget returns a budget of so many comparisons of two characters.
func NewRankingBudget(comparisons int) *RankingBudget { return &RankingBudget{comparisons} }

// Nearest returns the function Nearest over names() while the budget lasts. After that
// it returns nil and does not call names.
func (b *RankingBudget) Nearest(name string, names func() []string, max int) []string {
	if b.left <= 0 {
		return nil
	}
	list := names()
	length := clippedRuneCount(name)
	for _, n := range list {
		b.left -= readCharacterCostInComparisons*len(n) + length*clippedRuneCount(n)
	}
	b.left -= readCharacterCostInComparisons * len(list) * min(len(name), maxComparedRunes)
	return Nearest(name, list, max)
}

// IsExhausted reports whether nothing is left.
func (b *RankingBudget) IsExhausted() bool { return b.left <= 0 }

// clippedRuneCount returns the length in characters of a name as far as it takes part.
func clippedRuneCount(name string) int {
	return utf8.RuneCountInString(name[:min(len(name), maxComparedRunes)])
}

// minMisspeltRunes is the length from which on one edit is a slip: of shorter names, most are one edit apart.
const minMisspeltRunes = 3

// Respelling returns the name that was meant: the one that differs in case alone, else the only one that differs by
// one edit. ok is false where there is none, or two are as near.
func Respelling(name string, names []string) (better string, ok bool) {
	s := newSimilarityScorer(name)
	for _, n := range names {
		if n != better && strings.ToLower(n) == s.folded {
			if ok {
				return "", false
			}
			better, ok = n, true
		}
	}
	if ok || len(s.runes) < minMisspeltRunes {
		return better, ok
	}
	for _, n := range names {
		if n != better && s.editDistance(clipToComparedRunes(strings.ToLower(n)), 1) == 1 {
			if ok {
				return "", false
			}
			better, ok = n, true
		}
	}
	return better, ok
}
