package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxExpanded bounds the columns that list bindings may expand into.
const maxExpanded = limits.ParamColumns

// binding is one entry of the query's params.
type binding struct {
	query.ParamBinding
}

// boundParams chooses one value of every binding, by index; a binding of a
// single value has index 0.
type boundParams []int

// bindParams checks every binding against the parameters that the selected
// metrics declare.
func (b *build) bindParams() error {
	if len(b.q.Params) == 0 {
		return nil
	}
	declared := b.declaredParams()
	for _, p := range b.q.Params {
		for _, d := range declared {
			if d.Name != p.Name {
				continue
			}
			if why := checkBinding(d, p); why != "" {
				return b.outOfDomain(d, why)
			}
		}
		b.bindings = append(b.bindings, binding{p})
	}
	return nil
}

// checkParams refuses a binding that nothing in the query declares, and a list
// for a level-of-detail field that is read row by row.
func (b *build) checkParams() error {
	if len(b.q.Params) == 0 {
		return nil
	}
	rowLevel := b.lodParams()
	declared := append(b.declaredParams(), rowLevel...)
	for _, p := range b.q.Params {
		if !slices.ContainsFunc(declared, func(d *catalog.Param) bool { return d.Name == p.Name }) {
			return b.unknownParam(p.Name, declared)
		}
		for _, d := range rowLevel {
			if d.Name != p.Name {
				continue
			}
			if why := checkBinding(d, p); why != "" {
				return b.outOfDomain(d, why)
			}
			if p.List {
				return b.outOfDomain(d, p.Name+" belongs to a field that is grouped or filtered by, so it takes one value, not a list")
			}
		}
	}
	return nil
}

// checkBinding says what is wrong with a binding; "" when nothing is.
func checkBinding(d *catalog.Param, p query.ParamBinding) string {
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
			return "the list for " + p.Name + " holds " + planerr.Clip(value.Text) + " twice"
		}
		seen[value.Text] = true
	}
	return ""
}

