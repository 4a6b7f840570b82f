package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// lodTables plans the tables of level-of-detail fields. context_filter and a field's own
// predicate apply inside of its table; where_sql and time ranges do not.
type lodTables struct {
	in         *Env
	groups     []Group
	bound      Bindings
	variants   map[string]BindingChoice
	refs       resolve.Refs // of context
	population []predicate
}

// LODTables is the source of level-of-detail tables of a query without context_filter.
func LODTables(in *Env, bound Bindings) joins.LODSource {
	return (&lodTables{in: in, bound: bound}).source(nil)
}

// source plans tables inside of those of some fields, the outermost first.
func (l *lodTables) source(outer []*catalog.Field) joins.LODSource {
	return func(f *catalog.Field, variant string) (*joins.LODTable, error) {
		if slices.Contains(outer, f) {
			return nil, InternalError("level-of-detail field %s needs itself", f.Qualified())
		}
		return l.table(append(slices.Clip(outer), f), variant)
	}
}

// lodPlan is one level-of-detail table: the aggregates of a field once per grain key,
// over the rows that belong to a carrier row.
type lodPlan struct {
	*lodTables
	field   *catalog.Field
	stack   []*catalog.Field // the tables that are being planned, the field's last
	form    *catalog.Form
	home    *catalog.Dataset
	tree    *joins.Tree
	keys    []joinKey // the grain, as the aggregated rows carry it
	variant string
}

// joinKey is a field at a place in the join tree.
type joinKey struct {
	node  *joins.Node
	field *catalog.Field
}

// table plans the table of the last field of a stack.
func (l *lodTables) table(stack []*catalog.Field, variant string) (*joins.LODTable, error) {
	p, err := l.plan(stack, variant)
	if err != nil {
		return nil, err
	}
	names := NewNamer()
	keys, matched, err := p.keyColumns(names)
	if err != nil {
		return nil, err
	}
	measures, counts, err := p.measures(names)
	if err != nil {
		return nil, err
	}
	conds, err := p.conditions()
	if err != nil {
		return nil, err
	}
	input, err := p.tree.Plan()
	if err != nil {
		return nil, err
	}
	if len(matched) > 0 {
		input = &plan.Filter{Input: input, Conds: matched, Why: "rows that name a " + p.field.Dataset.Name}
	}
	if len(conds) > 0 {
		input = &plan.Filter{Input: input, Conds: conds, Why: "lod where, context_filter"}
	}
	agg := &plan.Aggregate{Input: input, Keys: keys, Measures: measures, Home: p.home.Name, Why: "lod " + p.field.Qualified()}
	return &joins.LODTable{Node: agg, Value: lodValue(p.form, len(keys), counts)}, nil
}

// plan finds the aggregates' home and its way to the carrier.
func (l *lodTables) plan(stack []*catalog.Field, variant string) (*lodPlan, error) {
	f := stack[len(stack)-1]
	form := f.LOD.Measures.For(l.in.Target.Dialect)
	home, err := singleHome(f, form)
	if err != nil {
		return nil, err
	}
	paths := l.in.Cat.LODCarrierPaths(f, home, maxPaths)
	switch len(paths) {
	case 0:
		return nil, &planerr.Error{
			Code:           planerr.CodeFanOutRisk,
			Message:        f.Qualified() + " aggregates " + home.Name + ", which does not lead to " + f.Dataset.Name + " many-to-one: a row would count for several " + f.Dataset.Name,
			SuggestedRetry: "leave out " + f.Qualified(),
		}
	case 1:
	default:
		return nil, l.ambiguousLODError(f, home, f.Dataset, paths)
	}
	tree := joins.New(l.in.Target.Dialect, l.in.Target.Caps.TextByCast, home, l.source(stack))
	return &lodPlan{
		lodTables: l, field: f, stack: stack, form: form, home: home, tree: tree, variant: variant,
		keys: grainKeys(tree, f.LOD.Grain, paths[0]),
	}, nil
}

// singleHome is the one dataset that the aggregates of a level-of-detail field read.
func singleHome(f *catalog.Field, form *catalog.Form) (*catalog.Dataset, error) {
	var home *catalog.Dataset
	for _, o := range form.Operands {
		m, ok := o.(*catalog.Measure)
		if !ok {
			return nil, InternalError("level-of-detail field %s holds a %T", f.Qualified(), o)
		}
		if home != nil && home != m.Home {
			return nil, notImplementedError(f.Qualified()+" aggregates both "+home.Name+" and "+m.Home.Name+", which one level of detail cannot align",
				"declare one level-of-detail field for "+home.Name+" and one for "+m.Home.Name+", and combine them in a third field of "+f.Dataset.Name)
		}
		home = m.Home
	}
	return home, nil
}

