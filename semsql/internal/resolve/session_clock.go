package resolve

import (
	"slices"
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// The calls that read the clock of a zone until ExpandZoneCalls writes them out. Their arguments are the zone, as a
// text that timezone.ParseNamedZone reads, and the value.
const (
	clockTimeCall = "clock_time" // the timestamp that the clock shows at an instant
	instantCall   = "instant"    // the instant at which the clock shows a timestamp
	offsetCall    = "offset"     // the seconds that the clock is ahead of UTC at an instant
)

// HasZone reports whether the session has another zone than UTC.
func (s *Statement) HasZone() bool { return s.Zone.Zone != nil }

// QueryTimeZone returns the zone as queries of the statement write it; "" where that of the model is the same, and for an offset that
// has no name, which the target of the plan holds.
func (s *Statement) QueryTimeZone() string {
	name := timezone.UTC
	if s.HasZone() {
		name = s.Zone.Name()
	}
	if name == s.Cat.TimeZone || name == timezone.UTC && s.Cat.TimeZone == "" {
		return ""
	}
	return name
}

// QueryWeekStart returns Monday as queries of the statement write it; "" where weeks of the model begin then.
func (s *Statement) QueryWeekStart() string {
	if s.Cat.WeekStart > sqlexpr.Monday {
		return sqlexpr.Monday.String()
	}
	return ""
}

// NewClockTime returns what the clock of a zone shows at an instant.
func NewClockTime(zone timezone.SessionZone, x sqlexpr.Expr) sqlexpr.Expr {
	if at, ok := instantOfLiteral(x); ok {
		return newTimeLiteral(x, sqlexpr.TypeTimestamp, zone.LocalTimeOfInstant(at))
	}
	return newZoneCall(clockTimeCall, zone, x, sqlexpr.TypeTimestamp)
}

// NewInstant returns the instant at which the clock of a zone shows a date or a timestamp.
func NewInstant(zone timezone.SessionZone, x sqlexpr.Expr) sqlexpr.Expr {
	if literal, ok := x.(*sqlexpr.TypedLiteral); ok && (literal.Type == sqlexpr.TypeDate || literal.Type == sqlexpr.TypeTimestamp) {
		if at, _, ok := parseInstant(literal.Value, false); ok {
			return newTimeLiteral(x, sqlexpr.TypeTimestampTZ, instantOfTimestamp(zone, at))
		}
	}
	return newZoneCall(instantCall, zone, x, sqlexpr.TypeTimestampTZ)
}

// instantOfTimestamp returns the instant at which the clock of a zone shows a timestamp. A midnight is the first instant of its day.
func instantOfTimestamp(zone timezone.SessionZone, at time.Time) time.Time {
	if at.Equal(sqlexpr.FirstDayFrom(at)) {
		return zone.InstantOfLocalTime(at)
	}
	return zone.InstantOfTimestamp(at)
}

// instantOfLiteral returns the instant that a literal names.
func instantOfLiteral(x sqlexpr.Expr) (time.Time, bool) {
	literal, ok := x.(*sqlexpr.TypedLiteral)
	if !ok || literal.Type != sqlexpr.TypeTimestampTZ {
		return time.Time{}, false
	}
	at, _, ok := parseInstant(literal.Value, false)
	return at, ok
}

func newTimeLiteral(origin sqlexpr.Expr, t sqlexpr.Type, at time.Time) sqlexpr.Expr {
	layout := timestampLayout
	switch t {
	case sqlexpr.TypeDate:
		layout = time.DateOnly
	case sqlexpr.TypeTime:
		layout = time.TimeOnly
	case sqlexpr.TypeTimestampTZ:
		layout = zonedTimestampLayout
	}
	return &sqlexpr.TypedLiteral{Position: sqlexpr.Position(origin.Pos()), Type: t, Value: at.Format(layout)}
}

func newZoneCall(name string, zone timezone.SessionZone, x sqlexpr.Expr, t sqlexpr.Type) sqlexpr.Expr {
	at := sqlexpr.Position(x.Pos())
	call := &sqlexpr.Call{Position: at, Fn: sqlexpr.FnUnknown, Name: sqlexpr.Name{Text: name, Quoted: true}, Args: []sqlexpr.Expr{&sqlexpr.String{Position: at, Value: zone.Shown}, x}}
	return &sqlexpr.DeclaredTypeExpr{Position: at, X: call, Type: t}
}

// readZoneCall recognises a call that newZoneCall has made.
func readZoneCall(e sqlexpr.Expr) (name string, zone timezone.SessionZone, x sqlexpr.Expr, ok bool) {
	declared, isDeclared := e.(*sqlexpr.DeclaredTypeExpr)
	if !isDeclared {
		return "", zone, nil, false
	}
	call, isCall := declared.X.(*sqlexpr.Call)
	if !isCall || call.Fn != sqlexpr.FnUnknown || len(call.Args) != 2 {
		return "", zone, nil, false
	}
	text, isText := call.Args[0].(*sqlexpr.String)
	if !isText {
		return "", zone, nil, false
	}
	zone, ok = timezone.ParseNamedZone(text.Value)
	return call.Name.Text, zone, call.Args[1], ok
}

// OperandOfSessionClock returns the instant of which an expression is the time on the clock of the session.
func (s *Statement) OperandOfSessionClock(e sqlexpr.Expr) (x sqlexpr.Expr, ok bool) {
	name, zone, x, ok := readZoneCall(e)
	return x, ok && name == clockTimeCall && zone.Equal(s.Zone.Zone)
}

// onSessionClock returns what the session's clock shows at an instant, and any other value as it is.
func (s *Statement) onSessionClock(x sqlexpr.Expr) sqlexpr.Expr {
	if !s.HasZone() || s.TypeOf(x) != sqltype.TimestampTZ {
		return x
	}
	return NewClockTime(s.Zone, x)
}

// asSessionInstant returns the instant of a date or timestamp on the session's clock, and any other value as it is.
func (s *Statement) asSessionInstant(x sqlexpr.Expr) sqlexpr.Expr {
	if t := s.TypeOf(x); !s.HasZone() || t != sqltype.Date && t != sqltype.Timestamp {
		return x
	}
	return NewInstant(s.Zone, x)
}

// truncateOnSessionClock returns DATE_TRUNC of an instant on the session's clock, and any other expression as it is.
func (s *Statement) truncateOnSessionClock(e sqlexpr.Expr) sqlexpr.Expr {
	call, ok := e.(*sqlexpr.Call)
	if !ok || call.Fn != sqlexpr.FnDateTrunc || len(call.Args) != 2 || !s.HasZone() || s.TypeOf(call.Args[1]) != sqltype.TimestampTZ {
		return e
	}
	part, ok := call.Args[0].(*sqlexpr.String)
	if !ok {
		return e
	}
	grain, _ := sqlexpr.ParseGrain(part.Value)
	if folded := s.foldOnSessionClock(e); folded != e || s.hasUnitsOfUTC(grain) {
		return folded
	}
	x := call.Args[1]
	truncated := func(x sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.Call{Position: call.Position, Fn: call.Fn, Name: call.Name, Args: []sqlexpr.Expr{part, x}}
	}
	if !grain.IsWithinDay() {
		return NewInstant(s.Zone, truncated(NewClockTime(s.Zone, x)))
	}
	offset := newZoneCall(offsetCall, s.Zone, x, sqlexpr.TypeInt)
	later := truncated(shiftBySeconds(e, offset, x))
	return shiftBySeconds(e, &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: offset}, later)
}

