package metric

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/plan"
)

// Expansion is the metrics of a query as arithmetic over measures in use.
type Expansion struct {
	columns     []column
	measureRefs []*MeasureRef            // what sqlexpr.Ref{ID} means in a column's expression
	variants    map[string]BindingChoice // parameter values by which level-of-detail tables differ
	sizes       expressionSizes          // of what the query has expanded to
}

// column is one metric column of the result. Its expression is over measure references.
type column struct {
	metric *catalog.Metric
	name   string
	params []plan.BoundParam
	tag    string
	expr   sqlexpr.Expr
	typ    sqlexpr.Type
}

// MeasureRef is one measure as this query needs it: with the filter of a derived
// metric folded in, on a time axis, for one tag of time_ranges, maybe under a
// window.
type MeasureRef struct {
	MeasureKey
	Where   sqlexpr.Expr // over Ref{Field.ID}; nil when absent
	window  *window
	metrics []string // the selected metrics that need it
}

// MeasureKey identifies a use.
type MeasureKey struct {
	Measure  *catalog.Measure
	WhereKey string
	Axis     *catalog.Field // nil: none
	Tag      int            // index into the ranges; -1 without time_ranges
	window   string
	variant  string // of the level-of-detail fields it reads
}

func (u *MeasureRef) typ() sqlexpr.Type {
	if u.window != nil {
		return u.window.typ
	}
	return u.Measure.Type
}

// EvalContext is what a metric's value depends on besides the metric.
type EvalContext struct {
	Choice BindingChoice
	Tag    int            // index into the ranges, -1 without time_ranges
	Axis   *catalog.Field // the axis that an enclosing metric declares; nil: none
	Owner  string         // the selected metric, for error messages
}

// Expander turns metrics into arithmetic over measures, and holds each measure once.
// Its Expansion is whole when the last value is made.
type Expander struct {
	in      *Env
	metrics []*catalog.Metric
	groups  []Group
	bound   Bindings
	out     Expansion
	index   map[MeasureKey]int // of measure references
	values  map[valueKey]sqlexpr.Expr
}

type valueKey struct {
	metric *catalog.Metric
	params string
	tag    int
	axis   *catalog.Field
}

// NewExpander returns an expander of a query's metrics.
func NewExpander(in *Env, sel Selection, groups []Group, bound Bindings) *Expander {
	return &Expander{
		in: in, metrics: sel.Metrics, groups: groups, bound: bound,
		index: map[MeasureKey]int{},
	}
}

// Expansion is what has been expanded so far.
func (x *Expander) Expansion() Expansion { return x.out }

// MeasureRefs are the measures in use so far.
func (x *Expander) MeasureRefs() []*MeasureRef { return x.out.measureRefs }

// expand makes the result's metric columns: per metric, one for every
// combination of list-bound parameter values and every tag of time_ranges.
func expand(in *Env, sel Selection, groups []Group, bound Bindings) (Expansion, error) {
	x := NewExpander(in, sel, groups, bound)
	if err := x.expandAll(); err != nil {
		return Expansion{}, err
	}
	return x.Expansion(), nil
}

