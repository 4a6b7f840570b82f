package ossie

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// rowConditions returns the conditions of where. A bare name is a field, never a column of the result.
func (t *translator) rowConditions() ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	for i, text := range t.query.Where {
		place := "where/" + strconv.Itoa(i)
		e, err := parseExpression(place, text)
		if err != nil {
			return nil, err
		}
		if a := sqlexpr.FirstAggregate(e); a != nil {
			return nil, t.aggregatedConditionError(i, place+" aggregates")
		}
		for _, c := range sqlexpr.ColumnReferences(e) {
			if err := t.checkFieldInRowCondition(i, place, c); err != nil {
				return nil, err
			}
		}
		out = append(out, sqlexpr.SplitConjuncts(t.qualifyNames(e))...)
	}
	return out, nil
}

// checkFieldInRowCondition rejects a name that is a metric or a column of the result, and no field.
func (t *translator) checkFieldInRowCondition(i int, place string, c *sqlexpr.Column) error {
	name, bare := singlePartColumnName(c)
	if !bare || len(t.cat.FieldsNamed(name)) > 0 {
		return nil
	}
	if t.cat.Metric(name) != nil || columnIndex(t.measures, name) >= 0 {
		return t.aggregatedConditionError(i, place+" names the measure "+planerr.ClipText(name))
	}
	if at := columnIndex(t.dimensions, name); at >= 0 {
		return newInvalidArgumentError(place + " names the column " + planerr.ClipText(name) + " of the result; write its expression")
	}
	return nil
}

// aggregatedConditionError rejects a condition on measures in where. The replacement has it in having.
func (t *translator) aggregatedConditionError(i int, what string) error {
	e := newInvalidArgumentError(what + "; where selects rows, so write the condition into having")
	e.OwnCode = planerr.CodeAggregateInWhere
	if len(t.measures) > 0 {
		q := *t.query
		q.Where = slices.Delete(slices.Clone(q.Where), i, i+1)
		q.Having = append(slices.Clone(q.Having), t.query.Where[i])
		e.Replacement = &q
	}
	return e
}

// qualifyNames writes the dataset before each bare name that one field has.
func (t *translator) qualifyNames(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(e sqlexpr.Expr) sqlexpr.Expr {
		if name, ok := singlePartColumnName(e); ok {
			if all := t.cat.FieldsNamed(name); len(all) == 1 {
				return all[0].QualifiedNameExpr()
			}
		}
		return nil
	})
}

// resultConditions returns the conditions of having: each is over measures of the query, named by their columns.
func (t *translator) resultConditions() ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	for i, text := range t.query.Having {
		place := "having/" + strconv.Itoa(i)
		e, err := parseExpression(place, text)
		if err != nil {
			return nil, err
		}
		for _, c := range sqlexpr.SplitConjuncts(e) {
			named := t.replaceWithResultColumns(c)
			if err := t.checkResultCondition(i, place, named); err != nil {
				return nil, err
			}
			out = append(out, named)
		}
	}
	return out, nil
}

// replaceWithResultColumns writes columns of the result in place of what they compute.
func (t *translator) replaceWithResultColumns(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(e sqlexpr.Expr) sqlexpr.Expr {
		for _, p := range slices.Concat(t.measures, t.dimensions) {
			if _, field := p.expr.(*sqlexpr.Column); field && columnIndex(t.measures, p.column) < 0 {
				continue // a condition names fields themselves
			}
			if sqlexpr.Equal(e, p.expr) {
				return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: p.column}}}
			}
		}
		if sqlexpr.HasAggregate(e) {
			if call, ok := e.(*sqlexpr.Call); ok && sqlexpr.FirstAggregate(call) == call {
				return call // its operands are rows, not columns
			}
		}
		return nil
	})
}

// checkResultCondition rejects a condition that has no measure of the query, or one that is not selected.
func (t *translator) checkResultCondition(i int, place string, e sqlexpr.Expr) error {
	if a := sqlexpr.FirstAggregate(e); a != nil {
		return t.unselectedMeasureError(place, sqlexpr.Format(a))
	}
	found := false
	for _, c := range sqlexpr.ColumnReferences(e) {
		name, bare := singlePartColumnName(c)
		switch {
		case bare && columnIndex(t.measures, name) >= 0:
			found = true
		case bare && columnIndex(t.dimensions, name) < 0 && t.cat.Metric(name) != nil:
			return t.unselectedMeasureError(place, t.cat.Metric(name).Name)
		}
	}
	if found {
		return nil
	}
	refused := newInvalidArgumentError(place + " names no measure of the query; having selects by measures, so write the condition into where")
	q := *t.query
	q.Having = slices.Delete(slices.Clone(q.Having), i, i+1)
	q.Where = append(slices.Clone(q.Where), t.query.Having[i])
	refused.Replacement = &q
	return refused
}

// unselectedMeasureError rejects a condition on a measure that the query does not select. The replacement selects it.
func (t *translator) unselectedMeasureError(place, measure string) error {
	e := newUnsupportedQueryError(MissingCapabilityHavingUnselected, place+" decides about "+planerr.ClipText(measure)+", which is not among the measures; select it")
	e.OwnCode = planerr.CodeResultFilterMetricNotSelected
	q := *t.query
	q.Measures = append(slices.Clone(q.Measures), measure)
	e.Replacement = &q
	return e
}

// columnIndex finds the item whose result column has a name; -1 for none.
func columnIndex(items []projectionItem, name string) int {
	return slices.IndexFunc(items, func(p projectionItem) bool { return strings.EqualFold(p.column, name) })
}

// printConditions prints conditions that all hold; "" for none.
func printConditions(all []sqlexpr.Expr) string {
	if len(all) == 0 {
		return ""
	}
	return sqlexpr.Format(sqlexpr.And(all...))
}
