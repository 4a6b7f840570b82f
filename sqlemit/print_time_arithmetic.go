package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// printTimeArithmetic prints sums and differences with an interval, and the days between
// two dates. It reports false where the operator is ordinary arithmetic.
func (w *writer) printTimeArithmetic(e *sqlexpr.Binary, min precedence) bool {
	x, iv := e.L, e.R
	i, ok := iv.(*sqlexpr.Interval)
	if !ok && e.Op == sqlexpr.OpAdd {
		x, iv = e.R, e.L
		i, ok = iv.(*sqlexpr.Interval)
	}
	if ok {
		if t := w.typeOf(x); t == sqlexpr.TypeInterval || t == sqlexpr.TypeTime {
			return false
		}
		w.printShiftedTime(x, newSignedIntegerLiteral(i.Count, e.Op == sqlexpr.OpSub), calendarPartByName(i.Unit), min)
		return true
	}
	l, r := w.typeOf(e.L), w.typeOf(e.R)
	switch {
	case e.Op == sqlexpr.OpSub && l == sqlexpr.TypeDate && r == sqlexpr.TypeDate:
		w.printTemplate(&w.d.time.diff[partDay], min, e.R, e.L)
	case e.Op == sqlexpr.OpSub && l == sqlexpr.TypeDate && r == sqlexpr.TypeInt:
		w.printShiftedTime(e.L, &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: e.R}, partDay, min)
	case e.Op == sqlexpr.OpAdd && l == sqlexpr.TypeDate && r == sqlexpr.TypeInt:
		w.printShiftedTime(e.L, e.R, partDay, min)
	case e.Op == sqlexpr.OpAdd && l == sqlexpr.TypeInt && r == sqlexpr.TypeDate:
		w.printShiftedTime(e.R, e.L, partDay, min)
	case w.isSumOfTime(e.L, l, r), w.isSumOfTime(e.R, r, l):
		w.recordNotImplemented("a date or time plus or minus anything but days and intervals (DATEDIFF and DATEADD can; a field of dates or numbers needs its datatype)")
	default:
		return false
	}
	return true
}

// isSumOfTime reports whether x, of type t, is a date or timestamp to which something is added that has no unit: no engine adds a
// number to it, or some engines read it as a number itself.
func (w *writer) isSumOfTime(x sqlexpr.Expr, t, other sqlexpr.Type) bool {
	return other != sqlexpr.TypeInterval && (other.IsNumeric() || w.d.time.datesAddAsNumbers) &&
		(isTimeOrDateType(t) || sqlexpr.IsTimeOfUnknownType(x, w.typeOf))
}

// isTimeOrDateType reports whether a value is a date or a time.
func isTimeOrDateType(t sqlexpr.Type) bool { return t.IsDateOrTimestamp() || t == sqlexpr.TypeTime }

// printShiftedTime adds n parts to x. The result is a DATE where x is known to be one and
// the part is a day or more, else a timestamp: a rule that looks at the text of
// the query alone, so that the engines agree.
func (w *writer) printShiftedTime(x, n sqlexpr.Expr, p calendarPart, min precedence) {
	t := &w.d.time
	if p == partNone || t.shift[p].isEmpty() {
		w.recordNotImplemented("arithmetic with that interval")
		return
	}
	from := w.typeOf(x)
	keepsDate := from == sqlexpr.TypeDate && p >= partDay
	if keepsDate && !t.shiftKeepsDate {
		for _, s := range t.day[sqlexpr.TypeTimestamp].segs {
			w.appendText(s.text)
			if s.arg > 0 {
				w.printShiftedTimestamp(x, n, p, from, s.min)
			}
		}
		return
	}
	if keepsDate {
		w.printTemplate(&t.shift[p], min, x, n)
		return
	}
	w.printShiftedTimestamp(x, n, p, from, min)
}

func (w *writer) printShiftedTimestamp(x, n sqlexpr.Expr, p calendarPart, from sqlexpr.Type, min precedence) {
	t := &w.d.time
	timestamp := templateOperand{x: x, template: &t.timestamp[from]}
	if count, ok := digitsOfIntegerLiteral(n); ok && t.interval != nil {
		paren := w.openParenIfNeeded(precAdd, min)
		w.printTemplateOperand(timestamp, precPrimary)
		w.appendText(" + ")
		t.interval(w, count, p)
		w.closeOpenedParen(paren)
		return
	}
	w.printTemplateOfOperands(&t.shift[p], min, timestamp, templateOperand{x: n})
}

// printInterval prints an interval that is not added to anything.
func (w *writer) printInterval(e *sqlexpr.Interval) {
	p := calendarPartByName(e.Unit)
	if w.d.time.interval == nil || p == partNone || p > partYear {
		w.recordNotImplemented("an interval that is not added to a date")
		return
	}
	w.d.time.interval(w, e.Count, p)
}
