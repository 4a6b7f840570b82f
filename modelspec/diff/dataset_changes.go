package diff

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

func (c *comparison) compareDatasets() {
	for _, d := range c.old.Catalog.Datasets {
		other := c.new.Catalog.Dataset(d.Name)
		if other == nil {
			c.removed(ObjectDataset, d.Name, inOld(c.old.places.dataset(d)))
			continue
		}
		c.compareDataset(d, other)
	}
	for _, d := range c.new.Catalog.Datasets {
		if c.old.Catalog.Dataset(d.Name) == nil {
			c.added(ObjectDataset, d.Name, inNew(c.new.places.dataset(d)))
		}
	}
}

func (c *comparison) removed(o Object, name string, at place) {
	c.add(loss(true, Compatible), o, name, Removed, "", "", at).RenamedFromHint = c.old.hints[keyOf(o, name)]
}

func (c *comparison) added(o Object, name string, at place) {
	c.add(loss(false, Compatible), o, name, Added, "", "", at).RenamedFromHint = c.new.hints[keyOf(o, name)]
}

func (c *comparison) compareDataset(before, after *catalog.Dataset) {
	o := object{c, ObjectDataset, keyOf(ObjectDataset, after.Name), after.Name, inNew(c.new.places.dataset(after))}
	o.text(same(Changed), Source, before.Source.Text(), after.Source.Text())
	c.compareKeys(o, before, after)
	o.named(timeClasses(before.PrimaryTime, after.PrimaryTime), TimeDimension, nameOf(before.PrimaryTime), nameOf(after.PrimaryTime))
	o.documentation(before.Description, after.Description, before.AIContext, after.AIContext)
	for _, f := range before.Fields {
		if other := after.Field(f.Name); other != nil {
			c.compareField(f, other)
		} else {
			c.removed(ObjectField, f.Qualified(), inOld(c.old.places.field(f)))
		}
	}
	for _, f := range after.Fields {
		if before.Field(f.Name) == nil {
			c.added(ObjectField, f.Qualified(), inNew(c.new.places.field(f)))
		}
	}
}

// timeClasses is the class of another time axis. Without one, metric_time is refused; with
// a first one, a time range without a dimension may have two to choose from.
func timeClasses(before, after *catalog.Field) classes {
	if (before == nil) != (after == nil) {
		return loss(after == nil, Changed)
	}
	return same(Changed)
}

// compareKeys compares keys as sets of columns. The rows of a dataset are ordered by its
// primary key where a query has a limit, so another one changes what is shown; a unique
// key matters to the relationships that it makes safe.
func (c *comparison) compareKeys(o object, before, after *catalog.Dataset) {
	lost, gained := c.safetyByKeys(before, after)
	worst := func(k classes) classes {
		if lost {
			k.class = Breaking
		}
		if gained {
			k.reverse = Breaking
		}
		return k
	}
	primaryBefore, primaryAfter := keySet(before.PrimaryKey), keySet(after.PrimaryKey)
	if primaryBefore != primaryAfter {
		o.text(worst(same(Changed)), PrimaryKey, primaryBefore, primaryAfter)
	}
	uniqueBefore, uniqueAfter := keySets(before.UniqueKeys), keySets(after.UniqueKeys)
	k := classes{Changed, Changed}
	if containsAll(uniqueAfter, uniqueBefore) {
		k.class = Compatible
	}
	if containsAll(uniqueBefore, uniqueAfter) {
		k.reverse = Compatible
	}
	if primaryBefore == primaryAfter {
		k = worst(k)
	}
	o.text(k, UniqueKeys, strings.Join(uniqueBefore, " "), strings.Join(uniqueAfter, " "))
}

func containsAll(list, of []string) bool {
	return !slices.ContainsFunc(of, func(x string) bool { return !slices.Contains(list, x) })
}

// safetyByKeys reports whether a relationship at the dataset lost or gained a direction in
// which it is safe to follow, while its own declaration is the same: its keys decide then.
func (c *comparison) safetyByKeys(before, after *catalog.Dataset) (lost, gained bool) {
	if keysEqual(before, after) {
		return false, false
	}
	for _, r := range c.old.Catalog.Relationships {
		if r.From != before && r.To != before {
			continue
		}
		if other := c.new.Catalog.Relationship(r.Name); other != nil && c.sameDeclared(r, other) {
			lost = lost || r.SafeForward() && !other.SafeForward() || r.SafeBackward() && !other.SafeBackward()
			gained = gained || !r.SafeForward() && other.SafeForward() || !r.SafeBackward() && other.SafeBackward()
		}
	}
	return lost, gained
}

func keysEqual(a, b *catalog.Dataset) bool {
	return keySet(a.PrimaryKey) == keySet(b.PrimaryKey) && slices.Equal(keySets(a.UniqueKeys), keySets(b.UniqueKeys))
}

// sameDataset reports whether a dataset is another one under a new name.
func (c *comparison) sameDataset(before, after *catalog.Dataset) bool {
	if before.Source.Text() != after.Source.Text() || len(before.Fields) != len(after.Fields) {
		return false
	}
	return !slices.ContainsFunc(before.Fields, func(f *catalog.Field) bool {
		other := after.Field(f.Name)
		return other == nil || (f.LOD == nil) != (other.LOD == nil) || !sqlEqual(f, other)
	})
}
