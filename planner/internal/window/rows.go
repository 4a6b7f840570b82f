package window

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// planRecomputedWindowBranch plans a branch that a recomputed window reads in another way than by the rows of each bucket.
func planRecomputedWindowBranch(p *grouping.Planner, names *naming.Namer, branches int, joinsInner bool) (grouping.Grouped, error) {
	if joinsInner {
		p.MakeRowDroppingJoins()
	}
	filters, err := p.ListGroupKeysAndFilters()
	if err != nil {
		return grouping.Grouped{}, err
	}
	if p.Once != nil {
		return grouping.Grouped{}, p.RepeatedRowsError(p.Br.Members[0].Ref.InputOf)
	}
	args, slots, err := grouping.CollectWindowArguments(p)
	if err != nil {
		return grouping.Grouped{}, err
	}
	span, err := p.NewSpan()
	if err != nil {
		return grouping.Grouped{}, err
	}
	from, keys, err := p.BranchInputRows(filters)
	if err != nil {
		return grouping.Grouped{}, err
	}
	rows := recomputedWindowPlanner{p, keys, args, names, span}
	out := grouping.Grouped{Branch: p, Slots: slots, Rows: -1}
	switch p.Br.Read.Kind {
	case measure.ReadKindFirstOccurrences:
		out.Node, err = rows.aggregateInFirstBucketOfEachValue(from)
	case measure.ReadKindSpanUnits:
		out.Node, err = spanUnitPlanner{rows}.aggregateUnits(from)
	case measure.ReadKindCopiedDeviations:
		out.Node, err = rows.planCopiedDeviations(from)
	case measure.ReadKindRunningDeviations:
		out.Node, err = rows.planSquaredDeviationGrowth(from)
	default:
		out.Node, err = rows.aggregateCopiedRows(from, branches)
	}
	return out, err
}

// recomputedWindowPlanner are the rows of a branch that a recomputed window reads.
type recomputedWindowPlanner struct {
	branch *grouping.Planner
	keys   []plan.NamedExpr
	args   []grouping.WindowArgument
	names  *naming.Namer
	span   *grouping.Span // that is not a number of buckets; nil for any other window
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
		a.Value.Name = names.UniqueName(a.Value.Name)
		values = append(values, a.Value)
	}
	switch r.branch.Br.Read.Kind {
	case measure.ReadKindCopiedAggregates:
		return &plan.Aggregate{Input: from, Keys: append(keys, untilColumn(r.span, names)...), Measures: values, Home: r.branch.Br.Home.Name, Why: "buckets"}
	case measure.ReadKindCopiedValues:
		latest := untilColumn(r.span, names)
		for i, c := range latest {
			latest[i].Expr = build.Call(sqlexpr.FnMax, "MAX", c.Expr)
		}
		return &plan.Aggregate{Input: from, Keys: append(keys, values[0]), Measures: latest, Home: r.branch.Br.Home.Name, Why: "distinct values"}
	}
	if orderBy := r.args[0].OrderBy; orderBy != nil {
		values = append(values, plan.NamedExpr{Name: names.UniqueName("order_key"), Expr: orderBy, Type: aggregates.TypeOverFields(r.branch.Q.In.Cat, r.args[0].Measure.OrderBy)})
	}
	present := &plan.Filter{Input: from, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: values[0].Expr}}, Why: "values"}
	return &plan.Project{Input: present, Cols: append(append(keys, values...), untilColumn(r.span, names)...)}
}

// aggregateCopiedRows aggregates, in each bucket, the rows of all buckets that a window reaches from it.
func (r recomputedWindowPlanner) aggregateCopiedRows(from plan.Node, branches int) (plan.Node, error) {
	input := r.newCopyInput(from)
	if r.isCopyingOnlyUntilNextValue() {
		input = r.aggregateByBucketAndNextBucket(input)
	}
	until := len(r.keys)
	if r.branch.Br.Read.Kind != measure.ReadKindCopiedAggregates {
		until = len(input.Schema()) - 1
	}
	copies, err := r.copyRowsToBuckets(input, until)
	if err != nil {
		return nil, err
	}
	keys := copies.Schema().ColumnRefs()[:len(r.keys):len(r.keys)]
	return r.branch.GroupBranchRows(copies, keys, r.measuresOverCopiedRows(len(r.keys)), branches), nil
}

// untilColumn returns the column of the first bucket whose span does not have a row; none for a number of buckets.
func untilColumn(s *grouping.Span, names *naming.Namer) []plan.NamedExpr {
	if s == nil {
		return nil
	}
	return []plan.NamedExpr{{Name: names.UniqueName("until"), Expr: s.FirstBucketWithoutRow(), Type: sqlexpr.TypeDate}}
}

