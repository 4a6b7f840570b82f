package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// lodPlan is the state of planning one level-of-detail table.
type lodPlan struct {
	*build
	field   *catalog.Field
	home    *catalog.Dataset
	tree    *joins.Tree
	keys    []joinKey // the grain, as the aggregated rows carry it
	variant string
}

// lodTable plans the table of a level-of-detail field: its aggregates once per
// grain key, over the rows that belong to a carrier row. context_filter and the
// field's own predicate apply inside; where_sql and time ranges do not.
func (b *build) lodTable(f *catalog.Field, variant string) (*joins.LODTable, error) {
	if slices.Contains(b.lodStack, f) {
		return nil, internal("level-of-detail field %s needs itself", f.Qualified())
	}
	b.lodStack = append(b.lodStack, f)
	defer func() { b.lodStack = b.lodStack[:len(b.lodStack)-1] }()

	form := f.LOD.Measures.For(b.target.Dialect)
	p := &lodPlan{build: b, field: f, variant: variant}
	if err := p.root(form); err != nil {
		return nil, err
	}
	names := newNamer()
	agg := &plan.Aggregate{Home: p.home.Name, Why: "lod " + f.Qualified()}
	var matched []sqlexpr.Expr
	for i, g := range f.LOD.Grain {
		e, err := p.tree.Bind(p.keys[i].node, p.keys[i].field, variant)
		if err != nil {
			return nil, err
		}
		agg.Keys = append(agg.Keys, plan.Named{Name: names.take(g.Name), Expr: joins.GroupKey(e, g), Type: g.Type})
		if p.keys[i].field != g {
			matched = append(matched, &sqlexpr.IsNull{Not: true, X: e})
		}
	}
	counts := make([]bool, len(form.Operands))
	for i, o := range form.Operands {
		m := o.(*catalog.Measure)
		e, err := p.aggregate(m)
		if err != nil {
			return nil, err
		}
		counts[i] = m.Agg.Counts()
		agg.Measures = append(agg.Measures, plan.Named{Name: names.take(m.Stem), Expr: e, Type: m.Type})
	}
	conds, err := p.conditions()
	if err != nil {
		return nil, err
	}
	if agg.Input, err = p.tree.Plan(); err != nil {
		return nil, err
	}
	if len(matched) > 0 {
		agg.Input = &plan.Filter{Input: agg.Input, Conds: matched, Why: "rows that name a " + f.Dataset.Name}
	}
	if len(conds) > 0 {
		agg.Input = &plan.Filter{Input: agg.Input, Conds: conds, Why: "lod where, context_filter"}
	}
	return &joins.LODTable{Node: agg, Value: lodValue(form, len(agg.Keys), counts)}, nil
}

// lodValue computes the field from the joined columns: a count over no rows is
// 0, every other aggregate NULL.
func lodValue(form *catalog.Form, keys int, counts []bool) func(func(int) sqlexpr.Expr) sqlexpr.Expr {
	return func(column func(int) sqlexpr.Expr) sqlexpr.Expr {
		return sqlexpr.Rewrite(form.Expr, func(x sqlexpr.Expr) sqlexpr.Expr {
			r, ok := x.(*sqlexpr.Ref)
			if !ok {
				return nil
			}
			v := column(keys + r.ID)
			if counts[r.ID] {
				return coalesce(v, "0")
			}
			return v
		})
	}
}

// root finds the aggregates' home and its way to the carrier.
func (p *lodPlan) root(form *catalog.Form) error {
	for _, o := range form.Operands {
		m, ok := o.(*catalog.Measure)
		if !ok {
			return internal("level-of-detail field %s holds a %T", p.field.Qualified(), o)
		}
		if p.home != nil && p.home != m.Home {
			return notImplemented(p.field.Qualified()+" aggregates both "+p.home.Name+" and "+m.Home.Name+", which one level of detail cannot align",
				"declare one level-of-detail field for "+p.home.Name+" and one for "+m.Home.Name+", and combine them in a third field of "+p.field.Dataset.Name)
		}
		p.home = m.Home
	}
	carrier := p.field.Dataset
	paths := p.cat.LODCarrierPaths(p.field, p.home, maxPaths)
	switch len(paths) {
	case 0:
		return &planerr.Error{
			Code:           planerr.CodeFanOutRisk,
			Message:        p.field.Qualified() + " aggregates " + p.home.Name + ", which does not lead to " + carrier.Name + " many-to-one: a row would count for several " + carrier.Name,
			SuggestedRetry: "leave out " + p.field.Qualified(),
		}
	case 1:
	default:
		return p.ambiguousLOD(carrier, paths)
	}
	p.tree = joins.New(p.target.Dialect, p.target.Caps.TextByCast, p.home, p.lodTable)
	p.grain(paths[0])
	return nil
}

