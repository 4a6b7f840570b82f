package sqlite

import (
	"unicode"
	"unicode/utf8"
)

// The elements of a pattern that are not letters.
const (
	likeElementOneCharacter rune = -1 - iota
	likeElementAnyCharacters
	likeElementTrailingEscape // an escape with nothing after it
)

// likePatternElements is a LIKE pattern: letters in lower case, likeElementOneCharacter and likeElementAnyCharacters.
type likePatternElements []rune

// parseLikePattern reads a pattern. The letter after an escape stands for itself.
func parseLikePattern(text []byte, escape rune) likePatternElements {
	p := make(likePatternElements, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r == escape && len(text) == 0:
			r = likeElementTrailingEscape
		case r == escape:
			r, size = utf8.DecodeRune(text)
			text = text[size:]
			r = unicode.ToLower(r)
		case r == '%':
			r = likeElementAnyCharacters
		case r == '_':
			r = likeElementOneCharacter
		default:
			r = unicode.ToLower(r)
		}
		if r == likeElementAnyCharacters && len(p) > 0 && p[len(p)-1] == likeElementAnyCharacters {
			continue
		}
		p = append(p, r)
	}
	return p
}

// matchText compares without regard to case. It keeps one position to return to, after the last likeElementAnyCharacters:
// text that matched before it is not read again. The steps are at most the letters of the text times
// the pattern letters between two likeElementAnyCharacters.
func (p likePatternElements) matchText(text []byte) bool {
	at, back, next := 0, -1, 0 // in the pattern; after the last likeElementAnyCharacters; where its run would end next
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case at < len(p) && p[at] == likeElementAnyCharacters:
			at++
			back, next = at, i
			if at == len(p) {
				return true
			}
		case at < len(p) && (p[at] == likeElementOneCharacter || p[at] == unicode.ToLower(r)):
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
	for at < len(p) && p[at] == likeElementAnyCharacters {
		at++
	}
	return at == len(p)
}
