package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

func TestCorpus_RowsOnSQLite(t *testing.T) {
	g := &secondaryEngine{backend: newSecondaryBackend(servers.SQLite(t)), unsupported: sqliteUnsupported()}
	g.testCorpus(t)
}

// sqliteUnsupported returns the cases that SQLite cannot answer.
func sqliteUnsupported() map[string]unsupportedCase {
	const noWindow = "dialect_unsupported_window_function"
	return map[string]unsupportedCase{
		"aggregates/deviations_in_totals":                   {"dialect_unsupported_aggregate", "SQLite lacks STDDEV and VARIANCE"},
		"aggregates/statistics_in_totals":                   {"dialect_unsupported_aggregate", "SQLite lacks STDDEV and VARIANCE"},
		"aggregates/deviations":                             {"dialect_unsupported_aggregate", "SQLite lacks STDDEV and VARIANCE"},
		"aggregates/deviations_of_large_values":             {"dialect_unsupported_aggregate", "there is no VAR_SAMP"},
		"aggregates/condition_on_a_deviation":               {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"basics/integers_beyond_what_a_double_holds":        {"sql_rejected", "a SUM beyond 64 bits is an error of SQLite, and no rounded number"},
		"frame/correlation_with_what_does_not_vary_is_null": {noWindow, "there is no CORR"},
		"frame/sample_deviation_of_a_partition":             {noWindow, "there is no STDDEV_SAMP"},
		"frame/second_input_is_a_metric_of_its_own":         {noWindow, "there is no COVAR_POP"},
		"frame/two_inputs":                                  {noWindow, "there are no COVAR_POP, COVAR_SAMP and CORR"},
		"recompute/deviations_far_from_zero":                {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"calendars/recomputed_days_of_a_year":               {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"calendars/recomputed_parts":                        {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"calendars/recomputed_parts_in_totals":              {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"calendars/recomputed_parts_of_a_range":             {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"calendars/recomputed_parts_of_a_year":              {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"calendars/the_same_periods_twice_with_totals":      {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"recompute/deviations_of_three_months":              {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"recompute/totals_of_months_without_their_quarters": {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"recompute/deviations_since_the_quarter_began":      {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"recompute/deviations_so_far":                       {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"recompute/statistics_of_sites_and_of_all":          {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"recompute/statistics_of_two_months_over_days":      {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"spans/deviation_of_twenty_eight_days":              {"dialect_unsupported_aggregate", "SQLite lacks VAR_POP"},
		"rolling/deviation_of_the_buckets":                  {noWindow, "there are no STDDEV_POP and VAR_SAMP"},
		"time/a_field_cut_to_the_millisecond":               {"not_implemented", "its own functions round to milliseconds"},
		"functions/regular_expressions":                     {"dialect_unsupported_function", "there is no REGEXP_LIKE"},
		"operands/days_without_a_type":                      {"not_implemented", "+ takes a date for a number"},
	}
}
