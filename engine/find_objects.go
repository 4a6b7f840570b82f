package engine

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// FindResult is a page of the objects that a question names, the best first.
type FindResult struct {
	Query      string     `json:"query"`
	Hits       []FoundHit `json:"hits"`
	Total      int        `json:"total"`
	NextOffset *int64     `json:"next_offset,omitempty"`
	// Match is near where nothing matched and the hits have the nearest names.
	Match string `json:"match,omitempty"`
}

// FoundHit is an object that a question names.
type FoundHit struct {
	Kind        string   `json:"kind"` // metric, dimension, saved, value, dataset or view
	Name        string   `json:"name"` // as a query takes it; of a value, that of its field
	Value       string   `json:"value,omitempty"`
	Score       float64  `json:"score"`
	Why         string   `json:"why"` // the places and words that matched
	Description string   `json:"description,omitempty"`
	Use         QueryUse `json:"use"`
}

// QueryUse is a part of a query that uses an object.
type QueryUse struct {
	Metrics []string     `json:"metrics,omitempty"`
	GroupBy []GroupByUse `json:"group_by,omitempty"`
	Saved   string       `json:"saved,omitempty"`
	From    string       `json:"from,omitempty"`
	View    string       `json:"view,omitempty"`
	// WhereSQL is the condition that a field has a value.
	WhereSQL string `json:"where_sql,omitempty"`
}

// GroupByUse is a group-by item of a QueryUse.
type GroupByUse struct {
	Field string `json:"field"`
	Grain string `json:"grain,omitempty"`
}

const (
	findMatchNear             = "near"
	maxFoundDescriptionLength = 120 // characters
	defaultExampleGrain       = "month"
)

// Find ranks the objects of the model that a question names. The index is built for the first question; no data
// are read. The error is a *planerr.Error, as of Statement.SQL for the metrics of the question.
func (e *Engine) Find(ctx context.Context, q *query.FindQuery) (found *FindResult, err error) {
	defer e.recoverToError(&err)
	seen, err := e.InView(q.View)
	if err != nil {
		return nil, err
	}
	found, err = seen.findInScope(ctx, q)
	if err != nil || q.View == "" {
		return found, err
	}
	for i := range found.Hits {
		if found.Hits[i].Use.Saved == "" {
			found.Hits[i].Use.View = seen.cat.ScopeView().Name
		}
	}
	return found, nil
}

// findInScope ranks the objects of the scope of the engine.
func (e *Engine) findInScope(ctx context.Context, q *query.FindQuery) (*FindResult, error) {
	question := find.SearchRequest{Text: q.Text, Limit: int(min(q.Limit, query.MaxFindLimit)), Offset: int(min(q.Offset, math.MaxInt32))}
	if question.Limit <= 0 {
		question.Limit = query.DefaultFindLimit
	}
	for i, name := range find.KindNames() {
		if slices.Contains(q.Kinds, name) {
			question.Kinds = append(question.Kinds, find.Kind(i))
		}
	}
	var accepted *objectsAcceptedByQuery
	if len(q.Metrics) > 0 {
		var err error
		if accepted, err = e.findObjectsAcceptedByQuery(ctx, q.Metrics); err != nil {
			return nil, err
		}
		question.Accept = accepted.has
	}
	answer := e.currentFindIndex().Find(question)
	out := &FindResult{Query: q.Text, Hits: make([]FoundHit, 0, len(answer.Hits)), Total: answer.Total}
	if answer.Near {
		out.Match = findMatchNear
	}
	for _, h := range answer.Hits {
		use, err := e.queryUseOfObject(ctx, h.Object)
		if err != nil {
			return nil, err
		}
		if accepted != nil && h.Kind == find.KindDimension {
			d, _ := accepted.dimensionOf(h.Object)
			h.Name = d.Name
			use.GroupBy = []GroupByUse{{Field: d.Name, Grain: preferredExampleGrain(d.Grains)}}
		}
		out.Hits = append(out.Hits, FoundHit{
			Kind: h.Kind.String(), Name: h.Name, Value: h.Value, Score: h.Score, Why: h.Why,
			Description: clipText(h.Description, maxFoundDescriptionLength), Use: use,
		})
	}
	if next := q.Offset + int64(len(out.Hits)); len(out.Hits) > 0 && next < int64(out.Total) {
		out.NextOffset = &next
	}
	return out, nil
}

// objectsAcceptedByQuery are the objects that one query with some metrics accepts: the metrics themselves, too.
type objectsAcceptedByQuery struct {
	metrics    map[string]bool
	dimensions map[*catalog.Field][]planner.CompatibleDimension
}

func (a *objectsAcceptedByQuery) has(o find.Object) bool {
	switch o.Kind {
	case find.KindMetric:
		return a.metrics[o.Name]
	case find.KindDimension:
		_, ok := a.dimensionOf(o)
		return ok
	case find.KindValue: // for a condition on its field
		d, ok := a.dimensionOf(o)
		return ok && d.Name == o.Name
	}
	return false
}

// dimensionOf returns a dimension as the query takes it: under its own name, or under the path that ends with it where the
// metrics are joined with it from further away.
func (a *objectsAcceptedByQuery) dimensionOf(o find.Object) (planner.CompatibleDimension, bool) {
	all := a.dimensions[o.Field]
	i := slices.IndexFunc(all, func(d planner.CompatibleDimension) bool { return d.Name == o.Name })
	if i < 0 {
		i = slices.IndexFunc(all, func(d planner.CompatibleDimension) bool { return strings.HasSuffix(d.Name, "."+o.Name) })
	}
	if i < 0 {
		return planner.CompatibleDimension{}, false
	}
	return all[i], true
}

