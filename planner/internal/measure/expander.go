package measure

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// Expander turns metrics into arithmetic over measures, and holds each measure once.
// Its Expansion is whole when the last value is made.
type Expander struct {
	in      *scope.Env
	metrics []*catalog.Metric
	groups  []scope.Group
	bound   scope.Bindings
	out     Expansion
	index   naming.Numbers[RefKey] // of measure references
	values  map[metricValueKey]sqlexpr.Expr
	base    *Window // the window whose base is expanded; nil outside of one
	// insideMoved: an offset reads the table that is expanded at another bucket. The base is that offset.
	insideMoved bool
	names       *resolve.Resolver
	// rowsOnly: no value reads what is registered, whose groups are rows of the result.
	rowsOnly bool
	atLevels map[*catalog.Metric]bool // the metrics at other levels
	// tableValues are those metrics at other levels that are read from tables alone, under windows too.
	tableValues map[metricValueKey]sqlexpr.Expr
	hasTotals   bool // there are other levels than that of all groups
}

type metricValueKey struct {
	metric *catalog.Metric
	params string
	tag    int
	axis   *catalog.Field
	moved  string // the offset that reads the value of a table at another bucket
}

// NewExpander returns an expander of a query's metrics.
func NewExpander(in *scope.Env, sel scope.Selection, groups []scope.Group, bound scope.Bindings) *Expander {
	return &Expander{
		in: in, metrics: sel.Metrics, groups: groups, bound: bound, names: sel.Names,
		hasTotals: len(in.Query.Totals) > 0,
		index:     naming.NewNumbers[RefKey](len(sel.Metrics)),
		out:       Expansion{Sizes: Sizes{grow: in.Target.Grow}},
	}
}

// Expansion returns the expansion so far.
func (x *Expander) Expansion() Expansion { return x.out }

// MeasureRefs returns the measures in use so far.
func (x *Expander) MeasureRefs() []*Ref { return x.out.MeasureRefs }

// MetricValue returns a metric's arithmetic over measure references.
func (x *Expander) MetricValue(m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	if err := m.ErrorForDialect(x.in.Target.Dialect); err != nil {
		return nil, err
	}
	at.Axis = AxisOfMetric(x.in.Cat, m, at.Axis)
	key := metricValueKey{metric: m, params: at.Choice.Key(), tag: at.Tag, axis: at.Axis}
	if v, ok := x.values[key]; ok {
		x.addOwnerToMeasuresIn(v, at.Owner)
		return v, nil
	}
	v, err := x.uncachedMetricValue(m, at)
	if err != nil {
		return nil, err
	}
	if m.Fill != "" && m.Window == nil {
		v = build.CoalesceToNumber(v, m.Fill)
	}
	if _, single := v.(*sqlexpr.Ref); (!single || m.At != nil) && !x.rowsOnly { // a single use is as quickly found
		x.cacheMetricValue(key, v)
	}
	return v, nil
}

// cacheMetricValue notes a value that is not to be made again.
func (x *Expander) cacheMetricValue(key metricValueKey, v sqlexpr.Expr) {
	if x.values == nil {
		x.values = map[metricValueKey]sqlexpr.Expr{}
	}
	x.values[key] = v
}

func (x *Expander) addTableValue(key metricValueKey, v sqlexpr.Expr) {
	if x.tableValues == nil {
		x.tableValues = map[metricValueKey]sqlexpr.Expr{}
	}
	x.tableValues[key] = v
}

func (x *Expander) uncachedMetricValue(m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	switch {
	case m.Window != nil && x.rowsOnly:
		return ValueWithoutWindow(x, m, at) // whose rows it has
	case m.Window != nil && m.At != nil:
		return nil, levelNotImplementedError(x, m, at.Owner, m.Name+" is at another level, and a window over it is not implemented")
	case m.Window != nil:
		return x.registerWindowedMetric(m, at)
	case m.At != nil:
		return atMetricValue(x, m, at)
	case m.Derive != nil && m.Derive.Base != nil:
		return x.filteredMeasureValue(m, at)
	}
	return x.metricFormValue(m, at)
}

