package metric

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// levelColumnName is the column of the result that holds the level of a row.
const levelColumnName = "level"

// Levels are the levels at which a query is computed: sets of its group-bys. Level 0 is all of them, the
// next ones are the items of totals, and the rest are hidden ones that shares divide by. A query with
// neither totals nor shares has no Levels, as one level needs no number.
type Levels struct {
	groupSets  [][]int // of each level the positions of its group-bys, ascending
	shownCount int     // levels that the result shows
	// shares is, for each item of shares, the level that it divides by.
	shares []int
}

// hasSeveralLevels reports whether rows differ in their level.
func (l Levels) hasSeveralLevels() bool { return len(l.groupSets) > 1 }

// hasTotals reports whether the result shows more levels than the group-bys.
func (l Levels) hasTotals() bool { return l.shownCount > 1 }

// levelOfGroupSet returns the level of a set of group-bys; -1 if the query has no such level.
func (l Levels) levelOfGroupSet(set []int) int {
	return slices.IndexFunc(l.groupSets, func(s []int) bool { return slices.Equal(s, set) })
}

// findOrAddGroupSet returns the levels with one of a set, and its number.
func (l Levels) findOrAddGroupSet(set []int) (Levels, int) {
	if i := l.levelOfGroupSet(set); i >= 0 {
		return l, i
	}
	l.groupSets = append(l.groupSets, set)
	return l, len(l.groupSets) - 1
}

// levelsWithout lists the levels without a group-by.
func (l Levels) levelsWithout(group int) []int {
	var out []int
	for i, set := range l.groupSets {
		if !slices.Contains(set, group) {
			out = append(out, i)
		}
	}
	return out
}

// levelsContaining lists the shown levels with all of some group-bys.
func (l Levels) levelsContaining(groups []int) []int {
	var out []int
	for i, set := range l.groupSets[:l.shownCount] {
		if !slices.ContainsFunc(groups, func(g int) bool { return !slices.Contains(set, g) }) {
			out = append(out, i)
		}
	}
	return out
}

// resultRowKeyColumnCount returns the number of columns that identify a row: the group-bys, and the level where there are several.
func (a *resolvedQuery) resultRowKeyColumnCount() int { return countKeyColumns(a.groups, a.levels) }

func countKeyColumns(groups []ResolvedGroupBy, levels Levels) int {
	if levels.hasSeveralLevels() {
		return len(groups) + 1
	}
	return len(groups)
}

// resolveLevels resolves the levels that totals and shares request.
func resolveLevels(in *Env, groups []ResolvedGroupBy) (Levels, error) {
	q := in.Query
	if len(q.Totals) == 0 && len(q.Shares) == 0 {
		return Levels{}, nil
	}
	l := Levels{groupSets: make([][]int, 1, 1+len(q.Totals)+len(q.Shares)), shares: make([]int, len(q.Shares))}
	l.groupSets[0] = make([]int, len(groups))
	for i := range groups {
		l.groupSets[0][i] = i
	}
	for i, names := range q.Totals {
		set, err := groupPositionFinder{in, groups, "totals"}.findGroupPositions(names, func(better []string) map[string]any { return replaceTotalRetry(q, i, better) })
		if err != nil {
			return Levels{}, err
		}
		if same := l.levelOfGroupSet(set); same >= 0 {
			return Levels{}, repeatedTotalError(q, i, same)
		}
		l.groupSets = append(l.groupSets, set)
	}
	l.shownCount = len(l.groupSets)
	for i, s := range q.Shares {
		set, err := groupPositionFinder{in, groups, "shares"}.findGroupPositions(s.Of, func(better []string) map[string]any {
			shares := slices.Clone(q.Shares)
			shares[i].Of = better
			return map[string]any{"shares": shares}
		})
		if err != nil {
			return Levels{}, err
		}
		l, l.shares[i] = l.findOrAddGroupSet(set)
	}
	return l, nil
}

// repeatedTotalError returns the error of an item of totals that is the group-bys of another level.
func repeatedTotalError(q *query.MetricQuery, item, level int) error {
	message := "totals[" + strconv.Itoa(item) + "] is all of group_by, whose rows the result has anyway"
	if level > 0 {
		message = "totals[" + strconv.Itoa(item) + "] repeats totals[" + strconv.Itoa(level-1) + "]"
	}
	return &planerr.Error{Code: planerr.CodeBadRequest, Message: message, Fragment: dropTotalRetry(q, item)}
}

func dropTotalRetry(q *query.MetricQuery, item int) map[string]any {
	rest := slices.Delete(slices.Clone(q.Totals), item, item+1)
	if len(rest) == 0 {
		return map[string]any{"totals": nil}
	}
	return map[string]any{"totals": rest}
}

// replaceTotalRetry returns a retry with another item of totals, or without it where that repeats one.
func replaceTotalRetry(q *query.MetricQuery, item int, better []string) map[string]any {
	for i, other := range q.Totals {
		if i != item && haveSameNames(other, better) {
			return dropTotalRetry(q, item)
		}
	}
	totals := slices.Clone(q.Totals)
	totals[item] = better
	return map[string]any{"totals": totals}
}

func haveSameNames(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool { return !slices.Contains(b, name) })
}
