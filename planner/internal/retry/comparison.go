package retry

import "github.com/semlayer/semlayer/planner/query"

// DropComparison returns a retry without a comparison.
func DropComparison(q *query.MetricQuery, i int) map[string]any {
	if rest := q.Compare.Without(i); rest != nil {
		return map[string]any{"compare": rest}
	}
	return map[string]any{"compare": nil}
}
