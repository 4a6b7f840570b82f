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

// printTimeCodeDecodeByRegexp is the decode of dialects that have regular expressions.
func printTimeCodeDecodeByRegexp(w *writer, d *sqlexpr.DecodeTimeCodeExpr, min precedence) {
	code := d.Code
	if code.Epoch != "" {
		w.printEpochDate(d)
		return
	}
	text := timeCodeAsText(d)
	pattern, ok := timeCodeRegexp(code)
	if !ok {
		w.recordNotImplemented("the time format " + code.Text)
		return
	}
	day := decodedTimeOfTimeCode(d, text)
	w.appendText("CASE WHEN ")
	w.printTemplate(&w.d.time.matches, precNot, text, &sqlexpr.String{Value: pattern})
	w.appendText(" THEN ")
	w.printExpr(day, precAny)
	w.appendText(" END")
}

// decodedTimeOfTimeCode returns the date or the bucket within the day that a valid code names.
func decodedTimeOfTimeCode(d *sqlexpr.DecodeTimeCodeExpr, text sqlexpr.Expr) sqlexpr.Expr {
	if d.Grain == sqlexpr.GrainNone {
		return dateOfTimeCode(d.Code, text)
	}
	iso := newConcat(isoDateOfTimeCode(d.Code, text), timeOfDayOfTimeCode(d, text))
	return newCast(iso, sqlexpr.TypeTimestamp)
}

func isoDateOfTimeCode(code *sqlexpr.TimeCode, text sqlexpr.Expr) sqlexpr.Expr {
	return newConcat(extractTimeCodeField(code, "yyyy", text), newStringLiteral("-"), extractTimeCodeField(code, "MM", text), newStringLiteral("-"), extractTimeCodeField(code, "dd", text))
}

// timeOfDayOfTimeCode returns the time of day of a code as text, cut to a grain.
func timeOfDayOfTimeCode(d *sqlexpr.DecodeTimeCodeExpr, text sqlexpr.Expr) sqlexpr.Expr {
	parts := []sqlexpr.Expr{newStringLiteral(" ")}
	end := ""
	for _, p := range []struct {
		token string
		grain sqlexpr.Grain
	}{{"HH", sqlexpr.GrainHour}, {"mm", sqlexpr.GrainMinute}, {"ss", sqlexpr.GrainSecond}} {
		if p.token != "HH" {
			end += ":"
		}
		if d.Grain > p.grain {
			end += "00"
			continue
		}
		if end != "" {
			parts = append(parts, newStringLiteral(end))
		}
		parts = append(parts, extractTimeCodeField(d.Code, p.token, text))
		end = ""
	}
	if end != "" {
		parts = append(parts, newStringLiteral(end))
	}
	return newConcat(parts...)
}

// timeCodeAsText returns the code as a string: a number loses the fraction that its type
// prints.
func timeCodeAsText(d *sqlexpr.DecodeTimeCodeExpr) sqlexpr.Expr {
	if !d.Code.Numeric {
		return d.X
	}
	return newCast(newCast(d.X, sqlexpr.TypeInt), sqlexpr.TypeString)
}

// Counts of the first second of the year 1 and the last of the year 9999, and
// the same in days; a count outside is not a date.
const (
	firstSupportedEpochSecond, lastSupportedEpochSecond = -62135596800, 253402300799
	firstSupportedEpochDay, lastSupportedEpochDay       = -719162, 2932896
)

// printEpochDate prints a count since 1970-01-01 as a date.
func (w *writer) printEpochDate(d *sqlexpr.DecodeTimeCodeExpr) {
	lo, hi, perDay := int64(firstSupportedEpochDay), int64(lastSupportedEpochDay), int64(1)
	switch d.Code.Epoch {
	case "seconds":
		lo, hi, perDay = firstSupportedEpochSecond, lastSupportedEpochSecond, 86400
	case "millis":
		lo, hi, perDay = firstSupportedEpochSecond*1000, lastSupportedEpochSecond*1000+999, 86400000
	case "days":
	default:
		w.recordNotImplemented("the time format " + d.Code.Text)
		return
	}
	x := d.X
	if !d.Code.Numeric {
		x = newCast(d.X, sqlexpr.TypeInt)
		w.appendText("CASE WHEN ")
		w.printTemplate(&w.d.time.matches, precNot, d.X, newStringLiteral("^-?[0-9]{1,15}$"))
		w.appendText(" THEN ")
		defer w.appendText(" END")
	}
	w.printExpr(newCaseWhen(&sqlexpr.Between{X: x, Lo: newIntegerConstant(lo), Hi: newIntegerConstant(hi)}, decodedTimeOfEpoch(d, x, perDay)), precAny)
}

