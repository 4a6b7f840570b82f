package sqlexpr

import "strings"

// TimeFormatPart is one part of the format of TO_CHAR, TO_DATE and TO_TIMESTAMP: a token, or the text between two tokens.
type TimeFormatPart struct {
	Token   string // in upper case; "" for a text
	Literal string
}

// timeFormatTokens are the tokens that every engine has, and that no locale changes. A token comes before those that it begins with.
var timeFormatTokens = []string{"YYYY", "MM", "DD", "HH24", "HH12", "HH", "MI", "SS", "AM", "PM"}

// TimeFormatTokensText lists the tokens for messages.
const TimeFormatTokensText = "YYYY, MM, DD, HH24, HH12, MI, SS and AM, with - / : . , ; blanks and \"letters\" between them"

// ParseTimeFormat splits a format into its parts. It reports false for a format with anything else than the portable tokens and
// separators, whose meaning depends on the engine. Letters that are not tokens are in double quotes.
func ParseTimeFormat(format string) ([]TimeFormatPart, bool) {
	var parts []TimeFormatPart
	for rest := format; rest != ""; {
		part, n := nextTimeFormatPart(rest)
		if n == 0 {
			return nil, false
		}
		parts, rest = append(parts, part), rest[n:]
	}
	return parts, len(parts) > 0
}

// nextTimeFormatPart returns the first part of a text and its length; 0 where none begins there.
func nextTimeFormatPart(text string) (part TimeFormatPart, n int) {
	for _, token := range timeFormatTokens {
		if len(text) >= len(token) && strings.EqualFold(text[:len(token)], token) {
			return TimeFormatPart{Token: canonicalTimeFormatToken(token)}, len(token)
		}
	}
	if strings.IndexByte("-/:.,; ", text[0]) >= 0 {
		return TimeFormatPart{Literal: text[:1]}, 1
	}
	if text[0] != '"' {
		return TimeFormatPart{}, 0
	}
	quoted, _, closed := strings.Cut(text[1:], `"`)
	if !closed || quoted == "" || strings.ContainsFunc(quoted, func(r rune) bool { return !isQuotedTimeFormatLetter(r) }) {
		return TimeFormatPart{}, 0
	}
	return TimeFormatPart{Literal: quoted}, len(quoted) + 2
}

// isQuotedTimeFormatLetter reports whether a letter has no meaning in the format of any engine when it is quoted.
func isQuotedTimeFormatLetter(r rune) bool {
	return r == ' ' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

func canonicalTimeFormatToken(token string) string {
	switch token {
	case "HH":
		return "HH12"
	case "PM":
		return "AM"
	}
	return token
}

// timeLayoutTokens are the tokens of strings that TO_DATE and TO_TIMESTAMP read, with those of time codes.
var timeLayoutTokens = map[string]string{"YYYY": "yyyy", "MM": "MM", "DD": "dd", "HH24": "HH", "MI": "mm", "SS": "ss"}

// timeCodeOfFormat returns the code that strings of a format are. It reports false where the format does not begin a time with its year
// and continue without a gap, or ends in a text.
func timeCodeOfFormat(format string) (*TimeCode, bool) {
	parts, ok := ParseTimeFormat(format)
	if !ok || parts[len(parts)-1].Token == "" {
		return nil, false
	}
	code, seen := &TimeCode{}, map[string]bool{}
	for _, p := range parts {
		text := p.Literal
		if p.Token != "" {
			if text, ok = timeLayoutTokens[p.Token]; !ok || seen[text] {
				return nil, false
			}
			seen[text] = true
			code.Fields = append(code.Fields, TimeLayoutField{Token: text, Start: len(code.Text) + 1, Len: len(text)})
		}
		code.Text += text
	}
	coarser := []string{"yyyy", "MM", "dd", "HH", "mm", "ss"}
	for i, token := range coarser[1:] {
		if seen[token] && !seen[coarser[i]] {
			return nil, false
		}
	}
	return code, seen["yyyy"]
}

// DecodeByFormat returns the time that TO_DATE or TO_TIMESTAMP with a format reads of its string; nil for any other call.
func DecodeByFormat(c *Call) Expr {
	if c.Fn != FnToDate && c.Fn != FnToTimestamp || len(c.Args) != 2 {
		return nil
	}
	format, ok := c.Args[1].(*String)
	if !ok {
		return nil
	}
	code, ok := timeCodeOfFormat(format.Value)
	if !ok {
		return nil
	}
	if c.Fn == FnToDate {
		return &DecodeTimeCodeExpr{Position: c.Position, Code: code, X: c.Args[0]}
	}
	return decodeTimestamp(c.Position, code, c.Args[0])
}

// decodeTimestamp returns the timestamp of a code, in which the units that the code lacks are 0.
func decodeTimestamp(at Position, code *TimeCode, x Expr) Expr {
	grains := map[string]Grain{"HH": GrainHour, "mm": GrainMinute, "ss": GrainSecond}
	decode := &DecodeTimeCodeExpr{Position: at, Code: code, X: x}
	for _, f := range code.Fields {
		if g, ok := grains[f.Token]; ok && (decode.Grain == GrainNone || g < decode.Grain) {
			decode.Grain = g
		}
	}
	if decode.Grain == GrainNone {
		return &Cast{Position: at, X: decode, To: TypeName{Type: TypeTimestamp}}
	}
	return decode
}

// HintForEngineForm returns advice for a call of FnUnknown whose name is that of a function of the language: the call has arguments
// whose meaning depends on the engine. It is "" for any other name.
func HintForEngineForm(c *Call) string {
	info, ok := LookupFunc(c.Name.Text)
	switch {
	case !ok:
		return ""
	case info.Fn == FnRegexpLike, info.Fn == FnRegexpCount:
		return info.Name + " takes a string and a pattern, without flags; LOWER or ILIKE ignore the case of letters"
	case info.Fn == FnToChar && len(c.Args) != 2:
		return "TO_CHAR takes a time and a format; CAST makes a string of another value"
	}
	return "the format of " + info.Name + " is a literal of " + TimeFormatTokensText
}

// belongsToOneEngine reports whether a call has arguments whose meaning depends on the engine: a format with other tokens than those
// that all engines have, and flags of a regular expression.
func (c *Call) belongsToOneEngine() bool {
	switch c.Fn {
	case FnRegexpLike, FnRegexpCount:
		return len(c.Args) > 2
	case FnToChar:
		if len(c.Args) != 2 {
			return true
		}
		format, ok := c.Args[1].(*String)
		if ok {
			_, ok = ParseTimeFormat(format.Value)
		}
		return !ok
	case FnToDate, FnToTimestamp:
		return len(c.Args) == 2 && DecodeByFormat(c) == nil
	}
	return false
}
