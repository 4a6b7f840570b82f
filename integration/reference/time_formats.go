package reference

import (
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// goTimeLayout converts a format of TO_CHAR to a layout of package time.
var goTimeLayout = strings.NewReplacer(`"`, "", "YYYY", "2006", "MM", "01", "DD", "02", "HH24", "15", "HH12", "03", "MI", "04", "SS", "05", "AM", "PM")

func formatTime(v Value, format string) Value {
	m, ok := toTimestamp(v)
	if !ok {
		failUnsupported("TO_CHAR of %T", v)
	}
	return time.UnixMicro(int64(m)).UTC().Format(goTimeLayout.Replace(format))
}

// parseTimeByFormat returns the time of a text of a format; any character stands for a separator. It is NULL for another text.
func parseTimeByFormat(text, format string) Value {
	separated := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return r
			}
			return '-'
		}, s)
	}
	t, err := time.Parse(separated(goTimeLayout.Replace(format)), separated(text))
	if err != nil || len(text) != len(goTimeLayout.Replace(format)) || t.Year() == 0 {
		return nil
	}
	return Timestamp(t.UnixMicro())
}

func compileRegexp(pattern string) *regexp.Regexp {
	re, err := regexp.Compile(pattern)
	if err != nil {
		abstain("%q is not a regular expression of package regexp", pattern)
	}
	return re
}

// tryCastValue returns a value as another type, and NULL for a text that is not a value of the type.
func tryCastValue(a Value, to sqlexpr.TypeName) Value {
	text, isText := a.(string)
	if !isText {
		return castValue(a, to)
	}
	switch to.Type {
	case sqlexpr.TypeDate:
		return castValue(parseTimeByFormat(text, "YYYY-MM-DD"), to)
	case sqlexpr.TypeTimestamp, sqlexpr.TypeTimestampTZ:
		return castValue(parseTimeByFormat(text, "YYYY-MM-DD HH24:MI:SS"), sqlexpr.TypeName{Type: sqlexpr.TypeTimestamp})
	case sqlexpr.TypeBool:
		switch strings.ToLower(text) {
		case "true", "t", "yes", "y", "on", "1":
			return true
		case "false", "f", "no", "n", "off", "0":
			return false
		}
		return nil
	}
	return castValue(a, to)
}