// joinKey is a field at a place in the join tree.
type joinKey struct {
	node  *joins.Node
	field *catalog.Field
}

// grain finds the grain's fields on the aggregated rows. Where the grain is the
// very key that the last relationship joins on, the rows carry it themselves and
// the carrier need not be joined: a row that names no carrier has a key that no
// carrier meets, or NULL, which is filtered out.
func (p *lodPlan) grain(path []catalog.Step) {
	if from, ok := joinedGrain(p.field.LOD.Grain, path); ok {
		at := p.tree.Join(p.tree.Root(), path[:len(path)-1], false)
		for _, f := range from {
			p.keys = append(p.keys, joinKey{at, f})
		}
		return
	}
	carrier := p.tree.Join(p.tree.Root(), path, false)
	p.tree.Require(carrier)
	for _, g := range p.field.LOD.Grain {
		p.keys = append(p.keys, joinKey{carrier, g})
	}
}

// joinedGrain pairs the grain with the fields that the last step of a path joins
// it to; ok is false when the grain is not exactly the key of that step. The day of
// a Date is not: the step compares what the columns store.
func joinedGrain(grain []*catalog.Field, path []catalog.Step) (from []*catalog.Field, ok bool) {
	if len(path) == 0 {
		return nil, false
	}
	last := path[len(path)-1]
	source, target := last.Rel.FromFields, last.Rel.ToFields
	if last.Reverse {
		source, target = target, source
	}
	if len(grain) != len(target) || last.Rel.Err != nil {
		return nil, false
	}
	for _, g := range grain {
		i := slices.Index(target, g)
		if i < 0 || source[i].Type != g.Type || g.Type == sqlexpr.TypeDate {
			return nil, false
		}
		from = append(from, source[i])
	}
	return from, true
}

func (p *lodPlan) aggregate(m *catalog.Measure) (sqlexpr.Expr, error) {
	c := aggregateCall(m.Agg)
	if m.Arg == nil {
		c.Star = true
		return c, nil
	}
	arg, err := p.bind(m.Arg)
	if err != nil {
		return nil, err
	}
	c.Args = []sqlexpr.Expr{arg}
	return c, nil
}

// conditions are the field's predicate and what of context_filter can be
// reached from here.
func (p *lodPlan) conditions() ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	if w := p.field.LOD.Where; w != nil {
		bound, err := p.bindLODSlots(p.field, w, p.variant)
		if err != nil {
			return nil, err
		}
		e, err := p.bind(bound)
		if err != nil {
			return nil, err
		}
		out = append(out, sqlexpr.Conjuncts(e)...)
	}
	for _, c := range p.context {
		if !p.appliesInside(c, p.field) {
			continue
		}
		e, err := p.bindContext(c)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// appliesInside reports whether a conjunct of context_filter filters the rows
// of a field's level-of-detail table: it is reachable, and does not need a table
// that is being planned.
func (b *build) appliesInside(c cond, lod *catalog.Field) bool {
	for _, r := range c.refs {
		ref := b.refs[r]
		if _, ok, err := b.lodRoute(lod, ref); err != nil || !ok {
			return false
		}
		for _, f := range b.cat.AppendLODFields(nil, ref.Field, b.target.Dialect) {
			if slices.Contains(b.lodStack, f) {
				return false
			}
		}
	}
	return true
}

func (p *lodPlan) bindContext(c cond) (sqlexpr.Expr, error) {
	return rewriteRefs(c.expr, func(id int) (sqlexpr.Expr, error) {
		ref := p.refs[id]
		path, _, err := p.lodRoute(p.field, ref)
		if err != nil {
			return nil, err
		}
		return p.tree.Bind(p.tree.Join(p.tree.Root(), path, len(ref.Prefix) > 0), ref.Field, p.variant)
	})
}

// bind reads fields of any dataset that the home reaches.
func (p *lodPlan) bind(e sqlexpr.Expr) (sqlexpr.Expr, error) {
	return rewriteRefs(e, func(id int) (sqlexpr.Expr, error) {
		f := p.cat.Fields[id]
		path, ok, err := p.lodRoute(p.field, scope.Ref{Field: f})
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, p.noJoinPath(&branch{home: p.home}, []scope.Ref{{Field: f}})
		}
		return p.tree.Bind(p.tree.Join(p.tree.Root(), path, false), f, p.variant)
	})
}

