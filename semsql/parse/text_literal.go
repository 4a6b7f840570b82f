package parse

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// textLiteralValue returns the value of a text literal.
func (p *parser) textLiteralValue(t token) (string, error) {
	text := p.tokenText(t)
	switch t.kind {
	case tokEscapedString:
		value, ok := unescapeText(text[2 : len(text)-1])
		if !ok {
			return "", newSyntaxError(t.at, "a backslash in "+lexical.ShortenForMessage(text)+" escapes no character", `write the character itself, and \\ for a backslash`)
		}
		return value, nil
	case tokDollarString:
		tag := strings.IndexByte(text[1:], '$') + 2
		return text[tag : len(text)-tag], nil
	}
	return lexical.Unquote(text), nil
}

// unescapeText resolves the escapes of E'…'; false for a text that is not UTF-8 or holds NUL.
func unescapeText(body string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch c {
		case '\'': // the first of two
			i++
		case '\\':
			if i++; i == len(body) {
				return "", false
			}
			n, ok := decodeEscape(&b, body[i:])
			if !ok {
				return "", false
			}
			i += n - 1
			continue
		}
		b.WriteByte(c)
	}
	out := b.String()
	return out, utf8.ValidString(out) && strings.IndexByte(out, 0) < 0
}

// decodeEscape writes the character that an escape names and returns the length of the escape
// without its backslash.
func decodeEscape(b *strings.Builder, s string) (int, bool) {
	switch s[0] {
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'x':
		return appendByteEscape(b, s, 1, 2, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return appendByteEscape(b, s, 0, 3, 8)
	case 'u':
		return appendRuneEscape(b, s, 4)
	case 'U':
		return appendRuneEscape(b, s, 8)
	default:
		b.WriteByte(s[0]) // a backslash before another character is left out
	}
	return 1, true
}

// appendByteEscape reads up to most digits of a byte after the first skip characters.
func appendByteEscape(b *strings.Builder, s string, skip, most, base int) (int, bool) {
	n := skip
	for n < len(s) && n < skip+most {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	if n == skip { // \x without a digit is x
		b.WriteByte(s[0])
		return 1, true
	}
	code, err := strconv.ParseUint(s[skip:n], base, 16)
	b.WriteByte(byte(code))
	return n, err == nil && code <= 0xFF
}

func appendRuneEscape(b *strings.Builder, s string, digits int) (int, bool) {
	if len(s) < 1+digits {
		return 0, false
	}
	code, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) || code > utf8.MaxRune {
		return 0, false
	}
	b.WriteRune(rune(code))
	return 1 + digits, true
}
