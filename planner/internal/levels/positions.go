package levels

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// groupPositionFinder finds the positions of the group-by columns that a key of the query lists.
type groupPositionFinder struct {
	in     *scope.Env
	groups []scope.Group
	key    string
}

// findGroupPositions returns the positions of group-bys, ascending. replaced is the retry with another list.
func (r groupPositionFinder) findGroupPositions(names []string, replaced func([]string) map[string]any) ([]int, error) {
	set := make([]int, 0, len(names))
	for i, name := range names {
		at := indexOfGroupColumn(r.groups, name)
		if at < 0 {
			return nil, r.unknownColumnError(names, i, replaced)
		}
		if slices.Contains(set, at) {
			return nil, &planerr.Error{
				Code:     planerr.CodeBadRequest,
				Message:  r.key + " names " + name + " twice in one list",
				Fragment: replaced(slices.Delete(slices.Clone(names), i, i+1)),
			}
		}
		set = append(set, at)
	}
	return addRemainderToGroupSet(set, r.groups), nil
}

// addRemainderToGroupSet returns a set of group-bys in ascending order, in which the column of merged values follows the
// dimension that it belongs to.
func addRemainderToGroupSet(set []int, groups []scope.Group) []int {
	for i, g := range groups {
		if g.IsRemainder && slices.Contains(set, i-1) {
			set = append(set, i)
		}
	}
	slices.Sort(set)
	return set
}

// indexOfGroupColumn returns the position of the group-by with an output column; -1 if none has it.
func indexOfGroupColumn(groups []scope.Group, column string) int {
	return slices.IndexFunc(groups, func(g scope.Group) bool { return g.Name == column && !g.IsRemainder })
}

// unknownColumnError returns the error of a name that is not a group-by column. A field, or a
// name in other case, is replaced by the column that it means; without any column, it is left out.
func (r groupPositionFinder) unknownColumnError(given []string, at int, replaced func([]string) map[string]any) error {
	name := given[at]
	var names []string
	for _, g := range r.groups {
		if !g.IsRemainder {
			names = append(names, g.Name)
		}
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownDimension,
		Message:    r.key + " names " + quoteIfEmpty(name) + ", which is not a column of group_by in this query",
		Candidates: suggest.Nearest(name, names, resolve.MaxCandidates),
	}
	if meant := scope.IndexOfGroupSpelledAs(r.groups, name); meant >= 0 {
		e.Fragment = replaced(naming.Replace(given, name, r.groups[meant].Name, ""))
	} else if len(e.Candidates) > 0 {
		e.Fragment = replaced(naming.Replace(given, name, e.Candidates[0], ""))
	} else {
		e.Message = r.key + " names " + quoteIfEmpty(name) + ", and the query has no group_by"
		e.Fragment = replaced(slices.Delete(slices.Clone(given), at, at+1))
	}
	return e
}

// quoteIfEmpty returns a name as a message holds it.
func quoteIfEmpty(name string) string {
	if name == "" {
		return `""`
	}
	return name
}
