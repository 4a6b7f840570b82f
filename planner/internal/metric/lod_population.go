package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// appliesInLODTable reports whether a conjunct of context_filter filters the rows
// of the level-of-detail table of the last field of a stack: it is reachable, and does
// not need a table that is being planned.
func (l *lodTables) appliesInLODTable(c predicate, stack []*catalog.Field) bool {
	for _, r := range c.refs {
		ref := l.refs[r]
		if !l.findPath(stack[len(stack)-1], ref).ok {
			return false
		}
		for _, f := range l.in.Cat.AppendLODFields(nil, ref.Field, l.in.Target.Dialect) {
			if slices.Contains(stack, f) {
				return false
			}
		}
	}
	return true
}

// findPath is the path of safe edges on which the rows that a level-of-detail
// field aggregates find a reference.
func (l *lodTables) findPath(f *catalog.Field, ref resolve.Ref) pathSearch {
	home := lodHome(f, l.in.Target.Dialect)
	return searchPath(home, ref, func(to *catalog.Dataset) [][]catalog.Step {
		return l.in.Cat.LODPaths(f.LOD, home, to, maxPaths)
	})
}

func (l *lodTables) ambiguousPathError(f *catalog.Field, ref resolve.Ref, w pathSearch) error {
	return l.ambiguousLODError(f, lodHome(f, l.in.Target.Dialect), ref.SourceDataset(), w.tied)
}

// ambiguousLODError is the error of a field that compiles for another dialect alone:
// several paths lead from the rows that it aggregates here.
func (l *lodTables) ambiguousLODError(f *catalog.Field, home, to *catalog.Dataset, paths [][]catalog.Step) error {
	e := &planerr.Error{
		Code: planerr.CodeAmbiguousJoinPath,
		Message: "several relationship paths lead from " + home.Name + " to " + to.Name + ", and the model does not choose one for " +
			f.Qualified() + " in " + l.in.Target.Dialect,
		SuggestedRetry: "leave out " + f.Qualified(),
	}
	for _, path := range paths {
		e.Candidates = append(e.Candidates, resolve.PathText(path))
	}
	return e
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

// RewriteRefs replaces every Ref of an expression.
func RewriteRefs(e sqlexpr.Expr, bind func(id int) (sqlexpr.Expr, error)) (sqlexpr.Expr, error) {
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

// populationPredicates is the part of context_filter that filters the rows of a branch itself.
// A conjunct out of the branch's reach still does its work where a
// level-of-detail table that the branch reads applies it.
func (a *resolvedQuery) populationPredicates(home *catalog.Dataset, uses []branchMember) []predicate {
	var out []predicate
	for i, c := range a.conds.population {
		if a.hasSafePaths(home, c) || !a.appliesInLOD(uses, i) {
			out = append(out, c)
		}
	}
	return out
}

// appliesInLOD reports whether a conjunct of context_filter applies inside a
// level-of-detail table that a branch reads for another reason than the
// conjunct itself.
func (a *resolvedQuery) appliesInLOD(uses []branchMember, conjunct int) bool {
	context := a.conds.population
	others := slices.Delete(slices.Clone(context), conjunct, conjunct+1)
	return slices.ContainsFunc(a.readLODFields(uses, others), func(f *catalog.Field) bool {
		return a.lod.appliesInLODTable(context[conjunct], []*catalog.Field{f})
	})
}

func (a *resolvedQuery) hasSafePaths(home *catalog.Dataset, c predicate) bool {
	return !slices.ContainsFunc(c.refs, func(r int) bool {
		w := searchSafePath(a.in.Cat, home, a.conds.refs[r])
		return w.tied == nil && !w.ok
	})
}

// readLODFields lists the level-of-detail fields whose tables a branch reads, given
// the conjuncts of context_filter that count.
func (a *resolvedQuery) readLODFields(uses []branchMember, context []predicate) []*catalog.Field {
	cat, dialect := a.in.Cat, a.in.Target.Dialect
	fields := groupedLODFields(a.in, a.groups)
	for _, conds := range [][]predicate{context, a.conds.input} {
		for _, c := range conds {
			for _, r := range c.refs {
				fields = cat.AppendLODFields(fields, a.conds.refs[r].Field, dialect)
			}
		}
	}
	for _, u := range uses {
		fields = cat.AppendLODFieldsIn(fields, u.Measure.Arg, dialect)
		fields = cat.AppendLODFieldsIn(fields, u.Where, dialect)
	}
	return slices.DeleteFunc(fields, func(f *catalog.Field) bool { return lodHome(f, dialect) == nil })
}

func groupedLODFields(in *Env, groups []Group) []*catalog.Field {
	var fields []*catalog.Field
	for _, g := range groups {
		if !g.OnAxis {
			fields = in.Cat.AppendLODFields(fields, g.Ref.Field, in.Target.Dialect)
		}
	}
	return fields
}

// RowParams lists the parameters of the level-of-detail fields that group-bys
// and conditions read: row-level values, for which one value must do.
func RowParams(in *Env, groups []Group, refs resolve.Refs) []*catalog.Param {
	fields := groupedLODFields(in, groups)
	for _, r := range refs {
		fields = in.Cat.AppendLODFields(fields, r.Field, in.Target.Dialect)
	}
	return catalog.ParamsOf(fields)
}

// unreachableRefs lists what the context_filter of a branch names and neither its home
// nor any of the level-of-detail tables that it reads can reach: only another root could
// narrow the population down by it.
func (a *resolvedQuery) unreachableRefs(br *branch) []resolve.Ref {
	if len(a.readLODFields(br.members, a.conds.population)) == 0 {
		return nil
	}
	var out []resolve.Ref
	for _, c := range br.population {
		if a.hasSafePaths(br.home, c) {
			continue
		}
		for _, r := range c.refs {
			out = append(out, a.conds.refs[r])
		}
	}
	return out
}

// ReadParams lists the parameters of the level-of-detail fields that the group-bys and
// the conditions of a query read. Its conditions name no result columns.
func ReadParams(in *Env, sel Selection, groups []Group) ([]*catalog.Param, error) {
	conds, err := resolveFilters(in, sel, groups, Expansion{})
	if err != nil {
		return nil, err
	}
	return RowParams(in, groups, conds.refs), nil
}
