package compose

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// GroupingLevels are the sets of groups of a grouping, each once. The number of a set is the level of its rows.
type GroupingLevels struct {
	Sets   [][]int // positions of groups, ascending; sets with more groups come first
	Copies []int   // how often the result has the rows of a set
}

// NewGroupingLevels returns the levels of sets of groups, of which several may be equal.
func NewGroupingLevels(sets [][]int) GroupingLevels {
	var l GroupingLevels
	sorted := make([][]int, len(sets))
	for i, set := range sets {
		sorted[i] = slices.Compact(slices.Sorted(slices.Values(set)))
	}
	slices.SortStableFunc(sorted, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	for _, set := range sorted {
		if i := slices.IndexFunc(l.Sets, func(s []int) bool { return slices.Equal(s, set) }); i >= 0 {
			l.Copies[i]++
			continue
		}
		l.Sets, l.Copies = append(l.Sets, set), append(l.Copies, 1)
	}
	return l
}

// WithAllGroups returns the levels with a first one of all groups, whose rows the result does not have where it was missing.
func (l GroupingLevels) WithAllGroups(count int) GroupingLevels {
	if len(l.Sets) > 0 && len(l.Sets[0]) == count {
		return l
	}
	all := make([]int, count)
	for i := range all {
		all[i] = i
	}
	return GroupingLevels{Sets: slices.Insert(slices.Clone(l.Sets), 0, all), Copies: slices.Insert(slices.Clone(l.Copies), 0, 0)}
}

// newOnlyLevel returns one level of all groups.
func newOnlyLevel(count int) GroupingLevels {
	l := GroupingLevels{}.WithAllGroups(count)
	l.Copies[0] = 1
	return l
}

// HasEachOnce reports whether the result has the rows of each level once.
func (l GroupingLevels) HasEachOnce() bool {
	return !slices.ContainsFunc(l.Copies, func(n int) bool { return n != 1 })
}

// maskAtLevel returns the value of GROUPING over some groups in the rows of a level: the bit of a group that the set lacks is 1, and the
// last group has the lowest bit.
func (l GroupingLevels) maskAtLevel(level int, groups []int) int {
	mask := 0
	for _, g := range groups {
		mask <<= 1
		if !slices.Contains(l.Sets[level], g) {
			mask |= 1
		}
	}
	return mask
}

// MaskOfGroups returns the value of GROUPING over some groups as an expression over the level of a row.
func (l GroupingLevels) MaskOfGroups(level sqlexpr.Expr, groups []int) sqlexpr.Expr {
	var masks []int
	var levels [][]int
	for i := range l.Sets {
		mask := l.maskAtLevel(i, groups)
		at := slices.Index(masks, mask)
		if at < 0 {
			at = len(masks)
			masks, levels = append(masks, mask), append(levels, nil)
		}
		levels[at] = append(levels[at], i)
	}
	last := len(masks) - 1
	if last == 0 {
		return newIntegerConstant(masks[0])
	}
	out := &sqlexpr.Case{Else: newIntegerConstant(masks[last])}
	for i, mask := range masks[:last] {
		out.Whens = append(out.Whens, sqlexpr.When{Cond: isLevelOneOf(level, levels[i]), Then: newIntegerConstant(mask)})
	}
	return out
}

// repeatRows returns a node with the rows of each level as often as the result has them. level is the column of the level.
func (l GroupingLevels) repeatRows(n plan.Node, level int) plan.Node {
	most := slices.Max(l.Copies)
	shown := l.levelsWithCopies(1)
	if len(shown) < len(l.Sets) {
		n = &plan.Filter{Input: n, Conds: []sqlexpr.Expr{isLevelOneOf(newColumnRef(level), shown)}, Why: "levels"}
	}
	if most <= 1 {
		return n
	}
	columns := n.Schema()
	var conds []sqlexpr.Expr
	for i := 1; i < most; i++ {
		if levels := l.levelsWithCopies(i + 1); len(levels) < len(shown) {
			conds = append(conds, &sqlexpr.Binary{Op: sqlexpr.OpOr,
				L: &sqlexpr.Binary{Op: sqlexpr.OpNe, L: newColumnRef(len(columns)), R: newIntegerConstant(i)}, R: isLevelOneOf(newColumnRef(level), levels)})
		}
	}
	n = newNumberedCopies(n, most)
	if len(conds) > 0 {
		n = &plan.Filter{Input: n, Conds: conds, Why: "copies"}
	}
	return &plan.Project{Input: n, Cols: columns.ColumnRefs()}
}

// repeatOnlyLevel returns the rows of the only level as often as the result has them.
func (l GroupingLevels) repeatOnlyLevel(n plan.Node) plan.Node {
	if l.HasEachOnce() {
		return n
	}
	return &plan.Project{Input: newNumberedCopies(n, l.Copies[0]), Cols: n.Schema().ColumnRefs()}
}

// newNumberedCopies returns each row several times, with the number of the copy after its columns.
func newNumberedCopies(n plan.Node, count int) plan.Node {
	columns := n.Schema()
	names := make([]string, 0, len(columns)+1)
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return &plan.Repeat{Input: n, Name: distinctColumnNames(append(names, "copy"))[len(columns)], Count: int64(count)}
}

// levelsWithCopies lists the levels whose rows the result has at least so often.
func (l GroupingLevels) levelsWithCopies(least int) []int {
	var out []int
	for i, n := range l.Copies {
		if n >= least {
			out = append(out, i)
		}
	}
	return out
}

// maxGroupingDigits is the length of the greatest value of GROUPING as text.
const maxGroupingDigits = 10

// RowsOfLevels returns rows with those of each level as often as the result has them. level is the column of the level, which rows of
// one level do not have.
func (c *Composer) RowsOfLevels(r *Rows, level int, l GroupingLevels) *Rows {
	if l.HasEachOnce() {
		return r
	}
	out := *r
	if len(l.Sets) == 1 {
		out.node = l.repeatOnlyLevel(r.nodeOfVisibleColumns())
	} else {
		out.node = l.repeatRows(r.nodeOfVisibleColumns(), level)
	}
	out.tail, out.oneRow = orderAndLimit{}, unknownRowCount
	out.columns = r.visibleColumns()
	return &out
}

func isLevelOneOf(level sqlexpr.Expr, levels []int) sqlexpr.Expr {
	if len(levels) == 1 {
		return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: level, R: newIntegerConstant(levels[0])}
	}
	in := &sqlexpr.In{X: level}
	for _, l := range levels {
		in.Items = append(in.Items, newIntegerConstant(l))
	}
	return in
}

func newIntegerConstant(n int) sqlexpr.Expr { return &sqlexpr.Number{Text: strconv.Itoa(n)} }
