package planner

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// checkMetricRequest rejects a query that no model can answer. The view is that of the query, or nil.
func checkMetricRequest(q *query.MetricQuery, view *catalog.View) error {
	return cmp.Or(checkMetricKeyConflicts(q, view), checkDuplicateInlineMetricNames(q), checkDuplicateLocalFieldNames(q.With))
}

// checkDetailRequest rejects a query that no model can answer. The view is that of the query, or nil.
func checkDetailRequest(q *query.DetailQuery, view *catalog.View) error {
	return cmp.Or(checkTimeKeyConflicts(q.TimeRange, q.AsOf, q.AsOf != "" && viewReadsNow(view, q.Defaults), q.WhereSQL), checkDuplicateLocalFieldNames(q.With))
}

// checkAttributeRequest rejects a query that no model can answer.
func checkAttributeRequest(q *query.AttributeQuery) error {
	return checkDuplicateLocalFieldNames(q.With)
}

// checkDuplicateInlineMetricNames rejects an inline metric whose name another item of metrics has. The retry
// renames the later item if it is inline, else the earlier.
func checkDuplicateInlineMetricNames(q *query.MetricQuery) error {
	for i, m := range q.InlineMetrics {
		at := slices.Index(q.Metrics, m.Name)
		if at == m.Index {
			at = indexOfNameAfter(q.Metrics, m.Name, m.Index)
		}
		if at < 0 {
			continue
		}
		renamed := query.MetricItems{Names: slices.Clone(q.Metrics), Inline: slices.Clone(q.InlineMetrics)}
		if later := slices.IndexFunc(q.InlineMetrics, func(other query.InlineMetric) bool { return other.Index == at }); later > i {
			i = later
		}
		name := numberedUnusedName(m.Name, func(name string) bool { return slices.Contains(q.Metrics, name) })
		renamed.Inline[i].Name = name
		renamed.Names[renamed.Inline[i].Index] = name
		return &planerr.Error{
			Code:     planerr.CodeDuplicateOutputName,
			Message:  "two items of metrics are named " + m.Name,
			Metrics:  []string{m.Name},
			Fragment: map[string]any{"metrics": renamed},
		}
	}
	return nil
}

func indexOfNameAfter(names []string, name string, at int) int {
	if i := slices.Index(names[at+1:], name); i >= 0 {
		return at + 1 + i
	}
	return -1
}

// checkDuplicateLocalFieldNames rejects two fields of with that have one dataset and one name. The retry
// renames the second.
func checkDuplicateLocalFieldNames(fields []query.LocalField) error {
	for i, f := range fields {
		same := func(other query.LocalField) bool { return other.Dataset == f.Dataset && other.Name == f.Name }
		if !slices.ContainsFunc(fields[:i], same) {
			continue
		}
		renamed := slices.Clone(fields)
		renamed[i].Name = numberedUnusedName(f.Name, func(name string) bool {
			return slices.ContainsFunc(fields, func(other query.LocalField) bool { return other.Name == name })
		})
		return &planerr.Error{
			Code:     planerr.CodeDuplicateOutputName,
			Message:  "with gives the dataset " + planerr.ClipText(f.Dataset) + " two fields named " + f.Name,
			Fragment: map[string]any{"with": renamed},
		}
	}
	return nil
}

// numberedUnusedName returns a name that is not taken: the name with a number after it.
func numberedUnusedName(name string, taken func(string) bool) string {
	for n := 2; ; n++ {
		suffix := "_" + strconv.Itoa(n)
		if candidate := name[:min(len(name), limits.QueryColumnNameBytes-len(suffix))] + suffix; !taken(candidate) {
			return candidate
		}
	}
}
