package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// planBucketVarianceParts returns the groups of the branch at each of its levels, with three columns for each argument: how many
// values it has, their mean less that of all rows, and their squared deviations.
func (r recomputedWindowPlanner) planBucketVarianceParts(from plan.Node) plan.Node {
	names := naming.NewNamer()
	cols := append(make([]plan.NamedExpr, 0, len(r.keys)+len(r.args)), r.keys...)
	for _, k := range cols {
		names.UniqueName(k.Name)
	}
	means := make([]plan.NamedExpr, len(r.args))
	until := untilColumn(r.span, names)
	cols = append(cols, until...)
	first := len(cols)
	for i, a := range r.args {
		value := plan.NamedExpr{Name: names.UniqueName(a.Measure.Stem), Expr: a.Value.Expr, Type: a.Value.Type}
		cols = append(cols, value)
		mean := &sqlexpr.WindowCall{Call: build.Call(sqlexpr.FnAvg, "AVG", &sqlexpr.Ref{ID: first + i})}
		means[i] = plan.NamedExpr{Name: names.UniqueName("mean"), Expr: mean, Type: sqlexpr.TypeFloat}
	}
	rows := &plan.Window{Input: &plan.Project{Input: from, Cols: cols}, Funcs: means}
	var parts []plan.NamedExpr
	for i := range r.args {
		value := &sqlexpr.Ref{ID: first + i}
		shifted := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: value, R: &sqlexpr.Ref{ID: len(cols) + i}}
		count := build.Call(sqlexpr.FnCount, "COUNT", value)
		squares := &sqlexpr.Binary{Op: sqlexpr.OpMul, L: build.Call(sqlexpr.FnVarPop, "VAR_POP", shifted), R: count}
		parts = append(parts,
			plan.NamedExpr{Name: names.UniqueName("row_count"), Expr: count, Type: sqlexpr.TypeInt},
			plan.NamedExpr{Name: names.UniqueName("mean_of_bucket"), Expr: build.Call(sqlexpr.FnAvg, "AVG", shifted), Type: sqlexpr.TypeFloat},
			plan.NamedExpr{Name: names.UniqueName("deviations"), Expr: squares, Type: sqlexpr.TypeFloat},
		)
	}
	keys := slices.Clone(rows.Schema().ColumnRefs()[:first])
	if r.branch.Q.Levels.HasSeveralLevels() {
		return &plan.GroupingSets{Input: rows, Keys: keys, Sets: levelSetsWith(r, len(until)), Level: r.branch.Level, Measures: parts, Home: r.branch.Br.Home.Name, Why: "buckets"}
	}
	return &plan.Aggregate{Input: rows, Keys: keys, Measures: parts, Home: r.branch.Br.Home.Name, Why: "buckets"}
}

// bucketVarianceParts are the columns of an argument in the parts of buckets.
type bucketVarianceParts struct{ count, mean, deviations *sqlexpr.Ref }

func (r recomputedWindowPlanner) bucketVariancePartsOfArgument(arg int) bucketVarianceParts {
	first := r.branch.Q.KeyCount() + 3*arg
	return bucketVarianceParts{&sqlexpr.Ref{ID: first}, &sqlexpr.Ref{ID: first + 1}, &sqlexpr.Ref{ID: first + 2}}
}

// planCopiedDeviations returns the squared deviations, in each bucket, of the rows of all buckets that a window reaches from it.
func (r recomputedWindowPlanner) planCopiedDeviations(from plan.Node) (plan.Node, error) {
	copies, err := r.copyRowsToBuckets(r.planBucketVarianceParts(from), len(r.keys))
	if err != nil {
		return nil, err
	}
	keys := copies.Schema().ColumnRefs()[:r.branch.Q.KeyCount():r.branch.Q.KeyCount()]
	means := &plan.Window{Input: copies}
	out := &plan.Aggregate{Input: means, Keys: keys, Home: r.branch.Br.Home.Name, Why: "windows"}
	for i, a := range r.args {
		part := r.bucketVariancePartsOfArgument(i)
		overBucket := func(e sqlexpr.Expr) sqlexpr.Expr {
			over := &sqlexpr.WindowCall{Call: build.Call(sqlexpr.FnSum, "SUM", e)}
			for k := range keys {
				over.Partition = append(over.Partition, &sqlexpr.Ref{ID: k})
			}
			return over
		}
		mean := &sqlexpr.SafeDivide{L: overBucket(part.sumOfCenteredValues()), R: overBucket(part.count)}
		means.Funcs = append(means.Funcs, plan.NamedExpr{Name: r.names.UniqueName("mean_of_window"), Expr: mean, Type: sqlexpr.TypeFloat})
		term := part.squaredDeviationsFrom(&sqlexpr.Ref{ID: len(copies.Cols) + i}, part.count)
		out.Measures = append(out.Measures, plan.NamedExpr{Name: r.names.UniqueName(a.Measure.Stem), Expr: build.Call(sqlexpr.FnSum, "SUM", term), Type: sqlexpr.TypeFloat})
	}
	return out, nil
}

