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

func (p *projectImport) buildRatioMetric(x *metric) (*draft.Metric, error) {
	if len(x.inputs) != 2 {
		return nil, errors.New("a ratio needs a numerator and a denominator")
	}
	var parts [2]sqlexpr.Expr
	for i, in := range x.inputs {
		part, err := p.inputMetricExpression(x, in, x.filters)
		if err != nil {
			return nil, err
		}
		parts[i] = part
	}
	return newComposedMetric(&sqlexpr.Binary{Op: sqlexpr.OpDiv, L: parts[0], R: parts[1]}), nil
}

func newComposedMetric(e sqlexpr.Expr) *draft.Metric {
	return &draft.Metric{Expression: draft.ANSIExpression(sqlexpr.Format(e))}
}

// buildDerivedMetric puts the members of a metric in the places of their names.
func (p *projectImport) buildDerivedMetric(x *metric) (*draft.Metric, error) {
	e, err := p.derivedExpression(x, x.filters)
	if err != nil {
		return nil, err
	}
	return newComposedMetric(e), nil
}

func (p *projectImport) derivedExpression(x *metric, filters []string) (sqlexpr.Expr, error) {
	e, err := sqlexpr.Parse(x.expr)
	if err != nil {
		return nil, fmt.Errorf("its expression cannot be read: %w", err)
	}
	members := map[string]sqlexpr.Expr{}
	for _, in := range x.inputs {
		if members[strings.ToLower(in.aliasOrName())], err = p.inputMetricExpression(x, in, filters); err != nil {
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
	if unknown == nil && !p.countOperandsAgainstLimit(out) {
		unknown = errors.New("written out with its filters it is too long")
	}
	return out, unknown
}

// countOperandsAgainstLimit counts the operands of an expression: members that are repeated in members
// multiply.
func (p *projectImport) countOperandsAgainstLimit(e sqlexpr.Expr) bool {
	sqlexpr.Walk(e, func(sqlexpr.Expr) bool {
		p.operands++
		return p.operands <= maxComposedMetricOperands
	})
	return p.operands <= maxComposedMetricOperands
}

// inputMetricExpression returns a metric inside the arithmetic of another: its name, or its own expression
// where filters apply to it.
func (p *projectImport) inputMetricExpression(of *metric, in *metricInput, filters []string) (sqlexpr.Expr, error) {
	x := p.metrics[in.name]
	if x == nil {
		return nil, errors.New(importer.MissingOrUnknown("metric", in.name, "is not in the input"))
	}
	if x.state == metricStateBeingBuilt {
		return nil, fmt.Errorf("the metric %s is made of itself", in.name)
	}
	p.addMetricAfterInputs(x)
	if x.state == metricStateFailed {
		return nil, fmt.Errorf("it is made of %s, which is dropped: %s", in.name, x.refused)
	}
	of.losses = appendMissing(of.losses, x.losses...)
	all := append(append([]string{}, filters...), in.filters...)
	switch {
	case in.offsetToGrain != "" && in.offsetWindow != "":
		return nil, errors.New("it has an offset_window and an offset_to_grain for one input, of which only one can hold")
	case in.offsetToGrain != "":
		return p.firstDayMetricExpression(of, in, x, all)
	case in.offsetWindow != "":
		return p.offsetMetricExpression(of, in, x, all)
	case len(all) == 0:
		return &sqlexpr.Column{Path: []sqlexpr.Name{nameQuotedIfNeeded(x.became)}}, nil
	}
	return p.filteredMetricExpression(of, in, x, all)
}

// nameQuotedIfNeeded returns the name of a metric in an expression, in quotes where it needs them.
func nameQuotedIfNeeded(text string) sqlexpr.Name {
	bare, ok := importer.ColumnOfExpression(text)
	return sqlexpr.Name{Text: text, Quoted: !ok || bare != text}
}

func appendMissing(list []string, more ...string) []string {
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

// maxMetricExpansions bounds the metrics that one metric with a filter writes out.
const maxMetricExpansions = 1000

// maxComposedMetricOperands bounds the operands of all metrics made of metrics.
const maxComposedMetricOperands = 1 << 20

// filteredMetricExpression returns the expression of a metric under filters, which apply to each of its
// measures.
func (p *projectImport) filteredMetricExpression(of *metric, in *metricInput, x *metric, filters []string) (sqlexpr.Expr, error) {
	if p.expansions++; p.expansions > maxMetricExpansions {
		return nil, fmt.Errorf("its filter applies to more than %d metrics", maxMetricExpansions)
	}
	switch x.kind {
	case "simple":
		of, text, err := p.filteredAggregate(x, filters)
		if err != nil {
			return nil, err
		}
		if of.nonDefaultTimeAxis() != "" {
			return nil, fmt.Errorf("a filter of %s, which has its own time dimension, has no counterpart", x.name)
		}
		if x.measure.fill != nil {
			text = "COALESCE(" + text + ", " + strconv.Itoa(*x.measure.fill) + ")"
		}
		return sqlexpr.Parse(text)
	case "ratio":
		var parts [2]sqlexpr.Expr
		for i, in := range x.inputs {
			part, err := p.inputMetricExpression(x, in, append(append([]string{}, x.filters...), filters...))
			if err != nil {
				return nil, err
			}
			parts[i] = part
		}
		return &sqlexpr.Binary{Op: sqlexpr.OpDiv, L: parts[0], R: parts[1]}, nil
	case "derived":
		return p.derivedExpression(x, append(append([]string{}, x.filters...), filters...))
	case "cumulative":
		return p.filteredCumulativeMetric(of, in, x, filters)
	}
	return nil, fmt.Errorf("a filter of the %s metric %s has no counterpart", x.kind, x.name)
}
