package engine

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// MetricInfo describes one metric.
type MetricInfo struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // aggregate, ratio or expression
	Datasets []string `json:"datasets"`
	Measures []string `json:"measures"`
	// TimeDimension is the metric's time axis, a qualified name.
	TimeDimension string `json:"time_dimension,omitempty"`
	Description   string `json:"description,omitempty"`
	AIContext     any    `json:"ai_context,omitempty"`
	Datatype      string `json:"datatype,omitempty"`
	Unit          string `json:"unit,omitempty"`
	Format        string `json:"format,omitempty"`
	SubjectPath   any    `json:"subject_path,omitempty"`

	WindowFamily     string `json:"window_family,omitempty"`
	WindowFunction   string `json:"window_function,omitempty"`
	RequiresTimeAxis bool   `json:"requires_time_axis,omitempty"`

	DeriveFamily  string         `json:"derive_family,omitempty"` // filter or compose
	DeriveBase    string         `json:"derive_base,omitempty"`
	DeriveExpr    string         `json:"derive_expr,omitempty"`
	DeriveMembers []DeriveMember `json:"derive_members,omitempty"`
	LeafMeasures  []string       `json:"leaf_measures,omitempty"`
	// ConformedDimensions of a compose are those that all members share.
	ConformedDimensions []string `json:"conformed_dimensions,omitempty"`

	Params      map[string]any         `json:"params,omitempty"` // name to default, null without one
	ParamSchema map[string]ParamSchema `json:"param_schema,omitempty"`

	Attribution string `json:"attribution"` // exact or unsupported
}

// DeriveMember is one metric of a compose. Coefficient is absent where the
// arithmetic is not linear.
type DeriveMember struct {
	Metric      string   `json:"metric"`
	Coefficient *float64 `json:"coefficient,omitempty"`
}

// Metrics lists the metrics in the order of the model, those that did not
// compile included: naming one answers with its compile error. The error is an
// *ExecuteError of code timeout when ctx ended first.
func (e *Engine) Metrics(ctx context.Context) (out []MetricInfo, err error) {
	defer e.contain(&err)
	out = make([]MetricInfo, 0, len(e.cat.Metrics))
	for _, m := range e.cat.Metrics {
		if err := ctx.Err(); err != nil {
			return nil, e.unplanned(ctx, err)
		}
		out = append(out, e.metricInfo(m))
	}
	return out, nil
}

// MetricNames lists the names of the metrics in the order of the model.
func (e *Engine) MetricNames() []string {
	out := make([]string, len(e.cat.Metrics))
	for i, m := range e.cat.Metrics {
		out[i] = m.Name
	}
	return out
}

func (e *Engine) metricInfo(m *catalog.Metric) MetricInfo {
	info := MetricInfo{
		Name:        m.Name,
		Kind:        string(m.Kind),
		Datasets:    []string{},
		Measures:    []string{},
		Description: m.Description,
		AIContext:   m.AIContext,
		Datatype:    m.Datatype,
		Unit:        m.Unit,
		Format:      m.Format,
		SubjectPath: m.SubjectPath,
		Attribution: e.attribution(m),

		RequiresTimeAxis: m.NeedsTimeAxis(localDialect),
	}
	if m.Err != nil {
		info.Kind = string(catalog.KindExpression) // as far as anyone can tell
	}
	for _, d := range m.Datasets {
		info.Datasets = append(info.Datasets, d.Name)
	}
	if axis := m.Axis(); axis != nil {
		info.TimeDimension = axis.Qualified()
	}
	if m.Err == nil {
		for _, leaf := range m.Leaves() {
			info.Measures = append(info.Measures, leaf.Name)
		}
	}
	if w := m.Window; w != nil {
		info.WindowFamily, info.WindowFunction = w.Family(), w.Function()
	}
	e.describeDerive(m, &info)
	e.describeParams(m, &info)
	return info
}

// describeDerive fills in the derive fields.
func (e *Engine) describeDerive(m *catalog.Metric, info *MetricInfo) {
	if m.Derive == nil && len(m.MembersFor("")) == 0 {
		return
	}
	for _, l := range m.Leaves() {
		info.LeafMeasures = append(info.LeafMeasures, l.Name)
	}
	if d := m.Derive; d != nil && d.Base != nil {
		info.DeriveFamily, info.DeriveBase, info.DeriveExpr = "filter", d.Base.Name, d.Text
		return
	}
	info.DeriveFamily = "compose"
	form := m.Forms.Default
	if m.Derive != nil {
		info.DeriveExpr = m.Derive.Text
	} else {
		info.DeriveExpr = formText(form)
	}
	linear := linearForm(form)
	for i, o := range form.Operands {
		member, ok := o.(*catalog.Metric)
		if !ok {
			continue
		}
		d := DeriveMember{Metric: member.Name}
		if linear != nil {
			c := linear[i]
			d.Coefficient = &c
		}
		info.DeriveMembers = append(info.DeriveMembers, d)
	}
	for _, f := range e.cat.Conformed(m) {
		info.ConformedDimensions = append(info.ConformedDimensions, f.Qualified())
	}
}

// formText prints a metric's arithmetic with its members' names.
func formText(form *catalog.Form) string {
	return sqlexpr.Format(sqlexpr.Rewrite(form.Expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		ref, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		name := ""
		switch o := form.Operands[ref.ID].(type) {
		case *catalog.Measure:
			name = o.Name
		case *catalog.Metric:
			name = o.Name
		}
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name}}}
	}))
}
