package sqlexpr

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// checkRegexp checks the pattern of REGEXP_LIKE and REGEXP_COUNT: a literal that all engines read alike, and that none of them
// follows into as many attempts as a text has substrings.
func (c *textFunctionCostEstimator) checkRegexp(e *Call, sizes []int) {
	if len(e.Args) != 2 {
		return
	}
	name := InfoOfFunction(e.Fn).Name
	pattern, literal := e.Args[1].(*String)
	if !literal {
		if _, param := e.Args[1].(*Param); !param { // a literal takes its place
			c.recordFirstCostProblem(e.Args[1], "", "the pattern of %s is not a literal", name)
		}
		return
	}
	switch problem := regexpProblem(pattern.Value, c.lim.MaxRegexpRepeats); {
	case len(pattern.Value) > c.lim.MaxPattern:
		c.recordFirstCostProblem(pattern, "", "the pattern of %s is longer than %d bytes", name, c.lim.MaxPattern)
	case problem != "":
		c.recordFirstCostProblem(pattern, "a pattern has characters, classes [a-z], groups, |, ^, $, the repetitions * + ? {n}, and \\d, \\w and \\s", "the pattern of %s %s", name, problem)
	default:
		c.addSearchCost(e, sizes[0], len(pattern.Value))
	}
}

// regexpProblem describes the fault of a pattern; "" for one that every engine reads alike.
func regexpProblem(pattern string, maxRepeats int) string {
	if part := unportableRegexpPart(pattern); part != "" {
		return "has " + part + ", which engines read in different ways"
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "is not a regular expression"
	}
	repeats, nested := countRegexpRepeats(tree, false)
	switch {
	case nested:
		return "repeats a part that repeats"
	case repeats > maxRepeats:
		return fmt.Sprintf("has more than %d repetitions", maxRepeats)
	}
	return ""
}

// portableRegexpEscapes are the letters that have one meaning after a backslash.
const portableRegexpEscapes = "dDsSwW"

// unportableRegexpPart returns the first part of a pattern that not all engines have with one meaning.
func unportableRegexpPart(pattern string) string {
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case strings.HasPrefix(rest, "(?"):
			return "(?"
		case strings.HasPrefix(rest, "[:"), strings.HasPrefix(rest, "[."), strings.HasPrefix(rest, "[="):
			return rest[:2]
		case rest[0] == '\\' && len(rest) > 1:
			if c := rest[1]; lexical.IsWordPart(c) && c != '_' && c != '$' && strings.IndexByte(portableRegexpEscapes, c) < 0 {
				return rest[:2]
			}
			i++
		}
	}
	return ""
}

// countRegexpRepeats counts the parts that occur any number of times, or up to a number of times, and reports whether such a part is
// within another one.
func countRegexpRepeats(r *syntax.Regexp, inside bool) (repeats int, nested bool) {
	repeated := r.Op == syntax.OpStar || r.Op == syntax.OpPlus || r.Op == syntax.OpRepeat && r.Max != r.Min
	if repeated {
		repeats, nested = 1, inside
	}
	for _, sub := range r.Sub {
		n, within := countRegexpRepeats(sub, inside || repeated)
		repeats, nested = repeats+n, nested || within
	}
	return repeats, nested
}
