package combine

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// Combined is the branches of a query, matched on its group-bys.
type Combined struct {
	query    *branch.Query
	Node     plan.Node
	Keys     plan.Schema // its first columns
	Branches []grouping.Grouped
	slots    []branch.Position // of measure references
	first    []int             // of each branch, the index of its first column
	refs     []*measure.Ref
	timeAxes []resolve.Ref
	windows  map[int]int // the columns of windows and of values at other levels, by their measure references; nil before they are planned
	// nullCounts: counts are NULL where their branch has no row, so that windows distinguish no data from 0.
	nullCounts bool
	periods    []periodsWithDays
	// hasMoreRows: some rows are those of no branch.
	hasMoreRows bool
	Earlier     map[int]int // of each comparison that moves by periods: the column of the earlier one
	// movedFrom: the branches from here on are those of the earlier ranges, whose buckets moved after their windows.
	movedFrom int
}

// Match matches the branches on the group-bys; one branch is the whole by itself. A branch without measures may add rows.
func Match(a *branch.Query, branches []*branch.Branch, slots []branch.Position, planned []grouping.Grouped) *Combined {
	out := &Combined{
		query: a, Branches: planned, slots: slots, refs: a.Cols.MeasureRefs, timeAxes: firstRangeDimensionByBranch(branches, a.Ranges), movedFrom: len(planned),
		nullCounts: slices.ContainsFunc(a.Cols.MeasureRefs, func(u *measure.Ref) bool { return u.Window != nil }),
	}
	keys, width := a.KeyCount(), a.KeyCount()
	for _, g := range planned {
		out.first = append(out.first, width)
		out.Keys = g.Node.Schema()
		width += len(out.Keys) - keys
	}
	out.Node = planned[0].Node
	if len(planned) > 1 {
		out.Node = out.combine(keys, width)
		out.Keys = out.Node.Schema()
	}
	out.Keys = out.Keys[:keys]
	return out
}

func (c *Combined) combine(keys, width int) *plan.Combine {
	zero := make([]bool, width-keys)
	inputs := make([]plan.Node, len(c.Branches))
	for i, g := range c.Branches {
		inputs[i] = g.Node
		for j, column := range g.Slots {
			zero[c.first[i]-keys+column] = !c.nullCounts && g.Branch.Br.Members[j].Ref.Measure.IsZeroOverNoRows()
		}
	}
	return &plan.Combine{Keys: keys, Branches: inputs, Zero: zero}
}

// FilledRowCondition returns the condition that no branch has rows in the bucket of a row.
func (c *Combined) FilledRowCondition() sqlexpr.Expr {
	var conds []sqlexpr.Expr
	for i, g := range c.Branches {
		if g.Branch == nil {
			continue
		}
		if i >= c.movedFrom && g.Rows >= 0 {
			conds = append(conds, &sqlexpr.IsNull{X: build.CaseWhen(g.IsInBranchCondition(c.first[i]), build.Integer(1))})
			continue
		}
		switch shown := g.IsShownCondition(c.first[i]).(type) {
		case nil:
		case *sqlexpr.IsNull:
			conds = append(conds, &sqlexpr.IsNull{X: shown.X})
		default:
			conds = append(conds, &sqlexpr.IsNull{X: build.CaseWhen(shown, build.Integer(1))})
		}
	}
	if q := c.query; q.Levels.HasSeveralLevels() && q.Levels.LevelOfGroupSet(nil) >= 0 {
		// The grand total is there without rows too, and has no bucket.
		total := levels.IsOneOf(&sqlexpr.Ref{ID: len(q.Groups)}, []int{q.Levels.LevelOfGroupSet(nil)})
		conds = append(conds, &sqlexpr.Unary{Op: sqlexpr.OpNot, X: total})
	}
	return sqlexpr.And(conds...)
}

