package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// namesBeforeRenames are the names by which both sides know an object: its own in lower case, and for
// an object that the new model renamed the old one. So a metric over a renamed dataset
// is the metric that it was.
type namesBeforeRenames struct {
	datasets map[*catalog.Dataset]string
	fields   map[*catalog.Field]string
	metrics  map[*catalog.Metric]string
	edges    map[*catalog.Relationship]string
	hints    map[objectKey]string // of the two objects of a renaming, the name of the other
}

func newNamesBeforeRenames() namesBeforeRenames {
	return namesBeforeRenames{
		map[*catalog.Dataset]string{}, map[*catalog.Field]string{}, map[*catalog.Metric]string{},
		map[*catalog.Relationship]string{}, map[objectKey]string{},
	}
}

// fieldNamePrinter returns a function that names a field, "" for none.
func fieldNamePrinter(f *catalog.Field) func(*comparedModel) string {
	return func(s *comparedModel) string {
		if f == nil {
			return ""
		}
		return s.fieldName(f)
	}
}

func (n namesBeforeRenames) datasetName(d *catalog.Dataset) string {
	if renamed, ok := n.datasets[d]; ok {
		return renamed
	}
	return strings.ToLower(d.Name)
}

func (n namesBeforeRenames) fieldName(f *catalog.Field) string {
	if renamed, ok := n.fields[f]; ok {
		return n.datasetName(f.Dataset) + "." + renamed
	}
	return n.datasetName(f.Dataset) + "." + strings.ToLower(f.Name)
}

func (n namesBeforeRenames) metricName(m *catalog.Metric) string {
	if renamed, ok := n.metrics[m]; ok {
		return renamed
	}
	return strings.ToLower(m.Name)
}

func (n namesBeforeRenames) relationshipName(r *catalog.Relationship) string {
	if renamed, ok := n.edges[r]; ok {
		return renamed
	}
	return strings.ToLower(r.Name)
}

// fieldReferenceName names a field that an expression reads, behind the path to it where it is joined.
func (n namesBeforeRenames) fieldReferenceName(f *catalog.Field) string {
	if f.Joined == nil {
		return n.fieldName(f)
	}
	return n.pathText(f.Joined.Path) + " > " + n.fieldName(f.Joined.Field)
}

// pathText names the relationships of a path.
func (n namesBeforeRenames) pathText(steps []catalog.JoinStep) string {
	var out []string
	for _, s := range steps {
		out = append(out, n.relationshipName(s.Rel))
	}
	return strings.Join(out, " > ")
}

// pairRenamedObjects finds the objects that have another name and the same meaning, datasets
// before what refers to them.
func (c *modelComparison) pairRenamedObjects() {
	pairRenamedObjectsOfKind(c, ObjectDataset, c.old.Catalog.Datasets, c.new.Catalog.Datasets, renamePairingMethods[*catalog.Dataset]{
		name:  func(d *catalog.Dataset) string { return d.Name },
		equal: c.isRenamedDataset,
		put:   func(d *catalog.Dataset, name string) { c.new.datasets[d] = name },
	})
	for _, d := range c.old.Catalog.Datasets {
		other := c.new.Catalog.Dataset(d.Name)
		if other == nil {
			continue
		}
		pairRenamedObjectsOfKind(c, ObjectField, d.Fields, other.Fields, renamePairingMethods[*catalog.Field]{
			name:  (*catalog.Field).QualifiedName,
			equal: c.isRenamedField,
			put:   func(f *catalog.Field, name string) { c.new.fields[f] = unqualifiedName(name) },
		})
	}
	pairRenamedObjectsOfKind(c, ObjectRelationship, c.old.Catalog.Relationships, c.new.Catalog.Relationships, renamePairingMethods[*catalog.Relationship]{
		name:  func(r *catalog.Relationship) string { return r.Name },
		equal: c.isRenamedRelationship,
		put:   func(r *catalog.Relationship, name string) { c.new.edges[r] = name },
	})
	pairRenamedObjectsOfKind(c, ObjectMetric, c.old.Catalog.Metrics, c.new.Catalog.Metrics, renamePairingMethods[*catalog.Metric]{
		name:  func(m *catalog.Metric) string { return m.Name },
		equal: func(a, b *catalog.Metric) bool { return a.Err == nil && b.Err == nil && c.isRenamedMetric(a, b) },
		put:   func(m *catalog.Metric, name string) { c.new.metrics[m] = name },
	})
}

func unqualifiedName(qualified string) string {
	return qualified[strings.LastIndexByte(qualified, '.')+1:]
}

// renamePairingMethods describes how objects of one kind are paired.
type renamePairingMethods[T any] struct {
	name  func(T) string
	equal func(before, after T) bool
	put   func(after T, name string)
}

// maxRenameComparisons bounds the comparisons of removed with added objects: of two models that
// have nothing in common, nothing is renamed.
const maxRenameComparisons = 200

func pairRenamedObjectsOfKind[T comparable](c *modelComparison, kind ObjectKind, before, after []T, r renamePairingMethods[T]) {
	gone, came := objectsMissingInOther(before, after, r.name), objectsMissingInOther(after, before, r.name)
	if len(gone) == 0 || len(came) == 0 || len(gone) > maxRenameComparisons || len(came) > maxRenameComparisons {
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
		c.old.hints[newObjectKey(kind, r.name(x))] = best
		c.new.hints[newObjectKey(kind, best)] = r.name(x)
	}
}

// objectsMissingInOther lists the objects whose names the other side does not have.
func objectsMissingInOther[T any](list, others []T, name func(T) string) []T {
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
