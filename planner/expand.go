package planner

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
)

// env is what a metric's value depends on besides the metric.
type env struct {
	params boundParams
	tag    int            // index into build.ranges, -1 without time_ranges
	axis   *catalog.Field // the axis that an enclosing metric declares; nil: none
	owner  string         // the selected metric, for error messages
}

type valueKey struct {
	metric *catalog.Metric
	params string
	tag    int
	axis   *catalog.Field
}

// expandColumns makes the result's metric columns: per metric, one for every
// combination of list-bound parameter values and every tag of time_ranges.
func (b *build) expandColumns() error {
	b.values = map[valueKey]sqlexpr.Expr{}
	b.useIndex = map[useKey]int{}
	b.tagged = len(b.q.TimeRanges) > 0
	tags := []string{""}
	if b.tagged {
		tags = tags[:0]
		for _, r := range b.q.TimeRanges {
			tags = append(tags, r.Tag)
		}
	}
	for _, m := range b.metrics {
		for _, params := range b.combinations(m) {
			for i, tag := range tags {
				if err := b.ended(); err != nil {
					return err
				}
				if err := b.expandColumn(m, params, tag, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *build) expandColumn(m *catalog.Metric, params boundParams, tag string, index int) error {
	e := env{params: params, tag: -1, owner: m.Name}
	parts := append([]string{m.Name}, params.tokens(b, m)...)
	if b.tagged {
		e.tag = index
		parts = append(parts, tag)
	}
	expr, err := b.value(m, e)
	if err != nil {
		return err
	}
	if err := b.spend(expr); err != nil {
		return err
	}
	bound, err := b.describeParams(m, params)
	if err != nil {
		return err
	}
	b.columns = append(b.columns, column{
		metric: m, name: strings.Join(parts, "__"), params: bound, tag: tag, expr: expr,
		typ: b.typeOf(expr),
	})
	return nil
}

// typeOf infers the type of an expression over uses.
func (b *build) typeOf(e sqlexpr.Expr) sqlexpr.Type {
	return sqlexpr.TypeOf(e, func(leaf sqlexpr.Expr) sqlexpr.Type {
		if r, ok := leaf.(*sqlexpr.Ref); ok {
			return b.uses[r.ID].typ()
		}
		return sqlexpr.TypeUnknown
	})
}

func (u *use) typ() sqlexpr.Type {
	if u.window != nil {
		return u.window.typ
	}
	return u.measure.Type
}

// value is a metric's arithmetic over uses.
func (b *build) value(m *catalog.Metric, e env) (sqlexpr.Expr, error) {
	if err := m.ErrFor(b.target.Dialect); err != nil {
		return nil, err
	}
	e.axis = b.metricAxis(m, e.axis)
	key := valueKey{metric: m, params: e.params.key(), tag: e.tag, axis: e.axis}
	if v, ok := b.values[key]; ok {
		b.credit(v, e.owner)
		return v, nil
	}
	v, err := b.metricValue(m, e)
	if err != nil {
		return nil, err
	}
	if m.Fill != "" && m.Window == nil {
		v = coalesce(v, m.Fill)
	}
	b.values[key] = v
	return v, nil
}

func (b *build) metricValue(m *catalog.Metric, e env) (sqlexpr.Expr, error) {
	switch {
	case m.Window != nil:
		return b.windowValue(m, e)
	case m.Derive != nil && m.Derive.Base != nil:
		return b.filteredValue(m, e)
	}
	form := m.Forms.For(b.target.Dialect)
	var failed error
	operands := 0
	v := sqlexpr.Rewrite(form.Expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		if failed != nil {
			return x // an operand that failed is not kept, and would be made again
		}
		switch x := x.(type) {
		case *sqlexpr.Ref:
			operand, err := b.operand(m, form.Operands[x.ID], e)
			if err != nil {
				failed = err
				return x
			}
			operands += b.sizes.size(operand) - 1 // it takes the place of its reference
			return operand
		case *sqlexpr.Param:
			literal, err := b.paramLiteral(m, x.Name, e)
			if err != nil {
				failed = err
				return x
			}
			return literal
		}
		return nil
	})
	if failed != nil {
		return nil, failed
	}
	if err := b.sized(v, form.Expr, operands); err != nil {
		return nil, err
	}
	return v, b.checkBoundTexts(form.Expr, v)
}

// operand is one operand of a metric's form: a measure in use, or another
// metric's value.
func (b *build) operand(m *catalog.Metric, o catalog.Operand, e env) (sqlexpr.Expr, error) {
	switch o := o.(type) {
	case *catalog.Measure:
		return b.useMeasure(use{useKey: useKey{measure: o, axis: b.measureAxis(m, o, e.axis), tag: e.tag}}, e.params, e.owner), nil
	case *catalog.Metric:
		v, err := b.value(o, e)
		if err == nil && m.Derive != nil && m.Derive.Fill != "" {
			v = coalesce(v, m.Derive.Fill)
		}
		return v, err
	default:
		return nil, internal("operand of type %T in metric %s", o, m.Name)
	}
}

// filteredValue is the base's single measure with the predicate folded in.
func (b *build) filteredValue(m *catalog.Metric, e env) (sqlexpr.Expr, error) {
	base := m.Derive.Base
	if err := base.ErrFor(b.target.Dialect); err != nil {
		return nil, err
	}
	measure, where, err := b.plainMeasure(m, e)
	if err != nil {
		return nil, err
	}
	e.axis = b.metricAxis(base, e.axis)
	u := use{useKey: useKey{measure: measure, axis: b.measureAxis(base, measure, e.axis), tag: e.tag}, where: where}
	return b.useMeasure(u, e.params, e.owner), nil
}

// plainMeasure is the one measure under a plain aggregate or a chain of derive
// filters, with the filters' predicates, parameters bound.
func (b *build) plainMeasure(m *catalog.Metric, e env) (*catalog.Measure, sqlexpr.Expr, error) {
	if m.Derive != nil && m.Derive.Base != nil {
		measure, where, err := b.plainMeasure(m.Derive.Base, e)
		if err != nil {
			return nil, nil, err
		}
		own, err := b.bindSlots(m, m.Derive.Where, e)
		if err != nil {
			return nil, nil, err
		}
		if where != nil {
			own = sqlexpr.And(where, own)
		}
		return measure, own, nil
	}
	form := m.Forms.For(b.target.Dialect)
	if len(form.Operands) == 1 {
		if measure, ok := form.Operands[0].(*catalog.Measure); ok {
			if _, plain := form.Expr.(*sqlexpr.Ref); plain {
				return measure, nil, nil
			}
		}
	}
	return nil, nil, notImplemented(m.Name+" is no single plain aggregate, so a filter or window over it has no one measure to work on",
		"declare the aggregate as a metric of its own and build on that")
}

// useMeasure registers a use, once, and returns the reference to it.
func (b *build) useMeasure(u use, params boundParams, owner string) sqlexpr.Expr {
	if u.where != nil {
		u.whereKey = sqlexpr.Format(u.where)
	}
	if u.window != nil {
		u.useKey.window = u.window.key
	}
	u.variant = b.variantOf(&u, params)
	i, ok := b.useIndex[u.useKey]
	if !ok {
		i = len(b.uses)
		b.useIndex[u.useKey] = i
		b.uses = append(b.uses, &u)
	}
	b.uses[i].credit(owner)
	return &sqlexpr.Ref{ID: i}
}

// credit notes that a selected metric needs the uses under an expression.
func (b *build) credit(e sqlexpr.Expr, owner string) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok {
			b.uses[r.ID].credit(owner)
		}
		return true
	})
}

func (u *use) credit(owner string) {
	// The columns of one selected metric are made after those of another.
	if n := len(u.metrics); n == 0 || u.metrics[n-1] != owner {
		u.metrics = append(u.metrics, owner)
	}
}

// coalesce replaces NULL by a number literal of the model.
func coalesce(e sqlexpr.Expr, number string) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: "COALESCE"}, Args: []sqlexpr.Expr{e, coerce.Number(number)}}
}
