package query

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// scanner reads JSON from a string front to back. What it returns shares the
// string's memory unless an escape had to be resolved.
type scanner struct {
	tokens
	depth int
	path  []step
}

// step is one part of the place being read: an index, or a key where index is
// negative.
type step struct {
	key   string
	index int
}

func (s *scanner) enter() error {
	s.depth++
	if s.depth > limits.QueryDepth {
		return s.syntax("more than " + strconv.Itoa(limits.QueryDepth) + " levels of nesting")
	}
	return nil
}

// array reads an array and calls item for each element, which must consume it.
func (s *scanner) array(item func(i int) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	s.pos++ // the bracket
	at := len(s.path)
	for i := 0; ; i++ {
		if i == 0 && s.consume(']') {
			break
		}
		s.path = append(s.path, step{index: i})
		if err := item(i); err != nil {
			return err
		}
		s.path = s.path[:at]
		if s.consume(',') {
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

// members reads an object and calls member for each key, which must consume
// the value.
func (s *scanner) members(member func(key string) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	s.pos++ // the brace
	at := len(s.path)
	for first := true; ; first = false {
		if first && s.consume('}') {
			break
		}
		if s.peek() != '"' {
			return s.syntax("expected a key in double quotes")
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if err := s.expect(':', "':' after the key"); err != nil {
			return err
		}
		s.path = append(s.path, step{key: key, index: -1})
		if err := member(key); err != nil {
			return err
		}
		s.path = s.path[:at]
		if s.consume(',') {
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
