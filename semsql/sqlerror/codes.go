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

// Codes is the registry of the codes of statements in the order of the documentation.
func Codes() []planerr.CodeInfo {
	c, m, r, h := planerr.ExtraCandidates, planerr.ExtraMetrics, planerr.ExtraSuggestedRetry, planerr.ExtraHint
	return []planerr.CodeInfo{
		statementErrorInfo(CodeSyntax, "a statement is not SQL, or is beyond the grammar", h),
		statementErrorInfo(CodeUnsupported, "a statement is SQL and has no meaning over the model", c, h, r),
		statementErrorInfo(CodeReadOnly, "a statement writes"),
		statementErrorInfo(CodeGroupByRequired, "a column is neither grouped nor in an aggregate; candidates: the columns; the retry groups them", c, r),
		statementErrorInfo(CodeMeasureInRows, "a metric is in a select of rows, where it has no value", m, h, r),
		statementErrorInfo(CodeAggregateMismatch, "an aggregate is written around a metric that it is not; the retry writes MEASURE", m, h, r),
		statementErrorInfo(CodeJoinNotDeclared, "a join follows no relationship of the model; candidates: the relationships between the two", c, h, r),
		statementErrorInfo(CodeParameter, "the number, type or value of a parameter does not fit", h),
	}
}

func statementErrorInfo(code, when string, extras ...planerr.Extra) planerr.CodeInfo {
	return planerr.CodeInfo{Code: code, When: when, Extras: extras, HTTPStatus: 400, Since: firstRelease}
}

// The classes of SQLSTATE that several codes share.
const (
	StateUnsupportedFeature     = "0A000" // feature not supported
	StateSyntax                 = "42601"
	StateGroupingError          = "42803"
	StateUndefinedColumn        = "42703" // column
	StateUndefinedTable         = "42P01"
	StateAmbiguousColumn        = "42702"
	StateUndefinedFunction      = "42883"
	StateLimitExceeded          = "54000"
	StateTooComplex             = "54001"
	StateInvalidText            = "22P02"
	StateInvalidTime            = "22007"
	StateInvalidColumnReference = "42P10"
	StateLimitNegative          = "2201W"
	StateOffsetNegative         = "2201X"
	StateInternal               = "XX000"
)

var statesByCode = map[string]string{
	CodeSyntax: StateSyntax, CodeUnsupported: StateUnsupportedFeature, CodeReadOnly: "25006", CodeGroupByRequired: StateGroupingError,
	CodeMeasureInRows: StateGroupingError, CodeAggregateMismatch: StateGroupingError, CodeJoinNotDeclared: StateUnsupportedFeature, CodeParameter: "08P01",

	planerr.CodeUnknownDataset: StateUndefinedTable,
	planerr.CodeUnknownMetric:  StateUndefinedColumn, "unknown_column": StateUndefinedColumn, planerr.CodeUnknownDimension: StateUndefinedColumn,
	"unknown_field": StateUndefinedColumn, planerr.CodeUnknownOrderKey: StateUndefinedColumn,
	"cross_dataset_aggregate": StateGroupingError, "not_an_aggregate": StateGroupingError, "bare_column_in_metric": StateGroupingError,
	"nested_aggregate": StateGroupingError, planerr.CodeAggregateInWhere: StateGroupingError, "count_star_needs_dataset": StateGroupingError,
	"unparseable_expression":       StateSyntax,
	planerr.CodeAmbiguousDimension: StateAmbiguousColumn, planerr.CodeAmbiguousJoinPath: StateAmbiguousColumn, "ambiguous_column": StateAmbiguousColumn,
	planerr.CodeDuplicateOutputName: "42701",
	"unsupported_aggregate":         StateUndefinedFunction,
	planerr.CodeBadRequest:          StateSyntax,
	"forbidden":                     "42501", "unauthorized": "28P01", "rate_limited": "53400", "result_too_large": StateLimitExceeded, "cost_limit_exceeded": StateLimitExceeded,
	"unknown_model": "3D000", "busy": "53300", "timeout": "57014", "connection": "HV00N", "auth": "HV00N",
	"sql_rejected": "HV000", "driver": "HV000", "config": "HV000", planerr.CodeInternal: StateInternal,
}

// StateOf is the SQLSTATE of a code: most codes of the planner are features that are not supported.
func StateOf(code string) string {
	if state, ok := statesByCode[code]; ok {
		return state
	}
	if strings.HasPrefix(code, "param_") || code == planerr.CodeUnknownMetricParam {
		return "22023"
	}
	return StateUnsupportedFeature
}
