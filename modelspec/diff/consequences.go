package diff

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// consequence lists the causes that a change may have. The zero value has none.
type consequence struct {
	keys []key  // the objects
	deep bool   // also what these use
	of   []What // the changes of them
}

// meanings are the properties that change the results of queries.
var meanings = []What{
	Source, Expression, LevelOfDetail, Filter, TimeFormat, MemberFill, Fill, Window, Datatype, Default, Columns, JoinType,
}

// listAffected lists the metrics that change with an object. What fails to compile with an
// object is added by foldConsequences.
func (c *comparison) listAffected() {
	for _, x := range c.changes {
		if !slices.Contains(meanings, x.What) {
			continue
		}
		from := x.key
		if x.Object == ObjectParameter {
			from = c.ownerOf(x.Name)
		}
		for _, k := range closure(c.graph.users, from) {
			if k.object == ObjectMetric && (k != x.key) {
				x.affect(c.metricIn(k))
			}
		}
	}
}

// ownerOf is the metric or the field that a parameter belongs to.
func (c *comparison) ownerOf(parameter string) key {
	owner := parameter[:strings.LastIndexByte(parameter, '.')]
	switch {
	case c.new.Catalog.Metric(owner) != nil:
		return keyOf(ObjectMetric, owner)
	case c.new.Catalog.SavedQuery(owner) != nil:
		return keyOf(ObjectSavedQuery, owner)
	}
	return keyOf(ObjectField, owner)
}

// metricIn is the name of a metric that both sides have; "" for another one.
func (c *comparison) metricIn(k key) string {
	m := c.new.Catalog.Metric(k.name)
	if m == nil || c.old.Catalog.Metric(k.name) == nil {
		return ""
	}
	return m.Name
}

// affect adds metrics to those that change with the object.
func (x *change) affect(metrics ...string) {
	for _, m := range metrics {
		if m != "" && !(x.Object == ObjectMetric && x.Name == m) {
			x.Affects = append(x.Affects, m)
		}
	}
	slices.Sort(x.Affects)
	x.Affects = slices.Compact(x.Affects)
}

// foldConsequences gives each consequence its cause. It drops one that its cause already
// shows: the cause is as bad in both directions, and lists the metrics.
func (c *comparison) foldConsequences() {
	c.indexChanges()
	kept := c.changes[:0]
	for _, x := range c.changes {
		if cause := c.causeOf(x); cause != nil {
			if x.shownBy(cause) {
				if x.Object == ObjectMetric {
					cause.affect(x.Name)
				}
				cause.affect(x.Affects...)
				x.shownAt = cause
				continue
			}
			x.Because = cause.sentence()
		}
		kept = append(kept, x)
	}
	c.changes = kept
}

// shownBy reports whether a consequence needs no entry beside that of its cause.
func (x *change) shownBy(cause *change) bool {
	listed := x.Object == ObjectMetric || x.What == Reached || x.What == Cardinality
	return listed && cause.Class.AtLeast(x.Class) && cause.reverse.AtLeast(x.reverse)
}

func (c *comparison) indexChanges() {
	c.byKey = map[key][]*change{}
	for _, x := range c.changes {
		c.byKey[x.key] = append(c.byKey[x.key], x)
	}
}

// causeOf is a change that another one follows from, of several one that shows it, else the
// worst; nil where there is none.
func (c *comparison) causeOf(x *change) *change {
	keys := x.follows.keys
	if x.follows.deep {
		keys = closure(c.graph.uses, keys...)
	}
	var cause *change
	for _, k := range keys {
		for _, y := range c.byKey[k] {
			if y.shownAt != nil && slices.Contains(x.follows.of, y.What) {
				y = y.shownAt
			}
			follower := y.What == Error && y.follows.deep
			if y == x || follower || !slices.Contains(x.follows.of, y.What) {
				continue
			}
			if x.shownBy(y) {
				return y
			}
			if cause == nil || y.rank() < cause.rank() {
				cause = y
			}
		}
	}
	return cause
}

// rank orders causes: those that are bad in either direction first.
func (x *change) rank() int {
	return slices.Index(Classes(), x.Class) + slices.Index(Classes(), x.reverse)
}

// sentence describes a change as a cause.
func (x *change) sentence() string {
	name := string(x.Object) + " " + x.Name
	switch x.What {
	case Removed, Added:
		return name + " was " + string(x.What)
	case Error:
		if x.New == "" {
			return name + " compiles"
		}
		return name + " does not compile"
	}
	return strings.ReplaceAll(string(x.What), "_", " ") + " of " + name + " changed"
}

// compareBareNames lists fields whose names meant one field and now mean several, or the
// other way round.
func (c *comparison) compareBareNames() {
	for _, f := range c.old.Catalog.Fields {
		other := c.newField(f)
		if other == nil {
			continue
		}
		before, after := c.old.Catalog.FieldsNamed(f.Name), c.new.Catalog.FieldsNamed(f.Name)
		if (len(before) == 1) == (len(after) == 1) {
			continue
		}
		k := classes{Compatible, Changed}
		if len(after) > 1 {
			k = classes{Changed, Compatible}
		}
		x := c.add(k, ObjectField, other.Qualified(), BareName, qualifiedNames(before), qualifiedNames(after), inNew(c.new.places.field(other)))
		x.follows = consequence{of: []What{Added, Removed}}
		for _, same := range append(slices.Clone(before), after...) {
			x.follows.keys = append(x.follows.keys, keyOf(ObjectField, same.Qualified()), keyOf(ObjectDataset, same.Dataset.Name))
		}
	}
}

// newField is the field of the new side with the name of an old one; nil without one.
func (c *comparison) newField(f *catalog.Field) *catalog.Field {
	if d := c.new.Catalog.Dataset(f.Dataset.Name); d != nil {
		return d.Field(f.Name)
	}
	return nil
}

func qualifiedNames(fields []*catalog.Field) string {
	var out []string
	for _, f := range fields {
		out = append(out, f.Qualified())
	}
	return strings.Join(sortedUnique(out), ", ")
}
