package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// edgeChanges are the properties of relationships and keys that decide which datasets a
// metric reaches.
var edgeChanges = []What{Removed, Added, From, To, Cardinality, PrimaryKey, UniqueKeys}

// compareReach lists the datasets by which metrics can no longer be grouped, or can now, or
// that they reach on another path. Only datasets whose paths changed are compared.
func (c *comparison) compareReach() {
	edges := slices.ContainsFunc(c.changes, func(x *change) bool {
		return (x.Object == ObjectRelationship || x.Object == ObjectDataset) && slices.Contains(edgeChanges, x.What)
	})
	r := reach{comparison: c, found: map[reached]*change{}, differing: map[[2]string][]target{}, old: newPathIndex(c.old), new: newPathIndex(c.new)}
	r.findTargets()
	for _, m := range c.old.Catalog.Metrics {
		other := c.new.Catalog.Metric(m.Name)
		if other == nil || m.Err != nil || other.Err != nil || !edges && c.sameRows(m, other) {
			continue
		}
		if r.compare(m, other); c.ctx.Err() != nil {
			return
		}
	}
}

// sameRows reports whether two metrics aggregate rows of the same datasets, of each either
// with aggregates to which repeated rows matter or without.
func (c *comparison) sameRows(a, b *catalog.Metric) bool {
	return slices.EqualFunc(a.Datasets, b.Datasets, func(x, y *catalog.Dataset) bool {
		return c.old.dataset(x) == c.new.dataset(y) && repeatsMatter(a, x) == repeatsMatter(b, y)
	})
}

// repeatsMatter reports whether repeated rows of a dataset change the metric.
func repeatsMatter(m *catalog.Metric, home *catalog.Dataset) bool {
	return slices.ContainsFunc(m.Leaves(), func(l *catalog.Measure) bool { return l.Home == home && !l.Agg.DuplicateInsensitive() })
}

// reached is one dataset with the paths of both sides.
type reached struct{ dataset, before, after string }

type reach struct {
	*comparison
	found     map[reached]*change
	targets   []target
	differing map[[2]string][]target // by the homes of both sides
	old, new  *pathIndex
}

// target is a dataset that both sides have, with a field to group by. The paths are those
// from the homes of a metric.
type target struct {
	old, new           *catalog.Dataset
	oldField, newField *catalog.Field
	before, after      paths
}

// findTargets lists the datasets that metrics may reach.
func (r *reach) findTargets() {
	joins := joinFields(r.comparison.old, r.comparison.new)
	for _, d := range r.comparison.old.Catalog.Datasets {
		other := r.comparison.new.Catalog.Dataset(d.Name)
		if field := groupableField(d, other, joins); field != nil {
			r.targets = append(r.targets, target{old: d, new: other, oldField: field, newField: other.Field(field.Name)})
		}
	}
}

// differingTargets lists the datasets to which the paths from two lists of homes may lead
// differently.
func (r *reach) differingTargets(before, after homes) []target {
	at := [2]string{before.key, after.key}
	list, known := r.differing[at]
	if known {
		return list
	}
	for _, t := range r.targets {
		if !r.old.reaches(before, t.old) && !r.new.reaches(after, t.new) {
			continue
		}
		t.before, t.after = r.old.paths(before, t.old), r.new.paths(after, t.new)
		if t.before.text == t.after.text && (t.before.unique || t.before.refused && t.after.refused) {
			continue
		}
		list = append(list, t)
	}
	r.differing[at] = list
	return list
}

func (r *reach) compare(before, after *catalog.Metric) {
	for _, t := range r.differingTargets(homesOf(before), homesOf(after)) {
		a, b := t.before, t.after
		could, can := r.old.accepts(r.ctx, before, t.oldField, a), r.new.accepts(r.ctx, after, t.newField, b)
		switch {
		case could && can && a.text != b.text && (a.unique && b.unique || r.old.statement(r.ctx, before, t.oldField) != r.new.statement(r.ctx, after, t.newField)):
			r.list(same(Changed), t, before, after)
		case could != can:
			r.list(loss(could, Compatible), t, before, after)
		}
	}
}

// list adds a metric to the change of a dataset's paths.
func (r *reach) list(k classes, t target, before, after *catalog.Metric) {
	d, a, b := t.new, t.before, t.after
	at := reached{d.Name, a.text + "?" + string(k.class), b.text}
	x := r.found[at]
	if x == nil {
		x = r.add(k, ObjectDataset, d.Name, Reached, a.shown, b.shown, inNew(r.comparison.new.places.dataset(d)))
		x.follows = consequence{of: edgeChanges}
		for _, rel := range append(slices.Clone(a.relationships), b.relationships...) {
			x.follows.keys = append(x.follows.keys, keyOf(ObjectRelationship, rel.Name), keyOf(ObjectDataset, rel.From.Name), keyOf(ObjectDataset, rel.To.Name))
		}
		r.found[at] = x
	}
	if !r.sameRows(before, after) {
		x.follows.keys = append(x.follows.keys, keyOf(ObjectMetric, after.Name))
		x.follows.of = append(slices.Clone(edgeChanges), Expression)
	}
	x.affect(after.Name)
}

