package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// names are the names by which both sides know an object: its own in lower case, and for
// an object that the new model renamed the old one. So a metric over a renamed dataset
// is the metric that it was.
type names struct {
	datasets map[*catalog.Dataset]string
	fields   map[*catalog.Field]string
	metrics  map[*catalog.Metric]string
	edges    map[*catalog.Relationship]string
	hints    map[key]string // of the two objects of a renaming, the name of the other
}

func newNames() names {
	return names{
		map[*catalog.Dataset]string{}, map[*catalog.Field]string{}, map[*catalog.Metric]string{},
		map[*catalog.Relationship]string{}, map[key]string{},
	}
}

// nameOf is a function that names a field, "" for none.
func nameOf(f *catalog.Field) func(*side) string {
	return func(s *side) string {
		if f == nil {
			return ""
		}
		return s.field(f)
	}
}

func (n names) dataset(d *catalog.Dataset) string {
	if renamed, ok := n.datasets[d]; ok {
		return renamed
	}
	return strings.ToLower(d.Name)
}

func (n names) field(f *catalog.Field) string {
	if renamed, ok := n.fields[f]; ok {
		return n.dataset(f.Dataset) + "." + renamed
	}
	return n.dataset(f.Dataset) + "." + strings.ToLower(f.Name)
}

func (n names) metric(m *catalog.Metric) string {
	if renamed, ok := n.metrics[m]; ok {
		return renamed
	}
	return strings.ToLower(m.Name)
}

func (n names) relationship(r *catalog.Relationship) string {
	if renamed, ok := n.edges[r]; ok {
		return renamed
	}
	return strings.ToLower(r.Name)
}

// path names the relationships of a path.
func (n names) path(steps []catalog.Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, n.relationship(s.Rel))
	}
	return strings.Join(out, " > ")
}

// pairRenamed finds the objects that have another name and the same meaning, datasets
// before what refers to them.
func (c *comparison) pairRenamed() {
	pair(c, ObjectDataset, c.old.Catalog.Datasets, c.new.Catalog.Datasets, renaming[*catalog.Dataset]{
		name:  func(d *catalog.Dataset) string { return d.Name },
		equal: c.sameDataset,
		put:   func(d *catalog.Dataset, name string) { c.new.datasets[d] = name },
	})
	for _, d := range c.old.Catalog.Datasets {
		other := c.new.Catalog.Dataset(d.Name)
		if other == nil {
			continue
		}
		pair(c, ObjectField, d.Fields, other.Fields, renaming[*catalog.Field]{
			name:  (*catalog.Field).Qualified,
			equal: c.sameField,
			put:   func(f *catalog.Field, name string) { c.new.fields[f] = fieldPart(name) },
		})
	}
	pair(c, ObjectMetric, c.old.Catalog.Metrics, c.new.Catalog.Metrics, renaming[*catalog.Metric]{
		name:  func(m *catalog.Metric) string { return m.Name },
		equal: func(a, b *catalog.Metric) bool { return a.Err == nil && b.Err == nil && c.sameMetric(a, b) },
		put:   func(m *catalog.Metric, name string) { c.new.metrics[m] = name },
	})
	pair(c, ObjectRelationship, c.old.Catalog.Relationships, c.new.Catalog.Relationships, renaming[*catalog.Relationship]{
		name:  func(r *catalog.Relationship) string { return r.Name },
		equal: c.sameRelationship,
		put:   func(r *catalog.Relationship, name string) { c.new.edges[r] = name },
	})
}

func fieldPart(qualified string) string { return qualified[strings.LastIndexByte(qualified, '.')+1:] }

// renaming describes how objects of one kind are paired.
type renaming[T any] struct {
	name  func(T) string
	equal func(before, after T) bool
	put   func(after T, name string)
}

// maxRenamed bounds the comparisons of removed with added objects: of two models that
// have nothing in common, nothing is renamed.
const maxRenamed = 200

func pair[T comparable](c *comparison, kind Object, before, after []T, r renaming[T]) {
	gone, came := unmatched(before, after, r.name), unmatched(after, before, r.name)
	if len(gone) == 0 || len(came) == 0 || len(gone) > maxRenamed || len(came) > maxRenamed {
		return
	}
	taken := map[T]bool{}
	for _, x := range gone {
		byName := map[string]T{}
		var candidates []string
		for _, y := range came {
			if !taken[y] && r.equal(x, y) {
				byName[r.name(y)] = y
				candidates = append(candidates, r.name(y))
			}
		}
		if len(candidates) == 0 {
			continue
		}
		best := candidates[0]
		if near := suggest.Nearest(r.name(x), candidates, 1); len(near) > 0 {
			best = near[0]
		}
		y := byName[best]
		taken[y] = true
		r.put(y, strings.ToLower(r.name(x)))
		c.old.hints[keyOf(kind, r.name(x))] = best
		c.new.hints[keyOf(kind, best)] = r.name(x)
	}
}

// unmatched lists the objects whose names the other side does not have.
func unmatched[T any](list, others []T, name func(T) string) []T {
	have := make(map[string]bool, len(others))
	for _, x := range others {
		have[strings.ToLower(name(x))] = true
	}
	var out []T
	for _, x := range list {
		if !have[strings.ToLower(name(x))] {
			out = append(out, x)
		}
	}
	return out
}
