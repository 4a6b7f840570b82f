package planerr

// The codes of warnings about a query.
const (
	WarningApproximate  = "approximate"
	WarningLimitClamped = "limit_clamped"
	// WarningFilterMatchedNothing and WarningTimeRangeMatchedNothing are of results without rows.
	WarningFilterMatchedNothing    = "filter_matched_nothing"
	WarningTimeRangeMatchedNothing = "time_range_matched_nothing"
	WarningWindowAddsNonAdditive   = "window_adds_non_additive"
	WarningTimeAttributePartitions = "time_attribute_partitions"
	WarningFanOutOnce              = "fan_out_once"
	WarningConditionLimitsWindows  = "condition_limits_windows"
)

// QueryWarning is what a caller should know of a query that is answered all the same. It
// marshals to the wire shape.
type QueryWarning struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Columns []string `json:"columns,omitempty"` // of the result, where it is about some
	// Field, Value and Near are of a filter that no row meets: the values of the field that are like the one it requests.
	Field string   `json:"field,omitempty"`
	Value *string  `json:"value,omitempty"`
	Near  []string `json:"near,omitempty"`
	// Min and Max are the times that the data have, where the query requests others.
	Min string `json:"min,omitempty"`
	Max string `json:"max,omitempty"`
	// SuggestedRetry is a JSON object to merge into the query, which plans then.
	SuggestedRetry string `json:"suggested_retry,omitempty"`
}

// WarningCodes returns the registry of the warnings about queries, as Codes does for errors.
func WarningCodes() []CodeInfo {
	return []CodeInfo{
		{Code: WarningApproximate, When: "the engine estimates the values of some columns; columns: their names", Since: firstRelease},
		{Code: WarningLimitClamped, When: "a detail query asks for more rows than it may have; limit is the number that applied", Since: firstRelease},
		{Code: WarningWindowAddsNonAdditive, When: "a window takes the sum or the mean of bucket values that do not add up; columns: the columns of such windows", Since: firstRelease},
		{Code: WarningTimeAttributePartitions, When: "a window over time or a comparison looks at the rows of one value of a group-by that nothing proves to have one value in each bucket, such as a field of the date dimension; columns: these group-bys", Since: firstRelease},
		{Code: WarningFanOutOnce, When: "fan_out is once_per_group, and a join repeats the rows of a metric: its values do not add up over the groups, and rows that no joined row refers to are in none of them; columns: the columns of such metrics", Since: firstRelease},
		{Code: WarningConditionLimitsWindows, When: "a condition of where_sql on a time axis is neither a range nor a condition on grouped values, so it filters the rows that windows over time read; columns: the columns of these windows", Since: firstRelease},
		{Code: WarningFilterMatchedNothing, When: "the result is empty, the query has hints, and no row of the field has the value of the filter; near: similar values", Since: firstRelease, Extras: []ExtraFieldName{ExtraSuggestedRetry}},
		{Code: WarningTimeRangeMatchedNothing, When: "the result is empty, the query has hints, and time_range is outside of the times of the data, from min to max", Since: firstRelease},
	}
}
