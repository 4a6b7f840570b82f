package query

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Compare requests the values of metrics in an earlier range beside those of the range of the
// query. Exactly one of Offset and Range is given. Without Metrics all are compared.
type Compare struct {
	Offset  *PeriodOffset `json:"offset,omitempty"`
	Range   *TimeRange    `json:"range,omitempty"`
	Metrics []string      `json:"metrics,omitempty"`
	Name    string        `json:"name,omitempty"`  // ends the names of the columns; "" for none
	Align   string        `json:"align,omitempty"` // AlignWeekday; "" moves to the same date
	// Listed: it is the one item of a list, and has a name.
	Listed bool `json:"-"`
}

// AlignWeekday moves a range by whole weeks, so that each day meets one of its weekday.
const AlignWeekday = "weekday"

// Comparisons are the earlier ranges that a query compares with. In JSON, one of them is an object and several are a list; a list of one is
// read, and is a list again if its item has a name.
type Comparisons []Compare

// MarshalJSON writes the object, or the list.
func (c Comparisons) MarshalJSON() ([]byte, error) {
	if len(c) == 1 && !c[0].Listed {
		return json.Marshal(c[0])
	}
	return json.Marshal([]Compare(c))
}

// previousTag is in the names of what is computed for an earlier range.
const previousTag = "previous"

// RangeTag returns what is in the names of what is computed for the earlier range of a comparison: the name of the comparison too, where
// there may be others.
func (c Comparisons) RangeTag(i int) string {
	if !c.IsList() {
		return previousTag
	}
	return c[i].nameOfKind(previousTag)
}

// IsList reports whether names distinguish one comparison from others.
func (c Comparisons) IsList() bool { return len(c) > 1 || len(c) == 1 && c[0].Listed }

// HasResolvedRanges reports whether a response has the earlier ranges.
func (c Comparisons) HasResolvedRanges() bool {
	return c.IsList() || slices.ContainsFunc(c, func(item Compare) bool { return item.Align != "" })
}

// With returns the comparisons with another in the place of one.
func (c Comparisons) With(i int, changed Compare) Comparisons {
	out := slices.Clone(c)
	out[i] = changed
	return out
}

// Without returns the comparisons without one; nil for the last.
func (c Comparisons) Without(i int) Comparisons {
	if len(c) == 1 {
		return nil
	}
	return slices.Delete(slices.Clone(c), i, i+1)
}

// ColumnName returns the name of a column that compare adds for another one.
func (c Compare) ColumnName(column, kind string) string { return column + "__" + c.nameOfKind(kind) }

// nameOfKind returns a word with the name of the comparison.
func (c Compare) nameOfKind(kind string) string {
	if c.Name == "" {
		return kind
	}
	return kind + "__" + c.Name
}

// PeriodOffset is a number of periods back in time.
type PeriodOffset struct {
	Count int64  `json:"count"`
	Unit  string `json:"unit"`
}

var compareKeyReaders = []keyReader[Compare]{
	{bodyKey{"offset", bodyKeyValueFixedKeysObject, keysOfReaders(periodOffsetKeyReaders)}, func(s *scanner, c *Compare) error { return readPeriodOffset(s, &c.Offset) }},
	{bodyKey{"range", bodyKeyValueFixedKeysObject, keysOfReaders(boundedRangeKeyReaders)}, func(s *scanner, c *Compare) error { return readBoundedTimeRange(s, &c.Range) }},
	{bodyKey{"metrics", bodyKeyValueTextArray, nil}, func(s *scanner, c *Compare) error {
		return readDistinctNonEmptyNames(s, &c.Metrics, limits.QueryMetrics)
	}},
	{bodyKey{"name", bodyKeyValueText, nil}, func(s *scanner, c *Compare) error { return readCompareName(s, &c.Name) }},
	{bodyKey{"align", bodyKeyValueText, nil}, func(s *scanner, c *Compare) error { return readChoice(s, &c.Align, []string{AlignWeekday}) }},
}

var periodOffsetKeyReaders = []keyReader[PeriodOffset]{
	{bodyKey{"count", bodyKeyValueInteger, nil}, func(s *scanner, o *PeriodOffset) error { return readPositiveInteger(s, &o.Count, math.MaxInt64) }},
	{bodyKey{"unit", bodyKeyValueText, nil}, func(s *scanner, o *PeriodOffset) error { return readNonEmptyName(s, &o.Unit) }},
}

// readComparisons reads an object, or a list of them.
func readComparisons(s *scanner, into *Comparisons) error {
	switch {
	case s.consumeNull():
		return nil
	case s.peek() == '{':
		*into = make(Comparisons, 1)
		return readCompare(s, &(*into)[0])
	case s.peek() != '[':
		return s.wrongTypeError("an object or a list of objects")
	}
	err := s.readArray(limits.QueryComparisons, "a list of objects", func(int) error {
		var c Compare
		if err := readCompare(s, &c); err != nil {
			return err
		}
		*into = append(*into, c)
		return nil
	})
	switch n := len(*into); {
	case err != nil:
		return err
	case n == 0:
		return badRequestError(s.pathText() + ` needs at least one comparison, as in [{"offset": {"count": 1, "unit": "year"}}]`)
	case n == 1:
		(*into)[0].Listed = (*into)[0].Name != ""
	}
	return nil
}

func readCompare(s *scanner, into *Compare) error {
	if err := readObject(s, compareKeyReaders, into); err != nil {
		return err
	}
	if (into.Offset == nil) == (into.Range == nil) {
		return badRequestError(s.pathText() + ` needs either an offset or a range, as in {"offset": {"count": 1, "unit": "year"}}`)
	}
	return nil
}

// readCompareName reads letters, digits and underscores.
func readCompareName(s *scanner, into *string) error {
	if err := readNonEmptyName(s, into); err != nil {
		return err
	}
	isOther := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	if strings.ContainsFunc(*into, isOther) || len(*into) > maxCompareNameLength {
		return badRequestError(s.pathText() + " " + planerr.ClipText(*into) + " may hold only letters, digits and _, at most 128")
	}
	return nil
}

// maxCompareNameLength is that of other names that a query gives.
const maxCompareNameLength = 128

func readPeriodOffset(s *scanner, into **PeriodOffset) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(PeriodOffset)
	if err := readObject(s, periodOffsetKeyReaders, *into); err != nil {
		return err
	}
	if (*into).Count == 0 || (*into).Unit == "" {
		return badRequestError(s.pathText() + ` needs a count and a unit, as in {"count": 1, "unit": "year"}`)
	}
	return nil
}

// readBoundedTimeRange reads a range with both bounds.
func readBoundedTimeRange(s *scanner, into **TimeRange) error {
	if err := readTimeRange(s, boundedRangeKeyReaders, into); err != nil || *into == nil {
		return err
	}
	if (*into).Start == "" || (*into).End == "" {
		return badRequestError(s.pathText() + ` needs a start and an end, as in {"start": "2023-01-01", "end": "2024-01-01"}`)
	}
	return nil
}
