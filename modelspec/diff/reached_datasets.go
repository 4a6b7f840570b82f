package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// reachChangingProperties are the properties of relationships and keys that decide which datasets a
// metric reaches.
var reachChangingProperties = []Property{PropertyRemoved, PropertyAdded, PropertyFromDataset, PropertyToDataset, PropertyCardinality, PropertyPrimaryKey, PropertyUniqueKeys}

// compareDatasetsReachedByMetrics lists the datasets by which metrics can no longer be grouped, or can now, or
// that they reach on another path. Only datasets whose paths changed are compared.
func (c *modelComparison) compareDatasetsReachedByMetrics() {
	edges := slices.ContainsFunc(c.changes, func(x *entryInProgress) bool {
		return (x.Object == ObjectRelationship || x.Object == ObjectDataset) && slices.Contains(reachChangingProperties, x.Property)
	})
	r := datasetReachComparison{modelComparison: c, found: map[datasetPathChange]*entryInProgress{}, differing: map[[2]string][]groupingTarget{}, old: newSafePathCache(c.old), new: newSafePathCache(c.new)}
	r.listDatasetsMetricsMayReach()
	for _, m := range c.old.Catalog.Metrics {
		other := c.new.Catalog.Metric(m.Name)
		if other == nil || m.Err != nil || other.Err != nil || !edges && c.haveSameHomesAndSensitivityToRepeatedRows(m, other) {
			continue
		}
		if r.compareReachOfMetric(m, other); c.ctx.Err() != nil {
			return
		}
	}
	if edges {
		r.compareReachOfDatasets()
	}
}

// haveSameHomesAndSensitivityToRepeatedRows reports whether two metrics aggregate rows of the same datasets, of each either
// with aggregates to which repeated rows matter or without.
func (c *modelComparison) haveSameHomesAndSensitivityToRepeatedRows(a, b *catalog.Metric) bool {
	return slices.EqualFunc(a.Datasets, b.Datasets, func(x, y *catalog.Dataset) bool {
		return c.old.datasetName(x) == c.new.datasetName(y) && isChangedByRepeatedRows(a, x) == isChangedByRepeatedRows(b, y)
	})
}

// isChangedByRepeatedRows reports whether repeated rows of a dataset change the metric.
func isChangedByRepeatedRows(m *catalog.Metric, home *catalog.Dataset) bool {
	return slices.ContainsFunc(m.LeafMeasures(), func(l *catalog.Measure) bool { return l.Home == home && !l.DuplicateInsensitive() })
}

// datasetPathChange is one dataset with the paths of both sides.
type datasetPathChange struct{ dataset, before, after string }

type datasetReachComparison struct {
	*modelComparison
	found     map[datasetPathChange]*entryInProgress
	targets   []groupingTarget
	differing map[[2]string][]groupingTarget // by the homes of both sides
	old, new  *safePathCache
}

// groupingTarget is a dataset that both sides have, with a field to group by. The paths are those
// from the homes of a metric.
type groupingTarget struct {
	old, new           *catalog.Dataset
	oldField, newField *catalog.Field
	before, after      safePathsToDataset
}

// listDatasetsMetricsMayReach lists the datasets that metrics may reach.
func (r *datasetReachComparison) listDatasetsMetricsMayReach() {
	joins := fieldsUsedInJoins(r.modelComparison.old, r.modelComparison.new)
	for _, d := range r.modelComparison.old.Catalog.Datasets {
		other := r.modelComparison.new.Catalog.Dataset(d.Name)
		if field := groupableFieldInBoth(d, other, joins); field != nil {
			r.targets = append(r.targets, groupingTarget{old: d, new: other, oldField: field, newField: other.Field(field.Name)})
		}
	}
}

// targetsWithDifferingPaths lists the datasets to which the paths from two lists of homes may lead
// differently.
func (r *datasetReachComparison) targetsWithDifferingPaths(before, after homeDatasets) []groupingTarget {
	at := [2]string{before.key, after.key}
	list, known := r.differing[at]
	if known {
		return list
	}
	for _, t := range r.targets {
		if !r.old.canReachDataset(before, t.old) && !r.new.canReachDataset(after, t.new) {
			continue
		}
		t.before, t.after = r.old.safePaths(before, t.old), r.new.safePaths(after, t.new)
		if t.before.text == t.after.text && (t.before.unique || t.before.refused && t.after.refused) {
			continue
		}
		list = append(list, t)
	}
	r.differing[at] = list
	return list
}

