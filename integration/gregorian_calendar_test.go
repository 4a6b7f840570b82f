package integration_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// gregorianModel returns a model whose calendar holds the months and years of the Gregorian calendar. Each window
// is declared twice: over plain grains, and over the periods.
func gregorianModel() string {
	field := func(name, datatype string) string {
		return fmt.Sprintf("      - {name: %s, datatype: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", name, datatype, name)
	}
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nname: gregorian\ndatasets:\n  - name: days\n    source: days\n    primary_key: [d]\n" +
		`    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "calendar": {"date": "d", "periods": {"gmonth": "m", "gyear": "y"}}}'}]` + "\n    fields:\n" +
		field("d", "Date") + field("m", "String") + field("y", "Integer") +
		"  - name: sales\n    source: sales\n    primary_key: [id]\n    fields:\n" + field("id", "Integer") + field("at", "DateTimeTz") + field("shop", "String") + field("amount", "Integer") +
		"metrics:\n")
	metric := func(name, expression, window string) {
		fmt.Fprintf(&b, "  - name: %s\n    expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}\n", name, expression)
		if window != "" {
			fmt.Fprintf(&b, "    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"window\": %s}'}]\n", window)
		}
	}
	metric("revenue", "SUM(sales.amount)", "")
	metric("n", "COUNT(sales.id)", "")
	for prefix, unit := range map[string][2]string{"g_": {"gmonth", "gyear"}, "p_": {"month", "year"}} {
		metric(prefix+"before", "SUM(sales.amount)", `{"type": "pop", "offset": "2 `+unit[0]+`", "calculation": "delta"}`)
		metric(prefix+"year_before", "COUNT(sales.id)", `{"type": "pop", "offset": "1 `+unit[1]+`", "calculation": "value"}`)
		metric(prefix+"after", "SUM(sales.amount)", `{"offset": {"count": 1, "granularity": "`+unit[0]+`", "direction": "forward"}, "calculation": "value"}`)
		metric(prefix+"of_3", "SUM(sales.amount)", `{"type": "rolling", "function": "sum", "periods": 3}`)
		metric(prefix+"full_3", "AVG(sales.amount)", `{"type": "rolling", "function": "max", "periods": 3, "require_full_window": true}`)
		metric(prefix+"so_far", "SUM(sales.amount)", `{"type": "cumulative", "reset": "`+unit[1]+`"}`)
		metric(prefix+"last_2", "SUM(sales.amount)", `{"frame": {"function": "sum", "preceding": 2, "reset": "`+unit[1]+`"}}`)
	}
	return b.String()
}

// gregorianData has gaps of months, days without sales, and sales without a day.
const gregorianData = `
CREATE TABLE days AS SELECT CAST(d AS DATE) AS d, strftime(d, '%Y-%m') AS m, CAST(year(d) AS INTEGER) AS y FROM range(DATE '2020-01-01', DATE '2025-01-01', INTERVAL 1 DAY) AS t(d);
CREATE TABLE sales AS SELECT CAST(i AS INTEGER) AS id,
  CASE WHEN i % 41 = 0 THEN NULL ELSE TIMESTAMPTZ '2021-01-01 00:30:00+00' + to_hours(CAST(hash(i) % 25000 AS INTEGER)) END AS at,
  ['a', 'b', NULL][1 + CAST(hash(i + 7) % 3 AS INTEGER)] AS shop, CAST(hash(i + 3) % 100 AS INTEGER) AS amount
FROM range(1, 61) AS t(i);`

