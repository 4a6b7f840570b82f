package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// The codes of compile errors that this package raises itself; those of
// payloads are named in package extension.
const (
	CodeUnparseable           = "unparseable_expression"
	CodeNoSQLDialect          = "no_sql_dialect"
	CodeUnknownDataset        = "unknown_dataset"
	CodeUnknownField          = "unknown_field"
	CodeUnknownColumn         = "unknown_column"
	CodeAmbiguousColumn       = "ambiguous_column"
	CodeNotAnAggregate        = "not_an_aggregate"
	CodeNestedAggregate       = "nested_aggregate"
	CodeBareColumn            = "bare_column_in_metric"
	CodeCrossDatasetAggregate = "cross_dataset_aggregate"
	CodeCountStarNeedsDataset = "count_star_needs_dataset"
	CodeUnsupportedAggregate  = "unsupported_aggregate"
	CodeWindowInMetric        = "window_in_metric"
	CodeSubqueryInMetric      = "subquery_in_metric"
	CodeMeasureNameCollision  = "measure_name_collision"
	CodeReferenceCycle        = "metric_reference_cycle"
	CodeDeriveMismatch        = "derive_expression_mismatch"
	CodeAmbiguousJoinPath     = "ambiguous_join_path"
	CodeNoJoinPath            = "no_join_path"
)

// The codes of warnings that this package raises itself.
const (
	CodeAggregateFieldDropped = "aggregate_field_dropped"
	CodeNoConformedDimensions = "compose_no_conformed_dimensions"
	CodeTimeFormatMisplaced   = "vendor_time_format_misplaced"
	CodeWindowAddsNonAdditive = "window_adds_non_additive"
	CodeParamUnused           = "vendor_param_unused"
	CodeUnderdeclaredField    = "underdeclared_field"
	CodeNoMetrics             = "no_metrics"
	CodeAggregatedDimension   = "dimension_role_conflict"
	CodeFunctionNotPortable   = "function_not_portable"
)

// codeMultiColumnDistinct is declared by the contract and not raised: the
// expression language has no COUNT(DISTINCT a, b), so such a text does not
// parse.
const codeMultiColumnDistinct = "multi_column_count_distinct"

// Codes returns the registry of the compile stage, errors and then warnings, in
// the order of the documentation. The slice is the caller's own.
func Codes() []modelspec.CodeInfo { return append(errorCodeInfos(), warningCodeInfos()...) }

