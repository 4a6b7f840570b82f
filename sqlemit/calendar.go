package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// part is a calendar part that the expression language knows.
type part uint8

const (
	partNone part = iota
	partSecond
	partMinute
	partHour
	partDay
	partWeek
	partMonth
	partQuarter
	partYear
	partDayOfYear
	partDayOfWeek
	partCount
)

var partNames = [partCount]string{"", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "dayofyear", "dayofweek"}

func partOf(name string) part {
	for p := partSecond; p < partCount; p++ {
		if partNames[p] == name {
			return p
		}
	}
	return partNone
}

// perType is a form for each type of operand; an absent one leaves the operand
// as it is.
type perType [sqlexpr.TypeInterval + 1]form

// partForms and grainForms are a form for each part and grain.
type (
	partForms  [partCount]form
	grainForms [sqlexpr.GrainYear + 1]form
)

// eachUnit makes a form for each part that has a length, from a template in
// which {unit} and {UNIT} stand for its name.
func eachUnit(p prec, template string) partForms {
	var out partForms
	for u := partSecond; u <= partYear; u++ {
		out[u] = op(p, named(template, partNames[u]))
	}
	return out
}

// eachGrain does the same for the grains from a week on.
func eachGrain(template string) grainForms {
	var out grainForms
	for g := sqlexpr.GrainWeek; g <= sqlexpr.GrainYear; g++ {
		out[g] = call(named(template, g.String()))
	}
	return out
}

func named(template, unit string) string {
	return strings.NewReplacer("{unit}", unit, "{UNIT}", strings.ToUpper(unit)).Replace(template)
}

// but returns the forms with one of them changed.
func (f partForms) but(p part, x form) partForms {
	f[p] = x
	return f
}

func (f grainForms) but(g sqlexpr.Grain, x form) grainForms {
	f[g] = x
	return f
}

// timeForms is a dialect's calendar. An instant is the wall clock in UTC of
// whatever the operand is.
type timeForms struct {
	// instant makes a timestamp without zone, or whatever trunc, bucket and
	// diff can work on.
	instant perType
	// day makes a DATE of a value of the type; of a DATE it is absent.
	day perType
	// bucket makes the first day of the instant's week, month, …, as a DATE.
	bucket grainForms
	// ordinal counts the buckets of a DATE.
	ordinal grainForms
	// trunc is DATE_TRUNC: a timestamp.
	trunc partForms
	// otherTrunc is DATE_TRUNC to what is no part of the table.
	otherTrunc map[string]form
	// part is EXTRACT: an integer. Monday starts week 1 of ISO 8601, Sunday is
	// day 0.
	part partForms
	// otherPart is EXTRACT of what is no part of the table; nil hands any of them
	// on, by the model's own word.
	otherPart map[string]form
	// diff counts the boundaries from instant $1 to instant $2.
	diff partForms
	// moment prepares the operand of shift, and shift adds $2 parts to it.
	moment perType
	shift  partForms
	// shiftKeepsDate: a date plus days is a date by itself.
	shiftKeepsDate bool
	// keepsZones: a moment with a zone has a clock of its own, whatever the session's.
	keepsZones bool
	// asNumbers: + and - read dates and times as numbers, such as 20240131.
	asNumbers bool
	// interval prints an interval literal; nil: the dialect has none that can
	// stand alone.
	interval func(w *writer, count string, p part)
	// matches: the text $1 matches the regular expression $2, which is
	// anchored.
	matches form
	// decode turns a stored time code into a DATE.
	decode func(w *writer, d *sqlexpr.Decode, min prec)
}

// bucket prints the calendar bucket of a value as a DATE.
func (w *writer) bucket(e *sqlexpr.Bucket, min prec) {
	t := &w.d.time
	from := e.From
	if from == sqlexpr.TypeUnknown {
		from = w.typeOf(e.X)
	}
	if e.Grain == sqlexpr.GrainDay {
		w.day(e.X, from, min)
		return
	}
	if int(e.Grain) >= len(t.bucket) || t.bucket[e.Grain].absent() {
		w.invalid("a bucket without a grain")
		return
	}
	w.fill1(&t.bucket[e.Grain], min, operand{x: e.X, via: &t.instant[from]})
}

