package parse

import (
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

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

// depthChecker measures the height of a tree in expressions and queries. Parsing bounds
// parentheses on its way down; a chain such as a + b + c + … grows the tree without recursion.
type depthChecker struct {
	most  int
	depth int
	over  Node // the parent
	at    Node // the first node beyond the limit
	visit func(Node)
}

// checkDepth rejects a tree that is higher than the limit.
func checkDepth(n Node, most int) error {
	c := &depthChecker{most: most}
	c.visit = c.visitNode
	VisitChildren(n, c.visit)
	if c.at != nil {
		return newTooDeepError(sqlexpr.Position(c.at.Pos()), most)
	}
	return nil
}

func (c *depthChecker) visitNode(n Node) {
	if c.at != nil {
		return
	}
	level := 0
	if countsAsNestingLevel(n) && !continuesChain(c.over, n) {
		level = 1
	}
	if c.depth += level; c.depth > c.most {
		c.at = n
		return
	}
	over := c.over
	c.over = n
	VisitChildren(n, c.visit)
	c.over = over
	c.depth -= level
}

// countsAsNestingLevel reports whether a node counts as a level.
func countsAsNestingLevel(n Node) bool {
	switch n.(type) {
	case *Query:
		return true
	case *Column, *Star, *Parameter, *Number, *String, *Bool, *Null, *TimeLiteral, *Interval, *SessionValue,
		*InArray, *InQuery, *ScalarSubquery, *Exists:
		return false
	case Expr:
		return true
	}
	return false
}

// continuesChain reports whether n is part of the chain of AND or of OR that its parent is in.
func continuesChain(parent, n Node) bool {
	p, ok := parent.(*Binary)
	if !ok || p.Op != OpAnd && p.Op != OpOr {
		return false
	}
	b, ok := n.(*Binary)
	return ok && b.Op == p.Op
}
