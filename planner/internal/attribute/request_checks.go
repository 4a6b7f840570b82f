package attribute

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// checkDimensionsGivenOnce requires dimensions, none of them blank or named twice, however it
// is spelled.
func (r *attributionRequest) checkDimensionsGivenOnce() error {
	if len(r.q.Dimensions) == 0 || slices.ContainsFunc(r.q.Dimensions, isBlank) {
		return r.dimensionsRequiredError()
	}
	rest, err := r.distinctDimensions()
	if err != nil {
		return err
	}
	if len(rest) < len(r.q.Dimensions) {
		return &planerr.Error{
			Code:     planerr.CodeDuplicateOutputName,
			Message:  "a dimension is named twice",
			Fragment: map[string]any{"dimensions": rest},
		}
	}
	return nil
}

// distinctDimensions returns the request's dimensions, each once. A name that is not a field
// counts as a separate dimension here; planning its query rejects it.
func (r *attributionRequest) distinctDimensions() ([]string, error) {
	in := r.newMetricEnv(&query.MetricQuery{Metrics: []string{r.metric.Name}})
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return nil, err
	}
	var out []string
	var refs []resolve.Ref
	for _, name := range naming.RemoveDuplicates(r.q.Dimensions) {
		if g, err := scope.ResolveGroup(in, sel, query.GroupBy{Field: name}); err == nil && !g.OnAxis {
			if slices.ContainsFunc(refs, g.Ref.IsSame) {
				continue
			}
			refs = append(refs, g.Ref)
		}
		out = append(out, name)
	}
	return out, nil
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// reportLimits bound the report.
type reportLimits struct{ values, topDimensions, topValues int }

func (r *attributionRequest) readReportLimits() (reportLimits, error) {
	or := func(n *int64, otherwise int) int {
		const most = 1 << 20
		if n == nil {
			return otherwise
		}
		return int(min(max(*n, 0), most))
	}
	out := reportLimits{
		values:        or(r.q.MaxValuesPerDimension, defaultValuesPerDimension),
		topDimensions: or(r.q.TopNDimensions, defaultTopDimensions),
		topValues:     or(r.q.TopNValues, defaultTopValues),
	}
	if out.values < 1 || out.values > query.MaxValuesPerDimension {
		return out, &planerr.Error{
			Code:    planerr.CodeBadRequest,
			Message: "max_values_per_dimension must be from 1 to " + strconv.Itoa(query.MaxValuesPerDimension),
		}
	}
	return out, nil
}

// checkSingleValueParams rejects lists: an attribution is of one metric's one value.
func (r *attributionRequest) checkSingleValueParams() error {
	i := slices.IndexFunc(r.q.Params, func(p query.ParamBinding) bool { return p.List })
	if i < 0 {
		return nil
	}
	declared := r.cat.ParamsOfMetric(r.metric, r.target.Dialect)
	bound := query.Bindings{}
	for _, p := range r.q.Params {
		if p.List {
			d := slices.IndexFunc(declared, func(d *catalog.Param) bool { return d.Name == p.Name })
			if len(p.Values) > 0 {
				p.List, p.Values = false, p.Values[:1]
			} else if v, ok := exampleParamValue(declared, d); ok {
				p.List, p.Values = false, []query.ParamValue{v}
			} else {
				continue
			}
		}
		bound = append(bound, p)
	}
	e := &planerr.Error{
		Code:     planerr.CodeParamOutOfDomain,
		Message:  "an attribution takes one value of " + r.q.Params[i].Name + ", not a list",
		Metrics:  []string{r.metric.Name},
		Fragment: map[string]any{"params": bound},
	}
	if len(bound) == 0 {
		e.Fragment["params"] = nil
	}
	return e
}

func exampleParamValue(declared []*catalog.Param, i int) (query.ParamValue, bool) {
	if i < 0 {
		return query.ParamValue{}, false
	}
	return params.ExampleValue(declared[i])
}

// parseConditions parses the conditions, and returns that of where_sql, which filters rows here and so names no metric.
func (r *attributionRequest) parseConditions() (sqlexpr.Expr, error) {
	var filter sqlexpr.Expr
	for _, c := range []struct{ key, text string }{{where.WhereSQLKey, r.q.WhereSQL}, {"context_filter", r.q.ContextFilter}} {
		if isBlank(c.text) {
			continue
		}
		root, err := resolve.ParseCondition(c.key, c.text)
		if err != nil {
			return nil, err
		}
		for _, col := range sqlexpr.ColumnReferences(root) {
			name := col.Path[0].Text
			m := r.cat.Metric(name)
			if len(col.Path) == 1 && m != nil && (m == r.metric || len(r.cat.FieldsNamed(name)) == 0) {
				return nil, &planerr.Error{
					Code:           planerr.CodeUnsupportedFilter,
					Message:        c.key + " of an attribution filters rows, so it cannot name the metric " + m.Name,
					Metrics:        []string{m.Name},
					SuggestedRetry: "leave the condition on " + m.Name + " out, or use it in a metric query",
				}
			}
			if err := r.checkNameWithRetry(col, c.key, root); err != nil {
				return nil, err
			}
		}
		if c.key == where.WhereSQLKey {
			filter = root
		}
	}
	return filter, nil
}

// checkNameWithRetry rejects an unknown name whose correction is known: a string without single quotes, a slip. It does so
// before the queries are made, because their conditions may hold more than the request's.
// Paths are left to the queries, which know where they begin.
func (r *attributionRequest) checkNameWithRetry(col *sqlexpr.Column, key string, condition sqlexpr.Expr) error {
	names := resolve.Resolver{Cat: r.cat}
	_, err := names.Resolve(resolve.NameTexts(col.Path))
	mended := names.SuggestConditionRetry(err, col, key, condition, func(string) bool { return false })
	var unknown *planerr.Error
	if errors.As(mended, &unknown) && unknown.Code == planerr.CodeUnknownDimension && unknown.Fragment != nil {
		return unknown
	}
	return nil
}
