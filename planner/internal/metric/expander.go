package metric

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// Expansion is the metrics of a query as arithmetic over measures in use.
type Expansion struct {
	columns     []metricColumn
	shares      []shareColumn
	measureRefs []*MeasureRef           // what sqlexpr.Ref{ID} means in a column's expression
	variants    map[string]scope.Choice // parameter values by which level-of-detail tables differ
	sizes       expressionSizes         // of what the query has expanded to
}

// metricColumn is one metric column of the result. Its expression is over measure references, and nil for a share.
type metricColumn struct {
	metric *catalog.Metric
	name   string
	params []plan.BoundParam
	tag    string
	choice scope.Choice
	expr   sqlexpr.Expr
	typ    sqlexpr.Type
	kind   plan.ShareOrComparisonKind
	item   int // of the key that requests the kind
	// previous is the metric in the earlier range, for a column of compare.
	previous sqlexpr.Expr
}

// MeasureRef is one measure as this query needs it: with the filter of a derived
// metric folded in, on a time axis, for one tag of time_ranges, maybe under a
// window.
type MeasureRef struct {
	MeasureRefKey
	Where   sqlexpr.Expr // over Ref{Field.ID}; nil when absent
	window  *metricWindow
	inputOf *metricWindow        // the window whose base it is a part of; nil for any other
	read    windowInputRead      // how the window reads it
	inner   [][]catalog.JoinStep // the paths of its joins that drop rows of the home
	metrics []string             // the selected metrics that need it
}

// MeasureRefKey identifies a use.
type MeasureRefKey struct {
	Measure  *catalog.Measure
	WhereKey string
	Axis     *catalog.Field // nil: none
	Tag      int            // index into the ranges; -1 for the only one
	window   string
	variant  string // of the level-of-detail fields it reads
}

func (u *MeasureRef) valueType() sqlexpr.Type {
	if u.window != nil {
		return u.window.typ
	}
	return u.Measure.Type
}

// MetricEvalContext is what a metric's value depends on besides the metric.
type MetricEvalContext struct {
	Choice scope.Choice
	Tag    int            // index into the ranges; -1 for the only one
	Axis   *catalog.Field // the axis that an enclosing metric declares; nil: none
	Owner  string         // the selected metric, for error messages
}

// Expander turns metrics into arithmetic over measures, and holds each measure once.
// Its Expansion is whole when the last value is made.
type Expander struct {
	in      *scope.Env
	metrics []*catalog.Metric
	groups  []scope.Group
	bound   scope.Bindings
	out     Expansion
	index   naming.Numbers[MeasureRefKey] // of measure references
	values  map[metricValueKey]sqlexpr.Expr
	base    *metricWindow // the window whose base is expanded; nil outside of one
}

type metricValueKey struct {
	metric *catalog.Metric
	params string
	tag    int
	axis   *catalog.Field
}

// NewExpander returns an expander of a query's metrics.
func NewExpander(in *scope.Env, sel scope.Selection, groups []scope.Group, bound scope.Bindings) *Expander {
	return &Expander{
		in: in, metrics: sel.Metrics, groups: groups, bound: bound,
		index: naming.NewNumbers[MeasureRefKey](len(sel.Metrics)),
		out:   Expansion{sizes: expressionSizes{grow: in.Target.Grow}},
	}
}

// Expansion returns the expansion so far.
func (x *Expander) Expansion() Expansion { return x.out }

// MeasureRefs returns the measures in use so far.
func (x *Expander) MeasureRefs() []*MeasureRef { return x.out.measureRefs }

// expandMetrics makes the result's metric columns: per metric, one for every
// combination of list-bound parameter values and every tag of time_ranges.
func expandMetrics(in *scope.Env, sel scope.Selection, groups []scope.Group, bound scope.Bindings) (Expansion, error) {
	x := NewExpander(in, sel, groups, bound)
	if err := x.expandAllColumns(); err != nil {
		return Expansion{}, err
	}
	return x.Expansion(), nil
}

