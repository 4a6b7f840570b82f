package describe

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Metric describes one metric.
type Metric struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // aggregate, ratio or expression
	Datasets []string `json:"datasets"`
	Measures []string `json:"measures"`
	// Additivity is whether values of several groups add up: additive, semi_additive or non_additive.
	Additivity string `json:"additivity"`
	// TimeDimension is the metric's time axis, a qualified name.
	TimeDimension string `json:"time_dimension,omitempty"`
	// Definition is what the metric computes, on one line, cut after 4,096 bytes; MetricDefinition has the whole. A metric that
	// does not compile has none.
	Definition  string `json:"definition,omitempty"`
	Description string `json:"description,omitempty"`
	AIContext   any    `json:"ai_context,omitempty"`
	Datatype    string `json:"datatype,omitempty"`
	Unit        string `json:"unit,omitempty"`
	Format      string `json:"format,omitempty"`
	SubjectPath any    `json:"subject_path,omitempty"`
	// Label is the name of the metric for people.
	Label string `json:"label,omitempty"`
	// Folder is the path of the folder that a view has it in, with a slash between folders.
	Folder string `json:"folder,omitempty"`
	// Headline: the metric is among the first that a page shows.
	Headline bool `json:"headline,omitempty"`
	// Better is the change that is good: up or down.
	Better string `json:"better,omitempty"`
	// SQLAggregates are the aggregates that SQL statements may write around the metric.
	SQLAggregates []string `json:"sql_aggregates,omitempty"`
	// Grains are the only grains and periods of calendars at which the metric has its meaning: those that it and all its
	// members declare. It is absent where none declares any.
	Grains []string `json:"grains,omitempty"`

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

