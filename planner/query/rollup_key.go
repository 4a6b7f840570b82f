package query

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/planner/planerr"
)

// Rollups is which tables a query may read in the place of the base tables: those that the model declares as rollups, none of
// them, or nothing but them.
type Rollups uint8

// The choices of the key rollups. RollupsAllowed is the default.
const (
	RollupsAllowed Rollups = iota
	RollupsOff
	RollupsOnly
)

// rollupsOnlyText is the one choice of the key that is not a boolean.
const rollupsOnlyText = "only"

// String returns the choice as the key spells it.
func (r Rollups) String() string {
	switch r {
	case RollupsOff:
		return "false"
	case RollupsOnly:
		return rollupsOnlyText
	}
	return "true"
}

// MarshalJSON writes true, false or "only".
func (r Rollups) MarshalJSON() ([]byte, error) {
	if r == RollupsOnly {
		return json.Marshal(rollupsOnlyText)
	}
	return []byte(r.String()), nil
}

// Or returns the choice, or the default where it is nil.
func (r *Rollups) Or(absent Rollups) Rollups {
	if r == nil {
		return absent
	}
	return *r
}

// ParseRollups reads a choice as the key spells it: true, false or only.
func ParseRollups(text string) (Rollups, bool) {
	for _, r := range []Rollups{RollupsAllowed, RollupsOff, RollupsOnly} {
		if r.String() == text {
			return r, true
		}
	}
	return RollupsAllowed, false
}

func readRollups(s *scanner, into **Rollups) error {
	if s.consumeNull() {
		return nil
	}
	const expected = `true, false or "only"`
	var text string
	switch c := s.peek(); c {
	case 't', 'f':
		word, err := s.readLiteralWord()
		if err != nil {
			return err
		}
		text = word
	case '"':
		if err := s.readName(&text); err != nil {
			return err
		}
		if text != rollupsOnlyText {
			e := &planerr.Error{Code: planerr.CodeBadRequest, Message: s.pathText() + " must be " + expected + ", not a string " + planerr.ClipText(text)}
			if meant, ok := nearestChoice(text, []string{"true", "false", rollupsOnlyText}); ok {
				if meant == rollupsOnlyText {
					meant = strconv.Quote(meant)
				}
				return misspeltWordError{e, slices.Clone(s.path), meant}
			}
			return e
		}
	default:
		return s.wrongTypeError(expected)
	}
	choice, _ := ParseRollups(text)
	*into = &choice
	return nil
}
