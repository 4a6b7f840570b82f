package measure

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// LevelTable holds values of a metric at another level: a row for each group of the group-bys that the metric keeps.
type LevelTable struct {
	Metric *catalog.Metric
	Owner  string // the selected metric, for error messages
	Kept   []int  // the group-bys that the metric keeps
	// KeepsAll: those are all group-bys.
	KeepsAll bool
	// Added are included fields: the values aggregate the rows that are grouped by them too. Without any, the values are those of
	// the kept group-bys.
	Added []scope.Group
	Tag   int // the range of the values: an index into the ranges; -1 for the only one
	// Inner is what is computed for the kept and the included groups.
	Inner Expansion
	// MovedBy is the offset that reads the values at another bucket; nil for values that are read at their own.
	MovedBy *Window
	Bound   scope.Bindings
	Values  []levelValue

	Unfiltered     []resolve.Ref // the fields whose conditions do not count
	UnfilteredAxis bool          // a range of metric_time does not count
}

// levelValue is one value of a table. In its expression, Ref{ID ≥ 0} is a measure reference of what is inside, and
// Ref{ID < 0} the included group -(ID+1).
type levelValue struct {
	Expr sqlexpr.Expr
	Type sqlexpr.Type
	// IsZero: the value is 0 where the table has no row.
	IsZero      bool
	Approximate bool
}

// HasWindows reports whether the values are over windows.
func (t *LevelTable) HasWindows() bool {
	return slices.ContainsFunc(t.Inner.MeasureRefs, func(u *Ref) bool { return u.Window != nil }) || slices.ContainsFunc(t.Inner.LevelTables, (*LevelTable).HasWindows)
}

// levelUse is a value of a table that a query reads.
type levelUse struct{ Table, Value int }

// IsUnfiltered reports whether the metric counts conditions differently from the query.
func (t *LevelTable) IsUnfiltered() bool {
	return t.Metric.At.DropsRowConditions || t.UnfilteredAxis || len(t.Unfiltered) > 0
}

// OverGroups returns the table for a query of other group-bys: positions gives for each the position that it has there, -1 for none.
func (t *LevelTable) OverGroups(positions []int) *LevelTable {
	out := *t
	out.Kept = nil
	if t.MovedBy != nil {
		moved := *t.MovedBy
		moved.AxisGroup = positions[moved.AxisGroup]
		out.MovedBy = &moved
	}
	inside := make([]int, 0, len(t.Kept)+len(t.Added))
	for _, g := range t.Kept {
		at := -1
		if positions[g] >= 0 {
			at = len(out.Kept)
			out.Kept = append(out.Kept, positions[g])
		}
		inside = append(inside, at)
	}
	for i := range t.Added {
		inside = append(inside, len(out.Kept)+i)
	}
	out.Inner.MeasureRefs = windowsOverGroups(t.Inner.MeasureRefs, inside)
	nested := make([]*LevelTable, len(t.Inner.LevelTables))
	for i, n := range t.Inner.LevelTables {
		nested[i] = n.OverGroups(inside)
	}
	out.Inner.LevelTables = nested
	return &out
}

// windowsOverGroups returns measure references whose windows run over groups at other positions; -1 stands for a missing group.
func windowsOverGroups(refs []*Ref, positions []int) []*Ref {
	moved := map[*Window]*Window{}
	var move func(w *Window) *Window
	move = func(w *Window) *Window {
		if w == nil || moved[w] != nil {
			return moved[w]
		}
		out := *w
		moved[w] = &out
		for _, group := range []*int{&out.AxisGroup, &out.Buckets} {
			if *group >= 0 {
				*group = positions[*group]
			}
		}
		out.MovedBy = move(w.MovedBy)
		return &out
	}
	out := slices.Clone(refs)
	for i, u := range refs {
		if u.Window != nil || u.InputOf != nil {
			other := *u
			other.Window, other.InputOf = move(u.Window), move(u.InputOf)
			out[i] = &other
		}
	}
	return out
}
