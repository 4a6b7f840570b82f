package compile

// The codes of compile errors that this package raises itself; those of
// payloads are named in package extension.
const (
	CodeUnparseable          = "unparseable_expression"
	CodeNoSQLDialect         = "no_sql_dialect"
	CodeUnknownDataset       = "unknown_dataset"
	CodeUnknownField         = "unknown_field"
	CodeUnknownColumn        = "unknown_column"
	CodeAmbiguousColumn      = "ambiguous_column"
	CodeNotAnAggregate       = "not_an_aggregate"
	CodeNestedAggregate      = "nested_aggregate"
	CodeBareColumn           = "bare_column_in_metric"
	CodeCrossDataset         = "cross_dataset_aggregate"
	CodeCountStar            = "count_star_needs_dataset"
	CodeUnsupportedAggregate = "unsupported_aggregate"
	CodeWindowInMetric       = "window_in_metric"
	CodeSubqueryInMetric     = "subquery_in_metric"
	CodeMeasureCollision     = "measure_name_collision"
	CodeReferenceCycle       = "metric_reference_cycle"
	CodeDeriveMismatch       = "derive_expression_mismatch"
)

// The codes of warnings that this package raises itself.
const (
	CodeAggregateFieldDropped = "aggregate_field_dropped"
	CodeNoConformedDimensions = "compose_no_conformed_dimensions"
	CodeTimeFormatMisplaced   = "vendor_time_format_misplaced"
	CodeParamUnused           = "vendor_param_unused"
	CodeUnderdeclared         = "underdeclared_field"
	CodeRoleConflict          = "dimension_role_conflict"
)
