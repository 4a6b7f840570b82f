package sqlexpr

import "fmt"

// What a text is taken to hold when only its rows know: a stored text, and a number,
// date or condition that is written as text.
const (
	assumedStoredTextBytes = 256
	assumedCastTextBytes   = 40
	// assumedGatheredTextBytes is the length of a text that an aggregate makes of several rows.
	assumedGatheredTextBytes = 8 << 10
)

// underscoreSearchCostFactor is what a _ multiplies the cost of a search by: a pattern with one is
// matched character by character.
const underscoreSearchCostFactor = 8

// TextFunctionCostProblem is a text function or pattern beyond the limits.
type TextFunctionCostProblem struct {
	At      Expr
	Problem string // "the pattern of LIKE is longer than 1024 bytes"
	Hint    string
}

// CheckTextFunctionCost estimates what the text functions of a condition cost for one row, from
// the lengths of its literals and from their nesting, and returns the first that is
// beyond the limits, or nil. Engines look at an interrupt between blocks of some
// thousand rows, so a row has to be cheap.
func CheckTextFunctionCost(e Expr, limits Limits) *TextFunctionCostProblem {
	_, problem := CheckTextFunctionCostAndValueBytes(e, limits, nil)
	return problem
}

// CheckTextFunctionCostAndValueBytes does what CheckTextFunctionCost does, and estimates how many bytes the value of e has as
// text. The names in e (Column and Ref) stand for texts of nameBytes, but for stored texts where that is less or
// nameBytes is nil.
func CheckTextFunctionCostAndValueBytes(e Expr, limits Limits, nameBytes func(Expr) int) (bytes int, problem *TextFunctionCostProblem) {
	if limits.MaxPattern == 0 {
		return 0, nil
	}
	c := textFunctionCostEstimator{lim: limits, nameBytes: nameBytes}
	return c.estimateTextBytes(e), c.problem
}

// textFunctionCostEstimator adds up what a condition costs for one row.
type textFunctionCostEstimator struct {
	lim     Limits
	built   int // bytes that CONCAT, || and REPLACE make
	search  int // bytes of made texts times the bytes that are searched for in them
	problem *TextFunctionCostProblem

	nameBytes func(Expr) int
}

