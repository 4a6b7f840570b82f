package metricflow

import "strings"

// templateCall is a call of a template: Dimension('order__status').grain('month').
type templateCall struct {
	name    string
	args    []string
	keys    map[string]string // named arguments
	methods []templateCall
}

// parseTemplateCall reads a call whose arguments are quoted texts, lists of them, and booleans.
func parseTemplateCall(text string) (templateCall, bool) {
	s := &templateScanner{text: text}
	c, ok := s.scanCall()
	if !ok {
		return templateCall{}, false
	}
	for s.acceptChar('.') {
		method, ok := s.scanCall()
		if !ok {
			return templateCall{}, false
		}
		c.methods = append(c.methods, method)
	}
	s.skipSpace()
	return c, s.pos == len(s.text)
}

type templateScanner struct {
	text string
	pos  int
}

func (s *templateScanner) skipSpace() {
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.pos]) >= 0 {
		s.pos++
	}
}

// acceptChar passes over one character, where it is the next.
func (s *templateScanner) acceptChar(c byte) bool {
	s.skipSpace()
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *templateScanner) scanWord() string {
	s.skipSpace()
	start := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			break
		}
		s.pos++
	}
	return s.text[start:s.pos]
}

// scanQuoted reads a text in quotes. There are no escapes: a name needs none.
func (s *templateScanner) scanQuoted() (string, bool) {
	s.skipSpace()
	if s.pos == len(s.text) || s.text[s.pos] != '\'' && s.text[s.pos] != '"' {
		return "", false
	}
	end := strings.IndexByte(s.text[s.pos+1:], s.text[s.pos])
	if end < 0 {
		return "", false
	}
	value := s.text[s.pos+1 : s.pos+1+end]
	s.pos += end + 2
	return value, !strings.Contains(value, `\`)
}

func (s *templateScanner) scanCall() (templateCall, bool) {
	c := templateCall{name: s.scanWord(), keys: map[string]string{}}
	if c.name == "" || !s.acceptChar('(') {
		return c, false
	}
	for first := true; !s.acceptChar(')'); first = false {
		if !first && !s.acceptChar(',') {
			return c, false
		}
		if !first && s.acceptChar(')') {
			return c, true
		}
		if !s.scanArgument(&c) {
			return c, false
		}
	}
	return c, true
}

func (s *templateScanner) scanArgument(c *templateCall) bool {
	start := s.pos
	key := s.scanWord()
	if key != "" && !s.acceptChar('=') {
		s.pos, key = start, "" // a boolean has no key
	}
	value, ok := s.scanValue()
	switch {
	case !ok:
		return false
	case key != "":
		c.keys[key] = value
	default:
		c.args = append(c.args, value)
	}
	return true
}

// scanValue reads a text, a boolean, or a list of texts, which are joined by two underscores: an
// entity path.
func (s *templateScanner) scanValue() (string, bool) {
	if !s.acceptChar('[') {
		if start := s.pos; s.pos < len(s.text) {
			if word := s.scanWord(); word == "True" || word == "False" {
				return word, true
			}
			s.pos = start
		}
		return s.scanQuoted()
	}
	var items []string
	for !s.acceptChar(']') {
		if len(items) > 0 && !s.acceptChar(',') {
			return "", false
		}
		item, ok := s.scanQuoted()
		if !ok {
			return "", false
		}
		items = append(items, item)
	}
	return strings.Join(items, "__"), true
}
