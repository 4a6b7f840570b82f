package window

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// nextBucketWithValueColumnName is the column of the next bucket that has a value.
const nextBucketWithValueColumnName = "next_bucket"

// isCopyingOnlyUntilNextValue reports whether a value is copied only to the buckets before the next one that has it. A window
// then holds each value once, so that the values are aggregated before they are copied. Buckets within a day may repeat when clocks
// change, and levels bring equal values of several buckets or groups together again. An engine may have
// no windows with parts by a floating-point value.
func (r recomputedWindowPlanner) isCopyingOnlyUntilNextValue() bool {
	axis := r.branch.Br.Members[0].Ref.InputOf.AxisGroup
	if r.span != nil || r.branch.Br.Read.Kind != measure.ReadKindCopiedValues || r.branch.Q.Groups[axis].Period != nil || r.branch.Q.Groups[axis].Grain.IsWithinDay() ||
		r.branch.Q.Levels.HasSeveralLevels() {
		return false
	}
	attributes := r.attributes()
	for i := range r.branch.Q.Groups {
		if attributes.Has(i) {
			return false
		}
	}
	for _, a := range r.args {
		if a.Measure.Agg != catalog.AggCountDistinct && a.Measure.Agg != catalog.AggSumDistinct {
			return false
		}
	}
	value := r.args[0].Value.Type
	return !r.branch.Q.In.Target.Caps.NoFloatPartitions || value != sqlexpr.TypeUnknown && value != sqlexpr.TypeFloat
}

// aggregateByBucketAndNextBucket aggregates the values of a bucket that have one next bucket, which is NULL where none has them. The next
// bucket is the column after the keys.
//
//	distinct values of each bucket ─► LEAD of the bucket ─► aggregate by the bucket and the next one
func (r recomputedWindowPlanner) aggregateByBucketAndNextBucket(rows plan.Node) plan.Node {
	axis, columns := r.branch.Br.Members[0].Ref.InputOf.AxisGroup, rows.Schema()
	bucket := &sqlexpr.Ref{ID: axis}
	lead := &sqlexpr.WindowCall{
		Call:  &sqlexpr.Call{Fn: sqlexpr.FnLead, Args: []sqlexpr.Expr{bucket}},
		Order: []sqlexpr.OrderItem{{X: bucket}},
	}
	names := naming.NewNamer()
	for i, c := range columns {
		names.UniqueName(c.Name)
		if i != axis {
			lead.Partition = append(lead.Partition, &sqlexpr.Ref{ID: i})
		}
	}
	next := plan.NamedExpr{Name: names.UniqueName(nextBucketWithValueColumnName), Expr: lead, Type: columns[axis].Type}
	refs, keys := columns.ColumnRefs(), len(r.keys)
	measures := make([]plan.NamedExpr, len(r.args))
	for i, a := range r.args {
		measures[i] = plan.NamedExpr{Name: names.UniqueName(a.Measure.Stem), Expr: aggregates.OverDistinct(a.Measure, refs[keys].Expr), Type: a.Measure.Type}
	}
	return &plan.Aggregate{
		Input:    &plan.Window{Input: rows, Funcs: []plan.NamedExpr{next}},
		Keys:     append(refs[:keys:keys], plan.NamedExpr{Name: next.Name, Expr: &sqlexpr.Ref{ID: len(columns)}, Type: next.Type}),
		Measures: measures, Home: r.branch.Br.Home.Name, Why: "values until the next bucket",
	}
}

// beforeNextBucketCondition holds where a moved bucket is before the one in a column, or that column is NULL.
func beforeNextBucketCondition(moved sqlexpr.Expr, column int) sqlexpr.Expr {
	next := &sqlexpr.Ref{ID: column}
	return &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.IsNull{X: next}, R: &sqlexpr.Binary{Op: sqlexpr.OpLt, L: moved, R: next}}
}
