package metricflow

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (p *project) ratio(x *metric) (*draft.Metric, error) {
	if len(x.inputs) != 2 {
		return nil, errors.New("a ratio needs a numerator and a denominator")
	}
	var parts [2]sqlexpr.Expr
	for i, in := range x.inputs {
		part, err := p.member(x, in, x.filters)
		if err != nil {
			return nil, err
		}
		parts[i] = part
	}
	return compose(&sqlexpr.Binary{Op: sqlexpr.OpDiv, L: parts[0], R: parts[1]}), nil
}

func compose(e sqlexpr.Expr) *draft.Metric {
	return &draft.Metric{Expression: draft.ANSI(sqlexpr.Format(e))}
}

// derived puts the members of a metric in the places of their names.
func (p *project) derived(x *metric) (*draft.Metric, error) {
	e, err := p.derivedExpression(x, x.filters)
	if err != nil {
		return nil, err
	}
	return compose(e), nil
}

func (p *project) derivedExpression(x *metric, filters []string) (sqlexpr.Expr, error) {
	e, err := sqlexpr.Parse(x.expr)
	if err != nil {
		return nil, fmt.Errorf("its expression cannot be read: %w", err)
	}
	members := map[string]sqlexpr.Expr{}
	for _, in := range x.inputs {
		name := in.alias
		if name == "" {
			name = in.name
		}
		if members[strings.ToLower(name)], err = p.member(x, in, filters); err != nil {
			return nil, err
		}
	}
	var unknown error
	out := sqlexpr.Rewrite(e, func(e sqlexpr.Expr) sqlexpr.Expr {
		column, ok := e.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		if member := members[strings.ToLower(column.Path[0].Text)]; member != nil && len(column.Path) == 1 {
			return member
		}
		unknown = fmt.Errorf("its expression names %s, which is not one of its metrics", sqlexpr.Format(column))
		return e
	})
	if unknown == nil && !p.affordable(out) {
		unknown = errors.New("written out with its filters it is too long")
	}
	return out, unknown
}

// affordable counts the operands of an expression: members that are repeated in members
// multiply.
func (p *project) affordable(e sqlexpr.Expr) bool {
	sqlexpr.Walk(e, func(sqlexpr.Expr) bool {
		p.operands++
		return p.operands <= maxOperands
	})
	return p.operands <= maxOperands
}

// member is a metric inside the arithmetic of another: its name, or its own expression
// where filters apply to it.
func (p *project) member(of *metric, in *input, filters []string) (sqlexpr.Expr, error) {
	x := p.metrics[in.name]
	if x == nil {
		return nil, fmt.Errorf("the metric %s is not in the input", in.name)
	}
	if x.state == open {
		return nil, fmt.Errorf("the metric %s is made of itself", in.name)
	}
	p.add(x)
	if x.state == failed {
		return nil, fmt.Errorf("it is made of %s, which is dropped: %s", in.name, x.refused)
	}
	of.losses = appendNew(of.losses, x.losses...)
	all := append(append([]string{}, filters...), in.filters...)
	switch {
	case in.offsetToGrain != "":
		return nil, errors.New("an offset to the begin of a period has no counterpart")
	case in.offsetWindow != "":
		return p.offset(of, in, x, all)
	case len(all) == 0:
		return &sqlexpr.Column{Path: []sqlexpr.Name{name(x.became)}}, nil
	}
	return p.filtered(x, all)
}

// name is the name of a metric in an expression, in quotes where it needs them.
func name(text string) sqlexpr.Name {
	bare, ok := importer.BareColumn(text)
	return sqlexpr.Name{Text: text, Quoted: !ok || bare != text}
}

func appendNew(list []string, more ...string) []string {
	for _, s := range more {
		found := false
		for _, known := range list {
			found = found || known == s
		}
		if !found {
			list = append(list, s)
		}
	}
	return list
}

// maxExpansions bounds the metrics that one metric with a filter writes out.
const maxExpansions = 1000

// maxOperands bounds the operands of all metrics made of metrics.
const maxOperands = 1 << 20

