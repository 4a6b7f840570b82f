package query

// ApplyRetryFragment returns the query with top-level keys replaced; see MetricQuery.Patch.
func (q DetailQuery) ApplyRetryFragment(fragment map[string]any) (DetailQuery, bool) {
	for key, value := range fragment {
		var ok bool
		switch key {
		case "from":
			q.From, ok = fragmentValueAsText(value)
		case "fields":
			q.Fields, ok = value.([]string)
		case "where_sql":
			q.WhereSQL, ok = fragmentValueAsText(value)
		case "time_range":
			q.TimeRange, ok = timeRangeOfFragment(value)
		case "order_by":
			q.OrderBy, ok = value.([]OrderBy)
		case "params":
			q.Params, ok = bindingsOfFragment(value)
		case savedKey:
			q.Saved, ok = fragmentValueAsText(value)
		case "offset":
			q.Offset, ok = fragmentValueAs[int64](value)
		case "with":
			q.With, ok = fragmentValueAs[[]LocalField](value)
		case "as_of":
			q.AsOf, ok = fragmentValueAsText(value)
		case "time_zone":
			q.TimeZone, ok = fragmentValueAsText(value)
		case "week_start":
			q.WeekStart, ok = fragmentValueAsText(value)
		default:
			ok = false
		}
		if !ok {
			return q, false
		}
		q.Removed = removedKeysAfterPatch(&q, key, value)
	}
	return q, true
}

// ApplyRetryFragment returns the query with top-level keys replaced; see MetricQuery.Patch.
func (q AttributeQuery) ApplyRetryFragment(fragment map[string]any) (AttributeQuery, bool) {
	for key, value := range fragment {
		var ok bool
		switch key {
		case "metric":
			q.Metric, ok = fragmentValueAsText(value)
		case "dimensions":
			q.Dimensions, ok = value.([]string)
		case "baseline":
			q.Baseline, ok = timeRangeOfFragment(value)
		case "current":
			q.Current, ok = timeRangeOfFragment(value)
		case "where_sql":
			q.WhereSQL, ok = fragmentValueAsText(value)
		case "context_filter":
			q.ContextFilter, ok = fragmentValueAsText(value)
		case "time_dimension":
			q.TimeDimension, ok = fragmentValueAsText(value)
		case "params":
			q.Params, ok = bindingsOfFragment(value)
		case savedKey:
			q.Saved, ok = fragmentValueAsText(value)
		case "with":
			q.With, ok = fragmentValueAs[[]LocalField](value)
		case "time_zone":
			q.TimeZone, ok = fragmentValueAsText(value)
		default:
			ok = false
		}
		if !ok {
			return q, false
		}
		q.Removed = removedKeysAfterPatch(&q, key, value)
	}
	return q, true
}

func bindingsOfFragment(value any) (Bindings, bool) {
	if value == nil {
		return nil, true
	}
	b, ok := value.(Bindings)
	return b, ok
}
