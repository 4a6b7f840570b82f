package timerange

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
)

// RangeBound is a bound of a time range: what a clock shows, as the fields of a time in UTC, or
// an instant after In.
type RangeBound struct {
	time.Time
	clock bool // written with a time of day
	set   bool // the bound is there: the first day of year 1 is the zero time
	// exact is the instant of a relative bound, which the clock may show twice; zero where
	// the clock alone is known.
	exact time.Time
}

// BoundAt returns the bound at a time.
func BoundAt(t time.Time) RangeBound { return RangeBound{Time: t, set: true} }

// BoundAtInstant returns the bound at an instant. A field without a zone shows what the clock of UTC does then.
func BoundAtInstant(t time.Time) RangeBound {
	b := boundWithClockFlag(t)
	b.exact = t
	return b
}

// boundWithClockFlag returns the bound at a time, which may be one of a day.
func boundWithClockFlag(t time.Time) RangeBound {
	return RangeBound{Time: t, set: true, clock: t.Hour()+t.Minute()+t.Second()+t.Nanosecond() > 0}
}

// OnClock returns the bound on the clock of a field: an instant where that has a zone.
func (b RangeBound) OnClock(c clock.Clock) RangeBound {
	switch {
	case b.set && c.ShowsDaysOnly():
		// The first day that is not before the bound. The last day of the calendar has none after it.
		if day := c.CeilTime(b.Time, sqlexpr.GrainDay); YearFitsLiteral(day) {
			return BoundAt(day)
		}
		return b
	case !b.set || !c.HasZone():
		return b
	case !b.exact.IsZero():
		b.Time = b.exact
	default:
		b.Time = c.InstantOfLocalTime(b.Time)
	}
	b.Time = clampToLiteralYears(b.Time)
	return b
}

// IsSet reports whether the bound is there.
func (b RangeBound) IsSet() bool { return b.set }

// Text returns the bound as a query writes it; "" where it is not there.
func (b RangeBound) Text() string {
	switch {
	case !b.IsSet():
		return ""
	case b.Hour()+b.Minute()+b.Second() == 0:
		return b.Format(time.DateOnly)
	default:
		return b.Format("2006-01-02T15:04:05")
	}
}

func parseBound(key, text string) (RangeBound, error) {
	if text == "" {
		return RangeBound{}, nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil && t.Year() >= 1 {
		return BoundAt(t), nil
	}
	if t, err := time.Parse("2006-01-02T15:04:05", text); err == nil && len(text) == 19 && t.Year() >= 1 {
		return boundWithClockFlag(t), nil
	}
	return RangeBound{}, InvalidRangeBoundsError(key + ` "` + text + `" is neither a date nor a timestamp`)
}

// Literal returns the instant as a literal that compares well with a value of a
// type.
func (b RangeBound) Literal(t sqlexpr.Type) sqlexpr.Expr {
	switch {
	case t == sqlexpr.TypeTimestampTZ:
		return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestampTZ, Value: b.Format("2006-01-02 15:04:05.999999+00:00")}
	case t == sqlexpr.TypeTimestamp || b.clock:
		return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: b.Format("2006-01-02 15:04:05.999999")}
	default:
		return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: b.Format(time.DateOnly)}
	}
}
