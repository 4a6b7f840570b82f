package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// timeCodeRegexp returns the regular expression of a layout's codes.
func timeCodeRegexp(code *sqlexpr.TimeCode) (string, bool) {
	common, leap := timeCodeLayoutPattern(code, datePatternExceptLeapDay), ""
	if common == "" {
		return "", false
	}
	if timeCodeHasField(code, "dd") && timeCodeHasField(code, "MM") {
		leap = "|" + timeCodeLayoutPattern(code, datePatternLeapDayOnly)
	}
	return "^(" + common + leap + ")$", true
}

// datePatternExceptLeapDay and datePatternLeapDayOnly choose what the fields of a date match: any day but 29
// February, or that day of a leap year.
const (
	datePatternExceptLeapDay = iota
	datePatternLeapDayOnly
)

const (
	yearPattern           = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
	leapYearPattern       = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)"
	monthsOf31DaysPattern = "(0[13578]|1[02])"
)

// timeCodeLayoutPattern returns the pattern of a layout, or "" for one that cannot be read.
func timeCodeLayoutPattern(code *sqlexpr.TimeCode, kind int) string {
	month, day := "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"
	year := yearPattern
	if kind == datePatternLeapDayOnly {
		year, month, day = leapYearPattern, "02", "29"
	} else if timeCodeHasField(code, "dd") {
		return "(" + strings.Join([]string{
			timeCodeDatePattern(code, year, monthsOf31DaysPattern, day),
			timeCodeDatePattern(code, year, "(0[469]|11)", "(0[1-9]|[12][0-9]|30)"),
			timeCodeDatePattern(code, year, "02", "(0[1-9]|1[0-9]|2[0-8])"),
		}, "|") + ")"
	}
	return timeCodeDatePattern(code, year, month, day)
}

func timeCodeDatePattern(code *sqlexpr.TimeCode, year, month, day string) string {
	var b strings.Builder
	at := 1
	for _, f := range code.Fields {
		for ; at < f.Start; at++ {
			b.WriteByte('.')
		}
		at += f.Len
		switch f.Token {
		case "yyyy":
			b.WriteString(year)
		case "MM":
			b.WriteString(month)
		case "dd":
			b.WriteString(day)
		case "HH":
			b.WriteString("([01][0-9]|2[0-3])")
		case "mm", "ss":
			b.WriteString("[0-5][0-9]")
		case "Q":
			b.WriteString("[1-4]")
		case "ww":
			b.WriteString("(0[1-9]|[1-4][0-9]|5[0-3])")
		default:
			return ""
		}
	}
	if n := len(code.Fields); n == 0 {
		return ""
	} else if !strings.HasSuffix(code.Text, code.Fields[n-1].Token) {
		b.WriteString(".*") // literal text follows the last field
	}
	return b.String()
}
