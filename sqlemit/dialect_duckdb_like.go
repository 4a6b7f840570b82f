package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// longestLikeRegexp bounds the patterns that are printed as regular expressions: their
// library bounds the memory of one.
const longestLikeRegexp = 4 << 10

// duckdbLike prints [I]LIKE so that DuckDB does not backtrack. For each % with more of
// the pattern behind it, DuckDB tries all positions of the text, without looking at an
// interrupt: of five such % and a text of some kilobytes it does not return. It searches
// in one pass for a literal pattern of LIKE without _ and ESCAPE, and by a regular
// expression.
func duckdbLike(w *writer, e *sqlexpr.Like, min precedence) {
	p, literal := readPattern(e)
	switch {
	case !literal || p.searchCount() < 2 || len(p) > longestLikeRegexp:
		w.likeOperator(e, min, false)
	case p.needsNoEscape():
		plain := sqlexpr.Like{Not: e.Not, Fold: e.Fold, X: e.X, Pattern: &sqlexpr.String{Value: p.patternText(map[rune]string{anyRun: "%"})}}
		w.likeOperator(&plain, min, e.Fold)
	default:
		w.likeRegexp(e, p, min)
	}
}

// likeRegexp prints [I]LIKE as a match with a regular expression.
func (w *writer) likeRegexp(e *sqlexpr.Like, p likePattern, min precedence) {
	opened := false
	if e.Not {
		opened = w.openParen(precNot, min)
		w.text("NOT ")
	}
	w.text("REGEXP_FULL_MATCH(")
	w.lowerCaseOperand(e.X, e.Fold)
	w.text(", ")
	w.lowerCaseOperand(&sqlexpr.String{Value: p.patternText(likeRegexps)}, e.Fold)
	w.text(", 's')")
	w.closeParen(opened)
}

// likeRegexps are the parts of a pattern that a regular expression spells otherwise.
var likeRegexps = func() map[rune]string {
	special := map[rune]string{anyRun: ".*", anyOne: "."}
	for _, r := range `\.+*?()|[]{}^$` {
		special[r] = `\` + string(r)
	}
	return special
}()

// searchCount counts the runs that a matcher has to look for the end of: all but one that
// ends the pattern.
func (p likePattern) searchCount() int {
	n := 0
	for i, r := range p {
		if r == anyRun && i+1 < len(p) && p[i+1] != anyRun {
			n++
		}
	}
	return n
}

// needsNoEscape reports whether the pattern is texts and runs of anything, and needs no
// ESCAPE.
func (p likePattern) needsNoEscape() bool {
	return !slices.ContainsFunc(p, func(r rune) bool { return r == '%' || r == '_' || r == anyOne })
}
