package metricflow_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/metricflow"
)

const rides = `semantic_models:
  - name: rides
    model: ref('rides')
    entities: [{name: ride, type: primary, expr: ride_id}]
    measures: [{name: distance, agg: sum, expr: km, create_metric: true}]
`

// A project is read, and what compiles is written.
func ExampleRead() {
	imported, err := metricflow.Read([]importer.SourceFile{{Name: "rides.yml", Text: []byte(rides)}}, importer.Options{ModelName: "bikes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	// A program with a planner rejects metrics here that no query can have.
	result, err := importer.FinishImport(context.Background(), imported, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range result.Entries {
		fmt.Println(e.Construct, e.Name, e.Outcome, e.Became)
	}
	// Output:
	// semantic_model rides exact [datasets.rides]
	// entity rides.ride exact [datasets.rides.fields.ride]
	// measure rides.distance exact [metrics.distance]
}
