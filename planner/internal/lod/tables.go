package lod

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/population"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Planner plans the tables of level-of-detail fields. context_filter and a field's own
// predicate apply inside of its table; where_sql and time ranges do not.
type Planner struct {
	in         *scope.Env
	groups     []scope.Group
	bound      scope.Bindings
	variants   map[string]scope.Choice
	refs       resolve.Refs // of context
	population []where.Conjunct
}

// NewPlanner returns the planner of the tables of a query.
func NewPlanner(in *scope.Env, groups []scope.Group, bound scope.Bindings, cols measure.Expansion, conds where.Conditions) Planner {
	return Planner{in: in, groups: groups, bound: bound, variants: cols.Variants, refs: conds.Refs, population: conds.Population}
}

// NewTables returns the tables of a query without context_filter.
func NewTables(in *scope.Env, bound scope.Bindings) joins.Tables {
	return (&Planner{in: in, bound: bound}).NewTables(nil)
}

// NewTables plans tables inside of those of some fields, the outermost first.
func (l *Planner) NewTables(outer []*catalog.Field) joins.Tables {
	return joins.Tables{Planner: l, Outer: outer, Clock: l.in.Times.Clock}
}

// StepConditions returns the conditions of context_filter on the rows of a step; see joins.TablePlanner.
func (l *Planner) StepConditions(t *joins.Tree) ([]sqlexpr.Expr, error) {
	return l.Conditions().OfStep(t)
}

// Conditions returns context_filter as it chooses the rows of the steps of sequences.
func (l *Planner) Conditions() population.Conditions {
	return population.Conditions{Catalog: l.in.Cat, Refs: l.refs, Conjuncts: l.population}
}

// tablePlan is one level-of-detail table: the aggregates of a field once per grain key,
// over the rows that belong to a carrier row.
type tablePlan struct {
	tables  *Planner
	field   *catalog.Field
	stack   []*catalog.Field // the tables that are being planned, the field's last
	form    *catalog.ArithmeticOverOperands
	home    *catalog.Dataset
	tree    *joins.Tree
	keys    []grainField // the grain, as the aggregated rows carry it
	variant string
}

// grainField is a field at a place in the join tree.
type grainField struct {
	node  *joins.Node
	field *catalog.Field
}

// PlanLODTable plans the table of the last field of a stack.
func (l *Planner) PlanLODTable(stack []*catalog.Field, variant string) (*joins.LODTable, error) {
	if f := stack[len(stack)-1]; slices.Contains(stack[:len(stack)-1], f) {
		return nil, scope.InternalError("level-of-detail field %s needs itself", f.QualifiedName())
	}
	p, err := l.newTablePlan(stack, variant)
	if err != nil {
		return nil, err
	}
	names := naming.NewNamer()
	keys, matched, err := p.grainKeyColumns(names)
	if err != nil {
		return nil, err
	}
	measures, counts, err := p.measureColumns(names)
	if err != nil {
		return nil, err
	}
	conds, err := p.filterConditions()
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
	agg := &plan.Aggregate{Input: input, Keys: keys, Measures: measures, Home: p.home.Name, Why: "lod " + p.field.QualifiedName()}
	return &joins.LODTable{Node: agg, ForeignKeys: len(matched) == len(keys), Value: newValueFunc(p.form, len(keys), counts)}, nil
}

// newTablePlan finds the aggregates' home and its way to the carrier.
func (l *Planner) newTablePlan(stack []*catalog.Field, variant string) (*tablePlan, error) {
	f := stack[len(stack)-1]
	form := f.LOD.Measures.ForDialect(l.in.Target.Dialect)
	home, err := singleHome(f, form)
	if err != nil {
		return nil, err
	}
	if err := l.checkAggregatesShareInnerJoins(f, form); err != nil {
		return nil, err
	}
	paths := l.in.Cat.PathsToLODCarrier(f, home, joinpath.MaxPaths)
	switch len(paths) {
	case 0:
		return nil, &planerr.Error{
			Code:           planerr.CodeFanOutRisk,
			Message:        f.QualifiedName() + " aggregates " + home.Name + ", which does not lead to " + f.Dataset.Name + " many-to-one: a row would count for several " + f.Dataset.Name,
			SuggestedRetry: "leave out " + f.QualifiedName(),
		}
	case 1:
	default:
		return nil, l.severalPathsError(f, home, f.Dataset, paths)
	}
	tree := joins.New(l.in.Cat, l.in.Target.Dialect, l.in.Target.Caps, home, l.NewTables(stack))
	return &tablePlan{
		tables: l, field: f, stack: stack, form: form, home: home, tree: tree, variant: variant,
		keys: findGrainFields(tree, f.LOD.Grain, paths[0]),
	}, nil
}

