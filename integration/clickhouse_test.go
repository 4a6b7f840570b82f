package integration_test

import (
	"fmt"
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
		"functions/casts_and_formats_in_a_condition": {"dialect_unsupported_function", "there is no type of times of day"},
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

// TestAggregates_UnknownConditionsOnClickHouse aggregates what a CASE chooses where its condition is unknown: 2 stays beside 3 and 4.
func TestAggregates_UnknownConditionsOnClickHouse(t *testing.T) {
	const script = `
CREATE TABLE bowls (bowl_id INTEGER, weight INTEGER, cracks INTEGER);
INSERT INTO bowls VALUES (1, 1, 5), (2, 2, NULL), (3, 3, 1), (4, 4, 0);
`
	const chosen = "CASE WHEN bowls.cracks > 4 THEN NULL ELSE %s END"
	s := servers.ClickHouse(t)
	for aggregate, want := range map[string]string{
		"COUNT(" + fmt.Sprintf(chosen, "bowls.weight") + ")": "3", "COUNT(DISTINCT " + fmt.Sprintf(chosen, "bowls.weight") + ")": "3",
		"SUM(" + fmt.Sprintf(chosen, "bowls.weight") + ")": "9", "SUM(DISTINCT " + fmt.Sprintf(chosen, "bowls.weight") + ")": "9",
		"AVG(" + fmt.Sprintf(chosen, "bowls.weight") + ")": "3", "MIN(" + fmt.Sprintf(chosen, "bowls.weight") + ")": "2",
		"MAX(" + fmt.Sprintf(chosen, "0 - bowls.weight") + ")": "-2", "MEDIAN(" + fmt.Sprintf(chosen, "bowls.weight") + ")": "3",
		"VAR_SAMP(" + fmt.Sprintf(chosen, "bowls.weight") + ")": "1", "STDDEV_SAMP(" + fmt.Sprintf(chosen, "bowls.weight") + ")": "1",
		"CASE WHEN VAR_POP(" + fmt.Sprintf(chosen, "bowls.weight") + ") > 0.6 THEN 1 ELSE 0 END": "1", "CASE WHEN STDDEV_POP(" + fmt.Sprintf(chosen, "bowls.weight") + ") > 0.8 THEN 1 ELSE 0 END": "1",
		"APPROX_COUNT_DISTINCT(" + fmt.Sprintf(chosen, "bowls.weight") + ")":                                              "3",
		"PERCENTILE_CONT(0) WITHIN GROUP (ORDER BY " + fmt.Sprintf(chosen, "bowls.weight") + ")":                          "2",
		"PERCENTILE_DISC(0) WITHIN GROUP (ORDER BY " + fmt.Sprintf(chosen, "bowls.weight") + ")":                          "2",
		"BOOL_AND(" + fmt.Sprintf(chosen, "bowls.weight > 2") + ")":                                                       "false",
		"BOOL_OR(" + fmt.Sprintf(chosen, "bowls.weight < 3") + ")":                                                        "true",
		"LISTAGG(" + fmt.Sprintf(chosen, "CAST(bowls.weight AS VARCHAR)") + ", ',') WITHIN GROUP (ORDER BY bowls.weight)": `"2,3,4"`,
		"SUM(CAST(CASE WHEN bowls.cracks > 4 THEN 0.25 ELSE -0.25 END AS DECIMAL(12, 1)))":                                "-0.6",
		"SUM(CAST(bowls.weight * 1.05 AS DECIMAL(12, 1)))":                                                                "10.6",
	} {
		model := modelOf([]string{modelDataset("bowls", "bowls", "    primary_key: [bowl_id]\n", modelField("bowl_id", "Integer", "", ""),
			modelField("weight", "Integer", "", ""), modelField("cracks", "Integer", "", ""))}, "",
			"  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: "+quoteJSON(aggregate)+"}]}}\n")
		checkTotal(t, openModelOn(t, s, model, script), `"limit":1`, aggregate, want)
	}
}
