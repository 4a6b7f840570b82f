package describe

import (
	"encoding/json"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// ParamSchema describes one parameter. Values are JSON scalars.
type ParamSchema struct {
	Type     string `json:"type"` // int, float, string, bool or date
	Required bool   `json:"required"`
	Default  any    `json:"default,omitempty"`
	Allowed  []any  `json:"allowed,omitempty"`
	Min      any    `json:"min,omitempty"`
	Max      any    `json:"max,omitempty"`
}

// setParamsOfMetricInfo fills in the parameters that a query of the metric may bind.
func (d *Describer) setParamsOfMetricInfo(m *catalog.Metric, info *Metric) {
	for _, p := range d.bindableParams(m) {
		if info.Params == nil {
			info.Params = map[string]any{}
			info.ParamSchema = map[string]ParamSchema{}
		}
		schema := newParamSchema(p)
		info.Params[p.Name] = schema.Default
		info.ParamSchema[p.Name] = schema
	}
}

func newParamSchema(p *catalog.Param) ParamSchema {
	schema := ParamSchema{
		Type:     string(p.Type),
		Required: p.Default == nil,
		Default:  literalAsJSONValue(p.Default),
		Min:      literalAsJSONValue(p.Min),
		Max:      literalAsJSONValue(p.Max),
	}
	for _, v := range p.Allowed {
		schema.Allowed = append(schema.Allowed, literalAsJSONValue(v))
	}
	return schema
}

// bindableParams lists the parameters that a query of the metric may bind, the first of each
// name.
func (d *Describer) bindableParams(m *catalog.Metric) []*catalog.Param {
	var out []*catalog.Param
	for _, p := range d.catalog.ParamsOfMetric(m, d.target.Dialect) {
		if !slices.ContainsFunc(out, func(first *catalog.Param) bool { return first.Name == p.Name }) {
			out = append(out, p)
		}
	}
	return out
}

// literalAsJSONValue returns a literal as a JSON value: exact for numbers, nil for none.
func literalAsJSONValue(e sqlexpr.Expr) any {
	switch e := e.(type) {
	case *sqlexpr.Number:
		return json.Number(e.Text)
	case *sqlexpr.String:
		return e.Value
	case *sqlexpr.Bool:
		return e.Value
	case *sqlexpr.TypedLiteral:
		return e.Value
	case *sqlexpr.Unary:
		if n, ok := literalAsJSONValue(e.X).(json.Number); ok && e.Op == sqlexpr.OpNeg {
			return "-" + n
		}
	}
	return nil
}

// SampleParamBindings binds every parameter that has no default to some value of
// its domain, for questions about a metric that do not depend on the value.
func (d *Describer) SampleParamBindings(m *catalog.Metric) []query.ParamBinding {
	var out []query.ParamBinding
	for _, p := range d.bindableParams(m) {
		if p.Default == nil {
			out = append(out, query.ParamBinding{Name: p.Name, Values: []query.ParamValue{sampleParamValue(p)}})
		}
	}
	return out
}

func sampleParamValue(p *catalog.Param) query.ParamValue {
	var known any
	switch {
	case len(p.Allowed) > 0:
		known = literalAsJSONValue(p.Allowed[0])
	case p.Min != nil:
		known = literalAsJSONValue(p.Min)
	case p.Max != nil:
		known = literalAsJSONValue(p.Max)
	}
	switch v := known.(type) {
	case json.Number:
		return query.ParamValue{Kind: query.NumberValue, Text: string(v)}
	case string:
		return query.ParamValue{Kind: query.StringValue, Text: v}
	}
	switch p.Type {
	case catalog.ParamString:
		return query.ParamValue{Kind: query.StringValue, Text: "x"}
	case catalog.ParamBool:
		return query.ParamValue{Kind: query.BoolValue, Text: "true"}
	case catalog.ParamDate:
		return query.ParamValue{Kind: query.StringValue, Text: "2024-01-01"}
	}
	return query.ParamValue{Kind: query.NumberValue, Text: "1"}
}
