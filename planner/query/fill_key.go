package query

import (
	"encoding/json"
	"strconv"

	"github.com/semlayer/semlayer/planner/planerr"
)

// Fill requests the periods without data. Value is the JSON number that takes the place of
// null in their rows, "" for none.
type Fill struct{ Value string }

// MarshalJSON writes {"value": number}, or {}.
func (f Fill) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value json.Number `json:"value,omitempty"`
	}{json.Number(f.Value)})
}

var fillKeyReaders = []keyReader[Fill]{
	{bodyKey{"value", bodyKeyValueNumber, nil}, func(s *scanner, f *Fill) error { return readNumber(s, &f.Value) }},
}

func readFill(s *scanner, into **Fill) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(Fill)
	return readObject(s, fillKeyReaders, *into)
}

// readNumber reads the text of a finite number.
func readNumber(s *scanner, into *string) error {
	if s.consumeNull() {
		return nil
	}
	if c := s.peek(); c != '-' && (c < '0' || c > '9') {
		return s.wrongTypeError("a number")
	}
	digits, err := s.readNumberToken()
	if err != nil {
		return err
	}
	*into = digits
	if err := s.checkNameLength(digits); err != nil {
		return err
	}
	if _, err := strconv.ParseFloat(digits, 64); err != nil {
		return badRequestError(s.pathText() + " must be a number that DOUBLE holds, not " + planerr.ClipText(digits))
	}
	return nil
}
