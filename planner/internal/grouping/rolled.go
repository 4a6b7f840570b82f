package grouping

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// rolledTable is the table of a rollup that a branch reads in the place of its home. Its methods read nothing where it is nil.
type rolledTable struct {
	branch *Planner
	read   *rollup.Read
	root   *joins.StoredRoot
}

// newRolledPlanner returns the planner of a branch that reads a rollup in the place of its home.
func newRolledPlanner(a *branch.Query, br *branch.Branch, way branch.Routes, kept *top.Kept, level string, spent measure.Sizes, read *rollup.Read) *Planner {
	tree, root := joins.NewOverStoredTable(a.In.Cat, a.In.Target.Dialect, a.In.Target.Caps, br.Home, read.Table)
	p := &Planner{Q: a.OfBranch(br), Br: br, Routing: way, Kept: kept, Tree: tree, Home: tree.Root(), Level: level, Sizes: spent}
	p.rolled = &rolledTable{p, read, root}
	p.Calendars = &calendarJoins{branch: p}
	for _, path := range br.Inner { // which the stored measures do not read
		tree.JoinPath(p.Home, path, false)
	}
	return p
}

// field returns a reference by its path in the branch.
func (t *rolledTable) field(ref resolve.Ref) rollup.Field {
	for _, r := range t.branch.Routing.Refs {
		if r.Ref.IsSame(ref) {
			return rollup.NewField(r.Path, ref.Field)
		}
	}
	return rollup.NewField(nil, ref.Field)
}

// bucketsOfGroup returns the column with buckets that make those of a unit of a reference, and the field that it is; nil where the branch reads the
// values themselves.
func (t *rolledTable) bucketsOfGroup(ref resolve.Ref, unit sqlexpr.Grain) (sqlexpr.Expr, *catalog.Field) {
	if t == nil {
		return nil, nil
	}
	s, ok := t.read.BucketsFor(t.field(ref), unit)
	if !ok {
		return nil, nil
	}
	return t.root.Buckets(s)
}

// bucketsOfRange does for the ranges over a reference what bucketsOfGroup does for a group.
func (t *rolledTable) bucketsOfRange(ref resolve.Ref) (sqlexpr.Expr, *catalog.Field) {
	if t == nil {
		return nil, nil
	}
	s, ok := t.read.BucketsOf(t.field(ref))
	if !ok {
		return nil, nil
	}
	return t.root.Buckets(s)
}

// conditionOnBuckets returns a conjunct that is a range of a field of which the table has buckets; ok is false for any other.
func (t *rolledTable) conditionOnBuckets(c where.Conjunct) (conds []sqlexpr.Expr, ok bool, err error) {
	if t == nil || len(t.read.Buckets) == 0 {
		return nil, false, nil
	}
	ref, interval, isRange := t.branch.Q.RangeOfConjunct(c)
	if !isRange {
		return nil, false, nil
	}
	if _, f := t.bucketsOfRange(ref); f == nil {
		return nil, false, nil
	}
	conds, err = t.branch.NewBranchRangeConditions().withinConditions(interval, ref)
	return conds, true, err
}

// withoutAbsorbed returns the conjuncts that not all rows of the table meet.
func (t *rolledTable) withoutAbsorbed(conds []where.Conjunct) []where.Conjunct {
	if t == nil || len(t.read.Absorbed) == 0 {
		return conds
	}
	return slices.DeleteFunc(slices.Clone(conds), func(c where.Conjunct) bool { return slices.Contains(t.read.Absorbed, c.Expr) })
}

// aggregate returns the expression that computes a measure from the columns of the table; see newAggregateCall.
func (t *rolledTable) aggregate(key aggregateKey, where sqlexpr.Expr) (sqlexpr.Expr, error) {
	stored := t.read.Measures[key.measure]
	only, err := t.branch.countedRowsCondition(key, where)
	if err != nil {
		return nil, err
	}
	for _, c := range stored.Conds {
		e, err := t.branch.bindHomeExpr(c, key.variant)
		switch {
		case err != nil:
			return nil, err
		case only == nil:
			only = e
		default:
			only = sqlexpr.And(only, e)
		}
	}
	if e := stored.Aggregate(key.measure, t.root, only); e != nil {
		return e, nil
	}
	arg, err := t.branch.bindHomeExpr(key.measure.Arg, key.variant)
	if err != nil {
		return nil, err
	}
	if only != nil {
		arg = build.CaseWhen(only, arg)
	}
	return aggregates.Call(t.branch.Q.In, key.measure, arg, nil), nil
}

// timeOfSpan returns the time of the rows in which a span of units is told apart from buckets, and the field that it is.
func timeOfSpan(p *Planner, ref resolve.Ref, unit, bucket sqlexpr.Grain) (sqlexpr.Expr, *catalog.Field, error) {
	if e, f := p.rolled.bucketsOfGroup(ref, rollup.SpanUnit(unit, bucket)); f != nil {
		return e, f, nil
	}
	e, err := p.exprOfRef(ref)
	return e, ref.Field, err
}

// withinConditions returns the conditions that the times of a reference lie in an interval on its clock.
func (rc RangeConditions) withinConditions(i timerange.Interval, ref resolve.Ref) ([]sqlexpr.Expr, error) {
	if x, f := rc.branch.rolled.bucketsOfRange(ref); f != nil {
		return i.OfBuckets(rc.clockOfRef(ref), f.Type).WithinConditions(x, f), nil
	}
	x, err := rc.branch.exprOfRef(ref)
	if err != nil {
		return nil, err
	}
	return i.WithinConditions(x, ref.Field), nil
}