func (c *textFunctionCostEstimator) recordFirstCostProblem(at Expr, hint, format string, args ...any) {
	if c.problem == nil {
		c.problem = &TextFunctionCostProblem{At: at, Problem: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// estimateTextBytes estimates how many bytes the value of e has as text.
func (c *textFunctionCostEstimator) estimateTextBytes(e Expr) int {
	switch e := e.(type) {
	case nil, *Param:
		return 0
	case *String:
		return len(e.Value)
	case *Number:
		return len(e.Text)
	case *Column, *Ref:
		if c.nameBytes != nil {
			return max(c.nameBytes(e), assumedStoredTextBytes)
		}
		return assumedStoredTextBytes
	case *DeclaredTypeExpr:
		return c.estimateTextBytes(e.X)
	case *Binary:
		l, r := c.estimateTextBytes(e.L), c.estimateTextBytes(e.R)
		if e.Op == OpConcat {
			return c.countBuiltTextBytes(e, l+r)
		}
	case *Like:
		c.checkLikePattern(e)
	case *Case:
		return c.caseTextSize(e)
	case *Cast:
		if n := c.estimateTextBytes(e.X); e.To.Type == TypeString {
			return max(n, assumedCastTextBytes)
		}
	case *Call:
		return c.callTextSize(e)
	case *WindowCall:
		for _, x := range e.Partition {
			c.estimateTextBytes(x)
		}
		for _, o := range e.Order {
			c.estimateTextBytes(o.X)
		}
		return c.estimateTextBytes(e.Call)
	default:
		VisitOperands(e, func(x Expr) { c.estimateTextBytes(x) })
	}
	return assumedCastTextBytes
}

func (c *textFunctionCostEstimator) caseTextSize(e *Case) int {
	longest := 0
	c.estimateTextBytes(e.Operand)
	for _, w := range e.Whens {
		c.estimateTextBytes(w.Cond)
		longest = max(longest, c.estimateTextBytes(w.Then))
	}
	return max(longest, c.estimateTextBytes(e.Else))
}

func (c *textFunctionCostEstimator) callTextSize(e *Call) int {
	sizes := make([]int, len(e.Args))
	sum, longest := 0, 0
	for i, a := range e.Args {
		sizes[i] = c.estimateTextBytes(a)
		sum = min(sum+sizes[i], c.lim.MaxSearch)
		longest = max(longest, sizes[i])
	}
	switch e.Fn {
	case FnConcat:
		return c.countBuiltTextBytes(e, sum)
	case FnReplace:
		c.addSearchCost(e, sizes[0], sizes[1])
		return c.textSizeOfReplace(e, sizes)
	case FnPosition:
		c.addSearchCost(e, sizes[1], sizes[0])
	case FnContains:
		c.addSearchCost(e, sizes[0], sizes[1])
	case FnRegexpLike, FnRegexpCount:
		c.checkRegexp(e, sizes)
	case FnTrim, FnLTrim, FnRTrim, FnSplitPart:
		if len(sizes) > 1 {
			c.addSearchCost(e, sizes[0], sizes[1])
		}
		return sizes[0]
	case FnLower, FnUpper, FnLeft, FnRight, FnSubstring, FnNullIf:
		return sizes[0]
	case FnListagg:
		return max(sum, assumedGatheredTextBytes)
	case FnCoalesce, FnGreatest, FnLeast, FnIf, FnMin, FnMax, FnAnyValue, FnFirstValue, FnLastValue, FnNthValue, FnLag, FnLead:
		return longest
	}
	return assumedCastTextBytes
}

// textSizeOfReplace returns the length of REPLACE(x, from, to), every part of x being a from. What
// makes no text longer costs no more than x itself.
func (c *textFunctionCostEstimator) textSizeOfReplace(e *Call, sizes []int) int {
	x, from, to := sizes[0], 1, sizes[2]
	if s, ok := e.Args[1].(*String); ok {
		from = len(s.Value)
	}
	if from == 0 || to <= from {
		return x
	}
	return c.countBuiltTextBytes(e, x/from*to+x%from)
}

// countBuiltTextBytes takes note of a text of n bytes that the row makes.
func (c *textFunctionCostEstimator) countBuiltTextBytes(e Expr, n int) int {
	n = min(n, c.lim.MaxBuilt+1)
	if c.built += n; c.built > c.lim.MaxBuilt {
		c.recordFirstCostProblem(e, fmt.Sprintf("a stored text counts as %d bytes, and each replaced text as often as it fits in", assumedStoredTextBytes),
			"CONCAT, || and REPLACE may make more than %d bytes of text for a row; the last of them", c.lim.MaxBuilt)
	}
	return n
}

// addSearchCost takes note of a search in a text that the query makes longer than stored ones.
func (c *textFunctionCostEstimator) addSearchCost(e Expr, text, sought int) {
	if text <= assumedStoredTextBytes {
		return
	}
	if c.search += text * max(sought, 1); c.search > c.lim.MaxSearch {
		c.recordFirstCostProblem(e, "search in a field, or for a shorter string", "a string that the condition builds takes too long to search; the search")
	}
}

// checkLikePattern checks a pattern.
func (c *textFunctionCostEstimator) checkLikePattern(e *Like) {
	text := c.estimateTextBytes(e.X)
	pattern, literal := e.Pattern.(*String)
	if !literal {
		c.checkComputedLikePattern(e, text)
		return
	}
	runs, single := countWildcards(pattern.Value, e.Escape)
	cost := len(pattern.Value)
	if single > 0 {
		cost *= underscoreSearchCostFactor
	}
	switch {
	case len(pattern.Value) > c.lim.MaxPattern:
		c.recordFirstCostProblem(pattern, "", "the pattern of LIKE is longer than %d bytes", c.lim.MaxPattern)
	case runs+single > c.lim.MaxWildcards:
		c.recordFirstCostProblem(pattern, "", "the pattern of LIKE has more than %d wildcards", c.lim.MaxWildcards)
	default:
		c.addSearchCost(e, text, cost)
	}
}

// checkComputedLikePattern checks a pattern that is made from fields and literals.
func (c *textFunctionCostEstimator) checkComputedLikePattern(e *Like, text int) {
	n := c.estimateTextBytes(e.Pattern)
	runs := 0
	Walk(e.Pattern, func(x Expr) bool {
		switch x := x.(type) {
		case *String:
			all, _ := countWildcards(x.Value, nil)
			runs += all
		case *Call:
			if x.Fn == FnReplace {
				c.recordFirstCostProblem(x, "join literals and fields with CONCAT or ||", "the pattern of LIKE is made with REPLACE")
			}
		}
		return true
	})
	switch {
	case n > c.lim.MaxPattern:
		c.recordFirstCostProblem(e.Pattern, fmt.Sprintf("a stored text counts as %d bytes", assumedStoredTextBytes), "the pattern of LIKE may be longer than %d bytes", c.lim.MaxPattern)
	case runs > c.lim.MaxRuns:
		c.recordFirstCostProblem(e.Pattern, "write the pattern as one literal", "the pattern of LIKE is not a literal and has more than %d %%", c.lim.MaxRuns)
	default:
		c.addSearchCost(e, text, n)
	}
}

// countWildcards counts the % and the _ of a pattern, without those that are escaped.
func countWildcards(pattern string, escape Expr) (runs, single int) {
	var by byte
	if s, ok := escape.(*String); ok && len(s.Value) == 1 {
		by = s.Value[0]
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == by && by != 0:
			i++
		case c == '%':
			runs++
		case c == '_':
			single++
		}
	}
	return runs, single
}
