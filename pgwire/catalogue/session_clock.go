package catalogue

import (
	"regexp"
	"time"

	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// Instants are timestamps in UTC in the engine. What reads a clock reads that of the session's zone.

// zone returns the time zone of the session.
func (s session) zone() timezone.SessionZone {
	if s.variables == nil {
		return timezone.SessionZone{}
	}
	text, _ := s.variables.Lookup("TimeZone")
	zone, _ := timezone.ParseSessionZone(text) // the session has read it
	return zone
}

// newClockTime prints the timestamp that the clock of a zone shows at an instant.
func newClockTime(zone timezone.SessionZone, instant ducksql.Node) ducksql.Node {
	switch {
	case zone.Zone == nil:
		return instant
	case zone.Name() == "":
		return ducksql.FillTemplate("(? + to_seconds(?))", instant, ducksql.IntegerLiteral(zone.Offset(time.Time{})))
	}
	return ducksql.FillTemplate("timezone(?, timezone('UTC', ?))", ducksql.TextLiteral(zone.Name()), instant)
}

// newInstant prints the instant at which the clock of a zone shows a timestamp.
func newInstant(zone timezone.SessionZone, shown ducksql.Node) ducksql.Node {
	switch {
	case zone.Zone == nil:
		return shown
	case zone.Name() == "":
		return ducksql.FillTemplate("(? - to_seconds(?))", shown, ducksql.IntegerLiteral(zone.Offset(time.Time{})))
	}
	return ducksql.FillTemplate("timezone('UTC', timezone(?, ?))", ducksql.TextLiteral(zone.Name()), shown)
}

// castTime prints the cast of a date or a time to another type of times.
func (r *translator) castTime(v typedExpr, to uint32) typedExpr {
	zone := r.session.zone()
	node := v.node
	if v.typ == timestamptzTypeOID && to != timestamptzTypeOID {
		node = newClockTime(zone, node)
	}
	node = ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", node)
	if to == timestamptzTypeOID && v.typ != timestamptzTypeOID {
		node = newInstant(zone, node)
	}
	return typedExpr{node: node, typ: to}
}

// offsetOfTimeText matches the offset, or the mark of UTC, at the end of a time of day.
var offsetOfTimeText = regexp.MustCompile(`(?i)(:\d\d(?:\.\d+)?)\s*(?:([+-]\d\d)(?::?(\d\d))?|utc|gmt|z)\s*$`)

// parseTimeLiteral reads a literal as a date or a time. An instant without an offset is on the session's clock.
func (r *translator) parseTimeLiteral(text string, to uint32) typedExpr {
	read := func(text string) ducksql.Node {
		return ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", ducksql.TextLiteral(text))
	}
	if to != timestamptzTypeOID {
		return typedExpr{node: read(text), typ: to}
	}
	m := offsetOfTimeText.FindStringSubmatchIndex(text)
	if m == nil {
		return typedExpr{node: newInstant(r.session.zone(), read(text)), typ: to}
	}
	node := read(text[:m[3]])
	if m[4] >= 0 {
		offset, _ := time.ParseDuration(text[m[4]:m[5]] + "h")
		if m[6] >= 0 {
			minutes, _ := time.ParseDuration(text[m[4]:m[4]+1] + text[m[6]:m[7]] + "m")
			offset += minutes
		}
		node = ducksql.FillTemplate("(? - to_seconds(?))", node, ducksql.IntegerLiteral(int64(offset/time.Second)))
	}
	return typedExpr{node: node, typ: to}
}

// instantText prints the text form of an instant: what the session's clock shows, and its offset.
func (r *translator) instantText(v typedExpr) typedExpr {
	return typedExpr{node: ducksql.FillTemplate("f_instant_text(?, ?)", v.node, newClockTime(r.session.zone(), v.node)), typ: textTypeOID}
}

// translateAtTimeZone prints timezone(zone, time), which AT TIME ZONE is.
func (r *translator) translateAtTimeZone(x *parse.Call, s *scope) (typedExpr, error) {
	v, err := r.translateExpr(x.Arguments[1], s)
	if err != nil {
		return typedExpr{}, err
	}
	text, ok := x.Arguments[0].(*parse.String)
	if !ok {
		return typedExpr{}, newUnsupportedError(x, "AT TIME ZONE an expression")
	}
	zone, ok := timezone.ParseSessionZone(text.Value)
	if !ok {
		return typedExpr{}, newStatementError(text, sqlstateInvalidParameterValue, `time zone "`+text.Value+`" not recognized`)
	}
	if v.typ == unknownTypeOID || v.typ == dateTypeOID {
		if v, err = r.coerceToType(x, v, timestamptzTypeOID); err != nil {
			return typedExpr{}, err
		}
	}
	switch v.typ {
	case timestamptzTypeOID:
		return typedExpr{node: newClockTime(zone, v.node), typ: timestampTypeOID}, nil
	case timestampTypeOID:
		return typedExpr{node: newInstant(zone, v.node), typ: timestamptzTypeOID}, nil
	}
	return typedExpr{}, newStatementError(x, sqlstateUndefinedFunction, "function timezone(text, "+typeSpelling(v.typ)+") does not exist")
}

// partsWithinDay are the units of date_trunc that are shorter than a day.
var partsWithinDay = []string{"hour", "minute", "second", "milliseconds", "microseconds"}

// translateDateTrunc prints date_trunc of a timestamp, or of an instant by the session's clock.
func translateDateTrunc(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 2 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	part, err := r.coerceToType(c.Call, c.args[0], textTypeOID)
	if err != nil {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	x := c.args[1]
	if x.typ == timestampTypeOID {
		return typedExpr{node: ducksql.FillTemplate("date_trunc(?, ?)", part.node, x.node), typ: timestampTypeOID}, nil
	}
	if x, err = r.coerceToType(c.Call, x, timestamptzTypeOID); err != nil {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	zone := r.session.zone()
	shown := newClockTime(zone, x.node)
	truncated := ducksql.FillTemplate("date_trunc(?, ?)", part.node, shown)
	if zone.Zone == nil {
		return typedExpr{node: truncated, typ: timestamptzTypeOID}, nil
	}
	within := make([]ducksql.Node, len(partsWithinDay))
	for i, name := range partsWithinDay {
		within[i] = ducksql.TextLiteral(name)
	}
	node := ducksql.FillTemplate("CASE WHEN lower(?) IN (?) THEN ? - (? - ?) ELSE ? END", part.node, ducksql.CommaList(within), x.node, shown, truncated, newInstant(zone, truncated))
	return typedExpr{node: node, typ: timestamptzTypeOID}, nil
}
