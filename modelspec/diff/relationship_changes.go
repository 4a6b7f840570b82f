package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

func (c *modelComparison) compareRelationships() {
	for _, r := range c.old.Catalog.Relationships {
		if other := c.new.Catalog.Relationship(r.Name); other != nil {
			c.compareRelationship(r, other)
		} else {
			c.addRemovedObject(ObjectRelationship, r.Name, asOldModelPlace(c.old.declarations.relationshipPlace(r)))
		}
	}
	for _, r := range c.new.Catalog.Relationships {
		if c.old.Catalog.Relationship(r.Name) == nil {
			c.addAddedObject(ObjectRelationship, r.Name, asNewModelPlace(c.new.declarations.relationshipPlace(r)))
		}
	}
}

func (c *modelComparison) compareRelationship(before, after *catalog.Relationship) {
	o := comparedObject{c, ObjectRelationship, newObjectKey(ObjectRelationship, after.Name), after.Name, asNewModelPlace(c.new.declarations.relationshipPlace(after))}
	o.addChangeIfReferencesDiffer(sameClassBothWays(ClassBreaking), PropertyFromDataset, datasetNamePrinter(before.From), datasetNamePrinter(after.From))
	o.addChangeIfReferencesDiffer(sameClassBothWays(ClassBreaking), PropertyToDataset, datasetNamePrinter(before.To), datasetNamePrinter(after.To))
	if o.compareCompileErrors(before.Err, after.Err) {
		o.addChangeIfReferencesDiffer(sameClassBothWays(ClassChanged), PropertyJoinColumns, joinColumnsPrinter(before), joinColumnsPrinter(after))
	}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyJoinType, before.JoinType.String(), after.JoinType.String())
	o.addChangeIfReferencesDiffer(sameClassBothWays(ClassChanged), PropertyValidity, validityPrinter(before), validityPrinter(after))
	if x := o.addChangeIfTextDiffers(cardinalityChangeClasses(before, after), PropertyCardinality, before.Cardinality.String(), after.Cardinality.String()); x != nil {
		x.follows = possibleCauses{keys: c.datasetsWithChangedKeys(before, after), of: []Property{PropertyPrimaryKey, PropertyUniqueKeys}}
	}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyAIContext, documentValueAsJSON(before.AIContext), documentValueAsJSON(after.AIContext))
	// A dataset wins over a relationship of its name in a path.
	shadowed, hidden := c.old.Catalog.Dataset(before.Name) != nil, c.new.Catalog.Dataset(after.Name) != nil
	o.addChangeIfTextDiffers(changeClassesIfRemovedOrGained(hidden, ClassCompatible), PropertyCanBeginPath, boolText(!shadowed), boolText(!hidden))
}

func datasetNamePrinter(d *catalog.Dataset) func(*comparedModel) string {
	return func(s *comparedModel) string { return s.datasetName(d) }
}

// joinColumnsPrinter lists the pairs of columns as a set.
func joinColumnsPrinter(r *catalog.Relationship) func(*comparedModel) string {
	return func(s *comparedModel) string {
		var pairs []string
		for i := range r.FromFields {
			pairs = append(pairs, s.fieldName(r.FromFields[i])+" = "+s.fieldName(r.ToFields[i]))
		}
		return strings.Join(sortWithoutDuplicates(pairs), " and ")
	}
}

// validityPrinter returns the condition under which a row is valid.
func validityPrinter(r *catalog.Relationship) func(*comparedModel) string {
	return func(s *comparedModel) string {
		if r.Valid == nil {
			return ""
		}
		text := s.fieldName(r.Valid.From) + " <= " + s.fieldName(r.Valid.At)
		if r.Valid.To != nil {
			text += " < " + s.fieldName(r.Valid.To)
		}
		return text
	}
}

// cardinalityChangeClasses returns the class of another cardinality. A direction that is safe no longer
// rejects queries; one that became safe from one to the other side lets a query begin at
// another dataset, so answers may differ.
func cardinalityChangeClasses(before, after *catalog.Relationship) classOfChangeAndReverse {
	return classOfChangeAndReverse{cardinalityChangeClass(before, after), cardinalityChangeClass(after, before)}
}

func cardinalityChangeClass(before, after *catalog.Relationship) ChangeClass {
	switch {
	case before.SafeForward() && !after.SafeForward(), before.SafeBackward() && !after.SafeBackward():
		return ClassBreaking
	case !before.SafeBackward() && after.SafeBackward():
		return ClassChanged
	}
	return ClassCompatible
}

// isSameRelationshipDeclaration reports whether two relationships differ in nothing but what the keys of
// their datasets prove.
func (c *modelComparison) isSameRelationshipDeclaration(a, b *catalog.Relationship) bool {
	return c.hasSameJoinColumns(a, b) && a.JoinType == b.JoinType && validityPrinter(a)(c.old) == validityPrinter(b)(c.new)
}

func (c *modelComparison) hasSameJoinColumns(a, b *catalog.Relationship) bool {
	return c.old.datasetName(a.From) == c.new.datasetName(b.From) && c.old.datasetName(a.To) == c.new.datasetName(b.To) &&
		joinColumnsPrinter(a)(c.old) == joinColumnsPrinter(b)(c.new)
}

// isRenamedRelationship reports whether a relationship is another one under a new name.
func (c *modelComparison) isRenamedRelationship(a, b *catalog.Relationship) bool {
	return c.isSameRelationshipDeclaration(a, b) && a.Cardinality == b.Cardinality && (a.Err == nil) == (b.Err == nil)
}

// datasetsWithChangedKeys lists the datasets of a relationship whose keys changed.
func (c *modelComparison) datasetsWithChangedKeys(before, after *catalog.Relationship) []objectKey {
	var out []objectKey
	if !hasEqualKeySets(before.From, after.From) {
		out = append(out, newObjectKey(ObjectDataset, before.From.Name))
	}
	if !hasEqualKeySets(before.To, after.To) {
		out = append(out, newObjectKey(ObjectDataset, before.To.Name))
	}
	return out
}
