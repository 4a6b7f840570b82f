package query

// AppendCacheKey appends a text that stands for the query: two queries with the same
// text request the same. It is for remembering answers by, is not meant to be
// read, and may differ between versions of this package.
func (q *MetricQuery) AppendCacheKey(to []byte) []byte {
	k := appendRows(append(cacheKeyBytes(to), 'm'), metricQueryRows, q).appendCount(len(q.InlineMetrics))
	for _, m := range q.InlineMetrics {
		k = k.appendLengthPrefixed(m.Name).appendLengthPrefixed(m.Expression).appendLengthPrefixed(m.Dataset).appendLengthPrefixed(m.TimeDimension).appendInt64(int64(m.Index)).appendAt(m.At).appendBool(m.JoinsTexts)
	}
	return k.appendRemovedKeys(q.Saved, q.Removed)
}

// AppendCacheKey does for a detail query what MetricQuery.AppendCacheKey does; no metric
// query has the text of a detail query.
func (q *DetailQuery) AppendCacheKey(to []byte) []byte {
	return appendRows(append(cacheKeyBytes(to), 'd'), detailQueryRows, q).appendRemovedKeys(q.Saved, q.Removed)
}

// AppendCacheKey does for a statement what MetricQuery.AppendCacheKey does; no query of another plane has its text.
func (s *SQLStatement) AppendCacheKey(to []byte) []byte {
	return appendRows(append(cacheKeyBytes(to), 's'), limitedSQLStatementRows, s)
}

func appendRows[T any](k cacheKeyBytes, rows []keyRow[T], q *T) cacheKeyBytes {
	for i := range rows {
		k = k.appendValue(rows[i].at(q))
	}
	return k
}

// appendValue appends the value of the field that at points to.
func (k cacheKeyBytes) appendValue(at any) cacheKeyBytes {
	switch at := at.(type) {
	case *string:
		return k.appendLengthPrefixed(*at)
	case *[]string:
		return k.appendTextList(*at)
	case *bool:
		return k.appendBool(*at)
	case **bool:
		return k.appendOptionalBool(*at)
	case *int64:
		return k.appendInt64(*at)
	case **int64:
		return k.appendOptionalInt64(*at)
	case *[]GroupBy:
		return k.appendGroupBys(*at)
	case **TimeRange:
		return k.appendTimeRange(*at)
	case *[]TaggedRange:
		return k.appendTaggedRanges(*at)
	case *[]OrderBy:
		return k.appendOrderBys(*at)
	case *[]ParamBinding:
		return k.appendParams(*at)
	case *[]ParamValue:
		return k.appendScalars(*at)
	case *[]LocalField:
		return k.appendLocalFields(*at)
	case *[]Sequence:
		return k.appendSequences(*at)
	case *[][]string:
		return k.appendTotals(*at)
	case *[]ShareRequest:
		return k.appendShares(*at)
	case *Comparisons:
		return k.appendComparisons(*at)
	case **Top:
		return k.appendTop(*at)
	case **Rollups:
		if *at == nil {
			return k.appendBool(false)
		}
		return append(k.appendBool(true), byte(**at))
	case **Fill:
		return k.appendFill(*at)
	}
	panic("no cache key for a field of another type") // a test appends the fields of each row
}
