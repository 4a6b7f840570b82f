package lod

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Applies reports whether a conjunct of context_filter filters the rows
// of the level-of-detail table of the last field of a stack: it is reachable, and does
// not need a table that is being planned.
func (l *Planner) Applies(c where.Conjunct, stack []*catalog.Field) bool {
	for _, r := range c.Refs {
		ref := l.refs[r]
		if !l.findPathFromHome(stack[len(stack)-1], ref, l.in.Cat.LODConditionPaths).Ok {
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

// findPathFromHome returns the path of safe edges on which the rows that a level-of-detail
// field aggregates find a reference.
func (l *Planner) findPathFromHome(f *catalog.Field, ref resolve.Ref, paths func(l *catalog.LOD, home, to *catalog.Dataset, limit int) [][]catalog.JoinStep) joinpath.Search {
	home := HomeOfAggregates(f, l.in.Target.Dialect)
	return joinpath.Find(home, ref, func(to *catalog.Dataset) [][]catalog.JoinStep {
		return paths(f.LOD, home, to, joinpath.MaxPaths)
	})
}

func (l *Planner) ambiguousPathError(f *catalog.Field, ref resolve.Ref, w joinpath.Search) error {
	return l.severalPathsError(f, HomeOfAggregates(f, l.in.Target.Dialect), ref.SourceDataset(), w.Tied)
}

// severalPathsError returns the error of a field that compiles for another dialect alone:
// several paths lead from the rows that it aggregates here.
func (l *Planner) severalPathsError(f *catalog.Field, home, to *catalog.Dataset, paths [][]catalog.JoinStep) error {
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

// HomeOfAggregates returns the home of a level-of-detail field's aggregates.
func HomeOfAggregates(f *catalog.Field, dialect string) *catalog.Dataset {
	if form := f.LOD.Measures.ForDialect(dialect); form != nil && len(form.Operands) > 0 {
		if m, ok := form.Operands[0].(*catalog.Measure); ok {
			return m.Home
		}
	}
	return nil
}