// findObjectsAcceptedByQuery finds the objects that one query with all of some metrics accepts.
func (e *Engine) findObjectsAcceptedByQuery(ctx context.Context, metrics []string) (*objectsAcceptedByQuery, error) {
	var known []*catalog.Metric
	for _, name := range metrics {
		if m := e.cat.Metric(name); m != nil && m.Err == nil {
			known = append(known, m)
		}
	}
	asked, err := e.minimalQueryOfMetrics(ctx, known)
	if err != nil {
		return nil, err
	}
	asked.Metrics = metrics
	fits, err := e.findCompatibleItems(ctx, asked, e.warehouses.targets[embeddedDialect])
	if err != nil {
		return nil, err
	}
	out := &objectsAcceptedByQuery{metrics: make(map[string]bool, len(fits.Metrics)), dimensions: make(map[*catalog.Field][]planner.CompatibleDimension, len(fits.Dimensions))}
	for _, name := range metrics {
		out.metrics[name] = true
	}
	for _, m := range fits.Metrics {
		out.metrics[m.Name] = true
	}
	for _, d := range fits.Dimensions {
		out.dimensions[d.Field] = append(out.dimensions[d.Field], d)
	}
	return out, nil
}

// minimalQueryOfMetrics returns a query of metrics with the group-bys and parameters that they need.
func (e *Engine) minimalQueryOfMetrics(ctx context.Context, metrics []*catalog.Metric) (*query.MetricQuery, error) {
	q := &query.MetricQuery{}
	for _, m := range metrics {
		use, err := e.queryUseOfMetric(ctx, m)
		if err != nil {
			return nil, err
		}
		q.Metrics = append(q.Metrics, m.Name)
		q.GroupBy = append(q.GroupBy, use.queryGroupBys()...)
		for _, b := range e.describer.SampleParamBindings(m) {
			if !slices.ContainsFunc(q.Params, func(other query.ParamBinding) bool { return other.Name == b.Name }) {
				q.Params = append(q.Params, b)
			}
		}
	}
	slices.SortFunc(q.GroupBy, func(a, b query.GroupBy) int { return strings.Compare(a.Field, b.Field) })
	q.GroupBy = slices.CompactFunc(q.GroupBy, func(a, b query.GroupBy) bool { return a.Field == b.Field })
	return q, nil
}

// queryUseOfObject returns the part of a query that uses an object.
func (e *Engine) queryUseOfObject(ctx context.Context, o find.Object) (QueryUse, error) {
	switch {
	case o.Metric != nil:
		return e.queryUseOfMetric(ctx, o.Metric)
	case o.Saved != nil:
		return QueryUse{Saved: o.Name}, nil
	case o.View != nil:
		return QueryUse{View: o.Name}, nil
	case o.Dataset != nil:
		return QueryUse{From: o.Name}, nil
	case o.Kind == find.KindValue:
		return QueryUse{WhereSQL: planner.PrintEqualityCondition(catalog.ViewField{Field: o.Field, Rel: o.Relationship}, o.Value)}, nil
	}
	return QueryUse{GroupBy: []GroupByUse{{Field: o.Name, Grain: preferredExampleGrain(e.cat.BucketUnitNamesOfField(o.Field))}}}, nil
}

// queryUseOfMetric returns a query of a metric, with the group-bys that it needs.
func (e *Engine) queryUseOfMetric(ctx context.Context, m *catalog.Metric) (QueryUse, error) {
	use := QueryUse{Metrics: []string{m.Name}}
	for _, f := range m.RequiredGroupByFields(embeddedDialect) {
		use.GroupBy = append(use.GroupBy, GroupByUse{Field: f.QualifiedName(), Grain: preferredExampleGrain(e.cat.BucketUnitNamesOfField(f))})
	}
	if !m.NeedsTimeAxis(embeddedDialect) {
		return use, nil
	}
	for _, unit := range append([]string{defaultExampleGrain}, e.cat.BucketUnitNames()...) {
		with := use
		with.GroupBy = append(slices.Clip(use.GroupBy), GroupByUse{"metric_time", unit})
		if _, err := e.planner.PlanMetrics(ctx, &query.MetricQuery{Metrics: use.Metrics, GroupBy: with.queryGroupBys(), Params: e.describer.SampleParamBindings(m)}, e.warehouses.targets[embeddedDialect].planner); err == nil {
			return with, nil
		}
		if ctx.Err() != nil {
			return QueryUse{}, e.toExecuteError(ctx, ctx.Err())
		}
	}
	return use, nil
}

// queryGroupBys returns the group-bys as a query has them.
func (u QueryUse) queryGroupBys() []query.GroupBy {
	out := make([]query.GroupBy, len(u.GroupBy))
	for i, g := range u.GroupBy {
		out[i] = query.GroupBy{Field: g.Field, Grain: g.Grain}
	}
	return out
}

// preferredExampleGrain returns the finest of month, quarter and year that a field has, else its finest; "" where it has
// none.
func preferredExampleGrain(units []string) string {
	for _, unit := range []string{defaultExampleGrain, "quarter", "year"} {
		if slices.Contains(units, unit) {
			return unit
		}
	}
	if len(units) == 0 {
		return ""
	}
	return units[0]
}

// clipText cuts a text at a number of characters.
func clipText(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return strings.TrimSpace(text[:i]) + "…"
		}
		n++
	}
	return text
}

// MatchingNames returns the names of the objects of a kind, such as metric, that a text matches as in Find.
func (e *Engine) MatchingNames(kind, text string) map[string]bool {
	for i, name := range find.KindNames() {
		if name == kind {
			return e.visible().index().MatchingNames(find.Kind(i), text)
		}
	}
	return nil
}
