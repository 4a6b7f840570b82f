package metric

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/plan"
)

// planRecomputedWindowBranch plans a branch that a recomputed window reads in another way than by the rows of each bucket.
func planRecomputedWindowBranch(p *branchPlanner, names *naming.Namer, branches int, joinsInner bool) (groupedBranch, error) {
	if joinsInner {
		p.makeRowDroppingJoins()
	}
	filters, err := p.listGroupKeysAndFilters()
	if err != nil {
		return groupedBranch{}, err
	}
	if w := p.br.members[0].ref.InputOf; p.once != nil {
		q := measure.WindowGroupByChecker{In: p.q.in, Owner: w.Owner}
		return groupedBranch{}, q.NotImplementedError(w.Metric.Name+" computes rows again that joins repeat", nil)
	}
	args, slots, err := collectWindowArguments(p)
	if err != nil {
		return groupedBranch{}, err
	}
	from, keys, err := p.branchInputRows(filters)
	if err != nil {
		return groupedBranch{}, err
	}
	rows := recomputedWindowPlanner{p, keys, args, names}
	out := groupedBranch{branch: p, slots: slots, rows: -1}
	switch p.br.read.Kind {
	case measure.ReadKindFirstOccurrences:
		out.node, err = rows.aggregateInFirstBucketOfEachValue(from)
	case measure.ReadKindCopiedDeviations:
		out.node, err = rows.planCopiedDeviations(from)
	case measure.ReadKindRunningDeviations:
		out.node, err = rows.planSquaredDeviationGrowth(from)
	default:
		out.node, err = rows.aggregateCopiedRows(from, branches)
	}
	return out, err
}

// recomputedWindowPlanner are the rows of a branch that a recomputed window reads.
type recomputedWindowPlanner struct {
	branch *branchPlanner
	keys   []plan.NamedExpr
	args   []recomputedWindowMeasure
	names  *naming.Namer
}

// recomputedWindowMeasure is a measure of the branch: what it aggregates, or its aggregate over the rows of a bucket.
type recomputedWindowMeasure struct {
	measure *catalog.Measure
	value   plan.NamedExpr
	orderBy sqlexpr.Expr // of LISTAGG, where it is not ordered by what it aggregates
}

// collectWindowArguments returns the measures of the branch, each once.
func collectWindowArguments(p *branchPlanner) (args []recomputedWindowMeasure, slots []int, err error) {
	index := map[aggregateKey]int{}
	for _, u := range p.br.members {
		key := aggregateKey{u.ref.Measure, u.ref.WhereKey, u.ref.Variant, u.ref.Tag}
		if p.br.scanRange.Tag >= 0 {
			key.tag = -1 // the branch is the tag's own
		}
		at, ok := index[key]
		if !ok {
			if err := aggregates.CheckTarget(p.q.in, u.ref.Measure, u.metrics); err != nil {
				return nil, nil, err
			}
			arg, err := p.newWindowArgument(key, u.ref.Where)
			if err != nil {
				return nil, nil, err
			}
			at = len(args)
			index[key] = at
			args = append(args, arg)
		}
		slots = append(slots, at)
	}
	return args, slots, nil
}

func (p *branchPlanner) newWindowArgument(key aggregateKey, where sqlexpr.Expr) (recomputedWindowMeasure, error) {
	m := key.measure
	out := recomputedWindowMeasure{measure: m, value: plan.NamedExpr{Name: m.Stem, Type: m.Type}}
	if err := p.sizes.AddToQuerySize(append(m.ArgumentAndOrderKey(), where)...); err != nil {
		return out, err
	}
	var err error
	if p.br.read.Kind == measure.ReadKindCopiedAggregates {
		out.value.Expr, err = p.newAggregateCall(key, where)
		return out, err
	}
	out.value.Type = aggregates.ArgumentType(p.q.in, m)
	if out.value.Expr, err = measureArgument(p, key, where); err != nil || m.OrderBy == nil {
		return out, err
	}
	out.orderBy, err = p.bindHomeExpr(m.OrderBy, key.variant)
	return out, err
}

