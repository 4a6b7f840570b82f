package compile

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// lowerAggregate turns an aggregate call into a measure, nil when it cannot be one.
func (l *metricLowering) lowerAggregate(call *sqlexpr.Call) *catalog.Measure {
	agg, ok := l.aggregateFunctionOfCall(call)
	if !ok {
		return nil
	}
	arg, orderBy, home, ok := l.resolveAggregateOperands(call)
	if !ok {
		return nil
	}
	if !l.checkAggregateArgumentType(call, agg, arg) {
		return nil
	}
	if home == nil {
		if home = l.homeOfColumnlessAggregate(call); home == nil {
			return nil
		}
		l.starry = true
		if agg == catalog.AggCount && isNonNullLiteral(arg) {
			arg = nil // COUNT(1) counts rows, as COUNT(*) does
		}
	}
	m := &catalog.Measure{Home: home.cat, Agg: agg, Arg: arg, OrderBy: orderBy, Options: catalog.AggOptionsOfCall(call)}
	m.Type = l.typeOfMeasure(m)
	return l.table.getOrAddMeasure(m)
}

// isNonNullLiteral reports whether e is a literal other than NULL.
func isNonNullLiteral(e sqlexpr.Expr) bool {
	switch e.(type) {
	case *sqlexpr.Number, *sqlexpr.String, *sqlexpr.Bool, *sqlexpr.TypedLiteral, *sqlexpr.Interval:
		return true
	}
	return false
}

// aggregateFunctionOfCall maps a call to one of the aggregates that there are.
func (l *metricLowering) aggregateFunctionOfCall(call *sqlexpr.Call) (catalog.Agg, bool) {
	if agg, ok := catalog.AggOfCall(call); ok {
		return agg, true
	}
	name := sqlexpr.InfoOfFunction(call.Fn).Name
	if name == "" {
		name = strings.ToUpper(call.Name.Text)
	}
	what := "the aggregate " + name
	if call.Distinct {
		what = name + "(DISTINCT …)"
	}
	l.addErrorf(call, CodeUnsupportedAggregate, "the aggregates are "+strings.Join(catalog.AggregateFunctionNames(), ", ")+"; SUM, AVG, COUNT and LISTAGG take DISTINCT", "%s is not supported: %s", what, quoteExpr(call))
	return 0, false
}

// resolveAggregateOperands resolves the argument of a call and what it orders by, where that is another
// expression, and finds the dataset whose rows it aggregates, nil when the call names no column.
func (l *metricLowering) resolveAggregateOperands(call *sqlexpr.Call) (arg, orderBy sqlexpr.Expr, home *datasetInProgress, ok bool) {
	if call.Star || len(call.Args) == 0 {
		return nil, nil, nil, true
	}
	operands := call.Args[:1:1]
	if call.Fn == sqlexpr.FnListagg && len(call.Args) == 3 && !sqlexpr.Equal(call.Args[0], call.Args[2]) {
		operands = append(operands, call.Args[2])
	}
	resolved, home, ok := l.resolveColumnsOfOperands(call, operands)
	if !ok {
		return nil, nil, nil, false
	}
	if len(resolved) > 1 {
		orderBy = resolved[1]
	}
	return resolved[0], orderBy, home, true
}

// resolveColumnsOfOperands resolves the columns of the operands of a call to fields.
func (l *metricLowering) resolveColumnsOfOperands(call *sqlexpr.Call, operands []sqlexpr.Expr) (out []sqlexpr.Expr, home *datasetInProgress, ok bool) {
	var refs []resolvedNameInAggregate
	for _, e := range operands {
		in, ok := l.resolveNamesInAggregate(e)
		if !ok {
			return nil, nil, false
		}
		refs = append(refs, in...)
	}
	if home, ok = l.findAggregateHome(call, refs); !ok {
		return nil, nil, false
	}
	ids := make(map[*sqlexpr.Column]int, len(refs))
	paths := l.argumentPathLister(home)
	for _, r := range refs {
		id, err := l.fieldIDOfReference(home.cat, r.resolvedFieldReference, paths)
		if err != nil {
			l.addErrorAt(r.column, err)
			return nil, nil, false
		}
		ids[r.column] = id
	}
	for _, e := range operands {
		e = sqlexpr.Rewrite(e, func(e sqlexpr.Expr) sqlexpr.Expr {
			if column, isColumn := e.(*sqlexpr.Column); isColumn {
				return &sqlexpr.Ref{Position: column.Position, ID: ids[column]}
			}
			return nil
		})
		if l.rejectImpossibleConversion(e, l.typeOfReferencedField) {
			return nil, nil, false
		}
		out = append(out, sqlexpr.ResolveOperatorTypes(e, l.typeOfReferencedField))
	}
	return out, home, true
}

