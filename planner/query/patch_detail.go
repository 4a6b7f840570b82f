package query

// With returns the query with top-level keys replaced; see MetricQuery.With.
func (q DetailQuery) With(fragment map[string]any) (DetailQuery, bool) {
	for key, value := range fragment {
		var ok bool
		switch key {
		case "from":
			q.From, ok = text(value)
		case "fields":
			q.Fields, ok = value.([]string)
		case "where_sql":
			q.WhereSQL, ok = text(value)
		case "time_range":
			q.TimeRange, ok = timeRange(value)
		case "order_by":
			q.OrderBy, ok = value.([]OrderBy)
		case "params":
			q.Params, ok = bindings(value)
		case savedKey:
			q.Saved, ok = text(value)
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

// With returns the query with top-level keys replaced; see MetricQuery.With.
func (q AttributeQuery) With(fragment map[string]any) (AttributeQuery, bool) {
	for key, value := range fragment {
		var ok bool
		switch key {
		case "dimensions":
			q.Dimensions, ok = value.([]string)
		case "baseline":
			q.Baseline, ok = timeRange(value)
		case "current":
			q.Current, ok = timeRange(value)
		case "where_sql":
			q.WhereSQL, ok = text(value)
		case "context_filter":
			q.ContextFilter, ok = text(value)
		case "time_dimension":
			q.TimeDimension, ok = text(value)
		case "params":
			q.Params, ok = bindings(value)
		case savedKey:
			q.Saved, ok = text(value)
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

func bindings(value any) (Bindings, bool) {
	if value == nil {
		return nil, true
	}
	b, ok := value.(Bindings)
	return b, ok
}
