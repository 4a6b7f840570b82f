package compatible

import (
	"iter"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/query"
)

// trialKey identifies what decides whether a query accepts an item: equal trials have equal outcomes.
type trialKey struct {
	subject string
	place   string
	kind    fieldProperties
	path    string
	unit    string
}

// runTrialOnce returns the outcome of a trial, which is planned once.
func (f *itemFinder) runTrialOnce(t trialKey, plan func() error) error {
	if err, known := f.outcomes[t]; known {
		return err
	}
	err := plan()
	f.outcomes[t] = err
	return err
}

// fieldTrialKey identifies the fields that a subject accepts or refuses alike: those of one kind at places of one class.
type fieldTrialKey struct {
	place int
	kind  fieldProperties
}

// fieldOutcome is what a subject accepts of a field under its own name.
type fieldOutcome struct {
	accepted bool
	grains   []string // nil for a field without
	err      error    // of the last trial that failed
}

// placeKey identifies the places of one class for subjects of one class.
type placeKey struct{ subject, place string }

// placeNumbers are the numbers of places in the keys of the trials of fields.
type placeNumbers map[placeKey]int

func (p placeNumbers) numberOf(s *trialQuery, at datasetPlace) int {
	key := placeKey{s.class, at.class}
	n, known := p[key]
	if !known {
		n = len(p)
		p[key] = n
	}
	return n
}

// trialQuery is a query that dimensions are added to.
type trialQuery struct {
	class string // subjects of equal classes accept equal fields of equal places
	query *query.MetricQuery
	added *catalog.Metric // one more metric of the query; nil for none
	reach metric.QueryInputs
	// fansOut: some reference is not reached along a single safe path, so that the root of a branch
	// depends on all references.
	fansOut  bool
	windowed []*catalog.Metric // those of the query that can name a field in their window
}

// withGroupBy is the subject's query with one more group-by.
func (s *trialQuery) withGroupBy(g query.GroupBy) *query.MetricQuery {
	q := *s.query
	q.GroupBy = append(slices.Clip(q.GroupBy), g)
	if s.added != nil {
		q.Metrics = append(slices.Clip(q.Metrics), s.added.Name)
	}
	return &q
}

func (f *itemFinder) givenTrialQuery(base metric.QueryInputs) *trialQuery {
	return f.newTrialQuery("query", nil, base)
}

func (f *itemFinder) newDistinctTrialQuery() *trialQuery {
	s := f.newTrialQuery("distinct", nil, metric.QueryInputs{})
	s.fansOut = true
	return s
}

// newTrialQuery is the query with one more metric, or with none where added is nil.
func (f *itemFinder) newTrialQuery(class string, added *catalog.Metric, reach metric.QueryInputs) *trialQuery {
	s := &trialQuery{class: class, query: f.Query, added: added, reach: reach}
	if added != nil && f.factsOfMetric(added).namesInWindow {
		s.windowed = append(s.windowed, added)
	}
	for _, name := range f.Query.Metrics {
		if m := f.extended.Metric(name); m != nil && f.factsOfMetric(m).namesInWindow {
			s.windowed = append(s.windowed, m)
		}
	}
	for _, ref := range reach.Refs {
		for _, h := range reach.Homes {
			if len(f.extended.SafePaths(h.Dataset, ref.SourceDataset(), 2)) != 1 {
				s.fansOut = true
			}
		}
	}
	return s
}

// newMetricTrialQueries are the queries of single metrics, those of plain metrics first: they settle most
// dimensions.
func (f *itemFinder) newMetricTrialQueries(metrics []*catalog.Metric) []*trialQuery {
	refs, known := f.groupByRefs()
	var plain, others []*trialQuery
	seen := make(map[string]bool, len(metrics))
	plain = make([]*trialQuery, 0, len(metrics))
	var key []byte
	for _, m := range metrics {
		class, _ := f.metricEquivalenceClass(m, metric.QueryInputs{}, refs, known)
		if facts := f.factsOfMetric(m); facts.isPlain && known {
			key = append(key[:0], class...)
			for _, h := range facts.homes {
				key = append(append(key, '@'), h.Dataset.Name...)
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				plain = append(plain, f.newTrialQuery(class, m, metric.QueryInputs{Homes: facts.homes, Refs: refs, Axes: facts.axes}))
			}
			continue
		}
		reach, err := metric.FindQueryInputs(f.ctx, f.extended, f.queryWithMetric(m), f.Target)
		if err != nil {
			continue
		}
		others = append(others, f.newTrialQuery(class, m, reach))
	}
	return append(plain, others...)
}

