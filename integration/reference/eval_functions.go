package reference

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// evalCall evaluates a scalar function. Those that decide which arguments count come
// first; all others are NULL when an argument is.
func (v evalContext) evalCall(c *sqlexpr.Call) Value {
	args := func(i int) Value { return v.eval(c.Args[i]) }
	switch c.Fn {
	case sqlexpr.FnCoalesce:
		for i := range c.Args {
			if a := args(i); a != nil {
				return a
			}
		}
		return nil
	case sqlexpr.FnNullIf:
		a := args(0)
		if isTrue(evalBinary(sqlexpr.OpEq, a, args(1))) {
			return nil
		}
		return a
	case sqlexpr.FnIf:
		if isTrue(args(0)) {
			return args(1)
		}
		return args(2)
	case sqlexpr.FnGreatest, sqlexpr.FnLeast:
		var best Value
		for i := range c.Args {
			a := args(i)
			if a == nil {
				continue
			}
			if best == nil || (compareNullsLast(a, best) > 0) == (c.Fn == sqlexpr.FnGreatest) {
				best = a
			}
		}
		return best
	}
	list := make([]Value, len(c.Args))
	if c.Fn == sqlexpr.FnConcat {
		out := ""
		for i := range c.Args {
			if a := args(i); a != nil {
				out += FormatValue(a)
			}
		}
		return out
	}
	for i := range c.Args {
		if list[i] = args(i); list[i] == nil {
			return nil
		}
	}
	return evalNonNullCall(c, list)
}

func evalNonNullCall(c *sqlexpr.Call, a []Value) Value {
	switch c.Fn {
	case sqlexpr.FnAbs:
		return math.Abs(toFloat(a[0]))
	case sqlexpr.FnCeil:
		return math.Ceil(toFloat(a[0]))
	case sqlexpr.FnFloor:
		return math.Floor(toFloat(a[0]))
	case sqlexpr.FnRound:
		return roundOrTruncToDigits(a, math.Round)
	case sqlexpr.FnTrunc:
		return roundOrTruncToDigits(a, math.Trunc)
	case sqlexpr.FnSign:
		return float64(compareNullsLast(a[0], 0.0))
	case sqlexpr.FnMod:
		return evalArithmetic(sqlexpr.OpMod, a[0], a[1])
	case sqlexpr.FnPower:
		return math.Pow(toFloat(a[0]), toFloat(a[1]))
	case sqlexpr.FnLength:
		return float64(len([]rune(a[0].(string))))
	case sqlexpr.FnLower:
		return strings.ToLower(a[0].(string))
	case sqlexpr.FnUpper:
		return strings.ToUpper(a[0].(string))
	case sqlexpr.FnTrim, sqlexpr.FnLTrim, sqlexpr.FnRTrim:
		return trimText(c.Fn, a)
	case sqlexpr.FnPosition:
		before, _, found := strings.Cut(a[1].(string), a[0].(string))
		if !found {
			return 0.0
		}
		return float64(len([]rune(before)) + 1)
	case sqlexpr.FnSplitPart:
		if n := int(toFloat(a[2])); n > 0 && a[1] != "" {
			if parts := strings.Split(a[0].(string), a[1].(string)); n <= len(parts) {
				return parts[n-1]
			}
			return ""
		}
	case sqlexpr.FnLeft:
		text := []rune(a[0].(string))
		return string(text[:min(len(text), max(0, int(toFloat(a[1]))))])
	case sqlexpr.FnRight:
		text := []rune(a[0].(string))
		return string(text[len(text)-min(len(text), max(0, int(toFloat(a[1])))):])
	case sqlexpr.FnContains:
		return strings.Contains(a[0].(string), a[1].(string))
	case sqlexpr.FnStartsWith:
		return strings.HasPrefix(a[0].(string), a[1].(string))
	case sqlexpr.FnEndsWith:
		return strings.HasSuffix(a[0].(string), a[1].(string))
	case sqlexpr.FnReplace:
		return strings.ReplaceAll(a[0].(string), a[1].(string), a[2].(string))
	case sqlexpr.FnSubstring:
		text := []rune(a[0].(string))
		// Positions are half-open and begin with 1; those before it are empty.
		start, end := int(toFloat(a[1])), len(text)+1
		if len(a) > 2 {
			end = min(end, start+max(0, int(toFloat(a[2]))))
		}
		start = min(max(start, 1), len(text)+1)
		return string(text[start-1 : max(start, end)-1])
	case sqlexpr.FnYear, sqlexpr.FnQuarter, sqlexpr.FnMonth, sqlexpr.FnDay, sqlexpr.FnHour, sqlexpr.FnMinute, sqlexpr.FnSecond, sqlexpr.FnDayOfYear, sqlexpr.FnDayOfWeek:
		return extractCalendarPart(strings.ToLower(sqlexpr.InfoOfFunction(c.Fn).Name), a[0])
	case sqlexpr.FnToDate, sqlexpr.FnToTimestamp:
		to := sqlexpr.TypeName{Type: sqlexpr.TypeDate}
		if c.Fn == sqlexpr.FnToTimestamp {
			to.Type = sqlexpr.TypeTimestamp
		}
		if len(a) > 1 {
			return castValue(parseTimeByFormat(a[0].(string), a[1].(string)), to)
		}
		return castValue(a[0], to)
	case sqlexpr.FnToChar:
		return formatTime(a[0], a[1].(string))
	case sqlexpr.FnRegexpLike:
		return compileRegexp(a[1].(string)).MatchString(a[0].(string))
	case sqlexpr.FnRegexpCount:
		return float64(len(compileRegexp(a[1].(string)).FindAllString(a[0].(string), -1)))
	case sqlexpr.FnDateAdd:
		if moved, ok := shiftByUnits(a[0].(string), toFloat(a[1]), a[2]); ok {
			return moved
		}
	case sqlexpr.FnDateTrunc, sqlexpr.FnDateDiff:
		unit := a[0].(string)
		if g, ok := sqlexpr.ParseGrain(unit); ok && secondsOfGrain(g) == 0 {
			return evalCalendarFunction(c.Fn, g, a[1], a[len(a)-1])
		}
		m, ok := toTimestamp(a[len(a)-1])
		if ok && c.Fn == sqlexpr.FnDateTrunc {
			if cut, known := truncateToUnit(unit, m); known {
				return cut
			}
		}
	}
	failUnsupported("the function %s", sqlexpr.Format(c))
	return nil
}

