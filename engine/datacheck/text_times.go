package datacheck

import (
	"context"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// textTimeFormCount counts the forms of the times in a column of an engine that stores times as texts. Its comparisons read every
// form, but sorts, MIN, MAX and groups without a grain see texts, which agree with the times where all have one form.
type textTimeFormCount struct {
	field                     *catalog.Field
	values, unreadable, forms int64
}

// maxListedTimeForms is how many forms a finding lists.
const maxListedTimeForms = 4

// textTimeFormCounts lists what is counted of the dates and timestamps of a dataset.
func (c *dataChecker) textTimeFormCounts(d *catalog.Dataset, u unreadableObjects) []*textTimeFormCount {
	var out []*textTimeFormCount
	if !c.hasDynamicallyTypedColumns() || !c.options.reportsAnyCode(CodeTimeFormatMismatch) {
		return out
	}
	for _, f := range d.Fields {
		if f.Type.IsDateOrTimestamp() && f.Encoding == nil && f.LOD == nil && u.canReadFields([]*catalog.Field{f}) && !c.mistyped[f] {
			out = append(out, &textTimeFormCount{field: f})
		}
	}
	return out
}

// unreadableTimeCondition is the condition of a value that the engine does not read as a time.
func unreadableTimeCondition(x sqlexpr.Expr) sqlexpr.Expr {
	return andConditions(isNotNullExpr(x), newIsNullExpr(&sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeTimestamp}}))
}

// timeFormExpr returns what decides the order of times as texts: the sign before the time of day, and the offset after it. A date
// alone has neither, and sorts as its midnight.
func timeFormExpr(x sqlexpr.Expr) sqlexpr.Expr {
	call := func(fn sqlexpr.Func, args ...sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Call{Fn: fn, Args: args} }
	endsLike := func(pattern string) sqlexpr.Expr {
		return &sqlexpr.Like{X: x, Pattern: &sqlexpr.String{Value: pattern}}
	}
	offset := &sqlexpr.Case{Whens: []sqlexpr.When{
		{Cond: orConditions(endsLike("%+__:__"), endsLike("%-__:__")), Then: call(sqlexpr.FnRight, x, newNumberLiteral(6))},
		{Cond: endsLike("%Z"), Then: &sqlexpr.String{Value: "Z"}},
	}, Else: &sqlexpr.String{}}
	return &sqlexpr.Case{Whens: []sqlexpr.When{{
		Cond: &sqlexpr.Binary{Op: sqlexpr.OpGt, L: call(sqlexpr.FnLength, x), R: newNumberLiteral(10)},
		Then: &sqlexpr.Binary{Op: sqlexpr.OpConcat, L: call(sqlexpr.FnSubstring, x, newNumberLiteral(11), newNumberLiteral(1)), R: offset},
	}}}
}

func (t *textTimeFormCount) newCountAggregateCheck() countAggregateCheck {
	return countAggregateCheck{
		unknown: "the values of " + t.field.QualifiedName() + " are times in one form",
		fields:  []*catalog.Field{t.field},
		stored:  true,
		counts: func(first int) []sqlexpr.Expr {
			x := columnRef(first)
			return []sqlexpr.Expr{countExpr(x, false), countWhereExpr(unreadableTimeCondition(x)), countExpr(timeFormExpr(x), true)}
		},
		read: func(counts []int64) { t.values, t.unreadable, t.forms = counts[0], counts[1], counts[2] },
	}
}

// reportTextTimeForms reports texts that are not times, or times in several forms.
func (c *dataChecker) reportTextTimeForms(ctx context.Context, d *catalog.Dataset, t *textTimeFormCount) error {
	if t.unreadable == 0 && t.forms < 2 {
		return nil
	}
	rows, err := c.storedTimesPlan(ctx, d, t.field)
	if err != nil {
		return err
	}
	name, x := t.field.QualifiedName(), columnRef(0)
	if t.unreadable > 0 {
		a, err := c.warehouse.runPlan(ctx, firstSortedRowPlan(&plan.Filter{Input: rows, Conds: []sqlexpr.Expr{unreadableTimeCondition(x)}}, 1))
		if err := ignoreStatementError(err); err != nil {
			return err
		}
		text := fmt.Sprintf("%d of %s of %s are not times that the warehouse reads", t.unreadable, formatCountWithNoun(t.values, "value", "values"), name)
		if len(a.rows) > 0 {
			text += ", for example " + formatValues(a.rows[0])
		}
		c.addFinding(CodeTimeFormatMismatch, c.places.fieldPlace(t.field), text)
		return nil
	}
	text := &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeString}}
	a, err := c.warehouse.runPlan(ctx, &plan.Limit{N: maxListedTimeForms, Input: &plan.Sort{Keys: []plan.SortKey{{Col: 1}}, Input: &plan.Aggregate{
		Input: &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{isNotNullExpr(timeFormExpr(x))}}, Home: d.Name,
		Keys:     []plan.NamedExpr{{Name: "form", Expr: timeFormExpr(x), Type: sqlexpr.TypeString}},
		Measures: []plan.NamedExpr{{Name: "example", Expr: &sqlexpr.Call{Fn: sqlexpr.FnMin, Args: []sqlexpr.Expr{text}}, Type: sqlexpr.TypeString}},
	}}})
	if err := ignoreStatementError(err); err != nil {
		return err
	}
	var examples []string
	for _, row := range a.rows {
		examples = append(examples, formatValues(row[1:]))
	}
	message := fmt.Sprintf("the times of %s are texts in %d forms", name, t.forms)
	if len(examples) > 0 {
		message += ", for example " + strings.Join(examples, " and ")
	}
	c.addFinding(CodeTimeFormatMismatch, c.places.fieldPlace(t.field),
		message+": conditions and grains read each of them, but sorts, MIN, MAX and groups without a grain compare the texts; CAST(… AS TIMESTAMP) in the expression of the field makes one form")
	return nil
}
