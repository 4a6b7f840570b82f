package compatible

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/internal/local"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Items are the metrics and the dimensions that a query accepts, in the order of the model.
type Items struct {
	Metrics    []*catalog.Metric
	Dimensions []Dimension
}

// Dimension is a field that a query accepts as one more group-by.
type Dimension struct {
	Name   string         // as a group-by spells it
	Field  *catalog.Field // nil for metric_time
	Grains []string       // of a time field, those that the query accepts
	Parts  []string       // of a time field, in place of a grain
}

// Request is a query whose compatible items are wanted.
type Request struct {
	Catalog *catalog.Catalog // of the model
	Query   *query.MetricQuery
	Target  plan.Target
	// Check rejects a query that no model can answer.
	Check func(*query.MetricQuery) error
	// Facts are the traits of Catalog.
	Facts *ModelTraits
}

// itemFinder holds what the steps of one request share.
type itemFinder struct {
	Request
	model     modelClassifier
	trials    trialPlanner
	fanOuts   fanOuts
	mentioned nameSet // that the query uses

	groupNames nameSet
	objects    *traitsOfAllObjects               // of the model
	queryFacts map[*catalog.Metric]*metricTraits // where the query adds to the model
	forms      map[string]string                 // of queryFacts
	classes    map[string]string                 // of metrics, each by itself
	classKey   []byte                            // of the last metric, reused
	outcomeOf  map[string]error                  // by class of a metric
	// classOfMetric are the classes of the metrics that the query accepts, by ID.
	classOfMetric []string
}

// traitsOfMetric returns the traits of a metric.
func (f *itemFinder) traitsOfMetric(m *catalog.Metric) *metricTraits {
	if f.model.extended == f.Catalog {
		return &f.objects.metrics[m.ID]
	}
	facts, known := f.queryFacts[m]
	if !known {
		found := f.model.findMetricTraits(m, f.forms)
		facts = &found
		f.queryFacts[m] = facts
	}
	return facts
}

// Find returns the compatible items of a query.
func Find(ctx context.Context, r Request) (Items, error) {
	if err := r.Check(r.Query); err != nil {
		return Items{}, err
	}
	extended, err := local.ExtendCatalog(ctx, r.Catalog, r.Query.With, r.Query)
	if err != nil {
		return Items{}, err
	}
	f := &itemFinder{
		Request: r, model: modelClassifier{extended, r.Target.Dialect}, mentioned: mentionedNames(r.Query),
		trials:        trialPlanner{ctx: ctx, extended: extended, target: r.Target, check: r.Check, outcomes: map[trialKey]error{}},
		fanOuts:       fanOuts{catalog: r.Catalog, query: r.Query, fanned: map[*catalog.Dataset]map[*catalog.Dataset]bool{}},
		classOfMetric: make([]string, len(r.Catalog.Metrics)),
		groupNames:    groupNames(r.Query), queryFacts: map[*catalog.Metric]*metricTraits{}, forms: map[string]string{}, classes: map[string]string{},
		outcomeOf: map[string]error{},
		objects:   r.Facts.traitsOfCatalog(r.Catalog, r.Target.Dialect),
	}
	out, err := f.findItems()
	if f.trials.ended != nil {
		return Items{}, f.trials.ended
	}
	return out, err
}

func (f *itemFinder) findItems() (Items, error) {
	q := f.Query
	open := len(q.Metrics) == 0 && !q.Distinct
	if err := f.checkGivenQuery(open); err != nil {
		return Items{}, err
	}
	if q.Distinct {
		return Items{Dimensions: newDimensionFinder(f).acceptedDimensions([]*trialQuery{f.newDistinctGroupsTrialQuery()})}, nil
	}
	var base metric.QueryHomesRefsAndAxes
	if !open {
		var err error
		if base, err = metric.FindQueryHomesRefsAndAxes(f.trials.ctx, f.model.extended, q, f.Target); err != nil {
			return Items{}, err
		}
	}
	metrics, err := f.acceptedMetrics(base, open)
	if err != nil {
		return Items{}, err
	}
	out := Items{Metrics: metrics}
	if open {
		out.Dimensions = newDimensionFinder(f).acceptedDimensions(f.newMetricTrialQueries(metrics))
	} else {
		out.Dimensions = newDimensionFinder(f).acceptedDimensions([]*trialQuery{f.newTrialQuery("query", nil, base)})
	}
	return out, nil
}

// checkGivenQuery rejects a query that does not compile itself. One without metrics has only its group-bys
// checked: which metrics it needs is not known.
func (f *itemFinder) checkGivenQuery(open bool) error {
	q := f.Query
	switch {
	case !open && !(q.Distinct && len(q.GroupBy) == 0):
		return f.trials.planQuery(q)
	case len(q.GroupBy) == 0:
		return nil
	}
	listing := *q
	listing.Distinct, listing.Metrics = true, nil
	in := scope.NewEnv(f.trials.ctx, f.model.extended, &listing, f.Target)
	if err := in.CheckAsOfZoneAndWeekStart(); err != nil {
		return err
	}
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return err
	}
	_, err = scope.ResolveGroups(in, sel)
	return err
}

