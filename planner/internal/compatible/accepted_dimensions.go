package compatible

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/query"
)

// dimensionFinder finds the dimensions that the subjects of a request accept.
type dimensionFinder struct {
	f *itemFinder
	// fieldOutcomes are those of fields under their own names; places are the numbers in their keys.
	fieldOutcomes fieldOutcomes
	places        trialKeyPlaceNumbers
}

func newDimensionFinder(f *itemFinder) *dimensionFinder {
	return &dimensionFinder{f: f, places: trialKeyPlaceNumbers{}}
}

// acceptedDimensions lists the dimensions that at least one subject accepts. Grains are those of the first subject
// that accepts the dimension.
func (df *dimensionFinder) acceptedDimensions(subjects []*trialQuery) []Dimension {
	if len(df.f.Query.GroupBy) >= limits.QueryGroupBys {
		return nil
	}
	found := foundDimensions{first: make([]Dimension, 1+len(df.f.Catalog.Fields))}
	if grains, parts := df.metricTimeUnits(subjects); len(grains) > 0 {
		found.first[0] = Dimension{Name: scope.MetricTime, Grains: grains, Parts: parts}
	}
	open := make([]int, len(df.f.Catalog.Datasets)) // how many fields are not settled
	for id, dimensions := range df.f.objects.dimensions {
		open[id] = len(dimensions)
	}
	l := dimensionList{found: &found, settled: make([]bool, len(df.f.Catalog.Fields)), open: open}
	for _, s := range subjects {
		if home := s.firstHomeForbiddingFanOut(); home != nil {
			for d := range df.f.Catalog.DatasetsReachableFrom(home) {
				df.addDimensionsOfDataset(&l, s, d)
			}
		} else {
			for _, d := range df.f.Catalog.Datasets {
				df.addDimensionsOfDataset(&l, s, d)
			}
		}
		for listed := range df.f.Catalog.FieldsByRelationship() {
			df.addListedPath(s, &found, listed)
		}
		if df.f.trials.ended != nil {
			return nil
		}
	}
	return df.withoutGroupedDimensions(found.list())
}

// addListedPath adds a field that a view lists by a relationship, where the subject accepts it.
func (df *dimensionFinder) addListedPath(s *trialQuery, found *foundDimensions, listed catalog.ViewField) {
	field, key := listed.Field, trialKey{path: listed.Text()}
	if field.ErrorForDialect(df.f.Target.Dialect) != nil || field.IsNoDimension() {
		return
	}
	if grains, _ := df.acceptedGrains(s, key, listed.Text(), df.f.objects.fields[field.ID].units); len(grains) > 0 {
		found.add(newDimension(listed.Text(), field, grains, df.acceptedParts(s, key, listed.Text(), field)))
	}
}

// dimensionList is the list of accepted dimensions while it is made.
type dimensionList struct {
	found   *foundDimensions
	settled []bool // by field: no other subject adds a spelling
	open    []int  // by dataset, how many fields are not settled
}

