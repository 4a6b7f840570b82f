package query

// With returns the query with top-level keys replaced, as merging a
// suggested_retry fragment does; a nil value removes the key. It reports false
// for a key or value type that no fragment uses.
func (q MetricQuery) With(fragment map[string]any) (MetricQuery, bool) {
	for key, value := range fragment {
		var ok bool
		switch key {
		case "metrics":
			q.Metrics, ok = value.([]string)
		case "group_by":
			q.GroupBy, ok = value.([]GroupBy)
		case "order_by":
			q.OrderBy, ok = value.([]OrderBy)
		case "where_sql":
			q.WhereSQL, ok = text(value)
		case "context_filter":
			q.ContextFilter, ok = text(value)
		case savedKey:
			q.Saved, ok = text(value)
		case "time_range":
			q.TimeRange, ok = timeRange(value)
		case "time_ranges":
			var tagged TaggedRanges
			tagged, ok = value.(TaggedRanges)
			q.TimeRanges = tagged
			if value == nil {
				q.TimeRanges, ok = nil, true
			}
		case "params":
			q.Params, ok = bindings(value)
		default:
			ok = false
		}
		if !ok {
			return q, false
		}
		q.Removed = patchRemoved(&q, key, value)
	}
	return q, true
}

func text(value any) (string, bool) {
	if value == nil {
		return "", true
	}
	s, ok := value.(string)
	return s, ok
}

func timeRange(value any) (*TimeRange, bool) {
	if value == nil {
		return nil, true
	}
	r, ok := value.(TimeRange)
	return &r, ok
}
