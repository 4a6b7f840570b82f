package datacheck

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// checkWholePeriods compares the periods of calendars that are declared to have whole buckets of a grain with the days.
func (c *dataChecker) checkWholePeriods(ctx context.Context, u unreadableObjects) error {
	if !c.options.reportsAnyCode(CodePeriodNotWhole) {
		return nil
	}
	for _, p := range c.Catalog.Periods() {
		if p.Whole == sqlexpr.GrainNone || !u.canReadFields([]*catalog.Field{p.Calendar.Date, p.Field}) {
			continue
		}
		if err := c.checkWholePeriod(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// checkWholePeriod reports the first bucket whose days are in several periods.
func (c *dataChecker) checkWholePeriod(ctx context.Context, p *catalog.Period) error {
	place, grain := c.places.datasetPlace(p.Calendar.Dataset), p.Whole.String()
	root, err := c.splitBucketsPlan(ctx, p)
	if err != nil {
		return err
	}
	found, err := c.warehouse.runPlan(ctx, root)
	if why := asStatementError(err); why != nil {
		c.reportIncompleteCheck(place, []string{"each " + p.Name + " has whole " + grain + "s"}, why)
		return nil
	}
	if err != nil || len(found.rows) == 0 {
		return err
	}
	c.addFinding(CodePeriodNotWhole, place, "the period "+p.Name+" is declared with whole "+grain+"s, and the days of the "+grain+" "+formatValues(found.rows[0])+
		" are in several periods of "+p.Field.QualifiedName())
	return nil
}

// splitBucketsPlan returns the first bucket of which some days are in one period and others in another one, or in none.
func (c *dataChecker) splitBucketsPlan(ctx context.Context, p *catalog.Period) (plan.Node, error) {
	days, err := c.detailRowsPlan(ctx, &query.DetailQuery{From: p.Calendar.Dataset.Name, Fields: []string{p.Calendar.Date.QualifiedName() + ":" + p.Whole.String(), p.Field.QualifiedName()}})
	if err != nil {
		return nil, err
	}
	call := func(fn sqlexpr.Func) sqlexpr.Expr { return &sqlexpr.Call{Fn: fn, Args: []sqlexpr.Expr{columnRef(1)}} }
	buckets := &plan.Aggregate{
		Input: &plan.Filter{Input: days, Conds: []sqlexpr.Expr{isNotNullExpr(columnRef(0))}, Why: "where_sql"}, Home: p.Calendar.Dataset.Name,
		Keys: []plan.NamedExpr{{Name: "bucket", Expr: columnRef(0), Type: days.Schema()[0].Type}},
		Measures: []plan.NamedExpr{
			{Name: "first_value", Expr: call(sqlexpr.FnMin), Type: p.Field.Type}, {Name: "last_value", Expr: call(sqlexpr.FnMax), Type: p.Field.Type},
			{Name: "days", Expr: countExpr(nil, false), Type: sqlexpr.TypeInt}, {Name: "days_in_periods", Expr: countExpr(columnRef(1), false), Type: sqlexpr.TypeInt},
		},
	}
	isSplit := orConditions(lessExpr(columnRef(1), columnRef(2)), andConditions(lessExpr(newNumberLiteral(0), columnRef(4)), lessExpr(columnRef(4), columnRef(3))))
	split := &plan.Filter{Input: buckets, Conds: []sqlexpr.Expr{isSplit}, Why: "where_sql"}
	bucket := &plan.Project{Input: split, Cols: split.Schema().ColumnRefs()[:1]}
	return &plan.Limit{Input: &plan.Sort{Input: bucket, Keys: []plan.SortKey{{Col: 0, NotNull: true}}}, N: 1}, nil
}
