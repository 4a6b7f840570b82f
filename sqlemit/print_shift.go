package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// calendar prints sums and differences with an interval, and the days between
// two dates. It reports false where the operator is ordinary arithmetic.
func (w *writer) calendar(e *sqlexpr.Binary, min precedence) bool {
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
		w.shiftTime(x, integerLiteral(i.Count, e.Op == sqlexpr.OpSub), partOf(i.Unit), min)
		return true
	}
	l, r := w.typeOf(e.L), w.typeOf(e.R)
	switch {
	case e.Op == sqlexpr.OpSub && l == sqlexpr.TypeDate && r == sqlexpr.TypeDate:
		w.render(&w.d.time.diff[partDay], min, e.R, e.L)
	case e.Op == sqlexpr.OpSub && l == sqlexpr.TypeDate && r == sqlexpr.TypeInt:
		w.shiftTime(e.L, &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: e.R}, partDay, min)
	case e.Op == sqlexpr.OpAdd && l == sqlexpr.TypeDate && r == sqlexpr.TypeInt:
		w.shiftTime(e.L, e.R, partDay, min)
	case e.Op == sqlexpr.OpAdd && l == sqlexpr.TypeInt && r == sqlexpr.TypeDate:
		w.shiftTime(e.R, e.L, partDay, min)
	case w.d.time.datesAddAsNumbers && (hasTimeOrDate(l) && r != sqlexpr.TypeInterval || hasTimeOrDate(r) && l != sqlexpr.TypeInterval):
		w.unsupported("a date or time plus or minus anything but days and intervals (DATEDIFF and DATEADD can; a field of dates or numbers needs its datatype)")
	default:
		return false
	}
	return true
}

// hasTimeOrDate reports whether a value is a date or a time.
func hasTimeOrDate(t sqlexpr.Type) bool { return t.IsInstant() || t == sqlexpr.TypeTime }

// shiftTime adds n parts to x. The result is a DATE where x is known to be one and
// the part is a day or more, else a timestamp: a rule that looks at the text of
// the query alone, so that the engines agree.
func (w *writer) shiftTime(x, n sqlexpr.Expr, p calendarPart, min precedence) {
	t := &w.d.time
	if p == partNone || t.shift[p].isAbsent() {
		w.unsupported("arithmetic with that interval")
		return
	}
	from := w.typeOf(x)
	keepsDate := from == sqlexpr.TypeDate && p >= partDay
	if keepsDate && !t.shiftKeepsDate {
		for _, s := range t.day[sqlexpr.TypeTimestamp].segs {
			w.text(s.text)
			if s.arg > 0 {
				w.shiftedTimestamp(x, n, p, from, precAny)
			}
		}
		return
	}
	if keepsDate {
		w.render(&t.shift[p], min, x, n)
		return
	}
	w.shiftedTimestamp(x, n, p, from, min)
}

func (w *writer) shiftedTimestamp(x, n sqlexpr.Expr, p calendarPart, from sqlexpr.Type, min precedence) {
	t := &w.d.time
	timestamp := templateOperand{x: x, template: &t.timestamp[from]}
	if count, ok := integerText(n); ok && t.interval != nil {
		paren := w.openParen(precAdd, min)
		w.operand(timestamp, precPrimary)
		w.text(" + ")
		t.interval(w, count, p)
		w.closeParen(paren)
		return
	}
	w.renderOperands(&t.shift[p], min, timestamp, templateOperand{x: n})
}

// interval prints an interval that is not added to anything.
func (w *writer) interval(e *sqlexpr.Interval) {
	p := partOf(e.Unit)
	if w.d.time.interval == nil || p == partNone || p > partYear {
		w.unsupported("an interval that is not added to a date")
		return
	}
	w.d.time.interval(w, e.Count, p)
}
