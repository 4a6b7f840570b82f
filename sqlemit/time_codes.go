package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// A stored time code is decoded in one pass: a pattern that only real codes
// match guards a cast of their digits to a date.
//
//	CASE WHEN code matches '^…$' THEN CAST(yyyy || '-' || MM || '-' || dd AS DATE) END
//
// The pattern contains the length of every month, leap years included, so the
// cast cannot fail. It consists of classes, groups and counts, which all
// regular expression engines read alike.

// decodeByPattern is the decode of dialects that have regular expressions.
func decodeByPattern(w *writer, d *sqlexpr.Decode, min prec) {
	code := d.Code
	if code.Epoch != "" {
		w.epoch(d)
		return
	}
	text := codeText(d)
	pattern, ok := codeRegexp(code)
	if !ok {
		w.unsupported("the time format " + code.Text)
		return
	}
	day := codeDay(code, text)
	w.text("CASE WHEN ")
	w.render(&w.d.time.matches, precNot, text, &sqlexpr.String{Value: pattern})
	w.text(" THEN ")
	w.expr(day, precAny)
	w.text(" END")
}

// codeText is the code as a string: a number loses the fraction that its type
// prints.
func codeText(d *sqlexpr.Decode) sqlexpr.Expr {
	if !d.Code.Numeric {
		return d.X
	}
	return castTo(castTo(d.X, sqlexpr.TypeInt), sqlexpr.TypeString)
}

// Counts of the first second of the year 1 and the last of the year 9999, and
// the same in days; a count outside is not a date.
const (
	firstSecond, lastSecond = -62135596800, 253402300799
	firstDay, lastDay       = -719162, 2932896
)

// epoch prints a count since 1970-01-01 as a date.
func (w *writer) epoch(d *sqlexpr.Decode) {
	lo, hi, perDay := int64(firstDay), int64(lastDay), int64(1)
	switch d.Code.Epoch {
	case "seconds":
		lo, hi, perDay = firstSecond, lastSecond, 86400
	case "millis":
		lo, hi, perDay = firstSecond*1000, lastSecond*1000+999, 86400000
	case "days":
	default:
		w.unsupported("the time format " + d.Code.Text)
		return
	}
	x := d.X
	if !d.Code.Numeric {
		x = castTo(d.X, sqlexpr.TypeInt)
		w.text("CASE WHEN ")
		w.render(&w.d.time.matches, precNot, d.X, textOf("^-?[0-9]{1,15}$"))
		w.text(" THEN ")
		defer w.text(" END")
	}
	days := x
	if perDay > 1 {
		days = castTo(callOf(sqlexpr.FnFloor, &sqlexpr.Divide{L: x, R: whole(perDay)}), sqlexpr.TypeInt)
	}
	epoch := &sqlexpr.Typed{Type: sqlexpr.TypeDate, Value: "1970-01-01"}
	w.expr(when(
		&sqlexpr.Between{X: x, Lo: whole(lo), Hi: whole(hi)},
		callOf(sqlexpr.FnDateAdd, textOf("day"), days, epoch),
	), precAny)
}

// codeDay is the date that the fields of a valid code name.
func codeDay(code *sqlexpr.TimeCode, text sqlexpr.Expr) sqlexpr.Expr {
	year := codeField(code, "yyyy", text)
	switch {
	case hasField(code, "ww"):
		return weekDay(year, codeField(code, "ww", text))
	case hasField(code, "Q") && !hasField(code, "MM"):
		quarter := &sqlexpr.Case{Operand: codeField(code, "Q", text), Whens: []sqlexpr.When{
			{Cond: textOf("1"), Then: textOf("-01-01")},
			{Cond: textOf("2"), Then: textOf("-04-01")},
			{Cond: textOf("3"), Then: textOf("-07-01")},
			{Cond: textOf("4"), Then: textOf("-10-01")},
		}}
		return castTo(concat(year, quarter), sqlexpr.TypeDate)
	case !hasField(code, "MM"):
		return castTo(concat(year, textOf("-01-01")), sqlexpr.TypeDate)
	case !hasField(code, "dd"):
		return castTo(concat(year, textOf("-"), codeField(code, "MM", text), textOf("-01")), sqlexpr.TypeDate)
	}
	return castTo(concat(year, textOf("-"), codeField(code, "MM", text), textOf("-"), codeField(code, "dd", text)), sqlexpr.TypeDate)
}

// weekDay is the Monday of an ISO week: 4 January is always in week 1. Only
// some years have a week 53.
func weekDay(year, week sqlexpr.Expr) sqlexpr.Expr {
	first := &sqlexpr.Bucket{Grain: sqlexpr.GrainWeek, From: sqlexpr.TypeDate, X: castTo(concat(year, textOf("-01-04")), sqlexpr.TypeDate)}
	weeks := binary(sqlexpr.OpSub, castTo(week, sqlexpr.TypeInt), whole(1))
	monday := callOf(sqlexpr.FnDateAdd, textOf("week"), weeks, first)
	exists := binary(sqlexpr.OpOr,
		binary(sqlexpr.OpLt, week, textOf("53")),
		binary(sqlexpr.OpEq, &sqlexpr.Extract{Part: "week", X: monday}, whole(53)))
	return when(exists, monday)
}

func hasField(code *sqlexpr.TimeCode, token string) bool {
	for _, f := range code.Fields {
		if f.Token == token {
			return true
		}
	}
	return false
}

// codeField cuts a field out of a code.
func codeField(code *sqlexpr.TimeCode, token string, text sqlexpr.Expr) sqlexpr.Expr {
	for _, f := range code.Fields {
		if f.Token == token {
			return callOf(sqlexpr.FnSubstring, text, whole(int64(f.Start)), whole(int64(f.Len)))
		}
	}
	return &sqlexpr.Null{}
}
