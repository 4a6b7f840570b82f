package metricflow_test

import (
	"context"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/metricflow"
)

// A metric of the specification before MetricFlow is named as such, in place of an error for each of its keys.
func TestRead_NamesMetricsOfTheOlderSpecification(t *testing.T) {
	imported, err := metricflow.Read([]importer.SourceFile{{Name: "old.yml", Text: []byte(`version: 2
metrics:
  - name: crossing_total
    label: Crossings
    model: ref('crossings')
    calculation_method: count
    expression: crossing_id
    timestamp: sailed_on
    time_grains: [day]
`)}}, importer.Options{ModelName: "m"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = importer.FinishImport(t.Context(), imported, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
	if err == nil || !strings.HasSuffix(err.Error(), "old.yml:3: metric crossing_total: it is written for dbt before 1.6 (calculation_method), whose metrics are not read") {
		t.Errorf("%v", err)
	}
	if entries := imported.Report.Entries(); len(entries) != 1 {
		t.Errorf("%d entries", len(entries))
	}
}
