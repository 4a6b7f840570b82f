package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// printBucket prints the calendar bucket of a value: a DATE, or a timestamp.
func (w *writer) printBucket(e *sqlexpr.Bucket, min precedence) {
	if e.Zone != nil {
		w.printBucketInZone(e, min)
		return
	}
	t := &w.d.time
	from := e.From
	if from == sqlexpr.TypeUnknown {
		from = w.typeOf(e.X)
	}
	switch {
	case e.Grain.IsWithinDay():
		w.printBucketWithinDay(e.X, from, calendarPartByName(e.Grain.String()), min)
		return
	case e.Grain == sqlexpr.GrainDay:
		w.printDayOf(e.X, from, min)
		return
	}
	if int(e.Grain) >= len(t.bucket) || t.bucket[e.Grain].isEmpty() {
		w.recordInternalError("a bucket without a grain")
		return
	}
	w.printTemplateOfOperands(&t.bucket[e.Grain], min, templateOperand{x: e.X, template: &t.instant[from]})
}

// printBucketWithinDay prints the hour, minute or second of a value in UTC.
func (w *writer) printBucketWithinDay(x sqlexpr.Expr, from sqlexpr.Type, p calendarPart, min precedence) {
	t := &w.d.time
	if zoned := &t.zonedTrunc[p]; from == sqlexpr.TypeTimestampTZ && !zoned.isEmpty() {
		w.printTemplate(zoned, min, x)
		return
	}
	w.printTemplateOfOperands(&t.trunc[p], min, w.newTruncOperand(x, from))
}

// newTruncOperand returns the operand of a template that truncates.
func (w *writer) newTruncOperand(x sqlexpr.Expr, from sqlexpr.Type) templateOperand {
	if w.d.time.truncMakesInstants {
		return templateOperand{x: x}
	}
	return templateOperand{x: x, template: &w.d.time.instant[from]}
}

// printDayOf prints the day of a value as a DATE. A value that is only declared to be a
// day may be a timestamp all the same, so it is cast unless the expression shows it.
func (w *writer) printDayOf(x sqlexpr.Expr, from sqlexpr.Type, min precedence) {
	if from == sqlexpr.TypeDate {
		from = w.typeOf(x)
	}
	w.printTemplateOperand(templateOperand{x: x, template: &w.d.time.day[from]}, min)
}

// printBucketNumber prints the number of a bucket.
func (w *writer) printBucketNumber(e *sqlexpr.BucketOrdinal, min precedence) {
	t := &w.d.time
	if e.Grain.IsWithinDay() {
		first := &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: "1970-01-01 00:00:00"}
		w.printTemplateOfOperands(&t.diff[partSecond], min, templateOperand{x: first}, templateOperand{x: e.X, template: &t.instant[w.typeOf(e.X)]})
		return
	}
	if int(e.Grain) >= len(t.ordinal) || t.ordinal[e.Grain].isEmpty() {
		w.recordInternalError("an ordinal without a grain")
		return
	}
	w.printTemplate(&t.ordinal[e.Grain], min, e.X)
}

func (w *writer) printTimeCodeDecode(e *sqlexpr.DecodeTimeCodeExpr, min precedence) {
	if w.d.time.decode == nil || e.Code == nil {
		w.recordNotImplemented("a column of encoded dates")
		return
	}
	w.d.time.decode(w, e, min)
}

// printExtract prints EXTRACT. A part outside the table comes from a model, whose
// author chose the engine.
func (w *writer) printExtract(e *sqlexpr.Extract, min precedence) {
	if p := calendarPartByName(e.Part); p != partNone {
		w.printDatePart(p, e.X, min)
		return
	}
	f, known := w.d.time.otherPart[e.Part]
	switch {
	case known:
		w.printTemplate(&f, min, e.X)
		return
	case w.d.time.otherPart != nil, !canAlwaysBeUnquoted(e.Part):
		w.recordNotImplemented("EXTRACT of that part")
		return
	}
	w.appendText("EXTRACT(")
	w.appendText(e.Part)
	w.appendText(" FROM ")
	w.printExpr(e.X, precAny)
	w.appendByte(')')
}

func (w *writer) printDatePart(p calendarPart, x sqlexpr.Expr, min precedence) {
	f := &w.d.time.part[p]
	if f.isEmpty() {
		w.recordNotImplemented("EXTRACT of " + calendarPartNames[p])
		return
	}
	w.printTemplate(f, min, x)
}

// readUnitArgument reads the part that is the first argument of the calendar functions.
func (w *writer) readUnitArgument(c *sqlexpr.Call) calendarPart {
	if s, ok := c.Args[0].(*sqlexpr.String); ok {
		if p := calendarPartByName(s.Value); p != partNone && p <= partYear {
			return p
		}
	}
	w.recordNotImplemented(callNameForError(c) + " with that part")
	return partNone
}

func (w *writer) printDateTrunc(c *sqlexpr.Call, min precedence) {
	t := &w.d.time
	from := w.typeOf(c.Args[1])
	if from == sqlexpr.TypeDate && sqlexpr.TypeOf(c, w.typeOf) == sqlexpr.TypeDate {
		w.printTruncatedDate(c, min)
		return
	}
	x := w.newTruncOperand(c.Args[1], from)
	if s, ok := c.Args[0].(*sqlexpr.String); ok {
		if f, known := t.otherTrunc[canonicalUnitName(s.Value)]; known {
			w.printTemplateOfOperands(&f, min, x)
			return
		}
	}
	if p := w.readUnitArgument(c); p != partNone {
		w.printTemplateOfOperands(&t.trunc[p], min, x)
	}
}

// printTruncatedDate prints DATE_TRUNC of a date to days or coarser units, which is a date.
func (w *writer) printTruncatedDate(c *sqlexpr.Call, min precedence) {
	if unit, ok := c.Args[0].(*sqlexpr.String); ok {
		if g, ok := sqlexpr.ParseGrain(unit.Value); ok {
			w.printBucket(&sqlexpr.Bucket{Grain: g, From: sqlexpr.TypeDate, X: c.Args[1]}, min)
			return
		}
	}
	start := newCall(sqlexpr.FnDateTrunc, c.Args[0], newCast(c.Args[1], sqlexpr.TypeTimestamp))
	w.d.types.cast(w, newCast(start, sqlexpr.TypeDate), min)
}

func (w *writer) printDateDiff(c *sqlexpr.Call, min precedence) {
	if p := w.readUnitArgument(c); p != partNone {
		w.printTemplate(&w.d.time.diff[p], min, c.Args[1], c.Args[2])
	}
}

func (w *writer) printElapsedSeconds(c *sqlexpr.Call, min precedence) {
	w.printTemplate(&w.d.time.elapsed, min, c.Args[0], c.Args[1])
}

func (w *writer) printDateAdd(c *sqlexpr.Call, min precedence) {
	if p := w.readUnitArgument(c); p != partNone {
		w.printShiftedTime(c.Args[2], c.Args[1], p, min)
	}
}

// printDeclaredTypeExpr prints an expression of a declared type. A timestamp with a zone, whose clock is about to be read, is
// printed as the clock of UTC where values keep the zone that they were written with. Others are printed as they are.
func (w *writer) printDeclaredTypeExpr(e *sqlexpr.DeclaredTypeExpr, min precedence) {
	if w.d.time.timestampsKeepZones && e.ReadsClock && e.Type == sqlexpr.TypeTimestampTZ {
		w.printTemplate(&w.d.time.instant[e.Type], min, e.X)
		return
	}
	w.printExpr(e.X, min)
}
