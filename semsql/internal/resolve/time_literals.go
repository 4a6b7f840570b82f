package resolve

import (
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

var timeTypesByKeyword = map[string]sqlexpr.Type{
	"date": sqlexpr.TypeDate, "time": sqlexpr.TypeTime, "timestamp": sqlexpr.TypeTimestamp, "timestamptz": sqlexpr.TypeTimestampTZ,
}

// lowerTimeLiteral reads DATE '2024-01-31' and the literals of other times.
func (s *Scope) lowerTimeLiteral(e *parse.TimeLiteral) (sqlexpr.Expr, error) {
	text := &sqlexpr.String{Position: sqlexpr.Position(e.Pos()), Value: e.Value}
	return readTextAsType(text, timeTypesByKeyword[e.Type], text)
}

const (
	timestampLayout      = "2006-01-02 15:04:05.999999"
	zonedTimestampLayout = "2006-01-02 15:04:05.999999-07:00"
)

// normalizeTimeText reads a text as a time in the one form of the language. A zone of a timestamp is converted to
// UTC, that of a date is ignored.
func normalizeTimeText(t sqlexpr.Type, text string) (string, bool) {
	s := strings.TrimSpace(text)
	if t == sqlexpr.TypeTime {
		at, ok := parseTimeByFirstLayout(s, "15:04:05", "15:04:05.999999", "15:04")
		return at.Format("15:04:05.999999"), ok
	}
	at, ok := parseInstant(s, t == sqlexpr.TypeDate)
	if !ok || at.Year() < 1 || at.Year() > 9999 {
		return "", false
	}
	switch t {
	case sqlexpr.TypeDate:
		return at.Format(time.DateOnly), true
	case sqlexpr.TypeTimestampTZ:
		return at.Format(zonedTimestampLayout), true
	}
	return at.Format(timestampLayout), true
}

// parseInstant reads a date, or a timestamp with an optional zone. The result is in UTC; with
// ignoreZone it is the wall clock of the text.
func parseInstant(s string, ignoreZone bool) (time.Time, bool) {
	if len(s) > len(time.DateOnly) && s[len(time.DateOnly)] == 'T' {
		s = s[:len(time.DateOnly)] + " " + s[len(time.DateOnly)+1:]
	}
	if rest, utc := cutUTCSuffix(s); utc {
		s = rest
	}
	if at, ok := parseTimeByFirstLayout(s, time.DateOnly, "2006-01-02 15:04:05", "2006-01-02 15:04"); ok {
		return at, true
	}
	at, ok := parseTimeByFirstLayout(s, "2006-01-02 15:04:05-07:00", "2006-01-02 15:04:05-0700", "2006-01-02 15:04:05-07", "2006-01-02 15:04-07:00", "2006-01-02 15:04-07",
		"2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05 -07", "2006-01-02-07:00", "2006-01-02-07", "2006-01-02 -07:00", "2006-01-02 -07")
	if ok && !ignoreZone {
		at = at.UTC()
	}
	return at, ok
}

// cutUTCSuffix cuts a mark of UTC off the end.
func cutUTCSuffix(s string) (string, bool) {
	for _, mark := range []string{"UTC", "utc", "GMT", "Z", "z"} {
		if rest, ok := strings.CutSuffix(s, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return s, false
}

// parseTimeByFirstLayout reads a text by the first layout that fits. Go takes a fraction after seconds in any of them.
func parseTimeByFirstLayout(s string, layouts ...string) (time.Time, bool) {
	for _, layout := range layouts {
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// goLayoutsOfTimeFormatPatterns are the patterns of TO_DATE and TO_TIMESTAMP, longest first, and the layouts of Go.
var goLayoutsOfTimeFormatPatterns = []struct{ pattern, layout string }{
	{"YYYY", "2006"}, {"MM", "01"}, {"DD", "02"}, {"HH24", "15"}, {"MI", "04"}, {"SS", "05"},
}

// lowerToDateOrToTimestamp folds TO_DATE and TO_TIMESTAMP of two constants.
func (s *Scope) lowerToDateOrToTimestamp(name string, c *parse.Call) (sqlexpr.Expr, error) {
	args, err := s.lowerExprs(c.Arguments)
	if err != nil {
		return nil, err
	}
	text, isText := args[0].(*sqlexpr.String)
	format, isFormat := args[1].(*sqlexpr.String)
	if !isText || !isFormat {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Pos(), strings.ToUpper(name)+" with a format reads constants only")
	}
	layout, ok := goTimeLayout(format.Value)
	if !ok {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, format.Pos(), "the format '"+planerr.ClipText(format.Value)+"' is not made of YYYY, MM, DD, HH24, MI, SS and signs between them")
	}
	at, err := time.Parse(layout, text.Value)
	t := sqlexpr.TypeDate
	if name == "to_timestamp" {
		t = sqlexpr.TypeTimestampTZ
	}
	if err != nil {
		return nil, textNotOfTypeError(text, t).WithSQLState(sqlerror.SQLStateInvalidTime)
	}
	value, _ := normalizeTimeText(t, at.Format(timestampLayout))
	return &sqlexpr.TypedLiteral{Position: sqlexpr.Position(c.Pos()), Type: t, Value: value}, nil
}

// goTimeLayout returns a format of PostgreSQL as a layout of Go.
func goTimeLayout(format string) (string, bool) {
	var out strings.Builder
	for rest := format; rest != ""; {
		matched := false
		for _, part := range goLayoutsOfTimeFormatPatterns {
			if len(rest) >= len(part.pattern) && strings.EqualFold(rest[:len(part.pattern)], part.pattern) {
				out.WriteString(part.layout)
				rest, matched = rest[len(part.pattern):], true
				break
			}
		}
		if matched {
			continue
		}
		if !strings.ContainsRune("-/. :", rune(rest[0])) {
			return "", false
		}
		out.WriteByte(rest[0])
		rest = rest[1:]
	}
	return out.String(), true
}
