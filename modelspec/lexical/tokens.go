package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsWordStart reports whether a word may begin with c, an ASCII character.
func IsWordStart(c byte) bool { return c == '_' || IsLetter(c) }

// IsWordPart reports whether a word may hold c, an ASCII character.
func IsWordPart(c byte) bool { return IsWordStart(c) || IsDigit(c) || c == '$' }

// isSpace reports whether c, an ASCII character, separates tokens.
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

// isSpaceRune reports whether r, which is not ASCII, separates tokens.
func isSpaceRune(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// SpaceEnd returns the end of the white space at pos and of the comments that end with their line. It stops before a comment between /*
// and */, whose rules differ.
func SpaceEnd(src string, pos int) int {
	for pos < len(src) {
		switch c := src[pos]; {
		case isSpace(c):
			pos++
		case c == '-' && byteAtOrZero(src, pos+1) == '-':
			i := strings.IndexByte(src[pos:], '\n')
			if i < 0 {
				return len(src)
			}
			pos += i + 1
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(src[pos:])
			if !isSpaceRune(r) {
				return pos
			}
			pos += n
		default:
			return pos
		}
	}
	return pos
}

// WordEnd returns the end of the word at pos, which is pos itself where no part of a word is.
func WordEnd(src string, pos int) int {
	for pos < len(src) {
		c := src[pos]
		if c < utf8.RuneSelf {
			if !IsWordPart(c) {
				return pos
			}
			pos++
			continue
		}
		r, n := utf8.DecodeRuneInString(src[pos:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return pos
		}
		pos += n
	}
	return pos
}

// IsWord reports whether all of s is one word.
func IsWord(s string) bool {
	if s == "" {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(s); !IsWordStart(s[0]) && (r == utf8.RuneError || !unicode.IsLetter(r)) {
		return false
	}
	return WordEnd(s, 0) == len(s)
}

// NumberEnd returns the end of the number at pos: digits with an optional fraction and exponent.
func NumberEnd(src string, pos int) int {
	pos = findDigitsEnd(src, pos)
	if byteAtOrZero(src, pos) == '.' {
		pos = findDigitsEnd(src, pos+1)
	}
	if c := byteAtOrZero(src, pos); c == 'e' || c == 'E' {
		n := 1
		if d := byteAtOrZero(src, pos+1); d == '+' || d == '-' {
			n = 2
		}
		if IsDigit(byteAtOrZero(src, pos+n)) {
			pos = findDigitsEnd(src, pos+n)
		}
	}
	return pos
}

func findDigitsEnd(src string, pos int) int {
	for IsDigit(byteAtOrZero(src, pos)) {
		pos++
	}
	return pos
}

func byteAtOrZero(src string, pos int) byte {
	if pos < len(src) {
		return src[pos]
	}
	return 0
}

// QuotedEnd returns the end of the text in quotes at pos, in which a doubled quote represents
// one; -1 where the text has no end.
func QuotedEnd(src string, pos int) int {
	quote := src[pos]
	for pos++; ; pos++ {
		i := strings.IndexByte(src[pos:], quote)
		if i < 0 {
			return -1
		}
		if pos += i + 1; byteAtOrZero(src, pos) != quote {
			return pos
		}
	}
}

// Unquote removes the quotes of a text and halves the doubled ones inside.
func Unquote(text string) string {
	quote, body := text[:1], text[1:len(text)-1]
	if strings.Contains(body, quote) {
		return strings.ReplaceAll(body, quote+quote, quote)
	}
	return body
}

// AppendQuoted appends s in quotes, each quote inside doubled.
func AppendQuoted(dst []byte, quote byte, s string) []byte {
	dst = append(dst, quote)
	for {
		i := strings.IndexByte(s, quote)
		if i < 0 {
			return append(append(dst, s...), quote)
		}
		dst = append(append(dst, s[:i+1]...), quote)
		s = s[i+1:]
	}
}

// AppendLower appends s with its ASCII letters in lower case.
func AppendLower(dst []byte, s string) []byte {
	n := len(dst)
	dst = append(dst, s...)
	for i := n; i < len(dst); i++ {
		if c := dst[i]; 'A' <= c && c <= 'Z' {
			dst[i] = c + 'a' - 'A'
		}
	}
	return dst
}

// AppendUpper appends s with its ASCII letters in upper case.
func AppendUpper(dst []byte, s string) []byte {
	n := len(dst)
	dst = append(dst, s...)
	for i := n; i < len(dst); i++ {
		if c := dst[i]; 'a' <= c && c <= 'z' {
			dst[i] = c - ('a' - 'A')
		}
	}
	return dst
}

// InvalidUTF8Offset returns the offset of the first byte that is not UTF-8, or the length of s.
func InvalidUTF8Offset(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
}

// ShortenForMessage cuts what a message repeats to 30 characters and an ellipsis.
func ShortenForMessage(s string) string {
	const most = 30
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
