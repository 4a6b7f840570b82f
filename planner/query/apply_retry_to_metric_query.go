package query

// ApplyRetryFragment returns the query with top-level keys replaced, as merging a
// suggested_retry fragment does; a nil value removes the key. It reports false
// for a key or value type that no fragment uses.
func (q MetricQuery) ApplyRetryFragment(fragment map[string]any) (MetricQuery, bool) {
	for key, value := range fragment {
		var ok bool
		switch key {
		case "metrics":
			q.Metrics, q.InlineMetrics, ok = metricItemsOfFragment(value)
		case groupByKey:
			q.GroupBy, ok = fragmentValueAs[[]GroupBy](value)
		case "order_by":
			q.OrderBy, ok = value.([]OrderBy)
		case "where_sql":
			q.WhereSQL, ok = fragmentValueAsText(value)
		case "context_filter":
			q.ContextFilter, ok = fragmentValueAsText(value)
		case savedKey:
			q.Saved, ok = fragmentValueAsText(value)
		case "time_range":
			q.TimeRange, ok = timeRangeOfFragment(value)
		case "time_ranges":
			var tagged TaggedRanges
			tagged, ok = value.(TaggedRanges)
			q.TimeRanges = tagged
			if value == nil {
				q.TimeRanges, ok = nil, true
			}
		case "params":
			q.Params, ok = bindingsOfFragment(value)
		case "limit":
			q.Limit, ok = fragmentValueAs[*int64](value)
		case "offset":
			q.Offset, ok = fragmentValueAs[int64](value)
		case "with":
			q.With, ok = fragmentValueAs[[]LocalField](value)
		case "distinct":
			q.Distinct, ok = fragmentValueAs[bool](value)
		case "from":
			q.From, ok = fragmentValueAsText(value)
		case "totals":
			q.Totals, ok = fragmentValueAs[[][]string](value)
		case "shares":
			q.Shares, ok = fragmentValueAs[[]ShareRequest](value)
		case "compare":
			q.Compare, ok = fragmentValueAs[*Compare](value)
		case "top":
			q.Top, ok = fragmentValueAs[*Top](value)
		case "fill":
			q.Fill, ok = fragmentValueAs[*Fill](value)
		case "fan_out":
			q.FanOut, ok = fragmentValueAsText(value)
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

// fragmentValueAs returns the value of a fragment as a T; nil, which removes a key, is its zero.
func fragmentValueAs[T any](value any) (T, bool) {
	if value == nil {
		var none T
		return none, true
	}
	v, ok := value.(T)
	return v, ok
}

// metricItemsOfFragment returns the value that a fragment gives metrics.
func metricItemsOfFragment(value any) ([]string, []InlineMetric, bool) {
	switch value := value.(type) {
	case []string:
		return value, nil, true
	case MetricItems:
		return value.Names, value.Inline, true
	}
	return nil, nil, value == nil
}

func fragmentValueAsText(value any) (string, bool) { return fragmentValueAs[string](value) }

func timeRangeOfFragment(value any) (*TimeRange, bool) {
	if value == nil {
		return nil, true
	}
	r, ok := value.(TimeRange)
	return &r, ok
}
