package scope

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// MaxColumnsOfParamLists bounds the columns that list bindings may expand into.
const MaxColumnsOfParamLists = limits.QueryResultColumnsOfParamLists

// Bindings are the query's params, checked against what the selected metrics declare.
type Bindings struct {
	in       *Env
	metrics  []*catalog.Metric
	declared map[*catalog.Metric][]*catalog.Param // of each metric; nil without params
}

// Choice chooses one value of every binding, by index; a binding of a single value
// has index 0.
type Choice []int

// BindParams checks every binding against the parameters that the selected metrics declare.
func BindParams(in *Env, sel Selection) (Bindings, error) {
	b := Bindings{in: in, metrics: sel.Metrics}
	if len(in.Keys.Params) == 0 {
		return b, nil
	}
	declared := make(map[*catalog.Metric][]*catalog.Param, len(sel.Metrics))
	for _, m := range sel.Metrics {
		declared[m] = in.Cat.ParamsOfMetric(m, in.Target.Dialect)
	}
	b = Bindings{in, sel.Metrics, declared}
	all := b.DeclaredParams()
	for _, p := range in.Keys.Params {
		for _, d := range all {
			if d.Name != p.Name {
				continue
			}
			if why := bindingProblem(d, p); why != "" {
				return b, b.OutOfDomainError(d, why)
			}
		}
	}
	return b, nil
}

// CheckParams rejects a binding that nothing in the query declares, and a list
// for a level-of-detail field that is read row by row: by a group-by or by one of the
// references of conditions.
func (b Bindings) CheckParams(rowLevel []*catalog.Param) error {
	if len(b.QueryBindings()) == 0 {
		return nil
	}
	declared := append(b.DeclaredParams(), rowLevel...)
	for _, p := range b.QueryBindings() {
		if !slices.ContainsFunc(declared, func(d *catalog.Param) bool { return d.Name == p.Name }) {
			return b.UnknownParamError(p.Name, declared)
		}
		for _, d := range rowLevel {
			if d.Name != p.Name {
				continue
			}
			if why := bindingProblem(d, p); why != "" {
				return b.OutOfDomainError(d, why)
			}
			if p.List {
				return b.OutOfDomainError(d, p.Name+" belongs to a field that is grouped or filtered by, so it takes one value, not a list")
			}
		}
	}
	return nil
}

// bindingProblem returns what is wrong with a binding; "" if it is valid.
func bindingProblem(d *catalog.Param, p query.ParamBinding) string {
	if p.List && len(p.Values) == 0 {
		return "the list for " + p.Name + " is empty"
	}
	seen := map[string]bool{}
	for _, v := range p.Values {
		value, why := params.Read(d, v)
		if why != "" {
			return why
		}
		if seen[value.Text] {
			return "the list for " + p.Name + " holds " + planerr.ClipText(value.Text) + " twice"
		}
		seen[value.Text] = true
	}
	return ""
}

// QueryBindings returns the bindings as the query has them.
func (b Bindings) QueryBindings() query.Bindings { return b.in.Keys.Params }