// newCopyInput returns the rows to copy: the rows of the branch with the value that its measures have as their one argument,
// each value once for a bucket, or the aggregates of a bucket.
func (r recomputedWindowPlanner) newCopyInput(from plan.Node) plan.Node {
	keys := append(make([]plan.NamedExpr, 0, len(r.keys)+2), r.keys...)
	var values []plan.NamedExpr
	names := naming.NewNamer()
	for _, k := range keys {
		names.UniqueName(k.Name)
	}
	for _, a := range r.args {
		a.value.Name = names.UniqueName(a.value.Name)
		values = append(values, a.value)
	}
	switch r.branch.br.read.Kind {
	case measure.ReadKindCopiedAggregates:
		return &plan.Aggregate{Input: from, Keys: keys, Measures: values, Home: r.branch.br.home.Name, Why: "buckets"}
	case measure.ReadKindCopiedValues:
		return &plan.Aggregate{Input: from, Keys: append(keys, values[0]), Home: r.branch.br.home.Name, Why: "distinct values"}
	}
	if orderBy := r.args[0].orderBy; orderBy != nil {
		values = append(values, plan.NamedExpr{Name: names.UniqueName("order_key"), Expr: orderBy, Type: aggregates.TypeOverFields(r.branch.q.in.Cat, r.args[0].measure.OrderBy)})
	}
	present := &plan.Filter{Input: from, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: values[0].Expr}}, Why: "values"}
	return &plan.Project{Input: present, Cols: append(keys, values...)}
}

// aggregateCopiedRows aggregates, in each bucket, the rows of all buckets that a window reaches from it.
func (r recomputedWindowPlanner) aggregateCopiedRows(from plan.Node, branches int) (plan.Node, error) {
	input := r.newCopyInput(from)
	if r.isCopyingOnlyUntilNextValue() {
		input = r.aggregateByBucketAndNextBucket(input)
	}
	copies, err := r.copyRowsToBuckets(input)
	if err != nil {
		return nil, err
	}
	keys := copies.Schema().ColumnRefs()[:len(r.keys):len(r.keys)]
	return r.branch.groupBranchRows(copies, keys, r.measuresOverCopiedRows(len(r.keys)), branches), nil
}

// copyRowsToBuckets copies each row to the buckets whose windows it is in.
//
//	rows ─► repeat ─► bucket + number of the copy
func (r recomputedWindowPlanner) copyRowsToBuckets(rows plan.Node) (*plan.Project, error) {
	w := r.branch.br.members[0].ref.InputOf
	if r.branch.q.groups[w.AxisGroup].Period != nil {
		return r.copyRowsToPeriods(rows)
	}
	most, varies := w.MaxCoveredBuckets(r.branch.q.groups[w.AxisGroup].Grain)
	columns := rows.Schema()
	var copies plan.Node = &plan.Repeat{Input: rows, Name: r.names.UniqueName("buckets_later"), Count: int64(most)}
	bucket := &sqlexpr.Ref{ID: w.AxisGroup}
	unit := &sqlexpr.String{Value: r.branch.q.groups[w.AxisGroup].Grain.String()}
	later := build.Call(sqlexpr.FnDateAdd, "DATEADD", unit, &sqlexpr.Ref{ID: len(columns)}, bucket)
	moved := build.CastMovedInstant(later, columns[w.AxisGroup].Type, r.branch.q.in.Target.Caps.ZonesApart)
	if varies {
		span := &sqlexpr.Interval{Count: strconv.Itoa(w.N), Unit: w.Spec.Recompute.Span.Grain.String()}
		start := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: moved, R: span}
		inSpan := &sqlexpr.Binary{Op: sqlexpr.OpGt, L: bucket, R: start}
		copies = &plan.Filter{Input: copies, Conds: []sqlexpr.Expr{inSpan}, Why: "span"}
	}
	_, hasLevels := rows.(*plan.GroupingSets)
	cols := columns.ColumnRefs()
	if next := len(r.keys); r.isCopyingOnlyUntilNextValue() {
		copies = &plan.Filter{Input: copies, Conds: []sqlexpr.Expr{beforeNextBucketCondition(moved, next)}, Why: "values"}
		cols = slices.Delete(cols, next, next+1)
	}
	for i, g := range r.branch.q.groups {
		if !g.ReadsAxis(r.windowAxis()) || g.IsRemainder {
			continue
		}
		cols[i].Expr = r.groupBucketContainingMovedBucket(moved, i, w.AxisGroup)
		if hasLevels {
			cols[i].Expr = r.nullKeyOutsideLevels(i, cols[i].Expr, &sqlexpr.Ref{ID: len(r.branch.q.groups)})
		}
	}
	out, err := r.replaceDaysByPeriods(&plan.Project{Input: copies, Cols: cols})
	if err != nil {
		return nil, err
	}
	return r.mergeBucketsOutsideTop(out, hasLevels), nil
}

