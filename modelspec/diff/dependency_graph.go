package diff

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// dependencyGraph holds what the objects of both models use directly, and what uses them.
// Each side has its own names: a removed object has that of the old side.
type dependencyGraph struct {
	uses, users map[objectKey][]objectKey
	seen        map[[2]objectKey]bool
}

// buildDependencies builds the dependencies, if anything changed.
func (c *modelComparison) buildDependencies() {
	c.graph = dependencyGraph{map[objectKey][]objectKey{}, map[objectKey][]objectKey{}, map[[2]objectKey]bool{}}
	if len(c.changes) == 0 {
		return
	}
	for _, s := range []*comparedModel{c.old, c.new} {
		l := dependencyGraphBuilder{comparedModel: s, graph: &c.graph, done: map[*catalog.Field]bool{}}
		for _, m := range s.Catalog.Metrics {
			l.linkMetric(m)
			if c.ctx.Err() != nil {
				return
			}
		}
	}
}

// dependencyGraphBuilder links the objects of one side.
type dependencyGraphBuilder struct {
	*comparedModel
	graph *dependencyGraph
	done  map[*catalog.Field]bool
}

func (l *dependencyGraphBuilder) addDependency(user, used objectKey) {
	pair := [2]objectKey{user, used}
	if user == used || l.graph.seen[pair] {
		return
	}
	l.graph.seen[pair] = true
	l.graph.uses[user] = append(l.graph.uses[user], used)
	l.graph.users[used] = append(l.graph.users[used], user)
}

func (l *dependencyGraphBuilder) linkMetric(m *catalog.Metric) {
	user := newObjectKey(ObjectMetric, m.Name)
	for _, member := range m.MemberMetrics() {
		l.addDependency(user, newObjectKey(ObjectMetric, member.Name))
	}
	for _, form := range m.FormsOfAllDialects() {
		l.linkOperandMeasures(user, form)
	}
	if m.Derive != nil {
		l.linkReferences(user, m.Derive.Where)
	}
	if w := m.Window; w != nil {
		if w.Frame != nil {
			l.linkMeasure(user, w.Frame.Second)
		}
		for _, f := range w.EffectivePartition().Exclude {
			l.linkField(user, f)
		}
	}
}

func (l *dependencyGraphBuilder) linkOperandMeasures(user objectKey, form *catalog.ArithmeticOverOperands) {
	if form == nil {
		return
	}
	for _, o := range form.Operands {
		if m, ok := o.(*catalog.Measure); ok {
			l.linkMeasure(user, m)
		}
	}
}

func (l *dependencyGraphBuilder) linkMeasure(user objectKey, m *catalog.Measure) {
	if m != nil {
		l.addDependency(user, newObjectKey(ObjectDataset, m.Home.Name))
		for _, e := range m.ArgumentAndOrderKey() {
			l.linkReferences(user, e)
		}
	}
}

func (l *dependencyGraphBuilder) linkReferences(user objectKey, e sqlexpr.Expr) {
	for r := range sqlexpr.Refs(e) {
		if r.ID < len(l.Catalog.Fields) {
			l.linkReference(user, l.Catalog.FieldByID(r.ID))
		}
	}
}

// linkReference links a field that an expression reads, and the relationships that lead to it.
func (l *dependencyGraphBuilder) linkReference(user objectKey, f *catalog.Field) {
	if f.Joined != nil {
		for _, s := range f.Joined.Path {
			l.addDependency(user, newObjectKey(ObjectRelationship, s.Rel.Name))
		}
	}
	l.linkField(user, f.SourceField())
}

func (l *dependencyGraphBuilder) linkField(user objectKey, f *catalog.Field) {
	name := newObjectKey(ObjectField, f.QualifiedName())
	l.addDependency(user, name)
	if l.done[f] {
		return
	}
	l.done[f] = true
	l.addDependency(name, newObjectKey(ObjectDataset, f.Dataset.Name))
	for _, e := range listAllDialectVariants(f.Expr) {
		l.linkReferences(name, e)
	}
	if f.LOD == nil {
		return
	}
	for _, form := range listAllDialectVariants(f.LOD.Measures) {
		l.linkOperandMeasures(name, form)
	}
	l.linkReferences(name, f.LOD.Where)
	for _, k := range f.LOD.Grain {
		l.linkField(name, k)
	}
	for _, s := range f.LOD.Via {
		l.addDependency(name, newObjectKey(ObjectRelationship, s.Rel.Name))
	}
}

func listAllDialectVariants[T any](v catalog.DialectVariants[T]) []T {
	out := []T{v.Default}
	for _, x := range v.ByDialect {
		out = append(out, x)
	}
	return out
}

// reachableObjectKeys lists what is reached from keys, themselves included.
func reachableObjectKeys(edges map[objectKey][]objectKey, from ...objectKey) []objectKey {
	seen := map[objectKey]bool{}
	var out []objectKey
	for todo := slices.Clone(from); len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		out = append(out, at)
		todo = append(todo, edges[at]...)
	}
	return out
}