// acceptedMetrics lists the metrics that the query accepts. If it accepts none and has none, the error is the reason
// that all metrics share and that is a fault of the query alone.
func (f *itemFinder) acceptedMetrics(base metric.QueryHomesRefsAndAxes, open bool) ([]*catalog.Metric, error) {
	if len(f.Query.Metrics) >= limits.QueryMetrics {
		return nil, nil
	}
	refs, known := base.Refs, true
	if open {
		refs, known = f.groupByRefs()
	}
	var out []*catalog.Metric
	var shared *planerr.Error
	fault := true
	for _, m := range f.Catalog.ShownMetrics() {
		if m.ErrorForDialect(f.Target.Dialect) != nil || slices.Contains(f.Query.Metrics, m.Name) {
			continue
		}
		class, reachable := f.metricEquivalenceClass(m, base, refs, known)
		if !reachable {
			fault = false
			continue
		}
		err, known := f.outcomeOf[class]
		if !known {
			err = f.trials.planQuery(queryWithMetric(f.Query, m))
			f.outcomeOf[class] = err
		}
		if err == nil {
			out = append(out, m)
			f.classOfMetric[m.ID] = class
		}
		if fault && err != nil {
			shared, fault = sharedQueryFault(shared, err)
		}
	}
	if open && fault && shared != nil && len(out) == 0 {
		return nil, shared
	}
	return out, nil
}

// sharedQueryFault returns the fault of a query and reports whether two errors are the same fault of a query.
func sharedQueryFault(a *planerr.Error, b error) (fault *planerr.Error, same bool) {
	var second *planerr.Error
	if !errors.As(b, &second) || !isFaultOfQuery(second.Code) {
		return nil, false
	}
	if a == nil {
		return second, true
	}
	return a, a.Code == second.Code && a.Message == second.Message
}

// isFaultOfQuery reports whether an error is a fault of the query, and not of what a metric accepts.
func isFaultOfQuery(code string) bool {
	switch code {
	case planerr.CodeBadRequest, planerr.CodeUnknownDimension, planerr.CodeAmbiguousDimension, planerr.CodeUnsupportedFilter, planerr.CodeUnknownRelationship:
		return true
	}
	return false
}

// groupByRefs returns the references of the group-bys of a query without metrics. known is false where the query
// reads other fields besides.
func (f *itemFinder) groupByRefs() (refs resolve.Refs, known bool) {
	q := f.Query
	known = q.WhereSQL == "" && q.ContextFilter == "" && len(q.TimeRanges) == 0 && (q.TimeRange == nil || q.TimeRange.Dimension == "")
	names := &resolve.Resolver{Cat: f.model.extended, Homes: f.model.extended.Datasets}
	for _, g := range q.GroupBy {
		if g.Field == scope.MetricTime {
			continue
		}
		parts, err := resolve.SplitPath(g.Field)
		if g.Expression != "" || err != nil {
			known = false
			continue
		}
		ref, err := names.Resolve(parts)
		if err != nil {
			known = false
			continue
		}
		refs.IndexOrAdd(ref)
	}
	return refs, known
}

// queryWithMetric returns a query with one more metric.
func queryWithMetric(given *query.MetricQuery, m *catalog.Metric) *query.MetricQuery {
	q := *given
	q.Metrics = append(slices.Clip(q.Metrics), m.Name)
	return &q
}

// mentionedNames returns the words of the texts of a query.
func mentionedNames(q *query.MetricQuery) nameSet {
	out := nameSet{}
	add := func(texts ...string) {
		for _, t := range texts {
			for _, word := range strings.FieldsFunc(strings.ToLower(t), isNotWordRune) {
				out[word] = true
			}
		}
	}
	add(q.Metrics...)
	add(q.WhereSQL, q.ContextFilter)
	for _, g := range q.GroupBy {
		add(g.Field, g.Name, g.Expression)
	}
	for _, m := range q.InlineMetrics {
		add(m.Name, m.Expression, m.TimeDimension)
	}
	for _, l := range q.With {
		add(l.Name, l.Expression)
	}
	for _, o := range q.OrderBy {
		add(o.Key)
	}
	if q.TimeRange != nil {
		add(q.TimeRange.Dimension)
	}
	for _, r := range q.TimeRanges {
		add(r.Tag, r.Dimension)
	}
	return out
}

// isNotWordRune splits a text into names. Quoted names with other letters are words, too, because a query that quotes
// a name has it between quotes or dots.
func isNotWordRune(r rune) bool { return strings.ContainsRune(" \t\r\n.,;()'\"`[]<>=!+-*/%|:", r) }
