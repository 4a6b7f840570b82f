package relations

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// FieldType returns the type of a field: as declared, else that of its expression.
func FieldType(f *catalog.Field) sqltype.Type { return sqltype.FromLogicalType(f.Type) }

// MetricType returns the type of a metric: as declared, else what its aggregates, arithmetic and window make.
func MetricType(m *catalog.Metric) sqltype.Type { return metricTypeCache{}.metricType(m) }

// metricTypeCache remembers the metrics that are being typed: composes share their members.
type metricTypeCache map[*catalog.Metric]sqltype.Type

func (t metricTypeCache) metricType(m *catalog.Metric) sqltype.Type {
	if known, ok := t[m]; ok {
		return known
	}
	t[m] = sqltype.Unknown // a circle has no type
	t[m] = t.computeMetricType(m)
	return t[m]
}

func (t metricTypeCache) computeMetricType(m *catalog.Metric) sqltype.Type {
	if m.Datatype != "" || m.Err != nil {
		return sqltype.FromLogicalType(m.Type)
	}
	base := sqltype.Unknown
	switch {
	case m.Derive != nil && m.Derive.Base != nil:
		base = t.metricType(m.Derive.Base)
	case m.Forms.Default != nil:
		base = t.typeOfArithmetic(m.Forms.Default)
	}
	if m.Window != nil && m.Window.Recompute == nil {
		return windowType(m.Window, base)
	}
	return base
}

// typeOfArithmetic returns the type of a metric's arithmetic: of integers, numeric.
func (t metricTypeCache) typeOfArithmetic(form *catalog.ArithmeticOverOperands) sqltype.Type {
	out := sqltype.TypeOfExpr(form.Expr, func(e sqlexpr.Expr) sqltype.Type {
		ref, ok := e.(*sqlexpr.Ref)
		if !ok {
			return sqltype.Unknown
		}
		switch o := form.Operands[ref.ID].(type) {
		case *catalog.Measure:
			return measureType(o)
		case *catalog.Metric:
			return t.metricType(o)
		}
		return sqltype.Unknown
	})
	if _, arithmetic := form.Expr.(*sqlexpr.Binary); arithmetic && out.IsNumber() {
		return max(out, sqltype.Numeric)
	}
	return out
}

// measureType returns the type of an aggregate.
func measureType(m *catalog.Measure) sqltype.Type {
	if m.NonAdditive != nil && m.NonAdditive.Take == catalog.SnapshotTakeAvgValue {
		return sqltype.Double
	}
	return AggregateType(m.Agg, sqltype.FromLogicalType(m.Type))
}

// AggregateType returns the type of an aggregate over values of a type.
func AggregateType(a catalog.Agg, of sqltype.Type) sqltype.Type {
	return functionType(a.Function(), of)
}

// functionType returns the type of a function over values of a type. A sum of values of an unknown type is numeric.
func functionType(fn sqlexpr.Func, of sqltype.Type) sqltype.Type {
	out := sqltype.TypeOfExpr(&sqlexpr.Call{Fn: fn, Args: []sqlexpr.Expr{&sqlexpr.Ref{}}}, func(sqlexpr.Expr) sqltype.Type { return of })
	if fn == sqlexpr.FnSum {
		return max(out, sqltype.Numeric)
	}
	return out
}

// windowType returns the type of a window over values of a type: that of its function, or of an offset's calculation.
func windowType(w *catalog.Window, base sqltype.Type) sqltype.Type {
	switch {
	case w.Offset == nil:
		return functionType(w.Function(), base)
	case w.Offset.Calculation == catalog.CalculationValue:
		return base
	case w.Offset.Calculation == catalog.CalculationDelta && base.IsNumber():
		return max(base, sqltype.Numeric)
	}
	return sqltype.Double
}
