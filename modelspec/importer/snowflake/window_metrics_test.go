package snowflake_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
)

const noTime = "approximated: a row without day has no value"

// A window that has no counterpart is lost with its reason, and never read as another one.
func TestRead_WindowsAreImportedOrLost(t *testing.T) {
	const noOrder = "dropped: a window in an order other than by one ascending time of the metric's table, which its partition excludes, has no counterpart"
	const earlier = noTime + "; with a time range it reads rows before the range, and in Snowflake those in it"
	for text, want := range map[string]string{
		"SUM(n) OVER (PARTITION BY EXCLUDING a.day ORDER BY a.day)":                                                             noTime,
		"SUM(n) OVER (PARTITION BY EXCLUDING a.day, town ORDER BY a.day ROWS UNBOUNDED PRECEDING)":                              noTime,
		"SUM(n) OVER (PARTITION BY EXCLUDING day ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)":                noTime,
		"MIN(a.n) OVER (PARTITION BY EXCLUDING day ORDER BY day NULLS LAST ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)":           earlier,
		"AVG(n) OVER (PARTITION BY EXCLUDING day ORDER BY day RANGE BETWEEN INTERVAL '1 WEEK' PRECEDING AND CURRENT ROW)":       earlier + "; it reads the values of days, and in Snowflake those of day",
		"AVG(n) OVER (PARTITION BY EXCLUDING day ORDER BY day RANGE BETWEEN INTERVAL '1 MONTH' PRECEDING AND CURRENT ROW)":      "dropped: the frame RANGE BETWEEN INTERVAL '1 MONTH' PRECEDING AND CURRENT ROW has no counterpart",
		"AVG(n) OVER (PARTITION BY EXCLUDING day ORDER BY day ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING)":                        "dropped: the frame ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING has no counterpart",
		"AVG(n) OVER (PARTITION BY EXCLUDING day, town ORDER BY day RANGE BETWEEN INTERVAL '6 days' PRECEDING AND CURRENT ROW)": "dropped: the frame RANGE BETWEEN INTERVAL '6 DAYS' PRECEDING AND CURRENT ROW has no counterpart",
		"SUM(n) OVER (PARTITION BY EXCLUDING day ORDER BY day DESC)":                                                            noOrder,
		"SUM(n) OVER (PARTITION BY EXCLUDING town ORDER BY day)":                                                                noOrder,
		"SUM(n) OVER (ORDER BY day)":                                noOrder,
		"SUM(n) OVER (PARTITION BY town ORDER BY day)":              "dropped: a window whose partition is not by EXCLUDING has no counterpart",
		"SUM(n) OVER (PARTITION BY EXCLUDING nothing ORDER BY day)": "dropped: its window names nothing, which is not a dimension",
		"SUM(n) OVER (PARTITION BY EXCLUDING town)":                 "approximated: grouped by time, the window reads the rows of all periods together, and in Snowflake those of one",
		"SUM(n) OVER ()": "exact: ",
		"SUM(n) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)":  "dropped: a frame without an order has no counterpart",
		"LAG(n) OVER (PARTITION BY EXCLUDING day ORDER BY day)":   "dropped: the window function LAG has no counterpart",
		"RANK() OVER (ORDER BY n DESC)":                           "dropped: the window function RANK has no counterpart",
		"SUM(town) OVER ()":                                       "dropped: its window function reads town, which is not a metric",
		"SUM(rate) OVER ()":                                       "dropped: its window function reads rate, which is not a metric of one aggregate",
		"SUM(n) OVER () / 2":                                      "dropped: a window function beside other SQL has no counterpart",
		"SUM(n) OVER (PARTITION BY EXCLUDING day ORDER BY n * 2)": noOrder,
	} {
		result, err := readStatement(t, `CREATE SEMANTIC VIEW v TABLES (a PRIMARY KEY (id))
DIMENSIONS (a.day AS CAST(d AS DATE), a.town AS town)
METRICS (a.n AS SUM(seats), a.rate AS SUM(seats) / COUNT(id), a.w AS `+text+`)`)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range result.Entries {
			if e.Name == "a.w" && string(e.Outcome)+": "+e.Reason != want {
				t.Errorf("%s\n got %s: %s\nwant %s", text, e.Outcome, e.Reason, want)
			}
		}
		if strings.HasPrefix(want, string(importer.OutcomeDropped)) == strings.Contains(string(result.Model), "- name: w\n") {
			t.Errorf("%s: the model is\n%s", text, result.Model)
		}
	}
}