func (x *Expander) expandAll() error {
	x.out.columns = make([]column, 0, len(x.metrics))
	for _, m := range x.metrics {
		for _, c := range x.bound.combinations(m) {
			if err := x.addColumns(m, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// addColumns makes the columns of a metric for one choice of parameter values.
func (x *Expander) addColumns(m *catalog.Metric, c BindingChoice) error {
	if !x.in.hasTaggedRanges() {
		return x.addColumn(m, c, "", -1)
	}
	for i, r := range x.in.Query.TimeRanges {
		if err := x.addColumn(m, c, r.Tag, i); err != nil {
			return err
		}
	}
	return nil
}

func (x *Expander) addColumn(m *catalog.Metric, c BindingChoice, tag string, index int) error {
	if err := x.in.contextError(); err != nil {
		return err
	}
	parts := append([]string{m.Name}, x.bound.nameTokens(m, c)...)
	if index >= 0 {
		parts = append(parts, tag)
	}
	expr, err := x.Value(m, EvalContext{Choice: c, Tag: index, Owner: m.Name})
	if err != nil {
		return err
	}
	if err := x.out.sizes.spend(expr); err != nil {
		return err
	}
	bound, err := x.bound.describe(m, c)
	if err != nil {
		return err
	}
	x.out.columns = append(x.out.columns, column{
		metric: m, name: strings.Join(parts, "__"), params: bound, tag: tag, expr: expr,
		typ: x.TypeOf(expr),
	})
	return nil
}

// TypeOf infers the type of an expression over measure references.
func (x *Expander) TypeOf(e sqlexpr.Expr) sqlexpr.Type {
	return sqlexpr.TypeOf(e, func(leaf sqlexpr.Expr) sqlexpr.Type {
		if r, ok := leaf.(*sqlexpr.Ref); ok {
			return x.out.measureRefs[r.ID].typ()
		}
		return sqlexpr.TypeUnknown
	})
}

// Value is a metric's arithmetic over measure references.
func (x *Expander) Value(m *catalog.Metric, at EvalContext) (sqlexpr.Expr, error) {
	if err := m.ErrFor(x.in.Target.Dialect); err != nil {
		return nil, err
	}
	at.Axis = MetricAxis(x.in.Cat, m, at.Axis)
	key := valueKey{metric: m, params: at.Choice.key(), tag: at.Tag, axis: at.Axis}
	if v, ok := x.values[key]; ok {
		x.addOwner(v, at.Owner)
		return v, nil
	}
	v, err := x.metricValue(m, at)
	if err != nil {
		return nil, err
	}
	if m.Fill != "" && m.Window == nil {
		v = Coalesce(v, m.Fill)
	}
	x.cacheValue(key, v)
	return v, nil
}

// cacheValue notes a value that is not to be made again. A single use is as quickly found.
func (x *Expander) cacheValue(key valueKey, v sqlexpr.Expr) {
	if _, single := v.(*sqlexpr.Ref); single {
		return
	}
	if x.values == nil {
		x.values = map[valueKey]sqlexpr.Expr{}
	}
	x.values[key] = v
}

func (x *Expander) metricValue(m *catalog.Metric, at EvalContext) (sqlexpr.Expr, error) {
	switch {
	case m.Window != nil:
		return x.windowValue(m, at)
	case m.Derive != nil && m.Derive.Base != nil:
		return x.filteredValue(m, at)
	}
	form := m.Forms.For(x.in.Target.Dialect)
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
			operands += x.out.sizes.size(operand) - 1 // it takes the place of its reference
			return operand
		case *sqlexpr.Param:
			literal, err := x.bound.paramSlots(m, at.Choice).literal(e.Name)
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
	if err := x.out.sizes.recordValue(v, form.Expr, operands); err != nil {
		return nil, err
	}
	return v, x.bound.paramSlots(m, at.Choice).checkTexts(form.Expr, v)
}

// operandValue is one operand of a metric's form: a measure in use, or another
// metric's value.
func (x *Expander) operandValue(m *catalog.Metric, o catalog.Operand, at EvalContext) (sqlexpr.Expr, error) {
	switch o := o.(type) {
	case *catalog.Measure:
		return x.measureValue(m, o, nil, at), nil
	case *catalog.Metric:
		v, err := x.Value(o, at)
		if err == nil && m.Derive != nil && m.Derive.Fill != "" {
			v = Coalesce(v, m.Derive.Fill)
		}
		return v, err
	default:
		return nil, InternalError("operand of type %T in metric %s", o, m.Name)
	}
}

// measureValue is a measure of a metric, on its axis and under a filter.
func (x *Expander) measureValue(m *catalog.Metric, measure *catalog.Measure, where sqlexpr.Expr, at EvalContext) sqlexpr.Expr {
	axis := MeasureAxis(x.in.Cat, m, measure, at.Axis)
	return x.AddMeasureRef(MeasureRef{MeasureKey: MeasureKey{Measure: measure, Axis: axis, Tag: at.Tag}, Where: where}, at.Choice, at.Owner)
}

// filteredValue is the base's single measure with the predicate folded in.
func (x *Expander) filteredValue(m *catalog.Metric, at EvalContext) (sqlexpr.Expr, error) {
	base := m.Derive.Base
	if err := base.ErrFor(x.in.Target.Dialect); err != nil {
		return nil, err
	}
	measure, where, err := x.FilteredMeasure(m, at.Choice)
	if err != nil {
		return nil, err
	}
	at.Axis = MetricAxis(x.in.Cat, base, at.Axis)
	return x.measureValue(base, measure, where, at), nil
}

// FilteredMeasure is the one measure under a plain aggregate or a chain of derive
// filters, with the filters' predicates, parameters bound.
func (x *Expander) FilteredMeasure(m *catalog.Metric, c BindingChoice) (*catalog.Measure, sqlexpr.Expr, error) {
	if m.Derive != nil && m.Derive.Base != nil {
		measure, where, err := x.FilteredMeasure(m.Derive.Base, c)
		if err != nil {
			return nil, nil, err
		}
		own, err := x.bound.BindParamSlots(m, m.Derive.Where, c)
		if err != nil {
			return nil, nil, err
		}
		if where != nil {
			own = sqlexpr.And(where, own)
		}
		return measure, own, nil
	}
	form := m.Forms.For(x.in.Target.Dialect)
	if len(form.Operands) == 1 {
		if measure, ok := form.Operands[0].(*catalog.Measure); ok {
			if _, plain := form.Expr.(*sqlexpr.Ref); plain {
				return measure, nil, nil
			}
		}
	}
	return nil, nil, notImplementedError(m.Name+" is not a single plain aggregate, so a filter or window over it has no one measure to work on",
		"declare the aggregate as a separate metric and build on that")
}

// AddMeasureRef registers a use, once, and returns the reference to it.
func (x *Expander) AddMeasureRef(u MeasureRef, c BindingChoice, owner string) sqlexpr.Expr {
	if u.Where != nil {
		u.WhereKey = sqlexpr.Format(u.Where)
	}
	if u.window != nil {
		u.MeasureKey.window = u.window.key
	}
	u.variant = x.variantOf(u, c)
	i, ok := x.index[u.MeasureKey]
	if !ok {
		i = len(x.out.measureRefs)
		x.index[u.MeasureKey] = i
		x.out.measureRefs = append(x.out.measureRefs, &u)
	}
	x.addMeasureOwner(i, owner)
	return &sqlexpr.Ref{ID: i}
}

// variantOf names the parameter values that a use reads level-of-detail fields
// with; "" when none of them has parameters.
func (x *Expander) variantOf(u MeasureRef, c BindingChoice) string {
	if len(c) == 0 {
		return ""
	}
	fields := x.in.Cat.AppendLODFieldsIn(nil, u.Measure.Arg, x.in.Target.Dialect)
	fields = x.in.Cat.AppendLODFieldsIn(fields, u.Where, x.in.Target.Dialect)
	if len(catalog.ParamsOf(fields)) == 0 {
		return ""
	}
	key := c.key()
	if x.out.variants == nil {
		x.out.variants = map[string]BindingChoice{}
	}
	x.out.variants[key] = c
	return key
}

// addOwner notes that a selected metric needs the measure references under an expression.
func (x *Expander) addOwner(e sqlexpr.Expr, owner string) {
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

// Coalesce replaces NULL by a number literal of the model.
func Coalesce(e sqlexpr.Expr, number string) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: "COALESCE"}, Args: []sqlexpr.Expr{e, coerce.Number(number)}}
}
