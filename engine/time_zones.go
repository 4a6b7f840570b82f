package engine

import (
	"cmp"

	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// NearestTimeZones lists the names of zones that are most similar to a text.
func NearestTimeZones(text string) []string {
	return timezone.NearestNames(text, sqlerror.MaxCandidates)
}

// DefaultTimeZone returns the zone of statements that name none: that of the model, else UTC.
func (e *Engine) DefaultTimeZone() string {
	return cmp.Or(e.cat.TimeZone, timezone.UTC)
}
