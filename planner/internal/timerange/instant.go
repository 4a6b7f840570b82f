package timerange

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Instant is a bound of a time range, in UTC.
type Instant struct {
	time.Time
	clock bool // written with a time of day
	set   bool // the bound is there: the first day of year 1 is the zero time
}

// At is the bound at a time.
func At(t time.Time) Instant { return Instant{Time: t, set: true} }

// IsSet reports whether the bound is there.
func (i Instant) IsSet() bool { return i.set }

// Text is the bound as a query writes it; "" where it is not there.
func (i Instant) Text() string {
	switch {
	case !i.IsSet():
		return ""
	case i.Hour()+i.Minute()+i.Second() == 0:
		return i.Format(time.DateOnly)
	default:
		return i.Format("2006-01-02T15:04:05")
	}
}

func parseInstant(key, text string) (Instant, error) {
	if text == "" {
		return Instant{}, nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil && t.Year() >= 1 {
		return At(t), nil
	}
	if t, err := time.Parse("2006-01-02T15:04:05", text); err == nil && len(text) == 19 && t.Year() >= 1 {
		return Instant{Time: t, set: true, clock: t.Hour()+t.Minute()+t.Second() > 0}, nil
	}
	return Instant{}, UnsupportedBoundsError(key + ` "` + text + `" is neither a date nor a timestamp`)
}

// literal is the instant as a literal that compares well with a value of a
// type.
func (i Instant) literal(t sqlexpr.Type) sqlexpr.Expr {
	switch {
	case t == sqlexpr.TypeTimestampTZ:
		return &sqlexpr.Typed{Type: sqlexpr.TypeTimestampTZ, Value: i.Format("2006-01-02 15:04:05+00:00")}
	case t == sqlexpr.TypeTimestamp || i.clock:
		return &sqlexpr.Typed{Type: sqlexpr.TypeTimestamp, Value: i.Format(time.DateTime)}
	default:
		return &sqlexpr.Typed{Type: sqlexpr.TypeDate, Value: i.Format(time.DateOnly)}
	}
}
