package grouping

import (
	"math"
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
	var unplanned []plan.RollupRejection
	for i, read := range decision.Serving {
		own := before
		if i < len(decision.Serving)-1 {
			own = before.Clone()
		}
		rolled, err := plans(newRolledPlanner(a, br, way, kept, level, spent, read), own)
		if err != nil || !slices.Equal(rolled.Node.Schema(), base.Node.Schema()) {
			unplanned = append(unplanned, plan.RollupRejection{
				Rollup: read.Rollup.Name, Rule: plan.RollupRuleMeasure, Subject: br.Home.Name, Message: "the branch needs single rows of the base tables",
			})
			continue
		}
		use.Rollup, use.Store = &read.Rollup.Name, read.Rollup.Store()
		a.In.Rollups.Add(use, nil)
		listRejections(a.In, rolled.Node, decision, unplanned)
		return rolled, nil
	}
	use.WhyNot = append(decision.Rejections(rollup.MaxRejections), unplanned...)
	use.WhyNot = use.WhyNot[:min(len(use.WhyNot), rollup.MaxRejections)]
	a.In.Rollups.Add(use, alignedRange(a.In, described, use.WhyNot))
	listRejections(a.In, base.Node, decision, unplanned)
	return base, nil
}

// listRejections lists the rollups that do not serve a branch at its node, where they are asked.
func listRejections(in *scope.Env, node plan.Node, d rollup.Decision, unplanned []plan.RollupRejection) {
	if in.Target.Rollups.Explains {
		plan.ListRejectedRollups(node, append(d.Rejections(math.MaxInt), unplanned...))
	}
}

// alignedRange returns the time range of the query with the bounds of whole periods of the first rollup, where its bounds alone exclude that; nil
// for any other query.
func alignedRange(in *scope.Env, b *rollup.Branch, whyNot []plan.RollupRejection) *query.TimeRange {
	given := in.Keys.TimeRange
	if given == nil || given.Last != nil || in.HasSeveralRanges() || len(whyNot) == 0 || whyNot[0].Rule != plan.RollupRuleRangeEdge {
		return nil
	}
	whole, ok := rollup.AlignedInterval(b, whyNot[0].Rollup)
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
	out.Reached, out.Measures = make([]rollup.Field, 0, len(way.Refs)), make([]rollup.Measure, 0, len(br.Members))
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
	out.Groups = make([]rollup.Group, 0, len(a.Groups))
	for i := range a.Groups {
		out.Groups = append(out.Groups, d.group(i))
	}
	fields := make([]rollup.Field, 0, len(a.Conds.Refs))
	for _, ref := range a.Conds.Refs {
		fields = append(fields, d.field(ref))
	}
	out.Conditions = make([]rollup.Condition, 0, len(way.Population)+len(a.Conds.Input))
	for _, c := range way.Population {
		out.Conditions = append(out.Conditions, d.condition(c, fields))
	}
	for _, c := range a.Conds.Input {
		out.Conditions = append(out.Conditions, d.condition(c, fields))
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

// condition returns a conjunct over fields, which are those of the references of all conditions.
func (b branchDescription) condition(c where.Conjunct, fields []rollup.Field) rollup.Condition {
	out := rollup.Condition{Text: c.Text, Expr: c.Expr, Read: c.Refs, Fields: fields, IsMember: c.Member != nil}
	out.Dropped = b.branch.ScanRange.Beyond && b.branch.IsShownRange(c)
	if ref, interval, ok := b.query.RangeOfConjunct(c); ok {
		if i := slices.IndexFunc(b.query.Conds.Refs, ref.IsSame); i >= 0 {
			kept := interval
			out.Interval, out.Read = &kept, []int{i}
		}
	}
	return out
}