// trimText removes characters, by default spaces, at one end or at both.
func trimText(fn sqlexpr.Func, a []Value) string {
	text, characters := a[0].(string), " "
	if len(a) > 1 {
		characters = a[1].(string)
	}
	if fn != sqlexpr.FnRTrim {
		text = strings.TrimLeft(text, characters)
	}
	if fn != sqlexpr.FnLTrim {
		text = strings.TrimRight(text, characters)
	}
	return text
}

// microsByUnit is the length of the units that are parts of a day.
var microsByUnit = map[string]int64{"microsecond": 1, "millisecond": 1e3, "second": 1e6, "minute": 6e7, "hour": 3.6e9}

// truncateToUnit truncates a timestamp to a unit that is not a grain of days. A century and a millennium begin
// with their first year: 2001.
func truncateToUnit(unit string, m Timestamp) (Timestamp, bool) {
	if micros := microsByUnit[unit]; micros > 0 {
		return Timestamp(floorDiv(int64(m), micros) * micros), true
	}
	first, length := 0, map[string]int{"decade": 10, "century": 100, "millennium": 1000}[unit]
	if length == 0 {
		return 0, false
	}
	if length > 10 {
		first = 1
	}
	year := time.UnixMicro(int64(m)).UTC().Year() - first
	return dateOfTime(time.Date(year-year%length+first, 1, 1, 0, 0, 0, 0, time.UTC)).toTimestamp(), true
}

// shiftByUnits moves a date or a timestamp. A date that is moved by days or coarser units is a date.
func shiftByUnits(unit string, n float64, from Value) (Value, bool) {
	m, ok := toTimestamp(from)
	if !ok {
		return nil, false
	}
	if micros := microsByUnit[unit]; micros > 0 {
		return m + Timestamp(n*float64(micros)), true
	}
	g, ok := sqlexpr.ParseGrain(unit)
	if !ok || secondsOfGrain(g) != 0 {
		return nil, false
	}
	// A day that the month does not have is its last one.
	day, exists := shiftDate(m.toDate(), g, int(n))
	for back := Date(1); !exists; back++ {
		day, exists = shiftDate(m.toDate()-back, g, int(n))
	}
	if _, isDate := from.(Date); isDate {
		return day, true
	}
	return day.toTimestamp() + m - m.toDate().toTimestamp(), true
}

