package sqlerror

import (
	"strings"

	"github.com/semlayer/semlayer/planner/planerr"
)

// The codes of statements.
const (
	CodeSyntax            = "sql_syntax"
	CodeUnsupported       = "sql_unsupported"
	CodeReadOnly          = "sql_read_only"
	CodeGroupByRequired   = "sql_group_by_required"
	CodeMeasureInRows     = "sql_measure_in_rows"
	CodeAggregateMismatch = "sql_aggregate_mismatch"
	CodeJoinNotDeclared   = "sql_join_not_declared"
	CodeParameter         = "sql_parameter"
)

const firstRelease = "0.1.0"

// Codes returns the registry of the codes of statements in the order of the documentation.
func Codes() []planerr.CodeInfo {
	c, m, r, h := planerr.ExtraCandidates, planerr.ExtraMetrics, planerr.ExtraSuggestedRetry, planerr.ExtraHint
	return []planerr.CodeInfo{
		statementErrorInfo(CodeSyntax, "a statement is not SQL, or is outside of the supported grammar", h),
		statementErrorInfo(CodeUnsupported, "a statement is SQL and has no meaning over the model", c, h, r),
		statementErrorInfo(CodeReadOnly, "a statement writes"),
		statementErrorInfo(CodeGroupByRequired, "a column is neither grouped nor in an aggregate; candidates: the columns; the retry groups them", c, r),
		statementErrorInfo(CodeMeasureInRows, "a metric is in a select of rows, where it has no value", m, h, r),
		statementErrorInfo(CodeAggregateMismatch, "an aggregate around a metric is not the aggregate of the metric; the retry writes MEASURE", m, h, r),
		statementErrorInfo(CodeJoinNotDeclared, "a join follows no relationship of the model; candidates: the relationships between the two", c, h, r),
		statementErrorInfo(CodeParameter, "the number, type or value of a parameter is wrong", h),
	}
}

func statementErrorInfo(code, when string, extras ...planerr.ExtraFieldName) planerr.CodeInfo {
	return planerr.CodeInfo{Code: code, When: when, Extras: extras, HTTPStatus: 400, Since: firstRelease}
}

// The classes of SQLSTATE that several codes share.
const (
	SQLStateUnsupportedFeature     = "0A000" // feature not supported
	SQLStateSyntax                 = "42601"
	SQLStateGroupingError          = "42803"
	SQLStateUndefinedColumn        = "42703" // column
	SQLStateUndefinedTable         = "42P01"
	SQLStateAmbiguousColumn        = "42702"
	SQLStateUndefinedFunction      = "42883"
	SQLStateLimitExceeded          = "54000"
	SQLStateTooComplex             = "54001"
	SQLStateInvalidText            = "22P02"
	SQLStateCannotCoerce           = "42846"
	SQLStateInvalidTime            = "22007"
	SQLStateTimeOutOfRange         = "22008"
	SQLStateInvalidParameterValue  = "22023"
	SQLStateInvalidColumnReference = "42P10"
	SQLStateLimitNegative          = "2201W"
	SQLStateOffsetNegative         = "2201X"
	SQLStateInternal               = "XX000"
)

var sqlStatesByCode = map[string]string{
	CodeSyntax: SQLStateSyntax, CodeUnsupported: SQLStateUnsupportedFeature, CodeReadOnly: "25006", CodeGroupByRequired: SQLStateGroupingError,
	CodeMeasureInRows: SQLStateGroupingError, CodeAggregateMismatch: SQLStateGroupingError, CodeJoinNotDeclared: SQLStateUnsupportedFeature, CodeParameter: "08P01",

	planerr.CodeUnknownDataset: SQLStateUndefinedTable,
	planerr.CodeUnknownMetric:  SQLStateUndefinedColumn, "unknown_column": SQLStateUndefinedColumn, planerr.CodeUnknownDimension: SQLStateUndefinedColumn,
	"unknown_field": SQLStateUndefinedColumn, planerr.CodeUnknownOrderKey: SQLStateUndefinedColumn,
	"cross_dataset_aggregate": SQLStateGroupingError, "not_an_aggregate": SQLStateGroupingError, "bare_column_in_metric": SQLStateGroupingError,
	"nested_aggregate": SQLStateGroupingError, planerr.CodeAggregateInWhere: SQLStateGroupingError, "count_star_needs_dataset": SQLStateGroupingError,
	"unparseable_expression":       SQLStateSyntax,
	planerr.CodeAmbiguousDimension: SQLStateAmbiguousColumn, planerr.CodeAmbiguousJoinPath: SQLStateAmbiguousColumn, "ambiguous_column": SQLStateAmbiguousColumn,
	planerr.CodeDuplicateOutputName: "42701",
	"unsupported_aggregate":         SQLStateUndefinedFunction,
	planerr.CodeBadRequest:          SQLStateSyntax,
	planerr.CodeUnknownTimeZone:     SQLStateInvalidParameterValue,
	"forbidden":                     "42501", "unauthorized": "28P01", "rate_limited": "53400", "result_too_large": SQLStateLimitExceeded, "cost_limit_exceeded": SQLStateLimitExceeded, "memory_limit": SQLStateLimitExceeded,
	"unknown_model": "3D000", "busy": "53300", "timeout": "57014", "connection": "HV00N", "auth": "HV00N",
	"sql_rejected": "HV000", "driver": "HV000", "config": "HV000", planerr.CodeInternal: SQLStateInternal,
}

// SQLStateOfCode returns the SQLSTATE of a code: most codes of the planner are features that are not supported.
func SQLStateOfCode(code string) string {
	if state, ok := sqlStatesByCode[code]; ok {
		return state
	}
	if strings.HasPrefix(code, "param_") || code == planerr.CodeUnknownMetricParam {
		return SQLStateInvalidParameterValue
	}
	return SQLStateUnsupportedFeature
}
