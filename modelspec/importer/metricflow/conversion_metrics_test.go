package metricflow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// visitsAndBuys are two semantic models; a test appends metrics.
const visitsAndBuys = `
semantic_models:
  - name: visits
    model: ref('visits')
    defaults: {agg_time_dimension: ds}
    entities: [{name: visit, type: primary, expr: id}, {name: user, type: foreign, expr: user_id}, {name: session, type: foreign, expr: session_id}]
    dimensions:
      - {name: ds, type: time, expr: seen_at, type_params: {time_granularity: day}}
      - {name: hour, type: time, expr: seen_at, type_params: {time_granularity: hour}}
      - {name: moment, type: time, expr: seen_at, type_params: {time_granularity: millisecond}}
      - {name: week, type: time, expr: seen_at, type_params: {time_granularity: week}}
      - {name: noted, type: time, type_params: {time_granularity: day}}
      - {name: late, type: categorical, expr: noted > seen_at}
      - {name: referrer, type: categorical}
    measures:
      - {name: visits, agg: count, expr: 1}
      - {name: weekly, agg: count, expr: 1, agg_time_dimension: week}
      - {name: hourly, agg: count, expr: 1, agg_time_dimension: hour}
      - {name: by_moment, agg: count, expr: 1, agg_time_dimension: moment}
      - {name: by_note, agg: count, expr: 1, agg_time_dimension: noted}
      - {name: stock, agg: sum, expr: n, non_additive_dimension: {name: ds}}
      - {name: odd, agg: mode, expr: n}
  - name: buys
    model: ref('buys')
    defaults: {agg_time_dimension: ds}
    entities: [{name: buy, type: primary, expr: id}, {name: user, type: foreign, expr: buyer}, {name: session_id, type: foreign}, {name: amount, type: foreign, expr: amount_id}]
    dimensions:
      - {name: ds, type: time, expr: bought_at, type_params: {time_granularity: day}}
      - {name: hour, type: time, expr: bought_at, type_params: {time_granularity: hour}}
    measures:
      - {name: buys, agg: count, expr: 1}
      - {name: notes, agg: count, expr: note}
      - {name: buyers, agg: count_distinct, expr: buyer}
      - {name: spent, agg: sum, expr: amount * 2}
      - {name: hourly_buys, agg: count, expr: 1, agg_time_dimension: hour}
      - {name: scripted, agg: sum, expr: "{{ x }}"}
  - name: users
    model: ref('users')
    entities: [{name: user, type: primary, expr: id}]
    dimensions: [{name: country, type: categorical}]
metrics:
  - {name: ad_visits, type: simple, type_params: {measure: visits}, filter: "{{ Dimension('visit__referrer') }} = 'ads'"}
  - {name: all_buys, type: simple, type_params: {measure: {name: buys, fill_nulls_with: 0}}}
  - {name: total_spent, type: simple, type_params: {measure: spent}}
  - {name: visit_share, type: ratio, type_params: {numerator: ad_visits, denominator: ad_visits}}
`

const conversionMetric = "  - {name: m, type: conversion%s, type_params: {conversion_type_params: {entity: user, %s}}}\n"

const rangeLoss = "a condition or a range of a query leaves out a conversion with the last row of visits before it; in MetricFlow the conversion then belongs to an earlier row; " +
	"of several rows of visits at one time MetricFlow does not determine which has a conversion"

