package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// partPattern is a pattern of TO_CHAR that writes one part of a time.
type partPattern struct {
	text string
	part string // of EXTRACT
	add  int    // to the part
	// zeros has a 1 before the digits that zeros fill; 0 fills none.
	zeros int
}

var partPatterns = []partPattern{
	{text: "HH24", part: "hour", zeros: 100},
	{text: "ID", part: "isodow"},
	{text: "D", part: "dayofweek", add: 1},
	{text: "DD", part: "day", zeros: 100},
	{text: "DDD", part: "dayofyear", zeros: 1000},
	{text: "IW", part: "week", zeros: 100},
	{text: weekOfYearPattern, part: "dayofyear", zeros: 100},
	{text: "MM", part: "month", zeros: 100},
	{text: "Q", part: "quarter"},
}

// weekOfYearPattern writes the number of the week, where the first one begins with the year.
const weekOfYearPattern = "WW"

// lowerToChar reads TO_CHAR of one part of a time, and of a format that every engine has.
func (s *Scope) lowerToChar(c *parse.Call) (sqlexpr.Expr, error) {
	format, ok := c.Arguments[1].(*parse.String)
	if !ok {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Arguments[1].Pos(), "the format of TO_CHAR is a text")
	}
	x, err := s.LowerExpr(c.Arguments[0])
	if err != nil {
		return nil, err
	}
	if !s.isTime(x) {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Arguments[0].Pos(), "TO_CHAR reads dates and timestamps").WithHint("CAST numbers to VARCHAR")
	}
	text, fillMode := strings.CutPrefix(strings.ToUpper(format.Value), "FM")
	for _, p := range partPatterns {
		if p.text == text {
			return p.textOf(c, s.onSessionClock(x), !fillMode), nil
		}
	}
	if whole, err := s.newCall("to_char", c); err != nil {
		return nil, err
	} else if call, ok := whole.(*sqlexpr.Call); ok && call.Fn == sqlexpr.FnToChar {
		call.Args[0] = s.onSessionClock(call.Args[0])
		return call, nil
	}
	names := make([]string, len(partPatterns))
	for i, p := range partPatterns {
		names[i] = p.text
	}
	return nil, sqlerror.New(sqlerror.CodeUnsupported, format.Pos(), "the format '"+planerr.ClipText(format.Value)+"' of TO_CHAR is neither one part of a time nor made of "+sqlexpr.TimeFormatTokensText).
		WithCandidates(names).WithHint("write DATE_TRUNC for the start of a period, or EXTRACT for the year")
}

// isTime reports whether a value is a date or a timestamp, or a field that stores one as a code.
func (s *Scope) isTime(x sqlexpr.Expr) bool {
	if ref, ok := x.(*sqlexpr.Ref); ok {
		if r := s.Refs.ReferenceOf(ref); r.Kind == FieldReferenceKind && r.Field.Encoding != nil {
			return true
		}
	}
	switch s.TypeOf(x) {
	case sqltype.Date, sqltype.Timestamp, sqltype.TimestampTZ:
		return true
	}
	return false
}

// textOf writes the part of a time as TO_CHAR does.
func (p partPattern) textOf(origin parse.Expr, x sqlexpr.Expr, fillsZeros bool) sqlexpr.Expr {
	at := sqlexpr.Position(origin.Pos())
	add := func(l sqlexpr.Expr, n int) sqlexpr.Expr {
		return &sqlexpr.Binary{Position: at, Op: sqlexpr.OpAdd, L: l, R: newIntegerConstant(n)}
	}
	number := sqlexpr.Expr(&sqlexpr.Extract{Position: at, Part: p.part, X: x})
	if p.text == weekOfYearPattern {
		const daysOfWeek = 7
		weeks := &sqlexpr.Binary{Position: at, Op: sqlexpr.OpDiv, L: add(number, daysOfWeek-1), R: newIntegerConstant(daysOfWeek)}
		number = newPlainCast(newFunctionCall(origin, sqlexpr.FnFloor, weeks), sqlexpr.TypeInt)
	}
	if p.add > 0 {
		number = add(number, p.add)
	}
	if p.zeros == 0 || !fillsZeros {
		return newPlainCast(number, sqlexpr.TypeString)
	}
	return newFunctionCall(origin, sqlexpr.FnSubstring, newPlainCast(add(number, p.zeros), sqlexpr.TypeString), newIntegerConstant(2))
}

// ExtractOfToChar returns the EXTRACT of which an expression is the text that TO_CHAR writes. Each value has its own text.
func ExtractOfToChar(e sqlexpr.Expr) (extract *sqlexpr.Extract, ok bool) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if found, isExtract := x.(*sqlexpr.Extract); isExtract && extract == nil {
			extract = found
		}
		return extract == nil
	})
	if extract == nil {
		return nil, false
	}
	for _, p := range partPatterns {
		isText := func(fillsZeros bool) bool { return sqlexpr.Equal(p.textOf(&parse.Null{}, extract.X, fillsZeros), e) }
		if p.part == extract.Part && p.text != weekOfYearPattern && (isText(true) || isText(false)) {
			return extract, true
		}
	}
	return nil, false
}