// metricFormValue returns the arithmetic of a metric's form.
func (x *Expander) metricFormValue(m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	form := m.Forms.ForDialect(x.in.Target.Dialect)
	var failed error
	operands := 0
	v := sqlexpr.Rewrite(form.Expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		if failed != nil {
			return e // an operand that failed is not kept, and would be made again
		}
		switch e := e.(type) {
		case *sqlexpr.Ref:
			operand, err := x.operandValue(m, form.Operands[e.ID], at)
			if err != nil {
				failed = err
				return e
			}
			operands += x.out.Sizes.expressionSize(operand) - 1 // it takes the place of its reference
			return operand
		case *sqlexpr.Param:
			literal, err := x.bound.SlotsOf(m, at.Choice).SlotLiteral(e.Name)
			if err != nil {
				failed = err
				return e
			}
			return literal
		}
		return nil
	})
	if failed != nil {
		return nil, failed
	}
	if err := x.out.Sizes.recordValueSize(v, form.Expr, operands); err != nil {
		return nil, err
	}
	return v, x.bound.SlotsOf(m, at.Choice).CheckTextFunctionCost(form.Expr, v)
}

// operandValue returns one operand of a metric's form: a measure in use, or another
// metric's value.
func (x *Expander) operandValue(m *catalog.Metric, o catalog.Operand, at Context) (sqlexpr.Expr, error) {
	switch o := o.(type) {
	case *catalog.Measure:
		return x.measureValue(m, o, nil, at), nil
	case *catalog.Metric:
		v, err := x.MetricValue(o, at)
		if err == nil && m.Derive != nil && m.Derive.Fill != "" {
			v = build.CoalesceToNumber(v, m.Derive.Fill)
		}
		return v, err
	default:
		return nil, scope.InternalError("operand of type %T in metric %s", o, m.Name)
	}
}

// measureValue returns a measure of a metric, on its axis and under a filter.
func (x *Expander) measureValue(m *catalog.Metric, measure *catalog.Measure, where sqlexpr.Expr, at Context) sqlexpr.Expr {
	u := Ref{RefKey: RefKey{Measure: measure, Axis: AxisOfMeasure(x.in.Cat, m, measure, at.Axis), Tag: at.Tag}, Where: where}
	return addMeasureOfWindow(x, u, at)
}

// addMeasureOfWindow registers a use: in the window whose base is expanded, if there is one.
func addMeasureOfWindow(x *Expander, u Ref, at Context) sqlexpr.Expr {
	if x.base != nil {
		return windowBaseExpander{x, x.base, at}.registerInput(u)
	}
	return x.AddMeasureRef(u, at.Choice, at.Owner)
}

// filteredMeasureValue returns the base's single measure with the predicate folded in.
func (x *Expander) filteredMeasureValue(m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	base := m.Derive.Base
	if err := base.ErrorForDialect(x.in.Target.Dialect); err != nil {
		return nil, err
	}
	measure, where, err := x.UnderlyingMeasureAndFilter(m, at.Choice)
	if err != nil {
		return nil, err
	}
	at.Axis = AxisOfMetric(x.in.Cat, base, at.Axis)
	return x.measureValue(base, measure, where, at), nil
}

// UnderlyingMeasureAndFilter returns the one measure under a plain aggregate or a chain of derive
// filters, with the filters' predicates, parameters bound.
func (x *Expander) UnderlyingMeasureAndFilter(m *catalog.Metric, c scope.Choice) (*catalog.Measure, sqlexpr.Expr, error) {
	if m.Derive != nil && m.Derive.Base != nil {
		measure, where, err := x.UnderlyingMeasureAndFilter(m.Derive.Base, c)
		if err != nil {
			return nil, nil, err
		}
		own, err := x.bound.BindExpressionParamSlots(m, m.Derive.Where, c)
		if err != nil {
			return nil, nil, err
		}
		if where != nil {
			own = sqlexpr.And(where, own)
		}
		return measure, own, nil
	}
	form := m.Forms.ForDialect(x.in.Target.Dialect)
	if len(form.Operands) == 1 {
		if measure, ok := form.Operands[0].(*catalog.Measure); ok {
			if _, plain := form.Expr.(*sqlexpr.Ref); plain {
				return measure, nil, nil
			}
		}
	}
	return nil, nil, scope.NotImplementedError(m.Name+" is not a single plain aggregate, and a filter or window needs a single measure",
		"declare the aggregate as a separate metric and build on that")
}