func TestConversions_AreAggregatesOfTheRowsThatFollow(t *testing.T) {
	const groupLoss = "; groups of visits without a conversion are in the result beside a metric of visits only"
	for _, c := range []struct{ name, keys, params, expression, payload, reason string }{
		{"a rate", "", "base_measure: visits, conversion_measure: buys",
			"SUM(CASE WHEN last_visits_before_buys.ds IS NOT NULL THEN buys_after_visits.conversion_buys END) / COUNT(visits.visits)", `"time_dimension": "visits.ds"`, rangeLoss},
		{"conversions in a window", "", "base_measure: visits, conversion_measure: {name: buys, fill_nulls_with: 0}, window: 7 days, calculation: conversions",
			"SUM(CASE WHEN last_visits_before_buys.ds > DATEADD(day, -7, buys_after_visits.conversion_ds) THEN buys_after_visits.conversion_buys END)",
			`"fill_nulls_with": 0`, rangeLoss + groupLoss},
		{"a window of a manifest", "", "base_measure: visits, conversion_measure: buyers, window: {count: 1, granularity: month}, calculation: CONVERSIONS",
			"COUNT(DISTINCT CASE WHEN last_visits_before_buys.ds > DATEADD(month, -1, buys_after_visits.conversion_ds) THEN buys_after_visits.conversion_user END)", "", rangeLoss + groupLoss},
		{"a rate that fills", "", "base_measure: visits, conversion_measure: {name: buys, fill_nulls_with: 0}",
			"COALESCE(SUM(CASE WHEN last_visits_before_buys.ds IS NOT NULL THEN buys_after_visits.conversion_buys END), 0) / COUNT(visits.visits)", "", rangeLoss},
		{"a count of values", "", "base_measure: visits, conversion_measure: notes, calculation: conversions",
			"SUM(CASE WHEN last_visits_before_buys.ds IS NOT NULL THEN buys_after_visits.conversion_notes END)", "", rangeLoss + groupLoss},
		{"a sum of an expression whose column an entity hides", "", "base_measure: visits, conversion_measure: spent, calculation: conversions",
			"SUM(CASE WHEN last_visits_before_buys.ds IS NOT NULL THEN buys_after_visits.conversion_spent END)", "", rangeLoss + groupLoss},
		{"hours", "", "base_measure: hourly, conversion_measure: hourly_buys, window: 3 hours, calculation: conversions",
			"SUM(CASE WHEN last_visits_before_buys.hour > DATEADD(hour, -3, buys_after_visits.conversion_hour) THEN buys_after_visits.conversion_hourly_buys END)",
			`"time_dimension": "visits.hour"`, rangeLoss + groupLoss},
		{"a filter of the base", `, filter: "{{ Dimension('visit__referrer') }} = 'ads'"`, "base_measure: visits, conversion_measure: buys",
			"SUM(CASE WHEN last_visits_before_buys.conversion_ds IS NOT NULL THEN buys_after_visits.conversion_buys END) / COUNT(CASE WHEN visits.referrer = 'ads' THEN visits.visits END)", "", rangeLoss},
		{"metrics, one with a filter", "", "base_metric: ad_visits, conversion_metric: all_buys, window: 7 days",
			"COALESCE(SUM(CASE WHEN last_visits_before_buys.conversion_ds > DATEADD(day, -7, buys_after_visits.conversion_ds) THEN buys_after_visits.conversion_buys END), 0) / COUNT(CASE WHEN visits.referrer = 'ads' THEN visits.visits END)", "", rangeLoss},
		{"a metric beside a measure, which does not count", "", "base_metric: ad_visits, base_measure: nothing, conversion_metric: {name: total_spent, fill_nulls_with: 1}, calculation: conversions",
			"SUM(CASE WHEN last_visits_before_buys.conversion_ds IS NOT NULL THEN buys_after_visits.conversion_spent END)", `"fill_nulls_with": 1`, rangeLoss + groupLoss},
		{"of one semantic model", "", "base_measure: visits, conversion_measure: visits, calculation: conversions",
			"SUM(CASE WHEN last_visits_before_visits.ds IS NOT NULL THEN visits_after_visits.conversion_visits END)", "", rangeLoss + groupLoss},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, entries := importTexts(t, importer.Options{}, visitsAndBuys+fmt.Sprintf(conversionMetric, c.keys, c.params))
			if diff := cmp.Diff(c.expression, expression(m, "m")); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if got := payload(m, "m"); !strings.Contains(got, c.payload) {
				t.Errorf("payload %s, want %s", got, c.payload)
			}
			e := found(t, entries, "metric", "m")
			if e.Outcome != importer.OutcomeApproximated || e.Reason != c.reason {
				t.Errorf("%s: %s", e.Outcome, e.Reason)
			}
			if len(e.Became) != 3 || !slices.Contains(e.Became, "metrics.m") {
				t.Errorf("it became %v, want a metric, a dataset and a relationship", e.Became)
			}
		})
	}
}

func TestConversions_AreDroppedWhereANumberWouldDiffer(t *testing.T) {
	for _, c := range []struct{ name, keys, params, reason string }{
		{"no measure of the base", "", "conversion_measure: buys", "it has no base_measure and no base_metric"},
		{"no conversions", "", "base_measure: visits", "it has no conversion_measure and no conversion_metric"},
		{"an unknown measure", "", "base_measure: visits, conversion_measure: sales", "the measure sales is not in the input"},
		{"an unknown metric", "", "base_metric: seen, conversion_measure: buys", "the metric seen is not in the input"},
		{"a metric made of metrics", "", "base_metric: visit_share, conversion_measure: buys", "its base_metric visit_share is not a simple metric"},
		{"an unknown calculation", "", "base_measure: visits, conversion_measure: buys, calculation: odds", "the calculation odds is not known"},
		{"a filter of the conversions", "", `base_measure: visits, conversion_measure: {name: buys, filter: "{{ Dimension('buy__ds') }} > '2024-01-01'"}`, "a filter of the conversions has no counterpart"},
		{"a filter of another dataset", `, filter: "{{ Dimension('user__country') }} = 'no'"`, "base_measure: visits, conversion_measure: buys", "its filter names visits_users.country; a filter of visits itself has a counterpart"},
		{"other granularities", "", "base_measure: hourly, conversion_measure: buys", "its times hour and ds have the granularities hour and day"},
		{"weeks", "", "base_measure: weekly, conversion_measure: buys", "its time week has the granularity week"},
		{"milliseconds", "", "base_measure: by_moment, conversion_measure: buys", "its time moment has the granularity millisecond"},
		{"a time whose column another element reads", "", "base_measure: by_note, conversion_measure: buys", "other elements name the column of its time noted"},
		{"a window finer than the time", "", "base_measure: visits, conversion_measure: buys, window: 12 hours", "its window of 12 hours is finer than its time"},
		{"a window of an unknown unit", "", "base_measure: visits, conversion_measure: buys, window: 1 fortnight", "the granularity fortnight of a window"},
		{"an unknown property", "", "base_measure: visits, conversion_measure: buys, constant_properties: [{base_property: session, conversion_property: session}]", "it names session, which is not an entity or a dimension other than a time of buys"},
		{"a time that is constant", "", "base_measure: visits, conversion_measure: buys, constant_properties: [{base_property: ds, conversion_property: session_id}]", "it names ds, which is not an entity"},
		{"snapshots", "", "base_measure: stock, conversion_measure: buys", "not additive over ds"},
		{"an unknown aggregate", "", "base_measure: odd, conversion_measure: buys", "the aggregate mode is not known"},
		{"a template", "", "base_measure: visits, conversion_measure: scripted", "the measure scripted has Jinja"},
		{"a base that fills with another number", "", "base_measure: {name: visits, fill_nulls_with: 1}, conversion_measure: buys", "fill_nulls_with of the base"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, entries := importTexts(t, importer.Options{}, visitsAndBuys+fmt.Sprintf(conversionMetric, c.keys, c.params))
			e := found(t, entries, "metric", "m")
			if e.Outcome != importer.OutcomeDropped || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("%s: %s", e.Outcome, e.Reason)
			}
			if len(m.Datasets) != 3 || expression(m, "m") != "" {
				t.Errorf("%d datasets and the metric %q, want nothing of the metric", len(m.Datasets), expression(m, "m"))
			}
		})
	}
}

