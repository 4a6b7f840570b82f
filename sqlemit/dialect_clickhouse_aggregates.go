package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Sums of integers wrap beyond 64 bits in silence. A second sum, of doubles, is
// never far from the first one unless it did:
//
//	sumOrNull(x) + throwIf(abs(sumOrNull(x) - sumOrNull(toFloat64(x))) > 1e18, '…')
//
// Wider integers would need no such thing, but they cannot be multiplied with a
// double.
const clickhouseOverflow = " > 1e18, 'SUM exceeds 64 bits')"

var (
	clickhousePlainSum = aggregate("sumOrNull", 1)[0].emit
	clickhouseDouble   = call("toFloat64($1)")
)

func clickhouseSum(w *writer, c *sqlexpr.Call, min prec) {
	w.guarded(c.Args[0], min, func() { clickhousePlainSum(w, c, precPrimary) }, func() {
		w.text("sumOrNull(")
		if c.Distinct {
			w.text("DISTINCT ")
		}
		w.fill(&clickhouseDouble, precAny, c.Args...)
		w.byte(')')
	})
}

// guarded prints a sum with its guard, or alone where it cannot wrap.
func (w *writer) guarded(x sqlexpr.Expr, min prec, sum, doubles func()) {
	if w.typeOf(x) == sqlexpr.TypeFloat || small(x) {
		sum()
		return
	}
	p := w.paren(precAdd, min)
	sum()
	w.text(" + throwIf(abs(")
	sum()
	w.text(" - ")
	doubles()
	w.byte(')')
	w.text(clickhouseOverflow)
	w.done(p)
}

// small reports whether an expression is one of a few short numbers.
func small(x sqlexpr.Expr) bool {
	const digits = 9
	switch x := x.(type) {
	case *sqlexpr.Number:
		return len(x.Text) <= digits
	case *sqlexpr.Null:
		return true
	case *sqlexpr.Case:
		for _, arm := range x.Whens {
			if !small(arm.Then) {
				return false
			}
		}
		return x.Else == nil || small(x.Else)
	}
	return false
}

// finite is an aggregate of doubles that is NaN where other engines have NULL: for
// too few values, or values that do not vary.
func finite(name string, args int) []callForm {
	plain := aggregateOfDouble(name, args)[0].emit
	return code(args, func(w *writer, c *sqlexpr.Call, _ prec) {
		w.text("ifNotFinite(")
		plain(w, c, precPrimary)
		w.text(", NULL)")
	})
}

var clickhouseNaN = map[sqlexpr.Func]func(w *writer, c *sqlexpr.Call, min prec){
	sqlexpr.FnStddevSamp: aggregateOfDouble("stddevSampOrNull", 1)[0].emit,
	sqlexpr.FnVarSamp:    aggregateOfDouble("varSampOrNull", 1)[0].emit,
	sqlexpr.FnCovarSamp:  aggregateOfDouble("covarSampOrNull", 2)[0].emit,
	sqlexpr.FnCorr:       aggregateOfDouble("corrOrNull", 2)[0].emit,
}

// clickhouseWindow puts outside of a window what is done to its aggregate.
func clickhouseWindow(w *writer, e *sqlexpr.Over) {
	if plain := clickhouseNaN[e.Call.Fn]; plain != nil {
		w.text("ifNotFinite(")
		w.windowed(e, func() { plain(w, e.Call, precPrimary) })
		w.text(", NULL)")
		return
	}
	if e.Call.Fn != sqlexpr.FnSum {
		w.windowed(e, func() { w.call(e.Call, precPrimary) })
		return
	}
	w.guarded(e.Call.Args[0], precPrimary,
		func() { w.windowed(e, func() { clickhousePlainSum(w, e.Call, precPrimary) }) },
		func() {
			w.windowed(e, func() {
				w.text("sumOrNull(")
				w.fill(&clickhouseDouble, precAny, e.Call.Args...)
				w.byte(')')
			})
		})
}

// clickhouseBranches gives values a type that they share. Integers of 64 bits and
// decimals share none with doubles, so beside a fraction all become doubles; and
// unsigned integers, which counts are, share none with negative ones, so beside such a
// number zero is taken from the others, which makes them signed and changes no type
// else.
func clickhouseBranches(w *writer, values []sqlexpr.Expr) []sqlexpr.Expr {
	fractions, negatives := false, false
	for _, x := range values {
		fractions = fractions || fraction(x)
		negatives = negatives || negative(x)
	}
	if !fractions && !negatives {
		return values
	}
	out := make([]sqlexpr.Expr, len(values))
	for i, x := range values {
		_, null := x.(*sqlexpr.Null)
		_, number := x.(*sqlexpr.Number)
		switch {
		case null || fraction(x) || negative(x) || w.typeOf(x) == sqlexpr.TypeFloat:
			out[i] = x
		case fractions:
			out[i] = castTo(x, sqlexpr.TypeFloat)
		case number:
			out[i] = x
		default:
			out[i] = &sqlexpr.Binary{Op: sqlexpr.OpSub, L: x, R: &sqlexpr.Number{Text: "0"}}
		}
	}
	return out
}

func negative(x sqlexpr.Expr) bool {
	neg, ok := x.(*sqlexpr.Unary)
	if !ok || neg.Op != sqlexpr.OpNeg {
		return false
	}
	_, ok = neg.X.(*sqlexpr.Number)
	return ok
}

func fraction(x sqlexpr.Expr) bool {
	if neg, ok := x.(*sqlexpr.Unary); ok && neg.Op == sqlexpr.OpNeg {
		x = neg.X
	}
	n, ok := x.(*sqlexpr.Number)
	return ok && sqlexpr.TypeOf(n, nil) != sqlexpr.TypeInt
}

// alike does the same to the arguments of a function that returns one of them.
func alike(forms []callForm) []callForm {
	return code(-1, func(w *writer, c *sqlexpr.Call, min prec) {
		same := *c
		same.Args = clickhouseBranches(w, c.Args)
		forms[0].emit(w, &same, min)
	})
}

// clickhouseKey takes the sign from a zero: ClickHouse has a group for each of
// 0 and -0, which a quotient can be.
func clickhouseKey(in *scope, e sqlexpr.Expr) sqlexpr.Expr {
	if typeIn(in, e) != sqlexpr.TypeFloat {
		return e
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: e, R: &sqlexpr.Number{Text: "0"}}
}

// clickhouseCount counts the two zeros once.
func clickhouseCount(w *writer, c *sqlexpr.Call, min prec) {
	if c.Distinct {
		same := *c
		same.Args = []sqlexpr.Expr{clickhouseKey(w.in, c.Args[0])}
		c = &same
	}
	clickhousePlainCount(w, c, min)
}

var clickhousePlainCount = aggregate("COUNT", 1)[0].emit