// day prints the day of a value as a DATE. A value that is only declared to be a
// day may be a moment all the same, so it is cast unless the expression shows it.
func (w *writer) day(x sqlexpr.Expr, from sqlexpr.Type, min prec) {
	if from == sqlexpr.TypeDate {
		from = w.typeOf(x)
	}
	w.operand(operand{x: x, via: &w.d.time.day[from]}, min)
}

// ordinal prints the number of a DATE's bucket.
func (w *writer) ordinal(e *sqlexpr.Ordinal, min prec) {
	t := &w.d.time
	if int(e.Grain) >= len(t.ordinal) || t.ordinal[e.Grain].absent() {
		w.invalid("an ordinal without a grain")
		return
	}
	w.fill(&t.ordinal[e.Grain], min, e.X)
}

func (w *writer) decode(e *sqlexpr.Decode, min prec) {
	if w.d.time.decode == nil || e.Code == nil {
		w.unsupported("a column of encoded dates")
		return
	}
	w.d.time.decode(w, e, min)
}

// extract prints EXTRACT. A part outside the table comes from a model, whose
// author chose the engine.
func (w *writer) extract(e *sqlexpr.Extract, min prec) {
	if p := partOf(e.Part); p != partNone {
		w.part(p, e.X, min)
		return
	}
	f, known := w.d.time.otherPart[e.Part]
	switch {
	case known:
		w.fill(&f, min, e.X)
		return
	case w.d.time.otherPart != nil, !isPlain(e.Part):
		w.unsupported("EXTRACT of that part")
		return
	}
	w.text("EXTRACT(")
	w.text(e.Part)
	w.text(" FROM ")
	w.expr(e.X, precAny)
	w.byte(')')
}

func (w *writer) part(p part, x sqlexpr.Expr, min prec) {
	f := &w.d.time.part[p]
	if f.absent() {
		w.unsupported("EXTRACT of " + partNames[p])
		return
	}
	w.fill(f, min, x)
}

// partCall is YEAR(x) and the like.
func partCall(p part) []callForm {
	return code(1, func(w *writer, c *sqlexpr.Call, min prec) { w.part(p, c.Args[0], min) })
}

// unit reads the part that is the first argument of the calendar functions.
func (w *writer) unit(c *sqlexpr.Call) part {
	if s, ok := c.Args[0].(*sqlexpr.String); ok {
		if p := partOf(s.Value); p != partNone && p <= partYear {
			return p
		}
	}
	w.unsupported(callName(c) + " with that part")
	return partNone
}

func (w *writer) dateTrunc(c *sqlexpr.Call, min prec) {
	t := &w.d.time
	x := operand{x: c.Args[1], via: &t.instant[w.typeOf(c.Args[1])]}
	if s, ok := c.Args[0].(*sqlexpr.String); ok {
		if f, known := t.otherTrunc[otherUnit(s.Value)]; known {
			w.fill1(&f, min, x)
			return
		}
	}
	if p := w.unit(c); p != partNone {
		w.fill1(&t.trunc[p], min, x)
	}
}

// otherUnits are the spellings of units that some dialects truncate to.
var otherUnits = map[string]string{
	"milliseconds": "millisecond", "msec": "millisecond", "msecs": "millisecond", "ms": "millisecond",
	"microseconds": "microsecond", "usec": "microsecond", "usecs": "microsecond", "us": "microsecond",
	"decades": "decade", "centuries": "century", "millennia": "millennium", "millenniums": "millennium",
}

// otherUnit gives such a unit its one name.
func otherUnit(name string) string {
	if one, ok := otherUnits[name]; ok {
		return one
	}
	return name
}

// eachOther makes a form for each of some units, as eachUnit does for the parts.
func eachOther(template string, units ...string) map[string]form {
	out := make(map[string]form, len(units))
	for _, u := range units {
		out[u] = call(named(template, u))
	}
	return out
}

func (w *writer) dateDiff(c *sqlexpr.Call, min prec) {
	if p := w.unit(c); p != partNone {
		w.fill(&w.d.time.diff[p], min, c.Args[1], c.Args[2])
	}
}

func (w *writer) dateAdd(c *sqlexpr.Call, min prec) {
	if p := w.unit(c); p != partNone {
		w.shift(c.Args[2], c.Args[1], p, min)
	}
}

