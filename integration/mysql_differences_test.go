package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

// TestDifferences_AreSignedOnTheMySQLFamily computes differences of numbers that MySQL has without a sign: parts of dates, ranks and counts.
func TestDifferences_AreSignedOnTheMySQLFamily(t *testing.T) {
	const script = `
CREATE TABLE pots (pot_id INTEGER PRIMARY KEY, glazed DATE, fired DATE, pieces INTEGER, kiln VARCHAR(20));
INSERT INTO pots VALUES (1, '2024-01-05', '2021-06-30', 4, 'north'), (2, '2024-02-29', '2024-01-31', 7, 'south'), (3, '2024-12-31', '2025-01-01', NULL, NULL), (4, '2024-03-01', '2024-03-01', 1, 'north');
`
	for name, server := range map[string]func(*testing.T) *servers.Server{
		"mariadb": func(t *testing.T) *servers.Server { return servers.MariaDB(t, shared) },
		"mysql":   func(t *testing.T) *servers.Server { return servers.MySQL(t, shared) },
	} {
		t.Run(name, func(t *testing.T) {
			db := loadScriptOn(t, server(t), script)
			for aggregate, want := range map[string]string{
				"MAX(EXTRACT(YEAR FROM pots.glazed) - 2030)":                           "-6",
				"MIN(YEAR(pots.fired) - YEAR(pots.glazed))":                            "-3",
				"MIN(MONTH(pots.glazed) - 12)":                                         "-11",
				"MIN(DATEDIFF(YEAR, pots.glazed, pots.fired))":                         "-3",
				"MIN(DATEDIFF(QUARTER, pots.glazed, pots.fired))":                      "-11",
				"MIN(DATEDIFF(MONTH, pots.glazed, pots.fired))":                        "-31",
				"MIN(DATEDIFF(WEEK, pots.fired, pots.glazed))":                         "0",
				"MIN(DATEDIFF(DAY, pots.glazed, pots.fired))":                          "-919",
				"MIN(LENGTH(pots.kiln) - 100)":                                         "-95",
				"COUNT(pots.pot_id) - 10":                                              "-6",
				"COUNT(DISTINCT pots.kiln) - COUNT(pots.pot_id)":                       "-2",
				"MEDIAN(pots.pieces)":                                                  "4",
				"MEDIAN(pots.pot_id)":                                                  "2.5",
				"PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY pots.pieces)":            "2.5",
				"PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY pots.pieces DESC)":       "5.5",
				"PERCENTILE_DISC(0.75) WITHIN GROUP (ORDER BY pots.pieces)":            "7",
				"PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY pots.pieces) - 10 < -3.5": "true",
			} {
				model := modelOf([]string{modelDataset("pots", "pots", "    primary_key: [pot_id]\n", modelField("pot_id", "Integer", "", ""),
					modelField("glazed", "Date", "", ""), modelField("fired", "Date", "", ""), modelField("pieces", "Integer", "", ""), modelField("kiln", "String", "", ""))}, "",
					"  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: "+quoteJSON(aggregate)+"}]}}\n")
				checkTotal(t, openModelOver(t, db, model), `"limit":1`, aggregate, want)
			}
		})
	}
}