func errorCodeInfos() []modelspec.CodeInfo {
	const candidates, hint = "candidates", "hint"
	failure := func(code, when string, extras ...string) modelspec.CodeInfo {
		return modelspec.CodeInfo{Code: code, Stage: "compile", Severity: modelspec.SeverityError, When: when, Extras: extras, Since: "0.1.0"}
	}
	retired := failure(codeMultiColumnDistinct, "COUNT(DISTINCT …) over several columns")
	retired.Retired = "such a text does not parse: " + CodeUnparseable
	return []modelspec.CodeInfo{
		failure(CodeUnparseable, "an expression does not parse, holds an invalid part, or fields expand into each other in a circle", hint),
		failure(CodeNoSQLDialect, "a field or metric in use has no entry in a SQL dialect", hint),
		failure(CodeUnknownDataset, "a qualifier is not a dataset; also a document that has not exactly one semantic model; candidates: the datasets", candidates, hint),
		failure(CodeUnknownField, "a dataset lacks the field; candidates: the dataset's fields", candidates, hint),
		failure(CodeUnknownColumn, "a bare name is in no dataset; candidates: the nearest fields", candidates, hint),
		failure(CodeAmbiguousColumn, "a bare name is in several datasets; candidates: the qualified spellings", candidates),
		failure(CodeNotAnAggregate, "the expression of a metric does not aggregate", hint),
		failure(CodeNestedAggregate, "an aggregate is nested in an aggregate", hint),
		failure(CodeBareColumn, "a column is outside of any aggregate, or an aggregate names no column", hint),
		failure(CodeCrossDatasetAggregate, "an aggregate, the where of a derived metric, or a field names fields of another dataset, and its rows do not lead to one row there", hint),
		failure(CodeCountStarNeedsDataset, "COUNT(*) in a model of several datasets does not name the dataset whose rows it counts", hint),
		failure(CodeUnsupportedAggregate, "metrics do not have the aggregate, or it does not take the type of its argument; hint: an expression that works", hint),
		retired,
		failure(CodeWindowInMetric, "the expression of a metric has a window function", hint),
		failure(CodeSubqueryInMetric, "the expression of a metric has a subquery", hint),
		failure(CodeMeasureNameCollision, "two different aggregates would have one measure name, or one aggregate two names", hint),
		failure(CodeReferenceCycle, "metrics refer to each other in a circle; the message shows it", hint),
		failure(CodeDeriveMismatch, "the expression of a derived metric differs from the expansion of its derive block", hint),
		failure(CodeAmbiguousJoinPath, "several paths of relationships lead to the field that an expression or a view names, or from the rows that a level-of-detail field aggregates to the field's dataset; candidates: the paths", candidates, hint),
		failure(CodeNoJoinPath, "the rows of no metric of a view lead to the fields of its where", hint),
		failure(extension.CodeInvalidPayload, "a payload of the vendor extension is malformed, or names an object that does not exist", candidates, hint),
		failure(modelspec.CodeDuplicateName, "two saved queries have the same name; case does not count", hint),
		failure(extension.CodeUnsupportedVersion, "a payload declares a version with a newer major, or one below 1.0", hint),
		failure(extension.CodeRequiredKeyUnknown, "requires names a key that the engine does not implement", hint),
		failure(extension.CodeNotImplemented, "the engine does not support a declared derive, window or level of detail", hint),
	}
}

func warningCodeInfos() []modelspec.CodeInfo {
	warning := func(code, when string) modelspec.CodeInfo {
		return modelspec.CodeInfo{Code: code, Stage: "compile", Severity: modelspec.SeverityWarning, When: when, Since: "0.1.0"}
	}
	return []modelspec.CodeInfo{
		warning(extension.CodeIgnoredPayload, "basic mode ignores the payload of an object"),
		warning(extension.CodeVersionAhead, "a payload declares a newer minor version; the message names the keys that were dropped"),
		warning(extension.CodeKeyNewerThanVersion, "a key is newer than the version that its payload declares; it is applied"),
		warning(extension.CodeKeyNotInRequires, "requires does not list a key that changes results silently if it is ignored"),
		warning(CodeNoConformedDimensions, "the members of a combined metric share no dimension"),
		warning(CodeTimeFormatMisplaced, "a time field has a format, which is ignored; put the layout of its column into its time block"),
		warning(extension.CodeParamUnbounded, "an int or float parameter declares no allowed, min or max"),
		warning(CodeParamUnused, "a parameter is declared and no slot uses it"),
		warning(CodeWindowAddsNonAdditive, "a window takes the sum or the mean of bucket values that do not add up, such as distinct counts or averages"),
		warning(CodeUnderdeclaredField, "a field without is_dimension looks like a measurement, a business key or an unmarked time column (validation only)"),
		warning(CodeNoMetrics, "the model has no metrics, so no query can aggregate (validation only)"),
		warning(CodeAggregatedDimension, "a field declared a dimension is aggregated as a measure; the message names the metric (validation only)"),
		warning(extension.CodeParamValueColumnsCollide, "allowed values of a parameter would give columns the same name; the names get a suffix"),
		warning(CodeAggregateFieldDropped, "a field aggregates and declares no grain; it is dropped"),
		warning(CodeFunctionNotPortable, "an ANSI_SQL entry calls a function outside of the language, which is passed on unchanged; the message names the dialects that are known to lack it"),
	}
}
