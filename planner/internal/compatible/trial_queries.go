package compatible

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// trialKey identifies what decides whether a query accepts an item: equal trials have equal outcomes.
type trialKey struct {
	subject string
	place   string
	kind    fieldProperties
	path    string
	unit    string
	part    string
}

// trialPlanner plans the queries of one request that are tried, and keeps their outcomes.
type trialPlanner struct {
	ctx      context.Context
	extended *catalog.Catalog // the model with the additions of the query
	target   plan.Target
	check    func(*query.MetricQuery) error
	outcomes map[trialKey]error
	ended    error // of the context
}

// planQuery plans a query against the extended catalog.
func (p *trialPlanner) planQuery(q *query.MetricQuery) error {
	if p.ended != nil {
		return p.ended
	}
	if p.ended = p.ctx.Err(); p.ended != nil {
		return p.ended
	}
	if err := p.check(q); err != nil {
		return err
	}
	_, err := metric.PlanWithExtendedCatalog(p.ctx, p.extended, q, p.target)
	return err
}

// runOnce returns the outcome of a trial, which is planned once.
func (p *trialPlanner) runOnce(key trialKey, plan func() error) error {
	if err, known := p.outcomes[key]; known {
		return err
	}
	err := plan()
	p.outcomes[key] = err
	return err
}

// fieldTrialKey identifies the fields that a subject accepts or rejects alike: those of one kind at places of one class.
type fieldTrialKey struct {
	place int
	kind  fieldProperties
}

// fieldOutcome is what a subject accepts of a field under its own name.
type fieldOutcome struct {
	accepted bool
	grains   []string // nil for a field without
	parts    []string
	err      error // of the last trial that failed
}

// fieldOutcomes are the outcomes of fields, those of common kinds by place and kind.
type fieldOutcomes struct {
	common [][]*fieldOutcome
	others map[fieldTrialKey]*fieldOutcome
}

func (o *fieldOutcomes) of(key fieldTrialKey) *fieldOutcome {
	if !key.kind.isNeitherSeparateNorTimeAxis() {
		return o.others[key]
	}
	if key.place >= len(o.common) || key.kind.kind >= len(o.common[key.place]) {
		return nil
	}
	return o.common[key.place][key.kind.kind]
}

func (o *fieldOutcomes) add(key fieldTrialKey, out fieldOutcome) {
	if !key.kind.isNeitherSeparateNorTimeAxis() {
		if o.others == nil {
			o.others = map[fieldTrialKey]*fieldOutcome{}
		}
		o.others[key] = &out
		return
	}
	for key.place >= len(o.common) {
		o.common = append(o.common, nil)
	}
	of := &o.common[key.place]
	for key.kind.kind >= len(*of) {
		*of = append(*of, nil)
	}
	(*of)[key.kind.kind] = &out
}

// subjectAndPlaceClass identifies the places of one class for subjects of one class.
type subjectAndPlaceClass struct{ subject, place string }

// trialKeyPlaceNumbers are the numbers of places in the keys of the trials of fields.
type trialKeyPlaceNumbers map[subjectAndPlaceClass]int

func (places trialKeyPlaceNumbers) numberOf(s *trialQuery, at datasetReachability) int {
	key := subjectAndPlaceClass{s.class, at.class}
	n, known := places[key]
	if !known {
		n = len(places)
		places[key] = n
	}
	return n
}

// trialQuery is a query that dimensions are added to.
type trialQuery struct {
	class string // subjects of equal classes accept equal fields of equal places
	query *query.MetricQuery
	added *catalog.Metric // one more metric of the query; nil for none
	reach metric.QueryHomesRefsAndAxes
	// fansOut: some reference is not reached along a single safe path, so that the root of a branch
	// depends on all references.
	fansOut  bool
	windowed []*catalog.Metric // those of the query that can name a field in their window
}

// withGroupBy returns the subject's query with one more group-by.
func (s *trialQuery) withGroupBy(g query.GroupBy) *query.MetricQuery {
	q := *s.query
	q.GroupBy = append(slices.Clip(q.GroupBy), g)
	if s.added != nil {
		q.Metrics = append(slices.Clip(q.Metrics), s.added.Name)
	}
	return &q
}

func (f *itemFinder) newDistinctGroupsTrialQuery() *trialQuery {
	s := f.newTrialQuery("distinct", nil, metric.QueryHomesRefsAndAxes{})
	s.fansOut = true
	return s
}

func (f *itemFinder) newTrialQuery(class string, added *catalog.Metric, reach metric.QueryHomesRefsAndAxes) *trialQuery {
	s := new(trialQuery)
	f.initTrialQuery(s, class, added, reach)
	return s
}

// initTrialQuery makes s the query with one more metric, or with none where added is nil.
func (f *itemFinder) initTrialQuery(s *trialQuery, class string, added *catalog.Metric, reach metric.QueryHomesRefsAndAxes) {
	*s = trialQuery{class: class, query: f.Query, added: added, reach: reach}
	if added != nil && f.traitsOfMetric(added).namesInWindow {
		s.windowed = append(s.windowed, added)
	}
	for _, name := range f.Query.Metrics {
		if m := f.model.extended.Metric(name); m != nil && f.traitsOfMetric(m).namesInWindow {
			s.windowed = append(s.windowed, m)
		}
	}
	for _, ref := range reach.Refs {
		for _, h := range reach.Homes {
			if len(f.model.extended.SafePaths(h.Dataset, ref.SourceDataset(), 2)) != 1 {
				s.fansOut = true
			}
		}
	}
}

// subjectKey identifies the subjects of plain metrics that accept equal fields.
type subjectKey struct {
	class string
	home  *catalog.Dataset // of a metric with one
	homes string           // of a metric with several, their names
}

// newMetricTrialQueries returns the queries of single metrics, those of plain metrics first: they settle most
// dimensions.
func (f *itemFinder) newMetricTrialQueries(metrics []*catalog.Metric) []*trialQuery {
	refs, known := f.groupByRefs()
	plain, others := make([]*trialQuery, 0, len(metrics)), []*trialQuery(nil)
	memory := make([]trialQuery, len(metrics))
	seen := make(map[subjectKey]bool, len(metrics))
	for _, m := range metrics {
		class := f.classOfMetric[m.ID]
		facts := f.traitsOfMetric(m)
		if !facts.isPlain || !known {
			if reach, err := metric.FindQueryHomesRefsAndAxes(f.trials.ctx, f.model.extended, queryWithMetric(f.Query, m), f.Target); err == nil {
				others = append(others, f.newTrialQuery(class, m, reach))
			}
			continue
		}
		key := subjectKey{class: class}
		if len(facts.homes) == 1 {
			key.home = facts.homes[0].Dataset
		} else {
			key.homes = namesOfHomes(facts.homes)
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		s := &memory[len(plain)]
		f.initTrialQuery(s, class, m, metric.QueryHomesRefsAndAxes{Homes: facts.homes, Refs: refs, Axes: facts.axes})
		plain = append(plain, s)
	}
	return append(plain, others...)
}

func namesOfHomes(homes []metric.HomeDataset) string {
	var b strings.Builder
	for _, h := range homes {
		b.WriteString("@" + h.Dataset.Name)
	}
	return b.String()
}