// filtered is the expression of a metric under filters, which apply to each of its
// measures.
func (p *project) filtered(x *metric, filters []string) (sqlexpr.Expr, error) {
	if p.expansions++; p.expansions > maxExpansions {
		return nil, fmt.Errorf("its filter applies to more than %d metrics", maxExpansions)
	}
	switch x.kind {
	case "simple":
		of, text, err := p.aggregateOf(x, filters)
		if err != nil {
			return nil, err
		}
		if of.axis() != "" {
			return nil, fmt.Errorf("a filter of %s, which has its own time dimension, has no counterpart", x.name)
		}
		if x.measure.fill != nil {
			text = "COALESCE(" + text + ", " + strconv.Itoa(*x.measure.fill) + ")"
		}
		return sqlexpr.Parse(text)
	case "ratio":
		var parts [2]sqlexpr.Expr
		for i, in := range x.inputs {
			part, err := p.member(x, in, append(append([]string{}, x.filters...), filters...))
			if err != nil {
				return nil, err
			}
			parts[i] = part
		}
		return &sqlexpr.Binary{Op: sqlexpr.OpDiv, L: parts[0], R: parts[1]}, nil
	case "derived":
		return p.derivedExpression(x, append(append([]string{}, x.filters...), filters...))
	}
	return nil, fmt.Errorf("a filter of the %s metric %s has no counterpart", x.kind, x.name)
}

// offset is a helper metric: the value of a member in the bucket before.
func (p *project) offset(of *metric, in *input, x *metric, filters []string) (sqlexpr.Expr, error) {
	if x.kind != "simple" {
		return nil, fmt.Errorf("the offset of %s, which is not a simple metric, has no counterpart", x.name)
	}
	count, unit, err := period(in.offsetWindow)
	if err != nil {
		return nil, err
	}
	base, text, err := p.aggregateOf(x, filters)
	if err != nil {
		return nil, err
	}
	if x.measure.fill != nil {
		return nil, fmt.Errorf("the offset of %s, which fills nulls, has no counterpart", x.name)
	}
	if unit != "day" && unit != "week" {
		of.losses = appendNew(of.losses, "a day whose "+unit+" before has no such day is compared with nothing, and in MetricFlow with the last day")
	}
	alias := in.alias
	if alias == "" {
		alias = in.name
	}
	helper := p.metricNames.Take(of.name+"_"+alias, of.name+"_"+alias+"_before")
	p.model.Metrics = append(p.model.Metrics, &draft.Metric{
		Name: helper, Expression: draft.ANSI(text), Description: fmt.Sprintf("%s, %s before: a part of %s.", x.name, in.offsetWindow, of.name),
		Extension: draft.MetricExtension{TimeDimension: base.axis(), Window: &draft.Window{
			Type: "pop", Offset: &draft.Offset{Count: count, Granularity: unit}, Calculation: "value",
		}},
	})
	return &sqlexpr.Column{Path: []sqlexpr.Name{name(helper)}}, nil
}

// cumulative makes a window over an aggregate.
func (p *project) cumulative(x *metric) (*draft.Metric, error) {
	base := x
	if x.measure != nil && x.own == nil && p.measures[x.measure.name] == nil {
		if of := p.metrics[x.measure.name]; of != nil && of.kind == "simple" {
			base = &metric{name: of.name, measure: of.measure, own: of.own, filters: append(append(append([]string{}, of.filters...), x.filters...), x.measure.filters...)}
		}
	}
	of, text, err := p.aggregateOf(base, nil)
	if err != nil {
		return nil, err
	}
	function := map[string]string{"sum": "sum", "sum_boolean": "sum", "count": "sum", "min": "min", "max": "max"}[of.agg]
	if function == "" {
		return nil, fmt.Errorf("a cumulative %s cannot be computed from its periods", of.agg)
	}
	out := &draft.Metric{Expression: draft.ANSI(text), Extension: draft.MetricExtension{TimeDimension: of.axis()}}
	switch {
	case x.window != "" && x.grainToDate != "":
		return nil, errors.New("it has a window and grain_to_date, of which only one can hold")
	case x.window != "":
		count, unit, err := period(x.window)
		if err != nil {
			return nil, err
		}
		out.Extension.Window = &draft.Window{Type: "rolling", Function: function, Periods: count}
		x.losses = append(x.losses, "it is the same grouped by "+unit+"; by another granularity the window has as many of its periods")
	case x.grainToDate != "":
		switch x.grainToDate {
		case "week", "month", "quarter", "year":
		default:
			return nil, errors.New("the granularity " + x.grainToDate + " of grain_to_date has no counterpart")
		}
		out.Extension.Window = &draft.Window{Type: "cumulative", Function: function, Reset: x.grainToDate}
		x.losses = append(x.losses, "it is the same grouped by day; a coarser period has the value of its last day, and in MetricFlow of its first")
	default:
		out.Extension.Window = &draft.Window{Type: "cumulative", Function: function}
		x.losses = append(x.losses, "it is the same grouped by day over all time; a coarser period has the value of its last day, and in MetricFlow of its first, and a time range counts its own rows only")
	}
	if base.measure.fill != nil {
		x.losses = append(x.losses, "fill_nulls_with does not apply to a window")
	}
	return out, nil
}
