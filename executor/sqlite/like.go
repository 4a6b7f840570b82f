package sqlite

import (
	"unicode"
	"unicode/utf8"
)

// The elements of a pattern that are not letters.
const (
	anyOne rune = -1 - iota
	anyRun
	never // an escape with nothing behind it
)

// pattern is a LIKE pattern: letters in lower case, anyOne and anyRun.
type pattern []rune

// likePattern reads a pattern. The letter behind an escape stands for itself.
func likePattern(text []byte, escape rune) pattern {
	p := make(pattern, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r == escape && len(text) == 0:
			r = never
		case r == escape:
			r, size = utf8.DecodeRune(text)
			text = text[size:]
			r = unicode.ToLower(r)
		case r == '%':
			r = anyRun
		case r == '_':
			r = anyOne
		default:
			r = unicode.ToLower(r)
		}
		if r == anyRun && len(p) > 0 && p[len(p)-1] == anyRun {
			continue
		}
		p = append(p, r)
	}
	return p
}

// match compares without regard to case. It keeps one place to go back to, behind the last anyRun:
// what matched before that needs no second look. The steps are at most the letters of the text times
// those between two anyRuns.
func (p pattern) match(text []byte) bool {
	at, back, next := 0, -1, 0 // in the pattern; behind the last anyRun; where its run would end next
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case at < len(p) && p[at] == anyRun:
			at++
			back, next = at, i
			if at == len(p) {
				return true
			}
		case at < len(p) && (p[at] == anyOne || p[at] == unicode.ToLower(r)):
			at++
			i += size
		case back >= 0:
			_, size = utf8.DecodeRune(text[next:])
			next += size
			at, i = back, next
		default:
			return false
		}
	}
	for at < len(p) && p[at] == anyRun {
		at++
	}
	return at == len(p)
}