func (r *datasetReachComparison) compareReachOfMetric(before, after *catalog.Metric) {
	for _, t := range r.targetsWithDifferingPaths(homeDatasetsOf(before), homeDatasetsOf(after)) {
		a, b := t.before, t.after
		could, can := r.old.canGroupMetricByField(r.ctx, before, t.oldField, a), r.new.canGroupMetricByField(r.ctx, after, t.newField, b)
		switch {
		case could && can && a.text != b.text && (a.unique && b.unique || r.old.groupedMetricSQL(r.ctx, before, t.oldField) != r.new.groupedMetricSQL(r.ctx, after, t.newField)):
			r.recordReachChangeOfMetric(sameClassBothWays(ClassChanged), t, before, after)
		case could != can:
			r.recordReachChangeOfMetric(changeClassesIfRemovedOrGained(could, ClassCompatible), t, before, after)
		}
	}
}

// compareReachOfDatasets compares what the rows of each dataset reach. Detail queries, and the metrics
// and fields that a query adds, begin at datasets of which no metric of the model may be.
func (r *datasetReachComparison) compareReachOfDatasets() {
	for _, d := range r.modelComparison.old.Catalog.Datasets {
		other := r.modelComparison.new.Catalog.Dataset(d.Name)
		if other == nil {
			continue
		}
		for _, t := range r.targetsWithDifferingPaths(newHomeDatasetsOfOneDataset(d), newHomeDatasetsOfOneDataset(other)) {
			a, b := t.before, t.after
			switch {
			case a.unique && b.unique:
				r.getOrAddReachChange(sameClassBothWays(ClassChanged), t)
			case a.unique != b.unique:
				r.getOrAddReachChange(changeClassesIfRemovedOrGained(a.unique, ClassCompatible), t)
			}
		}
	}
}

// recordReachChangeOfMetric adds a metric to the change of a dataset's paths.
func (r *datasetReachComparison) recordReachChangeOfMetric(k classOfChangeAndReverse, t groupingTarget, before, after *catalog.Metric) {
	x := r.getOrAddReachChange(k, t)
	if !r.haveSameHomesAndSensitivityToRepeatedRows(before, after) {
		x.follows.keys = append(x.follows.keys, newObjectKey(ObjectMetric, after.Name))
		x.follows.of = append(slices.Clone(reachChangingProperties), PropertyExpression)
	}
	x.addAffectedMetrics(after.Name)
}

// getOrAddReachChange returns the change of a dataset's paths. All that reaches it by the same paths shares
// one change.
func (r *datasetReachComparison) getOrAddReachChange(k classOfChangeAndReverse, t groupingTarget) *entryInProgress {
	d, a, b := t.new, t.before, t.after
	at := datasetPathChange{d.Name, a.text + "?" + string(k.class), b.text}
	x := r.found[at]
	if x == nil {
		x = r.addChange(k, ObjectDataset, d.Name, PropertyPathToDataset, a.shown, b.shown, asNewModelPlace(r.modelComparison.new.declarations.datasetPlace(d)))
		x.follows = possibleCauses{of: reachChangingProperties}
		for _, rel := range append(slices.Clone(a.relationships), b.relationships...) {
			x.follows.keys = append(x.follows.keys, newObjectKey(ObjectRelationship, rel.Name), newObjectKey(ObjectDataset, rel.From.Name), newObjectKey(ObjectDataset, rel.To.Name))
		}
		r.found[at] = x
	}
	return x
}

// groupableFieldInBoth returns a field of both datasets that a query can group by, the first by name;
// nil where there is none. A field that a relationship joins on is the last choice: the
// other dataset of the relationship may have its value.
func groupableFieldInBoth(before, after *catalog.Dataset, joins map[*catalog.Field]bool) *catalog.Field {
	if after == nil {
		return nil
	}
	var first, joined *catalog.Field
	for _, f := range before.Fields {
		other := after.Field(f.Name)
		if other == nil || !isUsableDimension(f) || !isUsableDimension(other) {
			continue
		}
		best := &first
		if joins[f] || joins[other] {
			best = &joined
		}
		if *best == nil || strings.ToLower(f.Name) < strings.ToLower((*best).Name) {
			*best = f
		}
	}
	if first == nil {
		return joined
	}
	return first
}

// fieldsUsedInJoins returns the fields that the relationships of both sides join on.
func fieldsUsedInJoins(sides ...*comparedModel) map[*catalog.Field]bool {
	out := map[*catalog.Field]bool{}
	for _, s := range sides {
		for _, rel := range s.Catalog.Relationships {
			for _, f := range slices.Concat(rel.FromFields, rel.ToFields) {
				out[f] = true
			}
			if rel.Valid != nil {
				for _, f := range rel.Valid.Fields() {
					out[f] = true
				}
			}
		}
	}
	return out
}

func isUsableDimension(f *catalog.Field) bool {
	return f.Err == nil && len(f.ErrByDialect) == 0 && f.LOD == nil && isGroupable(f)
}

// safePathsToDataset are the safe paths from the homes of a metric to a dataset.
type safePathsToDataset struct {
	text, shown   string // in shared and in own names
	unique        bool   // one from each home
	refused       bool   // a home whose repeated rows matter does not have one
	homes         string // with whether repeated rows matter
	relationships []*catalog.Relationship
}

