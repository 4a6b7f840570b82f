package restapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// The bounds of names in a line of log.
const (
	maxLoggedNames     = 8
	maxLoggedNameBytes = 64 // bytes
)

// QueryReceived is called by the engine with what a query asks.
func (x *requestRecord) QueryReceived(_ context.Context, q engine.ObservedQuery) {
	x.question.Store(&q)
}

// connectionProfile returns the profile that a query went to; empty for the embedded database and
// where there was no query. The profiles bound its values.
func (x *requestRecord) connectionProfile() string {
	if q := x.question.Load(); q != nil {
		return q.Connection
	}
	return ""
}

// joinLoggedNames joins names for a line of log, each of them and their number bounded.
func joinLoggedNames(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		if i == maxLoggedNames {
			b.WriteString("+" + strconv.Itoa(len(names)-i))
			break
		}
		b.WriteString(shortenLoggedName(name))
	}
	return b.String()
}

func shortenLoggedName(name string) string {
	if len(name) <= maxLoggedNameBytes {
		return name
	}
	return strings.ToValidUTF8(name[:maxLoggedNameBytes], "") + "…"
}
