package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// maxLikeRegexpBytes bounds the patterns that are printed as regular expressions: their
// library bounds the memory of one.
const maxLikeRegexpBytes = 4 << 10

// printDuckdbLikeWithoutBacktracking prints [I]LIKE so that DuckDB does not backtrack. For each % with more of
// the pattern after it, DuckDB tries all positions of the text, without looking at an
// interrupt: of five such % and a text of some kilobytes it does not return. It searches
// in one pass for a literal pattern of LIKE without _ and ESCAPE, and by a regular
// expression.
func printDuckdbLikeWithoutBacktracking(w *writer, e *sqlexpr.Like, min precedence) {
	p, literal := parseLikePattern(e)
	switch {
	case !literal || p.countWildcardSearches() < 2 || len(p) > maxLikeRegexpBytes:
		w.printLikeOperator(e, min, false)
	case p.needsNoEscape():
		plain := sqlexpr.Like{Not: e.Not, Fold: e.Fold, X: e.X, Pattern: &sqlexpr.String{Value: p.spellPattern(map[rune]string{likeAnyRun: "%"})}}
		w.printLikeOperator(&plain, min, e.Fold)
	default:
		w.printLikeAsRegexp(e, p, min)
	}
}

// printLikeAsRegexp prints [I]LIKE as a match with a regular expression.
func (w *writer) printLikeAsRegexp(e *sqlexpr.Like, p likePattern, min precedence) {
	opened := false
	if e.Not {
		opened = w.openParenIfNeeded(precNot, min)
		w.appendText("NOT ")
	}
	w.appendText("REGEXP_FULL_MATCH(")
	w.printLikeOrILikeOperand(e.X, e.Fold)
	w.appendText(", ")
	w.printLikeOrILikeOperand(&sqlexpr.String{Value: p.spellPattern(regexpSpellingByLikeRune)}, e.Fold)
	w.appendText(", 's')")
	w.closeOpenedParen(opened)
}

// regexpSpellingByLikeRune are the parts of a pattern that a regular expression spells otherwise.
var regexpSpellingByLikeRune = func() map[rune]string {
	special := map[rune]string{likeAnyRun: ".*", likeAnyCharacter: "."}
	for _, r := range `\.+*?()|[]{}^$` {
		special[r] = `\` + string(r)
	}
	return special
}()

// countWildcardSearches counts the runs that a matcher has to look for the end of: all but one that
// ends the pattern.
func (p likePattern) countWildcardSearches() int {
	n := 0
	for i, r := range p {
		if r == likeAnyRun && i+1 < len(p) && p[i+1] != likeAnyRun {
			n++
		}
	}
	return n
}

// needsNoEscape reports whether the pattern is texts and runs of anything, and needs no
// ESCAPE.
func (p likePattern) needsNoEscape() bool {
	return !slices.ContainsFunc(p, func(r rune) bool { return r == '%' || r == '_' || r == likeAnyCharacter })
}
