package branch

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
)

// compareRangeAsGroupKeyPlanner groups the rows of a branch by their range of compare too, so that each measure is
// computed once for both ranges:
//
//	rows ──Aggregate by k, is_current──► (k, true, m) (k, false, m) ──Aggregate by k──► (k, m, m__previous)
//
// That costs less than two aggregates for each measure, of which each tests every row.
type compareRangeAsGroupKeyPlanner struct {
	branch    *Planner
	isCurrent sqlexpr.Expr // true in rows of the current range, and false in those of the previous one
}

// newCompareRangeAsGroupKeyPlanner returns how a branch groups its rows by range; nil where it does not. Each
// measure is computed for both ranges, so both must request it.
func newCompareRangeAsGroupKeyPlanner(p *Planner) (*compareRangeAsGroupKeyPlanner, error) {
	if p.Q.Compare == nil || p.Q.Compare.MeetsOnMovedBuckets() || p.Br.ScanRange.Tag >= 0 || p.Q.Levels.HasSeveralLevels() || p.Q.GapFill != nil || p.Br.IsReadByWindow() || p.Once != nil {
		return nil, nil
	}
	asked := map[aggregateKey]int{}
	for _, u := range p.Br.Members {
		asked[aggregateKeyOf(u.Ref).ofAllRanges()] |= 1 << u.Ref.Tag
	}
	for _, tags := range asked {
		if tags != 1<<measure.CurrentRangeIndex|1<<measure.PreviousRangeIndex {
			return nil, nil
		}
	}
	conds, err := p.NewBranchRangeConditions().currentRangeConds()
	if err != nil || len(conds) == 0 || len(asked) == 0 {
		return nil, err
	}
	return &compareRangeAsGroupKeyPlanner{p, sqlexpr.And(conds...)}, nil
}

// currentRangeConds distinguish the rows of the current range from those of the previous one; none where
// a row may be in both.
func (p RangeConditions) currentRangeConds() ([]sqlexpr.Expr, error) {
	ref := p.branch.Br.rangeRef(p.branch.Q.Ranges[measure.CurrentRangeIndex])
	c := p.clockOfRef(ref)
	current, previous := p.branch.Q.Ranges[measure.CurrentRangeIndex].Interval.OnClock(c), p.branch.Q.Ranges[measure.PreviousRangeIndex].Interval.OnClock(c)
	var bound timerange.Interval
	switch {
	case !previous.End.After(current.Start.Time):
		bound.Start = current.Start
	case !current.End.After(previous.Start.Time):
		bound.End = current.End
	default:
		return nil, nil
	}
	return p.withinConditions(bound, ref)
}

// planAggregates plans the branch up to its aggregates.
func (r *compareRangeAsGroupKeyPlanner) planAggregates(filters []FilterNode, names *naming.Namer, branches int) (Grouped, error) {
	own := naming.NewNamer()
	for _, k := range r.branch.groupKeys {
		own.UniqueName(k.Name)
	}
	key := plan.NamedExpr{Name: own.UniqueName("is_current"), Expr: r.isCurrent, Type: sqlexpr.TypeBool}
	once, values := newAggregateList(len(r.branch.Br.Members)), newAggregateList(len(r.branch.Br.Members))
	slots := make([]int, len(r.branch.Br.Members))
	for i, u := range r.branch.Br.Members {
		key := aggregateKeyOf(u.Ref)
		of, err := r.branch.findOrAddAggregate(&once, own, key.ofAllRanges(), u.Ref.Where)
		if err != nil {
			return Grouped{}, err
		}
		at, known := values.index.Find(key)
		if !known {
			name := names.UniqueName(key.columnName(rangeTagOfAggregate(r.branch, key)))
			at = values.addAggregate(key, plan.NamedExpr{Name: name, Expr: r.measureValueInRange(key, of), Type: u.Ref.Measure.Type})
		}
		slots[i] = at
	}
	rows, keys, err := r.branch.BranchInputRows(filters)
	if err != nil {
		return Grouped{}, err
	}
	ranged := r.branch.GroupBranchRows(rows, append(keys, key), once.list, branches)
	node := &plan.Aggregate{Input: ranged, Keys: ranged.Schema()[:len(keys)].ColumnRefs(), Measures: values.list, Why: "current and previous range"}
	return Grouped{Branch: r.branch, Node: node, Slots: slots, Rows: -1}, nil
}

// measureValueInRange takes the value of a measure from the group of a range. A group without rows in the
// range has none, which is 0 for a count.
func (r *compareRangeAsGroupKeyPlanner) measureValueInRange(key aggregateKey, of int) sqlexpr.Expr {
	at := len(r.branch.groupKeys)
	var inRange sqlexpr.Expr = &sqlexpr.Ref{ID: at}
	if key.tag == measure.PreviousRangeIndex {
		inRange = &sqlexpr.Unary{Op: sqlexpr.OpNot, X: inRange}
	}
	value := build.Call(sqlexpr.FnMax, "MAX", build.CaseWhen(inRange, &sqlexpr.Ref{ID: at + 1 + of}))
	if key.measure.Agg.IsZeroOverNoRows() {
		return build.CoalesceToNumber(value, "0")
	}
	return value
}
