package compile

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// freshnessKey is the key of a dataset that resolveFreshness reads.
const freshnessKey = "freshness"

// resolveFreshness reads the aggregate that names the state of a dataset's table.
func (c *compiler) resolveFreshness(d *datasetInProgress, ref extension.ObjectRef) {
	if !ref.IsSet() {
		return
	}
	fail := func(format string, args ...any) {
		e := invalidPayloadError(ref.Place, freshnessKey, format, args...)
		e.Hint = "write an aggregate over columns of the table, such as MAX(loaded_at); " + e.Hint
		c.addErrorOnce(e)
	}
	e, err := sqlexpr.Parse(ref.Name)
	switch {
	case err != nil:
		fail("the freshness %q of %s does not parse: %s", ref.Name, d.cat.Name, err)
	case !isAggregateOfColumns(e) || slices.ContainsFunc(sqlexpr.ColumnReferences(e), func(c *sqlexpr.Column) bool { return len(c.Path) != 1 }):
		fail("the freshness %q of %s is not an aggregate over columns of its table", ref.Name, d.cat.Name)
	case sqlexpr.IsVolatile(e):
		fail("the freshness %q of %s has a function of the present time or outside of the language", ref.Name, d.cat.Name)
	default:
		d.cat.Freshness = e
	}
}

// isAggregateOfColumns reports whether an expression is an aggregate over the columns of one table, with no column outside of it.
func isAggregateOfColumns(e sqlexpr.Expr) bool {
	outside := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if call, ok := x.(*sqlexpr.Call); ok && sqlexpr.InfoOfFunction(call.Fn).Class == sqlexpr.ClassAggregate {
			return &sqlexpr.Null{}
		}
		return nil
	})
	return sqlexpr.FirstAggregate(e) != nil && len(sqlexpr.ParamSlots(e)) == 0 && len(sqlexpr.ColumnReferences(outside)) == 0 &&
		sqlexpr.FirstSubquery(e) == nil && sqlexpr.FirstWindowCall(e) == nil
}
