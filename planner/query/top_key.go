package query

import "github.com/semlayer/semlayer/modelspec/limits"

// Top keeps the N largest values of a grouped column and merges the others into one.
type Top struct {
	Dimension string    `json:"dimension"`
	N         int64     `json:"n"`
	By        string    `json:"by,omitempty"`     // the column of a metric; "" is the first
	Desc      *bool     `json:"desc,omitempty"`   // nil is true
	Within    []string  `json:"within,omitempty"` // columns, for each of whose groups values are kept
	Other     *TopOther `json:"other,omitempty"`  // nil merges the other values into null
	Rank      *TopRank  `json:"rank,omitempty"`   // nil ranks over the rows of the query
}

// TopOther selects what Top does with the values that it does not keep: it merges them into one with a
// label, or drops their rows.
type TopOther struct {
	Label string
	Off   bool
}

// MarshalJSON writes the label, or false.
func (o TopOther) MarshalJSON() ([]byte, error) {
	if o.Off {
		return []byte("false"), nil
	}
	return marshalText(o.Label)
}

var topKeyReaders = []keyReader[Top]{
	{bodyKey{"dimension", bodyKeyValueText, nil}, func(s *scanner, t *Top) error { return readNonEmptyName(s, &t.Dimension) }},
	{bodyKey{"n", bodyKeyValueInteger, nil}, func(s *scanner, t *Top) error { return readPositiveInteger(s, &t.N, limits.QueryTopValues) }},
	{bodyKey{"by", bodyKeyValueText, nil}, func(s *scanner, t *Top) error { return readNonEmptyName(s, &t.By) }},
	{bodyKey{"desc", bodyKeyValueBoolean, nil}, func(s *scanner, t *Top) error { return readOptionalBool(s, &t.Desc) }},
	{bodyKey{"within", bodyKeyValueTextArray, nil}, func(s *scanner, t *Top) error { return readDistinctNames(s, &t.Within, limits.QueryGroupBys) }},
	{bodyKey{"rank", bodyKeyValueFixedKeysObject, keysOfReaders(topRankKeyReaders)}, func(s *scanner, t *Top) error { return readTopRank(s, &t.Rank) }},
	{bodyKey{"other", bodyKeyValueBooleanOrText, nil}, func(s *scanner, t *Top) error { return readTopOther(s, &t.Other) }},
}

func readTop(s *scanner, into **Top) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(Top)
	if err := readObject(s, topKeyReaders, *into); err != nil {
		return err
	}
	if (*into).Dimension == "" || (*into).N == 0 {
		return badRequestError(s.pathText() + ` needs a dimension and an n, as in {"dimension": "category", "n": 5}`)
	}
	return nil
}

// readTopOther reads true, false or a label. true is the same as none.
func readTopOther(s *scanner, into **TopOther) error {
	switch s.peek() {
	case 't':
		_, err := s.readLiteralWord()
		return err
	case 'f':
		*into = &TopOther{Off: true}
		_, err := s.readLiteralWord()
		return err
	case '"':
		*into = new(TopOther)
		return readNonEmptyName(s, &(*into).Label)
	}
	if s.consumeNull() {
		return nil
	}
	return s.wrongTypeError("true, false or a label")
}