// Metrics lists the metrics in the order of the model, including those that did not
// compile: a query that names one fails with its compile error. Metrics returns the error
// of ctx if ctx ends first.
func (d *Describer) Metrics(ctx context.Context) ([]Metric, error) {
	shown := d.catalog.ShownMetrics()
	out := make([]Metric, 0, len(shown))
	for _, m := range shown {
		out = append(out, d.describeMetric(ctx, m))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// MetricNames lists the names of the metrics in the order of the model.
func (d *Describer) MetricNames() []string {
	shown := d.catalog.ShownMetrics()
	out := make([]string, len(shown))
	for i, m := range shown {
		out[i] = m.Name
	}
	return out
}

// Metric describes one metric. The error is a *planerr.Error of code unknown_metric, the
// *modelspec.CompileError of a metric that did not compile, or that of ctx.
func (d *Describer) Metric(ctx context.Context, name string) (Metric, error) {
	m, err := d.FindMetric(name)
	switch {
	case err != nil:
		return Metric{}, err
	case m.Err != nil:
		return Metric{}, m.Err
	}
	found := d.describeMetric(ctx, m)
	if err := ctx.Err(); err != nil {
		return Metric{}, err
	}
	return found, nil
}

// FindMetric returns the metric of this name. The error is a *planerr.Error of code
// unknown_metric.
func (d *Describer) FindMetric(name string) (*catalog.Metric, error) {
	if m := d.catalog.Metric(name); m != nil {
		return m, nil
	}
	return nil, &planerr.Error{
		Code:       planerr.CodeUnknownMetric,
		Message:    "the model has no metric " + planerr.ClipText(name),
		Metrics:    []string{name},
		Candidates: suggest.Nearest(name, d.MetricNames(), suggest.MaxCandidates), UnknownName: name,
	}
}

// describeMetric describes a metric. Once ctx has ended, its attribution is not known.
func (d *Describer) describeMetric(ctx context.Context, m *catalog.Metric) Metric {
	info := Metric{
		Name:        m.Name,
		Kind:        string(m.Kind),
		Datasets:    []string{},
		Measures:    []string{},
		Additivity:  string(m.Additivity()),
		Description: m.Description,
		AIContext:   m.AIContext,
		Datatype:    m.Datatype.String(),
		Unit:        m.Unit,
		Format:      m.Format,
		SubjectPath: m.SubjectPath,
		Headline:    m.Headline,
		Better:      m.Better,
		Attribution: d.attributionSupport(ctx, m),

		SQLAggregates:    m.SQLAggregates,
		RequiresTimeAxis: m.NeedsTimeAxis(d.target.Dialect),
	}
	info.Label, info.Folder = d.labelAndFolder(m.Name, m.Label)
	grains, _ := m.SupportedGrains(d.target.Dialect)
	for _, g := range grains {
		info.Grains = append(info.Grains, g.String())
	}
	if m.Err != nil {
		info.Kind = string(catalog.KindExpression) // the kind is unknown without its expression
	}
	for _, dataset := range append(slices.Clip(m.Datasets), d.catalog.DatasetsJoinedByMetric(m, d.target.Dialect)...) {
		info.Datasets = append(info.Datasets, dataset.Name)
	}
	if axis := m.TimeAxisField(); axis != nil {
		info.TimeDimension = axis.QualifiedName()
	}
	if m.Err == nil {
		info.Definition = cutDefinition(d.MetricDefinition(m))
	}
	if m.Err == nil && !m.Revealed {
		for _, leaf := range m.LeafMeasures() {
			info.Measures = append(info.Measures, leaf.Name)
		}
	}
	if w := m.Window; w != nil {
		info.WindowFamily, info.WindowFunction = w.Family(), w.FunctionOrCalculation()
	}
	d.setDerivedMetricInfo(m, &info)
	d.setParamsOfMetricInfo(m, &info)
	return info
}

// attributionSupport reports whether a change of the metric can be attributed exactly.
func (d *Describer) attributionSupport(ctx context.Context, m *catalog.Metric) string {
	if d.planner.IsAttributable(ctx, m.Name, d.target) {
		return "exact"
	}
	return "unsupported"
}

// setDerivedMetricInfo fills in the derive fields.
func (d *Describer) setDerivedMetricInfo(m *catalog.Metric, info *Metric) {
	if m.Derive == nil && len(m.MemberMetricsOnDialect("")) == 0 {
		return
	}
	if m.Revealed {
		if info.DeriveFamily = "compose"; m.Derive != nil && m.Derive.Base != nil {
			info.DeriveFamily = "filter"
		}
		return
	}
	for _, l := range m.LeafMeasures() {
		info.LeafMeasures = append(info.LeafMeasures, l.Name)
	}
	if f := m.Derive; f != nil && f.Base != nil {
		info.DeriveFamily, info.DeriveBase, info.DeriveExpr = "filter", f.Base.Name, f.Text
		return
	}
	info.DeriveFamily = "compose"
	form := m.Forms.Default
	if m.Derive != nil {
		info.DeriveExpr = m.Derive.Text
	} else {
		info.DeriveExpr = arithmeticText(form)
	}
	var linear []float64 // nil where the form is not linear
	if m.At == nil {
		linear = attribution.LinearCoefficients(form.Expr, len(form.Operands))
	}
	for i, o := range form.Operands {
		member, ok := o.(*catalog.Metric)
		if !ok {
			continue
		}
		described := DeriveMember{Metric: member.Name}
		if linear != nil {
			described.Coefficient = &linear[i]
		}
		info.DeriveMembers = append(info.DeriveMembers, described)
	}
	for _, f := range d.catalog.ConformedDimensions(m) {
		info.ConformedDimensions = append(info.ConformedDimensions, f.QualifiedName())
	}
}

// arithmeticText prints a metric's arithmetic with its members' names.
func arithmeticText(form *catalog.ArithmeticOverOperands) string {
	return sqlexpr.Format(sqlexpr.RewriteRefs(form.Expr, func(ref *sqlexpr.Ref) sqlexpr.Expr {
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
