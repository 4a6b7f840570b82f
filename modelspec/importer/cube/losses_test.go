package cube_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
)

func reversedJoinLoss(from, to string) string {
	return "rows of " + to + " without one of " + from + " count, and not in Cube; rows of " + from + " without one of " + to +
		" are in no group of the measures of " + to + ", and in Cube they are"
}

func lossesOf(result *importer.Result) []string {
	var out []string
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			out = append(out, fmt.Sprintf("%s %s %s: %s", e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	return out
}

// Cube starts at the cube that declares a join, and a metric here at its rows.
func TestRead_JoinsThatKeepTheRowsOfTheOneSideAreApproximated(t *testing.T) {
	for relationship, losses := range map[string][]string{
		"many_to_one": nil, "belongsTo": nil,
		"one_to_many": {"approximated join kilns.glazes: " + reversedJoinLoss("kilns", "glazes")},
		"hasOne":      {"approximated join kilns.glazes: " + reversedJoinLoss("kilns", "glazes")},
		"one_to_one":  {"approximated join kilns.glazes: " + reversedJoinLoss("kilns", "glazes")},
	} {
		result, err := read(`
cubes:
  - name: kilns
    sql_table: kilns
    joins: [{name: glazes, relationship: ` + relationship + `, sql: "{CUBE}.kiln_id = {glazes.kiln_id}"}]
    dimensions: [{name: kiln_id, sql: kiln_id, type: number, primary_key: true}]
  - name: glazes
    sql_table: glazes
    dimensions: [{name: kiln_id, sql: kiln_id, type: number, primary_key: true}]
    measures: [{name: litres, sql: litres, type: sum}]
`)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(losses, lossesOf(result)); diff != "" {
			t.Errorf("%s: -want +got\n%s", relationship, diff)
		}
	}
}

// Cube writes references out as they are: with a reference to gross - tax, {net} / pieces is gross - tax / pieces.
func TestRead_ReferencesBesideStrongerOperatorsAreApproximated(t *testing.T) {
	result, err := read(`
cubes:
  - name: bowls
    sql_table: bowls
    joins: [{name: kilns, relationship: many_to_one, sql: "{CUBE}.kiln_id = {kilns.kiln_id}"}]
    dimensions:
      - {name: bowl_id, sql: bowl_id, type: number, primary_key: true}
      - {name: net, sql: "{CUBE}.gross - {CUBE}.tax", type: number}
      - {name: net_again, sql: "{net}", type: number}
      - {name: halved, sql: "{net_again} / 2", type: number}
      - {name: raised, sql: "{net} + 2", type: number}
      - {name: lowered, sql: "2 - {net}", type: number}
      - {name: quarter, sql: "{halved}", type: number}
      - {name: size, type: string, case: {when: [{sql: "{net} > 5", label: large}], else: {label: small}}}
      - {name: either, sql: "{CUBE}.glazed OR {CUBE}.fired", type: boolean}
    segments: [{name: finished, sql: "{either} AND {CUBE}.sold"}]
    measures:
      - {name: gross_total, sql: gross, type: sum}
      - {name: tax_total, sql: tax, type: sum}
      - {name: net_total, sql: "{gross_total} - {tax_total}", type: number}
      - {name: tax_rate, sql: "{net_total} / {tax_total}", type: number}
      - {name: net_sum, sql: "{net_total} + {tax_total}", type: number}
      - {name: net_twice, sql: "({net_total}) * 2", type: number}
      - {name: rate_again, sql: "{tax_rate}", type: number}
      - {name: net_per_piece, sql: "{net} / {CUBE}.pieces", type: sum}
      - {name: net_of_large, sql: "{net}", type: sum, filters: [{sql: "{net} > 5"}, {sql: "NOT {either}"}]}
      - {name: volume_share, sql: "{CUBE}.pieces / {kilns.volume}", type: sum}
  - name: kilns
    sql_table: kilns
    dimensions:
      - {name: kiln_id, sql: kiln_id, type: number, primary_key: true}
      - {name: volume, sql: "{CUBE}.width * {CUBE}.height", type: number}
`)
	if err != nil {
		t.Fatal(err)
	}
	computes := func(member, sql string) string {
		return "approximated " + member + ": Cube writes references out without parentheses and computes " + sql
	}
	want := []string{
		computes("dimension bowls.halved", "gross - tax / 2"),
		computes("dimension bowls.lowered", "2 - gross - tax"),
		computes("dimension bowls.quarter", "gross - tax / 2"),
		computes("segment bowls.finished", "glazed OR fired AND sold"),
		computes("measure bowls.tax_rate", "gross_total - tax_total / tax_total"),
		computes("measure bowls.rate_again", "gross_total - tax_total / tax_total"),
		computes("measure bowls.net_per_piece", "gross - tax / pieces"),
		computes("measure bowls.net_of_large", "CASE WHEN (gross - tax > 5) AND (NOT glazed OR fired) THEN gross - tax END"),
		computes("measure bowls.volume_share", "pieces / width * height"),
	}
	if diff := cmp.Diff(want, lossesOf(result)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, want := range []string{
		"expression: (gross - tax) / 2}", "expression: gross - tax + 2}", "expression: 2 - (gross - tax)}", "expression: CASE WHEN gross - tax > 5 THEN",
		"expression: (glazed OR fired) AND sold}", "expression: net_total / tax_total}", "expression: (gross - tax) / pieces}",
		"expression: pieces / bowls_kilns.volume}",
	} {
		if !strings.Contains(string(result.Model), want) {
			t.Errorf("no %s in\n%s", want, result.Model)
		}
	}
}

// Each measure has two references to the one before it.
func TestRead_MeasuresThatCannotBeWrittenOutAreApproximated(t *testing.T) {
	text := "cubes: [{name: c, sql_table: t, measures: [{name: m0, type: sum, sql: x}"
	for i := range 30 {
		text += fmt.Sprintf(`, {name: m%d, type: number, sql: "{m%d} * 2 - {m%d} / 3"}`, i+1, i, i)
	}
	result, err := read(text + "]}]")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Entries {
		if want := e.Construct != "measure" || e.Name == "c.m0" || e.Name == "c.m1"; want != (e.Outcome == importer.OutcomeExact) {
			t.Errorf("%+v", e)
		}
	}
}

// Cube counts the keys of rows. That of a row with a null part is null.
func TestRead_CountsTheRowsThatHaveAKey(t *testing.T) {
	result, err := read(`
cubes:
  - name: marks
    sql_table: marks
    dimensions:
      - {name: mark_key, sql: "{CUBE}.left_part || '/' || {CUBE}.right_part", type: string, primary_key: true}
    measures: [{name: mark_count, type: count}]
`)
	if err != nil {
		t.Fatal(err)
	}
	if want := "CASE WHEN ((left_part || '/' || right_part) IS NOT NULL) THEN 1 END"; !strings.Contains(string(result.Model), want) {
		t.Errorf("no %s in\n%s", want, result.Model)
	}
}

func TestRead_CubesWithAnAccessPolicyAreApproximated(t *testing.T) {
	result, err := read(`
cubes:
  - name: glazes
    sql_table: glazes
    measures: [{name: litres, sql: litres, type: sum}]
    access_policy: [{role: potter, row_level: {allow_all: true}}]
`)
	if err != nil {
		t.Fatal(err)
	}
	const reason = "the cube glazes is restricted in Cube by access_policy, and here it is not"
	want := []string{
		"approximated cube glazes: " + reason, "approximated measure glazes.litres: " + reason,
		"dropped access_policy glazes: it has no counterpart",
	}
	if diff := cmp.Diff(want, lossesOf(result)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, e := range result.Entries {
		if e.IsAccessRule != (e.Construct == "access_policy") {
			t.Errorf("%+v", e)
		}
	}
}

// A window over a week that a calendar defines is not one over the weeks of a query.
func TestRead_WindowsOverPeriodsOfACalendarAreDropped(t *testing.T) {
	result, err := read(`
cubes:
  - name: firings
    sql_table: firings
    dimensions: [{name: fired_on, sql: fired_on, type: time}]
    measures:
      - {name: week_to_date, sql: pieces, type: sum, rolling_window: {type: to_date, granularity: week}}
      - {name: month_to_date, sql: pieces, type: sum, rolling_window: {type: to_date, granularity: month}}
  - name: kiln_weeks
    sql_table: kiln_weeks
    calendar: true
    dimensions: [{name: day, sql: day, type: time, primary_key: true, granularities: [{name: week, sql: "{CUBE}.kiln_week"}]}]
`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]importer.Outcome{}
	for _, e := range result.Entries {
		got[e.Name] = e.Outcome
	}
	want := map[string]importer.Outcome{
		"firings": importer.OutcomeExact, "firings.fired_on": importer.OutcomeExact, "firings.week_to_date": importer.OutcomeDropped,
		"firings.month_to_date": importer.OutcomeExact, "kiln_weeks": importer.OutcomeExact,
		"kiln_weeks.day": importer.OutcomeExact, "kiln_weeks.day.week": importer.OutcomeApproximated,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
