package timerange

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/coerce"
)

// boundLiteralForField returns a range bound as a literal that a field's stored values compare
// with.
func boundLiteralForField(i RangeBound, f *catalog.Field) sqlexpr.Expr {
	if f.Encoding == nil {
		return i.Literal(f.Type)
	}
	text := encodeAsTimeCode(i.Time, f.Encoding)
	if f.Encoding.Numeric {
		return coerce.NumberLiteral(text)
	}
	return &sqlexpr.String{Value: text}
}

// encodeAsTimeCode writes an instant as the code of the period that starts with it.
func encodeAsTimeCode(t time.Time, f *catalog.TimeFormat) string {
	switch f.Epoch {
	case "seconds":
		return strconv.FormatInt(t.Unix(), 10)
	case "millis":
		return strconv.FormatInt(t.UnixMilli(), 10)
	case "days":
		return strconv.FormatInt(daysSinceEpoch(t), 10)
	}
	var b strings.Builder
	isoYear, isoWeek := t.ISOWeek()
	weekly := layoutHasToken(f, "ww")
	for _, p := range f.Layout {
		switch p.Token {
		case "":
			b.WriteString(p.Literal)
		case "yyyy":
			if weekly {
				b.WriteString(zeroPad(isoYear, 4))
			} else {
				b.WriteString(zeroPad(t.Year(), 4))
			}
		case "MM":
			b.WriteString(zeroPad(int(t.Month()), 2))
		case "dd":
			b.WriteString(zeroPad(t.Day(), 2))
		case "HH":
			b.WriteString(zeroPad(t.Hour(), 2))
		case "mm":
			b.WriteString(zeroPad(t.Minute(), 2))
		case "ss":
			b.WriteString(zeroPad(t.Second(), 2))
		case "Q":
			b.WriteString(strconv.Itoa((int(t.Month())-1)/3 + 1))
		case "ww":
			b.WriteString(zeroPad(isoWeek, 2))
		}
	}
	if f.Numeric {
		if trimmed := strings.TrimLeft(b.String(), "0"); trimmed != "" {
			return trimmed
		}
	}
	return b.String()
}

func daysSinceEpoch(t time.Time) int64 {
	const day = 24 * 60 * 60
	n := t.Unix() / day
	if t.Unix()%day < 0 {
		n--
	}
	return n
}

func zeroPad(n, width int) string { return zeroPadText(strconv.Itoa(n), width) }

func layoutHasToken(f *catalog.TimeFormat, token string) bool {
	return slices.ContainsFunc(f.Layout, func(p catalog.TimeLayoutPart) bool { return p.Token == token })
}

// codePeriod returns the length of what one code means: a calendar grain, or a
// duration below a day.
func codePeriod(f *catalog.TimeFormat) (sqlexpr.Grain, time.Duration) {
	switch {
	case f.Epoch == "days":
		return sqlexpr.GrainDay, 0
	case f.Epoch != "", layoutHasToken(f, "ss"):
		return sqlexpr.GrainNone, time.Second
	case layoutHasToken(f, "mm"):
		return sqlexpr.GrainNone, time.Minute
	case layoutHasToken(f, "HH"):
		return sqlexpr.GrainNone, time.Hour
	case layoutHasToken(f, "dd"):
		return sqlexpr.GrainDay, 0
	case layoutHasToken(f, "ww"):
		return sqlexpr.GrainWeek, 0
	case layoutHasToken(f, "MM"):
		return sqlexpr.GrainMonth, 0
	case layoutHasToken(f, "Q"):
		return sqlexpr.GrainQuarter, 0
	default:
		return sqlexpr.GrainYear, 0
	}
}

// alignToPeriodStart moves an instant down, or up, to the nearest start of a period.
func alignToPeriodStart(t time.Time, f *catalog.TimeFormat, up bool) time.Time {
	grain, step := codePeriod(f)
	if step > 0 {
		down := t.Truncate(step)
		if up && !down.Equal(t) {
			return down.Add(step)
		}
		return down
	}
	if up {
		return clock.Clock{}.CeilTime(t, grain)
	}
	return clock.Clock{}.FloorTime(t, grain)
}

// WidenToStoredPeriods returns the interval widened to whole periods of a field's code; the interval
// itself where the field stores none.
func (i Interval) WidenToStoredPeriods(f *catalog.Field) Interval {
	if f.Encoding == nil {
		return i
	}
	if i.Start.IsSet() {
		i.Start.Time = alignToPeriodStart(i.Start.Time, f.Encoding, false)
	}
	if i.End.IsSet() {
		i.End.Time = alignToPeriodStart(i.End.Time, f.Encoding, true)
	}
	return i
}

// Equal reports whether two intervals have equal bounds.
func (i Interval) Equal(o Interval) bool {
	return i.Start.Equal(o.Start.Time) && i.End.Equal(o.End.Time)
}
