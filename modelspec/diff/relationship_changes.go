package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

func (c *comparison) compareRelationships() {
	for _, r := range c.old.Catalog.Relationships {
		if other := c.new.Catalog.Relationship(r.Name); other != nil {
			c.compareRelationship(r, other)
		} else {
			c.removed(ObjectRelationship, r.Name, inOld(c.old.places.relationship(r)))
		}
	}
	for _, r := range c.new.Catalog.Relationships {
		if c.old.Catalog.Relationship(r.Name) == nil {
			c.added(ObjectRelationship, r.Name, inNew(c.new.places.relationship(r)))
		}
	}
}

func (c *comparison) compareRelationship(before, after *catalog.Relationship) {
	o := object{c, ObjectRelationship, keyOf(ObjectRelationship, after.Name), after.Name, inNew(c.new.places.relationship(after))}
	o.named(same(Breaking), From, nameOfDataset(before.From), nameOfDataset(after.From))
	o.named(same(Breaking), To, nameOfDataset(before.To), nameOfDataset(after.To))
	if o.compileError(before.Err, after.Err) {
		o.named(same(Changed), Columns, joinColumns(before), joinColumns(after))
	}
	o.text(same(Changed), JoinType, joinType(before), joinType(after))
	if x := o.text(safetyClasses(before, after), Cardinality, before.Cardinality.String(), after.Cardinality.String()); x != nil {
		x.follows = consequence{keys: c.changedKeys(before, after), of: []What{PrimaryKey, UniqueKeys}}
	}
	o.text(same(Compatible), AIContext, jsonText(before.AIContext), jsonText(after.AIContext))
	// A dataset wins over a relationship of its name in a path.
	shadowed, hidden := c.old.Catalog.Dataset(before.Name) != nil, c.new.Catalog.Dataset(after.Name) != nil
	o.text(loss(hidden, Compatible), Prefix, yes(!shadowed), yes(!hidden))
}

func nameOfDataset(d *catalog.Dataset) func(*side) string {
	return func(s *side) string { return s.dataset(d) }
}

// joinColumns lists the pairs of columns as a set.
func joinColumns(r *catalog.Relationship) func(*side) string {
	return func(s *side) string {
		var pairs []string
		for i := range r.FromFields {
			pairs = append(pairs, s.field(r.FromFields[i])+" = "+s.field(r.ToFields[i]))
		}
		return strings.Join(sortedUnique(pairs), " and ")
	}
}

func joinType(r *catalog.Relationship) string {
	if r.JoinType == catalog.JoinInner {
		return "inner"
	}
	return "left"
}

// safetyClasses is the class of another cardinality. A direction that is safe no longer
// refuses queries; one that became safe from one to the other side lets a query begin at
// another dataset, so answers may differ.
func safetyClasses(before, after *catalog.Relationship) classes {
	return classes{cardinalityClass(before, after), cardinalityClass(after, before)}
}

func cardinalityClass(before, after *catalog.Relationship) Class {
	switch {
	case before.SafeForward() && !after.SafeForward(), before.SafeBackward() && !after.SafeBackward():
		return Breaking
	case !before.SafeBackward() && after.SafeBackward():
		return Changed
	}
	return Compatible
}

// sameDeclared reports whether two relationships differ in nothing but what the keys of
// their datasets prove.
func (c *comparison) sameDeclared(a, b *catalog.Relationship) bool {
	return c.sameJoin(a, b) && a.JoinType == b.JoinType
}

func (c *comparison) sameJoin(a, b *catalog.Relationship) bool {
	return c.old.dataset(a.From) == c.new.dataset(b.From) && c.old.dataset(a.To) == c.new.dataset(b.To) &&
		joinColumns(a)(c.old) == joinColumns(b)(c.new)
}

// sameRelationship reports whether a relationship is another one under a new name.
func (c *comparison) sameRelationship(a, b *catalog.Relationship) bool {
	return c.sameDeclared(a, b) && a.Cardinality == b.Cardinality && (a.Err == nil) == (b.Err == nil)
}

// changedKeys lists the datasets of a relationship whose keys changed.
func (c *comparison) changedKeys(before, after *catalog.Relationship) []key {
	var out []key
	if !keysEqual(before.From, after.From) {
		out = append(out, keyOf(ObjectDataset, before.From.Name))
	}
	if !keysEqual(before.To, after.To) {
		out = append(out, keyOf(ObjectDataset, before.To.Name))
	}
	return out
}
