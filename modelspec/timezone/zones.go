package timezone

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the data of machines that have none
)

// UTC is the name of the zone that has no offset.
const UTC = "UTC"

// The years whose changes a condition over the changes of a zone can tell apart.
const (
	FirstOffsetChangeYear = 1970
	LastOffsetChangeYear  = 2050
)

//go:embed names.txt
var zoneNamesText string

var sortedZoneNames = sync.OnceValue(func() []string { return strings.Fields(zoneNamesText) })

// Names lists the zones, in the order of their names.
func Names() []string { return slices.Clone(sortedZoneNames()) }

// loadedZones keeps each zone that was loaded, by its name: reading its data takes longer than planning a query.
var loadedZones sync.Map

// Zone is a time zone other than UTC, which is nil.
type Zone struct {
	name     string // "" for an offset that has no name in the database
	location *time.Location
}

// Load returns the zone of a name; nil for UTC. It is false for a name that the database does not have.
func Load(name string) (zone *Zone, ok bool) {
	if name == UTC {
		return nil, true
	}
	if kept, ok := loadedZones.Load(name); ok {
		return kept.(*Zone), true
	}
	if _, known := slices.BinarySearch(sortedZoneNames(), name); !known {
		return nil, false
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	kept, _ := loadedZones.LoadOrStore(name, &Zone{name, location})
	return kept.(*Zone), true
}

// Equal reports whether two zones have the same clock: they have one name, or are the same offset without a name.
func (z *Zone) Equal(o *Zone) bool {
	if z == nil || o == nil {
		return z == o
	}
	return z.name == o.name && (z.name != "" || z.Offset(time.Time{}) == o.Offset(time.Time{}))
}

// Name returns the zone's name in the database; "" for an offset that has none.
func (z *Zone) Name() string { return z.name }

// Offset returns the number of seconds the zone's clock is ahead of UTC at an instant.
func (z *Zone) Offset(instant time.Time) int {
	if z == nil {
		return 0
	}
	_, offset := instant.In(z.location).Zone()
	return offset
}

// LocalTimeOfInstant returns the local time of the zone at an instant.
func (z *Zone) LocalTimeOfInstant(instant time.Time) time.Time {
	return instant.UTC().Add(time.Duration(z.Offset(instant)) * time.Second)
}

// InstantOfLocalTime returns the instant at which the zone's clock shows a time: the first of two instants where it is
// put back over the time, and the first instant after the gap where it leaves the time out.
func (z *Zone) InstantOfLocalTime(clock time.Time) time.Time {
	if z == nil {
		return clock
	}
	const day = 24 * time.Hour
	// The offsets around the time: those before and after a change nearby.
	before, after := z.Offset(clock.Add(-day)), z.Offset(clock.Add(day))
	early := clock.Add(-time.Duration(max(before, after)) * time.Second)
	late := clock.Add(-time.Duration(min(before, after)) * time.Second)
	for _, t := range []time.Time{early, late} {
		if z.LocalTimeOfInstant(t).Equal(clock) {
			return t
		}
	}
	start, _ := late.In(z.location).ZoneBounds()
	return start.UTC()
}

// HasOffsetsOfUnits reports whether each offset of OffsetChanges is a number of units of some seconds.
func (z *Zone) HasOffsetsOfUnits(seconds int) bool {
	if z == nil {
		return true
	}
	offset, changes := z.OffsetChanges(time.Time{}, time.Date(LastOffsetChangeYear+1, 1, 1, 0, 0, 0, 0, time.UTC))
	return offset%seconds == 0 && !slices.ContainsFunc(changes, func(c OffsetChange) bool { return c.Offset%seconds != 0 })
}

// InstantOfTimestamp returns the instant at which the zone's clock shows a timestamp, as PostgreSQL reads it: the second of two instants where
// the clock is put back over it, and where it leaves the timestamp out, the instant at which it would have shown it unchanged.
func (z *Zone) InstantOfTimestamp(clock time.Time) time.Time {
	if z == nil {
		return clock
	}
	const day = 24 * time.Hour
	before, after := z.Offset(clock.Add(-day)), z.Offset(clock.Add(day))
	late := clock.Add(-time.Duration(min(before, after)) * time.Second)
	if early := clock.Add(-time.Duration(max(before, after)) * time.Second); !z.LocalTimeOfInstant(late).Equal(clock) && z.LocalTimeOfInstant(early).Equal(clock) {
		return early
	}
	return late
}

// OffsetChange is an instant, in Unix seconds, from which a zone has another offset.
type OffsetChange struct {
	At     int64
	Offset int
}

// OffsetChanges lists the offset at an instant and the changes after it and before another. Changes
// outside of the years FirstOffsetChangeYear to LastOffsetChangeYear are left out.
func (z *Zone) OffsetChanges(from, to time.Time) (offset int, changes []OffsetChange) {
	first := time.Date(FirstOffsetChangeYear, 1, 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(LastOffsetChangeYear+1, 1, 1, 0, 0, 0, 0, time.UTC)
	if from.Before(first) {
		from = first
	}
	if to.After(last) {
		to = last
	}
	offset = z.Offset(from)
	for t, current := from, offset; ; {
		_, next := t.In(z.location).ZoneBounds()
		if !next.IsZero() && !next.After(t) {
			// Go ends the last period of a leap year one day early, and finds that end again from there.
			next = t.Add(24 * time.Hour)
		}
		if next.IsZero() || !next.Before(to) {
			return offset, changes
		}
		t = next.UTC()
		if o := z.Offset(t); o != current {
			current = o
			changes = append(changes, OffsetChange{t.Unix(), o})
		}
	}
}
