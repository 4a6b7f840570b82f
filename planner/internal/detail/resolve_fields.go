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
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// resolveFields resolves what the query projects.
func (rq *queryWithRoot) resolveFields() ([]projectedField, error) {
	if len(rq.q.Fields) == 0 {
		return nil, rq.noFieldsError("the query names no fields")
	}
	if m := rq.projectedMetrics(); len(m) > 0 {
		return nil, rq.metricInDetailError(m)
	}
	fields := make([]projectedField, 0, len(rq.q.Fields))
	for i, text := range rq.q.Fields {
		if err := rq.ctx.Err(); err != nil {
			return nil, err
		}
		f, err := rq.resolveProjection(text)
		if err != nil {
			for _, unresolved := range rq.q.Fields[i:] {
				rq.in.Target.Uses.AddDimension(unresolved)
			}
			return nil, err
		}
		if uses := rq.in.Target.Uses; uses != nil {
			uses.AddDimension(scope.AppendUnit(f.ref.String(), f.group().UnitText()))
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// noFieldsError returns the error of a query that projects nothing; its retry projects
// the root's own fields.
func (rq *queryWithRoot) noFieldsError(message string) error {
	names := rq.rootFieldNames()
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

func (rq *queryWithRoot) rootFieldNames() []string {
	var names []string
	for f := range rq.cat.FieldsOf(rq.root) {
		if f.ErrorForDialect(rq.in.Target.Dialect) == nil {
			names = append(names, resolve.Ref{Field: f}.Text())
		}
	}
	return names
}

// resolveProjection resolves one projection, `reference`, `reference:grain` or `reference:part`.
func (rq *queryWithRoot) resolveProjection(text string) (projectedField, error) {
	spelling, unitText := catalog.SplitReferenceAndUnit(text)
	if strings.TrimSpace(spelling) == "" {
		return projectedField{}, rq.noFieldsError("a field of the query is blank")
	}
	part, grainText := sqlexpr.PartNone, unitText
	if rq.cat.Period(unitText) == nil {
		if part, _ = sqlexpr.ParseTimePart(unitText); part != sqlexpr.PartNone {
			grainText = ""
		}
	}
	unit, err := scope.ParseBucketUnit(rq.cat, grainText, func(better string) map[string]any {
		return rq.replaceFieldRetry(text, spelling+":"+better)
	})
	if err != nil {
		return projectedField{}, err
	}
	ref, err := rq.resolveReference(spelling)
	if err != nil {
		return projectedField{}, rq.addFieldSpellingRetry(err, text, unitText)
	}
	f := projectedField{text: spelling, ref: ref, grain: unit.Grain, period: unit.Period, part: part, name: ref.OutputName(), typ: ref.Field.Type}
	if unit.Period != nil {
		f.grain = sqlexpr.GrainDay
	}
	switch {
	case part != sqlexpr.PartNone:
		f.typ = sqlexpr.TypeInt
	case unit.IsZero():
		return f, nil
	default:
		f.typ = ref.Field.BucketType(f.grain)
	}
	f.name += "__" + unitText
	return f, rq.in.CheckUnit(f.group(), ref.Field, ref.String(), func(unit string) map[string]any {
		return rq.replaceFieldRetry(text, scope.AppendUnit(spelling, unit))
	})
}

// addFieldSpellingRetry turns the respelling that an error proposes for a projection into a retry.
func (rq *queryWithRoot) addFieldSpellingRetry(err error, text, unit string) error {
	var e *planerr.Error
	if !errors.As(err, &e) || e.Respelling == "" || e.Fragment != nil {
		return err
	}
	e.Fragment = rq.replaceFieldRetry(text, scope.AppendUnit(e.Respelling, unit))
	return e
}

// resolveReference resolves a reference of the query's JSON.
func (rq *queryWithRoot) resolveReference(text string) (resolve.Ref, error) {
	parts, err := resolve.SplitPath(text)
	if err != nil {
		return resolve.Ref{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    text + " is not a field reference",
			Candidates: suggest.Nearest(text, rq.fieldNamesInReach(), resolve.MaxCandidates),
		}
	}
	return rq.resolveNameParts(parts)
}

// resolveNameParts resolves a reference. The error suggests only fields that this
// root can project.
func (rq *queryWithRoot) resolveNameParts(parts []string) (resolve.Ref, error) {
	ref, err := rq.names.Resolve(parts)
	if err == nil {
		if cerr := ref.Field.ErrorForDialect(rq.in.Target.Dialect); cerr != nil {
			return resolve.Ref{}, cerr
		}
		return ref, nil
	}
	var perr *planerr.Error
	if errors.As(err, &perr) && perr.Code == planerr.CodeUnknownDimension && (len(parts) == 1 || rq.cat.Dataset(parts[0]) == nil && len(parts) == 2) {
		perr.Candidates, perr.UnknownName = suggest.Nearest(strings.Join(parts, "."), rq.fieldNamesInReach(), resolve.MaxCandidates), ""
	}
	return resolve.Ref{}, err
}

// fieldNamesInReach lists the fields within safe reach of the root, its own first.
func (rq *queryWithRoot) fieldNamesInReach() []string {
	names := rq.rootFieldNames()
	for f := range rq.cat.AllFields() {
		if f.Dataset != rq.root && rq.cat.ReachesSafely(rq.root, f.Dataset) && f.ErrorForDialect(rq.in.Target.Dialect) == nil {
			names = append(names, resolve.Ref{Field: f}.Text())
		}
	}
	return names
}

// replaceFieldRetry returns the fragment of a query that projects another field in place of one.
func (rq *queryWithRoot) replaceFieldRetry(text, replacement string) map[string]any {
	fields := slices.Clone(rq.q.Fields)
	for i := range fields {
		if fields[i] == text {
			fields[i] = replacement
		}
	}
	return map[string]any{"fields": fields}
}

// projectedMetrics lists the fields of the query that name a metric. A name
// that is also a field within reach means the field.
func (rq *queryWithRoot) projectedMetrics() []*catalog.Metric {
	var out []*catalog.Metric
	for _, text := range rq.q.Fields {
		if m := rq.metricByName(text); m != nil && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

func (rq *queryWithRoot) metricByName(text string) *catalog.Metric {
	spelling, _ := catalog.SplitReferenceAndUnit(text)
	parts, err := resolve.SplitPath(spelling)
	if err != nil || len(parts) != 1 {
		return nil
	}
	for _, f := range rq.cat.FieldsNamed(parts[0]) {
		if rq.cat.ReachesSafely(rq.root, f.Dataset) {
			return nil
		}
	}
	return rq.cat.Metric(parts[0])
}

// metricInDetailError returns the error of a projected metric; its retry is the equivalent metric
// query.
func (rq *queryWithRoot) metricInDetailError(metrics []*catalog.Metric) error {
	e := &planerr.Error{Code: planerr.CodeMetricInDetailQuery}
	for _, m := range metrics {
		e.Metrics = append(e.Metrics, m.Name)
	}
	is, what := " is a metric", "it is"
	if len(metrics) > 1 {
		is, what = " are metrics", "they are"
	}
	e.Message = strings.Join(e.Metrics, ", ") + is + ", which no single row of " + rq.root.Name + " has: " + what + " computed by a metric query"
	e.SuggestedRetry = rq.nearestMetricRequestText(e.Metrics)
	return e
}

// suggestedMetricRequest is a metric query as a caller sends it.
type suggestedMetricRequest struct {
	Metrics   []string           `json:"metrics"`
	With      []query.LocalField `json:"with,omitempty"`
	GroupBy   []query.GroupBy    `json:"group_by,omitempty"`
	WhereSQL  string             `json:"where_sql,omitempty"`
	TimeRange *query.TimeRange   `json:"time_range,omitempty"`
	AsOf      string             `json:"as_of,omitempty"`
	TimeZone  string             `json:"time_zone,omitempty"`
	WeekStart string             `json:"week_start,omitempty"`
}

// nearestMetricRequestText returns the metric query nearest to this one that plans: the
// projected fields as group-bys, as far as the metrics accept them.
func (rq *queryWithRoot) nearestMetricRequestText(metrics []string) string {
	var groups []query.GroupBy
	for _, text := range rq.q.Fields {
		if rq.metricByName(text) != nil {
			continue
		}
		if f, err := rq.resolveProjection(text); err == nil {
			groups = append(groups, query.GroupBy{Field: f.ref.Text()}.WithUnit(f.group().UnitText()))
		}
	}
	plans := func(c suggestedMetricRequest) bool {
		_, err := metric.Plan(rq.ctx, rq.cat, &query.MetricQuery{
			Metrics: c.Metrics, GroupBy: c.GroupBy, WhereSQL: c.WhereSQL, TimeRange: c.TimeRange, Params: rq.q.Params,
			AsOf: c.AsOf, TimeZone: c.TimeZone, WeekStart: c.WeekStart,
		}, rq.in.Target)
		return err == nil
	}
	whole := suggestedMetricRequest{
		Metrics: metrics, With: rq.q.With, GroupBy: groups, WhereSQL: rq.q.WhereSQL, TimeRange: rq.q.TimeRange,
		AsOf: rq.q.AsOf, TimeZone: rq.q.TimeZone, WeekStart: rq.q.WeekStart,
	}
	if plans(whole) {
		return formatMetricRequest(whole)
	}
	bare := suggestedMetricRequest{Metrics: metrics, With: rq.q.With}
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
	return formatMetricRequest(bare)
}

func formatMetricRequest(c suggestedMetricRequest) string {
	text, err := repair.PrintFragment(c)
	if err != nil {
		return ""
	}
	return text
}
