package reference

import (
	"fmt"
	"slices"
)

// totalsLevel holds for each group-by whether rows are grouped by it. nil is all of them.
type totalsLevel []bool

func (v totalsLevel) groupsBy(i int) bool { return v == nil || v[i] }

// isSubsetOf reports whether all columns of a level are columns of another one.
func (v totalsLevel) isSubsetOf(o totalsLevel) bool {
	for i := range v {
		if v[i] && !o.groupsBy(i) {
			return false
		}
	}
	return true
}

// maskGroups returns the values at a level: NULL outside of it.
func (v totalsLevel) maskGroups(dims []Value) []Value {
	out := slices.Clone(dims)
	for i := range out {
		if !v.groupsBy(i) {
			out[i] = nil
		}
	}
	return out
}

// levelOfAllGroups is level 0: all group-bys.
func (e *evaluator) levelOfAllGroups() totalsLevel {
	return slices.Repeat([]bool{true}, len(e.groups))
}

// levelOfColumns returns the level of some group-by columns. With the dimension of top goes its Boolean.
func (e *evaluator) levelOfColumns(names []string) (totalsLevel, bool) {
	out := make(totalsLevel, len(e.groups))
	for _, name := range names {
		i := e.groupByIndexNamed(name)
		if i < 0 {
			e.addMustRejectCode("unknown_dimension")
			return nil, false
		}
		if out[i] {
			e.addMustRejectCode("bad_request")
		}
		out[i] = true
		if i+1 < len(e.groups) && e.groups[i+1].isOther {
			out[i+1] = true
		}
	}
	return out, true
}

// levelResult is what the branches give at one level: the groups that some branch has, and the
// value of each metric column for a group.
type levelResult struct {
	groups       map[string][]Value
	groupsRead   map[string][]Value // without their bucket: of rows that windows read
	columnValues []func(dims []Value) Value
}

// evaluateLevel aggregates the input rows at a level. The level without any column has one group,
// if need be of nothing.
func (e *evaluator) evaluateLevel(v totalsLevel) levelResult {
	name := fmt.Sprint(v, e.timeRanges, e.columnSubset, e.top.areKeptValuesKnown(), e.compare.numberInQuery())
	if done, ok := e.levelResults[name]; ok {
		return done
	}
	e.currentLevel, e.branchGroups, e.groupsRead = v, map[string][]Value{}, map[string][]Value{}
	out := levelResult{groups: e.branchGroups, groupsRead: e.groupsRead}
	if nothing := make([]Value, len(e.groups)); e.isCurrentLevelGrandTotal() {
		out.groups[groupKey(nothing...)] = nothing
	}
	out.columnValues = make([]func([]Value) Value, len(e.columns))
	for i, c := range e.columns {
		if e.columnSubset == nil || slices.Contains(e.columnSubset, i) {
			out.columnValues[i] = e.evaluateMetric(c.metric, nil, c)
		}
	}
	e.levelResults[name] = out
	return out
}

// isCurrentLevelGrandTotal reports whether the level groups by nothing.
func (e *evaluator) isCurrentLevelGrandTotal() bool { return !slices.Contains(e.currentLevel, true) }
