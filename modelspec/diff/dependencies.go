package diff

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// dependencies holds what the objects of both models use directly, and what uses them.
// Each side has its own names: a removed object has that of the old side.
type dependencies struct {
	uses, users map[key][]key
	seen        map[[2]key]bool
}

// linkObjects builds the dependencies, if anything changed.
func (c *comparison) linkObjects() {
	c.graph = dependencies{map[key][]key{}, map[key][]key{}, map[[2]key]bool{}}
	if len(c.changes) == 0 {
		return
	}
	for _, s := range []*side{c.old, c.new} {
		l := linker{side: s, graph: &c.graph, done: map[*catalog.Field]bool{}}
		for _, m := range s.Catalog.Metrics {
			l.metric(m)
			if c.ctx.Err() != nil {
				return
			}
		}
	}
}

// linker links the objects of one side.
type linker struct {
	*side
	graph *dependencies
	done  map[*catalog.Field]bool
}

func (l *linker) link(user, used key) {
	pair := [2]key{user, used}
	if user == used || l.graph.seen[pair] {
		return
	}
	l.graph.seen[pair] = true
	l.graph.uses[user] = append(l.graph.uses[user], used)
	l.graph.users[used] = append(l.graph.users[used], user)
}

func (l *linker) metric(m *catalog.Metric) {
	user := keyOf(ObjectMetric, m.Name)
	for _, member := range m.Members() {
		l.link(user, keyOf(ObjectMetric, member.Name))
	}
	for _, form := range m.AllForms() {
		l.operands(user, form)
	}
	if m.Derive != nil {
		l.refs(user, m.Derive.Where)
	}
	if w := m.Window; w != nil {
		if w.Frame != nil {
			l.measure(user, w.Frame.Second)
		}
		for _, f := range w.EffectivePartition().Exclude {
			l.field(user, f)
		}
	}
}

func (l *linker) operands(user key, form *catalog.Form) {
	if form == nil {
		return
	}
	for _, o := range form.Operands {
		if m, ok := o.(*catalog.Measure); ok {
			l.measure(user, m)
		}
	}
}

func (l *linker) measure(user key, m *catalog.Measure) {
	if m != nil {
		l.link(user, keyOf(ObjectDataset, m.Home.Name))
		l.refs(user, m.Arg)
	}
}

func (l *linker) refs(user key, e sqlexpr.Expr) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID < len(l.Catalog.Fields) {
			l.field(user, l.Catalog.Fields[r.ID])
		}
		return true
	})
}

func (l *linker) field(user key, f *catalog.Field) {
	name := keyOf(ObjectField, f.Qualified())
	l.link(user, name)
	if l.done[f] {
		return
	}
	l.done[f] = true
	l.link(name, keyOf(ObjectDataset, f.Dataset.Name))
	for _, e := range allVariants(f.Expr) {
		l.refs(name, e)
	}
	if f.LOD == nil {
		return
	}
	for _, form := range allVariants(f.LOD.Measures) {
		l.operands(name, form)
	}
	l.refs(name, f.LOD.Where)
	for _, k := range f.LOD.Grain {
		l.field(name, k)
	}
	for _, s := range f.LOD.Via {
		l.link(name, keyOf(ObjectRelationship, s.Rel.Name))
	}
}

func allVariants[T any](v catalog.Variants[T]) []T {
	out := []T{v.Default}
	for _, x := range v.ByDialect {
		out = append(out, x)
	}
	return out
}

// closure lists what is reached from keys, themselves included.
func closure(edges map[key][]key, from ...key) []key {
	seen := map[key]bool{}
	var out []key
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