// AddMeasureRef registers a use, once, and returns the reference to it.
func (x *Expander) AddMeasureRef(u Ref, c scope.Choice, owner string) sqlexpr.Expr {
	if u.Where != nil {
		u.WhereKey = sqlexpr.Format(u.Where)
	}
	switch {
	case u.Window != nil:
		u.RefKey.Window = u.Window.key
	case u.InputOf != nil:
		u.RefKey.Window = u.Read.inputReadKey() + u.InputOf.key
	case u.Level != nil:
		u.RefKey.Window = "level:" + strconv.Itoa(u.Level.Table) + ":" + strconv.Itoa(u.Level.Value)
	}
	u.Variant = x.lodParamVariantKey(u, c)
	i, known := x.index.Find(u.RefKey)
	if !known {
		i = x.index.AddNewKey(u.RefKey)
		if u.Inner == nil {
			u.Inner = x.pathsOfRowDroppingJoins(u)
		}
		// A copy is made for a new use alone: the address of u would move every use to the heap.
		added := u
		added.RowsOnly = true // until a value reads it
		x.out.MeasureRefs = append(x.out.MeasureRefs, &added)
	}
	x.addMeasureOwner(i, owner)
	return &sqlexpr.Ref{ID: i}
}

// pathsOfRowDroppingJoins returns the paths of the joins of a use that drop rows of its home.
func (x *Expander) pathsOfRowDroppingJoins(u Ref) [][]catalog.JoinStep {
	dialect := x.in.Target.Dialect
	out := x.in.Cat.AppendInnerJoinPathsOfMeasure(nil, u.Measure, dialect)
	return x.in.Cat.AppendInnerJoinPathsOfExpr(out, u.Where, dialect)
}

// lodParamVariantKey names the parameter values that a use reads level-of-detail fields
// with; "" when none of them has parameters.
func (x *Expander) lodParamVariantKey(u Ref, c scope.Choice) string {
	if len(c) == 0 {
		return ""
	}
	fields := x.in.Cat.AppendLODFieldsOfMeasure(nil, u.Measure, x.in.Target.Dialect)
	fields = x.in.Cat.AppendLODFieldsOfExpr(fields, u.Where, x.in.Target.Dialect)
	if len(catalog.ParamsOfLODFields(fields)) == 0 {
		return ""
	}
	key := c.Key()
	if x.out.Variants == nil {
		x.out.Variants = map[string]scope.Choice{}
	}
	x.out.Variants[key] = c
	return key
}

// addOwnerToMeasuresIn notes that a selected metric needs the measure references under an expression.
func (x *Expander) addOwnerToMeasuresIn(e sqlexpr.Expr, owner string) {
	for r := range sqlexpr.Refs(e) {
		x.addMeasureOwner(r.ID, owner)
	}
}

func (x *Expander) addMeasureOwner(id int, owner string) {
	if !x.rowsOnly {
		x.markRead(id)
	}
	metrics := x.out.MeasureRefs[id].Metrics
	// The columns of one selected metric are made after those of another.
	if n := len(metrics); n == 0 || metrics[n-1] != owner {
		x.out.MeasureRefs[id].Metrics = append(x.out.MeasureRefs[id].Metrics, owner)
	}
}

// markRead notes that a value of the query reads a measure, and not its rows alone.
func (x *Expander) markRead(id int) { x.out.MeasureRefs[id].RowsOnly = false }

// IsDuplicateSensitive reports whether repetition of rows would falsify the value.
func (u *Ref) IsDuplicateSensitive() bool {
	return !u.Measure.DuplicateInsensitive()
}

// TypeOf infers the type of an expression over measure references.
func (x *Expander) TypeOf(e sqlexpr.Expr) sqlexpr.Type {
	return sqlexpr.TypeOf(e, func(leaf sqlexpr.Expr) sqlexpr.Type {
		if r, ok := leaf.(*sqlexpr.Ref); ok {
			return x.out.MeasureRefs[r.ID].valueType()
		}
		return sqlexpr.TypeUnknown
	})
}
