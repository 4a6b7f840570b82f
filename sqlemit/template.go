package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// prec is the binding strength of an expression. The scale is the part on which
// all dialects agree; where they differ (|| most of all) operands are
// parenthesised.
type prec uint8

const (
	precAny prec = iota
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

// form is a piece of SQL with places for arguments, read from a template:
//
//	$1  the first argument, where any expression may be
//	@1  the first argument as an operand: parenthesised unless it is primary
//	<1  the first argument as the left operand of an operator that binds to the
//	    left: parenthesised where it binds weaker than the form
//	!1  the first argument as a divisor: NULL where it is zero
//	~1  the first argument as text: cast where it is not known to be text
//
// Templates are constants of the dialect files. A form without segments is
// absent.
type form struct {
	prec prec
	segs []segment
}

type segment struct {
	text string
	arg  int8 // 1-based; 0: text only
	mode byte
}

// call reads a template whose result needs no parentheses.
func call(template string) form { return op(precPrimary, template) }

// op reads a template whose result binds like p.
func op(p prec, template string) form {
	f := form{prec: p}
	start := 0
	for i := 0; i+1 < len(template); i++ {
		c, n := template[i], template[i+1]
		if (c != '$' && c != '@' && c != '!' && c != '~' && c != '<') || n < '1' || n > '9' {
			continue
		}
		f.segs = append(f.segs, segment{text: template[start:i], arg: int8(n - '0'), mode: c})
		start = i + 2
		i++
	}
	if start < len(template) || len(f.segs) == 0 {
		f.segs = append(f.segs, segment{text: template[start:]})
	}
	return f
}

func (f *form) absent() bool { return f == nil || f.segs == nil }

// operand is an argument of a form, seen through another form where via is set.
type operand struct {
	x   sqlexpr.Expr
	via *form
}

// fill prints a form with its arguments.
func (w *writer) fill(f *form, min prec, args ...sqlexpr.Expr) {
	if w.full() {
		return
	}
	p := w.paren(f.prec, min)
	for _, s := range f.segs {
		w.text(s.text)
		if s.arg > 0 {
			w.place(f, s, operand{x: args[s.arg-1]})
		}
	}
	w.done(p)
}

// fillOperands is fill for arguments that may come through other forms.
func (w *writer) fillOperands(f *form, min prec, args ...operand) {
	if w.full() {
		return
	}
	p := w.paren(f.prec, min)
	for _, s := range f.segs {
		w.text(s.text)
		if s.arg > 0 {
			w.place(f, s, args[s.arg-1])
		}
	}
	w.done(p)
}

func (w *writer) place(f *form, s segment, o operand) {
	switch s.mode {
	case '!':
		w.divisor(o.x)
	case '~':
		w.asText(o.x)
	case '@':
		w.operand(o, precPrimary)
	case '<':
		if f.prec == precConcat {
			w.expr(o.x, concatOperand(o.x))
		} else {
			w.operand(o, f.prec)
		}
	default:
		w.operand(o, precAny)
	}
}

func (w *writer) operand(o operand, min prec) {
	if o.via.absent() {
		w.expr(o.x, min)
		return
	}
	w.fill(o.via, min, o.x)
}

// divisor prints x so that zero becomes NULL; a literal that is not zero needs
// no guard.
func (w *writer) divisor(x sqlexpr.Expr) {
	if n, ok := x.(*sqlexpr.Number); ok && !isZero(n.Text) {
		w.expr(x, precPrimary)
		return
	}
	w.text("NULLIF(")
	w.expr(x, precAny)
	w.text(", 0)")
}

// asText prints x as text.
func (w *writer) asText(x sqlexpr.Expr) {
	if w.typeOf(x) == sqlexpr.TypeString {
		w.expr(x, concatOperand(x))
		return
	}
	w.d.types.cast(w, castTo(x, sqlexpr.TypeString), precPrimary)
}

// concatOperand is the precedence that an operand of || needs: whether || binds
// stronger or weaker than + depends on the engine, so only another || may be
// there without parentheses.
func concatOperand(x sqlexpr.Expr) prec {
	if b, ok := x.(*sqlexpr.Binary); ok && b.Op == sqlexpr.OpConcat {
		return precConcat
	}
	return precPrimary
}