// copyRowsToBuckets copies each row to the buckets whose windows it is in. Where the window is a span that is not a number of buckets, the
// first bucket that does not have the row is the column until.
//
//	rows ─► repeat ─► bucket + number of the copy
func (r recomputedWindowPlanner) copyRowsToBuckets(rows plan.Node, until int) (*plan.Project, error) {
	w := r.branch.Br.Members[0].Ref.InputOf
	if r.branch.Q.Groups[w.AxisGroup].Period != nil {
		return r.copyRowsToPeriods(rows)
	}
	copies, moved := r.repeatInLaterBuckets(rows)
	columns, level := rows.Schema(), len(r.branch.Q.Groups)
	cols := columns.ColumnRefs()
	switch _, varies := w.MaxCoveredBuckets(r.branch.Q.Groups[w.AxisGroup].Grain); {
	case r.span != nil:
		beforeUntil := &sqlexpr.Binary{Op: sqlexpr.OpLt, L: moved, R: &sqlexpr.Ref{ID: until}}
		copies = &plan.Filter{Input: copies, Conds: []sqlexpr.Expr{beforeUntil}, Why: "span"}
		if cols = slices.Delete(cols, until, until+1); until == level {
			level++
		}
	case varies:
		span := &sqlexpr.Interval{Count: strconv.Itoa(w.N), Unit: w.Spec.Recompute.Span.Grain.String()}
		start := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: moved, R: span}
		inSpan := &sqlexpr.Binary{Op: sqlexpr.OpGt, L: &sqlexpr.Ref{ID: w.AxisGroup}, R: start}
		copies = &plan.Filter{Input: copies, Conds: []sqlexpr.Expr{inSpan}, Why: "span"}
	}
	if next := len(r.keys); r.isCopyingOnlyUntilNextValue() {
		copies = &plan.Filter{Input: copies, Conds: []sqlexpr.Expr{beforeNextBucketCondition(moved, next)}, Why: "values"}
		cols = slices.Delete(cols, next, next+1)
	}
	var levels sqlexpr.Expr
	if _, ok := rows.(*plan.GroupingSets); ok {
		levels = &sqlexpr.Ref{ID: level}
	}
	return projectMovedKeys(r, copies, cols, moved, levels)
}

// repeatInLaterBuckets repeats rows for the buckets that a window reaches over, and returns the bucket of each copy.
func (r recomputedWindowPlanner) repeatInLaterBuckets(rows plan.Node) (copies plan.Node, moved sqlexpr.Expr) {
	w := r.branch.Br.Members[0].Ref.InputOf
	grain := r.branch.Q.Groups[w.AxisGroup].Grain
	most, _ := w.MaxCoveredBuckets(grain)
	bucket := &sqlexpr.Ref{ID: w.AxisGroup}
	if r.span != nil {
		if most += r.span.ExtraBuckets(); most == 1 {
			return rows, bucket
		}
	}
	number := &sqlexpr.Ref{ID: len(rows.Schema())}
	later := build.Call(sqlexpr.FnDateAdd, "DATEADD", &sqlexpr.String{Value: grain.String()}, number, bucket)
	copies = &plan.Repeat{Input: rows, Name: r.names.UniqueName("buckets_later"), Count: int64(most)}
	return copies, build.CastMovedInstant(later, rows.Schema()[w.AxisGroup].Type, r.branch.Q.In.Target.Caps.ZonesApart)
}

// projectMovedKeys returns copies of rows with the groups of their buckets. level is the level of a row; nil where rows have none.
func projectMovedKeys(r recomputedWindowPlanner, copies plan.Node, cols []plan.NamedExpr, moved, level sqlexpr.Expr) (*plan.Project, error) {
	attributes := r.attributes()
	if err := attributes.MoveKeys(cols, moved, level); err != nil {
		return nil, err
	}
	return attributes.Join(&plan.Project{Input: copies, Cols: cols}, "moved", "windows", r.names)
}

// attributes returns the attributes of the buckets of the window.
func (r recomputedWindowPlanner) attributes() branch.BucketAttributes {
	return r.branch.Q.AttributesOf(r.windowAxis(), clock.TimeBounds{})
}

// windowAxis returns the axis of the window.
func (r recomputedWindowPlanner) windowAxis() *catalog.Field {
	return r.branch.Br.Members[0].Ref.Axis
}

// measuresOverCopiedRows returns the measures over the rows that were copied to a bucket. first is the column of the first argument.
func (r recomputedWindowPlanner) measuresOverCopiedRows(first int) []plan.NamedExpr {
	out := make([]plan.NamedExpr, len(r.args))
	for i, a := range r.args {
		column, aggregate := &sqlexpr.Ref{ID: first}, a.Measure
		var orderBy sqlexpr.Expr
		if r.branch.Br.Read.Kind == measure.ReadKindCopiedAggregates || r.isCopyingOnlyUntilNextValue() {
			column, aggregate = &sqlexpr.Ref{ID: first + i}, aggregates.OverParts(a.Measure)
		}
		if a.OrderBy != nil {
			orderBy = &sqlexpr.Ref{ID: first + 1}
		}
		out[i] = plan.NamedExpr{Name: r.names.UniqueName(a.Measure.Stem), Expr: aggregates.Call(r.branch.Q.In, aggregate, column, orderBy), Type: a.Measure.Type}
	}
	return out
}
