package cube_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

func TestRead_CubesOfDaysAreCalendars(t *testing.T) {
	result, err := read(`
cubes:
  - name: kiln_days
    sql_table: kiln_days
    calendar: true
    dimensions:
      - name: day
        sql: "{CUBE}.opened"
        type: time
        primary_key: true
        granularities:
          - {name: week, sql: "{CUBE}.kiln_week"}
          - {name: season, sql: season_no}
          - {name: fortnight, interval: 14 days}
      - {name: season_no, sql: season_no, type: number}
  - name: shop_days
    sql_table: shop_days
    calendar: true
    dimensions: [{name: day, sql: day, type: time, primary_key: true, granularities: [{name: season, sql: "{CUBE}.y * 10 + {CUBE}.s"}]}]
  - name: plain_days
    sql_table: plain_days
    calendar: false
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"calendar": {"date": "day", "periods": {"kiln_days_week": "kiln_week", "season": "season_no"}}`,
		`"calendar": {"date": "day", "periods": {"shop_days_season": "shop_days_season"}}`,
	} {
		if !strings.Contains(string(result.Model), part) {
			t.Errorf("%s is missing in\n%s", part, result.Model)
		}
	}
	if n := strings.Count(string(result.Model), `"calendar": {`); n != 2 {
		t.Errorf("%d calendars", n)
	}
	const first = "a query shows the first day of the period, which every time field has"
	losses := []string{
		"approximated granularity kiln_days.day.week: " + first + "; its name is kiln_days_week, because week is the name of a grain or of another period",
		"approximated granularity kiln_days.day.season: " + first,
		"dropped granularity kiln_days.day.fortnight: it is an interval, and a period is a column of the calendar",
		"approximated granularity shop_days.day.season: " + first + "; its name is shop_days_season, because season is the name of a grain or of another period",
	}
	if diff := cmp.Diff(losses, lossesOf(result)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	doc, err := modelspec.Parse(result.Model)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Errorf("%v %v", err, cat.Errors)
	}
}

func TestRead_CalendarsWithoutADayOrAColumnAreDropped(t *testing.T) {
	result, err := read(`
cubes:
  - name: kiln_days
    sql_table: kiln_days
    calendar: true
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: day, sql: day, type: time, granularities: [{name: season, sql: season}]}
  - name: shop_days
    sql_table: shop_days
    calendar: true
    dimensions: [{name: day, sql: day, type: time, primary_key: true}]
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"dropped cube kiln_days.calendar: the primary key of the calendar is not one time dimension: declare a calendar in the model",
		"dropped granularity kiln_days.day.season: the primary key of the calendar is not one time dimension",
		"dropped cube shop_days.calendar: no granularity of it is a column: declare a calendar in the model",
	}
	if diff := cmp.Diff(want, lossesOf(result)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
