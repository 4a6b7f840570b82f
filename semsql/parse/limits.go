package parse

import "github.com/semlayer/semlayer/modelspec/limits"

// Limits bounds what a text may ask of the parser and of every pass after it.
type Limits struct {
	Text      int // bytes of text; 0 for any length
	Name      int // bytes of one name with its quotes; 0 for any length
	Constant  int // bytes of one text or number with its quotes; 0 for any length
	Depth     int // levels of nesting; a chain of AND or of OR is one level
	InItems   int // items of one IN list
	Relations int // relations in FROM, in the whole statement
	Items     int // items of one list: of SELECT, GROUP BY, ORDER BY and the arguments of a call

	// ComputedText bounds the bytes of text that functions build for a row, as the readers of a tree estimate them.
	ComputedText int
}

// DefaultLimits bounds statements that come from outside. The length of the text is bounded by
// the reader of the text.
func DefaultLimits() Limits {
	return Limits{
		Name: limits.SQLNameBytes, Constant: limits.SQLConstantBytes,
		Depth: limits.SQLDepth, InItems: limits.SQLInListItems, Relations: limits.SQLRelations, Items: limits.SQLListItems,
		ComputedText: limits.ConditionComputedTextBytes,
	}
}
