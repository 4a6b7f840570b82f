package query

import "github.com/semlayer/semlayer/modelspec/limits"

var metricFields = []field[MetricQuery]{
	{key{"metrics", textsKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readTexts(&q.Metrics, limits.QueryMetrics) }},
	{key{"group_by", objectsKind, keysOfFields(groupByFields)}, func(s *scanner, q *MetricQuery) error { return readGroupBys(s, &q.GroupBy) }},
	{key{"where_sql", textKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readText(&q.WhereSQL) }},
	{key{"context_filter", textKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readText(&q.ContextFilter) }},
	{key{"time_range", objectKind, keysOfFields(timeRangeFields)}, func(s *scanner, q *MetricQuery) error { return readRange(s, timeRangeFields, &q.TimeRange) }},
	{key{"time_ranges", objectsMapKind, keysOfFields(timeRangeFields)}, func(s *scanner, q *MetricQuery) error { return readRanges(s, &q.TimeRanges) }},
	{key{"order_by", objectsKind, keysOfFields(orderByFields)}, func(s *scanner, q *MetricQuery) error { return readOrderBys(s, &q.OrderBy) }},
	{key{"limit", integerKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readCount(&q.Limit) }},
	{key{"offset", integerKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readOffset(&q.Offset) }},
	{key{"params", bindingsKind, nil}, func(s *scanner, q *MetricQuery) error { return readParams(s, &q.Params) }},
	{key{"dialect", textKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Dialect) }},
	{key{"pretty", booleanKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readBool(&q.Pretty) }},
	{key{"connection", textKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Connection) }},
	{key{"saved", textKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Saved) }},
}

var detailFields = []field[DetailQuery]{
	{key{"from", textKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.From) }},
	{key{"fields", textsKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readTexts(&q.Fields, limits.QueryFields) }},
	{key{"where_sql", textKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readText(&q.WhereSQL) }},
	{key{"time_range", objectKind, keysOfFields(timeRangeFields)}, func(s *scanner, q *DetailQuery) error { return readRange(s, timeRangeFields, &q.TimeRange) }},
	{key{"order_by", objectsKind, keysOfFields(orderByFields)}, func(s *scanner, q *DetailQuery) error { return readOrderBys(s, &q.OrderBy) }},
	{key{"limit", integerKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readCount(&q.Limit) }},
	{key{"offset", integerKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readOffset(&q.Offset) }},
	{key{"params", bindingsKind, nil}, func(s *scanner, q *DetailQuery) error { return readParams(s, &q.Params) }},
	{key{"dialect", textKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Dialect) }},
	{key{"pretty", booleanKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readBool(&q.Pretty) }},
	{key{"connection", textKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Connection) }},
	{key{"saved", textKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Saved) }},
}

var attributeFields = []field[AttributeQuery]{
	{key{"metric", textKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Metric) }},
	{key{"dimensions", textsKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readTexts(&q.Dimensions, limits.QueryGroupBys) }},
	{key{"baseline", objectKind, keysOfFields(windowFields)}, func(s *scanner, q *AttributeQuery) error { return readRange(s, windowFields, &q.Baseline) }},
	{key{"current", objectKind, keysOfFields(windowFields)}, func(s *scanner, q *AttributeQuery) error { return readRange(s, windowFields, &q.Current) }},
	{key{"where_sql", textKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readText(&q.WhereSQL) }},
	{key{"context_filter", textKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readText(&q.ContextFilter) }},
	{key{"time_dimension", textKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.TimeDimension) }},
	{key{"params", bindingsKind, nil}, func(s *scanner, q *AttributeQuery) error { return readParams(s, &q.Params) }},
	{key{"max_values_per_dimension", integerKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.MaxValuesPerDimension) }},
	{key{"top_n_dimensions", integerKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.TopNDimensions) }},
	{key{"top_n_values", integerKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.TopNValues) }},
	{key{"dialect", textKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Dialect) }},
	{key{"connection", textKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Connection) }},
	{key{"saved", textKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Saved) }},
}

// DecodeMetric reads the body of compile, explain and execute. The error is a
// *planerr.Error of code bad_request or unknown_query_key.
func DecodeMetric(body []byte) (*MetricQuery, error) { return decodeQuery(body, metricFields) }

// DecodeDetail reads the body of the detail plane; errors as of DecodeMetric.
func DecodeDetail(body []byte) (*DetailQuery, error) { return decodeQuery(body, detailFields) }

// DecodeAttribute reads the body of an attribution; errors as of DecodeMetric.
func DecodeAttribute(body []byte) (*AttributeQuery, error) {
	return decodeQuery(body, attributeFields)
}
