package planner

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// The defaults and bounds of an attribution.
const (
	defaultMaxValues     = 500
	mostMaxValues        = 1000
	defaultTopDimensions = 3
	defaultTopValues     = 10
)

// Attribution is a planned attribution: the queries that fetch its numbers, and
// what is to be made of them. Run every query, then call Report.
type Attribution struct {
	// Totals reads the metric's measures in both windows; Dimensions read them
	// for each member, one query for each dimension of the request.
	Totals     *Planned
	Dimensions []*Planned

	metric  *catalog.Metric
	formula attribution.Formula
	reason  *attribution.Reason
	leaves  []leaf
	where   sqlexpr.Expr // the request's where_sql, over names
	window  *attribution.WindowMapping
	values  int // max_values_per_dimension

	topDimensions, topValues int

	totals     layout
	dimensions []attributed
	members    []memberOf
	compared   attribution.Comparison
	lastDays   [2]any // where layouts have a bucket: the first days of the last ones
}

// PlanAttribution plans the queries of an attribution. Errors are as of
// PlanMetrics.
func (p *Planner) PlanAttribution(ctx context.Context, q *query.AttributeQuery, t Target) (*Attribution, error) {
	return settled(ctx, q, func(q *query.AttributeQuery) (*Attribution, error) { return p.planAttribution(ctx, q, t) })
}

func (p *Planner) planAttribution(ctx context.Context, q *query.AttributeQuery, t Target) (*Attribution, error) {
	a := &attributing{ctx: ctx, planner: p, q: q, target: t, out: &Attribution{}}
	err := inTurn(ctx,
		a.findMetric,
		a.checkDimensions,
		a.checkCounts,
		a.checkBindings,
		a.readWindows,
		a.checkWhere,
		a.spreadParams,
		a.analyse,
		a.planTotals,
		a.planDimensions,
	)
	if err != nil {
		return nil, err
	}
	return a.out, nil
}

// attributing is one attribution on its way to its queries.
type attributing struct {
	ctx     context.Context // of the call that this is the whole life of
	planner *Planner
	q       *query.AttributeQuery
	target  Target
	out     *Attribution
	metric  *catalog.Metric
	// ranges are what the windows of the measures read, a baseline and a
	// current range for each set that a leaf names.
	ranges []query.TaggedRange
	start  [2]timerange.Instant // of baseline and current
	end    [2]timerange.Instant
	// bound are the bindings that each query reads, by its dimension ("" for the
	// totals), and declared the parameters that any of them reads.
	bound    map[string]query.Bindings
	declared []*catalog.Param
	// last is set where the metric's value is that of a window's last bucket.
	last *lastBucket
}

func (a *attributing) findMetric() error {
	b := &build{cat: a.planner.cat, target: a.target}
	if a.q.Metric == "" {
		names := b.metricNames()
		return &planerr.Error{
			Code:       planerr.CodeEmptyQuery,
			Message:    "the attribution names no metric",
			Candidates: names[:min(len(names), scope.MaxCandidates)],
		}
	}
	m, err := b.metric(a.q.Metric)
	if err != nil {
		return err
	}
	if cerr := m.ErrFor(a.target.Dialect); cerr != nil {
		return cerr
	}
	a.metric, a.out.metric = m, m
	return nil
}

// checkDimensions wants dimensions, none of them blank or named twice, however it
// is spelled.
func (a *attributing) checkDimensions() error {
	if len(a.q.Dimensions) == 0 || slices.ContainsFunc(a.q.Dimensions, blank) {
		return a.dimensionsRequired()
	}
	rest, err := a.distinctDimensions()
	if err != nil {
		return err
	}
	if len(rest) < len(a.q.Dimensions) {
		return &planerr.Error{
			Code:     planerr.CodeDuplicateOutputName,
			Message:  "a dimension is named twice",
			Fragment: map[string]any{"dimensions": rest},
		}
	}
	return nil
}

