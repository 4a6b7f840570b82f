package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// likeStyle is what LIKE does by itself.
type likeStyle struct {
	// backslash: a backslash in a pattern escapes unless ESCAPE says
	// otherwise. In the expression language nothing escapes unless ESCAPE says
	// so.
	backslash bool
	// ilike is case-insensitive LIKE up to the operand: "$1 ILIKE ". Absent:
	// both sides are lowered.
	ilike bool
}

// escapes are characters to escape with, in order of preference.
const escapes = "!|~^#@"

// likeExpr prints [I]LIKE so that it has the escape character of the tree and
// no other.
func (w *writer) likeExpr(e *sqlexpr.Like, min prec) {
	p := w.paren(precCompare, min)
	lower := e.Fold && !w.d.like.ilike
	w.lowered(e.X, lower, precConcat)
	if e.Not {
		w.text(" NOT")
	}
	if e.Fold && !lower {
		w.text(" ILIKE ")
	} else {
		w.text(" LIKE ")
	}
	w.pattern(e, lower)
	w.done(p)
}

func (w *writer) lowered(x sqlexpr.Expr, lower bool, min prec) {
	if !lower {
		w.expr(x, min)
		return
	}
	w.text("LOWER(")
	w.expr(x, precAny)
	w.byte(')')
}

// pattern prints the pattern and, where one is needed, its ESCAPE clause.
func (w *writer) pattern(e *sqlexpr.Like, lower bool) {
	if e.Escape != nil {
		w.lowered(e.Pattern, lower, precConcat)
		w.text(" ESCAPE ")
		w.expr(e.Escape, precConcat)
		return
	}
	s, literal := e.Pattern.(*sqlexpr.String)
	switch {
	case !w.d.like.backslash, literal && !strings.Contains(s.Value, `\`):
		w.lowered(e.Pattern, lower, precConcat)
	case literal:
		// A named escape character that does not occur takes the place of
		// the backslash.
		w.lowered(e.Pattern, lower, precConcat)
		if i := strings.IndexFunc(escapes, func(r rune) bool { return !strings.ContainsRune(s.Value, r) }); i >= 0 {
			w.text(" ESCAPE ")
			w.stringLiteral(escapes[i : i+1])
			return
		}
		w.unsupported("a LIKE pattern with a backslash and every one of " + escapes)
	default:
		doubled := sqlexpr.Call{Fn: sqlexpr.FnReplace, Args: []sqlexpr.Expr{
			e.Pattern, &sqlexpr.String{Value: `\`}, &sqlexpr.String{Value: `\\`},
		}}
		w.lowered(&doubled, lower, precConcat)
	}
}
