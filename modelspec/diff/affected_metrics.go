package diff

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// possibleCauses lists the causes that a change may have. The zero value has none.
type possibleCauses struct {
	keys []objectKey // the objects
	deep bool        // also what these use
	of   []Property  // the changes of them
}

// resultChangingProperties are the properties that change the results of queries.
var resultChangingProperties = []Property{
	PropertySource, PropertyExpression, PropertyLevelOfDetail, PropertyFilter, PropertyTimeFormat, PropertyMemberFill, PropertyNullFill, PropertyWindow, PropertyNonAdditive, PropertyAtLevel, PropertyDatatype, PropertyParamDefault, PropertyJoinColumns, PropertyJoinType, PropertyValidity,
}

// listAffectedMetrics lists the metrics that change with an object. What fails to compile with an
// object is added by attachConsequencesToCauses.
func (c *modelComparison) listAffectedMetrics() {
	for _, x := range c.changes {
		narrowsGrains := x.Property == PropertyGrains && x.Object == ObjectMetric
		if !narrowsGrains && !slices.Contains(resultChangingProperties, x.Property) {
			continue
		}
		from := x.objectKey
		if x.Object == ObjectParameter {
			from = c.metricOrFieldOfParam(x.Name)
		}
		for _, k := range reachableObjectKeys(c.graph.users, from) {
			if k.object == ObjectMetric && (k != x.objectKey) {
				x.addAffectedMetrics(c.metricNameIfInBoth(k))
			}
		}
	}
}

// metricOrFieldOfParam returns the metric or the field that a parameter belongs to.
func (c *modelComparison) metricOrFieldOfParam(parameter string) objectKey {
	owner := parameter[:strings.LastIndexByte(parameter, '.')]
	switch {
	case c.new.Catalog.Metric(owner) != nil:
		return newObjectKey(ObjectMetric, owner)
	case c.new.Catalog.SavedQuery(owner) != nil:
		return newObjectKey(ObjectSavedQuery, owner)
	}
	return newObjectKey(ObjectField, owner)
}

// metricNameIfInBoth returns the name of a metric that both sides have; "" for another one.
func (c *modelComparison) metricNameIfInBoth(k objectKey) string {
	m := c.new.Catalog.Metric(k.name)
	if m == nil || c.old.Catalog.Metric(k.name) == nil {
		return ""
	}
	return m.Name
}

// addAffectedMetrics adds metrics to those that change with the object.
func (x *entryInProgress) addAffectedMetrics(metrics ...string) {
	for _, m := range metrics {
		if m != "" && !(x.Object == ObjectMetric && x.Name == m) {
			x.Affects = append(x.Affects, m)
		}
	}
	slices.Sort(x.Affects)
	x.Affects = slices.Compact(x.Affects)
}

// attachConsequencesToCauses gives each consequence its cause. It drops one that its cause already
// shows: the cause is as bad in both directions, and lists the metrics.
func (c *modelComparison) attachConsequencesToCauses() {
	c.indexChangesByKey()
	kept := c.changes[:0]
	for _, x := range c.changes {
		if cause := c.findCause(x); cause != nil {
			if x.isCoveredByCause(cause) {
				if x.Object == ObjectMetric {
					cause.addAffectedMetrics(x.Name)
				}
				cause.addAffectedMetrics(x.Affects...)
				x.shownAt = cause
				continue
			}
			x.Because = cause.causeSentence()
		}
		kept = append(kept, x)
	}
	c.changes = kept
}

// isCoveredByCause reports whether a consequence needs no entry beside that of its cause.
func (x *entryInProgress) isCoveredByCause(cause *entryInProgress) bool {
	listed := x.Object == ObjectMetric || x.Property == PropertyPathToDataset || x.Property == PropertyCardinality
	return listed && cause.Class.AtLeast(x.Class) && cause.reverse.AtLeast(x.reverse)
}

func (c *modelComparison) indexChangesByKey() {
	c.byKey = map[objectKey][]*entryInProgress{}
	for _, x := range c.changes {
		c.byKey[x.objectKey] = append(c.byKey[x.objectKey], x)
	}
}

// findCause returns a change that another one follows from, of several one that shows it, else the
// worst; nil where there is none.
func (c *modelComparison) findCause(x *entryInProgress) *entryInProgress {
	keys := x.follows.keys
	if x.follows.deep {
		keys = reachableObjectKeys(c.graph.uses, keys...)
	}
	var cause *entryInProgress
	for _, k := range keys {
		for _, y := range c.byKey[k] {
			if y.shownAt != nil && slices.Contains(x.follows.of, y.Property) {
				y = y.shownAt
			}
			follower := y.Property == PropertyCompileError && y.follows.deep
			if y == x || follower || !slices.Contains(x.follows.of, y.Property) {
				continue
			}
			if x.isCoveredByCause(y) {
				return y
			}
			if cause == nil || y.causeSeverityRank() < cause.causeSeverityRank() {
				cause = y
			}
		}
	}
	return cause
}

// causeSeverityRank orders causes: those that are bad in either direction first.
func (x *entryInProgress) causeSeverityRank() int {
	return slices.Index(Classes(), x.Class) + slices.Index(Classes(), x.reverse)
}

// causeSentence describes a change as a cause.
func (x *entryInProgress) causeSentence() string {
	name := string(x.Object) + " " + x.Name
	switch x.Property {
	case PropertyRemoved, PropertyAdded:
		return name + " was " + string(x.Property)
	case PropertyCompileError:
		if x.New == "" {
			return name + " compiles"
		}
		return name + " does not compile"
	}
	return strings.ReplaceAll(string(x.Property), "_", " ") + " of " + name + " changed"
}

// compareBareFieldNames lists fields whose names meant one field and now mean several, or the
// other way round.
func (c *modelComparison) compareBareFieldNames() {
	for _, f := range c.old.Catalog.Fields {
		other := c.fieldInNewModel(f)
		if other == nil {
			continue
		}
		before, after := c.old.Catalog.FieldsNamed(f.Name), c.new.Catalog.FieldsNamed(f.Name)
		if (len(before) == 1) == (len(after) == 1) {
			continue
		}
		k := classOfChangeAndReverse{ClassCompatible, ClassChanged}
		if len(after) > 1 {
			k = classOfChangeAndReverse{ClassChanged, ClassCompatible}
		}
		x := c.addChange(k, ObjectField, other.QualifiedName(), PropertyUnqualifiedName, qualifiedFieldNamesText(before), qualifiedFieldNamesText(after), asNewModelPlace(c.new.declarations.fieldPlace(other)))
		x.follows = possibleCauses{of: []Property{PropertyAdded, PropertyRemoved}}
		for _, same := range append(slices.Clone(before), after...) {
			x.follows.keys = append(x.follows.keys, newObjectKey(ObjectField, same.QualifiedName()), newObjectKey(ObjectDataset, same.Dataset.Name))
		}
	}
}

// fieldInNewModel returns the field of the new side with the name of an old one; nil without one.
func (c *modelComparison) fieldInNewModel(f *catalog.Field) *catalog.Field {
	if d := c.new.Catalog.Dataset(f.Dataset.Name); d != nil {
		return d.Field(f.Name)
	}
	return nil
}

func qualifiedFieldNamesText(fields []*catalog.Field) string {
	var out []string
	for _, f := range fields {
		out = append(out, f.QualifiedName())
	}
	return strings.Join(sortWithoutDuplicates(out), ", ")
}
