package query

import "encoding/binary"

// AppendCacheKey appends a text that stands for the query: two queries with the same
// text request the same. It is for remembering answers by, is not meant to be
// read, and may differ between versions of this package.
func (q *MetricQuery) AppendCacheKey(to []byte) []byte {
	k := append(cacheKeyBytes(to), 'm')
	k = k.appendTextList(q.Metrics)
	k = k.appendCount(len(q.GroupBy))
	for _, g := range q.GroupBy {
		k = k.appendLengthPrefixed(g.Field).appendLengthPrefixed(g.Grain).appendLengthPrefixed(g.Name).appendLengthPrefixed(g.Expression)
	}
	k = k.appendLengthPrefixed(q.WhereSQL).appendLengthPrefixed(q.ContextFilter).appendTimeRange(q.TimeRange)
	k = k.appendCount(len(q.TimeRanges))
	for _, r := range q.TimeRanges {
		k = k.appendLengthPrefixed(r.Tag).appendTimeRange(&r.TimeRange)
	}
	return k.appendOrderBys(q.OrderBy).appendOptionalInt64(q.Limit).appendInt64(q.Offset).appendParams(q.Params).appendLengthPrefixed(q.Dialect).appendBool(q.Pretty).appendLengthPrefixed(q.Connection).appendSavedQueryUse(q.Saved, q.Removed).appendAdvancedKeys(q).appendOptionalBool(q.Hints)
}

// AppendCacheKey does for a detail query what MetricQuery.AppendCacheKey does; no metric
// query has the text of a detail query.
func (q *DetailQuery) AppendCacheKey(to []byte) []byte {
	k := append(cacheKeyBytes(to), 'd')
	k = k.appendLengthPrefixed(q.From).appendTextList(q.Fields).appendLengthPrefixed(q.WhereSQL).appendTimeRange(q.TimeRange)
	return k.appendOrderBys(q.OrderBy).appendOptionalInt64(q.Limit).appendInt64(q.Offset).appendParams(q.Params).appendLengthPrefixed(q.Dialect).appendBool(q.Pretty).appendLengthPrefixed(q.Connection).appendSavedQueryUse(q.Saved, q.Removed).
		appendLocalFields(q.With).appendLengthPrefixed(q.AsOf).appendLengthPrefixed(q.TimeZone).appendLengthPrefixed(q.WeekStart).appendOptionalBool(q.Hints)
}

// cacheKeyBytes is a string in which every part carries its length, so that no two
// sequences of parts give the same string.
type cacheKeyBytes []byte

func (k cacheKeyBytes) appendCount(n int) cacheKeyBytes { return binary.AppendUvarint(k, uint64(n)) }

func (k cacheKeyBytes) appendInt64(n int64) cacheKeyBytes { return binary.AppendVarint(k, n) }

func (k cacheKeyBytes) appendLengthPrefixed(s string) cacheKeyBytes {
	return append(k.appendCount(len(s)), s...)
}

func (k cacheKeyBytes) appendTextList(all []string) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, s := range all {
		k = k.appendLengthPrefixed(s)
	}
	return k
}

func (k cacheKeyBytes) appendSavedQueryUse(name string, removed []string) cacheKeyBytes {
	if name == "" {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendLengthPrefixed(name).appendTextList(removed)
}

func (k cacheKeyBytes) appendBool(b bool) cacheKeyBytes {
	if b {
		return append(k, 1)
	}
	return append(k, 0)
}

func (k cacheKeyBytes) appendOptionalInt64(n *int64) cacheKeyBytes {
	if n == nil {
		return k.appendBool(false)
	}
	return binary.AppendVarint(k.appendBool(true), *n)
}

func (k cacheKeyBytes) appendTimeRange(r *TimeRange) cacheKeyBytes {
	if r == nil {
		return k.appendBool(false)
	}
	return k.appendBool(true).appendLengthPrefixed(r.Start).appendLengthPrefixed(r.End).appendLengthPrefixed(r.Dimension).appendRelativeRange(r.Last)
}

func (k cacheKeyBytes) appendOrderBys(all []OrderBy) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, o := range all {
		k = k.appendLengthPrefixed(o.Key).appendBool(o.Desc).appendBool(o.NullsFirst)
	}
	return k
}

func (k cacheKeyBytes) appendParams(all []ParamBinding) cacheKeyBytes {
	k = k.appendCount(len(all))
	for _, p := range all {
		k = k.appendLengthPrefixed(p.Name).appendBool(p.List).appendCount(len(p.Values))
		for _, v := range p.Values {
			k = append(k, byte(v.Kind)).appendLengthPrefixed(v.Text)
		}
	}
	return k
}