// distinctDimensions is the request's dimensions, each once. What names no field is
// a dimension of its own here, and refused when its query is planned.
func (a *attributing) distinctDimensions() ([]string, error) {
	b := &build{cat: a.planner.cat, target: a.target, q: &query.MetricQuery{Metrics: []string{a.metric.Name}}}
	if err := b.selectMetrics(); err != nil {
		return nil, err
	}
	var out []string
	var refs []scope.Ref
	for _, name := range distinct(a.q.Dimensions) {
		if g, err := b.group(query.GroupBy{Field: name}); err == nil && !g.metricTime {
			if slices.ContainsFunc(refs, g.ref.Same) {
				continue
			}
			refs = append(refs, g.ref)
		}
		out = append(out, name)
	}
	return out, nil
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func (a *attributing) checkCounts() error {
	or := func(n *int64, otherwise int) int {
		const most = 1 << 20
		if n == nil {
			return otherwise
		}
		return int(min(max(*n, 0), most))
	}
	a.out.values = or(a.q.MaxValuesPerDimension, defaultMaxValues)
	a.out.topDimensions = or(a.q.TopNDimensions, defaultTopDimensions)
	a.out.topValues = or(a.q.TopNValues, defaultTopValues)
	if a.out.values < 1 || a.out.values > mostMaxValues {
		return &planerr.Error{
			Code:    planerr.CodeBadRequest,
			Message: "max_values_per_dimension must be from 1 to " + strconv.Itoa(mostMaxValues),
		}
	}
	return nil
}

// checkBindings refuses lists: an attribution is of one metric's one value.
func (a *attributing) checkBindings() error {
	i := slices.IndexFunc(a.q.Params, func(p query.ParamBinding) bool { return p.List })
	if i < 0 {
		return nil
	}
	declared := a.planner.cat.AllParams(a.metric, a.target.Dialect)
	bound := query.Bindings{}
	for _, p := range a.q.Params {
		if p.List {
			d := slices.IndexFunc(declared, func(d *catalog.Param) bool { return d.Name == p.Name })
			if len(p.Values) > 0 {
				p.List, p.Values = false, p.Values[:1]
			} else if v, ok := example(declared, d); ok {
				p.List, p.Values = false, []query.Value{v}
			} else {
				continue
			}
		}
		bound = append(bound, p)
	}
	e := &planerr.Error{
		Code:     planerr.CodeParamOutOfDomain,
		Message:  "an attribution takes one value of " + a.q.Params[i].Name + ", not a list",
		Metrics:  []string{a.metric.Name},
		Fragment: map[string]any{"params": bound},
	}
	if len(bound) == 0 {
		e.Fragment["params"] = nil
	}
	return e
}

func example(declared []*catalog.Param, i int) (query.Value, bool) {
	if i < 0 {
		return query.Value{}, false
	}
	return params.Example(declared[i])
}

// readWindows reads the two windows, both of which need both ends.
func (a *attributing) readWindows() error {
	for i, w := range []struct {
		key string
		r   *query.TimeRange
	}{{"baseline", a.q.Baseline}, {"current", a.q.Current}} {
		if w.r == nil || w.r.Start == "" || w.r.End == "" {
			return timerange.Unsupported(w.key + " needs a start and an end")
		}
		interval, err := timerange.Parse(w.key, *w.r)
		if err != nil {
			return err
		}
		a.start[i], a.end[i] = interval.Start, interval.End
		a.ranges = append(a.ranges, query.TaggedRange{Tag: w.key, TimeRange: query.TimeRange{
			Start: w.r.Start, End: w.r.End, Dimension: a.timeDimension(),
		}})
	}
	days := func(i int) attribution.Number {
		return attribution.Number(a.end[i].Sub(a.start[i].Time).Hours() / (24 * time.Hour).Hours())
	}
	a.out.compared = attribution.Comparison{
		Baseline:           attribution.Window{Start: a.q.Baseline.Start, End: a.q.Baseline.End},
		Current:            attribution.Window{Start: a.q.Current.Start, End: a.q.Current.End},
		BaselineDays:       days(0),
		CurrentDays:        days(1),
		EqualLengthWindows: days(0) == days(1),
		Params:             map[string]any{},
	}
	return nil
}

// timeDimension is what the windows are over: the request's dimension, else
// each measure's own axis.
func (a *attributing) timeDimension() string {
	if a.q.TimeDimension != "" {
		return a.q.TimeDimension
	}
	return metricTime
}

// checkWhere parses where_sql, which filters rows here and so names no metric.
func (a *attributing) checkWhere() error {
	for _, c := range []struct{ key, text string }{{whereKey, a.q.WhereSQL}, {"context_filter", a.q.ContextFilter}} {
		if blank(c.text) {
			continue
		}
		root, err := scope.ParseCondition(c.key, c.text)
		if err != nil {
			return err
		}
		for _, col := range sqlexpr.Columns(root) {
			name := col.Path[0].Text
			m := a.planner.cat.Metric(name)
			if len(col.Path) == 1 && m != nil && (m == a.metric || len(a.planner.cat.FieldsNamed(name)) == 0) {
				return &planerr.Error{
					Code:           planerr.CodeUnsupportedFilter,
					Message:        c.key + " of an attribution filters rows, so it cannot name the metric " + m.Name,
					Metrics:        []string{m.Name},
					SuggestedRetry: "leave the condition on " + m.Name + " out, or ask a metric query for it",
				}
			}
			if err := a.checkQuotes(col, c.key, root); err != nil {
				return err
			}
		}
		if c.key == whereKey {
			a.out.where = root
		}
	}
	return nil
}

// checkQuotes refuses a string in double quotes. It does so before the queries are made,
// because their conditions may hold more than the request's.
func (a *attributing) checkQuotes(col *sqlexpr.Column, key string, condition sqlexpr.Expr) error {
	if len(col.Path) != 1 || !col.Path[0].Quoted {
		return nil
	}
	names := scope.Resolver{Cat: a.planner.cat}
	_, err := names.Resolve(scope.Parts(col.Path))
	mended := names.SuggestSingleQuotes(err, col, key, condition, func(string) bool { return false })
	var unknown *planerr.Error
	if errors.As(mended, &unknown) && unknown.Fragment != nil {
		return unknown
	}
	return nil
}
