package resolve

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/timezone"
)

func newClockTimeByOffsets(zone timezone.SessionZone, x sqlexpr.Expr) sqlexpr.Expr {
	first, changes := changesOf(zone)
	return newPlainCast(shiftBySeconds(x, offsetByInstant(x, first, changes), x), sqlexpr.TypeTimestamp)
}

func changesOf(zone timezone.SessionZone) (first int, changes []timezone.OffsetChange) {
	if zone.Zone == nil {
		return 0, nil
	}
	return zone.OffsetChanges(time.Time{}, time.Date(timezone.LastOffsetChangeYear+1, 1, 1, 0, 0, 0, 0, time.UTC))
}

func newPlainCast(x sqlexpr.Expr, t sqlexpr.Type) sqlexpr.Expr {
	return &sqlexpr.Cast{Position: sqlexpr.Position(x.Pos()), X: x, To: sqlexpr.TypeName{Type: t}}
}

// offsetByInstant returns the offset at an instant.
func offsetByInstant(x sqlexpr.Expr, first int, changes []timezone.OffsetChange) sqlexpr.Expr {
	return offsetCase(first, changes, func(_ int, c timezone.OffsetChange) sqlexpr.Expr {
		return newBefore(x, newTimeLiteral(x, sqlexpr.TypeTimestampTZ, time.Unix(c.At, 0).UTC()))
	})
}

// offsetByClock returns the offset when the clock shows a time: the one before a change for the times that the change
// leaves out, and the one after it for those that it repeats, as in PostgreSQL. A midnight that a change repeats is the first of the two.
func offsetByClock(x sqlexpr.Expr, first int, changes []timezone.OffsetChange, midnights bool) sqlexpr.Expr {
	return offsetCase(first, changes, func(before int, c timezone.OffsetChange) sqlexpr.Expr {
		offset := c.Offset
		if midnights {
			offset = max(before, offset)
		}
		return newBefore(x, newTimeLiteral(x, sqlexpr.TypeTimestamp, time.Unix(c.At+int64(offset), 0).UTC()))
	})
}

func newBefore(x, bound sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Binary{Position: sqlexpr.Position(x.Pos()), Op: sqlexpr.OpLt, L: x, R: bound}
}

// offsetCase returns an offset before some changes and after each, by a CASE that compares as often as there are digits
// in their number.
func offsetCase(first int, changes []timezone.OffsetChange, before func(offset int, c timezone.OffsetChange) sqlexpr.Expr) sqlexpr.Expr {
	if len(changes) == 0 {
		return newIntegerConstant(first)
	}
	middle := len(changes) / 2
	previous := first
	if middle > 0 {
		previous = changes[middle-1].Offset
	}
	return &sqlexpr.Case{
		Whens: []sqlexpr.When{{Cond: before(previous, changes[middle]), Then: offsetCase(first, changes[:middle], before)}},
		Else:  offsetCase(changes[middle].Offset, changes[middle+1:], before),
	}
}

func newIntegerConstant(n int) sqlexpr.Expr {
	if n < 0 {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: strconv.Itoa(-n)}}
	}
	return &sqlexpr.Number{Text: strconv.Itoa(n)}
}
