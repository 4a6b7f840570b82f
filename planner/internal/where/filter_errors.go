package where

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// unsupportedPredicateError returns the error of a conjunct that is known neither before aggregation
// nor after it.
func (f *filterReader) unsupportedPredicateError(c conjunct) error {
	if err := f.mixedMetricAndLODError(c); err != nil {
		return err
	}
	return f.metricComparedWithUngroupedFieldError(c)
}

// mixedMetricAndLODError rejects a conjunct that joins a metric and a level-of-detail field
// by OR: one is known after aggregation, the other before. A row field that is made
// of such a field is a row field.
func (f *filterReader) mixedMetricAndLODError(c conjunct) error {
	for _, r := range c.fields {
		field := f.refs[r].Field
		if field.LOD == nil || f.groupCarryingRef(r) >= 0 {
			continue
		}
		return &planerr.Error{
			Code:           planerr.CodeNotImplemented,
			Message:        "the condition " + c.text + " mixes a metric with the level-of-detail field " + field.QualifiedName() + " in one conjunct",
			SuggestedRetry: "group by " + f.refs[r].String() + ", or split the condition with AND",
			Fragment:       map[string]any{"group_by": append(slices.Clone(f.in.Query.GroupBy), f.newGroupByItem(r))},
		}
	}
	return nil
}

// metricComparedWithUngroupedFieldError returns the error of a conjunct that mixes a metric with a field that
// the result does not carry.
func (f *filterReader) metricComparedWithUngroupedFieldError(c conjunct) error {
	var missing []string
	groups := slices.Clone(f.in.Query.GroupBy)
	for _, r := range c.fields {
		if name := f.refs[r].String(); f.groupCarryingRef(r) < 0 && !slices.Contains(missing, name) {
			missing = append(missing, name)
			groups = append(groups, f.newGroupByItem(r))
		}
	}
	return &planerr.Error{
		Code: planerr.CodeResultFilterUnprojected,
		Message: "the condition " + c.text + " compares result columns with " + strings.Join(missing, ", ") +
			", which the query does not group by; group by it, or split the condition with AND",
		Fragment: map[string]any{"group_by": groups},
	}
}

// newGroupByItem returns the group-by item that groups by a reference.
func (f *filterReader) newGroupByItem(ref int) query.GroupBy {
	return query.GroupBy{Field: f.refs[ref].String()}
}

// EncodedFieldInFilterError rejects a column whose stored code is not what it means.
func EncodedFieldInFilterError(ref resolve.Ref) error {
	return &planerr.Error{
		Code:           planerr.CodeUnsupportedFilter,
		Message:        ref.String() + " stores time as " + ref.Field.Encoding.Text + " codes, which a condition would compare as they are stored",
		SuggestedRetry: "use time_range with dimension " + ref.String(),
	}
}

// severalMetricColumnsError returns the error of a metric whose columns carry a tag or a
// parameter value in their names.
func (f *filterReader) severalMetricColumnsError(m *catalog.Metric) error {
	names := measure.ValueColumnNamesOfMetric(f.columns, m)
	return &planerr.Error{
		Code:       planerr.CodeUnsupportedFilter,
		Message:    m.Name + " has several result columns here; name one of them",
		Metrics:    []string{m.Name},
		Candidates: names[:min(len(names), resolve.MaxCandidates)],
	}
}

func metricInContextFilterError(m *catalog.Metric) error {
	return &planerr.Error{
		Code:           planerr.CodeUnsupportedFilter,
		Message:        "context_filter is applied before aggregation, so it cannot name the metric " + m.Name,
		Metrics:        []string{m.Name},
		SuggestedRetry: "put the condition on " + m.Name + " into where_sql and select the metric",
	}
}

func (f *filterReader) unselectedMetricError(m *catalog.Metric) error {
	selected := make([]string, len(f.sel.Metrics))
	for i, s := range f.sel.Metrics {
		selected[i] = s.Name
	}
	e := &planerr.Error{
		Code:       planerr.CodeResultFilterMetricNotSelected,
		Message:    "where_sql names the metric " + m.Name + ", which the query does not select",
		Metrics:    []string{m.Name},
		Candidates: suggest.Nearest(m.Name, selected, resolve.MaxCandidates),
		Fragment:   map[string]any{"metrics": f.in.Query.MetricItemsNamed(append(slices.Clone(f.in.Query.Metrics), m.Name))},
	}
	if f.in.Query.Distinct {
		e.Fragment["distinct"] = nil
	}
	return e
}
