package diff

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (c *modelComparison) compareDatasets() {
	for _, d := range c.old.Catalog.Datasets {
		other := c.new.Catalog.Dataset(d.Name)
		if other == nil {
			c.addRemovedObject(ObjectDataset, d.Name, asOldModelPlace(c.old.declarations.datasetPlace(d)))
			continue
		}
		c.compareDataset(d, other)
	}
	for _, d := range c.new.Catalog.Datasets {
		if c.old.Catalog.Dataset(d.Name) == nil {
			c.addAddedObject(ObjectDataset, d.Name, asNewModelPlace(c.new.declarations.datasetPlace(d)))
		}
	}
}

func (c *modelComparison) addRemovedObject(o ObjectKind, name string, at declarationPlace) {
	c.addChange(changeClassesIfRemovedOrGained(true, ClassCompatible), o, name, PropertyRemoved, "", "", at).RenamedFromHint = c.old.hints[newObjectKey(o, name)]
}

func (c *modelComparison) addAddedObject(o ObjectKind, name string, at declarationPlace) {
	c.addChange(changeClassesIfRemovedOrGained(false, ClassCompatible), o, name, PropertyAdded, "", "", at).RenamedFromHint = c.new.hints[newObjectKey(o, name)]
}

func (c *modelComparison) compareDataset(before, after *catalog.Dataset) {
	o := comparedObject{c, ObjectDataset, newObjectKey(ObjectDataset, after.Name), after.Name, asNewModelPlace(c.new.declarations.datasetPlace(after))}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertySource, before.Source.Text(), after.Source.Text())
	c.compareKeys(o, before, after)
	o.addChangeIfReferencesDiffer(timeAxisChangeClasses(before.PrimaryTime, after.PrimaryTime), PropertyTimeDimension, fieldNamePrinter(before.PrimaryTime), fieldNamePrinter(after.PrimaryTime))
	o.addChangeIfTextDiffers(calendarChangeClasses(before.Calendar, after.Calendar), PropertyCalendar, calendarText(before.Calendar), calendarText(after.Calendar))
	o.addChangeIfReferencesDiffer(sameClassBothWays(ClassChanged), PropertySequence, sequencePrinter(before.Sequence), sequencePrinter(after.Sequence))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyLabel, before.Label, after.Label)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyFreshness, sqlexpr.Format(before.Freshness), sqlexpr.Format(after.Freshness))
	o.compareDocumentation(before.Description, after.Description, before.AIContext, after.AIContext)
	for _, f := range before.Fields {
		if other := after.Field(f.Name); other != nil {
			c.compareField(f, other)
		} else {
			c.addRemovedObject(ObjectField, f.QualifiedName(), asOldModelPlace(c.old.declarations.fieldPlace(f)))
		}
	}
	for _, f := range after.Fields {
		if before.Field(f.Name) == nil {
			c.addAddedObject(ObjectField, f.QualifiedName(), asNewModelPlace(c.new.declarations.fieldPlace(f)))
		}
	}
}

// timeAxisChangeClasses returns the class of another time axis. Without one, metric_time is rejected; with
// a first one, a time range without a dimension may have two to choose from.
func timeAxisChangeClasses(before, after *catalog.Field) classOfChangeAndReverse {
	switch {
	case before == nil && after != nil && datasetHasSecondTimeField(after), after == nil && before != nil && datasetHasSecondTimeField(before):
		return sameClassBothWays(ClassBreaking)
	case (before == nil) != (after == nil):
		return changeClassesIfRemovedOrGained(after == nil, ClassChanged)
	}
	return sameClassBothWays(ClassChanged)
}

// datasetHasSecondTimeField reports whether the dataset of a time field has a second one. A query that
// groups by the second has no doubt about its time range as long as the first is not the time
// dimension.
func datasetHasSecondTimeField(f *catalog.Field) bool {
	return slices.ContainsFunc(f.Dataset.Fields, func(other *catalog.Field) bool { return other != f && other.IsTime })
}

// calendarChangeClasses returns the class of another calendar. A period that is gone is a grain that queries no longer
// have; periods that are added leave the others as they were.
func calendarChangeClasses(before, after *catalog.Calendar) classOfChangeAndReverse {
	classOf := func(old, updated *catalog.Calendar) ChangeClass {
		if old == nil {
			return ClassCompatible
		}
		class := ClassCompatible
		if updated != nil && updated.Date.Name != old.Date.Name {
			class = ClassChanged
		}
		for _, p := range old.Periods {
			same := func(q *catalog.Period) bool { return q.Name == p.Name }
			if updated == nil || !slices.ContainsFunc(updated.Periods, same) {
				return ClassBreaking
			}
			switch q := updated.Periods[slices.IndexFunc(updated.Periods, same)]; {
			case p.Whole != sqlexpr.GrainNone && q.Whole != p.Whole:
				return ClassBreaking // windows begin again with the period by that grain
			case q.Field.Name != p.Field.Name || q.Whole != p.Whole:
				class = ClassChanged
			}
		}
		return class
	}
	return classOfChangeAndReverse{class: classOf(before, after), reverse: classOf(after, before)}
}