func (x *Expander) expandAllColumns() error {
	x.out.columns = make([]metricColumn, 0, expectedColumnCount(x.in.Query, len(x.metrics)))
	for _, m := range x.metrics {
		for _, c := range x.bound.ListParamValueCombinations(m) {
			if err := x.addMetricColumns(m, c); err != nil {
				return err
			}
		}
	}
	if x.in.Query.Compare != nil {
		return x.addComparisonColumns()
	}
	return nil
}

// addMetricColumns makes the columns of a metric for one choice of parameter values.
func (x *Expander) addMetricColumns(m *catalog.Metric, c scope.Choice) error {
	switch {
	case x.in.Query.Compare != nil:
		return x.addMetricColumn(m, c, "", currentRangeIndex)
	case !x.in.HasSeveralRanges():
		return x.addMetricColumn(m, c, "", -1)
	}
	for i, r := range x.in.Query.TimeRanges {
		if err := x.addMetricColumn(m, c, r.Tag, i); err != nil {
			return err
		}
	}
	return nil
}

func (x *Expander) addMetricColumn(m *catalog.Metric, c scope.Choice, tag string, index int) error {
	if err := x.in.ContextError(); err != nil {
		return err
	}
	parts := append([]string{m.Name}, x.bound.ColumnNameTokens(m, c)...)
	if tag != "" {
		parts = append(parts, tag)
	}
	expr, err := x.MetricValue(m, MetricEvalContext{Choice: c, Tag: index, Owner: m.Name})
	if err != nil {
		return err
	}
	if err := x.out.sizes.addToQuerySize(expr); err != nil {
		return err
	}
	bound, err := x.bound.BoundParamsOfMetricColumn(m, c)
	if err != nil {
		return err
	}
	x.out.columns = append(x.out.columns, metricColumn{
		metric: m, name: strings.Join(parts, "__"), params: bound, tag: tag, choice: c, expr: expr,
		typ: x.TypeOf(expr),
	})
	return nil
}

// MetricValue returns a metric's arithmetic over measure references.
func (x *Expander) MetricValue(m *catalog.Metric, at MetricEvalContext) (sqlexpr.Expr, error) {
	if err := m.ErrorForDialect(x.in.Target.Dialect); err != nil {
		return nil, err
	}
	at.Axis = TimeAxisOfMetric(x.in.Cat, m, at.Axis)
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
	x.cacheMetricValue(key, v)
	return v, nil
}

// cacheMetricValue notes a value that is not to be made again. A single use is as quickly found.
func (x *Expander) cacheMetricValue(key metricValueKey, v sqlexpr.Expr) {
	if _, single := v.(*sqlexpr.Ref); single {
		return
	}
	if x.values == nil {
		x.values = map[metricValueKey]sqlexpr.Expr{}
	}
	x.values[key] = v
}

func (x *Expander) uncachedMetricValue(m *catalog.Metric, at MetricEvalContext) (sqlexpr.Expr, error) {
	switch {
	case m.Window != nil:
		return x.registerWindowedMetric(m, at)
	case m.Derive != nil && m.Derive.Base != nil:
		return x.filteredMeasureValue(m, at)
	}
	return x.metricFormValue(m, at)
}

// metricFormValue returns the arithmetic of a metric's form.
func (x *Expander) metricFormValue(m *catalog.Metric, at MetricEvalContext) (sqlexpr.Expr, error) {
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
			operands += x.out.sizes.expressionSize(operand) - 1 // it takes the place of its reference
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
	if err := x.out.sizes.recordValueSize(v, form.Expr, operands); err != nil {
		return nil, err
	}
	return v, x.bound.SlotsOf(m, at.Choice).CheckTextFunctionCost(form.Expr, v)
}

