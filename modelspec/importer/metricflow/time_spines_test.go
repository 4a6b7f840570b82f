package metricflow_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// spineProject returns a project with the time spines of a text.
func spineProject(spines string) string {
	return `
semantic_models:
  - name: orders
    model: ref('orders')
    defaults: {agg_time_dimension: day}
    entities: [{name: id, type: primary}]
    dimensions: [{name: day, type: time, type_params: {time_granularity: day}}]
    measures: [{name: n, agg: count, expr: id}]
metrics:
  - {name: n, type: simple, type_params: {measure: n}}
project_configuration: {time_spines: [` + spines + `]}
`
}

func datasetOf(m *modelspec.SemanticModel, name string) *modelspec.Dataset {
	for _, d := range m.Datasets {
		if d.Name.Value == name {
			return d
		}
	}
	return nil
}

func TestRead_CustomGranularitiesAreACalendar(t *testing.T) {
	m, entries := importTexts(t, importer.Options{}, spineProject(`{node_relation: {alias: spine, schema_name: marts}, primary_column: {name: date_day, time_granularity: day},
    custom_granularities: [{name: fiscal_year, column_name: fy}, {name: retail_week}, {name: month}, {name: "a b"}, {name: retail_week, column_name: w}]}`))
	d := datasetOf(m, "spine")
	if d == nil {
		t.Fatalf("no dataset in %+v", m.Datasets)
	}
	if d.Source.Value != "marts.spine" {
		t.Errorf("source %s", d.Source.Value)
	}
	if len(d.PrimaryKey) != 1 || d.PrimaryKey[0].Value != "date_day" {
		t.Errorf("key %v", d.PrimaryKey)
	}
	payload := d.Extensions[0].Data.Value
	want := `{"v": "1.10", "requires": ["calendar"], "calendar": {"date": "date_day", "periods": {"fiscal_year": "fy", "retail_week": "retail_week"}}}`
	if payload != want {
		t.Errorf("%s, want %s", payload, want)
	}
	if e := found(t, entries, "time_spine", "spine"); e.Outcome != importer.OutcomeExact {
		t.Errorf("%+v", e)
	}
	if e := found(t, entries, "custom_granularity", "fiscal_year"); e.Outcome != importer.OutcomeApproximated || !strings.Contains(e.Reason, "first day") {
		t.Errorf("%+v", e)
	}
	for name, reason := range map[string]string{"month": "a grain", "a b": "cannot be the name"} {
		if e := found(t, entries, "custom_granularity", name); e.Outcome != importer.OutcomeDropped || !strings.Contains(e.Reason, reason) {
			t.Errorf("%+v", e)
		}
	}
}

func TestRead_TimesWithinDaysAreADataset(t *testing.T) {
	m, entries := importTexts(t, importer.Options{}, spineProject(`{node_relation: {alias: hours, schema_name: marts}, primary_column: {name: ts, time_granularity: hour}},
    {node_relation: {alias: moments}, primary_column: {name: ts, time_granularity: millisecond}}`))
	d := datasetOf(m, "hours")
	if d == nil || datasetOf(m, "moments") != nil {
		t.Fatalf("%+v", m.Datasets)
	}
	if d.Source.Value != "marts.hours" || len(d.PrimaryKey) != 1 || d.PrimaryKey[0].Value != "ts" || len(d.Fields) != 1 {
		t.Errorf("%+v", d)
	}
	if payload := d.Fields[0].Extensions[0].Data.Value; !strings.Contains(payload, `"time_granularity": "hour"`) {
		t.Error(payload)
	}
	if e := found(t, entries, "time_spine", "hours"); e.Outcome != importer.OutcomeExact {
		t.Errorf("%+v", e)
	}
	if e := found(t, entries, "time_spine", "moments"); e.Outcome != importer.OutcomeDropped || !strings.Contains(e.Reason, "needs no table") {
		t.Errorf("%+v", e)
	}
}

func TestRead_TimeSpinesWithoutCalendars(t *testing.T) {
	for spine, reason := range map[string]string{
		`{node_relation: {alias: spine}, primary_column: {name: d, time_granularity: day}}`:                                                        "needs no table",
		`{node_relation: {alias: spine}, primary_column: {name: d, time_granularity: hour}, custom_granularities: [{name: fy}]}`:                   "one row for each day",
		`{node_relation: {alias: spine}, primary_column: {name: "d e", time_granularity: day}, custom_granularities: [{name: fy}]}`:                "one row for each day",
		`{node_relation: {alias: spine}, custom_granularities: [{name: fy}]}`:                                                                      "one row for each day",
		`{node_relation: {alias: "a b"}, primary_column: {name: d, time_granularity: day}, custom_granularities: [{name: fy}]}`:                    "no name",
		`{node_relation: {alias: spine}, primary_column: {name: d, time_granularity: day}, custom_granularities: [{name: "1"}]}`:                   "no custom granularity",
		`{node_relation: {alias: orders, relation_name: ""}, primary_column: {name: d, time_granularity: day}, custom_granularities: [{name: d}]}`: "no custom granularity",
	} {
		m, entries := importTexts(t, importer.Options{}, spineProject(spine))
		if len(m.Datasets) != 1 {
			t.Errorf("%s: %d datasets", spine, len(m.Datasets))
		}
		var reasons []string
		for _, e := range entries {
			if e.Construct == "time_spine" {
				reasons = append(reasons, string(e.Outcome)+" "+e.Reason)
			}
		}
		if all := strings.Join(reasons, "\n"); !strings.HasPrefix(all, "dropped") || !strings.Contains(all, reason) {
			t.Errorf("%s: %q, want %s", spine, reasons, reason)
		}
	}
}

// A period belongs to one calendar: that of the first time spine.
func TestRead_GranularityOfTwoTimeSpines(t *testing.T) {
	spine := func(name string) string {
		return `{node_relation: {alias: ` + name + `}, primary_column: {name: d, time_granularity: day}, custom_granularities: [{name: fy}]}`
	}
	m, entries := importTexts(t, importer.Options{}, spineProject(spine("first")+", "+spine("second")))
	if datasetOf(m, "first") == nil || datasetOf(m, "second") != nil {
		t.Errorf("%+v", m.Datasets)
	}
	if e := found(t, entries, "time_spine", "second"); e.Outcome != importer.OutcomeDropped || !strings.Contains(e.Reason, "calendar first already") {
		t.Errorf("%+v", e)
	}
}