// acceptedDimensions lists the dimensions that at least one subject accepts. Grains are those of the first subject
// that accepts the dimension.
func (f *itemFinder) acceptedDimensions(subjects []*trialQuery) []Dimension {
	if len(f.Query.GroupBy) >= limits.QueryGroupBys {
		return nil
	}
	found := foundDimensions{first: make([]Dimension, 1+len(f.Catalog.Fields))}
	if grains := f.metricTimeGrains(subjects); len(grains) > 0 {
		found.first[0] = Dimension{Name: metric.MetricTime, Grains: grains}
	}
	settled := make([]bool, len(f.Catalog.Fields))
	open := make([]int, len(f.Catalog.Datasets)) // how many fields are not settled
	for id, dimensions := range f.objects.dimensions {
		open[id] = len(dimensions)
	}
	for _, s := range subjects {
		for d := range s.datasetsWithin(f.Catalog) {
			if open[d.ID] == 0 {
				continue
			}
			at, possible := f.placeOfDataset(s, d)
			if !possible {
				continue
			}
			place := f.places.numberOf(s, at)
			for _, field := range f.objects.dimensions[d.ID] {
				if settled[field.ID] {
					continue
				}
				kind := f.propertiesOfField(s, field)
				own := f.acceptedOwnName(s, at, fieldTrialKey{place, kind}, field)
				if !own.accepted {
					found.add(f.acceptedPaths(s, at, kind, field, own.err)...)
					continue
				}
				// No other subject adds a spelling.
				settled[field.ID] = true
				open[d.ID]--
				found.add(Dimension{Name: f.objects.fields[field.ID].name, Field: field, Grains: own.grains})
			}
			if f.ended != nil {
				return nil
			}
		}
	}
	return f.withoutGroupedDimensions(found.list())
}

// foundDimensions are the dimensions of fields, those of one field in the order in which they were found.
type foundDimensions struct {
	first []Dimension         // by 1 + the ID of the field; without a name where it has none
	more  map[int][]Dimension // by the ID of a field, the dimensions after the first
	count int                 // of those in more
}

// add adds those dimensions whose name the field does not have yet.
func (l *foundDimensions) add(dimensions ...Dimension) {
	for _, dim := range dimensions {
		id := dim.Field.ID
		first := &l.first[1+id]
		hasName := func(o Dimension) bool { return o.Name == dim.Name }
		switch {
		case first.Name == "":
			*first = dim
		case !hasName(*first) && !slices.ContainsFunc(l.more[id], hasName):
			if l.more == nil {
				l.more = map[int][]Dimension{}
			}
			l.more[id] = append(l.more[id], dim)
			l.count++
		}
	}
}

// list lists the dimensions by their fields, in the memory of first where no field has several.
func (l *foundDimensions) list() []Dimension {
	out := l.first[:0]
	if l.count > 0 {
		out = make([]Dimension, 0, len(l.first)+l.count)
	}
	for i, dim := range l.first {
		if dim.Name != "" {
			out = append(out, dim)
		}
		if l.count > 0 {
			out = append(out, l.more[i-1]...)
		}
	}
	return out
}

// datasetsWithin lists the datasets that the subject may reach, and perhaps others.
func (s *trialQuery) datasetsWithin(cat *catalog.Catalog) iter.Seq[*catalog.Dataset] {
	for _, h := range s.reach.Homes {
		if !mayFanOut(s.query, h) {
			return cat.ReachedFrom(h.Dataset)
		}
	}
	return slices.Values(cat.Datasets)
}