// ShownConditions returns the conditions on the rows that the query shows; none where it shows all. It does not show rows that
// were only read for their neighbours' sake.
func (c *Combined) ShownConditions() []sqlexpr.Expr {
	q, branches := c.query, make([]*branch.Branch, 0, len(c.Branches))
	for _, g := range c.Branches {
		if g.Branch != nil {
			branches = append(branches, g.Branch.Br)
		}
	}
	switch v := branch.VisibilityOf(q, branches); {
	case !v.HidesRows:
		return nil
	case v.ByBucket:
		at := slices.IndexFunc(c.Branches, func(g grouping.Grouped) bool { return !g.MovesRows() })
		return c.Branches[at].Branch.NewBranchRangeConditions().BucketsInRangeConditions()
	}
	var shown sqlexpr.Expr
	for i, g := range c.Branches {
		cond := g.IsShownCondition(c.first[i])
		switch {
		case cond == nil:
		case shown == nil:
			shown = cond
		default:
			shown = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: shown, R: cond}
		}
	}
	if total := q.Levels.LevelOfGroupSet(nil); total >= 0 && q.Levels.HasSeveralLevels() {
		// It is there without rows too.
		shown = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: shown, R: levels.IsOneOf(&sqlexpr.Ref{ID: len(q.Groups)}, []int{total})}
	}
	return []sqlexpr.Expr{shown}
}

// HasDataCondition returns the condition that one of the branches of some measure references has rows in a group; nil where all
// rows have, or nothing asks for it.
func (c *Combined) HasDataCondition(refs []int) sqlexpr.Expr {
	var out sqlexpr.Expr
	for i, g := range c.Branches {
		if g.Branch == nil || g.Rows < 0 || g.MovesRows() || !slices.ContainsFunc(refs, func(ref int) bool { return c.slots[ref].Branch == i }) {
			continue
		}
		if cond := g.IsInBranchCondition(c.first[i]); out == nil {
			out = cond
		} else {
			out = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: out, R: cond}
		}
	}
	return out
}

// WithWindows returns the matched rows with the columns of more windows, by their measure references.
func (c *Combined) WithWindows(node plan.Node, columns map[int]int) *Combined {
	out := *c.WithRows(node)
	maps.Copy(columns, c.windows)
	out.windows = columns
	return &out
}

// FirstColumn returns the index of the first column of a branch.
func (c *Combined) FirstColumn(branch int) int { return c.first[branch] }

// WithRows returns the matched rows with others of them, or others after them. Their first columns are the same.
func (c *Combined) WithRows(node plan.Node) *Combined {
	out := *c
	out.Node = node
	return &out
}

// WithMoreRows returns the matched rows with some in which no branch has any.
func (c *Combined) WithMoreRows(node plan.Node) *Combined {
	out := *c.WithRows(node)
	out.hasMoreRows = true
	return &out
}

// AddsRows reports whether a row may be one that a branch does not have.
func (c *Combined) AddsRows() bool { return len(c.Branches) > 1 || c.hasMoreRows }

// firstRangeDimensionByBranch lists what the branches read the first range over.
func firstRangeDimensionByBranch(branches []*branch.Branch, ranges []where.Range) []resolve.Ref {
	if len(ranges) == 0 {
		return nil
	}
	out := make([]resolve.Ref, len(branches))
	for i, br := range branches {
		out[i] = br.RangeRef(ranges[0])
	}
	return out
}

// FirstTimeRangeDimensionPerBranch lists, for each branch, the dimension that the first time range is over there.
func (c *Combined) FirstTimeRangeDimensionPerBranch() []resolve.Ref { return c.timeAxes }

// Column returns the column of a measure reference; it is NULL where the branch has no row, if windows read it.
func (c *Combined) Column(ref int) *sqlexpr.Ref {
	if column, ok := c.windows[ref]; ok {
		return &sqlexpr.Ref{ID: column}
	}
	at := c.slots[ref]
	return &sqlexpr.Ref{ID: c.first[at.Branch] + c.Branches[at.Branch].Slots[at.Member]}
}

// BranchOf returns the branch of a measure reference that is not a window.
func (c *Combined) BranchOf(ref int) grouping.Grouped { return c.Branches[c.slots[ref].Branch] }

// RewriteOverColumns rewrites an expression over measure references to one over the node's schema.
func (c *Combined) RewriteOverColumns(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr {
		column := c.Column(r.ID)
		column.Position = r.Position
		u := c.refs[r.ID]
		if u.Level != nil {
			if (!c.query.LevelsAreBranches || c.AddsRows()) && u.IsZeroOverNoRows() {
				return build.CoalesceToNumber(column, "0")
			}
			return column
		}
		if c.nullCounts && c.AddsRows() && u.Window == nil && u.Measure.IsZeroOverNoRows() {
			return build.CoalesceToNumber(column, "0")
		}
		return column
	})
}
