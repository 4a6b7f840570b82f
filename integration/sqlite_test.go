package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

func TestCorpus_RowsOnSQLite(t *testing.T) {
	g := &secondaryEngine{backend: newSecondaryBackend(servers.SQLite(t)), unsupported: sqliteUnsupported()}
	g.testCorpus(t)
}

// sqliteUnsupported are the cases that SQLite cannot answer.
func sqliteUnsupported() map[string]unsupportedCase {
	const noWindow = "dialect_unsupported_window_function"
	return map[string]unsupportedCase{
		"basics/integers_beyond_what_a_double_holds":        {"sql_rejected", "a SUM beyond 64 bits is an error of SQLite, and no rounded number"},
		"frame/correlation_with_what_does_not_vary_is_null": {noWindow, "there is no CORR"},
		"frame/sample_deviation_of_a_partition":             {noWindow, "there is no STDDEV_SAMP"},
		"frame/second_input_is_a_metric_of_its_own":         {noWindow, "there is no COVAR_POP"},
		"frame/two_inputs":                                  {noWindow, "there are no COVAR_POP, COVAR_SAMP and CORR"},
		"rolling/deviation_of_the_buckets":                  {noWindow, "there are no STDDEV_POP and VAR_SAMP"},
		"time/a_field_cut_to_the_millisecond":               {"not_implemented", "its own functions round to milliseconds"},
		"operands/days_without_a_type":                      {"not_implemented", "+ takes a date for a number"},
	}
}
