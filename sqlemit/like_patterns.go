package sqlemit

import (
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// likePattern is a LIKE pattern taken apart: characters, and likeAnyRun and likeAnyCharacter for
// the wildcards.
type likePattern []rune

const (
	likeAnyRun rune = -1 - iota
	likeAnyCharacter
)

// parseLikePattern takes a literal pattern apart; ok is false for any other.
func parseLikePattern(e *sqlexpr.Like) (p likePattern, ok bool) {
	s, ok := e.Pattern.(*sqlexpr.String)
	if !ok {
		return nil, false
	}
	escape := rune(-1)
	if e.Escape != nil {
		c, ok := e.Escape.(*sqlexpr.String)
		if !ok || utf8.RuneCountInString(c.Value) != 1 {
			return nil, false
		}
		escape, _ = utf8.DecodeRuneInString(c.Value)
	}
	escaped := false
	for _, r := range s.Value {
		switch {
		case escaped:
			p, escaped = append(p, r), false
		case r == escape:
			escaped = true
		case r == '%':
			p = append(p, likeAnyRun)
		case r == '_':
			p = append(p, likeAnyCharacter)
		default:
			p = append(p, r)
		}
	}
	return p, !escaped
}

// spellPattern writes a pattern with the given spelling of special characters.
func (p likePattern) spellPattern(special map[rune]string) string {
	var b strings.Builder
	for _, r := range p {
		if s, ok := special[r]; ok {
			b.WriteString(s)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
