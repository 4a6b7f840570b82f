package query

import (
	"bytes"
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// At computes a metric for other groups than those of the query. Each row shows the value of the groups that it belongs to.
type At struct {
	// Include are groups that are added, `field`, `field:grain` or `field:part`. The expression aggregates over them.
	Include []string
	// Exclude are grouped fields, or group columns, that are left out.
	Exclude []string
	// Only are the only ones that are kept, where OnlyThese is set; empty, none is.
	Only      []string
	OnlyThese bool
	// Unfiltered are fields: the row conditions over them alone, and a range over one, do not count.
	Unfiltered []string
	// UnfilteredRows: no row condition of the query counts; the range does.
	UnfilteredRows bool
}

const atExample = `{"include": ["orders.customer_id"]}`

var atKeyReaders = []keyReader[At]{
	{bodyKey{"include", bodyKeyValueTextArray, nil}, func(s *scanner, a *At) error {
		return readDistinctNonEmptyNames(s, &a.Include, catalog.MaxIncludedGroups)
	}},
	{bodyKey{"exclude", bodyKeyValueTextArray, nil}, func(s *scanner, a *At) error { return readDistinctNonEmptyNames(s, &a.Exclude, limits.QueryGroupBys) }},
	{bodyKey{"only", bodyKeyValueTextArray, nil}, readKeptGroups},
	{bodyKey{"unfiltered", bodyKeyValueTextArray, nil}, readUnfiltered},
}

func readKeptGroups(s *scanner, a *At) error {
	a.OnlyThese = s.peek() == '['
	return readDistinctNames(s, &a.Only, limits.QueryGroupBys)
}

// readUnfiltered reads true or fields.
func readUnfiltered(s *scanner, a *At) error {
	switch s.peek() {
	case 't':
		a.UnfilteredRows = true
		_, err := s.readLiteralWord()
		return err
	case '[', 'n':
		return readDistinctNonEmptyNames(s, &a.Unfiltered, limits.QueryGroupBys)
	}
	return s.wrongTypeError("true or an array of fields")
}

func readAt(s *scanner, into **At) error {
	if s.consumeNull() {
		return nil
	}
	a := new(At)
	if err := readObject(s, atKeyReaders, a); err != nil {
		return err
	}
	switch {
	case a.IsZero():
		return badRequestError(s.pathText() + " needs include, exclude, only or unfiltered, as in " + atExample)
	case len(a.Exclude) > 0 && a.OnlyThese:
		return badRequestError(s.pathText() + " has exclude and only; give one of them")
	}
	*into = a
	return nil
}

// IsZero reports whether the level is that of the query.
func (a *At) IsZero() bool {
	return len(a.Include) == 0 && len(a.Exclude) == 0 && !a.OnlyThese && len(a.Unfiltered) == 0 && !a.UnfilteredRows
}

// MarshalJSON writes the keys that are given.
func (a *At) MarshalJSON() ([]byte, error) {
	type member struct {
		key   string
		value any
		given bool
	}
	only := a.Only
	if only == nil {
		only = []string{}
	}
	members := []member{
		{"include", a.Include, len(a.Include) > 0}, {"exclude", a.Exclude, len(a.Exclude) > 0}, {"only", only, a.OnlyThese},
		{"unfiltered", true, a.UnfilteredRows}, {"unfiltered", a.Unfiltered, len(a.Unfiltered) > 0},
	}
	var out bytes.Buffer
	values := json.NewEncoder(&out)
	values.SetEscapeHTML(false)
	sep := byte('{')
	for _, m := range members {
		if !m.given {
			continue
		}
		out.WriteByte(sep)
		sep = ','
		out.WriteString(`"` + m.key + `":`)
		if err := values.Encode(m.value); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // the new line of the encoder
	}
	if sep == '{' {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func (k cacheKeyBytes) appendAt(a *At) cacheKeyBytes {
	if a == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendTextList(a.Include).appendTextList(a.Exclude).appendBool(a.OnlyThese).appendTextList(a.Only).
		appendTextList(a.Unfiltered).appendBool(a.UnfilteredRows)
}
