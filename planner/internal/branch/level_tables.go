package branch

import (
	"slices"

	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/plan"
)

// LevelTable is a planned table of a metric at another level: a row for each group of the group-bys that it keeps. Its columns are
// these, the level where it has several, and the values. Without a node no column reads it.
type LevelTable struct {
	Table *measure.LevelTable
	Node  plan.Node
	// Levels gives for each level of the query the level of its rows; nil where the table has one level.
	Levels []int
}

// CanLevelsBeBranches reports whether the tables of metrics at other levels have the rows of the query themselves, as its branches
// do: their groups are those of the query, and so are their conditions. Otherwise the rows of the query are those of its branches,
// which the tables are joined to.
func (a *Query) CanLevelsBeBranches() bool {
	if a.Top != nil || a.GapFill != nil || a.Compare != nil || a.Levels.HasSeveralLevels() && a.Levels.LevelOfGroupSet(nil) >= 0 {
		return false
	}
	isWindow := func(u *measure.Ref) bool { return u.Window != nil }
	isOther := func(t *measure.LevelTable) bool { return !t.KeepsAll || t.IsUnfiltered() || len(t.Added) == 0 }
	return !slices.ContainsFunc(a.Cols.MeasureRefs, isWindow) && !slices.ContainsFunc(a.Cols.LevelTables, isOther)
}
