package selection

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// listsColumnsOfWideRelation reports whether a select with a star over the wide relation has no rows, by LIMIT 0 or a condition that is
// false: programs read the names and types of columns so.
func (c *selectClauses) listsColumnsOfWideRelation() (bool, error) {
	isStar := func(item *parse.SelectItem) bool {
		_, star := item.X.(*parse.Star)
		return star
	}
	isAggregated := func(item *parse.SelectItem) bool { return resolve.HasAggregate(item.X) || resolve.HasWindow(item.X) }
	grouped := len(c.syntax.GroupBy) > 0 || c.syntax.Having != nil || slices.ContainsFunc(c.syntax.Items, isAggregated)
	if c.WideSource() == nil || grouped || !slices.ContainsFunc(c.syntax.Items, isStar) {
		return false, nil
	}
	for _, cond := range slices.Concat(c.Conditions, c.where) {
		if truth, known := constantTruth(cond); known && !truth {
			return true, nil
		}
	}
	limit, err := c.readLimitRowCount(c.query.Limit, "LIMIT", sqlerror.SQLStateLimitNegative)
	return limit != nil && *limit == 0, err
}

// mapSelectWithoutRows maps a select that shows the types of its columns and no rows: those of NULLs over no row of some dataset.
func mapSelectWithoutRows(ctx context.Context, c *selectClauses, in PlanningContext) (*MappedSelect, error) {
	at := slices.IndexFunc(c.Cat.Datasets, func(d *catalog.Dataset) bool {
		return slices.ContainsFunc(d.Fields, func(f *catalog.Field) bool { return f.Err == nil && f.LOD == nil })
	})
	if at < 0 {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.syntax.Pos(), "the model has no field")
	}
	scope, empty, none := *c.Scope, *c, int64(0)
	scope.Root = c.Cat.Datasets[at]
	empty.Scope, empty.limit, empty.offset, empty.members, empty.order = &scope, &none, 0, nil, nil
	empty.where = []sqlexpr.Expr{&sqlexpr.Bool{}}
	empty.items = slices.Clone(c.items)
	for i, item := range c.items {
		empty.items[i].Expr = resolve.NullOfType(c.TypeOf(item.Expr))
	}
	in.ContextFilter = "" // which may be on fields of another dataset
	return mapRowSelect(ctx, &empty, in)
}
