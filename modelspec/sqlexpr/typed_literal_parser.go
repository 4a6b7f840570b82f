package sqlexpr

import (
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// parseTypedLiteral reads DATE '…' and similar literals. It returns nothing, and consumes
// nothing, where the word is a name or a function.
func (p *parser) parseTypedLiteral() (Expr, error) {
	at := p.tok.pos
	var t Type
	switch p.tok.kw {
	case kwDate:
		t = TypeDate
	case kwTime:
		t = TypeTime
	case kwTimestamp, kwDateTime:
		t = TypeTimestamp
	case kwTimestampTZ:
		t = TypeTimestampTZ
	}
	switch {
	case p.ahead.kind == tokString:
		p.advanceToken()
	case p.tok.kw == kwTimestamp && (p.ahead.kw == kwWith || p.ahead.kw == kwWithout):
		p.advanceToken()
		if p.tok.kw == kwWith {
			t = TypeTimestampTZ
		}
		p.advanceToken()
		if !p.acceptKeyword(kwTime) || !p.acceptKeyword(kwZone) {
			return nil, p.expectedError("TIME ZONE")
		}
	default:
		return nil, nil
	}
	if p.tok.kind != tokString {
		return nil, p.expectedError("a literal in single quotes")
	}
	text := lexical.Unquote(p.tokenText(p.tok))
	value, shape := normalizeTimeLiteral(t, text)
	if shape != "" {
		return nil, p.problemAtOffsetError(p.tok.pos, "'"+lexical.ShortenForMessage(text)+"' is not a "+t.String(), "write "+shape)
	}
	p.advanceToken()
	return &TypedLiteral{Position: Position(at), Type: t, Value: value}, nil
}

// normalizeTimeLiteral checks a date or time literal and gives it its one form:
// 2024-01-31, 13:05:00, 2024-01-31 13:05:00, 2024-01-31 13:05:00+00:00, with a
// fraction of a second where the text has one. For a text of another shape it
// returns the shape to write. A timestamptz without a zone is in UTC.
func normalizeTimeLiteral(t Type, text string) (value, shape string) {
	s := strings.TrimSpace(text)
	switch t {
	case TypeDate:
		if isDateText(s) {
			return s, ""
		}
		return "", "DATE 'YYYY-MM-DD'"
	case TypeTime:
		if v, ok := normalizeClockTimeText(s); ok {
			return v, ""
		}
		return "", "TIME 'HH:MM:SS'"
	case TypeTimestampTZ:
		if v, ok := normalizeTimestampTZText(s); ok {
			return v, ""
		}
		return "", "TIMESTAMPTZ 'YYYY-MM-DD HH:MM:SS+00:00'"
	default:
		if v, ok := normalizeTimestampText(s); ok {
			return v, ""
		}
		if _, ok := normalizeTimestampTZText(s); ok {
			return "", "TIMESTAMPTZ for a literal with a time zone"
		}
		return "", "TIMESTAMP 'YYYY-MM-DD HH:MM:SS'"
	}
}

func isDateText(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil && !strings.HasPrefix(s, "0000")
}

// normalizeClockTimeText reads HH:MM[:SS[.ffffff]].
func normalizeClockTimeText(s string) (string, bool) {
	if len(s) == len("15:04") {
		s += ":00"
	}
	if len(s) < len(time.TimeOnly) {
		return "", false
	}
	if _, err := time.Parse(time.TimeOnly, s[:8]); err != nil {
		return "", false
	}
	if len(s) > 8 {
		if fraction := s[9:]; s[8] != '.' || len(fraction) < 1 || len(fraction) > 6 || !allDigits(fraction) {
			return "", false
		}
	}
	return s, true
}

func normalizeTimestampText(s string) (string, bool) {
	const date = len(time.DateOnly)
	if len(s) == date {
		s += " 00:00:00"
	}
	if len(s) < date+1 || !isDateText(s[:date]) || (s[date] != ' ' && s[date] != 'T') {
		return "", false
	}
	c, ok := normalizeClockTimeText(s[date+1:])
	return s[:date] + " " + c, ok
}

func normalizeTimestampTZText(s string) (string, bool) {
	zone := "+00:00"
	if i := strings.LastIndexAny(s, "+-Zz"); i > len(time.DateOnly) {
		z, ok := normalizeZoneOffsetText(s[i:])
		if !ok {
			return "", false
		}
		s, zone = strings.TrimSpace(s[:i]), z
	}
	v, ok := normalizeTimestampText(s)
	return v + zone, ok
}

// normalizeZoneOffsetText reads Z, ±HH, ±HHMM or ±HH:MM.
func normalizeZoneOffsetText(s string) (string, bool) {
	if s == "Z" || s == "z" {
		return "+00:00", true
	}
	digits := strings.Replace(s[1:], ":", "", 1)
	if len(digits) == 2 && len(s) == 3 {
		digits += "00"
	}
	if len(digits) != 4 || !allDigits(digits) || digits[:2] > "14" || digits[2:] > "59" {
		return "", false
	}
	if strings.Contains(s, ":") && s[3] != ':' {
		return "", false
	}
	return s[:1] + digits[:2] + ":" + digits[2:], true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !lexical.IsDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
