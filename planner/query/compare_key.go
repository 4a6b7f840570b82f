package query

import (
	"math"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// Compare requests the values of metrics in an earlier range beside those of the range of the
// query. Exactly one of Offset and Range is given. Without Metrics all are compared.
type Compare struct {
	Offset  *PeriodOffset `json:"offset,omitempty"`
	Range   *TimeRange    `json:"range,omitempty"`
	Metrics []string      `json:"metrics,omitempty"`
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