// hasUnitsOfUTC reports whether the units within days of the session's clock are those of UTC: its offset is a number of units at any time.
func (s *Statement) hasUnitsOfUTC(unit sqlexpr.Grain) bool {
	return unit.IsWithinDay() && s.Zone.HasOffsetsOfUnits(unit.Seconds())
}

func shiftBySeconds(origin parse.Expr, seconds, x sqlexpr.Expr) sqlexpr.Expr {
	return newFunctionCall(origin, sqlexpr.FnDateAdd, &sqlexpr.String{Value: "second"}, seconds, x)
}

// lowerAtTimeZone reads x AT TIME ZONE 'zone'.
func (s *Scope) lowerAtTimeZone(c *parse.Call) (sqlexpr.Expr, error) {
	text, ok := c.Arguments[0].(*parse.String)
	if !ok {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Arguments[0].Pos(), "AT TIME ZONE takes the name of a zone as a text")
	}
	zone, ok := timezone.ParseNamedZone(text.Value)
	if !ok {
		return nil, UnknownZoneError(text.Pos(), text.Value)
	}
	x, err := s.LowerExpr(c.Arguments[1])
	if err != nil {
		return nil, err
	}
	if constant, isText := x.(*sqlexpr.String); isText {
		if x, err = s.readTextAsTypeOrSetParamType(constant, sqltype.TimestampTZ, constant); err != nil {
			return nil, err
		}
	}
	switch s.TypeOf(x) {
	case sqltype.TimestampTZ:
		return NewClockTime(zone, x), nil
	case sqltype.Date, sqltype.Timestamp:
		return NewInstant(zone, x), nil
	}
	return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Pos(), "AT TIME ZONE converts timestamps, and this is not one").WithHint("CAST it to TIMESTAMP or TIMESTAMPTZ")
}

