package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

func TestCorpus_RowsOnClickHouse(t *testing.T) {
	g := &secondaryEngine{backend: newSecondaryBackend(servers.ClickHouse(t)), unsupported: clickhouseUnsupported(), skippedData: clickhouseSkippedData()}
	g.testCorpus(t)
}

// clickhouseUnsupported returns the cases that ClickHouse cannot answer.
func clickhouseUnsupported() map[string]unsupportedCase {
	return map[string]unsupportedCase{
		"time/a_field_cut_to_the_century":            {"not_implemented", "dateTrunc has no centuries"},
		"basics/integers_beyond_what_a_double_holds": {"sql_rejected", "a SUM beyond 64 bits would wrap; its guard makes an error of it"},
		"operands/days_without_a_type":               {"not_implemented", "+ takes a moment for seconds"},
	}
}

// clickhouseSkippedData returns the cases whose dates ClickHouse cannot hold.
func clickhouseSkippedData() map[string]string {
	const years = "a Date32 ends with 2299, and what is later becomes its last day"
	return map[string]string{
		"window_ranges/a_comparison_reaches_the_last_day":         years,
		"window_ranges/a_last_bucket_that_ends_with_the_calendar": years,
		"window_ranges/the_last_day_that_there_is":                years,
	}
}
