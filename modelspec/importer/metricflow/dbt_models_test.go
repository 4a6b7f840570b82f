package metricflow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/metricflow"
)

// Each construct of a dbt model that declares its semantic model is one entry, at its own line.
func TestRead_ReportsWhatDBTModelsDeclare(t *testing.T) {
	imported, err := metricflow.Read([]importer.SourceFile{{Name: "models.yml", Text: []byte(`models:
  - name: visits
    semantic_model: true
    agg_time_dimension: day
    columns:
      - {name: id, entity: primary}
      - {name: day, granularity: day, dimension: time}
      - {name: ward, dimension: {type: categorical, colour: red}}
    metrics:
      - {name: n, type: simple, agg: count, expr: id}
      - {name: odd, type: simple, agg: mode, expr: id}
      - {name: turned, type: conversion, entity: patient, base_metric: n, conversion_metric: n, window: 7 days}
      - {name: halves, type: derived, expr: n / 2, input_metrics: [n], colour: blue}
  - name: off
    semantic_model: {enabled: false}
  - name: loose
    metrics: [{name: lost, type: simple, agg: count, expr: id}]
  - name: days
    time_spine: {standard_granularity_column: day}
    columns: [{name: day, granularity: day}]
metrics:
  - {name: outside, type: simple, agg: count, expr: id}
  - {name: without, type: simple}
`)}}, importer.Options{ModelName: "m"})
	if err != nil {
		t.Fatal(err)
	}
	result, err := importer.FinishImport(t.Context(), imported, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range result.Entries {
		got = append(got, strings.TrimSuffix(fmt.Sprintf("%d %s %s %s: %s", e.Line, e.Outcome, e.Construct, e.Name, e.Reason), ": "))
	}
	want := []string{
		"3 exact semantic_model visits",
		"6 exact entity visits.id", "7 exact dimension visits.day", "8 dropped dimension key ward.colour: the key is not known", "8 exact dimension visits.ward",
		"10 exact metric n", "11 dropped metric odd: the aggregate mode is not known", "12 dropped metric turned: it names patient, which is not an entity or a dimension other than a time of visits",
		"13 dropped metric key halves.colour: the key is not known", "13 exact metric halves",
		"15 dropped semantic_model off: it is not enabled", "17 dropped metric lost: its dbt model has no semantic_model",
		"19 dropped time_spine days: a time axis needs no table of dates",
		"22 dropped metric outside: a metric that is its own aggregate belongs to the dbt model that it aggregates", "23 dropped metric without: it names no measure",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A time spine of a dbt model has the granularity of its column, and custom granularities are a calendar.
func TestRead_TimeSpinesOfDBTModelsAreCalendars(t *testing.T) {
	m, entries := importTexts(t, importer.Options{SourcePrefix: "marts"}, `models:
  - name: fiscal_days
    time_spine:
      standard_granularity_column: date_day
      custom_granularities: [{name: fiscal_year, column_name: fy}, {name: retail_week}]
    columns: [{name: fy}, {name: retail_week}, {name: date_day, granularity: day}]
  - name: hours
    time_spine: {standard_granularity_column: hour, colour: red}
    columns: [{name: hour, granularity: hour}]
  - name: orders
    semantic_model: true
    agg_time_dimension: day
    columns: [{name: id, entity: primary}, {name: day, granularity: day, dimension: time}]
    metrics:
      - {name: n, type: simple, agg: count, expr: id}
      - {name: growth, type: derived, expr: n - before, input_metrics: [n, {name: n, alias: before, offset_window: 1 fiscal_year}]}
`)
	d := datasetOf(m, "fiscal_days")
	if d == nil || d.Source.Value != "marts.fiscal_days" {
		t.Fatalf("%+v", d)
	}
	want := `{"v": "1.10", "requires": ["calendar"], "calendar": {"date": "date_day", "periods": {"fiscal_year": "fy", "retail_week": "retail_week"}}}`
	if got := d.Extensions[0].Data.Value; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if hours := datasetOf(m, "hours"); hours == nil || hours.Source.Value != "marts.hours" {
		t.Errorf("%+v", hours)
	}
	if got := payload(m, "growth_before"); !strings.Contains(got, `"offset": {"count": 1, "granularity": "fiscal_year"}`) {
		t.Errorf("payload %s", got)
	}
	if e := found(t, entries, "time_spine", "fiscal_days"); e.Outcome != importer.OutcomeExact || e.Line != 4 {
		t.Errorf("%+v", e)
	}
	if e := found(t, entries, "time_spine key", "hours.colour"); e.Outcome != importer.OutcomeDropped {
		t.Errorf("%+v", e)
	}
}

// Since version 1.12 the keys of a non_additive_dimension are window_agg and group_by.
func TestRead_NonAdditiveDimensionsOfDBTModels(t *testing.T) {
	const project = `models:
  - name: balances
    semantic_model: true
    agg_time_dimension: day
    columns:
      - {name: id, entity: primary}
      - {name: account_id, entity: {type: foreign, name: account}}
      - {name: day, granularity: day, dimension: time}
    metrics: [{name: closing, type: simple, agg: sum, expr: balance, non_additive_dimension: %s}]
`
	for dimension, want := range map[string]string{
		`{name: day, window_agg: max, group_by: [account]}`: `"non_additive": {"by": "day", "take": "last", "per": ["account"]}`,
		`{name: day, window_agg: min}`:                      `"non_additive": {"by": "day", "take": "first"}`,
		`{name: day, window_choice: max}`:                   `"non_additive": {"by": "day", "take": "last"}`,
		`{name: day, window_agg: sum}`:                      "",
		`{name: day, order: 1}`:                             "",
		`day`:                                               "",
	} {
		m, entries := importTexts(t, importer.Options{}, fmt.Sprintf(project, dimension))
		if got := payload(m, "closing"); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: %q", dimension, got)
		}
		if e := found(t, entries, "metric", "closing"); (want == "") != (e.Outcome == importer.OutcomeDropped) || e.Outcome == importer.OutcomeExact {
			t.Errorf("%s: %+v", dimension, e)
		}
	}
}