// calendar prints sums and differences with an interval, and the days between
// two dates. It reports false where the operator is ordinary arithmetic.
func (w *writer) calendar(e *sqlexpr.Binary, min prec) bool {
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
		w.shift(x, signed(i.Count, e.Op == sqlexpr.OpSub), partOf(i.Unit), min)
		return true
	}
	l, r := w.typeOf(e.L), w.typeOf(e.R)
	switch {
	case e.Op == sqlexpr.OpSub && l == sqlexpr.TypeDate && r == sqlexpr.TypeDate:
		w.fill(&w.d.time.diff[partDay], min, e.R, e.L)
	case e.Op == sqlexpr.OpSub && l == sqlexpr.TypeDate && r == sqlexpr.TypeInt:
		w.shift(e.L, &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: e.R}, partDay, min)
	case e.Op == sqlexpr.OpAdd && l == sqlexpr.TypeDate && r == sqlexpr.TypeInt:
		w.shift(e.L, e.R, partDay, min)
	case e.Op == sqlexpr.OpAdd && l == sqlexpr.TypeInt && r == sqlexpr.TypeDate:
		w.shift(e.R, e.L, partDay, min)
	case w.d.time.asNumbers && (clockwork(l) && r != sqlexpr.TypeInterval || clockwork(r) && l != sqlexpr.TypeInterval):
		w.unsupported("a date or time plus or minus anything but days and intervals (DATEDIFF and DATEADD can; a field of dates or numbers needs its datatype)")
	default:
		return false
	}
	return true
}

// clockwork reports whether a value is a date or a time.
func clockwork(t sqlexpr.Type) bool { return t.IsInstant() || t == sqlexpr.TypeTime }

// signed is an integer literal, its sign turned where minus is set.
func signed(count string, minus bool) sqlexpr.Expr {
	if count != "" && count[0] == '-' {
		count, minus = count[1:], !minus
	}
	n := &sqlexpr.Number{Text: count}
	if minus && !isZero(count) {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: n}
	}
	return n
}

// constant returns the decimal text of an integer literal.
func constant(x sqlexpr.Expr) (string, bool) {
	switch x := x.(type) {
	case *sqlexpr.Number:
		return x.Text, sqlexpr.TypeOf(x, nil) == sqlexpr.TypeInt
	case *sqlexpr.Unary:
		if n, ok := x.X.(*sqlexpr.Number); ok && x.Op == sqlexpr.OpNeg {
			return "-" + n.Text, sqlexpr.TypeOf(n, nil) == sqlexpr.TypeInt
		}
	}
	return "", false
}

// shift adds n parts to x. The result is a DATE where x is known to be one and
// the part is a day or more, else a timestamp: a rule that looks at the text of
// the query alone, so that the engines agree.
func (w *writer) shift(x, n sqlexpr.Expr, p part, min prec) {
	t := &w.d.time
	if p == partNone || t.shift[p].absent() {
		w.unsupported("arithmetic with that interval")
		return
	}
	from := w.typeOf(x)
	keepsDate := from == sqlexpr.TypeDate && p >= partDay
	if keepsDate && !t.shiftKeepsDate {
		for _, s := range t.day[sqlexpr.TypeTimestamp].segs {
			w.text(s.text)
			if s.arg > 0 {
				w.shifted(x, n, p, from, precAny)
			}
		}
		return
	}
	if keepsDate {
		w.fill(&t.shift[p], min, x, n)
		return
	}
	w.shifted(x, n, p, from, min)
}

func (w *writer) shifted(x, n sqlexpr.Expr, p part, from sqlexpr.Type, min prec) {
	t := &w.d.time
	moment := operand{x: x, via: &t.moment[from]}
	if count, ok := constant(n); ok && t.interval != nil {
		paren := w.paren(precAdd, min)
		w.operand(moment, precPrimary)
		w.text(" + ")
		t.interval(w, count, p)
		w.done(paren)
		return
	}
	f := &t.shift[p]
	paren := w.paren(f.prec, min)
	for _, s := range f.segs {
		w.text(s.text)
		switch s.arg {
		case 1:
			w.place(f, s, moment)
		case 2:
			w.place(f, s, operand{x: n})
		}
	}
	w.done(paren)
}

// interval prints an interval that stands alone.
func (w *writer) interval(e *sqlexpr.Interval) {
	p := partOf(e.Unit)
	if w.d.time.interval == nil || p == partNone || p > partYear {
		w.unsupported("an interval that is not added to a date")
		return
	}
	w.d.time.interval(w, e.Count, p)
}
