package query

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonLexer reads the tokens of JSON from a text front to back.
type jsonLexer struct {
	text string
	pos  int
}

func (s *jsonLexer) skipSpace() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\n', '\t', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the first byte of the next token, 0 at the end.
func (s *jsonLexer) peek() byte {
	s.skipSpace()
	if s.pos >= len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

// consumeIfNext consumes c if it is the next token.
func (s *jsonLexer) consumeIfNext(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

func (s *jsonLexer) expect(c byte, what string) error {
	if s.consumeIfNext(c) {
		return nil
	}
	return s.syntaxError("expected " + what)
}

// readString reads a string token. The next byte is the opening quote.
func (s *jsonLexer) readString() (string, error) {
	start := s.pos + 1
	for i := start; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			s.pos = i + 1
			return s.text[start:i], nil
		case c == '\\' || c < ' ' || c >= utf8.RuneSelf:
			return s.readEscapedString(start, i)
		}
	}
	s.pos = len(s.text)
	return "", s.syntaxError("a string does not end")
}

// readEscapedString reads a string that has an escape, a control character or more than
// ASCII from i on.
func (s *jsonLexer) readEscapedString(start, i int) (string, error) {
	var b strings.Builder
	from := start // of the stretch not yet copied
	for i < len(s.text) {
		c := s.text[i]
		switch {
		case c == '"':
			s.pos = i + 1
			if from == start {
				return s.text[start:i], nil
			}
			b.WriteString(s.text[from:i])
			return b.String(), nil
		case c < ' ':
			s.pos = i
			return "", s.syntaxError("a control character in a string; write it as an escape")
		case c == '\\':
			b.WriteString(s.text[from:i])
			r, width, why := resolveEscape(s.text[i:])
			if why != "" {
				s.pos = i
				return "", s.syntaxError(why)
			}
			b.WriteRune(r)
			i += width
			from = i
		case c < utf8.RuneSelf:
			i++
		default:
			r, width := utf8.DecodeRuneInString(s.text[i:])
			if r == utf8.RuneError && width == 1 {
				s.pos = i
				return "", s.syntaxError("the text is not valid UTF-8")
			}
			i += width
		}
	}
	s.pos = len(s.text)
	return "", s.syntaxError("a string does not end")
}

const jsonEscapeLetters = "\"\\/bfnrt"
const jsonEscapeValues = "\"\\/\b\f\n\r\t"

// resolveEscape resolves the escape that text begins with. why is empty on success.
func resolveEscape(text string) (r rune, width int, why string) {
	if len(text) < 2 {
		return 0, 0, "a string does not end"
	}
	if i := strings.IndexByte(jsonEscapeLetters, text[1]); i >= 0 {
		return rune(jsonEscapeValues[i]), 2, ""
	}
	if text[1] != 'u' {
		return 0, 0, "an unknown escape in a string"
	}
	r, ok := parseHex4(text[2:])
	if !ok {
		return 0, 0, "\\u needs four hexadecimal digits"
	}
	if r == 0 {
		return 0, 0, "a string with the character NUL, which no warehouse accepts,"
	}
	if !utf16.IsSurrogate(r) {
		return r, 6, ""
	}
	if len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if low, ok := parseHex4(text[8:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12, ""
			}
		}
	}
	return 0, 0, "half of a surrogate pair in a string"
}

func parseHex4(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var r rune
	for i := range 4 {
		c := text[i]
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// readNumberToken reads a number token and returns its text.
func (s *jsonLexer) readNumberToken() (string, error) {
	start := s.pos
	if s.pos < len(s.text) && s.text[s.pos] == '-' {
		s.pos++
	}
	whole := s.pos
	if s.consumeDigits() == 0 || (s.pos-whole > 1 && s.text[whole] == '0') {
		return "", s.syntaxError("a malformed number")
	}
	if s.pos < len(s.text) && s.text[s.pos] == '.' {
		s.pos++
		if s.consumeDigits() == 0 {
			return "", s.syntaxError("a malformed number")
		}
	}
	if s.pos < len(s.text) && s.text[s.pos]|0x20 == 'e' {
		s.pos++
		if s.pos < len(s.text) && (s.text[s.pos] == '+' || s.text[s.pos] == '-') {
			s.pos++
		}
		if s.consumeDigits() == 0 {
			return "", s.syntaxError("a malformed number")
		}
	}
	return s.text[start:s.pos], nil
}

func (s *jsonLexer) consumeDigits() int {
	start := s.pos
	for s.pos < len(s.text) && '0' <= s.text[s.pos] && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// readLiteralWord reads true, false or null.
func (s *jsonLexer) readLiteralWord() (string, error) {
	for _, w := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(s.text[s.pos:], w) {
			s.pos += len(w)
			return w, nil
		}
	}
	return "", s.syntaxError("expected a JSON value")
}

// consumeNull consumes a null.
func (s *jsonLexer) consumeNull() bool {
	if s.peek() == 'n' && strings.HasPrefix(s.text[s.pos:], "null") {
		s.pos += len("null")
		return true
	}
	return false
}

// expectEnd checks that nothing follows.
func (s *jsonLexer) expectEnd() error {
	if s.peek() == 0 && s.pos >= len(s.text) {
		return nil
	}
	return s.syntaxError("text after the JSON object")
}

// syntaxError returns the error of a text that is not JSON, with its position in the text.
func (s *jsonLexer) syntaxError(why string) error {
	read := s.text[:min(s.pos, len(s.text))]
	line := 1 + strings.Count(read, "\n")
	column := len(read) - strings.LastIndexByte(read, '\n')
	return badRequestError("the body is not valid JSON: " + why + " at line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column))
}
