package diff

import (
	"context"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Model is one of the two models that are compared.
type Model struct {
	Catalog  *catalog.Catalog
	Document *modelspec.Document // the origin of the catalog, for locations
	Issues   []modelspec.Issue   // of validation
	Planner  Planner             // nil: the paths of the join graph decide
}

// Planner answers questions about a model that need the planning of queries. Errors of
// the context are the caller's: Compare looks at it.
type Planner interface {
	// Grouped returns the statement of a query that groups the metric by a field; false
	// where the metric does not accept the field.
	Grouped(ctx context.Context, m *catalog.Metric, f *catalog.Field) (sql string, accepted bool)
	// Attributable reports whether a change of the metric can be attributed.
	Attributable(ctx context.Context, m *catalog.Metric) bool
}

// Compare lists what differs between two models, in the order of Sort. The error is that
// of ctx, when it ends first.
func Compare(ctx context.Context, before, after Model) ([]Entry, error) {
	c := &comparison{ctx: ctx, old: newSide(before), new: newSide(after)}
	c.pairRenamed()
	for _, step := range []func(){
		c.compareModels, c.compareDatasets, c.compareRelationships, c.compareMetrics, c.compareSaved,
		c.compareBareNames, c.compareReach, c.linkObjects, c.compareAttribution, c.listAffected, c.foldConsequences,
	} {
		step()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	out := make([]Entry, 0, len(c.changes))
	for _, x := range c.changes {
		out = append(out, x.Entry)
	}
	Sort(out)
	return out, nil
}

// side is one of the models with the names that both sides share.
type side struct {
	Model
	names
	places places
	own    *side // with the names of this model alone, for entries
}

func newSide(m Model) *side {
	own := &side{Model: m, names: newNames()}
	return &side{Model: m, names: newNames(), places: placesOf(m.Document), own: own}
}

// comparison holds what the steps share.
type comparison struct {
	ctx      context.Context // of the one call of Compare
	old, new *side
	changes  []*change
	byKey    map[key][]*change // see indexChanges
	graph    dependencies
}

// key names an object on both sides.
type key struct {
	object Object
	name   string // folded; of a renamed object the old one
}

func keyOf(o Object, name string) key { return key{o, strings.ToLower(name)} }

// change is an entry that is being made.
type change struct {
	Entry
	key
	reverse Class // of the entry that the comparison from new to old has
	follows consequence
	shownAt *change // the cause that shows it; nil for one that has an entry
}

// classes holds the class of a change and that of its reverse.
type classes struct{ class, reverse Class }

func same(c Class) classes { return classes{c, c} }

// loss is the class of something that may have gone: breaking where it has, and otherwise
// a gain.
func loss(gone bool, gain Class) classes {
	if gone {
		return classes{Breaking, gain}
	}
	return classes{gain, Breaking}
}

// add lists a change of an object.
func (c *comparison) add(k classes, o Object, name string, what What, before, after string, at place) *change {
	x := &change{
		Entry: Entry{
			Class: k.class, Object: o, Name: name, What: what, Old: before, New: after,
			Location: at.Location, Position: at.Position, InOld: at.inOld,
		},
		key: keyOf(o, name), reverse: k.reverse,
	}
	c.changes = append(c.changes, x)
	return x
}

// object is one object that both sides have.
type object struct {
	*comparison
	kind Object
	key  key
	name string
	at   place
}

// text lists a property whose texts differ.
func (o object) text(k classes, what What, before, after string) *change {
	if before == after {
		return nil
	}
	return o.put(k, what, before, after)
}

// named lists a property that names other objects. It is compared in the names that both
// sides share and listed in the names of each.
func (o object) named(k classes, what What, before, after func(*side) string) *change {
	if before(o.old) == after(o.new) {
		return nil
	}
	return o.put(k, what, before(o.old.own), after(o.new.own))
}

// put lists a property that differs, even if its texts are equal.
func (o object) put(k classes, what What, before, after string) *change {
	x := o.add(k, o.kind, o.name, what, before, after, o.at)
	x.key = o.key
	return x
}
