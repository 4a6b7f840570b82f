package resolve

import (
	"math"
	"strconv"
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
	return s.readTextAsType(text, timeTypesByKeyword[e.Type], text)
}

const (
	timestampLayout      = "2006-01-02 15:04:05.999999"
	zonedTimestampLayout = "2006-01-02 15:04:05.999999-07:00"
)

// normalizeTimeText reads a text as a time in the one form of the language. A zone of a timestamp is converted to
// UTC, that of a date is ignored. An instant without a zone is on the session's clock.
func (s *Statement) normalizeTimeText(t sqlexpr.Type, text string) (string, bool) {
	text = strings.TrimSpace(text)
	if t == sqlexpr.TypeTime {
		at, ok := parseTimeByFirstLayout(text, "15:04:05", "15:04:05.999999", "15:04")
		return at.Format("15:04:05.999999"), ok
	}
	at, zoned, ok := parseInstant(text, t == sqlexpr.TypeDate)
	if t == sqlexpr.TypeTimestampTZ && !zoned {
		at = instantOfTimestamp(s.Zone, at)
	}
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
// ignoreZone it is the wall clock of the text. Zoned reports whether the text has a zone.
func parseInstant(s string, ignoreZone bool) (at time.Time, zoned, ok bool) {
	if len(s) > len(time.DateOnly) && s[len(time.DateOnly)] == 'T' {
		s = s[:len(time.DateOnly)] + " " + s[len(time.DateOnly)+1:]
	}
	s, utc := cutUTCSuffix(s)
	if at, ok := parseTimeByFirstLayout(s, time.DateOnly, "2006-01-02 15:04:05", "2006-01-02 15:04"); ok {
		return at, utc, true
	}
	at, ok = parseTimeByFirstLayout(s, "2006-01-02 15:04:05-07:00", "2006-01-02 15:04:05-0700", "2006-01-02 15:04:05-07", "2006-01-02 15:04-07:00", "2006-01-02 15:04-07",
		"2006-01-02 15:04:05 -07:00", "2006-01-02 15:04:05 -07", "2006-01-02-07:00", "2006-01-02-07", "2006-01-02 -07:00", "2006-01-02 -07")
	if ok && !ignoreZone {
		at = at.UTC()
	}
	return at, true, ok
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

// lowerToDateOrToTimestamp folds TO_DATE and TO_TIMESTAMP of two constants.
func (s *Scope) lowerToDateOrToTimestamp(name string, c *parse.Call) (sqlexpr.Expr, error) {
	args, err := s.lowerExprs(c.Arguments)
	for i, x := range args {
		args[i] = LiteralUnderCasts(x)
	}
	if err != nil {
		return nil, err
	}
	text, isText := args[0].(*sqlexpr.String)
	format, isFormat := args[1].(*sqlexpr.String)
	if !isFormat {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Pos(), "the format of "+strings.ToUpper(name)+" is not a constant")
	}
	if !isText {
		return s.lowerTimeByFormat(name, c, format)
	}
	parts, bad := parseTimeFormat(format.Value)
	if bad != "" {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, format.Pos(), strings.ToUpper(name)+" does not support the format '"+planerr.ClipText(format.Value)+"' from '"+planerr.ClipText(bad)+"' on")
	}
	at, zoned, ok := readTimeByFormat(parts, text.Value)
	t := sqlexpr.TypeDate
	if name == "to_timestamp" {
		t = sqlexpr.TypeTimestampTZ
	}
	if t == sqlexpr.TypeTimestampTZ && !zoned {
		at = instantOfTimestamp(s.Zone, at)
	}
	if !ok || at.Year() < 1 || at.Year() > 9999 {
		return nil, textNotOfTypeError(text, t).WithSQLState(sqlerror.SQLStateInvalidTime)
	}
	return newTimeLiteral(c, t, at), nil
}

// lowerTimeByFormat is TO_DATE or TO_TIMESTAMP of a string of rows.
func (s *Scope) lowerTimeByFormat(name string, c *parse.Call, format *sqlexpr.String) (sqlexpr.Expr, error) {
	x, err := s.newCall(name, c)
	if err != nil {
		return nil, err
	}
	switch call, ok := x.(*sqlexpr.Call); {
	case !ok || call.Fn == sqlexpr.FnUnknown:
		return nil, sqlerror.New(sqlerror.CodeUnsupported, format.Pos(), strings.ToUpper(name)+" of rows does not support the format '"+planerr.ClipText(format.Value)+"'").
			WithHint("the format has " + sqlexpr.TimeFormatTokensText)
	case call.Fn == sqlexpr.FnToTimestamp:
		return s.castOnSessionClock(&sqlexpr.Cast{Position: call.Position, X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeTimestampTZ}}), nil
	}
	return x, nil
}

// lowerEpochNumber is TO_TIMESTAMP of a constant number of seconds since 1970.
func lowerEpochNumber(c *parse.Call) (sqlexpr.Expr, bool) {
	x, sign := integerUnderCasts(c.Arguments[0]), 1.0
	if unary, ok := x.(*parse.Unary); ok && unary.Op == sqlexpr.OpNeg {
		x, sign = integerUnderCasts(unary.X), -1
	}
	number, ok := x.(*parse.Number)
	if !ok {
		return nil, false
	}
	seconds, err := strconv.ParseFloat(number.Text, 64)
	at := time.UnixMicro(int64(math.Round(sign * seconds * 1e6))).UTC()
	if err != nil || seconds > maxEpochSeconds || at.Year() < 1 || at.Year() > 9999 {
		return nil, false
	}
	return newTimeLiteral(c, sqlexpr.TypeTimestampTZ, at), true
}

// maxEpochSeconds is beyond the year 9999.
const maxEpochSeconds = 300_000_000_000

// lowerMakeDate is MAKE_DATE of three constants.
func lowerMakeDate(c *parse.Call) (sqlexpr.Expr, error) {
	var part [3]int
	for i, x := range c.Arguments {
		number, ok := integerUnderCasts(x).(*parse.Number)
		n, err := 0, error(nil)
		if ok {
			n, err = strconv.Atoi(number.Text)
		}
		if !ok || err != nil {
			return nil, sqlerror.New(sqlerror.CodeUnsupported, x.Pos(), "MAKE_DATE reads constant integers only")
		}
		part[i] = n
	}
	at := time.Date(part[0], time.Month(part[1]), part[2], 0, 0, 0, 0, time.UTC)
	if part[0] < 1 || part[0] > 9999 || at.Day() != part[2] || int(at.Month()) != part[1] {
		return nil, sqlerror.New(planerr.CodeBadRequest, c.Pos(), "MAKE_DATE names no day of the years 1 to 9999").WithSQLState(sqlerror.SQLStateTimeOutOfRange)
	}
	return newTimeLiteral(c, sqlexpr.TypeDate, at), nil
}
