package query

import "github.com/semlayer/semlayer/modelspec/limits"

var metricFields = []keyReader[MetricQuery]{
	{bodyKey{"metrics", metricItemsKind, keysOfFields(inlineMetricFields)}, readMetrics},
	{bodyKey{groupByKey, objectsKind, keysOfFields(groupByFields)}, func(s *scanner, q *MetricQuery) error { return readGroupBys(s, &q.GroupBy) }},
	{bodyKey{"where_sql", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readText(&q.WhereSQL) }},
	{bodyKey{"context_filter", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readText(&q.ContextFilter) }},
	{bodyKey{"time_range", objectKind, keysOfFields(timeRangeFields)}, func(s *scanner, q *MetricQuery) error { return readTimeRange(s, timeRangeFields, &q.TimeRange) }},
	{bodyKey{"time_ranges", objectsMapKind, keysOfFields(timeRangeFields)}, func(s *scanner, q *MetricQuery) error { return readTaggedRanges(s, &q.TimeRanges) }},
	{bodyKey{"order_by", objectsKind, keysOfFields(orderByFields)}, func(s *scanner, q *MetricQuery) error { return readOrderBys(s, &q.OrderBy) }},
	{bodyKey{"limit", integerKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readCount(&q.Limit) }},
	{bodyKey{"offset", integerKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readOffset(&q.Offset) }},
	{bodyKey{"params", bindingsKind, nil}, func(s *scanner, q *MetricQuery) error { return readParams(s, &q.Params) }},
	{bodyKey{"dialect", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Dialect) }},
	{bodyKey{"pretty", booleanKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readBool(&q.Pretty) }},
	{bodyKey{"connection", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Connection) }},
	{bodyKey{"saved", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Saved) }},
	{bodyKey{"with", objectsKind, keysOfFields(localFieldFields)}, func(s *scanner, q *MetricQuery) error { return readLocalFields(s, &q.With) }},
	{bodyKey{"distinct", booleanKind, nil}, func(s *scanner, q *MetricQuery) error { return s.readBool(&q.Distinct) }},
	{bodyKey{"from", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return readNonEmptyName(s, &q.From) }},
	{bodyKey{"totals", textListsKind, nil}, func(s *scanner, q *MetricQuery) error { return readTotalLevels(s, &q.Totals) }},
	{bodyKey{"shares", objectsKind, keysOfFields(shareFields)}, func(s *scanner, q *MetricQuery) error { return readShares(s, &q.Shares) }},
	{bodyKey{"compare", objectKind, keysOfFields(compareFields)}, func(s *scanner, q *MetricQuery) error { return readCompare(s, &q.Compare) }},
	{bodyKey{"top", objectKind, keysOfFields(topFields)}, func(s *scanner, q *MetricQuery) error { return readTop(s, &q.Top) }},
	{bodyKey{"fill", objectKind, keysOfFields(fillFields)}, func(s *scanner, q *MetricQuery) error { return readFill(s, &q.Fill) }},
	{bodyKey{"fan_out", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return readChoice(s, &q.FanOut, fanOutChoices) }},
	{bodyKey{"as_of", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return readNonEmptyName(s, &q.AsOf) }},
	{bodyKey{"time_zone", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return readTimeZone(s, &q.TimeZone) }},
	{bodyKey{"week_start", singleTextKind, nil}, func(s *scanner, q *MetricQuery) error { return readChoice(s, &q.WeekStart, weekdays) }},
	{bodyKey{"hints", booleanKind, nil}, func(s *scanner, q *MetricQuery) error { return readOptionalBool(s, &q.Hints) }},
}

var detailFields = []keyReader[DetailQuery]{
	{bodyKey{"from", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.From) }},
	{bodyKey{"fields", textsKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readTexts(&q.Fields, limits.QueryFields) }},
	{bodyKey{"where_sql", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readText(&q.WhereSQL) }},
	{bodyKey{"time_range", objectKind, keysOfFields(timeRangeFields)}, func(s *scanner, q *DetailQuery) error { return readTimeRange(s, timeRangeFields, &q.TimeRange) }},
	{bodyKey{"order_by", objectsKind, keysOfFields(orderByFields)}, func(s *scanner, q *DetailQuery) error { return readOrderBys(s, &q.OrderBy) }},
	{bodyKey{"limit", integerKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readCount(&q.Limit) }},
	{bodyKey{"offset", integerKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readOffset(&q.Offset) }},
	{bodyKey{"params", bindingsKind, nil}, func(s *scanner, q *DetailQuery) error { return readParams(s, &q.Params) }},
	{bodyKey{"dialect", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Dialect) }},
	{bodyKey{"pretty", booleanKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readBool(&q.Pretty) }},
	{bodyKey{"connection", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Connection) }},
	{bodyKey{"saved", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Saved) }},
	{bodyKey{"with", objectsKind, keysOfFields(localFieldFields)}, func(s *scanner, q *DetailQuery) error { return readLocalFields(s, &q.With) }},
	{bodyKey{"as_of", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return readNonEmptyName(s, &q.AsOf) }},
	{bodyKey{"time_zone", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return readTimeZone(s, &q.TimeZone) }},
	{bodyKey{"week_start", singleTextKind, nil}, func(s *scanner, q *DetailQuery) error { return readChoice(s, &q.WeekStart, weekdays) }},
	{bodyKey{"hints", booleanKind, nil}, func(s *scanner, q *DetailQuery) error { return readOptionalBool(s, &q.Hints) }},
}

var attributeFields = []keyReader[AttributeQuery]{
	{bodyKey{"metric", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Metric) }},
	{bodyKey{"dimensions", textsKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readTexts(&q.Dimensions, limits.QueryGroupBys) }},
	{bodyKey{"baseline", objectKind, keysOfFields(boundedRangeFields)}, func(s *scanner, q *AttributeQuery) error { return readTimeRange(s, boundedRangeFields, &q.Baseline) }},
	{bodyKey{"current", objectKind, keysOfFields(boundedRangeFields)}, func(s *scanner, q *AttributeQuery) error { return readTimeRange(s, boundedRangeFields, &q.Current) }},
	{bodyKey{"where_sql", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readText(&q.WhereSQL) }},
	{bodyKey{"context_filter", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readText(&q.ContextFilter) }},
	{bodyKey{"time_dimension", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.TimeDimension) }},
	{bodyKey{"params", bindingsKind, nil}, func(s *scanner, q *AttributeQuery) error { return readParams(s, &q.Params) }},
	{bodyKey{"max_values_per_dimension", integerKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.MaxValuesPerDimension) }},
	{bodyKey{"top_n_dimensions", integerKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.TopNDimensions) }},
	{bodyKey{"top_n_values", integerKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.TopNValues) }},
	{bodyKey{"dialect", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Dialect) }},
	{bodyKey{"connection", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Connection) }},
	{bodyKey{"saved", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Saved) }},
	{bodyKey{"with", objectsKind, keysOfFields(localFieldFields)}, func(s *scanner, q *AttributeQuery) error { return readLocalFields(s, &q.With) }},
	{bodyKey{"time_zone", singleTextKind, nil}, func(s *scanner, q *AttributeQuery) error { return readTimeZone(s, &q.TimeZone) }},
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
