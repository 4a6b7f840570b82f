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
func decodeByPattern(w *writer, d *sqlexpr.Decode, min precedence) {
	code := d.Code
	if code.Epoch != "" {
		w.epoch(d)
		return
	}
	text := textOfCode(d)
	pattern, ok := codeRegexp(code)
	if !ok {
		w.unsupported("the time format " + code.Text)
		return
	}
	day := dateOfCode(code, text)
	w.text("CASE WHEN ")
	w.render(&w.d.time.matches, precNot, text, &sqlexpr.String{Value: pattern})
	w.text(" THEN ")
	w.expr(day, precAny)
	w.text(" END")
}

// textOfCode is the code as a string: a number loses the fraction that its type
// prints.
func textOfCode(d *sqlexpr.Decode) sqlexpr.Expr {
	if !d.Code.Numeric {
		return d.X
	}
	return castTo(castTo(d.X, sqlexpr.TypeInt), sqlexpr.TypeString)
}

// Counts of the first second of the year 1 and the last of the year 9999, and
// the same in days; a count outside is not a date.
const (
	firstSecond, lastSecond = -62135596800, 253402300799
	firstEpochDay, lastDay  = -719162, 2932896
)

// epoch prints a count since 1970-01-01 as a date.
func (w *writer) epoch(d *sqlexpr.Decode) {
	lo, hi, perDay := int64(firstEpochDay), int64(lastDay), int64(1)
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
		days = castTo(newCall(sqlexpr.FnFloor, &sqlexpr.Divide{L: x, R: integerExpr(perDay)}), sqlexpr.TypeInt)
	}
	epoch := &sqlexpr.Typed{Type: sqlexpr.TypeDate, Value: "1970-01-01"}
	w.expr(caseWhen(
		&sqlexpr.Between{X: x, Lo: integerExpr(lo), Hi: integerExpr(hi)},
		newCall(sqlexpr.FnDateAdd, textOf("day"), days, epoch),
	), precAny)
}

// dateOfCode is the date that the fields of a valid code name.
func dateOfCode(code *sqlexpr.TimeCode, text sqlexpr.Expr) sqlexpr.Expr {
	year := extractCodeField(code, "yyyy", text)
	switch {
	case codeHasField(code, "ww"):
		return weekDay(year, extractCodeField(code, "ww", text))
	case codeHasField(code, "Q") && !codeHasField(code, "MM"):
		quarter := &sqlexpr.Case{Operand: extractCodeField(code, "Q", text), Whens: []sqlexpr.When{
			{Cond: textOf("1"), Then: textOf("-01-01")},
			{Cond: textOf("2"), Then: textOf("-04-01")},
			{Cond: textOf("3"), Then: textOf("-07-01")},
			{Cond: textOf("4"), Then: textOf("-10-01")},
		}}
		return castTo(concat(year, quarter), sqlexpr.TypeDate)
	case !codeHasField(code, "MM"):
		return castTo(concat(year, textOf("-01-01")), sqlexpr.TypeDate)
	case !codeHasField(code, "dd"):
		return castTo(concat(year, textOf("-"), extractCodeField(code, "MM", text), textOf("-01")), sqlexpr.TypeDate)
	}
	return castTo(concat(year, textOf("-"), extractCodeField(code, "MM", text), textOf("-"), extractCodeField(code, "dd", text)), sqlexpr.TypeDate)
}

// weekDay is the Monday of an ISO week: 4 January is always in week 1. Only
// some years have a week 53.
func weekDay(year, week sqlexpr.Expr) sqlexpr.Expr {
	first := &sqlexpr.Bucket{Grain: sqlexpr.GrainWeek, From: sqlexpr.TypeDate, X: castTo(concat(year, textOf("-01-04")), sqlexpr.TypeDate)}
	weeks := newBinary(sqlexpr.OpSub, castTo(week, sqlexpr.TypeInt), integerExpr(1))
	monday := newCall(sqlexpr.FnDateAdd, textOf("week"), weeks, first)
	exists := newBinary(sqlexpr.OpOr,
		newBinary(sqlexpr.OpLt, week, textOf("53")),
		newBinary(sqlexpr.OpEq, &sqlexpr.Extract{Part: "week", X: monday}, integerExpr(53)))
	return caseWhen(exists, monday)
}

func codeHasField(code *sqlexpr.TimeCode, token string) bool {
	for _, f := range code.Fields {
		if f.Token == token {
			return true
		}
	}
	return false
}

// extractCodeField cuts a field out of a code.
func extractCodeField(code *sqlexpr.TimeCode, token string, text sqlexpr.Expr) sqlexpr.Expr {
	for _, f := range code.Fields {
		if f.Token == token {
			return newCall(sqlexpr.FnSubstring, text, integerExpr(int64(f.Start)), integerExpr(int64(f.Len)))
		}
	}
	return &sqlexpr.Null{}
}
