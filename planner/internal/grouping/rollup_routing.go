package grouping

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// PlanOverBestTable plans a branch over the best rollup that serves it, else over the base tables, and reports which. The base plan comes first: a
// query that it rejects is rejected by its error, and a rollup takes its place only with the same columns.
func PlanOverBestTable(a *branch.Query, br *branch.Branch, way branch.Routes, kept *top.Kept, level string, spent measure.Sizes, names *naming.Namer, plans func(*Planner, *naming.Namer) (Grouped, error)) (Grouped, error) {
	p, err := newPlanner(a, br, way, kept, level, spent)
	if err != nil {
		return Grouped{}, err
	}
	if a.In.Rollups == nil {
		return plans(p, names)
	}
	before := names.Clone()
	base, err := plans(p, names)
	if err != nil {
		return base, err
	}
	use := plan.RollupUse{Home: br.Home.Name, Metrics: br.MetricNames(), Tag: br.ScanRange.TagIn(a.Ranges)}
	if use.Metrics == nil {
		use.Metrics = []string{}
	}
	described := describeForRollups(a, br, way, kept)
	decision := rollup.Route(described)
	use.Need = decision.Need
	for _, read := range decision.Serving {
		own := before.Clone()
		rolled, err := plans(newRolledPlanner(a, br, way, kept, level, spent, read), own)
		if err != nil || !slices.Equal(rolled.Node.Schema(), base.Node.Schema()) {
			decision.Rejected = append(decision.Rejected, plan.RollupRejection{
				Rollup: read.Rollup.Name, Rule: plan.RollupRuleMeasure, Subject: br.Home.Name, Message: "the branch needs single rows of the base tables",
			})
			continue
		}
		use.Rollup, use.Store = &read.Rollup.Name, read.Rollup.Store()
		a.In.Rollups.Add(use, nil)
		plan.ListRejectedRollups(rolled.Node, decision.Rejected)
		return rolled, nil
	}
	use.WhyNot = append([]plan.RollupRejection{}, decision.Rejected[:min(len(decision.Rejected), rollup.MaxRejections)]...)
	a.In.Rollups.Add(use, alignedRange(a.In, described, decision))
	plan.ListRejectedRollups(base.Node, decision.Rejected)
	return base, nil
}

// alignedRange returns the time range of the query with the bounds of whole periods of the first rollup, where its bounds alone exclude that; nil
// for any other query.
func alignedRange(in *scope.Env, b *rollup.Branch, d rollup.Decision) *query.TimeRange {
	given := in.Keys.TimeRange
	if given == nil || given.Last != nil || in.HasSeveralRanges() || len(d.Rejected) == 0 || d.Rejected[0].Rule != plan.RollupRuleRangeEdge {
		return nil
	}
	whole, ok := rollup.AlignedInterval(b, d.Rejected[0].Rollup)
	if !ok {
		return nil
	}
	out := *given
	if out.Start != "" {
		out.Start = whole.Start.Text()
	}
	if out.End != "" {
		out.End = whole.End.Text()
	}
	if out == *given {
		return nil
	}
	return &out
}

// describeForRollups describes what a branch reads to the rules of rollups.
func describeForRollups(a *branch.Query, br *branch.Branch, way branch.Routes, kept *top.Kept) *rollup.Branch {
	a = a.OfBranch(br)
	d := branchDescription{query: a, branch: br, way: way}
	out := &rollup.Branch{
		In: a.In, Home: br.Home, ReadsHome: way.Root == br.Home && !way.OncePerGroup && len(way.Home) == 0, OfSnapshots: br.NonAdditive != nil,
		MergesGroups: a.Levels.HasSeveralLevels() || kept != nil || a.Compare.MeetOnMovedBuckets(), Inner: br.Inner, Metrics: a.Sel.Metrics,
	}
	for _, r := range way.Refs {
		out.Reached = append(out.Reached, rollup.NewField(r.Path, r.Ref.Field))
	}
	for _, u := range br.Members {
		out.Measures = append(out.Measures, rollup.Measure{Measure: u.Ref.Measure, Where: u.Ref.Where, SingleRows: u.Ref.Read.ReadsSingleRows(u.Ref.Measure)})
		out.CopiesRows = out.CopiesRows || u.Ref.Read.Kind != measure.ReadKindBucketRows
	}
	if !out.ReadsHome {
		return out
	}
	for i := range a.Groups {
		out.Groups = append(out.Groups, d.group(i))
	}
	for _, part := range [][]where.Conjunct{way.Population, a.Conds.Input} {
		for _, c := range part {
			out.Conditions = append(out.Conditions, d.condition(c))
		}
	}
	out.Ranges = rollup.DescribeRanges(a.In, a.Ranges, br.ScanRange, len(a.Compare.ByPeriods()) > 0, func(r where.Range) rollup.Field { return d.field(br.RangeRef(r)) })
	return out
}

// branchDescription describes a branch to the rules of rollups.
type branchDescription struct {
	query  *branch.Query
	branch *branch.Branch
	way    branch.Routes
}

// field returns a reference with its path from the home.
func (b branchDescription) field(ref resolve.Ref) rollup.Field {
	for _, r := range b.way.Refs {
		if r.Ref.IsSame(ref) {
			return rollup.NewField(r.Path, ref.Field)
		}
	}
	return rollup.NewField(ref.Prefix, ref.Field)
}

func (b branchDescription) group(i int) rollup.Group {
	g := b.query.Groups[i]
	out := rollup.Group{Name: g.DisplayName(), Grain: g.Grain, Period: g.Period, Part: g.Part}
	if g.Expression != nil {
		for _, ref := range g.Expression.Refs {
			out.Expression = append(out.Expression, b.field(ref))
		}
		return out
	}
	out.Field = b.field(b.branch.GroupRef(g))
	for _, u := range b.branch.Members {
		w := u.Ref.InputOf
		if w == nil || w.AxisGroup != i || w.Spec.Span() == nil || w.Spec.Span().Grain == sqlexpr.GrainNone || !g.HasBuckets() {
			continue
		}
		if unit := rollup.SpanUnit(w.Spec.Span().Grain, g.Grain); !slices.Contains(out.Spans, unit) {
			out.Spans = append(out.Spans, unit)
		}
		if w.SpansBackFromEnd(g.Grain) {
			_, isCut := where.CutEnd(b.query.In, u.Ref, b.query.Groups, b.query.Ranges, b.query.Conds)
			out.SingleTimes = out.SingleTimes || isCut
		}
	}
	return out
}

func (b branchDescription) condition(c where.Conjunct) rollup.Condition {
	out := rollup.Condition{Text: c.Text, Expr: c.Expr, Read: c.Refs, IsMember: c.Member != nil}
	for _, ref := range b.query.Conds.Refs {
		out.Fields = append(out.Fields, b.field(ref))
	}
	out.Dropped = b.branch.ScanRange.Beyond && b.branch.IsShownRange(c)
	if ref, interval, ok := b.query.RangeOfConjunct(c); ok {
		if i := slices.IndexFunc(b.query.Conds.Refs, ref.IsSame); i >= 0 {
			out.Interval, out.Read = &interval, []int{i}
		}
	}
	return out
}
