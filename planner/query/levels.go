package query

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// ShareRequest requests the values of a metric divided by its values at the level of the columns Of.
type ShareRequest struct {
	Metric string   `json:"metric"`
	Of     []string `json:"of,omitempty"`
}

var shareKeyReaders = []keyReader[ShareRequest]{
	{bodyKey{"metric", bodyKeyValueText, nil}, func(s *scanner, h *ShareRequest) error { return readNonEmptyName(s, &h.Metric) }},
	{bodyKey{"of", bodyKeyValueTextArray, nil}, func(s *scanner, h *ShareRequest) error { return readDistinctNames(s, &h.Of, limits.QueryGroupBys) }},
}

func readShares(s *scanner, into *[]ShareRequest) error {
	const example = `{"metric": "revenue"}`
	return s.readArray(limits.QueryShares, "an array of objects such as "+example, func(int) error {
		var h ShareRequest
		if err := readObject(s, shareKeyReaders, &h); err != nil {
			return err
		}
		*into = append(*into, h)
		return s.requireKeyValue(h.Metric, "a metric", example)
	})
}

// readTotalLevels reads sets of columns that differ.
func readTotalLevels(s *scanner, into *[][]string) error {
	if s.consumeNull() {
		return nil
	}
	err := s.readArray(limits.QueryTotals, `an array of arrays of columns such as [["region"], []]`, func(int) error {
		if s.peek() != '[' {
			return s.wrongTypeError("an array of strings")
		}
		columns := []string{}
		if err := readDistinctNames(s, &columns, limits.QueryGroupBys); err != nil {
			return err
		}
		if slices.ContainsFunc(*into, func(earlier []string) bool { return haveSameNames(earlier, columns) }) {
			return badRequestError(s.pathText() + " repeats an earlier item")
		}
		*into = append(*into, columns)
		return nil
	})
	if err == nil && len(*into) == 0 {
		return badRequestError(s.pathText() + " needs an item; [] is the grand total, as in [[]]")
	}
	return err
}

// HaveSame reports whether two lists of distinct names hold the same, in any order.
func haveSameNames(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool { return !slices.Contains(b, name) })
}
