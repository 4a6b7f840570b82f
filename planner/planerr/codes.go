package planerr

// The codes of the plan stage.
const (
	CodeEmptyQuery                       = "empty_query"
	CodeDimensionsRequired               = "dimensions_required"
	CodeUnknownMetric                    = "unknown_metric"
	CodeUnknownDimension                 = "unknown_dimension"
	CodeAmbiguousDimension               = "ambiguous_dimension"
	CodeGrainOnNonTimeDimension          = "grain_on_non_time_dimension"
	CodeGrainTooFine                     = "grain_too_fine"
	CodeGrainNotSupported                = "grain_not_supported"
	CodeDuplicateOutputName              = "duplicate_output_name"
	CodeUnknownOrderKey                  = "unknown_order_key"
	CodeUnsupportedFilter                = "unsupported_filter"
	CodeAggregateInWhere                 = "aggregate_in_where"
	CodeResultFilterMetricNotSelected    = "result_filter_metric_not_selected"
	CodeResultFilterUnprojected          = "result_filter_unprojected"
	CodeNoJoinPath                       = "no_join_path"
	CodeAmbiguousJoinPath                = "ambiguous_join_path"
	CodeFanOutRisk                       = "fan_out_risk"
	CodeTimeRangeNeedsDimension          = "time_range_needs_dimension"
	CodeNoPrimaryTimeDimension           = "no_primary_time_dimension"
	CodeTimeRangeRequired                = "time_range_required"
	CodeTimeGrainRequired                = "time_grain_required"
	CodeFillTooLarge                     = "fill_too_large"
	CodeMetricTimeConflict               = "metric_time_conflict"
	CodeUnconformedDimension             = "unconformed_dimension"
	CodeUnknownMetricParam               = "unknown_metric_param"
	CodeParamOutOfDomain                 = "param_out_of_domain"
	CodeParamExpansionTooLarge           = "param_expansion_too_large"
	CodeUnknownQueryKey                  = "unknown_query_key"
	CodeConflictingKeys                  = "conflicting_keys"
	CodeUnknownTimeZone                  = "unknown_time_zone"
	CodeUnknownSavedQuery                = "unknown_saved_query"
	CodeWindowResetTooFine               = "window_reset_too_fine"
	CodeWindowExcludeNotGrouped          = "window_exclude_not_grouped"
	CodeDialectUnsupportedAggregate      = "dialect_unsupported_aggregate"
	CodeDialectUnsupportedWindowFunction = "dialect_unsupported_window_function"
	CodeDialectUnsupportedFunction       = "dialect_unsupported_function"
	CodeUnknownDataset                   = "unknown_dataset"
	CodeDetailFanout                     = "detail_fanout"
	CodeMetricInDetailQuery              = "metric_in_detail_query"
	CodeUnknownRelationship              = "unknown_relationship"
	CodeInvalidRelationshipPath          = "invalid_relationship_path"
	CodeUnsupportedExpression            = "unsupported_expression"
	CodeDenominatorNonpositive           = "denominator_nonpositive"
	CodeNoRollup                         = "no_rollup"
	CodeUnknownRollup                    = "unknown_rollup"
	CodeRollupNotWritable                = "rollup_not_writable"
	CodeRollupWriteUnsupported           = "rollup_write_unsupported"
	CodeRollupMismatch                   = "rollup_mismatch"
	CodeUnknownView                      = "unknown_view"
	CodeNotImplemented                   = "not_implemented"
	CodeInternal                         = "internal"

	// CodeBadRequest is raised where the body is not a query at all.
	CodeBadRequest = "bad_request"
)

// ExtraFieldName names an optional field of an Error.
type ExtraFieldName string

// The extras.
const (
	ExtraMetrics        ExtraFieldName = "metrics"
	ExtraCandidates     ExtraFieldName = "candidates"
	ExtraSuggestedRetry ExtraFieldName = "suggested_retry"
	ExtraHint           ExtraFieldName = "hint"
	ExtraLocation       ExtraFieldName = "location"
)

