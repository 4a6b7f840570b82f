package reference

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// readExpressionGroupBy reads a group-by that is an expression over fields.
func (e *evaluator) readExpressionGroupBy(item query.GroupBy) (groupByItem, bool) {
	g := groupByItem{name: item.Name, named: true, fields: map[*sqlexpr.Column]fieldTarget{}}
	x, err := sqlexpr.ParseLimited(item.Expression, sqlexpr.QueryLimits())
	switch {
	case err != nil:
		e.addMustRejectCode("unparseable_expression")
		e.addMayRejectCode("unsupported_expression")
		return g, false
	case sqlexpr.FirstSubquery(x) != nil, sqlexpr.FirstWindowCall(x) != nil, sqlexpr.FirstAggregate(x) != nil,
		len(sqlexpr.UnknownFunctionCalls(x)) > 0, len(sqlexpr.ParamSlots(x)) > 0:
		e.addMustRejectCode("unsupported_expression")
		return g, false
	}
	g.expr = x
	ok := true
	for _, col := range sqlexpr.ColumnReferences(x) {
		t, found := e.resolveFieldNameInExpression(partsOfColumnReference(col))
		if ok = ok && found; !found {
			continue
		}
		if t.field.Encoding != nil {
			abstain("a time code in an expression")
		}
		if t.field.IsDimension != nil && !*t.field.IsDimension {
			e.addMayRejectCode("unknown_dimension")
		}
		g.fields[col] = t
	}
	return g, ok
}

// resolveFieldNameInExpression finds the field of a name, with the codes that a faulty name has in an
// expression.
func (e *evaluator) resolveFieldNameInExpression(path []string) (fieldTarget, bool) {
	if name := path[0]; len(path) == 1 && len(e.fieldsNamed(name)) == 0 && (strings.EqualFold(name, metricTime) || e.metricNamed(name) != nil) {
		e.addMustRejectCode("unsupported_expression")
		return fieldTarget{}, false
	}
	causes := e.rejectionCauses
	e.rejectionCauses = newRejectionCauses()
	t, ok := e.resolveTarget(path)
	found := e.rejectionCauses
	e.rejectionCauses = causes
	for code := range found.must {
		switch {
		case code == "ambiguous_dimension":
			code = "ambiguous_column"
		case code == "unknown_dimension" && len(path) == 1:
			code = "unknown_column"
		case code == "unknown_dimension" && e.datasetNamed(path[0]) == nil && e.relationshipNamed(path[0]) == nil:
			code = "unknown_dataset"
		case code == "unknown_dimension":
			code = "unknown_field"
			e.addMayRejectCode("unknown_column")
		}
		e.addMustRejectCode(code)
	}
	for code := range found.may {
		e.addMayRejectCode(code)
	}
	return t, ok
}

// targetsRead lists the fields that a group-by reads, but for an axis.
func (g groupByItem) targetsRead() []fieldTarget {
	switch {
	case g.onAxis, g.isOther:
		return nil
	case g.expr == nil:
		return []fieldTarget{g.fieldTarget}
	}
	var out []fieldTarget
	for _, col := range sqlexpr.ColumnReferences(g.expr) {
		if t, ok := g.fields[col]; ok && !slices.ContainsFunc(out, t.equals) {
			out = append(out, t)
		}
	}
	return out
}
