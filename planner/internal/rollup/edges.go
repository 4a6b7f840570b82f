package rollup

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
)

// innerPaths are paths of relationships that end with an INNER one, each once. A row without a match along one is dropped.
type innerPaths [][]catalog.JoinStep

func (p *innerPaths) add(path []catalog.JoinStep) {
	for i, s := range path {
		prefix := path[:i+1]
		if s.Rel.JoinType == catalog.JoinInner && !p.has(prefix) {
			*p = append(*p, prefix)
		}
	}
}

func (p innerPaths) has(path []catalog.JoinStep) bool {
	return slices.ContainsFunc(p, func(o []catalog.JoinStep) bool { return slices.Equal(o, path) })
}

// addField adds the paths by which the value of a field is read.
func (p *innerPaths) addField(cat *catalog.Catalog, f Field, dialect string) {
	p.add(f.Path)
	for r := range sqlexpr.Refs(f.Field.Expr.ForDialect(dialect)) {
		p.addField(cat, NewField(f.Path, cat.FieldByID(r.ID)), dialect)
	}
}

// addExpr adds the paths by which an expression over the home is read.
func (p *innerPaths) addExpr(cat *catalog.Catalog, e sqlexpr.Expr, dialect string) {
	for r := range sqlexpr.Refs(e) {
		p.addField(cat, NewField(nil, cat.FieldByID(r.ID)), dialect)
	}
}

// checkInnerJoins tries the rule inner_join: the rollup lacks no row that the branch has, and the branch drops the rows that its joins drop.
func checkInnerJoins(c *candidate) *plan.RollupRejection {
	if !c.In.Cat.HasInnerRelationships() {
		return nil
	}
	table, complete := innerPathsOfTable(c)
	if !complete {
		return c.reject(plan.RollupRuleInnerJoin, c.rollup.Name, "the measures of the rollup drop different rows by their INNER relationships")
	}
	var branch innerPaths
	for _, f := range c.Reached {
		branch.addField(c.In.Cat, f, c.dialect)
	}
	for _, path := range c.Inner {
		branch.add(path)
	}
	for _, path := range table {
		if !branch.has(path) {
			text := resolve.PathText(path)
			return c.reject(plan.RollupRuleInnerJoin, text, "the rollup drops rows without a match along the INNER relationship "+text+", and the query does not use it")
		}
	}
	for _, path := range branch {
		if !table.has(path) && !c.joins(path) {
			text := resolve.PathText(path)
			return c.reject(plan.RollupRuleInnerJoin, text, "the query drops rows without a match along the INNER relationship "+text+", for which the rollup has no key")
		}
	}
	c.table().Matched = table
	return nil
}

// innerPathsOfTable returns the paths along which every row of the table has a match. It is not complete where the measures are of different
// rows, and none is of all.
func innerPathsOfTable(c *candidate) (paths innerPaths, complete bool) {
	cat, dialect := c.In.Cat, c.dialect
	for _, s := range c.table().Fields {
		paths.addField(cat, Field{s.Path, s.Field}, dialect)
	}
	for _, w := range c.rollup.Where {
		paths.addExpr(cat, w.Expr, dialect)
	}
	var first innerPaths
	for i, m := range c.rollup.Measures {
		own := slices.Clone(paths)
		for _, e := range m.Measure.ArgumentAndOrderKey() {
			own.addExpr(cat, e, dialect)
		}
		switch {
		case len(own) == len(paths):
			return paths, true
		case i == 0:
			first = own
		case len(own) != len(first) || slices.ContainsFunc(own, func(path []catalog.JoinStep) bool { return !first.has(path) }):
			return nil, false
		}
	}
	if len(c.rollup.Measures) > 0 {
		return first, true
	}
	return paths, true
}