// groupableField is a field of both datasets that a query can group by, the first by name;
// nil where there is none. A field that a relationship joins on is the last choice: the
// other dataset of the relationship may have its value.
func groupableField(before, after *catalog.Dataset, joins map[*catalog.Field]bool) *catalog.Field {
	if after == nil {
		return nil
	}
	var first, joined *catalog.Field
	for _, f := range before.Fields {
		other := after.Field(f.Name)
		if other == nil || !plainDimension(f) || !plainDimension(other) {
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

// joinFields are the fields that the relationships of both sides join on.
func joinFields(sides ...*side) map[*catalog.Field]bool {
	out := map[*catalog.Field]bool{}
	for _, s := range sides {
		for _, rel := range s.Catalog.Relationships {
			for _, f := range slices.Concat(rel.FromFields, rel.ToFields) {
				out[f] = true
			}
		}
	}
	return out
}

func plainDimension(f *catalog.Field) bool {
	return f.Err == nil && len(f.ErrByDialect) == 0 && f.LOD == nil && groupable(f)
}

// paths are the safe paths from the homes of a metric to a dataset.
type paths struct {
	text, shown   string // in shared and in own names
	unique        bool   // one from each home
	refused       bool   // a home whose repeated rows matter does not have one
	homes         string // with whether repeated rows matter
	relationships []*catalog.Relationship
}

// pathIndex keeps the paths between two datasets of one side.
type pathIndex struct {
	*side
	between  map[[2]int]paths
	accepted map[acceptance]bool
}

// acceptance is a question to the planner. All metrics over rows of the same datasets share
// its result.
type acceptance struct {
	homes   string
	dataset int
}

func newPathIndex(s *side) *pathIndex {
	return &pathIndex{s, map[[2]int]paths{}, map[acceptance]bool{}}
}

// accepts reports whether a query can group a metric by a field of the dataset that the
// paths lead to. Where no path is safe and repeated rows do not matter, a plan decides.
func (p *pathIndex) accepts(ctx context.Context, m *catalog.Metric, f *catalog.Field, to paths) bool {
	if to.unique || to.refused || p.Planner == nil {
		return to.unique
	}
	at := acceptance{to.homes, f.Dataset.ID}
	accepted, known := p.accepted[at]
	if !known {
		_, accepted = p.Planner.Grouped(ctx, m, f)
		p.accepted[at] = accepted
	}
	return accepted
}

// statement is how a query groups a metric by a field that it accepts.
func (p *pathIndex) statement(ctx context.Context, m *catalog.Metric, f *catalog.Field) string {
	if p.Planner == nil {
		return ""
	}
	sql, _ := p.Planner.Grouped(ctx, m, f)
	return sql
}

// homes are the datasets of a metric's aggregates, each with whether repeated rows matter.
type homes struct {
	list   []*catalog.Dataset
	matter []bool
	key    string
}

func homesOf(m *catalog.Metric) homes {
	h := homes{list: m.Datasets}
	for _, d := range m.Datasets {
		matter := repeatsMatter(m, d)
		h.matter = append(h.matter, matter)
		h.key += fmt.Sprintf("%d %t ", d.ID, matter)
	}
	return h
}

// reaches reports whether a query of rows of the homes can have a column of the dataset:
// along safe edges, or along others where repeated rows do not matter.
func (p *pathIndex) reaches(h homes, to *catalog.Dataset) bool {
	for i, home := range h.list {
		if h.matter[i] && !p.Catalog.Reaches(home, to) {
			return false
		}
	}
	return true
}

func (p *pathIndex) paths(h homes, to *catalog.Dataset) paths {
	out := paths{unique: len(h.list) > 0, homes: h.key}
	var texts, shown []string
	for i, home := range h.list {
		one := p.fromHome(home, to)
		texts, shown = append(texts, one.text), append(shown, one.shown)
		out.unique = out.unique && one.unique
		out.refused = out.refused || h.matter[i] && !one.unique
		out.relationships = append(out.relationships, one.relationships...)
	}
	out.text, out.shown = strings.Join(sortedUnique(texts), "; "), strings.Join(sortedUnique(shown), "; ")
	return out
}

func (p *pathIndex) fromHome(home, to *catalog.Dataset) paths {
	at := [2]int{home.ID, to.ID}
	if known, ok := p.between[at]; ok {
		return known
	}
	found := p.Catalog.SafePaths(home, to, 2)
	out := paths{unique: len(found) == 1}
	var texts, shown []string
	for _, path := range found {
		texts, shown = append(texts, p.route(home, path)), append(shown, p.own.route(home, path))
		for _, s := range path {
			out.relationships = append(out.relationships, s.Rel)
		}
	}
	out.text, out.shown = strings.Join(sortedUnique(texts), " or "), strings.Join(sortedUnique(shown), " or ")
	p.between[at] = out
	return out
}

// route names a path with the dataset that it leaves.
func (s *side) route(home *catalog.Dataset, path []catalog.Step) string {
	if len(path) == 0 {
		return s.dataset(home)
	}
	return s.dataset(home) + " > " + s.path(path)
}
