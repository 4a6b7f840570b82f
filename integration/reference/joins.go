package reference

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// joinStep is one relationship followed in one direction.
type joinStep struct {
	rel        *catalog.Relationship
	isReversed bool
}

func (s joinStep) sourceDataset() *catalog.Dataset {
	if s.isReversed {
		return s.rel.To
	}
	return s.rel.From
}

func (s joinStep) targetDataset() *catalog.Dataset {
	if s.isReversed {
		return s.rel.From
	}
	return s.rel.To
}

// isSafeStep reports whether following the step never makes two rows of one.
func isSafeStep(s joinStep) bool {
	switch s.rel.Cardinality {
	case modelspec.OneToOne:
		return true
	case modelspec.ManyToOne:
		return !s.isReversed
	}
	return false
}

// isForwardStep reports whether the step follows its relationship as it is declared.
func isForwardStep(s joinStep) bool { return !s.isReversed }

// pathsBetween lists all paths that visit no dataset twice and take usable steps
// only. From a dataset to itself there is the empty one.
func pathsBetween(cat *catalog.Catalog, from, to *catalog.Dataset, usable func(joinStep) bool) [][]joinStep {
	var found [][]joinStep
	var walk func(at *catalog.Dataset, path []joinStep)
	walk = func(at *catalog.Dataset, path []joinStep) {
		if at == to {
			found = append(found, slices.Clone(path))
			return
		}
		for _, rel := range cat.Relationships {
			for _, s := range []joinStep{{rel, false}, {rel, true}} {
				visited := s.targetDataset() == from || slices.ContainsFunc(path, func(p joinStep) bool { return p.targetDataset() == s.targetDataset() })
				if s.sourceDataset() == at && !rel.IsSelfJoin() && !rel.NamedOnly && !visited && usable(s) {
					walk(s.targetDataset(), append(path, s))
				}
			}
		}
	}
	walk(from, nil)
	return found
}

// pathKey names the place that a path leads to.
func pathKey(path []joinStep) string {
	key := ""
	for _, s := range path {
		key += strconv.Itoa(s.rel.ID)
		if s.isReversed {
			key += "<"
		} else {
			key += ">"
		}
	}
	return key
}

// joinedRow is one row of a join: the stored row at each place, nil where the
// place has no partner. The root is at "".
type joinedRow map[string]Row

// joinAlongPaths makes the rows of a root joined along paths. A row without a partner
// stays with NULLs, unless the relationship is declared inner.
func (e *evaluator) joinAlongPaths(root *catalog.Dataset, paths [][]joinStep) []joinedRow {
	var rows []joinedRow
	for _, r := range e.rowsOfDataset(root) {
		rows = append(rows, joinedRow{"": r})
	}
	done := map[string]bool{"": true}
	for _, path := range paths {
		for i := range path {
			if key := pathKey(path[:i+1]); !done[key] {
				done[key] = true
				rows = e.joinAlongStep(rows, path[i], pathKey(path[:i]), key)
			}
		}
	}
	return rows
}

func (e *evaluator) joinAlongStep(rows []joinedRow, s joinStep, from, to string) []joinedRow {
	var out []joinedRow
	for _, row := range rows {
		partners := e.rowsJoinedByStep(s, row[from])
		if len(partners) == 0 && s.rel.JoinType != catalog.JoinInner {
			partners = []Row{nil}
		}
		for _, p := range partners {
			wider := joinedRow{to: p}
			for place, r := range row {
				wider[place] = r
			}
			out = append(out, wider)
		}
	}
	return out
}

// rowsJoinedByStep finds the rows that a step leads to from a row.
func (e *evaluator) rowsJoinedByStep(s joinStep, r Row) []Row {
	if r == nil {
		return nil
	}
	mine, theirs := s.rel.FromFields, s.rel.ToFields
	if s.isReversed {
		mine, theirs = theirs, mine
	}
	var found []Row
	for _, other := range e.rowsOfDataset(s.targetDataset()) {
		match := true
		for i := range mine {
			a, b := e.fieldValue(mine[i], r), e.fieldValue(theirs[i], other)
			if a == nil || b == nil || compareNullsLast(a, b) != 0 {
				match = false
				break
			}
		}
		if match {
			found = append(found, other)
		}
	}
	if s.rel.Valid != nil {
		if s.isReversed {
			abstain("a relationship that is valid for a time, backwards")
		}
		found = e.validRows(s.rel.Valid, r, found)
	}
	if len(found) > 1 && isSafeStep(s) {
		failUnsupported("the data break the promise of the relationship %s", s.rel.Name)
	}
	return found
}
