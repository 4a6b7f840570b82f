package attribution_test

import (
	"fmt"
	"log"

	"github.com/semlayer/semlayer/planner/attribution"
)

// A sum fell from 100 to 90: the change taken apart over the values of a dimension.
func ExampleDecompose() {
	sum := attribution.LinearCombination{Terms: []attribution.LinearTerm{{Leaf: 0, Coef: 1}}}
	of := func(baseline, current float64) attribution.SegmentNumbers {
		return attribution.SegmentNumbers{Leaves: []attribution.ValuePair{{Baseline: baseline, Current: current}}}
	}
	report, err := attribution.Decompose(attribution.DecompositionInput{
		Metric:  "revenue",
		Formula: attribution.MetricFormula{Strategy: attribution.TermWiseStrategy, Sum: sum},
		Leaves:  []attribution.LeafMeasure{{Name: "orders_amount_sum"}},
		Totals:  of(100, 90),
		Dimensions: []attribution.DimensionSegments{{Dimension: "orders.region", Members: []attribution.Segment{
			{Text: "east", SegmentNumbers: of(60, 65)},
			{Text: "west", SegmentNumbers: of(40, 25)},
		}}},
		MaxValues: 10, TopDimensions: 1, TopValues: 10,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("total", report.TotalChange.Delta)
	for _, v := range report.PerDimension["orders.region"].Values {
		fmt.Println(v.Value, v.Delta)
	}
	// Output:
	// total -10
	// west -15
	// east 5
}
