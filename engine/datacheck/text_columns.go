package datacheck

import (
	"context"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// reportColumnsThatAreNotText reports the String fields over columns, such as UUIDs and enums, for which the warehouse lacks the
// functions of text. It reads no row.
func (c *dataChecker) reportColumnsThatAreNotText(ctx context.Context, u unreadableObjects) error {
	if !c.options.reportsAnyCode(CodeDatatypeMismatch) {
		return nil
	}
	for _, d := range c.Catalog.Datasets {
		var texts []*catalog.Field
		for _, f := range d.Fields {
			if f.Datatype == modelspec.DatatypeString && isPlainColumn(f, c.Dialect.Name()) && u.canReadFields([]*catalog.Field{f}) && !c.mistyped[f] {
				texts = append(texts, f)
			}
		}
		if err := c.findColumnsThatAreNotText(ctx, d, texts); err != nil {
			return err
		}
	}
	return nil
}

// findColumnsThatAreNotText finds them by halves.
func (c *dataChecker) findColumnsThatAreNotText(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) error {
	if len(fields) == 0 {
		return nil
	}
	if n := len(fields); n > maxFieldsPerStatement {
		if err := c.findColumnsThatAreNotText(ctx, d, fields[maxFieldsPerStatement:]); err != nil {
			return err
		}
		fields = fields[:maxFieldsPerStatement]
	}
	rejected, err := c.rejectsTextFunctions(ctx, d, fields)
	if err != nil || !rejected {
		return err
	}
	if half := len(fields) / 2; half > 0 {
		if err := c.findColumnsThatAreNotText(ctx, d, fields[:half]); err != nil {
			return err
		}
		return c.findColumnsThatAreNotText(ctx, d, fields[half:])
	}
	f := fields[0]
	c.addFinding(CodeDatatypeMismatch, c.places.datatypePlace(f), f.QualifiedName()+" is declared String, and the warehouse does not accept its column in functions of text: write "+
		quoteText(sqlexpr.Format(&sqlexpr.Cast{X: f.Expr.ForDialect(c.Dialect.Name()), To: sqlexpr.TypeName{Type: sqlexpr.TypeString, Name: "VARCHAR"}}))+" as the expression")
	return nil
}

// rejectsTextFunctions reports whether the warehouse rejects a function of text of one of the fields.
func (c *dataChecker) rejectsTextFunctions(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (bool, error) {
	rows, err := c.rowsPlan(ctx, d, fields)
	if err != nil {
		return false, ignoreStatementError(err)
	}
	const alias = "texts"
	project := &plan.Project{Input: &plan.Derived{Input: rows, Alias: alias}}
	for _, column := range rows.Schema() {
		upper := &sqlexpr.Call{Fn: sqlexpr.FnUpper, Args: []sqlexpr.Expr{quotedColumn(alias, column.Name)}}
		project.Cols = append(project.Cols, plan.NamedExpr{Name: column.Name, Expr: upper, Type: sqlexpr.TypeString})
	}
	_, err = c.warehouse.runPlan(ctx, &plan.Limit{Input: project})
	why := asStatementError(err)
	return why != nil && why.reason == failureRejected, ignoreStatementError(err)
}
