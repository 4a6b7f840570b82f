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
		"10 exact metric n", "11 dropped metric odd: the aggregate mode is not known", "12 dropped metric turned: a conversion metric has no counterpart",
		"13 dropped metric key halves.colour: the key is not known", "13 exact metric halves",
		"15 dropped semantic_model off: it is not enabled", "17 dropped metric lost: its dbt model has no semantic_model",
		"19 dropped model time_spine days: time spines are read from semantic_manifest.json, which dbt parse writes",
		"22 dropped metric outside: a metric that is its own aggregate belongs to the dbt model that it aggregates", "23 dropped metric without: it names no measure",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