// argumentPathLister lists the paths from the home of an aggregate.
func (l *metricLowering) argumentPathLister(home *datasetInProgress) safePathLister {
	if l.field == nil || home == nil {
		return l.safePaths
	}
	return l.lodPathLister(l.field, home)
}

// resolveArgumentName finds the field that a name in an argument refers to. In a
// field's expression a bare name first means a field of the same dataset.
func (l *metricLowering) resolveArgumentName(column *sqlexpr.Column, about []*catalog.Dataset) (resolvedFieldReference, *modelspec.CompileError) {
	if l.field != nil && len(column.Path) == 1 {
		if f := l.field.ds.findFieldOfIdentifier(column.Path[0]); f != nil && f != l.field {
			return resolvedFieldReference{field: f}, nil
		}
	}
	return l.resolveFieldReference(column, about...)
}

func appendUnique[T comparable](list []T, x T) []T {
	for _, have := range list {
		if have == x {
			return list
		}
	}
	return append(list, x)
}

// homeOfColumnlessAggregate returns the home of an aggregate that names no column.
func (l *metricLowering) homeOfColumnlessAggregate(call *sqlexpr.Call) *datasetInProgress {
	switch {
	case l.home != nil:
		return l.home
	case l.homeOf.IsSet():
		return nil // it names no dataset, which is reported already
	case !call.Star:
		l.addErrorf(call, CodeBareColumn, "aggregate a field of a dataset", "the aggregate %s names no field", quoteExpr(call))
		return nil
	case len(l.cat.Datasets) == 1:
		return l.datasetInProgressOfCatalogDataset(l.cat.Datasets[0])
	}
	hint := "count a key column of the dataset that is meant"
	if key := l.exampleKeyExpression(); key != "" {
		hint += ", as in COUNT(" + key + ")"
	}
	l.addErrorAt(call, &modelspec.CompileError{
		Code: CodeCountStarNeedsDataset, Hint: hint,
		Message: fmt.Sprintf("COUNT(*) does not say which of the %d datasets it counts", len(l.cat.Datasets)),
	})
	return nil
}

// typeOfMeasure returns the type of an aggregate's value.
func (c *compiler) typeOfMeasure(m *catalog.Measure) sqlexpr.Type {
	return sqlexpr.TypeOf(m.AggregateCall(m.Arg, m.OrderBy), c.typeOfReferencedField)
}

// checkAggregateArgumentType rejects arguments that some engines read as numbers or conditions and others do not take.
func (l *metricLowering) checkAggregateArgumentType(call *sqlexpr.Call, agg catalog.Agg, arg sqlexpr.Expr) bool {
	if arg == nil {
		return true
	}
	return l.checkTypeOfAggregateArgument(call, agg, sqlexpr.TypeOf(arg, l.typeOfReferencedField))
}

// checkTypeOfAggregateArgument rejects an argument of a type that some engines read as numbers or conditions and others do not take.
func (l *metricLowering) checkTypeOfAggregateArgument(call *sqlexpr.Call, agg catalog.Agg, t sqlexpr.Type) bool {
	var wanted, hint string
	switch agg.Arguments() {
	case catalog.InterpolatedArguments:
		wanted, hint = "numbers", "PERCENTILE_DISC is one of the values, of any type"
	case catalog.NumberArguments:
		wanted, hint = "numbers", "cast the argument to a number"
	case catalog.NumberOrConditionArguments:
		if t == sqlexpr.TypeBool {
			return true
		}
		wanted, hint = "numbers", sqlexpr.NumberCastHint
	case catalog.ConditionArguments:
		wanted, hint = "conditions", "compare the argument with a value"
	case catalog.AnyArguments:
		return true
	}
	if t == sqlexpr.TypeUnknown || t.IsNumeric() == (wanted == "numbers") && (t == sqlexpr.TypeBool) == (wanted == "conditions") {
		return true
	}
	l.addErrorf(call, CodeUnsupportedAggregate, hint, "%s takes %s, and the argument of %s has the type %s", sqlexpr.InfoOfFunction(call.Fn).Name, wanted, quoteExpr(call), t)
	return false
}