// singleHome returns the one dataset that the aggregates of a level-of-detail field read.
func singleHome(f *catalog.Field, form *catalog.ArithmeticOverOperands) (*catalog.Dataset, error) {
	var home *catalog.Dataset
	for _, o := range form.Operands {
		m, ok := o.(*catalog.Measure)
		if !ok {
			return nil, scope.InternalError("level-of-detail field %s holds a %T", f.QualifiedName(), o)
		}
		if home != nil && home != m.Home {
			return nil, scope.NotImplementedError(f.QualifiedName()+" aggregates both "+home.Name+" and "+m.Home.Name+", which one level of detail cannot align",
				"declare one level-of-detail field for "+home.Name+" and one for "+m.Home.Name+", and combine them in a third field of "+f.Dataset.Name)
		}
		home = m.Home
	}
	return home, nil
}

// checkAggregatesShareInnerJoins rejects aggregates that drop different rows of their dataset by inner joins: one
// table would drop the rows of each from all.
func (l *Planner) checkAggregatesShareInnerJoins(f *catalog.Field, form *catalog.ArithmeticOverOperands) error {
	var first [][]catalog.JoinStep
	for i, o := range form.Operands {
		m, ok := o.(*catalog.Measure)
		if !ok {
			continue // see singleHomeOfLODField
		}
		inner := l.in.Cat.AppendInnerJoinPathsOfMeasure(nil, m, l.in.Target.Dialect)
		if i == 0 {
			first = inner
		}
		if !joinpath.SameSets(first, inner) {
			return scope.NotImplementedError(f.QualifiedName()+" has aggregates that drop different rows of "+m.Home.Name+" by inner relationships, which one level of detail cannot align",
				"declare one level-of-detail field for each aggregate, and combine them in another field of "+f.Dataset.Name)
		}
	}
	return nil
}

// findGrainFields finds the grain's fields on the aggregated rows. Where the grain is the
// very key that the last relationship joins on, the rows carry it themselves and
// the carrier need not be joined: a row that names no carrier has a key that no
// carrier meets, or NULL, which is filtered out.
func findGrainFields(tree *joins.Tree, grain []*catalog.Field, path []catalog.JoinStep) []grainField {
	fields, joined := fieldsJoinedToGrain(grain, path)
	if joined {
		path = path[:len(path)-1]
	} else {
		fields = grain
	}
	node := tree.JoinPath(tree.Root(), path, false)
	if !joined {
		tree.RequireMatch(node)
	}
	keys := make([]grainField, len(fields))
	for i, f := range fields {
		keys[i] = grainField{node, f}
	}
	return keys
}

