package sqlexpr

import "fmt"

// What a text is taken to hold when only its rows know: a stored text, and a number,
// date or condition that is written as text.
const (
	storedText = 256
	otherText  = 40
)

// underscoreCost is what a _ multiplies the cost of a search by: a pattern with one is
// matched character by character.
const underscoreCost = 8

// TextProblem is a text function or pattern beyond the limits.
type TextProblem struct {
	At      Expr
	Problem string // "the pattern of LIKE is longer than 1024 bytes"
	Hint    string
}

// CheckTexts estimates what the text functions of a condition cost for one row, from
// the lengths of its literals and from their nesting, and returns the first that is
// beyond the limits, or nil. Engines look at an interrupt between blocks of some
// thousand rows, so a row has to be cheap.
func CheckTexts(e Expr, limits Limits) *TextProblem {
	if limits.MaxPattern == 0 {
		return nil
	}
	c := textCost{lim: limits}
	c.size(e)
	return c.problem
}

// textCost adds up what a condition costs for one row.
type textCost struct {
	lim     Limits
	built   int // bytes that CONCAT, || and REPLACE make
	search  int // bytes of made texts times the bytes that are searched for in them
	problem *TextProblem
}

func (c *textCost) reject(at Expr, hint, format string, args ...any) {
	if c.problem == nil {
		c.problem = &TextProblem{At: at, Problem: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// size estimates how many bytes the value of e has as text.
func (c *textCost) size(e Expr) int {
	switch e := e.(type) {
	case nil, *Param:
		return 0
	case *String:
		return len(e.Value)
	case *Number:
		return len(e.Text)
	case *Column, *Ref:
		return storedText
	case *Known:
		return c.size(e.X)
	case *Binary:
		l, r := c.size(e.L), c.size(e.R)
		if e.Op == OpConcat {
			return c.addBuiltText(e, l+r)
		}
	case *Like:
		c.checkLike(e)
	case *Case:
		return c.caseSize(e)
	case *Cast:
		if n := c.size(e.X); e.To.Type == TypeString {
			return max(n, otherText)
		}
	case *Call:
		return c.callSize(e)
	default:
		eachChild(e, func(x Expr) { c.size(x) })
	}
	return otherText
}

func (c *textCost) caseSize(e *Case) int {
	longest := 0
	c.size(e.Operand)
	for _, w := range e.Whens {
		c.size(w.Cond)
		longest = max(longest, c.size(w.Then))
	}
	return max(longest, c.size(e.Else))
}

func (c *textCost) callSize(e *Call) int {
	sizes := make([]int, len(e.Args))
	sum, longest := 0, 0
	for i, a := range e.Args {
		sizes[i] = c.size(a)
		sum = min(sum+sizes[i], c.lim.MaxSearch)
		longest = max(longest, sizes[i])
	}
	switch e.Fn {
	case FnConcat:
		return c.addBuiltText(e, sum)
	case FnReplace:
		c.addSearch(e, sizes[0], sizes[1])
		return c.replaceSize(e, sizes)
	case FnPosition:
		c.addSearch(e, sizes[1], sizes[0])
	case FnContains:
		c.addSearch(e, sizes[0], sizes[1])
	case FnTrim, FnLTrim, FnRTrim, FnSplitPart:
		if len(sizes) > 1 {
			c.addSearch(e, sizes[0], sizes[1])
		}
		return sizes[0]
	case FnLower, FnUpper, FnLeft, FnRight, FnSubstring, FnNullIf:
		return sizes[0]
	case FnCoalesce, FnGreatest, FnLeast, FnIf:
		return longest
	}
	return otherText
}

// replaceSize is the length of REPLACE(x, from, to), every part of x being a from. What
// makes no text longer costs no more than x itself.
func (c *textCost) replaceSize(e *Call, sizes []int) int {
	x, from, to := sizes[0], 1, sizes[2]
	if s, ok := e.Args[1].(*String); ok {
		from = len(s.Value)
	}
	if from == 0 || to <= from {
		return x
	}
	return c.addBuiltText(e, x/from*to+x%from)
}

// addBuiltText takes note of a text of n bytes that the row makes.
func (c *textCost) addBuiltText(e Expr, n int) int {
	n = min(n, c.lim.MaxBuilt+1)
	if c.built += n; c.built > c.lim.MaxBuilt {
		c.reject(e, fmt.Sprintf("a stored text counts as %d bytes, and each replaced text as often as it fits in", storedText),
			"CONCAT, || and REPLACE may make more than %d bytes of text for a row; the last of them", c.lim.MaxBuilt)
	}
	return n
}

// addSearch takes note of a search in a text that the query makes longer than stored ones.
func (c *textCost) addSearch(e Expr, text, sought int) {
	if text <= storedText {
		return
	}
	if c.search += text * max(sought, 1); c.search > c.lim.MaxSearch {
		c.reject(e, "search in a field, or for a shorter text", "a text that the condition makes is searched too long; the search")
	}
}

// checkLike checks a pattern.
func (c *textCost) checkLike(e *Like) {
	text := c.size(e.X)
	pattern, literal := e.Pattern.(*String)
	if !literal {
		c.checkBuiltPattern(e, text)
		return
	}
	runs, single := countWildcards(pattern.Value, e.Escape)
	cost := len(pattern.Value)
	if single > 0 {
		cost *= underscoreCost
	}
	switch {
	case len(pattern.Value) > c.lim.MaxPattern:
		c.reject(pattern, "", "the pattern of LIKE is longer than %d bytes", c.lim.MaxPattern)
	case runs+single > c.lim.MaxWildcards:
		c.reject(pattern, "", "the pattern of LIKE has more than %d wildcards", c.lim.MaxWildcards)
	default:
		c.addSearch(e, text, cost)
	}
}

// checkBuiltPattern checks a pattern that is made from fields and literals.
func (c *textCost) checkBuiltPattern(e *Like, text int) {
	n := c.size(e.Pattern)
	runs := 0
	Walk(e.Pattern, func(x Expr) bool {
		switch x := x.(type) {
		case *String:
			all, _ := countWildcards(x.Value, nil)
			runs += all
		case *Call:
			if x.Fn == FnReplace {
				c.reject(x, "join literals and fields with CONCAT or ||", "the pattern of LIKE is made with REPLACE")
			}
		}
		return true
	})
	switch {
	case n > c.lim.MaxPattern:
		c.reject(e.Pattern, fmt.Sprintf("a stored text counts as %d bytes", storedText), "the pattern of LIKE may be longer than %d bytes", c.lim.MaxPattern)
	case runs > c.lim.MaxRuns:
		c.reject(e.Pattern, "write the pattern as one literal", "the pattern of LIKE is not a literal and has more than %d %%", c.lim.MaxRuns)
	default:
		c.addSearch(e, text, n)
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
