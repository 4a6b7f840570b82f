package planner

import (
	"cmp"

	"github.com/semlayer/semlayer/planner/query"
)

// checkMetricRequest rejects a query that no model can answer.
func checkMetricRequest(q *query.MetricQuery) error {
	return cmp.Or(checkMetricKeyConflicts(q), checkDuplicateInlineMetricNames(q), checkDuplicateLocalFieldNames(q.With))
}

// checkDetailRequest rejects a query that no model can answer.
func checkDetailRequest(q *query.DetailQuery) error {
	return cmp.Or(checkTimeKeyConflicts(q.TimeRange, q.AsOf, false, q.WhereSQL), checkDuplicateLocalFieldNames(q.With))
}

// checkAttributeRequest rejects a query that no model can answer.
func checkAttributeRequest(q *query.AttributeQuery) error {
	return checkDuplicateLocalFieldNames(q.With)
}