// fieldsJoinedToGrain pairs the grain with the fields that the last step of a path joins
// it to; ok is false when the grain is not exactly the key of that step. The day of
// a Date is not: the step compares what the columns store. The grain is not the key either if rows are valid for
// a time: a row that none is valid for has the key as well.
func fieldsJoinedToGrain(grain []*catalog.Field, path []catalog.JoinStep) (from []*catalog.Field, ok bool) {
	if len(path) == 0 {
		return nil, false
	}
	last := path[len(path)-1]
	source, target := last.Rel.FromFields, last.Rel.ToFields
	if last.Reverse {
		source, target = target, source
	}
	if len(grain) != len(target) || last.Rel.Err != nil || last.Rel.Valid != nil {
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

// grainKeyColumns returns the columns of the grain, and the conditions that its keys are there.
func (p *tablePlan) grainKeyColumns(names *naming.Namer) (keys []plan.NamedExpr, matched []sqlexpr.Expr, err error) {
	for i, g := range p.field.LOD.Grain {
		e, err := p.tree.FieldExpr(p.keys[i].node, p.keys[i].field, p.variant)
		if err != nil {
			return nil, nil, err
		}
		keys = append(keys, plan.NamedExpr{Name: names.UniqueName(g.Name), Expr: joins.TruncateDateFieldToDay(e, g), Type: g.Type})
		if p.keys[i].field != g {
			matched = append(matched, &sqlexpr.IsNull{Not: true, X: sqlexpr.StoredTime(e)})
		}
	}
	return keys, matched, nil
}

// measureColumns returns the aggregates of the table; counts is true for those that count rows.
func (p *tablePlan) measureColumns(names *naming.Namer) (out []plan.NamedExpr, counts []bool, err error) {
	for _, o := range p.form.Operands {
		m := o.(*catalog.Measure)
		e, err := p.newAggregateCall(m)
		if err != nil {
			return nil, nil, err
		}
		counts = append(counts, m.Agg.IsZeroOverNoRows())
		out = append(out, plan.NamedExpr{Name: names.UniqueName(m.Stem), Expr: e, Type: m.Type})
	}
	return out, counts, nil
}

func (p *tablePlan) newAggregateCall(m *catalog.Measure) (sqlexpr.Expr, error) {
	if err := aggregates.CheckTarget(p.tables.in, m, nil); err != nil {
		return nil, err
	}
	if m.Arg == nil {
		return m.AggregateCall(nil, nil), nil
	}
	arg, err := p.bindFields(m.Arg)
	if err != nil {
		return nil, err
	}
	if m.OrderBy == nil {
		return aggregates.Call(p.tables.in, m, arg, nil), nil
	}
	orderBy, err := p.bindFields(m.OrderBy)
	if err != nil {
		return nil, err
	}
	return aggregates.Call(p.tables.in, m, arg, orderBy), nil
}

// newValueFunc computes the field from the joined columns: a count over no rows is
// 0, every other aggregate NULL.
func newValueFunc(form *catalog.ArithmeticOverOperands, keys int, counts []bool) func(func(int) sqlexpr.Expr) sqlexpr.Expr {
	return func(column func(int) sqlexpr.Expr) sqlexpr.Expr {
		return sqlexpr.RewriteRefs(form.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
			v := column(keys + r.ID)
			if counts[r.ID] {
				return build.CoalesceToNumber(v, "0")
			}
			return v
		})
	}
}

// filterConditions returns the field's predicate and what of context_filter can be
// reached from here.
func (p *tablePlan) filterConditions() ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	if w := p.field.LOD.Where; w != nil {
		bound, err := p.paramSlots().BindSlots(w)
		if err != nil {
			return nil, err
		}
		e, err := p.bindFields(bound)
		if err != nil {
			return nil, err
		}
		out = append(out, sqlexpr.SplitConjuncts(e)...)
	}
	for _, c := range p.tables.population {
		if !p.tables.Applies(c, p.stack) {
			continue
		}
		e, err := p.bindContextPredicate(c)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// paramSlots returns the parameter slots of the field's predicate.
func (p *tablePlan) paramSlots() scope.Slots {
	choice := p.tables.variants[p.variant]
	if choice == nil {
		choice = p.tables.bound.ChoiceOfFirstBoundValues()
	}
	return scope.Slots{Kind: "field", Owner: p.field.QualifiedName(), Params: p.field.LOD.Params, Bound: p.tables.bound, Choice: choice}
}

func (p *tablePlan) bindContextPredicate(c where.Conjunct) (sqlexpr.Expr, error) {
	return build.RewriteRefs(c.Expr, func(id int) (sqlexpr.Expr, error) {
		ref := p.tables.refs[id]
		w := p.tables.findPathFromHome(p.field, ref, p.tables.in.Cat.LODConditionPaths)
		if w.Tied != nil {
			return nil, p.tables.ambiguousPathError(p.field, ref, w)
		}
		return p.tree.FieldExpr(p.tree.JoinPath(p.tree.Root(), w.Path, len(ref.Prefix) > 0), ref.Field, p.variant)
	})
}

// bindFields reads fields of any dataset that the home reaches.
func (p *tablePlan) bindFields(e sqlexpr.Expr) (sqlexpr.Expr, error) {
	return build.RewriteRefs(e, func(id int) (sqlexpr.Expr, error) {
		ref := resolve.Ref{Field: p.tables.in.Cat.FieldByID(id)}
		if ref.Field.Joined != nil {
			return p.tree.FieldExpr(p.tree.Root(), ref.Field, p.variant)
		}
		w := p.tables.findPathFromHome(p.field, ref, p.tables.in.Cat.LODJoinPaths)
		switch {
		case w.Tied != nil:
			return nil, p.tables.ambiguousPathError(p.field, ref, w)
		case !w.Ok:
			e := joinpath.NoPathError(p.home, nil, []resolve.Ref{ref})
			e.Fragment = retry.RemoveGroupsReading(p.tables.in.Query, p.tables.groups, []resolve.Ref{ref})
			return nil, e
		}
		return p.tree.FieldExpr(p.tree.JoinPath(p.tree.Root(), w.Path, false), ref.Field, p.variant)
	})
}
