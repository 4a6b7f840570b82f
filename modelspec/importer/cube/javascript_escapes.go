package cube

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescapeJavaScript returns the text that a literal of JavaScript stands for, without its quotes.
func unescapeJavaScript(raw string, line int) (string, error) {
	raw = strings.ReplaceAll(raw, "\r\n", "\n")
	if !strings.Contains(raw, `\`) {
		return raw, nil
	}
	var out strings.Builder
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out.WriteByte(raw[i])
			i++
			continue
		}
		text, n := unescapeSequence(raw[i:])
		if n == 0 {
			return "", fmt.Errorf("line %d: a text has the escape %.6q, which is not read", line, raw[i:])
		}
		out.WriteString(text)
		i += n
	}
	return out.String(), nil
}

var simpleEscapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v", '\n': ""}

// unescapeSequence returns the text of the escape that begins a string, and its length; 0 where it is not known.
func unescapeSequence(s string) (text string, length int) {
	if len(s) < 2 {
		return "", 0
	}
	if text, ok := simpleEscapes[s[1]]; ok {
		return text, 2
	}
	switch c := s[1]; {
	case c == 'x':
		return unescapeCodePoint(s, 2, 4)
	case c == 'u' && strings.HasPrefix(s[2:], "{"):
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return "", 0
		}
		text, n := unescapeCodePoint(s[:end], 3, end)
		if n == 0 {
			return "", 0
		}
		return text, end + 1
	case c == 'u':
		if len(s) >= 12 && s[6:8] == `\u` {
			high, errHigh := strconv.ParseUint(s[2:6], 16, 16)
			low, errLow := strconv.ParseUint(s[8:12], 16, 16)
			if pair := utf16.DecodeRune(rune(high), rune(low)); errHigh == nil && errLow == nil && pair != utf8.RuneError {
				return string(pair), 12
			}
		}
		return unescapeCodePoint(s, 2, 6)
	case c >= '0' && c <= '9':
		return "", 0 // a NUL character, and octal numbers
	}
	_, n := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+n], 1 + n
}

// unescapeCodePoint returns the character whose hexadecimal number is at an interval of a string.
func unescapeCodePoint(s string, begin, end int) (text string, length int) {
	if len(s) < end {
		return "", 0
	}
	number, err := strconv.ParseUint(s[begin:end], 16, 32)
	if err != nil || number == 0 || number > utf8.MaxRune || !utf8.ValidRune(rune(number)) {
		return "", 0
	}
	return string(rune(number)), end
}
