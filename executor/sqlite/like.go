package sqlite

import (
	"unicode"
	"unicode/utf8"
)

// The elements of a pattern that are not letters.
const (
	oneCharacter rune = -1 - iota
	anyCharacters
	neverMatches // an escape with nothing behind it
)

// pattern is a LIKE pattern: letters in lower case, oneCharacter and anyCharacters.
type pattern []rune

// likePattern reads a pattern. The letter behind an escape stands for itself.
func likePattern(text []byte, escape rune) pattern {
	p := make(pattern, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r == escape && len(text) == 0:
			r = neverMatches
		case r == escape:
			r, size = utf8.DecodeRune(text)
			text = text[size:]
			r = unicode.ToLower(r)
		case r == '%':
			r = anyCharacters
		case r == '_':
			r = oneCharacter
		default:
			r = unicode.ToLower(r)
		}
		if r == anyCharacters && len(p) > 0 && p[len(p)-1] == anyCharacters {
			continue
		}
		p = append(p, r)
	}
	return p
}

// match compares without regard to case. It keeps one place to go back to, behind the last anyCharacters:
// what matched before that needs no second look. The steps are at most the letters of the text times
// those between two anyRuns.
func (p pattern) match(text []byte) bool {
	at, back, next := 0, -1, 0 // in the pattern; behind the last anyCharacters; where its run would end next
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case at < len(p) && p[at] == anyCharacters:
			at++
			back, next = at, i
			if at == len(p) {
				return true
			}
		case at < len(p) && (p[at] == oneCharacter || p[at] == unicode.ToLower(r)):
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
	for at < len(p) && p[at] == anyCharacters {
		at++
	}
	return at == len(p)
}
