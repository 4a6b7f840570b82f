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

// escapes are characters to escape with, in order of preference.
const escapes = "!|~^#@"

// likeExpr prints [I]LIKE so that it has the escape character of the tree and
// no other.
func (w *writer) likeExpr(e *sqlexpr.Like, min precedence) {
	if w.d.like.code != nil {
		w.d.like.code(w, e, min)
		return
	}
	w.likeOperator(e, min, e.Fold && !w.d.like.ilike)
}

// likeOperator prints the operator itself; lower: both sides are lowered in
// place of ILIKE.
func (w *writer) likeOperator(e *sqlexpr.Like, min precedence, lower bool) {
	p := w.openParen(precCompare, min)
	w.lowerCaseOperand(e.X, lower)
	if e.Not {
		w.text(" NOT")
	}
	if e.Fold && !lower {
		w.text(" ILIKE ")
	} else {
		w.text(" LIKE ")
	}
	w.pattern(e, lower)
	w.closeParen(p)
}

func (w *writer) lowerCaseOperand(x sqlexpr.Expr, lower bool) {
	if !lower {
		w.expr(x, precConcat)
		return
	}
	w.text("LOWER(")
	w.expr(x, precAny)
	w.byte(')')
}

// likePattern prints the pattern and, where one is needed, its ESCAPE clause.
func (w *writer) pattern(e *sqlexpr.Like, lower bool) {
	if w.d.like.noEscapeClause && (e.Escape != nil || isString(e.Pattern)) {
		if p, ok := readPattern(e); ok {
			w.lowerCaseOperand(&sqlexpr.String{Value: p.patternText(map[rune]string{anyRun: "%", anyOne: "_", '%': `\%`, '_': `\_`, '\\': `\\`})}, lower)
			return
		}
		w.unsupported("LIKE with an ESCAPE that is not a literal")
		return
	}
	if e.Escape != nil {
		w.lowerCaseOperand(e.Pattern, lower)
		w.text(" ESCAPE ")
		w.expr(e.Escape, precConcat)
		return
	}
	s, literal := e.Pattern.(*sqlexpr.String)
	switch {
	case !w.d.like.backslashEscapes, literal && !strings.Contains(s.Value, `\`):
		w.lowerCaseOperand(e.Pattern, lower)
	case literal:
		// A named escape character that does not occur takes the place of
		// the backslash. Where all of them occur, the backslash escapes itself.
		i := strings.IndexFunc(escapes, func(r rune) bool { return !strings.ContainsRune(s.Value, r) })
		if i < 0 {
			w.lowerCaseOperand(&sqlexpr.String{Value: strings.ReplaceAll(s.Value, `\`, `\\`)}, lower)
			return
		}
		w.lowerCaseOperand(e.Pattern, lower)
		w.text(" ESCAPE ")
		w.stringLiteral(escapes[i : i+1])
	default:
		w.lowerCaseOperand(newCall(sqlexpr.FnReplace, e.Pattern, textOf(`\`), textOf(`\\`)), lower)
	}
}
