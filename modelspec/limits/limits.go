package limits

// The bounds on the text of a model.
const (
	ModelBytes              = 10 << 20 // length of the text
	ModelDepth              = 64       // nesting of mappings and lists
	ModelNodes              = 1 << 20  // keys and values, after aliases are expanded
	ModelKeysAndValuesBytes = 10 << 20 // keys and values, after aliases are expanded
	ModelTokens             = 1 << 20  // words and signs of all expressions and payloads, after aliases are expanded
	KeyColumns              = 100      // columns of one key, or of one side of a relationship
	UniqueKeys              = 1000     // of one dataset
	ExpressionDialects      = 100      // entries of one expression
	ExpressionBytes         = 1 << 20  // one expression
	ExpressionDepth         = 500      // stays below what the engines themselves accept
	ExpressionInListItems   = 100_000  // items of one IN list
	MetricDatasets          = 1000     // whose fields one metric aggregates
	FieldExpressionNodes    = 20_000   // operands and operators of a field, with the fields that it names
	FieldNestingLevels      = 64       // fields in fields
	PayloadBytes            = 1 << 20  // one payload of the vendor extension: 200 views with their lists of fields
	PayloadDepth            = 32
	ParamAllowedValues      = 1000 // values that a parameter allows
	PeriodsOfAllCalendars   = 100  // of all calendars
	WindowNestingLevels     = 6    // windows in windows; each may read the one below twice
)

// The bounds on a query: far above what a result can show, and low enough that
// no request is expensive to reject.
const (
	QueryJSONDepth                  = 64
	QueryMetrics                    = 1000
	DetailQueryFields               = 1000
	QueryGroupBys                   = 200
	QueryOrderKeys                  = 1000
	QueryTimeRanges                 = 200
	QueryParams                     = 1000
	QueryValuesPerParam             = 10_000  // of one parameter; QueryResultColumnsOfParamLists bounds what they multiply
	QueryColumns                    = 2000    // of the result, group-bys among them
	QueryExpressionNodes            = 1 << 21 // operators and operands of the statement, estimated
	QueryInlineMetrics              = 64
	QueryMetricsAtLevels            = 16
	QueryLocalFields                = 32
	QuerySequences                  = 4
	SequenceSteps                   = 8
	SequencePeriods                 = 120
	QueryTotals                     = 32
	QueryShares                     = 32
	QueryComparisons                = 4
	QueryFilledBuckets              = 10_000 // without other groups, or with a limit
	QueryFilledBucketsIfOtherGroups = 1000   // with other groups and without a limit
	QueryTopValues                  = 1000
	QueryNameBytes                  = 1024
	QueryColumnNameBytes            = 128
	QueryResultColumnsOfParamLists  = 64
	DetailRows                      = 10_000
	ConditionBytes                  = 64 << 10
	ConditionDepth                  = 100
	ConditionInListItems            = 1000     // items of one IN list
	ConditionComputedTextBytes      = 32 << 10 // that text functions make for a row
	ConditionSearchCost             = 4 << 20  // bytes of such a text times the bytes searched for in it
	LikePatternBytes                = 1024
	LikePatternWildcards            = 32
	ComputedLikePatternPercentSigns = 2       // % of a pattern that is not a literal
	RegexpPatternRepeats            = 4       // parts of a regular expression that repeat
	ParamWindowBuckets              = 100_000 // of a window whose length is a parameter
	RecomputedWindowPeriods         = 400     // of a window that is recomputed over its rows
	RecomputedHolisticWindowPeriods = 100     // where each row is read once for each bucket that it reaches
	StatementBytes                  = 8 << 20
)

// The bounds on requests for names and values.
const (
	FindQuestionRunes          = 500 // and of a search among the items of a list
	FindHitsPerPage            = 50  // of one page
	CompatibleItemsPerPage     = 1000
	ValuesOfOneFieldPerRequest = 1000
	FieldValuesLikeRunes       = 200
)

// The bounds on a statement that is written in SQL.
const (
	SQLDepth         = 100
	SQLInListItems   = 1000 // items of one IN list
	SQLRelations     = 100
	SQLListItems     = 1600 // items of one list, such as that of SELECT
	SQLNameBytes     = 1024
	SQLConstantBytes = 64 << 10 // of one text or number, which each row of a result may hold
)

// Limit is one bound and what it holds for.
type Limit struct {
	Name      string `json:"name"`
	Value     int64  `json:"value"`
	Unit      string `json:"unit"`
	AppliesTo string `json:"applies_to"`
	// Code is that of the error which input beyond the limit gets; "" where the
	// value is lowered to the limit instead.
	Code string `json:"code,omitempty"`
	// Setting is the flag that changes the value; "" where nothing does.
	Setting string `json:"setting,omitempty"`
}

