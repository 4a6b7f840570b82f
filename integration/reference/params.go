package reference

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// paramValues holds the values that the query gives to parameters, by name.
type paramValues map[string]Value

// lookupForMetric gives the values of a metric's parameters: bound, or the default.
func (b paramValues) lookupForMetric(m *catalog.Metric) func(string) Value {
	return b.lookupForParams(m.Params)
}

func (b paramValues) lookupForParams(params []*catalog.Param) func(string) Value {
	return func(name string) Value {
		if v, ok := b[name]; ok {
			return v
		}
		for _, p := range params {
			if p.Name == name && p.Default != nil {
				return evalConstant(p.Default)
			}
		}
		failUnsupported("the parameter %s without a value", name)
		return nil
	}
}

// resolveWindowCount returns an integer of a window, given as a literal or as a parameter.
func (b paramValues) resolveWindowCount(m *catalog.Metric, c catalog.WindowCountOrParam) int {
	if c.Param == "" {
		return c.N
	}
	v := b.lookupForMetric(m)(c.Param)
	if v == nil {
		return 1 // nothing is computed; the search for other errors continues
	}
	return int(toFloat(v))
}

func evalConstant(x sqlexpr.Expr) Value { return evalContext{}.eval(x) }

// paramsOfMetricAndMembers lists the parameters that a metric depends on: its own, then those of
// what it is made of, then those of level-of-detail fields inside.
func paramsOfMetricAndMembers(cat *catalog.Catalog, m *catalog.Metric) []*catalog.Param {
	out := slices.Clone(m.Params)
	add := func(more []*catalog.Param) {
		for _, p := range more {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	if m.Derive != nil && m.Derive.Base != nil {
		add(paramsOfMetricAndMembers(cat, m.Derive.Base))
	} else if form := m.Forms.ForDialect(expressionDialect); form != nil {
		for _, o := range form.Operands {
			if member, ok := o.(*catalog.Metric); ok {
				add(paramsOfMetricAndMembers(cat, member))
			}
		}
	}
	for _, use := range measuresOfMetric(m, nil) {
		for _, f := range lodFieldsOfMeasureUse(cat, nil, use) {
			add(f.LOD.Params)
		}
	}
	return out
}

// expandMetricsByParams checks the bindings and multiplies metrics into columns.
func (e *evaluator) expandMetricsByParams() {
	for _, m := range e.metrics {
		for _, p := range paramsOfMetricAndMembers(e.cat, m) {
			e.checkBinding(p)
		}
	}
	e.paramsUnknown = len(e.must) > 0
	total := 0
	for _, m := range e.metrics {
		expanded := e.expandMetricColumns(m)
		if total += len(expanded); total > 64 && len(expanded) > 1 {
			e.addMustRejectCode("param_expansion_too_large")
			return
		}
		for _, c := range expanded {
			if len(e.q.TimeRanges) == 0 {
				e.columns = append(e.columns, c)
				continue
			}
			for i, r := range e.q.TimeRanges {
				e.columns = append(e.columns, metricColumn{c.metric, c.binding, i, c.name + "__" + r.Tag})
			}
		}
	}
}

// checkParams rejects bindings of what nothing in the query declares, and judges
// those of level-of-detail fields that only group-bys and conditions read.
func (e *evaluator) checkParams() {
	for _, f := range e.lodFieldsOfQuery() {
		for _, p := range f.LOD.Params {
			e.checkBinding(p)
			if given := e.bindingOfParam(p.Name); given != nil && given.List {
				e.addMustRejectCode("param_out_of_domain") // a value of a row has one value
			}
		}
	}
	for _, p := range e.q.Params {
		known := slices.ContainsFunc(e.metrics, func(m *catalog.Metric) bool {
			return slices.ContainsFunc(paramsOfMetricAndMembers(e.cat, m), func(q *catalog.Param) bool { return q.Name == p.Name })
		})
		if !known && !e.isParamOfLODFieldInQuery(p.Name) {
			e.addMustRejectCode("unknown_metric_param")
		}
	}

}

func (e *evaluator) bindingOfParam(name string) *query.ParamBinding {
	for i := range e.q.Params {
		if e.q.Params[i].Name == name {
			return &e.q.Params[i]
		}
	}
	return nil
}

// expandMetricColumns makes one column for each combination of the values in lists.
func (e *evaluator) expandMetricColumns(m *catalog.Metric) []metricColumn {
	columns := []metricColumn{{metric: m, binding: paramValues{}, name: m.Name}}
	for _, p := range paramsOfMetricAndMembers(e.cat, m) {
		given := e.bindingOfParam(p.Name)
		if e.paramsUnknown {
			columns[0].binding[p.Name] = nil
			continue
		}
		if _, done := columns[0].binding[p.Name]; done || given == nil {
			continue // a name binds all parameters that have it
		}
		var longer []metricColumn
		for _, c := range columns {
			for i, v := range given.Values {
				value, _ := parameterValue(p, v)
				bound := paramValues{p.Name: value}
				for name, other := range c.binding {
					bound[name] = other
				}
				name := c.name
				if given.List {
					name += "__" + columnNameTokens(given.Values)[i]
				}
				longer = append(longer, metricColumn{metric: m, binding: bound, name: name})
			}
		}
		columns = longer
	}
	return columns
}

// checkBinding rejects values outside of a parameter's type or domain.
func (e *evaluator) checkBinding(p *catalog.Param) {
	given := e.bindingOfParam(p.Name)
	if given == nil {
		if p.Default == nil {
			e.addMustRejectCode("param_out_of_domain")
		}
		return
	}
	seen := map[string]bool{}
	for _, v := range given.Values {
		value, ok := parameterValue(p, v)
		if !ok || !isInParamDomain(p, value) || seen[groupKey(value)] {
			e.addMustRejectCode("param_out_of_domain")
			return
		}
		seen[groupKey(value)] = true
	}
	if len(given.Values) == 0 {
		e.addMustRejectCode("param_out_of_domain")
	}
}

func isInParamDomain(p *catalog.Param, v Value) bool {
	if len(p.Allowed) > 0 && !slices.ContainsFunc(p.Allowed, func(x sqlexpr.Expr) bool { return groupKey(evalConstant(x)) == groupKey(v) }) {
		return false
	}
	return (p.Min == nil || compareNullsLast(v, evalConstant(p.Min)) >= 0) && (p.Max == nil || compareNullsLast(v, evalConstant(p.Max)) <= 0)
}

// parameterValue reads a value as the type that its parameter declares.
func parameterValue(p *catalog.Param, v query.ParamValue) (Value, bool) {
	switch {
	case (p.Type == catalog.ParamInt || p.Type == catalog.ParamFloat) && v.Kind == query.NumberValue:
		n, err := strconv.ParseFloat(v.Text, 64)
		return n, err == nil && (p.Type == catalog.ParamFloat || n == float64(int64(n)))
	case p.Type == catalog.ParamString && v.Kind == query.StringValue:
		return v.Text, true
	case p.Type == catalog.ParamBool && v.Kind == query.BoolValue:
		return v.Text == "true", true
	case p.Type == catalog.ParamDate && v.Kind == query.StringValue:
		t, err := time.Parse(time.DateOnly, v.Text)
		return dateOfTime(t), err == nil
	}
	return nil, false
}

// columnNameTokens returns what values contribute to column names: those that would become
// equal take the hash of their text.
func columnNameTokens(values []query.ParamValue) []string {
	texts := make([]string, len(values))
	out := make([]string, len(values))
	count := map[string]int{}
	for i, v := range values {
		texts[i] = v.Text
		if v.Kind == query.NumberValue {
			n, _ := strconv.ParseFloat(v.Text, 64)
			texts[i] = strconv.FormatFloat(n, 'f', -1, 64)
		}
		out[i] = columnNameToken(texts[i])
		count[out[i]]++
	}
	for i := range out {
		if count[out[i]] > 1 {
			sum := sha256.Sum256([]byte(texts[i]))
			out[i] += "_h" + hex.EncodeToString(sum[:])[:8]
		}
	}
	return out
}

func columnNameToken(text string) string {
	out := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		text, out = rest, "neg"
	}
	for _, r := range text {
		if r < 128 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			out += string(r)
		} else if !strings.HasSuffix(out, "_") {
			out += "_"
		}
	}
	return out
}