// declaredParams lists the parameters that the selected metrics depend on.
func (b *build) declaredParams() []*catalog.Param {
	var out []*catalog.Param
	for _, m := range b.metrics {
		for _, p := range b.dependencies(m) {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// dependencies lists the parameters a metric's value depends on: its own, in
// the order of declaration, then its members'.
func (b *build) dependencies(m *catalog.Metric) []*catalog.Param {
	if known, ok := b.params[m]; ok {
		return known
	}
	if b.params == nil {
		b.params = map[*catalog.Metric][]*catalog.Param{}
	}
	b.params[m] = slices.Clip(b.cat.AllParams(m, b.target.Dialect))
	return b.params[m]
}

// lists are the positions of the list bindings that a metric depends on, in
// the order in which it declares the parameters.
func (b *build) lists(m *catalog.Metric) []int {
	if !slices.ContainsFunc(b.bindings, func(x binding) bool { return x.List }) {
		return nil
	}
	var out []int
	for _, p := range b.dependencies(m) {
		i := b.bindingOf(p.Name)
		if i >= 0 && b.bindings[i].List && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

func (b *build) bindingOf(name string) int {
	return slices.IndexFunc(b.bindings, func(x binding) bool { return x.Name == name })
}

// combinations are the choices of list values that multiply a metric, the
// first declared parameter varying slowest.
func (b *build) combinations(m *catalog.Metric) []boundParams {
	lists := b.lists(m)
	out := []boundParams{make(boundParams, len(b.bindings))}
	for _, i := range lists {
		var next []boundParams
		for _, c := range out {
			for v := range b.bindings[i].Values {
				n := slices.Clone(c)
				n[i] = v
				next = append(next, n)
			}
		}
		out = next
	}
	return out
}

func (b *build) tooLarge(metrics ...string) error {
	e := &planerr.Error{
		Code:    planerr.CodeParamExpansionTooLarge,
		Message: "the lists in params expand beyond 64 result columns",
		Metrics: metrics,
	}
	shorter := make(query.Bindings, len(b.q.Params))
	for i, p := range b.q.Params {
		if p.List {
			p.Values = p.Values[:1]
		}
		shorter[i] = p
	}
	e.Fragment = map[string]any{"params": shorter}
	return e
}

// key identifies the values that a metric's value depends on.
func (c boundParams) key() string {
	if len(c) == 0 {
		return ""
	}
	var s strings.Builder
	for i := range c {
		s.WriteByte(byte('0' + c[i]))
	}
	return s.String()
}

// tokens are the parts of a column name that say which list values it was
// computed with.
func (c boundParams) tokens(b *build, m *catalog.Metric) []string {
	lists := b.lists(m)
	if len(lists) == 0 {
		return nil
	}
	var out []string
	deps := b.dependencies(m)
	for _, i := range lists {
		d := deps[slices.IndexFunc(deps, func(p *catalog.Param) bool { return p.Name == b.bindings[i].Name })]
		out = append(out, params.Tokens(d, b.bindings[i].Values)[c[i]])
	}
	return out
}

// describeParams lists the bound values that a column was computed with.
func (b *build) describeParams(m *catalog.Metric, c boundParams) ([]BoundParam, error) {
	if len(b.bindings) == 0 {
		return nil, nil
	}
	var out []BoundParam
	for _, p := range b.dependencies(m) {
		i := b.bindingOf(p.Name)
		if i < 0 || slices.ContainsFunc(out, func(o BoundParam) bool { return o.Name == p.Name }) {
			continue
		}
		v, why := params.Read(p, b.bindings[i].Values[c[i]])
		if why != "" {
			return nil, b.outOfDomain(p, why)
		}
		out = append(out, BoundParam{Name: p.Name, Value: v.JSON})
	}
	return out, nil
}

// paramLiteral is the value of a metric's own slot as a literal.
func (b *build) paramLiteral(m *catalog.Metric, name string, e env) (sqlexpr.Expr, error) {
	i := slices.IndexFunc(m.Params, func(p *catalog.Param) bool { return p.Name == name })
	if i < 0 {
		return nil, internal("metric %s has a slot :%s and no such parameter", m.Name, name)
	}
	return b.literalOf(m.Params[i], e.params)
}

// literalOf is a parameter's bound value, else its default.
func (b *build) literalOf(p *catalog.Param, c boundParams) (sqlexpr.Expr, error) {
	if i := b.bindingOf(p.Name); i >= 0 {
		v, why := params.Read(p, b.bindings[i].Values[c[i]])
		if why != "" {
			return nil, b.outOfDomain(p, why)
		}
		return v.Expr, nil
	}
	if p.Default == nil {
		return nil, b.outOfDomain(p, "parameter "+p.Name+" has no default and the query does not bind it")
	}
	return p.Default, nil
}

// bindSlots replaces the parameter slots of a metric's predicate.
func (b *build) bindSlots(m *catalog.Metric, e sqlexpr.Expr, in env) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		p, ok := x.(*sqlexpr.Param)
		if !ok {
			return nil
		}
		v, err := b.paramLiteral(m, p.Name, in)
		if err != nil {
			failed = err
			return x
		}
		return v
	})
	if failed != nil {
		return nil, failed
	}
	return out, b.checkBoundTexts(e, out)
}

// checkBoundTexts refuses values of params that make the text functions of a slotted
// expression as expensive as no condition of a query may be. What the model alone does
// is its author's to decide.
func (b *build) checkBoundTexts(slotted, bound sqlexpr.Expr) error {
	if len(b.bindings) == 0 || sqlexpr.CheckTexts(slotted, sqlexpr.QueryLimits()) != nil {
		return nil
	}
	over := sqlexpr.CheckTexts(bound, sqlexpr.QueryLimits())
	if over == nil {
		return nil
	}
	for _, p := range sqlexpr.Params(slotted) {
		if d := b.boundText(p.Name); d != nil {
			return b.outOfDomain(d, "with the value of "+p.Name+", "+over.Problem)
		}
	}
	return nil
}

// boundText is the declaration of a text parameter that the query binds; nil for any
// other.
func (b *build) boundText(name string) *catalog.Param {
	if b.bindingOf(name) < 0 {
		return nil
	}
	declared := append(b.declaredParams(), b.lodParams()...)
	i := slices.IndexFunc(declared, func(d *catalog.Param) bool { return d.Name == name && d.Type == catalog.ParamString })
	if i < 0 {
		return nil
	}
	return declared[i]
}