// operandValue returns one operand of a metric's form: a measure in use, or another
// metric's value.
func (x *Expander) operandValue(m *catalog.Metric, o catalog.Operand, at MetricEvalContext) (sqlexpr.Expr, error) {
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
func (x *Expander) measureValue(m *catalog.Metric, measure *catalog.Measure, where sqlexpr.Expr, at MetricEvalContext) sqlexpr.Expr {
	u := MeasureRef{MeasureRefKey: MeasureRefKey{Measure: measure, Axis: TimeAxisOfMeasure(x.in.Cat, m, measure, at.Axis), Tag: at.Tag}, Where: where}
	if x.base != nil {
		return windowBaseExpander{x, x.base, at}.registerInput(u)
	}
	return x.AddMeasureRef(u, at.Choice, at.Owner)
}

// filteredMeasureValue returns the base's single measure with the predicate folded in.
func (x *Expander) filteredMeasureValue(m *catalog.Metric, at MetricEvalContext) (sqlexpr.Expr, error) {
	base := m.Derive.Base
	if err := base.ErrorForDialect(x.in.Target.Dialect); err != nil {
		return nil, err
	}
	measure, where, err := x.UnderlyingMeasureAndFilter(m, at.Choice)
	if err != nil {
		return nil, err
	}
	at.Axis = TimeAxisOfMetric(x.in.Cat, base, at.Axis)
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
func (x *Expander) AddMeasureRef(u MeasureRef, c scope.Choice, owner string) sqlexpr.Expr {
	if u.Where != nil {
		u.WhereKey = sqlexpr.Format(u.Where)
	}
	switch {
	case u.window != nil:
		u.MeasureRefKey.window = u.window.key
	case u.inputOf != nil:
		u.MeasureRefKey.window = u.read.inputReadKey() + u.inputOf.key
	}
	u.variant = x.lodParamVariantKey(u, c)
	i, known := x.index.Find(u.MeasureRefKey)
	if !known {
		i = x.index.AddNewKey(u.MeasureRefKey)
		if u.inner == nil {
			u.inner = x.pathsOfRowDroppingJoins(u)
		}
		x.out.measureRefs = append(x.out.measureRefs, &u)
	}
	x.addMeasureOwner(i, owner)
	return &sqlexpr.Ref{ID: i}
}

// pathsOfRowDroppingJoins returns the paths of the joins of a use that drop rows of its home.
func (x *Expander) pathsOfRowDroppingJoins(u MeasureRef) [][]catalog.JoinStep {
	dialect := x.in.Target.Dialect
	out := x.in.Cat.AppendInnerJoinPathsOfMeasure(nil, u.Measure, dialect)
	out = x.in.Cat.AppendInnerJoinPathsOfExpr(out, u.Where, dialect)
	if u.window != nil && u.window.second != nil {
		out = x.in.Cat.AppendInnerJoinPathsOfMeasure(out, u.window.second, dialect)
	}
	return out
}

// lodParamVariantKey names the parameter values that a use reads level-of-detail fields
// with; "" when none of them has parameters.
func (x *Expander) lodParamVariantKey(u MeasureRef, c scope.Choice) string {
	if len(c) == 0 {
		return ""
	}
	fields := x.in.Cat.AppendLODFieldsOfMeasure(nil, u.Measure, x.in.Target.Dialect)
	fields = x.in.Cat.AppendLODFieldsOfExpr(fields, u.Where, x.in.Target.Dialect)
	if len(catalog.ParamsOfLODFields(fields)) == 0 {
		return ""
	}
	key := c.Key()
	if x.out.variants == nil {
		x.out.variants = map[string]scope.Choice{}
	}
	x.out.variants[key] = c
	return key
}

// addOwnerToMeasuresIn notes that a selected metric needs the measure references under an expression.
func (x *Expander) addOwnerToMeasuresIn(e sqlexpr.Expr, owner string) {
	sqlexpr.Walk(e, func(e sqlexpr.Expr) bool {
		if r, ok := e.(*sqlexpr.Ref); ok {
			x.addMeasureOwner(r.ID, owner)
		}
		return true
	})
}

func (x *Expander) addMeasureOwner(id int, owner string) {
	metrics := x.out.measureRefs[id].metrics
	// The columns of one selected metric are made after those of another.
	if n := len(metrics); n == 0 || metrics[n-1] != owner {
		x.out.measureRefs[id].metrics = append(x.out.measureRefs[id].metrics, owner)
	}
}
