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

// trialQuery is a query that dimensions are added to.
type trialQuery struct {
	class string // subjects of equal classes accept equal fields of equal places
	query *query.MetricQuery
	reach metric.QueryInputs
	// fansOut: some reference is not reached along a single safe path, so that the root of a branch
	// depends on all references.
	fansOut bool
	fanned  map[*catalog.Dataset]map[*catalog.Dataset]bool
}

// withGroupBy is the subject's query with one more group-by.
func (s *trialQuery) withGroupBy(g query.GroupBy) *query.MetricQuery {
	q := *s.query
	q.GroupBy = append(slices.Clip(q.GroupBy), g)
	return &q
}

func (f *itemFinder) givenTrialQuery(base metric.QueryInputs) *trialQuery {
	return f.newTrialQuery("query", f.Query, base)
}

func (f *itemFinder) distinctTrialQuery() *trialQuery {
	s := f.newTrialQuery("distinct", f.Query, metric.QueryInputs{})
	s.fansOut = true
	return s
}

func (f *itemFinder) newTrialQuery(class string, q *query.MetricQuery, reach metric.QueryInputs) *trialQuery {
	s := &trialQuery{class: class, query: q, reach: reach, fanned: map[*catalog.Dataset]map[*catalog.Dataset]bool{}}
	for _, ref := range reach.Refs {
		for _, h := range reach.Homes {
			if len(f.extended.SafePaths(h.Dataset, ref.SourceDataset(), 2)) != 1 {
				s.fansOut = true
			}
		}
	}
	return s
}

// metricTrialQueries are the queries of single metrics, those of plain metrics first: they settle most
// dimensions.
func (f *itemFinder) metricTrialQueries(metrics []*catalog.Metric) []*trialQuery {
	refs, known := f.groupRefs()
	var plain, others []*trialQuery
	seen := map[string]bool{}
	for _, m := range metrics {
		class, _ := f.metricClass(m, metric.QueryInputs{}, refs, known)
		if reach, ok := f.inputsOfPlainMetric(m, refs); ok && known {
			key := class
			for _, h := range reach.Homes {
				key += "@" + h.Dataset.Name
			}
			if !seen[key] {
				seen[key] = true
				plain = append(plain, f.newTrialQuery(class, f.queryWithMetric(m), reach))
			}
			continue
		}
		q := f.queryWithMetric(m)
		reach, err := metric.FindQueryInputs(f.ctx, f.extended, q, f.Target)
		if err != nil {
			continue
		}
		others = append(others, f.newTrialQuery(class, q, reach))
	}
	return append(plain, others...)
}

// acceptedDimensions lists the dimensions that at least one subject accepts. Grains are those of the first subject
// that accepts the dimension.
func (f *itemFinder) acceptedDimensions(subjects []*trialQuery) []Dimension {
	if len(f.Query.GroupBy) >= limits.QueryGroupBys {
		return nil
	}
	found := make([][]Dimension, len(f.Catalog.Fields))
	var out []Dimension
	if grains := f.metricTimeGrains(subjects); len(grains) > 0 {
		out = append(out, Dimension{Name: metric.MetricTime, Grains: grains})
	}
	candidates := make([][]*catalog.Field, len(f.Catalog.Datasets))
	for _, field := range f.Catalog.Fields {
		if field.ErrorForDialect(f.Target.Dialect) == nil && (field.IsDimension == nil || *field.IsDimension) {
			candidates[field.Dataset.ID] = append(candidates[field.Dataset.ID], field)
		}
	}
	for _, s := range subjects {
		for id, d := range f.Catalog.Datasets {
			if len(candidates[id]) == 0 {
				continue
			}
			at, possible := f.placeOfDataset(s, d)
			if !possible {
				continue
			}
			open := candidates[id][:0]
			for _, field := range candidates[id] {
				accepted := f.acceptedSpellings(s, at, field)
				for _, dim := range accepted {
					if !slices.ContainsFunc(found[field.ID], func(o Dimension) bool { return o.Name == dim.Name }) {
						found[field.ID] = append(found[field.ID], dim)
					}
				}
				if len(accepted) != 1 || accepted[0].Name != field.QualifiedName() {
					open = append(open, field)
				}
			}
			candidates[id] = open
			if f.ended != nil {
				return nil
			}
		}
	}
	for _, field := range f.Catalog.Fields {
		out = append(out, f.withoutGroupedDimensions(found[field.ID])...)
	}
	return out
}

// withoutGroupedDimensions leaves out the dimensions that the query groups by.
func (f *itemFinder) withoutGroupedDimensions(dims []Dimension) []Dimension {
	if len(f.Query.GroupBy) == 0 {
		return dims
	}
	return slices.DeleteFunc(dims, func(d Dimension) bool {
		return slices.ContainsFunc(f.Query.GroupBy, func(g query.GroupBy) bool {
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
	for _, unit := range f.Catalog.BucketUnitNames() {
		if slices.ContainsFunc(subjects, func(s *trialQuery) bool { return f.tryGroupBy(s, trialKey{}, metric.MetricTime, unit) == nil }) {
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

// acceptedSpellings lists the spellings under which a subject accepts a field.
func (f *itemFinder) acceptedSpellings(s *trialQuery, at datasetPlace, field *catalog.Field) []Dimension {
	key := trialKey{place: at.class, kind: f.propertiesOfField(s, field)}
	name := field.QualifiedName()
	units := grainNamesOf(f.Catalog, field)
	grains, err := f.acceptedGrains(s, key, name, units)
	if len(grains) > 0 {
		return []Dimension{newDimension(name, field, grains)}
	}
	if !at.isTied && !s.fansOut {
		return nil
	}
	var out []Dimension
	for _, path := range pathsOfAmbiguityError(err) {
		key.path = path
		name := path + "." + sqlexpr.FormatPath(field.Name)
		if grains, _ := f.acceptedGrains(s, key, name, units); len(grains) > 0 {
			out = append(out, newDimension(name, field, grains))
		}
	}
	return out
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
