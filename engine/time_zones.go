package engine

import (
	"cmp"

	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// TimeZone is a zone as PostgreSQL's setting TimeZone names it.
type TimeZone = timezone.SessionZone

// ParseTimeZone reads a value of PostgreSQL's setting TimeZone: the name of a zone in any case, or an offset.
func ParseTimeZone(text string) (zone TimeZone, ok bool) { return timezone.ParseSessionZone(text) }

// NearestTimeZones lists the names of zones that are most similar to a text.
func NearestTimeZones(text string) []string {
	return timezone.NearestNames(text, sqlerror.MaxCandidates)
}

// DefaultTimeZone returns the zone of statements that name none: that of the model, else UTC.
func (e *Engine) DefaultTimeZone() string {
	return cmp.Or(e.cat.TimeZone, timezone.UTC)
}
