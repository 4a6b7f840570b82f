package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// semanticViewOf returns the SEMANTIC_VIEW that a select is over.
func semanticViewOf(s *parse.Select) (*parse.SemanticView, bool) {
	if len(s.From) != 1 {
		return nil, false
	}
	v, ok := s.From[0].(*parse.SemanticView)
	return v, ok
}

// readSemanticView resolves a select over a SEMANTIC_VIEW: its groups are those of the view, and WHERE and HAVING both filter
// the rows of its result.
func readSemanticView(s *resolve.Statement, v *parse.SemanticView, q *parse.Query, syntax *parse.Select, scalars *scalarSubqueries) (*selectClauses, error) {
	scope, view, err := s.NewSemanticViewScope(v)
	if err != nil {
		return nil, err
	}
	c := &selectClauses{Scope: scope, query: q, syntax: syntax, view: view, where: view.Where, scalars: scalars}
	scalars.registerAsSubqueryMapper(scope)
	if c.items, err = scope.ResolveSelectItems(syntax.Items); err != nil {
		return nil, err
	}
	conds, members := resolve.ExtractInSubqueryConditions(resolve.SplitConjuncts(syntax.Where))
	filters, err := scope.LowerConditions(conds)
	if err != nil {
		return nil, err
	}
	if err := c.readGroupsAndOrder(); err != nil {
		return nil, err
	}
	if len(view.Facts) == 0 {
		c.groups = view.Dimensions
		c.having, c.havingIn = append(filters, c.having...), slices.Concat(members, c.havingIn)
		return c, nil
	}
	c.where = append(append(append([]sqlexpr.Expr(nil), c.where...), filters...), c.having...)
	c.members, c.having, c.havingIn = slices.Concat(members, c.havingIn), nil, nil
	c.Root, err = c.rootDatasetOfFacts(v)
	return c, err
}

// rootDatasetOfFacts returns the dataset whose rows a view of facts lists: the one of the facts that reaches the others.
func (c *selectClauses) rootDatasetOfFacts(v *parse.SemanticView) (*catalog.Dataset, error) {
	var all []*catalog.Dataset
	for _, e := range c.view.Facts {
		for r := range c.Refs.ReferencesOf(e) {
			if r.Field != nil {
				all = append(all, startDatasetOfReferencePath(r))
			}
		}
	}
	for _, d := range all {
		reaches := true
		for _, other := range all {
			reaches = reaches && c.Cat.ReachesSafely(d, other)
		}
		if reaches {
			return d, nil
		}
	}
	return nil, sqlerror.New(planerr.CodeNoJoinPath, v.Pos(), "no dataset of FACTS reaches the others along many-to-one relationships")
}

// startDatasetOfReferencePath returns the dataset that a path to a field leaves.
func startDatasetOfReferencePath(r *resolve.Reference) *catalog.Dataset {
	if len(r.Path) > 0 {
		return r.Path[0].SourceDataset()
	}
	return r.Field.Dataset
}