// UnknownZoneError rejects the name of a zone.
func UnknownZoneError(at int, name string) *sqlerror.Error {
	return sqlerror.New(planerr.CodeUnknownTimeZone, at, "time zone "+planerr.ClipText(name)+" is neither the name of a zone in the IANA database nor an offset").
		WithCandidates(timezone.NearestNames(name, sqlerror.MaxCandidates)).WithSQLState(sqlerror.SQLStateInvalidParameterValue).
		WithHint("name a zone, such as Europe/Berlin")
}

// ModelExpr returns an expression as queries write it, in which nothing reads the clock of a zone: what a clock shows at the
// instant of a field is a field that the query adds.
func (s *Statement) ModelExpr(e sqlexpr.Expr) sqlexpr.Expr {
	if s.HasZone() {
		e = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
			if truncated := s.truncateOnSessionClock(x); truncated != x {
				return truncated
			}
			return nil
		})
	}
	e = sqlexpr.Rewrite(e, shownMidnight)
	e = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr { return sqlexpr.ReplaceComparedValues(x, compareOnClock) })
	e = expandZoneCalls(e, func(zone timezone.SessionZone, x sqlexpr.Expr) sqlexpr.Expr {
		if shown := s.Refs.addClockField(zone, x); shown != nil {
			return shown
		}
		return newClockTimeByOffsets(zone, x)
	})
	return s.Refs.ReplaceRefsWithModelNames(e)
}

// shownMidnight returns what the clock of a zone shows at a midnight on the same clock: the midnight; nil for any other expression.
func shownMidnight(e sqlexpr.Expr) sqlexpr.Expr {
	name, zone, x, ok := readZoneCall(e)
	if !ok || name != clockTimeCall {
		return nil
	}
	name, other, shown, ok := readZoneCall(sqlexpr.Rewrite(x, shownMidnight))
	if !ok || name != instantCall || other.Shown != zone.Shown || !isTruncated(shown) {
		return nil
	}
	return shown
}

// compareOnClock compares midnights on the clock of a zone with constants, all as that clock shows them; nil for other values.
func compareOnClock(all ...sqlexpr.Expr) []sqlexpr.Expr {
	var zone timezone.SessionZone
	out, found := make([]sqlexpr.Expr, len(all)), false
	for i, x := range all {
		if name, z, shown, ok := readZoneCall(x); ok && name == instantCall && isTruncated(shown) && (!found || z.Shown == zone.Shown) {
			zone, out[i], found = z, shown, true
		}
	}
	for i, x := range all {
		if out[i] != nil {
			continue
		}
		at, ok := instantOfLiteral(x)
		shown := zone.LocalTimeOfInstant(at)
		if !found || !ok || !zone.InstantOfLocalTime(shown).Equal(at) {
			return nil
		}
		out[i] = newTimeLiteral(x, sqlexpr.TypeTimestamp, shown)
	}
	return out
}

