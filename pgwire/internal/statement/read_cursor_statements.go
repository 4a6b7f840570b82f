package statement

import (
	"strconv"

	"github.com/semlayer/semlayer/semsql/parse"
)

// readDeclare reads DECLARE name [BINARY] [NO] SCROLL CURSOR [WITH HOLD] FOR query.
func (r *reader) readDeclare() (Statement, error) {
	s := &Declare{Position: r.tokens[0].Position}
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	s.Name = name
	for !r.acceptWords("cursor") {
		switch {
		case r.acceptWords("binary"):
			s.Binary = true
		case r.acceptWords("no scroll"), r.acceptWords("insensitive"), r.acceptWords("asensitive"):
		case r.acceptWords("scroll"):
			s.Scroll = true
		default:
			return nil, r.unexpectedTokenError("CURSOR")
		}
	}
	if !r.acceptWords("without hold") {
		s.Hold = r.acceptWords("with hold")
	}
	if !r.acceptWords("for") {
		return nil, r.unexpectedTokenError("FOR")
	}
	if s.Text, s.Before, err = r.restText(); err != nil {
		return nil, err
	}
	inner, err := Read(s.Text)
	if err != nil {
		return nil, shiftErrorPosition(err, s.Before)
	}
	if _, ok := inner.(*Select); !ok {
		return nil, r.unexpectedTokenError("SELECT")
	}
	return s, nil
}

func (r *reader) readFetch() (Statement, error) { return r.readCursorMotion(&Fetch{Count: 1}) }

func (r *reader) readMoveStatement() (Statement, error) {
	return r.readCursorMotion(&Fetch{Count: 1, Move: true})
}

// readCursorMotion reads where a cursor moves, and its name.
func (r *reader) readCursorMotion(s *Fetch) (Statement, error) {
	switch {
	case r.acceptWords("next"):
	case r.acceptWords("prior"):
		s.Count = -1
	case r.acceptWords("first"), r.acceptWords("last"):
		s.Absolute = true
	case r.acceptWords("absolute"), r.acceptWords("relative"):
		s.Absolute = true
		if _, err := r.readSignedCount(); err != nil {
			return nil, err
		}
	case r.acceptWords("all"):
		s.All = true
	case r.acceptWords("forward"):
		if err := r.readForwardCount(s); err != nil {
			return nil, err
		}
	case r.acceptWords("backward"):
		if err := r.readForwardCount(s); err != nil {
			return nil, err
		}
		if s.All {
			s.All, s.Count = false, 1
		}
		s.Count = -s.Count
	case r.peekToken(0).Kind == parse.NumberToken, r.peekToken(0).IsSymbol("-"), r.peekToken(0).IsSymbol("+"):
		n, err := r.readSignedCount()
		if err != nil {
			return nil, err
		}
		s.Count = n
	}
	if !r.acceptWords("from") {
		r.acceptWords("in")
	}
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	s.Name = name
	return r.expectEnd(s)
}

// readForwardCount reads what may be after FORWARD: a count, ALL or nothing.
func (r *reader) readForwardCount(s *Fetch) error {
	switch {
	case r.acceptWords("all"):
		s.All = true
	case r.peekToken(0).Kind == parse.NumberToken, r.peekToken(0).IsSymbol("-"), r.peekToken(0).IsSymbol("+"):
		n, err := r.readSignedCount()
		s.Count = n
		return err
	}
	return nil
}

func (r *reader) readSignedCount() (int64, error) {
	negative := r.acceptSymbol("-")
	if !negative {
		r.acceptSymbol("+")
	}
	n, err := strconv.ParseInt(r.peekToken(0).Text, 10, 64)
	if r.isAtEnd() || r.peekToken(0).Kind != parse.NumberToken || err != nil {
		return 0, r.unexpectedTokenError("a number of rows")
	}
	r.at++
	if negative {
		n = -n
	}
	return n, nil
}

func (r *reader) readClose() (Statement, error) {
	if r.acceptWords("all") {
		return r.expectEnd(&CloseCursor{})
	}
	name, err := r.expectName()
	if err != nil {
		return nil, err
	}
	return r.expectEnd(&CloseCursor{Name: name})
}