// TestCalendar_GregorianMonthsEqualTheGrain asks the same questions by grains and by periods.
func TestCalendar_GregorianMonthsEqualTheGrain(t *testing.T) {
	s, err := open([]byte(gregorianModel()), gregorianData)
	if err != nil {
		t.Fatal(err)
	}
	windows := `"@before", "@year_before", "@after", "@of_3", "@full_3", "@so_far", "@last_2"`
	ranged := `"time_range": {"start": "2022-02-10", "end": "2023-04-20T12:00:00"}`
	group := `"group_by": [{"field": "metric_time", "grain": "#month", "name": "t"}]`
	shops := `"group_by": [{"field": "sales.shop"}, {"field": "metric_time", "grain": "#month", "name": "t"}]`
	order := `"order_by": [{"key": "t"}]`
	held := 0
	for _, zone := range []string{"UTC", "America/New_York"} {
		for _, q := range []string{
			`{"metrics": ["revenue", "n"], ` + group + `, ` + order,
			`{"metrics": ["revenue", "n"], "group_by": [{"field": "sales.at", "grain": "#year", "name": "t"}], ` + order,
			`{"metrics": ["n", ` + windows + `], ` + group + `, ` + order,
			`{"metrics": ["n", ` + windows + `], ` + group + `, ` + order + `, ` + ranged,
			`{"metrics": ["n", ` + windows + `], ` + shops + `, ` + order + `, ` + ranged,
			`{"metrics": ["n", ` + windows + `], ` + shops + `, ` + order + `, ` + ranged + `, "totals": [["t"], ["shop"], []]`,
			`{"metrics": ["n", "@before", "@year_before", "@after", "@of_3", "@full_3", "@so_far"], ` + group + `, ` + order + `, ` + ranged + `, "fill": {}`,
			`{"metrics": ["n", "@before", "@year_before", "@after", "@of_3", "@full_3", "@so_far"], ` + shops + `, ` + order + `, ` + ranged + `, "fill": {"value": 0}`,
			`{"metrics": ["revenue", "n"], ` + shops + `, ` + order + `, "time_range": {"start": "2022-02-01", "end": "2023-05-01"}, "compare": {"offset": {"count": 3, "unit": "#month"}}, "totals": [["shop"], []]`,
			`{"metrics": ["revenue", "n"], ` + group + `, ` + order + `, "time_range": {"start": "2022-02-01", "end": "2023-05-01"}, "compare": {"offset": {"count": 1, "unit": "#year"}}, "fill": {}, "shares": [{"metric": "n"}]`,
			`{"metrics": ["revenue", "n"], ` + shops + `, ` + order + `, ` + ranged + `, "compare": {"range": {"start": "2021-03-05", "end": "2022-03-07"}}, "totals": [[]]`,
			`{"metrics": ["n", "revenue"], ` + shops + `, ` + order + `, "top": {"dimension": "shop", "n": 1, "within": ["t"]}`,
			`{"metrics": ["n"], ` + shops + `, ` + order + `, "top": {"dimension": "t", "n": 3}`,
			`{"distinct": true, "group_by": [{"field": "sales.at", "grain": "#month", "name": "t"}], ` + order,
		} {
			body := q + `, "time_zone": "` + zone + `"}`
			plain := strings.NewReplacer("#", "", "@", "p_").Replace(body)
			periods := strings.NewReplacer("#", "g", "@", "g_").Replace(body)
			want, got := answerTo(t, s.engine, plain), answerTo(t, s.engine, periods)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("- by grains, + by periods\n%s\n%s", diff, periods)
			}
			if len(want) > 1 {
				held++
			}
		}
	}
	if held < 20 {
		t.Errorf("only %d questions have several rows", held)
	}
}

// answerTo returns the rows of a metric query, under the names of plain grains.
func answerTo(t *testing.T, e *engine.Engine, body string) []string {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	res, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return strings.SplitAfter(strings.ReplaceAll(string(res.Rows), `"g_`, `"p_`), "},")
}

// TestCalendar_AttributionOfAWindowOverPeriods holds that a window over periods is not read as one over plain
// grains: its totals are those of the last day, and the running sum of the Gregorian year equals the plain one there.
func TestCalendar_AttributionOfAWindowOverPeriods(t *testing.T) {
	s, err := open([]byte(gregorianModel()), gregorianData)
	if err != nil {
		t.Fatal(err)
	}
	baseline := func(m string) (total, reason string) {
		q, err := query.DecodeAttribute([]byte(`{"metric": "` + m + `", "baseline": {"start": "2022-03-01", "end": "2022-06-01"}, "current": {"start": "2023-03-01", "end": "2023-06-01"}, "dimensions": ["sales.shop"]}`))
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.engine.Attribute(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if res.UnsupportedReason != nil {
			reason = res.UnsupportedReason.Code
		}
		return fmt.Sprint(res.TotalChange.BaselineValue), reason
	}
	plain, _ := baseline("p_so_far")
	if periods, reason := baseline("g_so_far"); plain != periods || reason != "window_not_mapped" {
		t.Errorf("by grains %s, by periods %s (%s)", plain, periods, reason)
	}
}
