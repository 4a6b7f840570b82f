package aggregates

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Call returns the call that computes a measure on the target: an approximate aggregate that
// it lacks is computed exactly. What LISTAGG joins keeps the declared types that decide how it becomes a text; integers and decimals
// of AVG(DISTINCT x) keep theirs, because two of them may be one double; what
// a percentile interpolates keeps that of integers where the target rounds the percentiles of decimals.
func Call(in *scope.Env, m *catalog.Measure, arg, orderBy sqlexpr.Expr) *sqlexpr.Call {
	if m.Agg == catalog.AggCount {
		arg = sqlexpr.StoredTime(arg)
	} else {
		arg = DeclareArgumentType(&in.Target.Caps, m.Agg, arg, func() sqlexpr.Type { return ArgumentType(in, m) })
	}
	return ExactWithoutSketch(&in.Target.Caps, m.AggregateCall(arg, orderBy))
}

// DeclareArgumentType returns the argument of an aggregate with its declared type where a target needs it.
func DeclareArgumentType(caps *plan.Capabilities, agg catalog.Agg, arg sqlexpr.Expr, typeOf func() sqlexpr.Type) sqlexpr.Expr {
	var declared []sqlexpr.Type
	switch agg {
	case catalog.AggListagg, catalog.AggListaggDistinct:
		declared = []sqlexpr.Type{sqlexpr.TypeString, sqlexpr.TypeInt, sqlexpr.TypeBool}
	case catalog.AggAvgDistinct:
		declared = []sqlexpr.Type{sqlexpr.TypeInt, sqlexpr.TypeDecimal}
	case catalog.AggMedian, catalog.AggPercentileCont:
		if caps.RoundsDecimalPercentiles {
			declared = []sqlexpr.Type{sqlexpr.TypeInt}
		}
	}
	if len(declared) > 0 {
		if t := typeOf(); slices.Contains(declared, t) {
			return &sqlexpr.DeclaredTypeExpr{X: arg, Type: t}
		}
	}
	return arg
}

// ExactWithoutSketch returns an aggregate, exact where the target lacks its sketch.
func ExactWithoutSketch(caps *plan.Capabilities, c *sqlexpr.Call) *sqlexpr.Call {
	if !caps.NoSketch.Has(c.Fn) {
		return c
	}
	exact := *c
	exact.Fn = sqlexpr.FnPercentileCont
	if c.Fn == sqlexpr.FnApproxCountDistinct {
		exact.Fn, exact.Distinct = sqlexpr.FnCount, true
	}
	exact.Name = sqlexpr.Name{Text: sqlexpr.InfoOfFunction(exact.Fn).Name}
	return &exact
}

// ArgumentType returns the type of the argument of a measure.
func ArgumentType(in *scope.Env, m *catalog.Measure) sqlexpr.Type {
	return sqlexpr.TypeOf(m.Arg, func(x sqlexpr.Expr) sqlexpr.Type {
		if r, ok := x.(*sqlexpr.Ref); ok {
			return in.Cat.FieldByID(r.ID).Type
		}
		return sqlexpr.TypeUnknown
	})
}

// CheckTarget rejects an aggregate that the target does not have, and one over a function that it does not have.
func CheckTarget(in *scope.Env, m *catalog.Measure, metrics []string) error {
	if !in.Target.Caps.NoAggregate.Has(m.Agg.Function()) {
		return checkFunctions(in, m, metrics)
	}
	return &planerr.Error{
		Code: planerr.CodeDialectUnsupportedAggregate,
		Message: "dialect " + in.Target.Dialect + " has no aggregate " + sqlexpr.InfoOfFunction(m.Agg.Function()).Name + ", which " + m.Name +
			" needs: the model may give the metric an expression for this dialect",
		Metrics: metrics,
	}
}

// checkFunctions rejects the functions of an argument, and of the fields in it, that the target does not have.
func checkFunctions(in *scope.Env, m *catalog.Measure, metrics []string) error {
	if in.Target.Caps.NoFunction.IsEmpty() {
		return nil
	}
	missing := sqlexpr.FnUnknown
	var visit func(x sqlexpr.Expr) bool
	visit = func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Call:
			if in.Target.Caps.NoFunction.Has(x.Fn) {
				missing = x.Fn
			}
		case *sqlexpr.Ref:
			sqlexpr.Walk(in.Cat.FieldByID(x.ID).Expr.ForDialect(in.Target.Dialect), visit)
		}
		return missing == sqlexpr.FnUnknown
	}
	sqlexpr.Walk(m.Arg, visit)
	if missing == sqlexpr.FnUnknown {
		return nil
	}
	return planerr.UnsupportedFunctionError(in.Target.Dialect, sqlexpr.InfoOfFunction(missing).Name, metrics...)
}

// IsApproximate reports whether the target approximates a measure, or a level-of-detail field that
// the measure reads.
func IsApproximate(in *scope.Env, m *catalog.Measure) bool {
	if IsApproximateAggregate(in, m) {
		return true
	}
	for _, f := range in.Cat.AppendLODFieldsOfMeasure(nil, m, in.Target.Dialect) {
		form := f.LOD.Measures.ForDialect(in.Target.Dialect)
		if form == nil {
			continue
		}
		for _, o := range form.Operands {
			if m, ok := o.(*catalog.Measure); ok && IsApproximateAggregate(in, m) {
				return true
			}
		}
	}
	return false
}

// IsApproximateAggregate reports whether the target approximates the aggregate of a measure.
func IsApproximateAggregate(in *scope.Env, m *catalog.Measure) bool {
	return (m.Agg == catalog.AggApproxCountDistinct || m.Agg == catalog.AggApproxPercentile) && !in.Target.Caps.NoSketch.Has(m.Agg.Function())
}

// TypeOverFields returns the type of an expression over fields.
func TypeOverFields(cat *catalog.Catalog, e sqlexpr.Expr) sqlexpr.Type {
	return sqlexpr.TypeOf(e, func(leaf sqlexpr.Expr) sqlexpr.Type {
		if r, ok := leaf.(*sqlexpr.Ref); ok {
			return cat.FieldByID(r.ID).Type
		}
		return sqlexpr.TypeUnknown
	})
}