// nullKeyOutsideLevels returns a key that is NULL at the levels without its group, over rows that have levels. The rows of levels without
// the buckets of the window have no key to hide.
func (r recomputedWindowPlanner) nullKeyOutsideLevels(group int, key, level sqlexpr.Expr) sqlexpr.Expr {
	without := slices.DeleteFunc(r.branch.q.levels.LevelsWithout(group), func(l int) bool {
		return !slices.Contains(r.branch.q.levels.GroupSets[l], r.branch.br.members[0].ref.InputOf.AxisGroup)
	})
	if len(without) == 0 {
		return key
	}
	return build.CaseWhen(&sqlexpr.Unary{Op: sqlexpr.OpNot, X: rollup.IsOneOf(level, without)}, key)
}

// windowAxis returns the axis of the window.
func (r recomputedWindowPlanner) windowAxis() *catalog.Field {
	return r.branch.br.members[0].ref.Axis
}

// groupBucketContainingMovedBucket returns the bucket of a group of the axis that a moved bucket lies in; for a period of a calendar the day.
func (r recomputedWindowPlanner) groupBucketContainingMovedBucket(moved sqlexpr.Expr, group, axisGroup int) sqlexpr.Expr {
	axis, g := r.branch.q.groups[axisGroup], r.branch.q.groups[group]
	if group == axisGroup || g.Period != nil && axis.Grain == sqlexpr.GrainDay {
		return moved
	}
	days := &catalog.Field{Type: r.windowAxis().BucketType(axis.Grain)}
	return r.branch.q.in.Times.Clock.BucketExpr(moved, days, g.Grain, clock.TimeBounds{})
}

// measuresOverCopiedRows returns the measures over the rows that were copied to a bucket. first is the column of the first argument.
func (r recomputedWindowPlanner) measuresOverCopiedRows(first int) []plan.NamedExpr {
	out := make([]plan.NamedExpr, len(r.args))
	for i, a := range r.args {
		column, aggregate := &sqlexpr.Ref{ID: first}, a.measure
		var orderBy sqlexpr.Expr
		if r.branch.br.read.Kind == measure.ReadKindCopiedAggregates || r.isCopyingOnlyUntilNextValue() {
			column, aggregate = &sqlexpr.Ref{ID: first + i}, aggregates.OverParts(a.measure)
		}
		if a.orderBy != nil {
			orderBy = &sqlexpr.Ref{ID: first + 1}
		}
		out[i] = plan.NamedExpr{Name: r.names.UniqueName(a.measure.Stem), Expr: aggregates.Call(r.branch.q.in, aggregate, column, orderBy), Type: a.measure.Type}
	}
	return out
}