// evalCalendarFunction truncates a date or a timestamp, or counts the buckets between two.
func evalCalendarFunction(fn sqlexpr.Func, g sqlexpr.Grain, a, last Value) Value {
	m, ok := toTimestamp(last)
	if !ok {
		failUnsupported("calendar arithmetic with %T", last)
	}
	if fn == sqlexpr.FnDateTrunc {
		start := bucketStart(g, m.toDate())
		if _, isDate := last.(Date); isDate {
			return start
		}
		return start.toTimestamp()
	}
	from, _ := toTimestamp(a)
	n, step := 0, 1
	at, end := bucketStart(g, from.toDate()), bucketStart(g, m.toDate())
	if end < at {
		step = -1
	}
	for ; at != end; at = addBuckets(g, at, step) {
		n += step
	}
	return float64(n)
}

// roundOrTruncToDigits applies ROUND or TRUNC with its optional number of digits.
func roundOrTruncToDigits(a []Value, f func(float64) float64) Value {
	scale := 1.0
	if len(a) > 1 {
		scale = math.Pow(10, toFloat(a[1]))
	}
	return f(toFloat(a[0])*scale) / scale
}

// extractCalendarPart extracts a calendar part.
func extractCalendarPart(name string, a Value) Value {
	if a == nil {
		return nil
	}
	m, ok := toTimestamp(a)
	if !ok {
		failUnsupported("a calendar part of %T", a)
	}
	t := time.UnixMicro(int64(m)).UTC()
	_, week := t.ISOWeek()
	n, ok := map[string]int{
		"year": t.Year(), "quarter": (int(t.Month()) + 2) / 3, "month": int(t.Month()), "week": week, "day": t.Day(),
		"hour": t.Hour(), "minute": t.Minute(), "second": t.Second(), "dayofyear": t.YearDay(), "dayofweek": int(t.Weekday()), "isodow": (int(t.Weekday())+6)%7 + 1,
	}[name]
	if !ok {
		failUnsupported("the calendar part %s", name)
	}
	return float64(n)
}

// numberOfText reads a number: digits with an optional sign, and, except for an integer, with a point and an exponent.
func numberOfText(text string, to sqlexpr.Type) (n float64, ok bool) {
	text = strings.Trim(text, " ")
	allowed := "0123456789+-"
	if to != sqlexpr.TypeInt {
		allowed += ".eE"
	}
	if strings.Trim(text, allowed) != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

func castValue(a Value, to sqlexpr.TypeName) Value {
	if a == nil {
		return nil
	}
	switch to.Type {
	case sqlexpr.TypeString:
		if m, ok := a.(Timestamp); ok {
			return strings.Replace(m.String(), "T", " ", 1)
		}
		if n, ok := a.(float64); ok && n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return strconv.FormatInt(int64(n), 10) // 0 also of a remainder that is -0
		}
		return FormatValue(a)
	case sqlexpr.TypeDate:
		if m, ok := toTimestamp(a); ok {
			return m.toDate()
		}
	case sqlexpr.TypeTimestamp:
		if m, ok := toTimestamp(a); ok {
			return m
		}
	case sqlexpr.TypeFloat, sqlexpr.TypeDecimal, sqlexpr.TypeInt:
		n, isNumber := a.(float64)
		if text, ok := a.(string); ok {
			if n, isNumber = numberOfText(text, to.Type); !isNumber {
				return nil
			}
		}
		if truth, ok := a.(bool); ok {
			isNumber = true
			if truth {
				n = 1
			}
		}
		if to.Type == sqlexpr.TypeInt {
			n = math.Round(n)
		}
		if isNumber {
			return n
		}
	case sqlexpr.TypeBool:
		if b, ok := a.(bool); ok {
			return b
		}
	}
	failUnsupported("a cast of %T to %s", a, to.Type)
	return nil
}