// grainKeys finds the grain's fields on the aggregated rows. Where the grain is the
// very key that the last relationship joins on, the rows carry it themselves and
// the carrier need not be joined: a row that names no carrier has a key that no
// carrier meets, or NULL, which is filtered out.
func grainKeys(tree *joins.Tree, grain []*catalog.Field, path []catalog.Step) []joinKey {
	fields, joined := joinedGrain(grain, path)
	if joined {
		path = path[:len(path)-1]
	} else {
		fields = grain
	}
	node := tree.Join(tree.Root(), path, false)
	if !joined {
		tree.RequireMatch(node)
	}
	keys := make([]joinKey, len(fields))
	for i, f := range fields {
		keys[i] = joinKey{node, f}
	}
	return keys
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

// keyColumns are the columns of the grain, and the conditions that its keys are there.
func (p *lodPlan) keyColumns(names *Namer) (keys []plan.NamedExpr, matched []sqlexpr.Expr, err error) {
	for i, g := range p.field.LOD.Grain {
		e, err := p.tree.FieldExpr(p.keys[i].node, p.keys[i].field, p.variant)
		if err != nil {
			return nil, nil, err
		}
		keys = append(keys, plan.NamedExpr{Name: names.UniqueName(g.Name), Expr: joins.GroupKey(e, g), Type: g.Type})
		if p.keys[i].field != g {
			matched = append(matched, &sqlexpr.IsNull{Not: true, X: e})
		}
	}
	return keys, matched, nil
}

// measures returns the aggregates of the table; counts is true for those that count rows.
func (p *lodPlan) measures(names *Namer) (out []plan.NamedExpr, counts []bool, err error) {
	for _, o := range p.form.Operands {
		m := o.(*catalog.Measure)
		e, err := p.aggregate(m)
		if err != nil {
			return nil, nil, err
		}
		counts = append(counts, m.Agg.IsZeroOverNoRows())
		out = append(out, plan.NamedExpr{Name: names.UniqueName(m.Stem), Expr: e, Type: m.Type})
	}
	return out, counts, nil
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
				return Coalesce(v, "0")
			}
			return v
		})
	}
}

// conditions are the field's predicate and what of context_filter can be
// reached from here.
func (p *lodPlan) conditions() ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	if w := p.field.LOD.Where; w != nil {
		bound, err := p.paramSlots().bind(w)
		if err != nil {
			return nil, err
		}
		e, err := p.bind(bound)
		if err != nil {
			return nil, err
		}
		out = append(out, sqlexpr.Conjuncts(e)...)
	}
	for _, c := range p.population {
		if !p.appliesInLODTable(c, p.stack) {
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

// paramSlots are the parameter slots of the field's predicate.
func (p *lodPlan) paramSlots() paramSlots {
	choice := p.variants[p.variant]
	if choice == nil {
		choice = p.bound.FirstChoice()
	}
	return paramSlots{"field", p.field.Qualified(), p.field.LOD.Params, p.bound, choice}
}

func (p *lodPlan) bindContext(c predicate) (sqlexpr.Expr, error) {
	return RewriteRefs(c.expr, func(id int) (sqlexpr.Expr, error) {
		ref := p.refs[id]
		w := p.findPath(p.field, ref)
		if w.tied != nil {
			return nil, p.ambiguousPathError(p.field, ref, w)
		}
		return p.tree.FieldExpr(p.tree.Join(p.tree.Root(), w.path, len(ref.Prefix) > 0), ref.Field, p.variant)
	})
}

// bind reads fields of any dataset that the home reaches.
func (p *lodPlan) bind(e sqlexpr.Expr) (sqlexpr.Expr, error) {
	return RewriteRefs(e, func(id int) (sqlexpr.Expr, error) {
		ref := resolve.Ref{Field: p.in.Cat.Fields[id]}
		w := p.findPath(p.field, ref)
		switch {
		case w.tied != nil:
			return nil, p.ambiguousPathError(p.field, ref, w)
		case !w.ok:
			return nil, noJoinPath(p.in.Query, p.groups, p.home, nil, []resolve.Ref{ref})
		}
		return p.tree.FieldExpr(p.tree.Join(p.tree.Root(), w.path, false), ref.Field, p.variant)
	})
}
