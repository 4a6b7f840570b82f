package query

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/planner/planerr"
)

func badRequestError(message string) error {
	return &planerr.Error{Code: planerr.CodeBadRequest, Message: message}
}

// wrongTypeError returns the error of a value of another type, or of none at all, at the
// place being read.
func (s *scanner) wrongTypeError(expected string) error {
	got := "something that is not a JSON value"
	switch c := s.peek(); {
	case c == 0:
		return s.syntaxError("expected " + expected)
	case c == '{':
		got = "an object"
	case c == '[':
		got = "an array"
	case c == '"':
		got = "a string"
	case c == 't' || c == 'f':
		got = "a boolean"
	case c == 'n':
		got = "null"
	case c == '-' || ('0' <= c && c <= '9'):
		got = "a number"
	}
	return badRequestError(s.pathText() + " must be " + expected + ", not " + got)
}

// pathText prints the path to the value being read: group_by[2].field.
func (s *scanner) pathText() string {
	var b strings.Builder
	for _, p := range s.path {
		switch {
		case p.index >= 0:
			b.WriteString("[" + strconv.Itoa(p.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + p.key)
		default:
			b.WriteString(p.key)
		}
	}
	if b.Len() == 0 {
		return "the body"
	}
	return planerr.ClipText(b.String())
}
