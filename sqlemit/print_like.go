package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// likeStyle is what LIKE does by itself.
type likeStyle struct {
	// backslashEscapes: a backslash in a pattern escapes without ESCAPE. In the
	// expression language nothing escapes without ESCAPE.
	backslashEscapes bool
	// noEscapeClause: the backslash always escapes, and there is no ESCAPE clause.
	noEscapeClause bool
	// ilike: ILIKE exists. Else both sides are lowered.
	ilike bool
	// code prints LIKE where it is another operator altogether.
	code func(w *writer, e *sqlexpr.Like, min precedence)
}

// likeEscapeCandidates are characters to escape with, in order of preference.
const likeEscapeCandidates = "!|~^#@"

// printLike prints [I]LIKE so that it has the escape character of the tree and
// no other.
func (w *writer) printLike(e *sqlexpr.Like, min precedence) {
	if w.d.like.code != nil {
		w.d.like.code(w, e, min)
		return
	}
	w.printLikeOperator(e, min, e.Fold && !w.d.like.ilike)
}

// printLikeOperator prints the operator itself; lower: both sides are lowered in
// place of ILIKE.
func (w *writer) printLikeOperator(e *sqlexpr.Like, min precedence, lower bool) {
	p := w.openParenIfNeeded(precCompare, min)
	w.printLikeOrILikeOperand(e.X, lower)
	if e.Not {
		w.appendText(" NOT")
	}
	if e.Fold && !lower {
		w.appendText(" ILIKE ")
	} else {
		w.appendText(" LIKE ")
	}
	w.printLikePattern(e, lower)
	w.closeOpenedParen(p)
}

func (w *writer) printLikeOrILikeOperand(x sqlexpr.Expr, lower bool) {
	if !lower {
		w.printExpr(x, precConcat)
		return
	}
	w.appendText("LOWER(")
	w.printExpr(x, precAny)
	w.appendByte(')')
}

// printLikePattern prints the pattern and, where one is needed, its ESCAPE clause.
func (w *writer) printLikePattern(e *sqlexpr.Like, lower bool) {
	if w.d.like.noEscapeClause && (e.Escape != nil || isStringLiteral(e.Pattern)) {
		if p, ok := parseLikePattern(e); ok {
			w.printLikeOrILikeOperand(&sqlexpr.String{Value: p.spellPattern(map[rune]string{likeAnyRun: "%", likeAnyCharacter: "_", '%': `\%`, '_': `\_`, '\\': `\\`})}, lower)
			return
		}
		w.recordNotImplemented("LIKE with an ESCAPE that is not a literal")
		return
	}
	if e.Escape != nil {
		w.printLikeOrILikeOperand(e.Pattern, lower)
		w.appendText(" ESCAPE ")
		w.printExpr(e.Escape, precConcat)
		return
	}
	s, literal := e.Pattern.(*sqlexpr.String)
	switch {
	case !w.d.like.backslashEscapes, literal && !strings.Contains(s.Value, `\`):
		w.printLikeOrILikeOperand(e.Pattern, lower)
	case literal:
		// A named escape character that does not occur takes the place of
		// the backslash. Where all of them occur, the backslash escapes itself.
		i := strings.IndexFunc(likeEscapeCandidates, func(r rune) bool { return !strings.ContainsRune(s.Value, r) })
		if i < 0 {
			w.printLikeOrILikeOperand(&sqlexpr.String{Value: strings.ReplaceAll(s.Value, `\`, `\\`)}, lower)
			return
		}
		w.printLikeOrILikeOperand(e.Pattern, lower)
		w.appendText(" ESCAPE ")
		w.printStringLiteral(likeEscapeCandidates[i : i+1])
	default:
		w.printLikeOrILikeOperand(newCall(sqlexpr.FnReplace, e.Pattern, newStringLiteral(`\`), newStringLiteral(`\\`)), lower)
	}
}