// CodeInfo describes one code.
type CodeInfo struct {
	Code   string
	When   string
	Extras []ExtraFieldName
	// HTTPStatus is the status that a server answers with.
	HTTPStatus int
	Since      string // the release that introduced the code
	// Retired is why a code is no longer raised; "" while it is.
	Retired string
}

const firstRelease = "0.1.0"

// Codes returns the registry of the plan stage in the order of the
// documentation. The slice is the caller's own.
func Codes() []CodeInfo {
	m, c, r, h := ExtraMetrics, ExtraCandidates, ExtraSuggestedRetry, ExtraHint
	return []CodeInfo{
		planErrorInfo(CodeEmptyQuery, "the query selects no metrics, or has distinct and no group_by; candidates: all metrics, or fields to group by", c, r),
		planErrorInfo(CodeDimensionsRequired, "an attribution names no dimensions; candidates: useful dimensions, the best first", m, c, r),
		planErrorInfo(CodeUnknownMetric, "a metric is not in the model, or compare names one that the query does not select; candidates: the nearest names", m, c, r),
		planErrorInfo(CodeUnknownDimension, "a group-by item or field reference is not a dimension, or a window metric's time axis is not grouped", c, r),
		planErrorInfo(CodeAmbiguousDimension, "a bare field name exists in several datasets; candidates: the qualified names", c),
		planErrorInfo(CodeGrainOnNonTimeDimension, "a grain is set on a field that is not a time field", r),
		planErrorInfo(CodeGrainTooFine, "a grain is finer than the stored granularity, or a range bound lies inside a period that the stored format cannot divide", r),
		planErrorInfo(CodeGrainNotSupported, "a metric declares the grains at which it has its meaning, and the query groups its time axis by another; candidates: its grains", m, c, r),
		planErrorInfo(CodeDuplicateOutputName, "two group-by items or metric columns have the same output name", r),
		planErrorInfo(CodeUnknownOrderKey, "an order key is neither a metric nor a group-by of the query; candidates: the accepted keys", c, r),
		planErrorInfo(CodeUnsupportedFilter, "a filter holds a subquery, a window, an encoded time field, text that does not parse, or a malformed time range", c),
		planErrorInfo(CodeAggregateInWhere, "where_sql holds an inline aggregate; declare the metric, select it and name it", r),
		planErrorInfo(CodeResultFilterMetricNotSelected, "where_sql names a metric of the model that the query does not select; candidates: the selected ones", m, c, r),
		planErrorInfo(CodeResultFilterUnprojected, "one condition of where_sql names a metric and a field that is not grouped", r),
		planErrorInfo(CodeNoJoinPath, "no dataset reaches a measure and every group-by along many-to-one relationships", m),
		planErrorInfo(CodeAmbiguousJoinPath, "more than one path of relationships leads to a dataset; candidates: the prefixes that the whole query can use; metrics: those that cannot use any prefix", m, c, r),
		planErrorInfo(CodeFanOutRisk, "a join would repeat rows, so that an aggregate would be wrong; hint: the key that the model could declare, or fan_out of the query", m, r, h),
		planErrorInfo(CodeTimeRangeNeedsDimension, "a time range could be over several time dimensions; candidates: their names", c),
		planErrorInfo(CodeNoPrimaryTimeDimension, "metric_time is used and the metric has no time axis", c, r),
		planErrorInfo(CodeTimeRangeRequired, "compare or fill is without a time_range that has both bounds", r),
		planErrorInfo(CodeTimeGrainRequired, "compare or fill is without exactly one time column with a grain", r),
		planErrorInfo(CodeFillTooLarge, "fill makes more periods than a query may have", r),
		{Code: CodeMetricTimeConflict, When: "metrics of one query have different time axes", HTTPStatus: 400, Since: firstRelease,
			Retired: "such metrics plan one branch for each axis; the code is kept for clients that know it"},
		planErrorInfo(CodeUnconformedDimension, "a dimension is not shared by all members of a derived metric; candidates: the shared dimensions", m, c, r),
		planErrorInfo(CodeUnknownMetricParam, "params names a parameter that nothing in the query declares; candidates: the declared names", c, r),
		planErrorInfo(CodeParamOutOfDomain, "a binding is outside its parameter's type or domain, an empty or repeating list, or a list where one value is needed", m, r),
		planErrorInfo(CodeParamExpansionTooLarge, "list bindings expand to more than 64 output columns", m, r),
		planErrorInfo(CodeUnknownQueryKey, "the query has a key that its type does not define; candidates: the defined keys", c, r),
		planErrorInfo(CodeConflictingKeys, "two keys of the query exclude each other; candidates: the keys", c, r),
		planErrorInfo(CodeUnknownTimeZone, "time_zone is not the name of a zone in the IANA database; candidates: the nearest names", c, r),
		planErrorInfo(CodeUnknownSavedQuery, "saved names no saved query of the model; candidates: the nearest names", c, r),
		planErrorInfo(CodeWindowResetTooFine, "a window resets more often than the query's grain", r),
		planErrorInfo(CodeWindowExcludeNotGrouped, "a window excludes a dimension that the query does not group by; candidates: the query's dimensions", m, c, r),
		planErrorInfo(CodeDialectUnsupportedWindowFunction, "the target dialect lacks the window function", m, r),
		planErrorInfo(CodeDialectUnsupportedAggregate, "the target dialect lacks the aggregate", m),
		planErrorInfo(CodeDialectUnsupportedFunction, "the target dialect lacks a function that an expression calls", m),
		planErrorInfo(CodeUnknownDataset, "from of a detail query, or dataset of a step of sequences, names no dataset; candidates: the datasets", c),
		planErrorInfo(CodeDetailFanout, "a detail query reaches a dataset only against the direction of a relationship; candidates: the way back", c, r),
		planErrorInfo(CodeMetricInDetailQuery, "a detail query projects a metric", m, r),
		planErrorInfo(CodeUnknownRelationship, "a prefixed reference names no relationship; candidates: the relationships of the dataset reached so far", c, r),
		planErrorInfo(CodeInvalidRelationshipPath, "the steps of a prefixed reference do not connect, reach a dataset twice, or do not begin at the query's base dataset", c, r),
		planErrorInfo(CodeUnsupportedExpression, "an expression of the query holds a construct that is not allowed there, or exceeds a limit; candidates: functions of the language", c, h, ExtraLocation),
		planErrorInfo(CodeDenominatorNonpositive, "an attribution of a ratio has a denominator in one of its windows whose total is empty, zero or negative", m),
		planErrorInfo(CodeNoRollup, "rollups is \"only\", and no rollup serves a branch of the query; candidates: the rollups of its dataset, those that meet more rules first", m, c, r),
		planErrorInfo(CodeUnknownView, "view names no view of the model; candidates: the nearest names", c, r),
		planErrorInfo(CodeUnknownRollup, "a command names a rollup that the model does not have; candidates: the nearest names", c),
		planErrorInfo(CodeRollupNotWritable, "semlayer rollup refresh on a connection whose profile does not allow it", h),
		planErrorInfo(CodeRollupWriteUnsupported, "semlayer rollup refresh on a warehouse that cannot replace a table in one step, or in which no session of it writes", h),
		planErrorInfo(CodeRollupMismatch, "semlayer rollup check found a table that differs from the base tables; message: the first groups, with both values", h),
		{Code: CodeNotImplemented, When: "the query fits the model, but the engine does not support it", Extras: []ExtraFieldName{m, c, r}, HTTPStatus: 501, Since: firstRelease},
		{Code: CodeInternal, When: "an internal error of the engine; a retry does not help", HTTPStatus: 500, Since: firstRelease},
		planErrorInfo(CodeBadRequest, "the body is not a query: malformed JSON, a repeated key, a value of another type, an unknown dialect", c, r),
	}
}

func planErrorInfo(code, when string, extras ...ExtraFieldName) CodeInfo {
	return CodeInfo{Code: code, When: when, Extras: extras, HTTPStatus: 400, Since: firstRelease}
}

// Lookup finds a code in the registry.
func Lookup(code string) (CodeInfo, bool) {
	for _, i := range Codes() {
		if i.Code == code {
			return i, true
		}
	}
	return CodeInfo{}, false
}
