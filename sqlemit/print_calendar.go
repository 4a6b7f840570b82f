package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// bucket prints the calendar bucket of a value as a DATE.
func (w *writer) bucket(e *sqlexpr.Bucket, min precedence) {
	t := &w.d.time
	from := e.From
	if from == sqlexpr.TypeUnknown {
		from = w.typeOf(e.X)
	}
	if e.Grain == sqlexpr.GrainDay {
		w.day(e.X, from, min)
		return
	}
	if int(e.Grain) >= len(t.bucket) || t.bucket[e.Grain].isAbsent() {
		w.invalid("a bucket without a grain")
		return
	}
	w.renderOperands(&t.bucket[e.Grain], min, templateOperand{x: e.X, template: &t.instant[from]})
}

// day prints the day of a value as a DATE. A value that is only declared to be a
// day may be a timestamp all the same, so it is cast unless the expression shows it.
func (w *writer) day(x sqlexpr.Expr, from sqlexpr.Type, min precedence) {
	if from == sqlexpr.TypeDate {
		from = w.typeOf(x)
	}
	w.operand(templateOperand{x: x, template: &w.d.time.day[from]}, min)
}

// ordinal prints the number of a DATE's bucket.
func (w *writer) ordinal(e *sqlexpr.Ordinal, min precedence) {
	t := &w.d.time
	if int(e.Grain) >= len(t.ordinal) || t.ordinal[e.Grain].isAbsent() {
		w.invalid("an ordinal without a grain")
		return
	}
	w.render(&t.ordinal[e.Grain], min, e.X)
}

func (w *writer) decode(e *sqlexpr.Decode, min precedence) {
	if w.d.time.decode == nil || e.Code == nil {
		w.unsupported("a column of encoded dates")
		return
	}
	w.d.time.decode(w, e, min)
}

// extract prints EXTRACT. A part outside the table comes from a model, whose
// author chose the engine.
func (w *writer) extract(e *sqlexpr.Extract, min precedence) {
	if p := partOf(e.Part); p != partNone {
		w.part(p, e.X, min)
		return
	}
	f, known := w.d.time.otherPart[e.Part]
	switch {
	case known:
		w.render(&f, min, e.X)
		return
	case w.d.time.otherPart != nil, !isUnquotedName(e.Part):
		w.unsupported("EXTRACT of that part")
		return
	}
	w.text("EXTRACT(")
	w.text(e.Part)
	w.text(" FROM ")
	w.expr(e.X, precAny)
	w.byte(')')
}

func (w *writer) part(p calendarPart, x sqlexpr.Expr, min precedence) {
	f := &w.d.time.part[p]
	if f.isAbsent() {
		w.unsupported("EXTRACT of " + partNames[p])
		return
	}
	w.render(f, min, x)
}

// unit reads the part that is the first argument of the calendar functions.
func (w *writer) unit(c *sqlexpr.Call) calendarPart {
	if s, ok := c.Args[0].(*sqlexpr.String); ok {
		if p := partOf(s.Value); p != partNone && p <= partYear {
			return p
		}
	}
	w.unsupported(callName(c) + " with that part")
	return partNone
}

func (w *writer) dateTrunc(c *sqlexpr.Call, min precedence) {
	t := &w.d.time
	x := templateOperand{x: c.Args[1], template: &t.instant[w.typeOf(c.Args[1])]}
	if s, ok := c.Args[0].(*sqlexpr.String); ok {
		if f, known := t.otherTrunc[canonicalUnit(s.Value)]; known {
			w.renderOperands(&f, min, x)
			return
		}
	}
	if p := w.unit(c); p != partNone {
		w.renderOperands(&t.trunc[p], min, x)
	}
}

func (w *writer) dateDiff(c *sqlexpr.Call, min precedence) {
	if p := w.unit(c); p != partNone {
		w.render(&w.d.time.diff[p], min, c.Args[1], c.Args[2])
	}
}

func (w *writer) dateAdd(c *sqlexpr.Call, min precedence) {
	if p := w.unit(c); p != partNone {
		w.shiftTime(c.Args[2], c.Args[1], p, min)
	}
}

// knownTimestamp prints a timestamp whose clock is about to be read: where values keep the zone
// that they were written with, as the clock of UTC.
func (w *writer) knownTimestamp(e *sqlexpr.Known, min precedence) {
	if w.d.time.timestampsKeepZones {
		w.render(&w.d.time.instant[e.Type], min, e.X)
		return
	}
	w.expr(e.X, min)
}