// safePathCache keeps the paths between two datasets of one side.
type safePathCache struct {
	*comparedModel
	between  map[[2]int]safePathsToDataset
	accepted map[groupingCacheKey]bool
}

// groupingCacheKey is a question to the planner. All metrics over rows of the same datasets share
// its result.
type groupingCacheKey struct {
	homes   string
	dataset int
}

func newSafePathCache(s *comparedModel) *safePathCache {
	return &safePathCache{s, map[[2]int]safePathsToDataset{}, map[groupingCacheKey]bool{}}
}

// canGroupMetricByField reports whether a query can group a metric by a field of the dataset that the
// paths lead to. Where no path is safe and repeated rows do not matter, a plan decides.
func (p *safePathCache) canGroupMetricByField(ctx context.Context, m *catalog.Metric, f *catalog.Field, to safePathsToDataset) bool {
	if to.unique || to.refused || p.Planner == nil {
		return to.unique
	}
	at := groupingCacheKey{to.homes, f.Dataset.ID}
	accepted, known := p.accepted[at]
	if !known {
		_, accepted = p.Planner.CompileGroupedMetric(ctx, m, f)
		p.accepted[at] = accepted
	}
	return accepted
}

// groupedMetricSQL returns the SQL by which a query groups a metric by a field that it accepts.
func (p *safePathCache) groupedMetricSQL(ctx context.Context, m *catalog.Metric, f *catalog.Field) string {
	if p.Planner == nil {
		return ""
	}
	sql, _ := p.Planner.CompileGroupedMetric(ctx, m, f)
	return sql
}

// homeDatasets are the datasets of a metric's aggregates, each with whether repeated rows matter.
type homeDatasets struct {
	list   []*catalog.Dataset
	matter []bool
	key    string
}

func homeDatasetsOf(m *catalog.Metric) homeDatasets {
	h := homeDatasets{list: m.Datasets}
	for _, d := range m.Datasets {
		matter := isChangedByRepeatedRows(m, d)
		h.matter = append(h.matter, matter)
		h.key += fmt.Sprintf("%d %t ", d.ID, matter)
	}
	return h
}

// newHomeDatasetsOfOneDataset returns a dataset as the only home, of rows that must not repeat.
func newHomeDatasetsOfOneDataset(d *catalog.Dataset) homeDatasets {
	return homeDatasets{[]*catalog.Dataset{d}, []bool{true}, fmt.Sprintf("%d %t ", d.ID, true)}
}

// canReachDataset reports whether a query of rows of the homes can have a column of the dataset:
// along safe edges, or along others where repeated rows do not matter.
func (p *safePathCache) canReachDataset(h homeDatasets, to *catalog.Dataset) bool {
	for i, home := range h.list {
		if h.matter[i] && !p.Catalog.ReachesSafely(home, to) {
			return false
		}
	}
	return true
}

func (p *safePathCache) safePaths(h homeDatasets, to *catalog.Dataset) safePathsToDataset {
	out := safePathsToDataset{unique: len(h.list) > 0, homes: h.key}
	var texts, shown []string
	for i, home := range h.list {
		one := p.pathsFromHome(home, to)
		texts, shown = append(texts, one.text), append(shown, one.shown)
		out.unique = out.unique && one.unique
		out.refused = out.refused || h.matter[i] && !one.unique
		out.relationships = append(out.relationships, one.relationships...)
	}
	out.text, out.shown = strings.Join(sortWithoutDuplicates(texts), "; "), strings.Join(sortWithoutDuplicates(shown), "; ")
	return out
}

func (p *safePathCache) pathsFromHome(home, to *catalog.Dataset) safePathsToDataset {
	at := [2]int{home.ID, to.ID}
	if known, ok := p.between[at]; ok {
		return known
	}
	found := p.Catalog.SafePaths(home, to, 2)
	out := safePathsToDataset{unique: len(found) == 1}
	var texts, shown []string
	for _, path := range found {
		texts, shown = append(texts, p.pathFromHomeText(home, path)), append(shown, p.own.pathFromHomeText(home, path))
		for _, s := range path {
			out.relationships = append(out.relationships, s.Rel)
		}
	}
	out.text, out.shown = strings.Join(sortWithoutDuplicates(texts), " or "), strings.Join(sortWithoutDuplicates(shown), " or ")
	p.between[at] = out
	return out
}

// pathFromHomeText names a path with the dataset that it leaves.
func (s *comparedModel) pathFromHomeText(home *catalog.Dataset, path []catalog.JoinStep) string {
	if len(path) == 0 {
		return s.datasetName(home)
	}
	return s.datasetName(home) + " > " + s.pathText(path)
}