// calendarText writes a calendar, so that equal ones have equal texts.
func calendarText(c *catalog.Calendar) string {
	if c == nil {
		return ""
	}
	parts := make([]string, len(c.Periods))
	for i, p := range c.Periods {
		parts[i] = p.Name + " = " + p.Field.Name
		if p.Whole != sqlexpr.GrainNone {
			parts[i] += " (whole " + p.Whole.String() + ")"
		}
	}
	return c.Date.Name + ": " + strings.Join(sortWithoutDuplicates(parts), ", ")
}

// compareKeys compares keys as sets of columns. The rows of a dataset are ordered by its
// primary key where a query has a limit, so another one changes what is shown; a unique
// key matters to the relationships that it makes safe.
func (c *modelComparison) compareKeys(o comparedObject, before, after *catalog.Dataset) {
	lost, gained := c.joinSafetyChangedByKeys(before, after)
	worst := func(k classOfChangeAndReverse) classOfChangeAndReverse {
		if lost {
			k.class = ClassBreaking
		}
		if gained {
			k.reverse = ClassBreaking
		}
		return k
	}
	primaryBefore, primaryAfter := keyColumnSetText(before.PrimaryKey), keyColumnSetText(after.PrimaryKey)
	if primaryBefore != primaryAfter {
		o.addChangeIfTextDiffers(worst(sameClassBothWays(ClassChanged)), PropertyPrimaryKey, primaryBefore, primaryAfter)
	}
	uniqueBefore, uniqueAfter := keyColumnSetTexts(before.UniqueKeys), keyColumnSetTexts(after.UniqueKeys)
	k := classOfChangeAndReverse{ClassChanged, ClassChanged}
	if containsAll(uniqueAfter, uniqueBefore) {
		k.class = ClassCompatible
	}
	if containsAll(uniqueBefore, uniqueAfter) {
		k.reverse = ClassCompatible
	}
	if primaryBefore == primaryAfter {
		k = worst(k)
	}
	o.addChangeIfTextDiffers(k, PropertyUniqueKeys, strings.Join(uniqueBefore, " "), strings.Join(uniqueAfter, " "))
}

func containsAll(list, of []string) bool {
	return !slices.ContainsFunc(of, func(x string) bool { return !slices.Contains(list, x) })
}

// joinSafetyChangedByKeys reports whether a relationship at the dataset lost or gained a direction in
// which it is safe to follow, while its own declaration is the same: its keys decide then. Where a join
// repeats its rows, the dataset also loses or gains the queries that count them once for each group, which need a key.
func (c *modelComparison) joinSafetyChangedByKeys(before, after *catalog.Dataset) (lost, gained bool) {
	if hasEqualKeySets(before, after) {
		return false, false
	}
	for _, r := range c.old.Catalog.Relationships {
		if r.From != before && r.To != before {
			continue
		}
		if other := c.new.Catalog.Relationship(r.Name); other != nil && c.isSameRelationshipDeclaration(r, other) {
			lost = lost || r.SafeForward() && !other.SafeForward() || r.SafeBackward() && !other.SafeBackward()
			gained = gained || !r.SafeForward() && other.SafeForward() || !r.SafeBackward() && other.SafeBackward()
			if repeatsRowsOf(r, before) && repeatsRowsOf(other, after) {
				had, has := len(before.PrimaryOrFirstUniqueKeyColumns()) > 0, len(after.PrimaryOrFirstUniqueKeyColumns()) > 0
				lost, gained = lost || had && !has, gained || !had && has
			}
		}
	}
	return lost, gained
}

// repeatsRowsOf reports whether a join from the dataset along a relationship may repeat its rows.
func repeatsRowsOf(r *catalog.Relationship, d *catalog.Dataset) bool {
	return r.From == d && !r.SafeForward() || r.To == d && !r.SafeBackward()
}

func hasEqualKeySets(a, b *catalog.Dataset) bool {
	return keyColumnSetText(a.PrimaryKey) == keyColumnSetText(b.PrimaryKey) && slices.Equal(keyColumnSetTexts(a.UniqueKeys), keyColumnSetTexts(b.UniqueKeys))
}

// isRenamedDataset reports whether a dataset is another one under a new name.
func (c *modelComparison) isRenamedDataset(before, after *catalog.Dataset) bool {
	if before.Source.Text() != after.Source.Text() || len(before.Fields) != len(after.Fields) {
		return false
	}
	return !slices.ContainsFunc(before.Fields, func(f *catalog.Field) bool {
		other := after.Field(f.Name)
		return other == nil || (f.LOD == nil) != (other.LOD == nil) || !hasEqualFieldColumns(f, other)
	})
}
