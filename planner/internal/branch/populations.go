package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/lod"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// populationPredicates returns the part of context_filter that filters the rows of a branch itself.
// A conjunct out of the branch's reach still does its work where a
// level-of-detail table that the branch reads applies it.
func (a *Query) populationPredicates(home *catalog.Dataset, uses []Member) []where.Conjunct {
	var out []where.Conjunct
	for i, c := range a.Conds.Population {
		if a.Lod.Conditions().ChoosesSteps(home, c) {
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
		return a.Lod.Applies(context[conjunct], []*catalog.Field{f})
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
	return slices.DeleteFunc(fields, func(f *catalog.Field) bool { return lod.HomeOfAggregates(f, dialect) == nil })
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
