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
	Planner  QueryPlanner        // nil: the paths of the join graph decide
}

// QueryPlanner answers questions about a model that need the planning of queries. Errors of
// the context are the caller's: Compare looks at it.
type QueryPlanner interface {
	// CompileGroupedMetric returns the statement of a query that groups the metric by a field; false
	// where the metric does not accept the field.
	CompileGroupedMetric(ctx context.Context, m *catalog.Metric, f *catalog.Field) (sql string, accepted bool)
	// IsComputable reports whether a query of the metric, with the group-bys that it needs, can be planned.
	IsComputable(ctx context.Context, m *catalog.Metric) bool
	// IsAttributable reports whether a change of the metric can be attributed.
	IsAttributable(ctx context.Context, m *catalog.Metric) bool
}

// Compare lists what differs between two models, in the order of SortEntries. The error is that
// of ctx, when it ends first.
func Compare(ctx context.Context, before, after Model) ([]Entry, error) {
	c := &modelComparison{ctx: ctx, old: newComparedModel(before), new: newComparedModel(after)}
	c.pairRenamedObjects()
	for _, step := range []func(){
		c.compareModelProperties, c.compareDatasets, c.compareRelationships, c.compareMetrics, c.compareSavedQueries, c.compareRollups, c.compareViews,
		c.compareBareFieldNames, c.compareDatasetsReachedByMetrics, c.buildDependencies, c.compareAttributability, c.listAffectedMetrics, c.attachConsequencesToCauses,
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
	SortEntries(out)
	return out, nil
}

// comparedModel is one of the models with the names that both sides share.
type comparedModel struct {
	Model
	namesBeforeRenames
	declarations declarationIndex
	own          *comparedModel // with the names of this model alone, for entries
}

func newComparedModel(m Model) *comparedModel {
	own := &comparedModel{Model: m, namesBeforeRenames: newNamesBeforeRenames()}
	return &comparedModel{Model: m, namesBeforeRenames: newNamesBeforeRenames(), declarations: newDeclarationIndex(m.Document), own: own}
}

// modelComparison holds what the steps share.
type modelComparison struct {
	ctx      context.Context // of the one call of Compare
	old, new *comparedModel
	changes  []*entryInProgress
	byKey    map[objectKey][]*entryInProgress // see indexChangesByKey
	graph    dependencyGraph
}

// objectKey names an object on both sides.
type objectKey struct {
	object ObjectKind
	name   string // folded; of a renamed object the old one
}

func newObjectKey(o ObjectKind, name string) objectKey { return objectKey{o, strings.ToLower(name)} }

// entryInProgress is an entry that is being made.
type entryInProgress struct {
	Entry
	objectKey
	reverse ChangeClass // of the entry that the comparison from new to old has
	follows possibleCauses
	shownAt *entryInProgress // the cause that shows it; nil for one that has an entry
}

// classOfChangeAndReverse holds the class of a change and that of its reverse.
type classOfChangeAndReverse struct{ class, reverse ChangeClass }

func sameClassBothWays(c ChangeClass) classOfChangeAndReverse { return classOfChangeAndReverse{c, c} }

// changeClassesIfRemovedOrGained returns the class of something that may have gone: breaking where it has, and otherwise
// a gain.
func changeClassesIfRemovedOrGained(gone bool, gain ChangeClass) classOfChangeAndReverse {
	if gone {
		return classOfChangeAndReverse{ClassBreaking, gain}
	}
	return classOfChangeAndReverse{gain, ClassBreaking}
}

// addChange lists a change of an object.
func (c *modelComparison) addChange(k classOfChangeAndReverse, o ObjectKind, name string, what Property, before, after string, at declarationPlace) *entryInProgress {
	x := &entryInProgress{
		Entry: Entry{
			Class: k.class, Object: o, Name: name, Property: what, Old: before, New: after,
			Location: at.Location, Position: at.Position, InOld: at.inOld,
		},
		objectKey: newObjectKey(o, name), reverse: k.reverse,
	}
	c.changes = append(c.changes, x)
	return x
}

// comparedObject is one object that both sides have.
type comparedObject struct {
	*modelComparison
	kind ObjectKind
	key  objectKey
	name string
	at   declarationPlace
}

// addChangeIfTextDiffers lists a property whose texts differ.
func (o comparedObject) addChangeIfTextDiffers(k classOfChangeAndReverse, what Property, before, after string) *entryInProgress {
	if before == after {
		return nil
	}
	return o.addPropertyChange(k, what, before, after)
}

// addChangeIfReferencesDiffer lists a property that names other objects. It is compared in the names that both
// sides share and listed in the names of each.
func (o comparedObject) addChangeIfReferencesDiffer(k classOfChangeAndReverse, what Property, before, after func(*comparedModel) string) *entryInProgress {
	if before(o.old) == after(o.new) {
		return nil
	}
	return o.addPropertyChange(k, what, before(o.old.own), after(o.new.own))
}

// addPropertyChange lists a property that differs, even if its texts are equal.
func (o comparedObject) addPropertyChange(k classOfChangeAndReverse, what Property, before, after string) *entryInProgress {
	x := o.addChange(k, o.kind, o.name, what, before, after, o.at)
	x.objectKey = o.key
	return x
}
