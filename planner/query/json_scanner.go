package query

import (
	"strconv"
	"sync"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// scanner reads JSON from a string front to back. What it returns shares the
// string's memory unless an escape had to be resolved.
type scanner struct {
	jsonLexer
	depth int
	path  []jsonPathStep
}

// jsonPathStep is one part of the place being read: an index, or a key where index is
// negative.
type jsonPathStep struct {
	key   string
	index int
}

// scanners are kept for the next body: a scanner is as large as the query that it reads.
var scanners = sync.Pool{New: func() any { return &scanner{path: make([]jsonPathStep, 0, 8)} }}

// returnToPool keeps the scanner for another body, without what this one has in it.
func (s *scanner) returnToPool() {
	clear(s.path[:cap(s.path)])
	*s = scanner{path: s.path[:0]}
	scanners.Put(s)
}

func (s *scanner) enterNestedValue() error {
	s.depth++
	if s.depth > limits.QueryJSONDepth {
		return s.syntaxError("more than " + strconv.Itoa(limits.QueryJSONDepth) + " levels of nesting")
	}
	return nil
}

// readItems reads an array and calls item for each element, which must consume it.
func (s *scanner) readItems(item func(i int) error) error {
	if err := s.enterNestedValue(); err != nil {
		return err
	}
	s.pos++ // the bracket
	at := len(s.path)
	for i := 0; ; i++ {
		if i == 0 && s.consumeIfNext(']') {
			break
		}
		s.path = append(s.path, jsonPathStep{index: i})
		if err := item(i); err != nil {
			return err
		}
		s.path = s.path[:at]
		if s.consumeIfNext(',') {
			continue
		}
		if err := s.expect(']', "',' or ']'"); err != nil {
			return err
		}
		break
	}
	s.depth--
	return nil
}

// readObjectMembers reads an object and calls member for each key, which must consume
// the value.
func (s *scanner) readObjectMembers(member func(key string) error) error {
	if err := s.enterNestedValue(); err != nil {
		return err
	}
	s.pos++ // the brace
	at := len(s.path)
	for first := true; ; first = false {
		if first && s.consumeIfNext('}') {
			break
		}
		if s.peek() != '"' {
			return s.syntaxError("expected a key in double quotes")
		}
		key, err := s.readString()
		if err != nil {
			return err
		}
		if err := s.expect(':', "':' after the key"); err != nil {
			return err
		}
		s.path = append(s.path, jsonPathStep{key: key, index: -1})
		if err := member(key); err != nil {
			return err
		}
		s.path = s.path[:at]
		if s.consumeIfNext(',') {
			continue
		}
		if err := s.expect('}', "',' or '}'"); err != nil {
			return err
		}
		break
	}
	s.depth--
	return nil
}
