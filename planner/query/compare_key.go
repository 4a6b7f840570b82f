package query

import (
	"math"
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
}

// AlignWeekday moves a range by whole weeks, so that each day meets one of its weekday.
const AlignWeekday = "weekday"

// HasResolvedRange reports whether a response has the earlier range.
func (c *Compare) HasResolvedRange() bool { return c != nil && c.Align != "" }

// ColumnName returns the name of a column that compare adds for another one.
func (c *Compare) ColumnName(column, kind string) string {
	if c.Name == "" {
		return column + "__" + kind
	}
	return column + "__" + kind + "__" + c.Name
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

func readCompare(s *scanner, into **Compare) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(Compare)
	if err := readObject(s, compareKeyReaders, *into); err != nil {
		return err
	}
	if ((*into).Offset == nil) == ((*into).Range == nil) {
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