// Conversions that differ in nothing but their window and their measure share one dataset.
func TestConversions_ShareTheirRows(t *testing.T) {
	text := visitsAndBuys
	for i, params := range []string{
		"base_measure: visits, conversion_measure: buys", "base_measure: visits, conversion_measure: spent, window: 7 days", "base_measure: visits, conversion_measure: notes",
		"base_measure: visits, conversion_measure: buys, constant_properties: [{base_property: session, conversion_property: session_id}]",
	} {
		text += fmt.Sprintf(strings.Replace(conversionMetric, "name: m", fmt.Sprintf("name: m%d", i), 1), "", params)
	}
	result := settleTexts(t, importer.Options{}, text)
	for _, want := range []string{`      - name: last_visits_before_buys
        from: buys_after_visits
        to: visits
        from_columns: [conversion_user]
        to_columns: [user]
        custom_extensions:
          - vendor_name: SEMLAYER
            data: '{"v": "1.10", "join_type": "inner", "valid": {"at": "conversion_ds", "from": "ds"}}'
`, `        from: buys_after_visits_2
        to: visits
        from_columns: [conversion_user, conversion_session_id]
        to_columns: [user, session]
`} {
		if !strings.Contains(string(result.Model), want) {
			t.Errorf("want\n%s\nin\n%s", want, result.Model)
		}
	}
	if n := strings.Count(string(result.Model), "source: "); n != 5 {
		t.Errorf("%d datasets, want three and two of conversions", n)
	}
	for name, path := range map[string]string{"buys.buys": "datasets.buys.fields.buys", "buys.notes": "datasets.buys_after_visits.fields.conversion_notes"} {
		if e := found(t, result.Entries, "measure", name); e.Outcome != importer.OutcomeExact || strings.Join(e.Became, " ") != path {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := found(t, result.Entries, "measure", "buys.buyers"); e.Reason != "no imported metric uses it" {
		t.Errorf("%+v", e)
	}
}

// Metrics of metrics name a conversion metric, and a saved query groups it by what the base has.
func TestConversions_ArePartsOfOtherObjects(t *testing.T) {
	m, entries := importTexts(t, importer.Options{}, visitsAndBuys+fmt.Sprintf(conversionMetric, "", "base_measure: visits, conversion_measure: buys")+
		`  - {name: percent, type: derived, type_params: {expr: m * 100, metrics: [m]}}
  - {name: moved, type: derived, type_params: {expr: m, metrics: [{name: m, offset_window: 1 day}]}}
  - {name: chosen, type: derived, type_params: {expr: m, metrics: [{name: m, filter: "{{ Dimension('visit__referrer') }} = 'ads'"}]}}
saved_queries:
  - {name: daily, query_params: {metrics: [m], group_by: ["TimeDimension('metric_time')", "Dimension('visit__referrer')"]}}
`)
	if got := expression(m, "percent"); got != "m * 100" {
		t.Errorf("percent is %s", got)
	}
	for name, reason := range map[string]string{"percent": rangeLoss, "moved": "the offset of the conversion metric m has no counterpart", "chosen": "a filter of the conversion metric m has no counterpart"} {
		if e := found(t, entries, "metric", name); e.Reason != reason {
			t.Errorf("%+v", e)
		}
	}
	if e := found(t, entries, "saved_query", "daily"); e.Outcome != importer.OutcomeApproximated || e.Reason != "its metrics are approximated: m" {
		t.Errorf("%+v", e)
	}
}
