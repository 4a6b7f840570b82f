package detail

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// resolveFields resolves what the query projects.
func (d *source) resolveFields() ([]field, error) {
	if len(d.q.Fields) == 0 {
		return nil, d.noFieldsError("the query names no fields")
	}
	if m := d.projectedMetrics(); len(m) > 0 {
		return nil, d.metricInDetailError(m)
	}
	fields := make([]field, 0, len(d.q.Fields))
	for _, text := range d.q.Fields {
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		f, err := d.field(text)
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// noFieldsError is the error of a query that projects nothing; its retry projects
// the root's own fields.
func (d *source) noFieldsError(message string) error {
	names := d.rootFields()
	e := &planerr.Error{
		Code:       planerr.CodeUnknownDimension,
		Message:    message,
		Candidates: names[:min(len(names), resolve.MaxCandidates)],
	}
	if len(names) > 0 {
		e.Fragment = map[string]any{"fields": e.Candidates}
	}
	return e
}

func (d *source) rootFields() []string {
	var names []string
	for _, f := range d.root.Fields {
		if f.ErrFor(d.in.Target.Dialect) == nil {
			names = append(names, resolve.Ref{Field: f}.Text())
		}
	}
	return names
}

// field resolves one projection, `reference` or `reference:grain`.
func (d *source) field(text string) (field, error) {
	spelling, grainText := splitGrain(text)
	if strings.TrimSpace(spelling) == "" {
		return field{}, d.noFieldsError("a field of the query is blank")
	}
	grain, err := metric.ParseGrain(grainText, func(lower string) map[string]any {
		return d.replaceField(text, spelling+":"+lower)
	})
	if err != nil {
		return field{}, err
	}
	ref, err := d.resolve(spelling)
	if err != nil {
		return field{}, err
	}
	f := field{text: spelling, ref: ref, grain: grain, name: ref.OutputName(), typ: ref.Field.Type}
	if grain == sqlexpr.GrainNone {
		return f, nil
	}
	f.name += "__" + grain.String()
	f.typ = sqlexpr.TypeDate
	return f, d.checkTimeGrain(text, f)
}

// splitGrain cuts `reference:grain` at the last colon outside of quotes.
func splitGrain(text string) (reference, grain string) {
	quoted, at := false, -1
	for i := range len(text) {
		switch text[i] {
		case '"':
			quoted = !quoted
		case ':':
			if !quoted {
				at = i
			}
		}
	}
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at+1:]
}

// resolve resolves a reference of the query's JSON.
func (d *source) resolve(text string) (resolve.Ref, error) {
	parts, err := resolve.SplitPath(text)
	if err != nil {
		return resolve.Ref{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    text + " is not a field reference",
			Candidates: suggest.Nearest(text, d.detailNames(), resolve.MaxCandidates),
		}
	}
	return d.resolveParts(parts)
}

// resolveParts resolves a reference. The error suggests only fields that this
// root can project.
func (d *source) resolveParts(parts []string) (resolve.Ref, error) {
	ref, err := d.names.Resolve(parts)
	if err == nil {
		if cerr := ref.Field.ErrFor(d.in.Target.Dialect); cerr != nil {
			return resolve.Ref{}, cerr
		}
		return ref, nil
	}
	var perr *planerr.Error
	if errors.As(err, &perr) && perr.Code == planerr.CodeUnknownDimension && (len(parts) == 1 || d.cat.Dataset(parts[0]) == nil && len(parts) == 2) {
		perr.Candidates = suggest.Nearest(strings.Join(parts, "."), d.detailNames(), resolve.MaxCandidates)
	}
	return resolve.Ref{}, err
}

// detailNames lists the fields within safe reach of the root, its own first.
func (d *source) detailNames() []string {
	names := d.rootFields()
	for _, f := range d.cat.Fields {
		if f.Dataset != d.root && d.cat.Reaches(d.root, f.Dataset) && f.ErrFor(d.in.Target.Dialect) == nil {
			names = append(names, resolve.Ref{Field: f}.Text())
		}
	}
	return names
}

// checkTimeGrain refuses a grain on a field that has no calendar, or one finer
// than what the field stores.
func (d *source) checkTimeGrain(text string, f field) error {
	if !f.ref.Field.HasCalendar() {
		return &planerr.Error{
			Code:     planerr.CodeGrainOnNonTimeDimension,
			Message:  f.ref.String() + " is not a time dimension that takes a grain, so " + f.grain.String() + " means nothing on it",
			Fragment: d.replaceField(text, f.text),
		}
	}
	if stored := f.ref.Field.StoredGrain(); f.grain < stored {
		return &planerr.Error{
			Code:     planerr.CodeGrainTooFine,
			Message:  f.ref.String() + " is stored by " + stored.String() + ", which cannot be split by " + f.grain.String(),
			Fragment: d.replaceField(text, withGrain(f.text, stored)),
		}
	}
	return nil
}

// replaceField is the fragment of a query that projects another field in place of one.
func (d *source) replaceField(text, replacement string) map[string]any {
	fields := slices.Clone(d.q.Fields)
	for i := range fields {
		if fields[i] == text {
			fields[i] = replacement
		}
	}
	return map[string]any{"fields": fields}
}

// projectedMetrics lists the fields of the query that name a metric. A name
// that is also a field within reach means the field.
func (d *source) projectedMetrics() []*catalog.Metric {
	var out []*catalog.Metric
	for _, text := range d.q.Fields {
		if m := d.metricByName(text); m != nil && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

func (d *source) metricByName(text string) *catalog.Metric {
	spelling, _ := splitGrain(text)
	parts, err := resolve.SplitPath(spelling)
	if err != nil || len(parts) != 1 {
		return nil
	}
	for _, f := range d.cat.FieldsNamed(parts[0]) {
		if d.cat.Reaches(d.root, f.Dataset) {
			return nil
		}
	}
	return d.cat.Metric(parts[0])
}

// metricInDetailError is the error of a projected metric; its retry is the equivalent metric
// query.
func (d *source) metricInDetailError(metrics []*catalog.Metric) error {
	e := &planerr.Error{Code: planerr.CodeMetricInDetailQuery}
	for _, m := range metrics {
		e.Metrics = append(e.Metrics, m.Name)
	}
	is, what := " is a metric", "it is"
	if len(metrics) > 1 {
		is, what = " are metrics", "they are"
	}
	e.Message = strings.Join(e.Metrics, ", ") + is + ", which no single row of " + d.root.Name + " has: " + what + " computed by a metric query"
	e.SuggestedRetry = d.asMetricQuery(e.Metrics)
	return e
}

// metricCall is a metric query as a caller sends it.
type metricCall struct {
	Metrics   []string         `json:"metrics"`
	GroupBy   []query.GroupBy  `json:"group_by,omitempty"`
	WhereSQL  string           `json:"where_sql,omitempty"`
	TimeRange *query.TimeRange `json:"time_range,omitempty"`
}

// asMetricQuery is the metric query nearest to this one that plans: the
// projected fields as group-bys, as far as the metrics accept them.
func (d *source) asMetricQuery(metrics []string) string {
	var groups []query.GroupBy
	for _, text := range d.q.Fields {
		if d.metricByName(text) != nil {
			continue
		}
		if f, err := d.field(text); err == nil {
			g := query.GroupBy{Field: f.ref.Text()}
			if f.grain != sqlexpr.GrainNone {
				g.Grain = f.grain.String()
			}
			groups = append(groups, g)
		}
	}
	plans := func(c metricCall) bool {
		_, err := metric.Plan(d.ctx, d.cat, &query.MetricQuery{
			Metrics: c.Metrics, GroupBy: c.GroupBy, WhereSQL: c.WhereSQL, TimeRange: c.TimeRange, Params: d.q.Params,
		}, d.in.Target)
		return err == nil
	}
	whole := metricCall{Metrics: metrics, GroupBy: groups, WhereSQL: d.q.WhereSQL, TimeRange: d.q.TimeRange}
	if plans(whole) {
		return callText(whole)
	}
	bare := metricCall{Metrics: metrics}
	for _, g := range groups[:min(len(groups), resolve.MaxCandidates)] {
		more := bare
		more.GroupBy = append(slices.Clone(bare.GroupBy), g)
		if plans(more) {
			bare = more
		}
	}
	if !plans(bare) {
		return "ask for " + strings.Join(metrics, ", ") + " in the metrics of a metric query"
	}
	return callText(bare)
}

func callText(c metricCall) string {
	text, err := repair.Text(c)
	if err != nil {
		return ""
	}
	return text
}
