package query

// appendAdvancedKeys appends the keys that refine groups, levels and times of a query. One byte
// holds the place of them all where a query uses none.
func (k cacheKeyBytes) appendAdvancedKeys(q *MetricQuery) cacheKeyBytes {
	if !q.hasAdvancedKeys() {
		return k.appendBool(false)
	}
	k = k.appendBool(true).appendCount(len(q.InlineMetrics))
	for _, m := range q.InlineMetrics {
		k = k.appendLengthPrefixed(m.Name).appendLengthPrefixed(m.Expression).appendLengthPrefixed(m.Dataset).appendLengthPrefixed(m.TimeDimension).appendInt64(int64(m.Index))
	}
	k = k.appendLocalFields(q.With).appendBool(q.Distinct).appendLengthPrefixed(q.From).appendCount(len(q.Totals))
	for _, columns := range q.Totals {
		k = k.appendTextList(columns)
	}
	k = k.appendCount(len(q.Shares))
	for _, s := range q.Shares {
		k = k.appendLengthPrefixed(s.Metric).appendTextList(s.Of)
	}
	return k.appendCompare(q.Compare).appendTop(q.Top).appendFill(q.Fill).appendLengthPrefixed(q.FanOut).appendLengthPrefixed(q.AsOf).appendLengthPrefixed(q.TimeZone).appendLengthPrefixed(q.WeekStart)
}

func (q *MetricQuery) hasAdvancedKeys() bool {
	return len(q.InlineMetrics) > 0 || len(q.With) > 0 || q.Distinct || q.From != "" || len(q.Totals) > 0 || len(q.Shares) > 0 ||
		q.Compare != nil || q.Top != nil || q.Fill != nil || q.FanOut != "" || q.AsOf != "" || q.TimeZone != "" || q.WeekStart != ""
}

func (k cacheKeyBytes) appendLocalFields(all []LocalField) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, f := range all {
		k = k.appendLengthPrefixed(f.Dataset).appendLengthPrefixed(f.Name).appendLengthPrefixed(f.Expression).appendBool(f.LOD != nil)
		if f.LOD != nil {
			k = k.appendTextList(f.LOD.Grain).appendLengthPrefixed(f.LOD.Where).appendTextList(f.LOD.Via)
		}
	}
	return k
}

func (k cacheKeyBytes) appendCompare(c *Compare) cacheKeyBytes {
	if c == nil {
		return k.appendBool(false)
	}
	k = k.appendBool(true).appendBool(c.Offset != nil)
	if c.Offset != nil {
		k = k.appendInt64(c.Offset.Count).appendLengthPrefixed(c.Offset.Unit)
	}
	return k.appendTimeRange(c.Range).appendTextList(c.Metrics)
}

func (k cacheKeyBytes) appendTop(t *Top) cacheKeyBytes {
	if t == nil {
		return k.appendBool(false)
	}
	k = k.appendBool(true).appendLengthPrefixed(t.Dimension).appendInt64(t.N).appendLengthPrefixed(t.By).appendOptionalBool(t.Desc).appendTextList(t.Within).appendBool(t.Other != nil)
	if t.Other != nil {
		k = k.appendLengthPrefixed(t.Other.Label).appendBool(t.Other.Off)
	}
	return k
}

func (k cacheKeyBytes) appendFill(f *Fill) cacheKeyBytes {
	if f == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendLengthPrefixed(f.Value)
}

func (k cacheKeyBytes) appendRelativeRange(r *RelativeRange) cacheKeyBytes {
	if r == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendInt64(r.N).appendLengthPrefixed(r.Unit).appendOptionalBool(r.Complete)
}

// appendOptionalBool appends a boolean that may be absent.
func (k cacheKeyBytes) appendOptionalBool(b *bool) cacheKeyBytes {
	if b == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendBool(*b)
}
