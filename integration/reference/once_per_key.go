package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/query"
)

// countsOncePerGroup reports whether the query has each row of a dataset counted once in each group
// where joins repeat it. The dataset needs a key for that.
func (e *evaluator) countsOncePerGroup(home *catalog.Dataset) bool {
	return e.q.FanOut == query.FanOutOncePerGroup && len(primaryOrUniqueKeyColumns(home)) > 0
}

// primaryOrUniqueKeyColumns returns the primary key of a dataset, or without one its first unique key.
func primaryOrUniqueKeyColumns(d *catalog.Dataset) []string {
	switch {
	case len(d.PrimaryKey) > 0:
		return d.PrimaryKey
	case len(d.UniqueKeys) > 0:
		return d.UniqueKeys[0]
	}
	return nil
}

// keepOncePerKey keeps one of the joined rows of a group for each key of the home.
func (e *evaluator) keepOncePerKey(home *catalog.Dataset, members []branchRow, place string) []branchRow {
	var out []branchRow
	seen := map[string]bool{}
	for _, f := range members {
		row := f.row[place]
		if row == nil {
			continue
		}
		var key []Value
		for _, name := range primaryOrUniqueKeyColumns(home) {
			key = append(key, e.keyColumnValue(home, name, row))
		}
		if k := groupKey(key...); !seen[k] {
			seen[k] = true
			out = append(out, f)
		}
	}
	return out
}

// keyColumnValue returns the value of a key's column, which a field may name.
func (e *evaluator) keyColumnValue(d *catalog.Dataset, name string, row Row) Value {
	at := slices.IndexFunc(d.Fields, func(f *catalog.Field) bool { return f.Name == name })
	if at < 0 {
		at = slices.IndexFunc(d.Fields, func(f *catalog.Field) bool { return f.MatchesColumnName(name) })
	}
	if at < 0 {
		abstain("a key column without a field")
	}
	return e.fieldValue(d.Fields[at], row)
}
