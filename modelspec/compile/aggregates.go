package compile

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// aggregate turns an aggregate call into a measure, nil when it cannot be one.
func (l *metricLowering) aggregate(call *sqlexpr.Call) *catalog.Measure {
	agg, ok := l.aggregateOfCall(call)
	if !ok {
		return nil
	}
	arg, home, ok := l.argument(call)
	if !ok {
		return nil
	}
	if home == nil {
		if home = l.emptyHome(call); home == nil {
			return nil
		}
		l.starry = true
		if agg == catalog.AggCount && arg != nil {
			arg = nil // COUNT(1) counts rows, as COUNT(*) does
		}
	}
	return l.table.get(home, agg, arg, l.measureType(agg, arg))
}

// aggregateOfCall maps a call to one of the aggregates that there are.
func (l *metricLowering) aggregateOfCall(call *sqlexpr.Call) (catalog.Agg, bool) {
	unsupported := func(what string) (catalog.Agg, bool) {
		l.failf(call, CodeUnsupportedAggregate, "the aggregates are SUM, COUNT, COUNT(DISTINCT …), AVG, MIN, MAX", "%s is not supported: %s", what, quoteExpr(call))
		return 0, false
	}
	name := sqlexpr.InfoOf(call.Fn).Name
	if name == "" {
		name = strings.ToUpper(call.Name.Text)
	}
	if call.Distinct && call.Fn != sqlexpr.FnCount {
		return unsupported(name + "(DISTINCT …)")
	}
	switch call.Fn {
	case sqlexpr.FnSum:
		return catalog.AggSum, true
	case sqlexpr.FnAvg:
		return catalog.AggAvg, true
	case sqlexpr.FnMin:
		return catalog.AggMin, true
	case sqlexpr.FnMax:
		return catalog.AggMax, true
	case sqlexpr.FnCount:
		if call.Distinct {
			return catalog.AggCountDistinct, true
		}
		return catalog.AggCount, true
	}
	return unsupported("the aggregate " + name)
}

// argument resolves the columns of a call to fields and finds their dataset,
// nil when the call names no column.
func (l *metricLowering) argument(call *sqlexpr.Call) (arg sqlexpr.Expr, home *dataset, ok bool) {
	if call.Star || len(call.Args) == 0 {
		return nil, nil, true
	}
	ok = true
	var homes []*dataset
	arg = sqlexpr.Rewrite(call.Args[0], func(e sqlexpr.Expr) sqlexpr.Expr {
		column, isColumn := e.(*sqlexpr.Column)
		if !isColumn {
			return nil
		}
		f, err := l.argumentField(column)
		if err == nil {
			err = f.cat.Err
		}
		if err != nil {
			l.fail(column, err)
			ok = false
			return e
		}
		homes = appendUnique(homes, f.ds)
		return &sqlexpr.Ref{At: column.At, ID: f.cat.ID}
	})
	if !ok {
		return nil, nil, false
	}
	arg = sqlexpr.ResolveOperatorTypes(arg, l.typeOfLeaf)
	switch len(homes) {
	case 0:
		return arg, nil, true
	case 1:
		return arg, homes[0], true
	}
	names := make([]string, len(homes))
	for i, d := range homes {
		names[i] = d.cat.Name
	}
	l.failf(call, CodeCrossDataset, l.mixedHint(call, homes), "the aggregate %s mixes columns of %s", quoteExpr(call), strings.Join(names, " and "))
	return nil, nil, false
}

// argumentField finds the field that a name in an argument refers to. In a
// field's expression a bare name first means a field of the same dataset.
func (l *metricLowering) argumentField(column *sqlexpr.Column) (*field, *modelspec.CompileError) {
	if l.field != nil && len(column.Path) == 1 {
		if f := l.field.ds.findField(column.Path[0]); f != nil && f != l.field {
			return f, nil
		}
	}
	return l.resolveField(column)
}

func appendUnique[T comparable](list []T, x T) []T {
	for _, have := range list {
		if have == x {
			return list
		}
	}
	return append(list, x)
}

// emptyHome is the home of an aggregate that names no column.
func (l *metricLowering) emptyHome(call *sqlexpr.Call) *dataset {
	switch {
	case l.home != nil:
		return l.home
	case l.homeOf.Set():
		return nil // it names no dataset, which is reported already
	case !call.Star:
		l.failf(call, CodeBareColumn, "aggregate a field of a dataset", "the aggregate %s names no field", quoteExpr(call))
		return nil
	case len(l.datasets) == 1:
		return l.datasets[0]
	}
	hint := "count a key column of the dataset that is meant"
	for d := range cancel.EachUntilDone(l.ctx, l.datasets) {
		if len(d.cat.PrimaryKey) > 0 && d.fields[foldCase(d.cat.PrimaryKey[0])] != nil {
			hint += fmt.Sprintf(", as in COUNT(%s.%s)", d.cat.Name, d.cat.PrimaryKey[0])
			break
		}
	}
	l.fail(call, &modelspec.CompileError{
		Code: CodeCountStar, Hint: hint,
		Message: fmt.Sprintf("COUNT(*) does not say which of the %d datasets it counts", len(l.datasets)),
	})
	return nil
}

// measureType is the type of an aggregate's value.
func (c *compiler) measureType(agg catalog.Agg, arg sqlexpr.Expr) sqlexpr.Type {
	switch agg {
	case catalog.AggCount, catalog.AggCountDistinct:
		return sqlexpr.TypeInt
	case catalog.AggAvg:
		return sqlexpr.TypeFloat
	}
	t := sqlexpr.TypeOf(arg, c.typeOfLeaf)
	if agg == catalog.AggSum && !t.IsNumeric() {
		return sqlexpr.TypeUnknown
	}
	return t
}
