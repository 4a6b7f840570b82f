package clickhouse

import (
	"net/url"
	"strings"
	"sync"
)

// resultAffectingSettings returns the settings of the server that change which rows a statement has, or how a value of them
// is read or written, with the values that statements are written for. A user, a role or a
// profile may have others; each request carries these. docs/connections.md lists them.
//
// Settings that depend on the version of the server are left out: no value suits all versions.
func resultAffectingSettings() map[string]string {
	return map[string]string{
		"compatibility": "", "dialect": "clickhouse", "enable_analyzer": "1",
		// How names and set operations are understood.
		"prefer_column_name_to_alias": "0", "asterisk_include_alias_columns": "0", "asterisk_include_materialized_columns": "0",
		"enable_positional_arguments": "1", "enable_global_with_statement": "1",
		"union_default_mode": "", "except_default_mode": "ALL", "intersect_default_mode": "ALL",
		// Joins and NULLs.
		"join_default_strictness": "ALL", "any_join_distinct_right_table_keys": "0", "join_any_take_last_row": "0",
		"transform_null_in": "0", "cast_keep_nullable": "0", "least_greatest_legacy_null_behavior": "0",
		// Aggregates.
		"aggregate_functions_null_for_empty": "0", "empty_result_for_aggregation_by_empty_set": "0",
		"empty_result_for_aggregation_by_constant_keys_on_empty_set": "1", "group_by_use_nulls": "0",
		"count_distinct_implementation": "uniqExact", "distributed_group_by_no_merge": "0", "optimize_trivial_approximate_count_query": "0",
		// count(if(c, NULL, x)) became countIf(x, NOT c), which leaves out the rows whose c is unknown.
		"optimize_rewrite_aggregate_function_with_if": "0",
		// What cuts rows off, or takes some away.
		"limit": "0", "offset": "0", "extremes": "0", "final": "0", "apply_deleted_mask": "1",
		"additional_table_filters": "{}", "additional_result_filter": "", "skip_unavailable_shards": "0", "ignore_cold_parts_seconds": "0",
		"use_query_cache": "0", "input_format_allow_errors_num": "0", "input_format_allow_errors_ratio": "0",
		"result_overflow_mode": "throw", "read_overflow_mode": "throw", "read_overflow_mode_leaf": "throw", "group_by_overflow_mode": "throw",
		"sort_overflow_mode": "throw", "set_overflow_mode": "throw", "join_overflow_mode": "throw", "distinct_overflow_mode": "throw",
		"transfer_overflow_mode": "throw", "timeout_overflow_mode": "throw", "timeout_overflow_mode_leaf": "throw",
		// How values are read, computed and written.
		"session_timezone": "UTC", "date_time_overflow_behavior": "ignore", "decimal_check_overflow": "1",
		"bool_true_representation": "true", "bool_false_representation": "false",
		"formatdatetime_f_prints_single_zero": "0", "formatdatetime_parsedatetime_m_is_month_name": "1",
		"formatdatetime_format_without_leading_zeros": "0", "splitby_max_substrings_includes_remaining_string": "0",
		"output_format_arrow_string_as_string": "1", "output_format_arrow_low_cardinality_as_dictionary": "0",
		"output_format_arrow_fixed_string_as_fixed_byte_array": "1",
	}
}

// unsupportedSettings are the settings that the server has. An older one rejects a request for its first
// unknown setting, before it looks at the statement.
type unsupportedSettings struct {
	mu      sync.Mutex
	missing map[string]bool
}

// addSupportedSettings gives a request the settings that the server has.
func (k *unsupportedSettings) addSupportedSettings(to url.Values) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, value := range resultAffectingSettings() {
		if !k.missing[name] {
			to.Set(name, value)
		}
	}
}

// removeUnsupportedSetting removes from a request the setting that the server reports as unknown, if the driver
// has added it.
func (k *unsupportedSettings) removeUnsupportedSetting(from url.Values, complaint string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name := range resultAffectingSettings() {
		if from.Has(name) && isSettingNamedInError(complaint, name) {
			if k.missing == nil {
				k.missing = map[string]bool{}
			}
			k.missing[name] = true
			from.Del(name)
			return true
		}
	}
	return false
}

// isSettingNamedInError reads "Unknown setting 'name'" and "Setting name is neither a builtin setting nor …".
func isSettingNamedInError(complaint, name string) bool {
	words := strings.FieldsFunc(complaint, func(r rune) bool { return strings.ContainsRune(" '`\":,.", r) })
	for i, word := range words {
		if i > 0 && word == name && strings.EqualFold(words[i-1], "setting") {
			return true
		}
	}
	return false
}