// decodedTimeOfEpoch returns the day of a count, or the instant at which its bucket within the day
// begins, or what the clock shows then.
func decodedTimeOfEpoch(d *sqlexpr.DecodeTimeCodeExpr, x sqlexpr.Expr, perDay int64) sqlexpr.Expr {
	const daySeconds = 24 * 60 * 60
	var ahead sqlexpr.Expr // of UTC, in seconds; nil: not at all
	if d.Zone != nil {
		ahead = zoneOffsetAtEpochCount(d.Zone, x, perDay/daySeconds, 1)
		// A column of 32 bits has counts that its type cannot add an offset to.
		x = newBinary(sqlexpr.OpAdd, x, newCast(zoneOffsetAtEpochCount(d.Zone, x, perDay/daySeconds, perDay/daySeconds), sqlexpr.TypeInt))
	}
	days := x
	if perDay > 1 {
		days = newFloorDivision(x, perDay)
	}
	if d.Grain == sqlexpr.GrainNone {
		return newCall(sqlexpr.FnDateAdd, newStringLiteral("day"), days, &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: "1970-01-01"})
	}
	// An engine may add no more seconds than fit into 32 bits, so days are added first.
	unit := int64(d.Grain.Seconds())
	bucket := newFloorDivision(x, perDay/daySeconds*unit)
	first := &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: "1970-01-01 00:00:00"}
	seconds := newBinary(sqlexpr.OpMul, newBinary(sqlexpr.OpSub, bucket, newBinary(sqlexpr.OpMul, days, newIntegerConstant(daySeconds/unit))), newIntegerConstant(unit))
	if d.Local {
		return newCall(sqlexpr.FnDateAdd, newStringLiteral("second"), seconds, newCall(sqlexpr.FnDateAdd, newStringLiteral("day"), days, first))
	}
	if ahead != nil {
		seconds = newBinary(sqlexpr.OpSub, seconds, ahead)
	}
	return newCast(newCall(sqlexpr.FnDateAdd, newStringLiteral("second"), seconds, newCall(sqlexpr.FnDateAdd, newStringLiteral("day"), days, first)), sqlexpr.TypeTimestampTZ)
}

// newFloorDivision returns the number of whole units are in an integer, which may be negative.
func newFloorDivision(x sqlexpr.Expr, unit int64) sqlexpr.Expr {
	if unit == 1 {
		return x
	}
	return newCast(newCall(sqlexpr.FnFloor, &sqlexpr.SafeDivide{L: x, R: newIntegerConstant(unit)}), sqlexpr.TypeInt)
}

// dateOfTimeCode returns the date that the fields of a valid code name.
func dateOfTimeCode(code *sqlexpr.TimeCode, text sqlexpr.Expr) sqlexpr.Expr {
	year := extractTimeCodeField(code, "yyyy", text)
	switch {
	case timeCodeHasField(code, "ww"):
		return mondayOfISOWeek(year, extractTimeCodeField(code, "ww", text))
	case timeCodeHasField(code, "Q") && !timeCodeHasField(code, "MM"):
		quarter := &sqlexpr.Case{Operand: extractTimeCodeField(code, "Q", text), Whens: []sqlexpr.When{
			{Cond: newStringLiteral("1"), Then: newStringLiteral("-01-01")},
			{Cond: newStringLiteral("2"), Then: newStringLiteral("-04-01")},
			{Cond: newStringLiteral("3"), Then: newStringLiteral("-07-01")},
			{Cond: newStringLiteral("4"), Then: newStringLiteral("-10-01")},
		}}
		return newCast(newConcat(year, quarter), sqlexpr.TypeDate)
	case !timeCodeHasField(code, "MM"):
		return newCast(newConcat(year, newStringLiteral("-01-01")), sqlexpr.TypeDate)
	case !timeCodeHasField(code, "dd"):
		return newCast(newConcat(year, newStringLiteral("-"), extractTimeCodeField(code, "MM", text), newStringLiteral("-01")), sqlexpr.TypeDate)
	}
	return newCast(isoDateOfTimeCode(code, text), sqlexpr.TypeDate)
}

// mondayOfISOWeek returns the Monday of an ISO week: 4 January is always in week 1. Only
// some years have a week 53.
func mondayOfISOWeek(year, week sqlexpr.Expr) sqlexpr.Expr {
	first := &sqlexpr.Bucket{Grain: sqlexpr.GrainWeek, From: sqlexpr.TypeDate, X: newCast(newConcat(year, newStringLiteral("-01-04")), sqlexpr.TypeDate)}
	weeks := newBinary(sqlexpr.OpSub, newCast(week, sqlexpr.TypeInt), newIntegerConstant(1))
	monday := newCall(sqlexpr.FnDateAdd, newStringLiteral("week"), weeks, first)
	exists := newBinary(sqlexpr.OpOr,
		newBinary(sqlexpr.OpLt, week, newStringLiteral("53")),
		newBinary(sqlexpr.OpEq, &sqlexpr.Extract{Part: "week", X: monday}, newIntegerConstant(53)))
	return newCaseWhen(exists, monday)
}

func timeCodeHasField(code *sqlexpr.TimeCode, token string) bool {
	for _, f := range code.Fields {
		if f.Token == token {
			return true
		}
	}
	return false
}

// extractTimeCodeField cuts a field out of a code.
func extractTimeCodeField(code *sqlexpr.TimeCode, token string, text sqlexpr.Expr) sqlexpr.Expr {
	for _, f := range code.Fields {
		if f.Token == token {
			return newCall(sqlexpr.FnSubstring, text, newIntegerConstant(int64(f.Start)), newIntegerConstant(int64(f.Len)))
		}
	}
	return &sqlexpr.Null{}
}