func isTruncated(e sqlexpr.Expr) bool {
	call, ok := e.(*sqlexpr.Call)
	return ok && call.Fn == sqlexpr.FnDateTrunc
}

// addClockField returns the field that shows the clock of a zone at the instant of a field, or of an expression over the fields of one
// dataset; nil for any other expression.
func (r *References) addClockField(zone timezone.SessionZone, x sqlexpr.Expr) sqlexpr.Expr {
	dataset, path := r.datasetOfExpr(x)
	if dataset == nil || zone.Zone == nil {
		return nil
	}
	added := query.LocalField{Dataset: dataset.Name, Expression: sqlexpr.Format(r.ReplaceRefsWithModelNames(x)), Clock: zone.Shown}
	if ref, ok := x.(*sqlexpr.Ref); ok {
		added.Expression = sqlexpr.FormatPath(r.ReferenceOf(ref).Field.Name)
	}
	at := slices.IndexFunc(r.clocks, func(f query.LocalField) bool {
		added.Name = f.Name
		return f == added
	})
	if at < 0 {
		at = len(r.clocks)
		added.Name = "clock_" + strconv.Itoa(at+1)
		for dataset.Field(added.Name) != nil {
			added.Name += "_"
		}
		r.clocks = append(r.clocks, added)
	}
	return &sqlexpr.Column{Position: sqlexpr.Position(x.Pos()), Path: append(slices.Clip(path), sqlexpr.Name{Text: r.clocks[at].Name})}
}

// datasetOfExpr returns the dataset whose fields alone an expression reads, and the path to it as queries write it; nil where several
// are read, or one on a path within a larger expression.
func (r *References) datasetOfExpr(x sqlexpr.Expr) (dataset *catalog.Dataset, path []sqlexpr.Name) {
	_, alone := x.(*sqlexpr.Ref)
	for ref := range r.ReferencesOf(x) {
		if ref.Kind != FieldReferenceKind || dataset != nil && ref.Field.Dataset != dataset || len(ref.Path) > 0 && !alone {
			return nil, nil
		}
		dataset, path = ref.Field.Dataset, ref.fieldPath()
		path = path[:len(path)-1]
	}
	return dataset, path
}

// ClockFields are the fields that expressions of ModelExpr read and the model does not have.
func (r *References) ClockFields() []query.LocalField { return r.clocks }

// ExpandZoneCalls writes the calls that read the clock of a zone, over the columns of a result.
func ExpandZoneCalls(e sqlexpr.Expr) sqlexpr.Expr {
	return expandZoneCalls(e, func(zone timezone.SessionZone, x sqlexpr.Expr) sqlexpr.Expr {
		if zone.Zone == nil {
			return newPlainCast(x, sqlexpr.TypeTimestamp)
		}
		return &sqlexpr.LocalTime{Position: sqlexpr.Position(x.Pos()), From: sqlexpr.TypeTimestampTZ, Zone: sqlexpr.NewTimeZone(zone.Zone), X: x}
	})
}

// expandZoneCalls writes out the calls that read the clock of a zone; clockTime returns the time that it shows at an instant.
func expandZoneCalls(e sqlexpr.Expr, clockTime func(timezone.SessionZone, sqlexpr.Expr) sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		name, zone, operand, ok := readZoneCall(x)
		if !ok {
			return nil
		}
		operand = expandZoneCalls(operand, clockTime)
		switch name {
		case offsetCall:
			first, changes := changesOf(zone)
			return offsetByInstant(operand, first, changes)
		case clockTimeCall:
			return clockTime(zone, operand)
		case instantCall:
			local := newPlainCast(operand, sqlexpr.TypeTimestamp)
			first, changes := changesOf(zone)
			behind := &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: offsetByClock(local, first, changes, isTruncated(operand) || sqlexpr.TypeOf(operand, nil) == sqlexpr.TypeDate)}
			return shiftBySeconds(x, behind, newPlainCast(local, sqlexpr.TypeTimestampTZ))
		}
		return nil
	})
}
