package restapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// The bounds of names in a line of log.
const (
	maxLoggedNames = 8
	maxLoggedName  = 64 // bytes
)

// Asked is called by the engine with what a query asks.
func (x *requestRecord) Asked(_ context.Context, q engine.Question) { x.question.Store(&q) }

// connection is the profile that a query went to; empty for the embedded database and
// where there was no query. The profiles bound its values.
func (x *requestRecord) connection() string {
	if q := x.question.Load(); q != nil {
		return q.Connection
	}
	return ""
}

// loggedNames joins names for a line of log, each of them and their number bounded.
func loggedNames(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		if i == maxLoggedNames {
			b.WriteString("+" + strconv.Itoa(len(names)-i))
			break
		}
		b.WriteString(loggedName(name))
	}
	return b.String()
}

func loggedName(name string) string {
	if len(name) <= maxLoggedName {
		return name
	}
	return strings.ToValidUTF8(name[:maxLoggedName], "") + "…"
}
