package population

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// Conditions are the conjuncts of a context_filter.
type Conditions struct {
	Catalog   *catalog.Catalog
	Refs      resolve.Refs // of the conjuncts
	Conjuncts []where.Conjunct
}

// ChoosesSteps reports whether a conjunct chooses rows of the steps of a sequence, and none of the rows that they make.
func (c Conditions) ChoosesSteps(d *catalog.Dataset, conjunct where.Conjunct) bool {
	return d.Sequence != nil && slices.ContainsFunc(d.Sequence.Steps, func(s catalog.SequenceStep) bool { return c.reaches(s.Dataset, conjunct) })
}

// reaches reports whether the rows of a step find the fields of a conjunct. A condition that reads a sequence does not choose the rows that make it.
func (c Conditions) reaches(step *catalog.Dataset, conjunct where.Conjunct) bool {
	return !slices.ContainsFunc(conjunct.Refs, func(r int) bool {
		ref := c.Refs[r]
		if c.Catalog.ReadsSequence(ref.Field) || ref.SourceDataset().Sequence != nil {
			return true
		}
		found := joinpath.FindSafe(c.Catalog, step, ref)
		return !found.Ok && found.Tied == nil
	})
}

// OfStep returns the conditions on the rows of a tree, whose root is the dataset of a step.
func (c Conditions) OfStep(t *joins.Tree) ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	root := t.Root()
	for _, conjunct := range c.Conjuncts {
		if !c.reaches(root.Dataset, conjunct) {
			continue
		}
		e, err := build.RewriteRefs(conjunct.Expr, func(id int) (sqlexpr.Expr, error) {
			r, _, err := joinpath.FindSafeRoute(c.Catalog, root.Dataset, c.Refs[id])
			if err != nil {
				return nil, err
			}
			return t.FieldExpr(t.JoinPath(root, r.Path, r.Named), r.Ref.Field, "")
		})
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}
