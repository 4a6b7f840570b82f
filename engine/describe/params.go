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

// params fills in the parameters that a query of the metric may bind.
func (d *Describer) params(m *catalog.Metric, info *Metric) {
	for _, p := range d.paramsOf(m) {
		if info.Params == nil {
			info.Params = map[string]any{}
			info.ParamSchema = map[string]ParamSchema{}
		}
		schema := schemaOf(p)
		info.Params[p.Name] = schema.Default
		info.ParamSchema[p.Name] = schema
	}
}

func schemaOf(p *catalog.Param) ParamSchema {
	schema := ParamSchema{
		Type:     string(p.Type),
		Required: p.Default == nil,
		Default:  literalValue(p.Default),
		Min:      literalValue(p.Min),
		Max:      literalValue(p.Max),
	}
	for _, v := range p.Allowed {
		schema.Allowed = append(schema.Allowed, literalValue(v))
	}
	return schema
}

// paramsOf lists the parameters that a query of the metric may bind, the first of each
// name.
func (d *Describer) paramsOf(m *catalog.Metric) []*catalog.Param {
	var out []*catalog.Param
	for _, p := range d.catalog.AllParams(m, d.target.Dialect) {
		if !slices.ContainsFunc(out, func(first *catalog.Param) bool { return first.Name == p.Name }) {
			out = append(out, p)
		}
	}
	return out
}

// literalValue is a literal as a JSON value: exact for numbers, nil for none.
func literalValue(e sqlexpr.Expr) any {
	switch e := e.(type) {
	case *sqlexpr.Number:
		return json.Number(e.Text)
	case *sqlexpr.String:
		return e.Value
	case *sqlexpr.Bool:
		return e.Value
	case *sqlexpr.Typed:
		return e.Value
	case *sqlexpr.Unary:
		if n, ok := literalValue(e.X).(json.Number); ok && e.Op == sqlexpr.OpNeg {
			return "-" + n
		}
	}
	return nil
}

// sampleBindings binds every parameter that has no default to some value of
// its domain, for questions about a metric that do not depend on the value.
func (d *Describer) sampleBindings(m *catalog.Metric) []query.ParamBinding {
	var out []query.ParamBinding
	for _, p := range d.paramsOf(m) {
		if p.Default == nil {
			out = append(out, query.ParamBinding{Name: p.Name, Values: []query.Value{sampleValue(p)}})
		}
	}
	return out
}

func sampleValue(p *catalog.Param) query.Value {
	var known any
	switch {
	case len(p.Allowed) > 0:
		known = literalValue(p.Allowed[0])
	case p.Min != nil:
		known = literalValue(p.Min)
	case p.Max != nil:
		known = literalValue(p.Max)
	}
	switch v := known.(type) {
	case json.Number:
		return query.Value{Kind: query.NumberValue, Text: string(v)}
	case string:
		return query.Value{Kind: query.StringValue, Text: v}
	}
	switch p.Type {
	case catalog.ParamString:
		return query.Value{Kind: query.StringValue, Text: "x"}
	case catalog.ParamBool:
		return query.Value{Kind: query.BoolValue, Text: "true"}
	case catalog.ParamDate:
		return query.Value{Kind: query.StringValue, Text: "2024-01-01"}
	}
	return query.Value{Kind: query.NumberValue, Text: "1"}
}
