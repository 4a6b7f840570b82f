package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// maxCompared bounds the trees that are compared: combined metrics share their
// parts, and written out they could be of any size. Beyond it any fallback
// passes, as it does where there is nothing to compare with.
const (
	maxCompared      = 20_000
	maxComparedInAll = 1_000_000 // nodes, over all metrics of the model
)

// checkFallback holds the own expression of a derived metric against what its
// derive block expands to at parameter defaults.
func (c *compiler) checkFallback(m *metric) {
	if m.ext.Derive == nil || m.fallback == nil || c.equalsFallback(m) {
		return
	}
	place := m.place()
	hint := "see " + extension.Anchor("derive")
	if expanded, ok := c.expandMetric(m, fillOptions{members: true, compose: true}); ok {
		hint = "write the expression as " + quoteExcerpt(c.formatWithFields(expanded)) + "; " + hint
	}
	c.failMetric(m, &modelspec.CompileError{
		Code: CodeDeriveMismatch, Location: place.Location, Position: place.Position,
		Message: "the expression of " + m.cat.Name + " is what an engine without the extension computes, and it differs from what derive expands to",
		Hint:    hint,
	})
}

// equalsFallback compares normal forms. The fallback may or may not spell out the fill of
// a member (its fill_nulls_with or the fill of the compose): both are rules of how
// results combine, not of the arithmetic.
func (c *compiler) equalsFallback(m *metric) bool {
	for _, fills := range []fillOptions{{members: true, compose: true}, {compose: true}, {members: true}, {}} {
		expanded, ok := c.expandMetric(m, fills)
		if !ok {
			return true
		}
		w := c.newWriter(fills)
		own := w.writeForm(m.fallback, "")
		w.addCost()
		if !w.isWithinBudget() || sqlexpr.Equal(normalizeAggregates(own), normalizeAggregates(expanded)) {
			return true
		}
	}
	return false
}

// expandMetric is what the derive block expands to, over aggregate calls; ok is
// false when there is nothing to compare with.
func (c *compiler) expandMetric(m *metric, fills fillOptions) (sqlexpr.Expr, bool) {
	w := c.newWriter(fills)
	e := w.writeValue(m)
	w.addCost()
	return e, w.isWithinBudget()
}

func (c *compiler) newWriter(fills fillOptions) *metricWriter {
	left := min(maxCompared, maxComparedInAll-c.compared)
	return &metricWriter{compiler: c, fills: fills, left: left, from: left}
}

// addCost counts what the writer wrote toward the bound of the model.
func (w *metricWriter) addCost() { w.compared += w.from - max(w.left, 0) }

// fillOptions selects the fills that are written out: fill_nulls_with of the members, fill
// of a compose.
type fillOptions struct{ members, compose bool }

// metricWriter writes metrics out as expressions over aggregate calls.
type metricWriter struct {
	*compiler
	fills   fillOptions
	left    int
	from    int  // what left was in the beginning
	unknown bool // a window, or a parameter without a default
}

func (w *metricWriter) isWithinBudget() bool { return !w.unknown && w.left > 0 }

// writeValue writes a metric without its own fill_nulls_with.
func (w *metricWriter) writeValue(m *metric) sqlexpr.Expr {
	if m.cat.Window != nil {
		w.unknown = true
		return &sqlexpr.Null{}
	}
	if d := m.cat.Derive; d != nil && d.Base != nil {
		return w.filter(m)
	}
	fill := ""
	if m.cat.Derive != nil && w.fills.compose {
		fill = m.cat.Derive.Fill
	}
	return w.bindDefaults(w.writeForm(m.cat.Forms.Default, fill), m)
}

func (w *metricWriter) writeForm(form *catalog.Form, fill string) sqlexpr.Expr {
	if form == nil || !w.isWithinBudget() {
		w.unknown = w.unknown || form == nil
		return &sqlexpr.Null{}
	}
	return sqlexpr.Rewrite(form.Expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		if w.left--; w.left <= 0 {
			return e
		}
		ref, ok := e.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		switch o := form.Operands[ref.ID].(type) {
		case *catalog.Measure:
			return w.writeMeasure(o, nil)
		case *catalog.Metric:
			v := w.writeValue(w.metrics[o.ID])
			if o.Fill != "" && w.fills.members {
				v = coalesceWith(v, o.Fill)
			}
			return coalesceWith(v, fill)
		}
		return e
	})
}

// filter writes a chain of filters as one aggregate over a CASE.
func (w *metricWriter) filter(m *metric) sqlexpr.Expr {
	var conds []sqlexpr.Expr
	for m.cat.Derive != nil && m.cat.Derive.Base != nil {
		conds = append(conds, w.bindDefaults(m.cat.Derive.Where, m))
		m = w.metrics[m.cat.Derive.Base.ID]
	}
	measure := onlyMeasure(m.cat.Forms.Default)
	if measure == nil || m.cat.Window != nil {
		w.unknown = true
		return &sqlexpr.Null{}
	}
	return w.writeMeasure(measure, sqlexpr.And(conds...))
}

// bindDefaults replaces slots by the defaults of the metric's parameters.
func (w *metricWriter) bindDefaults(e sqlexpr.Expr, m *metric) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(n sqlexpr.Expr) sqlexpr.Expr {
		slot, ok := n.(*sqlexpr.Param)
		if !ok {
			return nil
		}
		for _, p := range m.cat.Params {
			if p.Name == slot.Name && p.Default != nil {
				return p.Default
			}
		}
		w.unknown = true
		return n
	})
}

var aggregateFuncs = map[catalog.Agg]sqlexpr.Func{
	catalog.AggSum: sqlexpr.FnSum, catalog.AggCount: sqlexpr.FnCount, catalog.AggCountDistinct: sqlexpr.FnCount,
	catalog.AggAvg: sqlexpr.FnAvg, catalog.AggMin: sqlexpr.FnMin, catalog.AggMax: sqlexpr.FnMax,
}

// writeMeasure writes an aggregate. The home of one without a column stands in its
// argument list as a string, so that counts of different datasets differ.
func (w *metricWriter) writeMeasure(m *catalog.Measure, where sqlexpr.Expr) sqlexpr.Expr {
	arg := m.Arg
	if arg == nil && where != nil {
		arg = &sqlexpr.Number{Text: "1"}
	}
	if where != nil {
		arg = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: where, Then: arg}}}
	}
	fn := aggregateFuncs[m.Agg]
	call := &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: sqlexpr.InfoOf(fn).Name}, Distinct: m.Agg == catalog.AggCountDistinct}
	if arg == nil {
		arg = &sqlexpr.Column{Path: []sqlexpr.Name{{Text: m.Home.Name, Quoted: true}, {Text: "*", Quoted: true}}}
	}
	call.Args = []sqlexpr.Expr{arg}
	return call
}

// coalesceWith is COALESCE(e, number); a count is never null.
func coalesceWith(e sqlexpr.Expr, number string) sqlexpr.Expr {
	if number == "" {
		return e
	}
	return &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: "COALESCE"}, Args: []sqlexpr.Expr{e, numberLiteral(number)}}
}
