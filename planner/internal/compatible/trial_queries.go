package compatible

import (
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

// fieldOutcomes are the outcomes of fields, those of common kinds by place and kind.
type fieldOutcomes struct {
	common [][]*fieldOutcome
	others map[fieldTrialKey]*fieldOutcome
}

func (o *fieldOutcomes) of(key fieldTrialKey) *fieldOutcome {
	if !key.kind.isCommon() {
		return o.others[key]
	}
	if key.place >= len(o.common) || key.kind.kind >= len(o.common[key.place]) {
		return nil
	}
	return o.common[key.place][key.kind.kind]
}

func (o *fieldOutcomes) add(key fieldTrialKey, out fieldOutcome) {
	if !key.kind.isCommon() {
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

func (f *itemFinder) newTrialQuery(class string, added *catalog.Metric, reach metric.QueryInputs) *trialQuery {
	s := new(trialQuery)
	f.initTrialQuery(s, class, added, reach)
	return s
}

// initTrialQuery makes s the query with one more metric, or with none where added is nil.
func (f *itemFinder) initTrialQuery(s *trialQuery, class string, added *catalog.Metric, reach metric.QueryInputs) {
	*s = trialQuery{class: class, query: f.Query, added: added, reach: reach}
	if added != nil && f.traitsOfMetric(added).namesInWindow {
		s.windowed = append(s.windowed, added)
	}
	for _, name := range f.Query.Metrics {
		if m := f.extended.Metric(name); m != nil && f.traitsOfMetric(m).namesInWindow {
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
}

// subjectKey identifies the subjects of plain metrics that accept equal fields.
type subjectKey struct {
	class string
	home  *catalog.Dataset // of a metric with one
	homes string           // of a metric with several, their names
}

// newMetricTrialQueries are the queries of single metrics, those of plain metrics first: they settle most
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
			if reach, err := metric.FindQueryInputs(f.ctx, f.extended, f.queryWithMetric(m), f.Target); err == nil {
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
		f.initTrialQuery(s, class, m, metric.QueryInputs{Homes: facts.homes, Refs: refs, Axes: facts.axes})
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
	open := make([]int, len(f.Catalog.Datasets)) // how many fields are not settled
	for id, dimensions := range f.objects.dimensions {
		open[id] = len(dimensions)
	}
	l := dimensionList{foundDimensions: &found, settled: make([]bool, len(f.Catalog.Fields)), open: open}
	for _, s := range subjects {
		if home := s.homeWithoutFanOut(); home != nil {
			for d := range f.Catalog.DatasetsReachableFrom(home) {
				f.addDimensionsOfDataset(&l, s, d)
			}
		} else {
			for _, d := range f.Catalog.Datasets {
				f.addDimensionsOfDataset(&l, s, d)
			}
		}
		if f.ended != nil {
			return nil
		}
	}
	return f.withoutGroupedDimensions(found.list())
}

// dimensionList is the list of accepted dimensions while it is made.
type dimensionList struct {
	*foundDimensions
	settled []bool // by field: no other subject adds a spelling
	open    []int  // by dataset, how many fields are not settled
}

// addDimensionsOfDataset adds the dimensions of a dataset that a subject accepts.
func (f *itemFinder) addDimensionsOfDataset(l *dimensionList, s *trialQuery, d *catalog.Dataset) {
	if l.open[d.ID] == 0 || f.ended != nil {
		return
	}
	at, possible := f.placeOfDataset(s, d)
	if !possible {
		return
	}
	place := f.places.numberOf(s, at)
	for _, field := range f.objects.dimensions[d.ID] {
		if l.settled[field.ID] {
			continue
		}
		kind := f.propertiesOfField(s, field)
		own := f.tryFieldUnderOwnName(s, at, fieldTrialKey{place, kind}, field)
		if !own.accepted {
			l.add(f.acceptedPaths(s, at, kind, field, own.err)...)
			continue
		}
		l.settled[field.ID] = true
		l.open[d.ID]--
		l.add(Dimension{Name: f.objects.fields[field.ID].name, Field: field, Grains: own.grains})
	}
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

// homeWithoutFanOut is a home outside of whose reach the subject accepts no field; nil where there is none.
func (s *trialQuery) homeWithoutFanOut() *catalog.Dataset {
	for _, h := range s.reach.Homes {
		if !queryAllowsFanOut(s.query, h) {
			return h.Dataset
		}
	}
	return nil
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

// tryFieldUnderOwnName is what a subject accepts of a field under its own name.
func (f *itemFinder) tryFieldUnderOwnName(s *trialQuery, at datasetPlace, key fieldTrialKey, field *catalog.Field) fieldOutcome {
	if out := f.fieldOutcomes.of(key); out != nil {
		return *out
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
	f.fieldOutcomes.add(key, out)
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
	if units := cat.BucketUnitNamesOfField(field); len(units) > 0 {
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
