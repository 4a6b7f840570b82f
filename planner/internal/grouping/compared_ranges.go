package grouping

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// compareRangeAsGroupKeyPlanner groups the rows of a branch by their range of compare too, so that each measure is
// computed once for all ranges:
//
//	rows ──Aggregate by k, is_current──► (k, true, m) (k, false, m) ──Aggregate by k──► (k, m, m__previous)
//
// That costs less than an aggregate of each measure for each range, of which each tests every row. With several previous ranges the key
// is the number of the range.
type compareRangeAsGroupKeyPlanner struct {
	branch *Planner
	key    plan.NamedExpr // of the range
}

// newCompareRangeAsGroupKeyPlanner returns how a branch groups its rows by range; nil where it does not. Each
// measure is computed for all ranges that the branch reads, so all must request it.
func newCompareRangeAsGroupKeyPlanner(p *Planner) (*compareRangeAsGroupKeyPlanner, error) {
	if p.Q.Compare == nil || p.Q.Compare.MeetOnMovedBuckets() || p.Br.ScanRange.Tag >= 0 || p.Q.Levels.HasSeveralLevels() || p.Q.GapFill != nil || p.Br.IsReadByWindow() || p.Once != nil {
		return nil, nil
	}
	asked := map[aggregateKey]uint8{}
	for _, u := range p.Br.Members {
		asked[aggregateKeyOf(u.Ref).ofAllRanges()] |= 1 << u.Ref.Tag
	}
	for _, tags := range asked {
		if tags != p.Br.ScanRange.Compared {
			return nil, nil
		}
	}
	key, err := p.NewBranchRangeConditions().comparedRangeKey()
	if err != nil || key == nil || len(asked) == 0 {
		return nil, err
	}
	return &compareRangeAsGroupKeyPlanner{p, *key}, nil
}

// comparedRangeKey distinguishes the rows of the ranges that the branch reads: is_current is true in the current range of two, and
// range_number is the tag of one of more. It is nil where a row may be in several.
func (rc RangeConditions) comparedRangeKey() (*plan.NamedExpr, error) {
	ref := rc.branch.Br.RangeRef(rc.branch.Q.Ranges[measure.CurrentRangeIndex])
	c, read := rc.clockOfRef(ref), rc.branch.Br.ScanRange.RangesRead(rc.branch.Q.Ranges)
	order, ok := timerange.LatestFirst(read, func(r where.Range) timerange.Interval { return r.Interval.OnClock(c) })
	if !ok {
		return nil, nil
	}
	if len(order) == 2 {
		bound := timerange.Interval{Start: read[0].Interval.OnClock(c).Start}
		if order[0] != 0 {
			bound = timerange.Interval{End: read[0].Interval.OnClock(c).End}
		}
		conds, err := rc.withinConditions(bound, ref)
		if err != nil || len(conds) == 0 {
			return nil, err
		}
		return &plan.NamedExpr{Name: "is_current", Expr: sqlexpr.And(conds...), Type: sqlexpr.TypeBool}, nil
	}
	last, tags := len(order)-1, rc.branch.Br.ScanRange.TagsRead(len(rc.branch.Q.Ranges))
	number := &sqlexpr.Case{Else: build.Integer(tags[order[last]])}
	for _, at := range order[:last] {
		conds, err := rc.withinConditions(timerange.Interval{Start: read[at].Interval.OnClock(c).Start}, ref)
		if err != nil || len(conds) == 0 {
			return nil, err
		}
		number.Whens = append(number.Whens, sqlexpr.When{Cond: sqlexpr.And(conds...), Then: build.Integer(tags[at])})
	}
	return &plan.NamedExpr{Name: "range_number", Expr: number, Type: sqlexpr.TypeInt}, nil
}

// planAggregates plans the branch up to its aggregates.
func (r *compareRangeAsGroupKeyPlanner) planAggregates(filters []FilterNode, names *naming.Namer, branches int) (Grouped, error) {
	own := naming.NewNamer()
	for _, k := range r.branch.groupKeys {
		own.UniqueName(k.Name)
	}
	key := r.key
	key.Name = own.UniqueName(key.Name)
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
	why := "current and previous range"
	if key.Type == sqlexpr.TypeInt {
		why += "s"
	}
	node := &plan.Aggregate{Input: ranged, Keys: ranged.Schema()[:len(keys)].ColumnRefs(), Measures: values.list, Why: why}
	return Grouped{Branch: r.branch, Node: node, Slots: slots, Rows: -1}, nil
}

// measureValueInRange takes the value of a measure from the group of a range. A group without rows in the
// range has none, which is 0 for a count.
func (r *compareRangeAsGroupKeyPlanner) measureValueInRange(key aggregateKey, of int) sqlexpr.Expr {
	at := len(r.branch.groupKeys)
	var inRange sqlexpr.Expr = &sqlexpr.Ref{ID: at}
	switch {
	case r.key.Type == sqlexpr.TypeInt:
		inRange = &sqlexpr.Binary{Op: sqlexpr.OpEq, L: inRange, R: build.Integer(key.tag)}
	case key.tag != measure.CurrentRangeIndex:
		inRange = &sqlexpr.Unary{Op: sqlexpr.OpNot, X: inRange}
	}
	value := build.Call(sqlexpr.FnMax, "MAX", build.CaseWhen(inRange, &sqlexpr.Ref{ID: at + 1 + of}))
	if key.measure.Agg.IsZeroOverNoRows() {
		return build.CoalesceToNumber(value, "0")
	}
	return value
}