// All returns the bounds on models and queries in the order of the
// documentation. The slice is the caller's own.
func All() []Limit {
	return []Limit{
		newLimit("model_bytes", ModelBytes, "bytes", "the text of a model", "parse"),
		newLimit("model_depth", ModelDepth, "levels", "mappings and lists in a model", "parse"),
		newLimit("model_nodes", ModelNodes, "items", "keys and values of a model; those that aliases repeat count again", "parse"),
		newLimit("model_value_bytes", ModelKeysAndValuesBytes, "bytes", "keys and values of a model; those that aliases repeat count again", "parse"),
		newLimit("key_columns", KeyColumns, "items", "columns of one key, or of one side of a relationship", "parse"),
		newLimit("unique_keys", UniqueKeys, "items", "unique keys of one dataset", "parse"),
		newLimit("expression_dialects", ExpressionDialects, "items", "entries of one expression", "parse"),
		newLimit("model_tokens", ModelTokens, "tokens", "tokens in the expressions and payloads of a model; those that aliases repeat count again", "unparseable_expression"),
		newLimit("expression_bytes", ExpressionBytes, "bytes", "one expression of a model", "unparseable_expression"),
		newLimit("expression_depth", ExpressionDepth, "levels", "one expression of a model", "unparseable_expression"),
		newLimit("expression_in_items", ExpressionInListItems, "items", "one IN list in an expression of a model", "unparseable_expression"),
		newLimit("field_nodes", FieldExpressionNodes, "items", "operators and operands of a field, with the fields that it names expanded", "unparseable_expression"),
		newLimit("field_levels", FieldNestingLevels, "levels", "nesting of fields that name other fields", "unparseable_expression"),
		newLimit("metric_datasets", MetricDatasets, "items", "datasets whose fields one metric aggregates", "not_implemented"),
		newLimit("window_levels", WindowNestingLevels, "levels", "windows over metrics that have windows", "not_implemented"),
		newLimit("payload_bytes", PayloadBytes, "bytes", "the data of one custom extension", "invalid_vendor_extension"),
		newLimit("payload_depth", PayloadDepth, "levels", "the data of one custom extension", "invalid_vendor_extension"),
		newLimit("param_allowed", ParamAllowedValues, "items", "allowed values of one parameter", "invalid_vendor_extension"),
		newLimit("calendar_periods", PeriodsOfAllCalendars, "items", "periods of all calendars of a model", "invalid_vendor_extension"),

		newLimit("query_depth", QueryJSONDepth, "levels", "objects and arrays in a request", "bad_request"),
		newLimit("query_metrics", QueryMetrics, "items", "metrics of a query", "bad_request"),
		newLimit("query_fields", DetailQueryFields, "items", "fields of a detail query", "bad_request"),
		newLimit("query_group_by", QueryGroupBys, "items", "group_by of a query; dimensions of an attribution", "bad_request"),
		newLimit("query_order_by", QueryOrderKeys, "items", "order_by of a query", "bad_request"),
		newLimit("query_time_ranges", QueryTimeRanges, "items", "time_ranges of a query", "bad_request"),
		newLimit("query_params", QueryParams, "items", "params of a query", "bad_request"),
		newLimit("query_param_values", QueryValuesPerParam, "items", "values of one parameter in params", "bad_request"),
		newLimit("query_columns", QueryColumns, "columns", "result columns of a query: its group_by, its metrics times time_ranges and lists in params, and those of compare, shares and totals", "bad_request"),
		newLimit("query_nodes", QueryExpressionNodes, "items", "operators and operands of the columns, aggregates and conditions of a query, with metrics expanded", "bad_request"),
		newLimit("query_metrics_at_levels", QueryMetricsAtLevels, "items", "metrics of a query that are at another level, those that metrics are made of included", "bad_request"),
		newLimit("query_inline_metrics", QueryInlineMetrics, "items", "metrics of a query that have an expression", "bad_request"),
		newLimit("query_with", QueryLocalFields, "items", "with of a query", "bad_request"),
		newLimit("query_sequences", QuerySequences, "items", "sequences of a query", "bad_request"),
		newLimit("sequence_steps", SequenceSteps, "items", "steps of a sequence", "bad_request"),
		newLimit("sequence_periods", SequencePeriods, "items", "periods of a sequence", "bad_request"),
		newLimit("query_totals", QueryTotals, "items", "totals of a query", "bad_request"),
		newLimit("query_shares", QueryShares, "items", "shares of a query", "bad_request"),
		newLimit("query_compare", QueryComparisons, "items", "compare of a query", "bad_request"),
		newLimit("query_filled_buckets", QueryFilledBuckets, "buckets", "filled buckets of a query without other groups, or with a limit", "fill_too_large"),
		newLimit("query_filled_buckets_of_groups", QueryFilledBucketsIfOtherGroups, "buckets", "filled buckets of a query with other groups and without a limit", "fill_too_large"),
		newLimit("query_top_values", QueryTopValues, "values", "n of top", "bad_request"),
		newLimit("query_name_bytes", QueryNameBytes, "bytes", "one name in a query", "bad_request"),
		newLimit("query_column_name_bytes", QueryColumnNameBytes, "bytes", "the name that a query gives a result column", "bad_request"),
		newLimit("param_columns", QueryResultColumnsOfParamLists, "columns", "result columns that lists in params make", "param_expansion_too_large"),
		newLimit("detail_rows", DetailRows, "rows", "limit of a detail query; a greater one is lowered", ""),
		newLimit("find_question", FindQuestionRunes, "characters", "q of find; search of compatible", "bad_request"),
		newLimit("find_hits", FindHitsPerPage, "items", "limit of find", "bad_request"),
		newLimit("compatible_items", CompatibleItemsPerPage, "items", "limit of compatible", "bad_request"),
		newLimit("values_items", ValuesOfOneFieldPerRequest, "values", "limit of values", "bad_request"),
		newLimit("values_like", FieldValuesLikeRunes, "characters", "like of values", "bad_request"),
		newLimit("condition_bytes", ConditionBytes, "bytes", "where_sql and context_filter, each", "unsupported_filter"),
		newLimit("condition_depth", ConditionDepth, "levels", "where_sql and context_filter, each", "unsupported_filter"),
		newLimit("condition_in_items", ConditionInListItems, "items", "one IN list in a condition", "unsupported_filter"),
		newLimit("sql_depth", SQLDepth, "levels", "one statement in SQL", "bad_request"),
		newLimit("sql_in_items", SQLInListItems, "items", "one IN list in a statement", "bad_request"),
		newLimit("sql_relations", SQLRelations, "items", "relations that a statement names", "bad_request"),
		newLimit("sql_items", SQLListItems, "items", "items of SELECT, and of any other list in a statement but IN", "bad_request"),
		newLimit("sql_name_bytes", SQLNameBytes, "bytes", "one name in a statement", "bad_request"),
		newLimit("sql_constant_bytes", SQLConstantBytes, "bytes", "one constant of a statement, quotes included, and one value of a parameter", "bad_request"),
		newLimit("condition_text_bytes", ConditionComputedTextBytes, "bytes", "strings that CONCAT, || and lengthening REPLACE of a condition build for a row, estimated", "unsupported_filter"),
		newLimit("condition_search", ConditionSearchCost, "bytes", "the length of a built string, times the length of a string that a condition searches in it, estimated", "unsupported_filter"),
		newLimit("pattern_bytes", LikePatternBytes, "bytes", "a pattern of LIKE, and a regular expression, in a condition", "unsupported_filter"),
		newLimit("pattern_wildcards", LikePatternWildcards, "items", "% and _ of a pattern in a condition", "unsupported_filter"),
		newLimit("made_pattern_runs", ComputedLikePatternPercentSigns, "items", "% of a pattern in a condition that is not a literal", "unsupported_filter"),
		newLimit("regexp_repeats", RegexpPatternRepeats, "items", "parts of a regular expression in a condition that may occur several times", "unsupported_filter"),
		newLimit("recomputed_periods", RecomputedWindowPeriods, "buckets", "periods of a recomputed window; count of its span", "invalid_vendor_extension"),
		newLimit("recomputed_holistic_periods", RecomputedHolisticWindowPeriods, "buckets", "a recomputed window over a distinct count or a similar aggregate, and over a span with a varying number of buckets", "invalid_vendor_extension"),
		newLimit("window_buckets", ParamWindowBuckets, "buckets", "a window whose length is a parameter", "param_out_of_domain"),
		newLimit("statement_bytes", StatementBytes, "bytes", "the SQL text of a query", "not_implemented"),
	}
}

func newLimit(name string, value int64, unit, appliesTo, code string) Limit {
	return Limit{Name: name, Value: value, Unit: unit, AppliesTo: appliesTo, Code: code}
}
