package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// precedence is the binding strength of an expression. The scale is the part on which
// all dialects agree; where they differ (|| most of all) operands are
// parenthesised.
type precedence uint8

const (
	precAny precedence = iota
	precOr
	precAnd
	precNot
	precCompare
	precConcat
	precAdd
	precMul
	precUnary
	precPrimary
)

// template is a piece of SQL with placeholders for arguments, read from a string of the
// dialect files:
//
//	$1  the first argument, parenthesised where the operators beside it bind stronger
//	@1  the first argument, parenthesised unless it is primary
//	<1  the first argument as the left operand of ||
//	!1  the first argument as a divisor: NULL where it is zero
//	~1  the first argument as text: cast where it is not known to be text
//
// parseTemplate derives the precedence of the result and of the places of its arguments from
// the operators of the text. A template without segments is absent.
type template struct {
	prec precedence
	segs []templateSegment
}

type templateSegment struct {
	text    string
	arg     int8 // 1-based; 0: text only
	argMode byte
	min     precedence // that the place of the argument needs
}

func (f *template) isEmpty() bool { return f == nil || f.segs == nil }

// templateOperand is an argument of a template, seen through another template where via is set.
type templateOperand struct {
	x        sqlexpr.Expr
	template *template
}

// printTemplate prints a template with its arguments.
func (w *writer) printTemplate(f *template, min precedence, args ...sqlexpr.Expr) {
	if w.shouldStopPrinting() {
		return
	}
	p := w.openParenIfNeeded(f.prec, min)
	for _, s := range f.segs {
		w.appendText(s.text)
		if s.arg > 0 {
			w.printTemplateArgument(s, templateOperand{x: args[s.arg-1]})
		}
	}
	w.closeOpenedParen(p)
}

// printTemplateOfOperands prints a template whose arguments may come through other templates.
func (w *writer) printTemplateOfOperands(f *template, min precedence, args ...templateOperand) {
	if w.shouldStopPrinting() {
		return
	}
	p := w.openParenIfNeeded(f.prec, min)
	for _, s := range f.segs {
		w.appendText(s.text)
		if s.arg > 0 {
			w.printTemplateArgument(s, args[s.arg-1])
		}
	}
	w.closeOpenedParen(p)
}

func (w *writer) printTemplateArgument(s templateSegment, o templateOperand) {
	switch s.argMode {
	case '!':
		w.printNullIfZero(o.x)
	case '~':
		w.printCastToText(o.x)
	case '@':
		w.printTemplateOperand(o, precPrimary)
	case '<':
		w.printExpr(o.x, minPrecedenceOfConcatOperand(o.x))
	default:
		w.printTemplateOperand(o, s.min)
	}
}

func (w *writer) printTemplateOperand(o templateOperand, min precedence) {
	if o.template.isEmpty() {
		w.printExpr(o.x, min)
		return
	}
	w.printTemplate(o.template, min, o.x)
}

// printNullIfZero prints x so that zero becomes NULL; a literal that is not zero needs
// no guard.
func (w *writer) printNullIfZero(x sqlexpr.Expr) {
	if n, ok := x.(*sqlexpr.Number); ok && !isZeroLiteral(n.Text) {
		w.printExpr(x, precPrimary)
		return
	}
	w.appendText("NULLIF(")
	w.printExpr(x, precAny)
	w.appendText(", 0)")
}

// printCastToText prints x as text.
func (w *writer) printCastToText(x sqlexpr.Expr) {
	if w.typeOf(x) == sqlexpr.TypeString {
		w.printExpr(x, minPrecedenceOfConcatOperand(x))
		return
	}
	w.d.types.cast(w, newCast(x, sqlexpr.TypeString), precPrimary)
}

// minPrecedenceOfConcatOperand returns the precedence that an operand of || needs: whether || binds
// stronger or weaker than + depends on the engine, so only another || may be
// there without parentheses.
func minPrecedenceOfConcatOperand(x sqlexpr.Expr) precedence {
	if b, ok := x.(*sqlexpr.Binary); ok && b.Op == sqlexpr.OpConcat {
		return precConcat
	}
	return precPrimary
}
