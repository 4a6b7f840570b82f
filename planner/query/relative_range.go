package query

import (
	"math"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// RelativeRange is the last N units before a given time. Complete is false where the unit
// that holds that time counts too; nil is true.
type RelativeRange struct {
	N        int64  `json:"n"`
	Unit     string `json:"unit"`
	Complete *bool  `json:"complete,omitempty"`
}

var relativeRangeKeyReaders = []keyReader[RelativeRange]{
	{bodyKey{"n", bodyKeyValueInteger, nil}, func(s *scanner, r *RelativeRange) error { return readPositiveInteger(s, &r.N, math.MaxInt64) }},
	{bodyKey{"unit", bodyKeyValueText, nil}, func(s *scanner, r *RelativeRange) error { return s.readName(&r.Unit) }},
	{bodyKey{"complete", bodyKeyValueBoolean, nil}, func(s *scanner, r *RelativeRange) error { return readOptionalBool(s, &r.Complete) }},
}

// relativeUnits are the grains in which a relative range counts: those from minutes on.
var relativeUnits = sqlexpr.GrainNames()[1:]

func readRelativeRange(s *scanner, into **RelativeRange) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(RelativeRange)
	if err := readObject(s, relativeRangeKeyReaders, *into); err != nil {
		return err
	}
	if (*into).N == 0 || (*into).Unit == "" {
		return badRequestError(s.pathText() + ` needs an n and a unit, as in {"n": 3, "unit": "month"}`)
	}
	return nil
}

// checkRelativeUnit rejects a relative range of a unit that is not one.
func (t *TimeRange) checkRelativeUnit(s *scanner) error {
	if t.Last == nil || slices.Contains(relativeUnits, t.Last.Unit) {
		return nil
	}
	e := unknownChoiceError(s.pathText()+".last.unit", t.Last.Unit, relativeUnits)
	if meant, ok := nearestChoice(t.Last.Unit, relativeUnits); ok {
		path := append(slices.Clone(s.path), jsonPathStep{key: "last", index: -1}, jsonPathStep{key: "unit", index: -1})
		return misspeltWordError{e, path, strconv.Quote(meant)}
	}
	return e
}