// lodRoute is the path of safe edges on which the rows that a level-of-detail
// field aggregates find a reference; ok is false when there is none.
func (b *build) lodRoute(f *catalog.Field, ref scope.Ref) (path []catalog.Step, ok bool, err error) {
	home := lodHome(f, b.target.Dialect)
	return routeAlong(home, ref, func(to *catalog.Dataset) ([]catalog.Step, bool, error) {
		paths := b.cat.LODPaths(f.LOD, home, to, maxPaths)
		switch len(paths) {
		case 0:
			return nil, false, nil
		case 1:
			return paths[0], true, nil
		}
		return nil, false, (&lodPlan{build: b, field: f, home: home}).ambiguousLOD(to, paths)
	})
}

// ambiguousLOD is the error of a field that compiles for another dialect alone:
// several paths lead from the rows that it aggregates here.
func (p *lodPlan) ambiguousLOD(to *catalog.Dataset, paths [][]catalog.Step) error {
	e := &planerr.Error{
		Code: planerr.CodeAmbiguousJoinPath,
		Message: "several relationship paths lead from " + p.home.Name + " to " + to.Name + ", and the model does not choose one for " +
			p.field.Qualified() + " in " + p.target.Dialect,
		SuggestedRetry: "leave out " + p.field.Qualified(),
	}
	for _, path := range paths {
		e.Candidates = append(e.Candidates, scope.PathText(path))
	}
	return e
}

// rewriteRefs replaces every Ref of an expression.
func rewriteRefs(e sqlexpr.Expr, bind func(id int) (sqlexpr.Expr, error)) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		if !ok || failed != nil {
			return nil
		}
		v, err := bind(r.ID)
		if err != nil {
			failed = err
			return x
		}
		return v
	})
	return out, failed
}

// branchContext is the part of context_filter that filters a branch's own rows.
// A conjunct out of the branch's reach still does its work where a
// level-of-detail table that the branch reads applies it.
func (b *build) branchContext(br *branch) []cond {
	var out []cond
	for i, c := range b.context {
		if b.reaches(br.home, c) || !b.worksInside(br, i) {
			out = append(out, c)
		}
	}
	return out
}

// worksInside reports whether a conjunct of context_filter applies inside a
// level-of-detail table that the branch reads for another reason than the
// conjunct itself.
func (b *build) worksInside(br *branch, conjunct int) bool {
	others := slices.Delete(slices.Clone(b.context), conjunct, conjunct+1)
	for _, f := range b.lodsRead(br, others) {
		b.lodStack = append(b.lodStack, f)
		applies := b.appliesInside(b.context[conjunct], f)
		b.lodStack = b.lodStack[:len(b.lodStack)-1]
		if applies {
			return true
		}
	}
	return false
}

func (b *build) reaches(home *catalog.Dataset, c cond) bool {
	return !slices.ContainsFunc(c.refs, func(r int) bool {
		_, ok, err := b.safeRoute(home, b.refs[r])
		return err == nil && !ok
	})
}

// lodsRead lists the level-of-detail fields whose tables a branch reads, given
// the conjuncts of context_filter that count.
func (b *build) lodsRead(br *branch, context []cond) []*catalog.Field {
	var fields []*catalog.Field
	for _, g := range b.groups {
		if !g.metricTime {
			fields = b.cat.AppendLODFields(fields, g.ref.Field, b.target.Dialect)
		}
	}
	for _, c := range slices.Concat(context, b.input) {
		for _, r := range c.refs {
			fields = b.cat.AppendLODFields(fields, b.refs[r].Field, b.target.Dialect)
		}
	}
	for _, u := range br.uses {
		fields = b.cat.AppendLODFieldsIn(fields, u.measure.Arg, b.target.Dialect)
		fields = b.cat.AppendLODFieldsIn(fields, u.where, b.target.Dialect)
	}
	return slices.DeleteFunc(fields, func(f *catalog.Field) bool { return lodHome(f, b.target.Dialect) == nil })
}

// lodHome is the home of a level-of-detail field's aggregates.
func lodHome(f *catalog.Field, dialect string) *catalog.Dataset {
	if form := f.LOD.Measures.For(dialect); form != nil && len(form.Operands) > 0 {
		if m, ok := form.Operands[0].(*catalog.Measure); ok {
			return m.Home
		}
	}
	return nil
}

// reachedNowhere lists what context_filter names and neither the branch's home nor
// any of the level-of-detail tables that it reads can reach: only another root could
// narrow the population down by it.
func (b *build) reachedNowhere(br *branch) []scope.Ref {
	if len(b.lodsRead(br, b.context)) == 0 {
		return nil
	}
	var out []scope.Ref
	for _, c := range br.context {
		if b.reaches(br.home, c) {
			continue
		}
		for _, r := range c.refs {
			out = append(out, b.refs[r])
		}
	}
	return out
}
