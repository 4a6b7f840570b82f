package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

func TestCorpus_RowsOnTiDB(t *testing.T) {
	g := &secondaryEngine{backend: newSecondaryBackend(servers.TiDB(t)), unsupported: mysqlUnsupported()}
	g.testCorpus(t)
}

// mysqlUnsupported returns the cases that the MySQL family cannot answer.
func mysqlUnsupported() map[string]unsupportedCase {
	const noWindow = "dialect_unsupported_window_function"
	return map[string]unsupportedCase{
		"frame/correlation_with_what_does_not_vary_is_null": {noWindow, "there is no CORR"},
		"frame/second_input_is_a_metric_of_its_own":         {noWindow, "there is no COVAR_POP"},
		"frame/two_inputs":             {noWindow, "there are no COVAR_POP, COVAR_SAMP and CORR"},
		"operands/days_without_a_type": {"not_implemented", "+ takes a date for a number"},
	}
}
