package parse

import "unicode/utf8"

// SplitFirstStatement cuts the first statement off a text that may hold several. The statement ends after its
// semicolon; complete is false, and rest empty, where the text has none outside of quotes and
// comments.
func SplitFirstStatement(text string) (statement, rest string, complete bool) {
	s := scanner{src: text}
	for {
		switch t := s.nextToken(); t.kind {
		case tokSemicolon:
			return text[:t.end], text[t.end:], true
		case tokEOF:
			return text, "", false
		case tokBad:
			if s.pos >= len(text) || s.pos == t.start && !s.skipRune() {
				return text, "", false
			}
		}
	}
}

// skipRune moves past a character that begins no token; false in a comment without an end.
func (s *scanner) skipRune() bool {
	if s.byteAhead(0) == '/' && s.byteAhead(1) == '*' {
		return false
	}
	_, n := utf8.DecodeRuneInString(s.src[s.pos:])
	s.pos += n
	return true
}