// DeclaredParams lists the parameters that the selected metrics depend on.
func (b Bindings) DeclaredParams() []*catalog.Param {
	var out []*catalog.Param
	for _, m := range b.metrics {
		for _, p := range b.declaredParamsOfMetric(m) {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

func (b Bindings) declaredParamsOfMetric(m *catalog.Metric) []*catalog.Param {
	if known, ok := b.declared[m]; ok {
		return known
	}
	return b.in.Cat.ParamsOfMetric(m, b.in.Target.Dialect)
}

// ListBindingIndexes returns the positions of the list bindings that a metric depends on, in
// the order in which it declares the parameters.
func (b Bindings) ListBindingIndexes(m *catalog.Metric) []int {
	if len(b.QueryBindings()) == 0 {
		return nil
	}
	var out []int
	for _, p := range b.declaredParamsOfMetric(m) {
		i := b.indexOfBinding(p.Name)
		if i >= 0 && b.QueryBindings()[i].List && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

func (b Bindings) indexOfBinding(name string) int {
	return slices.IndexFunc(b.QueryBindings(), func(p query.ParamBinding) bool { return p.Name == name })
}

// ChoiceOfFirstBoundValues returns the choice of the first value of every binding.
func (b Bindings) ChoiceOfFirstBoundValues() Choice {
	return make(Choice, len(b.QueryBindings()))
}

// choicesWithoutParams are the choices without params.
var choicesWithoutParams = []Choice{{}}

// ListParamValueCombinations returns the choices of list values that multiply a metric, the
// first declared parameter varying slowest.
func (b Bindings) ListParamValueCombinations(m *catalog.Metric) []Choice {
	lists := b.ListBindingIndexes(m)
	if len(b.QueryBindings()) == 0 {
		return choicesWithoutParams
	}
	out := []Choice{b.ChoiceOfFirstBoundValues()}
	for _, i := range lists {
		var next []Choice
		for _, c := range out {
			for v := range b.QueryBindings()[i].Values {
				n := slices.Clone(c)
				n[i] = v
				next = append(next, n)
			}
		}
		out = next
	}
	return out
}

// Key identifies the values that a metric's value depends on.
func (c Choice) Key() string {
	if len(c) == 0 {
		return ""
	}
	var s strings.Builder
	for i := range c {
		s.WriteByte(byte('0' + c[i]))
	}
	return s.String()
}

// ColumnNameTokens returns the parts of a column name that say which list values a metric was
// computed with.
func (b Bindings) ColumnNameTokens(m *catalog.Metric, c Choice) []string {
	lists := b.ListBindingIndexes(m)
	if len(lists) == 0 {
		return nil
	}
	var out []string
	deps := b.declaredParamsOfMetric(m)
	for _, i := range lists {
		p := b.QueryBindings()[i]
		d := deps[slices.IndexFunc(deps, func(d *catalog.Param) bool { return d.Name == p.Name })]
		out = append(out, params.ColumnNameTokens(d, p.Values)[c[i]])
	}
	return out
}

// BoundParamsOfMetricColumn lists the bound values that a column of a metric was computed with.
func (b Bindings) BoundParamsOfMetricColumn(m *catalog.Metric, c Choice) ([]plan.BoundParam, error) {
	if len(b.QueryBindings()) == 0 {
		return nil, nil
	}
	var out []plan.BoundParam
	for _, p := range b.declaredParamsOfMetric(m) {
		i := b.indexOfBinding(p.Name)
		if i < 0 || slices.ContainsFunc(out, func(o plan.BoundParam) bool { return o.Name == p.Name }) {
			continue
		}
		v, err := b.chosenParamValue(p, i, c)
		if err != nil {
			return nil, err
		}
		out = append(out, plan.BoundParam{Name: p.Name, Value: v.JSON})
	}
	return out, nil
}

// chosenParamValue returns the chosen value of a binding as a parameter takes it.
func (b Bindings) chosenParamValue(p *catalog.Param, binding int, c Choice) (params.CheckedValue, error) {
	v, why := params.Read(p, b.QueryBindings()[binding].Values[c[binding]])
	if why != "" {
		return params.CheckedValue{}, b.OutOfDomainError(p, why)
	}
	return v, nil
}

// FirstBoundOrDefaultValue returns the first value of the binding of a parameter, and its default where the
// query does not bind it; known is false where it has neither.
func (b Bindings) FirstBoundOrDefaultValue(p *catalog.Param) (v params.CheckedValue, known bool, err error) {
	if i := b.indexOfBinding(p.Name); i >= 0 {
		v, err = b.chosenParamValue(p, i, b.ChoiceOfFirstBoundValues())
		return v, true, err
	}
	if p.Default == nil {
		return v, false, nil
	}
	example, ok := params.ExampleValue(p)
	if !ok {
		return v, false, nil
	}
	v, why := params.Read(p, example)
	if why != "" {
		return v, true, b.OutOfDomainError(p, why)
	}
	return v, true, nil
}

// paramLiteral returns a parameter's bound value, else its default.
func (b Bindings) paramLiteral(p *catalog.Param, c Choice) (sqlexpr.Expr, error) {
	if i := b.indexOfBinding(p.Name); i >= 0 {
		v, err := b.chosenParamValue(p, i, c)
		if err != nil {
			return nil, err
		}
		return v.Expr, nil
	}
	if p.Default == nil {
		return nil, b.OutOfDomainError(p, "parameter "+p.Name+" has no default and the query does not bind it")
	}
	return p.Default, nil
}
