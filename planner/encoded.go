package planner

import (
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// timeCode is a field's encoding as the expression tree has it.
func timeCode(f *catalog.TimeFormat) *sqlexpr.TimeCode {
	code := &sqlexpr.TimeCode{Text: f.Text, Epoch: f.Epoch, Numeric: f.Numeric}
	at := 1
	for _, p := range f.Layout {
		if p.Token == "" {
			at += len(p.Literal)
			continue
		}
		code.Fields = append(code.Fields, sqlexpr.CodeField{Token: p.Token, Start: at, Len: len(p.Token)})
		at += len(p.Token)
	}
	return code
}

// bucket is the calendar bucket of a time field's value, decoded where it is
// stored as a code.
func bucket(e sqlexpr.Expr, f *catalog.Field, grain sqlexpr.Grain) sqlexpr.Expr {
	if f.Encoding != nil {
		return &sqlexpr.Bucket{Grain: grain, From: sqlexpr.TypeDate, X: &sqlexpr.Decode{Code: timeCode(f.Encoding), X: e}}
	}
	return &sqlexpr.Bucket{Grain: grain, From: f.Type, X: e}
}

// bound is a range bound as a literal that a field's stored values compare
// with.
func bound(i instant, f *catalog.Field) sqlexpr.Expr {
	if f.Encoding == nil {
		return i.literal(f.Type)
	}
	text := encode(i.Time, f.Encoding)
	if f.Encoding.Numeric {
		return numberLiteral(text)
	}
	return &sqlexpr.String{Value: text}
}

// encode writes an instant as the code of the period that starts with it.
func encode(t time.Time, f *catalog.TimeFormat) string {
	switch f.Epoch {
	case "seconds":
		return strconv.FormatInt(t.Unix(), 10)
	case "millis":
		return strconv.FormatInt(t.UnixMilli(), 10)
	case "days":
		return strconv.FormatInt(floorDays(t), 10)
	}
	var b strings.Builder
	isoYear, isoWeek := t.ISOWeek()
	weekly := hasToken(f, "ww")
	for _, p := range f.Layout {
		switch p.Token {
		case "":
			b.WriteString(p.Literal)
		case "yyyy":
			if weekly {
				b.WriteString(pad(isoYear, 4))
			} else {
				b.WriteString(pad(t.Year(), 4))
			}
		case "MM":
			b.WriteString(pad(int(t.Month()), 2))
		case "dd":
			b.WriteString(pad(t.Day(), 2))
		case "HH":
			b.WriteString(pad(t.Hour(), 2))
		case "mm":
			b.WriteString(pad(t.Minute(), 2))
		case "ss":
			b.WriteString(pad(t.Second(), 2))
		case "Q":
			b.WriteString(strconv.Itoa((int(t.Month())-1)/3 + 1))
		case "ww":
			b.WriteString(pad(isoWeek, 2))
		}
	}
	if f.Numeric {
		if trimmed := strings.TrimLeft(b.String(), "0"); trimmed != "" {
			return trimmed
		}
	}
	return b.String()
}

func floorDays(t time.Time) int64 {
	const day = 24 * 60 * 60
	n := t.Unix() / day
	if t.Unix()%day < 0 {
		n--
	}
	return n
}

func pad(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(s))) + s
}

func hasToken(f *catalog.TimeFormat, token string) bool {
	for _, p := range f.Layout {
		if p.Token == token {
			return true
		}
	}
	return false
}

// period is the length of what one code stands for: a calendar grain, or a
// duration below a day.
func period(f *catalog.TimeFormat) (sqlexpr.Grain, time.Duration) {
	switch {
	case f.Epoch == "days":
		return sqlexpr.GrainDay, 0
	case f.Epoch != "", hasToken(f, "ss"):
		return sqlexpr.GrainNone, time.Second
	case hasToken(f, "mm"):
		return sqlexpr.GrainNone, time.Minute
	case hasToken(f, "HH"):
		return sqlexpr.GrainNone, time.Hour
	case hasToken(f, "dd"):
		return sqlexpr.GrainDay, 0
	case hasToken(f, "ww"):
		return sqlexpr.GrainWeek, 0
	case hasToken(f, "MM"):
		return sqlexpr.GrainMonth, 0
	case hasToken(f, "Q"):
		return sqlexpr.GrainQuarter, 0
	default:
		return sqlexpr.GrainYear, 0
	}
}

// aligned moves an instant down, or up, to the nearest start of a period.
func aligned(t time.Time, f *catalog.TimeFormat, up bool) time.Time {
	grain, step := period(f)
	if step > 0 {
		down := t.Truncate(step)
		if up && !down.Equal(t) {
			return down.Add(step)
		}
		return down
	}
	if up {
		return ceilTime(t, grain)
	}
	return floorTime(t, grain)
}

// checkAligned refuses a bound inside a stored period, which the column cannot
// subdivide; the retry widens the range to whole periods.
func (b *build) checkAligned(r timeRange, f *catalog.Field) error {
	if f.Encoding == nil {
		return nil
	}
	start, end := r.start, r.end
	if start.given() {
		start.Time = aligned(start.Time, f.Encoding, false)
	}
	if end.given() {
		end.Time = aligned(end.Time, f.Encoding, true)
	}
	if start.Equal(r.start.Time) && end.Equal(r.end.Time) {
		return nil
	}
	e := &planerr.Error{
		Code:           "grain_too_fine",
		Message:        f.Qualified() + " stores " + f.Encoding.Text + " codes, and a bound of the range lies inside the period of one code",
		SuggestedRetry: "use bounds on whole periods",
	}
	if b.q.TimeRange != nil {
		whole := query.TimeRange{Start: boundText(start), End: boundText(end), Dimension: b.q.TimeRange.Dimension}
		e.Fragment = map[string]any{"time_range": whole}
	} else {
		all := query.TaggedRanges{}
		for _, t := range b.q.TimeRanges {
			if t.Tag == r.tag {
				t.Start, t.End = boundText(start), boundText(end)
			}
			all = append(all, t)
		}
		e.Fragment = map[string]any{"time_ranges": all}
	}
	return e
}

func boundText(i instant) string {
	switch {
	case !i.given():
		return ""
	case i.Hour()+i.Minute()+i.Second() == 0:
		return i.Format(time.DateOnly)
	default:
		return i.Format("2006-01-02T15:04:05")
	}
}
