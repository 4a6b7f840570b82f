package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// readConstantAsTypeOf reads a text constant as the type of the value beside it. A date or timestamp beside an instant
// is on the session's clock. A constant with a time of day beside a date stays a time: it compares with the midnight of the date.
func (s *Scope) readConstantAsTypeOf(constant, beside sqlexpr.Expr) (sqlexpr.Expr, error) {
	text, ok := constant.(*sqlexpr.String)
	if !ok {
		return s.convertTimeToTypeOf(constant, beside), nil
	}
	if sqlexpr.IsLiteral(beside) {
		return constant, nil
	}
	if ref, ok := beside.(*sqlexpr.Ref); ok {
		if r := s.Refs.ReferenceOf(ref); r.Kind == FieldReferenceKind && r.Field.Encoding != nil {
			return s.readComparedText(text, sqltype.FromLogicalType(r.Field.DecodedTimeType()))
		}
	}
	return s.readComparedText(text, s.TypeOf(beside))
}

// readComparedText reads a text as the type of a value that it is compared with, and stays a text beside a type that texts are not read as.
func (s *Scope) readComparedText(text *sqlexpr.String, t sqltype.Type) (sqlexpr.Expr, error) {
	if at, _, ok := parseInstant(strings.TrimSpace(text.Value), true); ok && t == sqltype.Date && !at.Equal(sqlexpr.FirstDayFrom(at)) {
		return newTimeLiteral(text, sqlexpr.TypeTimestamp, at), nil
	}
	return s.readTextAsTypeOrSetParamType(text, t, text)
}

// readTextAsTypeOrSetParamType reads a text as a type, which a parameter without a type takes; otherwise is returned for a type
// that texts are not read as.
func (s *Scope) readTextAsTypeOrSetParamType(text *sqlexpr.String, t sqltype.Type, otherwise sqlexpr.Expr) (sqlexpr.Expr, error) {
	if s.Types.learnType(text, t) {
		return exampleOfType(t, text.Position), nil
	}
	return s.readTextAsType(text, t.Logical(), otherwise)
}

// convertTimeToTypeOf returns the instant of a date or timestamp beside an instant. Beside a date and metric_time, which show a clock,
// a constant instant is what the session's clock shows.
func (s *Scope) convertTimeToTypeOf(x, beside sqlexpr.Expr) sqlexpr.Expr {
	switch {
	case !s.HasZone():
		return x
	case sqlexpr.IsLiteral(x) && (s.isMetricTime(beside) || s.isComputedDate(beside)):
		return s.onSessionClock(x)
	case s.TypeOf(beside) == sqltype.TimestampTZ && !s.isMetricTime(x) && !(sqlexpr.IsLiteral(beside) && s.isComputedDate(x)):
		return s.asSessionInstant(x)
	}
	return x
}

// isComputedDate reports whether a value is a date, and no constant.
func (s *Scope) isComputedDate(e sqlexpr.Expr) bool {
	return !sqlexpr.IsLiteral(e) && s.TypeOf(e) == sqltype.Date
}

func (s *Scope) isMetricTime(e sqlexpr.Expr) bool {
	ref, ok := e.(*sqlexpr.Ref)
	return ok && s.Refs.ReferenceOf(ref).Kind == MetricTimeReferenceKind
}

// readTextAsType reads a text as a type; otherwise is returned for a type that texts are not read as.
func (s *Scope) readTextAsType(text *sqlexpr.String, t sqlexpr.Type, otherwise sqlexpr.Expr) (sqlexpr.Expr, error) {
	switch t {
	case sqlexpr.TypeDate, sqlexpr.TypeTime, sqlexpr.TypeTimestamp, sqlexpr.TypeTimestampTZ:
		value, ok := s.normalizeTimeText(t, text.Value)
		if !ok {
			return nil, textNotOfTypeError(text, t).WithSQLState(sqlerror.SQLStateInvalidTime)
		}
		return &sqlexpr.TypedLiteral{Position: text.Position, Type: t, Value: value}, nil
	case sqlexpr.TypeInt, sqlexpr.TypeDecimal, sqlexpr.TypeFloat:
		number, ok := readNumber(text, t)
		if !ok {
			return nil, textNotOfTypeError(text, t)
		}
		return number, nil
	case sqlexpr.TypeBool:
		truth, ok := parseTruthWord(text.Value)
		if !ok {
			return nil, textNotOfTypeError(text, t)
		}
		return &sqlexpr.Bool{Position: text.Position, Value: truth}, nil
	}
	return otherwise, nil
}

func textNotOfTypeError(text *sqlexpr.String, t sqlexpr.Type) *sqlerror.Error {
	return sqlerror.New(planerr.CodeBadRequest, text.Pos(), "'"+planerr.ClipText(text.Value)+"' is not of type "+t.String()).WithSQLState(sqlerror.SQLStateInvalidText)
}

// readNumber reads a number with an optional sign; one without a fraction as an integer.
func readNumber(text *sqlexpr.String, t sqlexpr.Type) (sqlexpr.Expr, bool) {
	s := strings.TrimSpace(text.Value)
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	if s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') || t == sqlexpr.TypeInt && strings.ContainsAny(s, ".eE") {
		return nil, false
	}
	if s[0] == '.' && (len(s) == 1 || !lexical.IsDigit(s[1])) || lexical.NumberEnd(s, 0) < len(s) {
		return nil, false
	}
	number := &sqlexpr.Number{Position: text.Position, Text: s}
	if sign == "-" {
		return &sqlexpr.Unary{Position: text.Position, Op: sqlexpr.OpNeg, X: number}, true
	}
	return number, true
}

// parseTruthWord reads the words that PostgreSQL takes for true and false, and their beginnings.
func parseTruthWord(text string) (truth, ok bool) {
	s := strings.ToLower(strings.TrimSpace(text))
	for _, word := range []string{"true", "yes", "on", "1"} {
		if isUniquePrefixOfWord(s, word) {
			return true, true
		}
	}
	for _, word := range []string{"false", "no", "off", "0"} {
		if isUniquePrefixOfWord(s, word) {
			return false, true
		}
	}
	return false, false
}

// isUniquePrefixOfWord reports whether s is a beginning of a word that no other word has: o is of on and off.
func isUniquePrefixOfWord(s, word string) bool {
	return s != "" && s != "o" && strings.HasPrefix(word, s)
}
