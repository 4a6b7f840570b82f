package levels

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// IsOneOf returns the condition that a row is of one of some levels.
func IsOneOf(column sqlexpr.Expr, levels []int) sqlexpr.Expr {
	if len(levels) == 1 {
		return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: column, R: build.Integer(levels[0])}
	}
	in := &sqlexpr.In{X: column}
	for _, l := range levels {
		in.Items = append(in.Items, build.Integer(l))
	}
	return in
}

// Column is the column of the result that holds the level of a row.
const Column = "level"

// Levels are the levels at which a query is computed: sets of its group-bys. Level 0 is all of them, the
// next ones are the items of totals, and the rest are hidden ones that shares divide by. A query with
// neither totals nor shares has no Levels, as one level needs no number.
type Levels struct {
	GroupSets  [][]int // of each level the positions of its group-bys, ascending
	ShownCount int     // levels that the result shows
	// Shares is, for each item of shares, the level that it divides by.
	Shares []int
}

// HasSeveralLevels reports whether rows differ in their level.
func (l Levels) HasSeveralLevels() bool { return len(l.GroupSets) > 1 }

// HasTotals reports whether the result shows more levels than the group-bys.
func (l Levels) HasTotals() bool { return l.ShownCount > 1 }

// LevelOfGroupSet returns the level of a set of group-bys; -1 if the query has no such level.
func (l Levels) LevelOfGroupSet(set []int) int {
	return slices.IndexFunc(l.GroupSets, func(s []int) bool { return slices.Equal(s, set) })
}

// findOrAddGroupSet returns the levels with one of a set, and its number.
func (l Levels) findOrAddGroupSet(set []int) (Levels, int) {
	if i := l.LevelOfGroupSet(set); i >= 0 {
		return l, i
	}
	l.GroupSets = append(l.GroupSets, set)
	return l, len(l.GroupSets) - 1
}

// LevelsWithout lists the levels without a group-by.
func (l Levels) LevelsWithout(group int) []int {
	var out []int
	for i, set := range l.GroupSets {
		if !slices.Contains(set, group) {
			out = append(out, i)
		}
	}
	return out
}

// LevelsWithButNot lists the levels with one group-by and without another.
func (l Levels) LevelsWithButNot(with, without int) []int {
	return slices.DeleteFunc(l.LevelsWithout(without), func(i int) bool { return !slices.Contains(l.GroupSets[i], with) })
}

// LevelsContaining lists the shown levels with all of some group-bys.
func (l Levels) LevelsContaining(groups []int) []int {
	var out []int
	for i, set := range l.GroupSets[:l.ShownCount] {
		if !slices.ContainsFunc(groups, func(g int) bool { return !slices.Contains(set, g) }) {
			out = append(out, i)
		}
	}
	return out
}

// CountKeys returns the number of columns that identify a row: the group-bys, and the level where there are several.
func CountKeys(groups []scope.Group, levels Levels) int {
	if levels.HasSeveralLevels() {
		return len(groups) + 1
	}
	return len(groups)
}

// Resolve resolves the levels that totals and shares request.
func Resolve(in *scope.Env, groups []scope.Group) (Levels, error) {
	q := in.Query
	if len(q.Totals) == 0 && len(q.Shares) == 0 {
		return Levels{}, nil
	}
	l := Levels{GroupSets: make([][]int, 1, 1+len(q.Totals)+len(q.Shares)), Shares: make([]int, len(q.Shares))}
	l.GroupSets[0] = make([]int, len(groups))
	for i := range groups {
		l.GroupSets[0][i] = i
	}
	for i, names := range q.Totals {
		set, err := groupPositionFinder{in, groups, "totals"}.findGroupPositions(names, func(better []string) map[string]any { return replaceTotalRetry(q, i, better) })
		if err != nil {
			return Levels{}, err
		}
		if same := l.LevelOfGroupSet(set); same >= 0 {
			return Levels{}, repeatedTotalError(q, i, same)
		}
		l.GroupSets = append(l.GroupSets, set)
	}
	l.ShownCount = len(l.GroupSets)
	for i, s := range q.Shares {
		set, err := groupPositionFinder{in, groups, "shares"}.findGroupPositions(s.Of, func(better []string) map[string]any {
			shares := slices.Clone(q.Shares)
			shares[i].Of = better
			return map[string]any{"shares": shares}
		})
		if err != nil {
			return Levels{}, err
		}
		l, l.Shares[i] = l.findOrAddGroupSet(set)
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
		if i != item && naming.HaveSame(other, better) {
			return dropTotalRetry(q, item)
		}
	}
	totals := slices.Clone(q.Totals)
	totals[item] = better
	return map[string]any{"totals": totals}
}
