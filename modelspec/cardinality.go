package modelspec

import "slices"

// Cardinality is how many rows a relationship matches: what a model declares or its keys prove.
type Cardinality uint8

// The cardinalities. Unproven fans out like ManyToMany in the direction of the
// edge, because nothing proves that it does not.
const (
	UnprovenCardinality Cardinality = iota
	ManyToOne
	OneToOne
	ManyToMany
)

var cardinalityNames = []string{"unproven", "many_to_one", "one_to_one", "many_to_many"}

// cardinalitySummaries describe the cardinalities that a model may declare, in their order.
var cardinalitySummaries = []string{
	"each row of the many side has at most one match", "each row of both sides has at most one match", "rows of both sides may have several matches",
}

// Cardinalities lists the names of the cardinalities that a model may declare.
func Cardinalities() []string { return slices.Clone(cardinalityNames[1:]) }

// ParseCardinality reads the name of a declared cardinality; unproven for any other text.
func ParseCardinality(text string) Cardinality {
	return Cardinality(1 + slices.Index(cardinalityNames[1:], text))
}

// String returns the cardinality's name in a model.
func (c Cardinality) String() string { return cardinalityNames[c] }

// MatchesOneRow reports whether a row of the many side has at most one match.
func (c Cardinality) MatchesOneRow() bool { return c == ManyToOne || c == OneToOne }