// withoutGroupedDimensions leaves out the dimensions that the query groups by.
func (f *itemFinder) withoutGroupedDimensions(dims []Dimension) []Dimension {
	if len(f.Query.GroupBy) == 0 {
		return dims
	}
	return slices.DeleteFunc(dims, func(d Dimension) bool {
		return d.Field != nil && slices.ContainsFunc(f.Query.GroupBy, func(g query.GroupBy) bool {
			if g.Field == "" {
				return false
			}
			bare := len(f.Catalog.FieldsNamed(g.Field)) == 1 && f.Catalog.FieldsNamed(g.Field)[0] == d.Field && d.Name == d.Field.QualifiedName()
			return bare || strings.EqualFold(g.Field, d.Name)
		})
	})
}

// metricTimeGrains lists the grains of metric_time that one of the subjects accepts.
func (f *itemFinder) metricTimeGrains(subjects []*trialQuery) []string {
	if slices.ContainsFunc(f.Query.GroupBy, func(g query.GroupBy) bool { return g.Field == metric.MetricTime }) {
		return nil
	}
	var out []string
	classes := map[string]bool{}
	different := slices.DeleteFunc(slices.Clone(subjects), func(s *trialQuery) bool {
		known := classes[s.class]
		classes[s.class] = true
		return known
	})
	for _, unit := range f.Catalog.BucketUnitNames() {
		if slices.ContainsFunc(different, func(s *trialQuery) bool { return f.tryGroupBy(s, trialKey{}, metric.MetricTime, unit) == nil }) {
			out = append(out, unit)
		}
	}
	return out
}

// tryGroupBy is the outcome of one more group-by. key holds the place and the kind of the field.
func (f *itemFinder) tryGroupBy(s *trialQuery, key trialKey, field, unit string) error {
	key.subject, key.unit = s.class, unit
	return f.runTrialOnce(key, func() error { return f.planQuery(s.withGroupBy(query.GroupBy{Field: field, Grain: unit})) })
}

// acceptedOwnName is what a subject accepts of a field under its own name.
func (f *itemFinder) acceptedOwnName(s *trialQuery, at datasetPlace, key fieldTrialKey, field *catalog.Field) fieldOutcome {
	if out, known := f.fieldOutcomes[key]; known {
		return out
	}
	trial := trialKey{place: at.class, kind: key.kind}
	name, units := f.objects.fields[field.ID].name, f.objects.fields[field.ID].units
	var out fieldOutcome
	if units[0] == "" {
		out.err = f.tryGroupBy(s, trial, name, "")
		out.accepted = out.err == nil
	} else {
		out.grains, out.err = f.acceptedGrains(s, trial, name, units)
		out.accepted = len(out.grains) > 0
	}
	f.fieldOutcomes[key] = out
	return out
}

// acceptedPaths lists the paths under which a subject accepts a field whose own name it does not accept for a reason.
func (f *itemFinder) acceptedPaths(s *trialQuery, at datasetPlace, kind fieldProperties, field *catalog.Field, reason error) (spellings []Dimension) {
	if !at.isTied && !s.fansOut {
		return nil
	}
	key := trialKey{place: at.class, kind: kind}
	for _, path := range pathsOfAmbiguityError(reason) {
		key.path = path
		name := path + "." + sqlexpr.FormatPath(field.Name)
		if grains, _ := f.acceptedGrains(s, key, name, f.objects.fields[field.ID].units); len(grains) > 0 {
			spellings = append(spellings, newDimension(name, field, grains))
		}
	}
	return spellings
}

func newDimension(name string, field *catalog.Field, grains []string) Dimension {
	if grains[0] == "" {
		grains = nil
	}
	return Dimension{Name: name, Field: field, Grains: grains}
}

// grainNamesOf lists the grains of a time field; "" alone for any other.
func grainNamesOf(cat *catalog.Catalog, field *catalog.Field) []string {
	if units := cat.BucketUnitNamesOf(field); len(units) > 0 {
		return units
	}
	return []string{""}
}

// acceptedGrains lists the units that a subject accepts on a field, and the last error.
func (f *itemFinder) acceptedGrains(s *trialQuery, key trialKey, name string, units []string) (out []string, last error) {
	for _, unit := range units {
		if err := f.tryGroupBy(s, key, name, unit); err != nil {
			last = err
			if isAmbiguousPathError(err) {
				break
			}
			continue
		}
		out = append(out, unit)
	}
	return out, last
}
