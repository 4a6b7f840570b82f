package suggest

import "unicode/utf8"

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
