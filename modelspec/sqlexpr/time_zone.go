package sqlexpr

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/timezone"
)

// NewTimeZone returns a zone with all changes of its offset that statements contain; nil for UTC.
func NewTimeZone(zone *timezone.Zone) *TimeZone {
	if zone == nil {
		return nil
	}
	out := &TimeZone{Name: zone.Name()}
	offset, changes := zone.OffsetChanges(time.Time{}, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC))
	out.Offset = offset
	for _, c := range changes {
		out.Changes = append(out.Changes, ZoneOffsetChange{At: c.At, Offset: c.Offset})
	}
	return out
}