// addDimensionsOfDataset adds the dimensions of a dataset that a subject accepts.
func (df *dimensionFinder) addDimensionsOfDataset(l *dimensionList, s *trialQuery, d *catalog.Dataset) {
	if l.open[d.ID] == 0 || df.f.trials.ended != nil {
		return
	}
	at, possible := df.reachabilityOfDataset(s, d)
	if !possible {
		return
	}
	place := df.places.numberOf(s, at)
	for _, field := range df.f.objects.dimensions[d.ID] {
		if l.settled[field.ID] || df.f.Catalog.FindDatasetField(d, field.Name) != field {
			continue
		}
		kind := df.propertiesOfField(s, field)
		own := df.tryFieldUnderOwnName(s, at, fieldTrialKey{place, kind}, field)
		if !own.accepted {
			l.found.add(df.acceptedPaths(s, at, kind, field, own.err)...)
			continue
		}
		l.settled[field.ID] = true
		l.open[d.ID]--
		l.found.add(Dimension{Name: df.f.objects.fields[field.ID].name, Field: field, Grains: own.grains, Parts: own.parts})
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

// firstHomeForbiddingFanOut returns a home outside of whose reach the subject accepts no field; nil where there is none.
func (s *trialQuery) firstHomeForbiddingFanOut() *catalog.Dataset {
	for _, h := range s.reach.Homes {
		if !queryAllowsFanOut(s.query, h) {
			return h.Dataset
		}
	}
	return nil
}

// withoutGroupedDimensions leaves out the dimensions that the query groups by.
func (df *dimensionFinder) withoutGroupedDimensions(dims []Dimension) []Dimension {
	if len(df.f.Query.GroupBy) == 0 {
		return dims
	}
	return slices.DeleteFunc(dims, func(d Dimension) bool {
		return d.Field != nil && slices.ContainsFunc(df.f.Query.GroupBy, func(g query.GroupBy) bool {
			if g.Field == "" {
				return false
			}
			bare := len(df.f.Catalog.FieldsNamed(g.Field)) == 1 && df.f.Catalog.FieldsNamed(g.Field)[0] == d.Field && d.Name == d.Field.QualifiedName()
			return bare || strings.EqualFold(g.Field, d.Name)
		})
	})
}

// metricTimeUnits lists the grains and the parts of metric_time that one of the subjects accepts.
func (df *dimensionFinder) metricTimeUnits(subjects []*trialQuery) (grains, parts []string) {
	if slices.ContainsFunc(df.f.Query.GroupBy, func(g query.GroupBy) bool { return g.Field == scope.MetricTime }) {
		return nil, nil
	}
	classes := map[string]bool{}
	different := slices.DeleteFunc(slices.Clone(subjects), func(s *trialQuery) bool {
		known := classes[s.class]
		classes[s.class] = true
		return known
	})
	accepts := func(g query.GroupBy) bool {
		return slices.ContainsFunc(different, func(s *trialQuery) bool { return df.tryGroupBy(s, trialKey{}, g) == nil })
	}
	for _, unit := range df.f.Catalog.BucketUnitNames() {
		if accepts(query.GroupBy{Field: scope.MetricTime, Grain: unit}) {
			grains = append(grains, unit)
		}
	}
	return grains, sqlexpr.FilterTimePartNames(func(part string) bool {
		return accepts(query.GroupBy{Field: scope.MetricTime, Part: part})
	})
}

// tryGroupBy is the outcome of one more group-by. key holds the place and the kind of the field.
func (df *dimensionFinder) tryGroupBy(s *trialQuery, key trialKey, g query.GroupBy) error {
	key.subject, key.unit, key.part = s.class, g.Grain, g.Part
	return df.f.trials.runOnce(key, func() error { return df.f.trials.planQuery(s.withGroupBy(g)) })
}

// acceptedParts lists the parts of a field that the query accepts. All parts that the field stores are groups of one kind.
func (df *dimensionFinder) acceptedParts(s *trialQuery, key trialKey, name string, field *catalog.Field) []string {
	stored := field.TimeParts()
	if len(stored) == 0 || df.tryGroupBy(s, key, query.GroupBy{Field: name, Part: stored[0].String()}) != nil {
		return nil
	}
	out := make([]string, len(stored))
	for i, p := range stored {
		out[i] = p.String()
	}
	return out
}

// tryFieldUnderOwnName returns what a subject accepts of a field under its own name.
func (df *dimensionFinder) tryFieldUnderOwnName(s *trialQuery, at datasetReachability, key fieldTrialKey, field *catalog.Field) fieldOutcome {
	if out := df.fieldOutcomes.of(key); out != nil {
		return *out
	}
	trial := trialKey{place: at.class, kind: key.kind}
	name, units := df.f.objects.fields[field.ID].name, df.f.objects.fields[field.ID].units
	var out fieldOutcome
	if units[0] == "" {
		out.err = df.tryGroupBy(s, trial, query.GroupBy{Field: name})
		out.accepted = out.err == nil
	} else {
		out.grains, out.err = df.acceptedGrains(s, trial, name, units)
		if out.accepted = len(out.grains) > 0; out.accepted {
			out.parts = df.acceptedParts(s, trial, name, field)
		}
	}
	df.fieldOutcomes.add(key, out)
	return out
}

// acceptedPaths lists the paths under which a subject accepts a field whose own name it does not accept for a reason.
func (df *dimensionFinder) acceptedPaths(s *trialQuery, at datasetReachability, kind fieldProperties, field *catalog.Field, reason error) (spellings []Dimension) {
	if !at.isTied && !s.fansOut {
		return nil
	}
	key := trialKey{place: at.class, kind: kind}
	for _, path := range pathsOfAmbiguityError(reason) {
		key.path = path
		name := path + "." + sqlexpr.FormatPath(field.Name)
		if grains, _ := df.acceptedGrains(s, key, name, df.f.objects.fields[field.ID].units); len(grains) > 0 {
			spellings = append(spellings, newDimension(name, field, grains, df.acceptedParts(s, key, name, field)))
		}
	}
	return spellings
}

func newDimension(name string, field *catalog.Field, grains, parts []string) Dimension {
	if grains[0] == "" {
		grains = nil
	}
	return Dimension{Name: name, Field: field, Grains: grains, Parts: parts}
}

// grainNamesOf lists the grains of a time field; "" alone for any other.
func grainNamesOf(cat *catalog.Catalog, field *catalog.Field) []string {
	if units := cat.BucketUnitNamesOfField(field); len(units) > 0 {
		return units
	}
	return []string{""}
}

// acceptedGrains lists the units that a subject accepts on a field, and the last error.
func (df *dimensionFinder) acceptedGrains(s *trialQuery, key trialKey, name string, units []string) (out []string, last error) {
	for _, unit := range units {
		if err := df.tryGroupBy(s, key, query.GroupBy{Field: name, Grain: unit}); err != nil {
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

func (df *dimensionFinder) propertiesOfField(s *trialQuery, field *catalog.Field) fieldProperties {
	facts := &df.f.objects.fields[field.ID]
	if !facts.isPlain || df.f.mentioned.has(field.Name) || df.isUsedByWindow(s, field) {
		return fieldProperties{own: field}
	}
	k := fieldProperties{kind: facts.kind}
	if field.IsTime {
		for i, axis := range s.reach.Axes {
			switch {
			case axis != field:
			case i >= 64: // there is no bit for it
				return fieldProperties{own: field}
			default:
				k.axis |= 1 << i
			}
		}
	}
	return k
}

// isUsedByWindow reports whether a metric of the subject names a field in its window.
func (df *dimensionFinder) isUsedByWindow(s *trialQuery, field *catalog.Field) bool {
	return slices.ContainsFunc(s.windowed, func(m *catalog.Metric) bool { return windowUsesField(m, field, df.f.Target.Dialect) })
}

// datasetReachability is where a dataset lies, seen from the homes of a subject.
type datasetReachability struct {
	class  string
	isTied bool // several paths lead to it from a home
}

// reachabilityOfDataset returns the place of a dataset; possible is false where no field of it is accepted.
func (df *dimensionFinder) reachabilityOfDataset(s *trialQuery, d *catalog.Dataset) (at datasetReachability, possible bool) {
	alone := s.fansOut
	for _, h := range s.reach.Homes {
		if h.Dataset == d {
			at.class += "h"
			continue
		}
		switch paths := df.f.model.extended.SafePaths(h.Dataset, d, 2); len(paths) {
		case 0:
			if df.f.fanOuts.areForbidden(h, d) {
				return datasetReachability{}, false
			}
			alone = true
		case 1:
			class, plain := df.f.model.pathEquivalenceClass(paths[0])
			at.class += class
			alone = alone || !plain
		default:
			at.isTied, alone = true, true
		}
	}
	// A path that the query names to a dataset, or through it, leaves the meaning of its bare fields in doubt.
	alone = alone || slices.ContainsFunc(s.reach.Refs, func(r resolve.Ref) bool { return r.Field.Dataset == d || pathIncludesDataset(r.Prefix, d) })
	if alone {
		at.class += "=" + strconv.Itoa(d.ID)
	}
	return at, true
}

// pathIncludesDataset reports whether a path arrives at a dataset.
func pathIncludesDataset(path []catalog.JoinStep, d *catalog.Dataset) bool {
	return slices.ContainsFunc(path, func(s catalog.JoinStep) bool { return s.TargetDataset() == d })
}
