package metricflow

import "strings"

// call is a call of a template: Dimension('order__status').grain('month').
type call struct {
	name    string
	args    []string
	keys    map[string]string // named arguments
	methods []call
}

// parseCall reads a call whose arguments are quoted texts, lists of them, and booleans.
func parseCall(text string) (call, bool) {
	s := &scanner{text: text}
	c, ok := s.call()
	if !ok {
		return call{}, false
	}
	for s.take('.') {
		method, ok := s.call()
		if !ok {
			return call{}, false
		}
		c.methods = append(c.methods, method)
	}
	s.space()
	return c, s.pos == len(s.text)
}

type scanner struct {
	text string
	pos  int
}

func (s *scanner) space() {
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.pos]) >= 0 {
		s.pos++
	}
}

// take passes over one character, where it is the next.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) word() string {
	s.space()
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

// quoted reads a text in quotes. There are no escapes: a name needs none.
func (s *scanner) quoted() (string, bool) {
	s.space()
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

func (s *scanner) call() (call, bool) {
	c := call{name: s.word(), keys: map[string]string{}}
	if c.name == "" || !s.take('(') {
		return c, false
	}
	for first := true; !s.take(')'); first = false {
		if !first && !s.take(',') {
			return c, false
		}
		if !first && s.take(')') {
			return c, true
		}
		if !s.argument(&c) {
			return c, false
		}
	}
	return c, true
}

func (s *scanner) argument(c *call) bool {
	start := s.pos
	key := s.word()
	if key != "" && !s.take('=') {
		s.pos, key = start, "" // a boolean has no key
	}
	value, ok := s.value()
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

// value reads a text, a boolean, or a list of texts, which are joined by two underscores: an
// entity path.
func (s *scanner) value() (string, bool) {
	if !s.take('[') {
		if start := s.pos; s.pos < len(s.text) {
			if word := s.word(); word == "True" || word == "False" {
				return word, true
			}
			s.pos = start
		}
		return s.quoted()
	}
	var items []string
	for !s.take(']') {
		if len(items) > 0 && !s.take(',') {
			return "", false
		}
		item, ok := s.quoted()
		if !ok {
			return "", false
		}
		items = append(items, item)
	}
	return strings.Join(items, "__"), true
}
