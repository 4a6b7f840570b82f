package query

import (
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var metricQueryKeyReaders = []keyReader[MetricQuery]{
	{bodyKey{"metrics", bodyKeyValueTextOrObjectArray, keysOfReaders(inlineMetricKeyReaders)}, readMetrics},
	{bodyKey{groupByKey, bodyKeyValueObjectArray, keysOfReaders(groupByKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readGroupBys(s, &q.GroupBy) }},
	{bodyKey{"where_sql", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return s.readText(&q.WhereSQL) }},
	{bodyKey{"context_filter", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return s.readText(&q.ContextFilter) }},
	{bodyKey{"time_range", bodyKeyValueFixedKeysObject, keysOfReaders(timeRangeKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readTimeRange(s, timeRangeKeyReaders, &q.TimeRange) }},
	{bodyKey{"time_ranges", bodyKeyValueObjectMap, keysOfReaders(timeRangeKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readTaggedRanges(s, &q.TimeRanges) }},
	{bodyKey{"order_by", bodyKeyValueObjectArray, keysOfReaders(orderByKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readOrderBys(s, &q.OrderBy) }},
	{bodyKey{"limit", bodyKeyValueInteger, nil}, func(s *scanner, q *MetricQuery) error { return s.readCount(&q.Limit) }},
	{bodyKey{"offset", bodyKeyValueInteger, nil}, func(s *scanner, q *MetricQuery) error { return s.readRowOffset(&q.Offset) }},
	{bodyKey{"params", bodyKeyValueScalarMap, nil}, func(s *scanner, q *MetricQuery) error { return readParams(s, &q.Params) }},
	{bodyKey{"dialect", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Dialect) }},
	{bodyKey{"pretty", bodyKeyValueBoolean, nil}, func(s *scanner, q *MetricQuery) error { return s.readBool(&q.Pretty) }},
	{bodyKey{"connection", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Connection) }},
	{bodyKey{"saved", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return s.readName(&q.Saved) }},
	{bodyKey{"with", bodyKeyValueObjectArray, keysOfReaders(localFieldKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readLocalFields(s, &q.With) }},
	{bodyKey{"distinct", bodyKeyValueBoolean, nil}, func(s *scanner, q *MetricQuery) error { return s.readBool(&q.Distinct) }},
	{bodyKey{"from", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return readNonEmptyName(s, &q.From) }},
	{bodyKey{"totals", bodyKeyValueNestedTextArray, nil}, func(s *scanner, q *MetricQuery) error { return readTotalLevels(s, &q.Totals) }},
	{bodyKey{"shares", bodyKeyValueObjectArray, keysOfReaders(shareKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readShares(s, &q.Shares) }},
	{bodyKey{"compare", bodyKeyValueFixedKeysObject, keysOfReaders(compareKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readCompare(s, &q.Compare) }},
	{bodyKey{"top", bodyKeyValueFixedKeysObject, keysOfReaders(topKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readTop(s, &q.Top) }},
	{bodyKey{"fill", bodyKeyValueFixedKeysObject, keysOfReaders(fillKeyReaders)}, func(s *scanner, q *MetricQuery) error { return readFill(s, &q.Fill) }},
	{bodyKey{"fan_out", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return readFanOut(s, &q.FanOut) }},
	{bodyKey{"as_of", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return readNonEmptyName(s, &q.AsOf) }},
	{bodyKey{"time_zone", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return readTimeZone(s, &q.TimeZone) }},
	{bodyKey{"week_start", bodyKeyValueText, nil}, func(s *scanner, q *MetricQuery) error { return readChoice(s, &q.WeekStart, sqlexpr.WeekdayNames()) }},
	{bodyKey{"hints", bodyKeyValueBoolean, nil}, func(s *scanner, q *MetricQuery) error { return readOptionalBool(s, &q.Hints) }},
}

var detailQueryKeyReaders = []keyReader[DetailQuery]{
	{bodyKey{"from", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.From) }},
	{bodyKey{"fields", bodyKeyValueTextArray, nil}, func(s *scanner, q *DetailQuery) error { return s.readTexts(&q.Fields, limits.DetailQueryFields) }},
	{bodyKey{"where_sql", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return s.readText(&q.WhereSQL) }},
	{bodyKey{"time_range", bodyKeyValueFixedKeysObject, keysOfReaders(timeRangeKeyReaders)}, func(s *scanner, q *DetailQuery) error { return readTimeRange(s, timeRangeKeyReaders, &q.TimeRange) }},
	{bodyKey{"order_by", bodyKeyValueObjectArray, keysOfReaders(orderByKeyReaders)}, func(s *scanner, q *DetailQuery) error { return readOrderBys(s, &q.OrderBy) }},
	{bodyKey{"limit", bodyKeyValueInteger, nil}, func(s *scanner, q *DetailQuery) error { return s.readCount(&q.Limit) }},
	{bodyKey{"offset", bodyKeyValueInteger, nil}, func(s *scanner, q *DetailQuery) error { return s.readRowOffset(&q.Offset) }},
	{bodyKey{"params", bodyKeyValueScalarMap, nil}, func(s *scanner, q *DetailQuery) error { return readParams(s, &q.Params) }},
	{bodyKey{"dialect", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Dialect) }},
	{bodyKey{"pretty", bodyKeyValueBoolean, nil}, func(s *scanner, q *DetailQuery) error { return s.readBool(&q.Pretty) }},
	{bodyKey{"connection", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Connection) }},
	{bodyKey{"saved", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return s.readName(&q.Saved) }},
	{bodyKey{"with", bodyKeyValueObjectArray, keysOfReaders(localFieldKeyReaders)}, func(s *scanner, q *DetailQuery) error { return readLocalFields(s, &q.With) }},
	{bodyKey{"as_of", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return readNonEmptyName(s, &q.AsOf) }},
	{bodyKey{"time_zone", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return readTimeZone(s, &q.TimeZone) }},
	{bodyKey{"week_start", bodyKeyValueText, nil}, func(s *scanner, q *DetailQuery) error { return readChoice(s, &q.WeekStart, sqlexpr.WeekdayNames()) }},
	{bodyKey{"hints", bodyKeyValueBoolean, nil}, func(s *scanner, q *DetailQuery) error { return readOptionalBool(s, &q.Hints) }},
}

var attributeQueryKeyReaders = []keyReader[AttributeQuery]{
	{bodyKey{"metric", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Metric) }},
	{bodyKey{"dimensions", bodyKeyValueTextArray, nil}, func(s *scanner, q *AttributeQuery) error { return s.readTexts(&q.Dimensions, limits.QueryGroupBys) }},
	{bodyKey{"baseline", bodyKeyValueFixedKeysObject, keysOfReaders(boundedRangeKeyReaders)}, func(s *scanner, q *AttributeQuery) error {
		return readTimeRange(s, boundedRangeKeyReaders, &q.Baseline)
	}},
	{bodyKey{"current", bodyKeyValueFixedKeysObject, keysOfReaders(boundedRangeKeyReaders)}, func(s *scanner, q *AttributeQuery) error { return readTimeRange(s, boundedRangeKeyReaders, &q.Current) }},
	{bodyKey{"where_sql", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return s.readText(&q.WhereSQL) }},
	{bodyKey{"context_filter", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return s.readText(&q.ContextFilter) }},
	{bodyKey{"time_dimension", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.TimeDimension) }},
	{bodyKey{"params", bodyKeyValueScalarMap, nil}, func(s *scanner, q *AttributeQuery) error { return readParams(s, &q.Params) }},
	{bodyKey{"max_values_per_dimension", bodyKeyValueInteger, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.MaxValuesPerDimension) }},
	{bodyKey{"top_n_dimensions", bodyKeyValueInteger, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.TopNDimensions) }},
	{bodyKey{"top_n_values", bodyKeyValueInteger, nil}, func(s *scanner, q *AttributeQuery) error { return s.readCount(&q.TopNValues) }},
	{bodyKey{"dialect", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Dialect) }},
	{bodyKey{"connection", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Connection) }},
	{bodyKey{"saved", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return s.readName(&q.Saved) }},
	{bodyKey{"with", bodyKeyValueObjectArray, keysOfReaders(localFieldKeyReaders)}, func(s *scanner, q *AttributeQuery) error { return readLocalFields(s, &q.With) }},
	{bodyKey{"time_zone", bodyKeyValueText, nil}, func(s *scanner, q *AttributeQuery) error { return readTimeZone(s, &q.TimeZone) }},
}

// DecodeMetric reads the body of compile, explain and execute. The error is a
// *planerr.Error of code bad_request or unknown_query_key.
func DecodeMetric(body []byte) (*MetricQuery, error) { return decodeQuery(body, metricQueryKeyReaders) }

// DecodeDetail reads the body of the detail plane; errors as of DecodeMetric.
func DecodeDetail(body []byte) (*DetailQuery, error) { return decodeQuery(body, detailQueryKeyReaders) }

// DecodeAttribute reads the body of an attribution; errors as of DecodeMetric.
func DecodeAttribute(body []byte) (*AttributeQuery, error) {
	return decodeQuery(body, attributeQueryKeyReaders)
}
