package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// newTargetAggregateCall returns the call that computes a measure on the target: an approximate aggregate that
// it lacks is computed exactly. What LISTAGG joins keeps the declared types that decide how it becomes a text; integers and decimals
// of AVG(DISTINCT x) keep theirs, because two of them may be one double; what
// a percentile interpolates keeps that of integers where the target rounds the percentiles of decimals.
func newTargetAggregateCall(in *scope.Env, m *catalog.Measure, arg, orderBy sqlexpr.Expr) *sqlexpr.Call {
	switch m.Agg {
	case catalog.AggListagg, catalog.AggListaggDistinct:
		switch t := measureArgumentType(in, m); t {
		case sqlexpr.TypeString, sqlexpr.TypeInt, sqlexpr.TypeBool:
			arg = &sqlexpr.DeclaredTypeExpr{X: arg, Type: t}
		}
	case catalog.AggAvgDistinct:
		if t := measureArgumentType(in, m); t == sqlexpr.TypeInt || t == sqlexpr.TypeDecimal {
			arg = &sqlexpr.DeclaredTypeExpr{X: arg, Type: t}
		}
	case catalog.AggMedian, catalog.AggPercentileCont:
		if in.Target.Caps.RoundsDecimalPercentiles && measureArgumentType(in, m) == sqlexpr.TypeInt {
			arg = &sqlexpr.DeclaredTypeExpr{X: arg, Type: sqlexpr.TypeInt}
		}
	}
	c := m.AggregateCall(arg, orderBy)
	if !in.Target.Caps.NoSketch.Has(c.Fn) {
		return c
	}
	exact := *c
	switch exact.Fn = sqlexpr.FnPercentileCont; m.Agg {
	case catalog.AggApproxCountDistinct:
		exact.Fn, exact.Distinct = sqlexpr.FnCount, true
	}
	exact.Name = sqlexpr.Name{Text: sqlexpr.InfoOfFunction(exact.Fn).Name}
	return &exact
}

func measureArgumentType(in *scope.Env, m *catalog.Measure) sqlexpr.Type {
	return sqlexpr.TypeOf(m.Arg, func(x sqlexpr.Expr) sqlexpr.Type {
		if r, ok := x.(*sqlexpr.Ref); ok {
			return in.Cat.FieldByID(r.ID).Type
		}
		return sqlexpr.TypeUnknown
	})
}

// checkTargetHasAggregate rejects an aggregate that the target does not have.
func checkTargetHasAggregate(in *scope.Env, m *catalog.Measure, metrics []string) error {
	if !in.Target.Caps.NoAggregate.Has(m.Agg.Function()) {
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeDialectUnsupportedAggregate,
		Message: "dialect " + in.Target.Dialect + " has no aggregate " + sqlexpr.InfoOfFunction(m.Agg.Function()).Name + ", which " + m.Name +
			" needs: the model may give the metric an expression for this dialect",
		Metrics: metrics,
	}
}

// isApproximate reports whether the target approximates a measure, or a level-of-detail field that
// the measure reads.
func isApproximate(in *scope.Env, m *catalog.Measure) bool {
	approximates := func(m *catalog.Measure) bool {
		return (m.Agg == catalog.AggApproxCountDistinct || m.Agg == catalog.AggApproxPercentile) && !in.Target.Caps.NoSketch.Has(m.Agg.Function())
	}
	if approximates(m) {
		return true
	}
	for _, f := range in.Cat.AppendLODFieldsOfMeasure(nil, m, in.Target.Dialect) {
		form := f.LOD.Measures.ForDialect(in.Target.Dialect)
		if form == nil {
			continue
		}
		for _, o := range form.Operands {
			if m, ok := o.(*catalog.Measure); ok && approximates(m) {
				return true
			}
		}
	}
	return false
}

// approximateColumnNames lists the columns that are made of approximate measures.
func approximateColumnNames(in *scope.Env, x Expansion) map[string]bool {
	approximate := map[int]bool{}
	for i, u := range x.measureRefs {
		if isApproximate(in, u.Measure) || u.window != nil && u.window.second != nil && isApproximate(in, u.window.second) {
			approximate[i] = true
		}
	}
	for i, u := range x.measureRefs {
		if u.window != nil && u.window.base != nil && slices.ContainsFunc(u.window.base.inputs, func(input int) bool { return approximate[input] }) {
			approximate[i] = true
		}
	}
	if len(approximate) == 0 {
		return nil
	}
	out := map[string]bool{}
	of := map[string]bool{} // metrics with an approximate column
	for _, c := range x.columns {
		sqlexpr.Walk(c.expr, func(e sqlexpr.Expr) bool {
			if r, ok := e.(*sqlexpr.Ref); ok && approximate[r.ID] {
				out[c.name], of[c.metric.Name] = true, true
			}
			return true
		})
	}
	for _, c := range x.columns {
		if c.expr == nil && of[c.metric.Name] {
			out[c.name] = true // a share, which is made of other columns
		}
	}
	return out
}

// approximateWarning names the columns that are approximate; nil without any.
func approximateWarning(x Expansion, approximate map[string]bool) []planerr.QueryWarning {
	var columns []string
	for _, c := range x.columns {
		if approximate[c.name] {
			columns = append(columns, c.name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return []planerr.QueryWarning{{
		Code: planerr.WarningApproximate, Columns: columns,
		Message: "the values of " + strings.Join(columns, ", ") + " are approximate: the engine estimates them",
	}}
}