// planSquaredDeviationGrowth returns what the squared deviations of all buckets so far grow by in each bucket.
func (r recomputedWindowPlanner) planSquaredDeviationGrowth(from plan.Node) (plan.Node, error) {
	window := r.branch.Br.Members[0].Ref.InputOf
	var counted countedPeriodCollector
	counted.addPeriodsCountedByWindow(window, r.branch.Q.Groups[window.AxisGroup], nil)
	parts, calendars, err := counted.joinCollectedPeriodNumbers(r.branch.Q.In, r.planBucketVarianceParts(from), r.names)
	if err != nil {
		return nil, err
	}
	w := planner{query: r.branch.Q, win: window, axis: r.windowAxis(), calendar: calendars[window.AxisGroup]}
	before := &sqlexpr.Frame{Start: sqlexpr.FrameBound{Unbounded: true}, End: sqlexpr.FrameBound{Offset: -1}}
	sumBefore := func(e sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.WindowCall{Call: build.Call(sqlexpr.FnSum, "SUM", e), Partition: w.partitionKeys(), Order: w.windowOrderKeys(nil, before), Frame: before}
	}
	earlier := &plan.Window{Input: parts}
	width, keys := len(parts.Schema()), r.branch.Q.KeyCount()
	out := &plan.Project{Input: earlier, Cols: parts.Schema().ColumnRefs()[:keys:keys]}
	for i, a := range r.args {
		part := r.bucketVariancePartsOfArgument(i)
		count, sum := &sqlexpr.Ref{ID: width + 2*i}, &sqlexpr.Ref{ID: width + 2*i + 1}
		earlier.Funcs = append(earlier.Funcs,
			plan.NamedExpr{Name: r.names.UniqueName("count_before"), Expr: sumBefore(part.count), Type: sqlexpr.TypeInt},
			plan.NamedExpr{Name: r.names.UniqueName("sum_before"), Expr: sumBefore(part.sumOfCenteredValues()), Type: sqlexpr.TypeFloat})
		both := &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: part.count, R: count}
		weight := &sqlexpr.SafeDivide{L: &sqlexpr.Binary{Op: sqlexpr.OpMul, L: part.count, R: count}, R: both}
		term := part.squaredDeviationsFrom(&sqlexpr.SafeDivide{L: sum, R: count}, weight)
		out.Cols = append(out.Cols, plan.NamedExpr{Name: r.names.UniqueName(a.Measure.Stem), Expr: term, Type: sqlexpr.TypeFloat})
	}
	return out, nil
}

// sumOfCenteredValues returns the sum of the values of a bucket, less the mean of all rows.
func (p bucketVarianceParts) sumOfCenteredValues() sqlexpr.Expr {
	return &sqlexpr.Binary{Op: sqlexpr.OpMul, L: p.count, R: p.mean}
}

// squaredDeviationsFrom returns the squared deviations of a bucket with the weighted one of its mean from another; without
// another, the former.
func (p bucketVarianceParts) squaredDeviationsFrom(mean, weight sqlexpr.Expr) sqlexpr.Expr {
	distance := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: p.mean, R: mean}
	square := &sqlexpr.Binary{Op: sqlexpr.OpMul, L: distance, R: distance}
	return &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: p.deviations, R: build.CoalesceToNumber(&sqlexpr.Binary{Op: sqlexpr.OpMul, L: weight, R: square}, "0")}
}
