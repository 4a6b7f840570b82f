package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
)

// appliesInLODTable reports whether a conjunct of context_filter filters the rows
// of the level-of-detail table of the last field of a stack: it is reachable, and does
// not need a table that is being planned.
func (l *LODTablePlanner) appliesInLODTable(c where.Conjunct, stack []*catalog.Field) bool {
	for _, r := range c.Refs {
		ref := l.refs[r]
		if !l.findPathFromLODHome(stack[len(stack)-1], ref, l.in.Cat.LODConditionPaths).Ok {
			return false
		}
		for _, f := range l.in.Cat.AppendLODFieldsOfField(nil, ref.Field, l.in.Target.Dialect) {
			if slices.Contains(stack, f) {
				return false
			}
		}
	}
	return true
}

// findPathFromLODHome returns the path of safe edges on which the rows that a level-of-detail
// field aggregates find a reference.
func (l *LODTablePlanner) findPathFromLODHome(f *catalog.Field, ref resolve.Ref, paths func(l *catalog.LOD, home, to *catalog.Dataset, limit int) [][]catalog.JoinStep) joinpath.Search {
	home := homeOfLODAggregates(f, l.in.Target.Dialect)
	return joinpath.Find(home, ref, func(to *catalog.Dataset) [][]catalog.JoinStep {
		return paths(f.LOD, home, to, joinpath.MaxPaths)
	})
}

func (l *LODTablePlanner) ambiguousPathError(f *catalog.Field, ref resolve.Ref, w joinpath.Search) error {
	return l.ambiguousLODPathError(f, homeOfLODAggregates(f, l.in.Target.Dialect), ref.SourceDataset(), w.Tied)
}

// ambiguousLODPathError returns the error of a field that compiles for another dialect alone:
// several paths lead from the rows that it aggregates here.
func (l *LODTablePlanner) ambiguousLODPathError(f *catalog.Field, home, to *catalog.Dataset, paths [][]catalog.JoinStep) error {
	e := &planerr.Error{
		Code: planerr.CodeAmbiguousJoinPath,
		Message: "several relationship paths lead from " + home.Name + " to " + to.Name + ", and the model does not choose one for " +
			f.QualifiedName() + " in " + l.in.Target.Dialect,
		SuggestedRetry: "leave out " + f.QualifiedName(),
	}
	for _, path := range paths {
		e.Candidates = append(e.Candidates, resolve.PathText(path))
	}
	return e
}

// homeOfLODAggregates returns the home of a level-of-detail field's aggregates.
func homeOfLODAggregates(f *catalog.Field, dialect string) *catalog.Dataset {
	if form := f.LOD.Measures.ForDialect(dialect); form != nil && len(form.Operands) > 0 {
		if m, ok := form.Operands[0].(*catalog.Measure); ok {
			return m.Home
		}
	}
	return nil
}

// populationPredicates returns the part of context_filter that filters the rows of a branch itself.
// A conjunct out of the branch's reach still does its work where a
// level-of-detail table that the branch reads applies it.
func (a *Query) populationPredicates(home *catalog.Dataset, uses []Member) []where.Conjunct {
	var out []where.Conjunct
	for i, c := range a.Conds.Population {
		if a.Lod.conditions().ChoosesSteps(home, c) {
			continue
		}
		if c.IsReachedFrom(a.In.Cat, a.Conds.Refs, home) || !c.WhereReached && !a.appliesInReadLODTable(uses, i) {
			out = append(out, c)
		}
	}
	return out
}

// appliesInReadLODTable reports whether a conjunct of context_filter applies inside a
// level-of-detail table that a branch reads for another reason than the
// conjunct itself.
func (a *Query) appliesInReadLODTable(uses []Member, conjunct int) bool {
	context := a.Conds.Population
	others := slices.Delete(slices.Clone(context), conjunct, conjunct+1)
	return slices.ContainsFunc(a.lodFieldsRead(uses, others), func(f *catalog.Field) bool {
		return a.Lod.appliesInLODTable(context[conjunct], []*catalog.Field{f})
	})
}

// lodFieldsRead lists the level-of-detail fields whose tables a branch reads, given
// the conjuncts of context_filter that count.
func (a *Query) lodFieldsRead(uses []Member, context []where.Conjunct) []*catalog.Field {
	cat, dialect := a.In.Cat, a.In.Target.Dialect
	fields := where.GroupedLODFields(a.In, a.Groups)
	for _, conds := range [][]where.Conjunct{context, a.Conds.Input} {
		for _, c := range conds {
			for _, r := range c.Refs {
				fields = cat.AppendLODFieldsOfField(fields, a.Conds.Refs[r].Field, dialect)
			}
		}
	}
	for _, u := range uses {
		fields = cat.AppendLODFieldsOfMeasure(fields, u.Ref.Measure, dialect)
		fields = cat.AppendLODFieldsOfExpr(fields, u.Ref.Where, dialect)
	}
	return slices.DeleteFunc(fields, func(f *catalog.Field) bool { return homeOfLODAggregates(f, dialect) == nil })
}

// unreachableContextRefs lists what the context_filter of a branch names and neither its home
// nor any of the level-of-detail tables that it reads can reach: only another root could
// narrow the population down by it.
func (a *Query) unreachableContextRefs(br *Branch) []resolve.Ref {
	if len(a.lodFieldsRead(br.Members, a.Conds.Population)) == 0 {
		return nil
	}
	var out []resolve.Ref
	for _, c := range br.population {
		if c.IsReachedFrom(a.In.Cat, a.Conds.Refs, br.Home) {
			continue
		}
		for _, r := range c.Refs {
			out = append(out, a.Conds.Refs[r])
		}
	}
	return out
}
