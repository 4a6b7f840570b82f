package suggest

import "unicode/utf8"

// Budget bounds the work of ranking names. A text full of wrong names would
// otherwise cost the product of its wrong names and its right ones.
type Budget struct{ left int }

// readCost is what reading a character of a name costs, in comparisons.
const readCost = 8

// NewBudget returns a budget of so many comparisons of two characters.
func NewBudget(comparisons int) *Budget { return &Budget{comparisons} }

// Nearest is the function Nearest over names() while the budget lasts. After that
// it returns nil and does not call names.
func (b *Budget) Nearest(name string, names func() []string, max int) []string {
	if b.left <= 0 {
		return nil
	}
	list := names()
	length := clippedLength(name)
	for _, n := range list {
		b.left -= readCost*len(n) + length*clippedLength(n)
	}
	b.left -= readCost * len(list) * min(len(name), maxCompared)
	return Nearest(name, list, max)
}

// IsExhausted reports whether nothing is left.
func (b *Budget) IsExhausted() bool { return b.left <= 0 }

// clippedLength is the length in characters of a name as far as it takes part.
func clippedLength(name string) int {
	return utf8.RuneCountInString(name[:min(len(name), maxCompared)])
}
