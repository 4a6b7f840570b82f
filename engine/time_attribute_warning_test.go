package engine_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// Firings of a kiln, and a date dimension that is not a calendar.
const kilnFirings = `
version: 0.2.0.dev0
name: m
datasets:
  - name: firings
    source: SELECT * FROM (VALUES (DATE '2024-03-02', 8), (DATE '2024-03-03', 2)) AS f (day, pots)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: pots, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: pots}]}}
  - name: days
    source: SELECT * FROM (VALUES (DATE '2024-03-02', 'winter'), (DATE '2024-03-03', 'spring')) AS d (d, season)
    primary_key: [d]
    fields:
      - {name: d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
      - {name: season, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: season}]}}
relationships:
  - {name: fired_on, from: firings, to: days, from_columns: [day], to_columns: [d]}
metrics:
  - {name: fired, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(firings.pots)}]}}
  - name: fired_so_far
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(firings.pots)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "cumulative"}}'}]
  - name: fired_rank
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(firings.pots)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"rank": {"function": "rank"}}}'}]
`

func TestResult_WarnsOfGroupsThatMayBelongToTheBucket(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(kilnFirings)})
	const month, day = `{"field":"metric_time","grain":"month"}`, `{"field":"metric_time","grain":"day"}`
	const season, late = `{"field":"days.season"}`, `{"expression":"firings.day > '2024-03-02'","name":"late"}`
	const compare = `,"time_range":{"start":"2024-03-01","end":"2024-04-01"},"compare":{"offset":{"count":1,"unit":"month"}}`
	for what, c := range map[string]struct {
		metric, groups, rest string
		want                 []string
	}{
		"a field of the date dimension":    {"fired_so_far", month + "," + season, "", []string{`"columns":["season"]`, "a grain of firings.day", "calendar days with whole: month"}},
		"an expression":                    {"fired_so_far", month + "," + late, "", []string{`"columns":["late"]`, "a grain of firings.day into which a month divides"}},
		"both":                             {"fired_so_far", season + "," + late + "," + month, "", []string{`"columns":["season","late"]`}},
		"a comparison":                     {"fired", month + "," + season, compare, []string{`"columns":["season"]`}},
		"a comparison without a grain":     {"fired", season, strings.Replace(compare, "month", "year", 1), []string{`"columns":["season"]`, "in place of season group by a grain of firings.day"}},
		"by day":                           {"fired_so_far", day + "," + season + "," + late, "", nil},
		"a part that has several values":   {"fired_so_far", month + `,{"field":"metric_time","part":"day_of_week"}`, "", nil},
		"a metric without a window":        {"fired", month + "," + season, "", nil},
		"a window that is not by the time": {"fired_rank", month + "," + season, "", nil},
	} {
		t.Run(what, func(t *testing.T) {
			body := `{"metrics":["` + c.metric + `"],"group_by":[` + c.groups + `]` + c.rest + `}`
			compiled, err := askSQL(t.Context(), e, metricQuery(t, body))
			if err != nil {
				t.Fatal(err)
			}
			for plane, text := range map[string]string{"compile": wire(t, compiled), "execute": string(answered(t, e, body))} {
				if warned := strings.Contains(text, `"code":"time_attribute_partitions"`); warned != (c.want != nil) {
					t.Errorf("%s: %s", plane, text)
				}
				for _, part := range c.want {
					if !strings.Contains(text, part) {
						t.Errorf("%s lacks %s: %s", plane, part, text)
					}
				}
			}
		})
	}
}
