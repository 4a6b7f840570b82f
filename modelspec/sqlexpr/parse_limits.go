package sqlexpr

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// Limits bounds what a text may ask of a parser and of every recursive pass
// after it.
type Limits struct {
	MaxText  int // bytes of text
	MaxDepth int // levels of nesting, in the text and in the tree; a chain of AND or of OR counts as one level
	MaxItems int // items of one IN list

	// What text functions may cost for a row, as CheckTextFunctionCost estimates it. 0: any cost.
	MaxPattern       int // bytes of a pattern of LIKE, and of a regular expression
	MaxWildcards     int // % and _ of a pattern of LIKE
	MaxRuns          int // % of a pattern that is not a literal: engines try every position for each of them
	MaxRegexpRepeats int // parts of a regular expression that repeat
	MaxBuilt         int // bytes that CONCAT, || and REPLACE make together
	MaxSearch        int // bytes of a text so made, times the bytes searched for in it

	// Portable rejects type names and calendar parts outside the language,
	// which a model may use and some engine may not have.
	Portable bool

	// UserAttributes lets the text hold attributes of its reader, `:user.name`, which parse into Param.
	UserAttributes bool

	// Dialect is the dialect in whose own spelling the text is, "" for the
	// portable language alone. It lets the text hold NativeCast, Subscript,
	// JSONAccess, Member and DATEDIFF of two arguments.
	Dialect string
}

// QueryLimits bounds texts that come with a query, from outside.
func QueryLimits() Limits {
	return Limits{
		MaxText: limits.ConditionBytes, MaxDepth: limits.ConditionDepth, MaxItems: limits.ConditionInListItems,
		MaxPattern: limits.LikePatternBytes, MaxWildcards: limits.LikePatternWildcards, MaxRuns: limits.ComputedLikePatternPercentSigns, MaxRegexpRepeats: limits.RegexpPatternRepeats,
		MaxBuilt: limits.ConditionComputedTextBytes, MaxSearch: limits.ConditionSearchCost,
		Portable: true,
	}
}

// ModelLimits bounds texts of a model file, whose author is trusted. The depth
// stays below what the engines themselves accept.
func ModelLimits() Limits {
	return Limits{MaxText: limits.ExpressionBytes, MaxDepth: limits.ExpressionDepth, MaxItems: limits.ExpressionInListItems}
}

// NativeLimits are ModelLimits for a text in the spelling of one dialect.
func NativeLimits(dialect string) Limits {
	l := ModelLimits()
	l.Dialect = dialect
	return l
}

// checkTreeDepth rejects a tree that is higher than the limit. Parsing bounds
// parentheses and prefixes on its way down; a chain such as a + b + c + … grows
// the tree without recursion and is caught here.
func (p *parser) checkTreeDepth(e Expr) error {
	if at := findNodeBelowDepth(e, p.lim.MaxDepth); at != nil {
		return p.unsupportedError(at.Pos(), fmt.Sprintf("the expression is nested more than %d levels deep", p.lim.MaxDepth), "")
	}
	return nil
}

// findNodeBelowDepth returns a node more than left levels below e, or nil. Chains of one
// logical operator count as one level: engines flatten them.
func findNodeBelowDepth(e Expr, left int) Expr {
	if left < 0 {
		return e
	}
	if b, ok := e.(*Binary); ok && (b.Op == OpAnd || b.Op == OpOr) {
		op := b.Op
		for {
			if at := findNodeBelowDepth(b.R, left-1); at != nil {
				return at
			}
			l, ok := b.L.(*Binary)
			if !ok || l.Op != op {
				return findNodeBelowDepth(b.L, left-1)
			}
			b = l
		}
	}
	var at Expr
	VisitOperands(e, func(c Expr) {
		if at == nil {
			at = findNodeBelowDepth(c, left-1)
		}
	})
	return at
}
