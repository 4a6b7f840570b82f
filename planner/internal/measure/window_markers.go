package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
)

// bucketRowCount is the column that counts the rows of a bucket.
const bucketRowCount = "rows_of_bucket"

// addRowMarkerInputs adds to the inputs of a window whose measures are expanded, for the rows of each dataset, a
// measure of the buckets that have them.
func (b windowBaseExpander) addRowMarkerInputs() {
	for _, h := range b.w.listInputRows(b.x.out.MeasureRefs) {
		rows := &catalog.Measure{Name: bucketRowCount, Stem: bucketRowCount, Home: h.home, Agg: catalog.AggMax, Arg: build.Integer(1), Type: sqlexpr.TypeInt}
		for _, u := range b.x.out.MeasureRefs {
			if u.Measure.Stem == bucketRowCount && u.Measure.Home == h.home {
				rows = u.Measure // which a branch has once
			}
		}
		b.addInput(Ref{RefKey: RefKey{Measure: rows, Axis: h.axis, Tag: b.at.Tag}, Inner: h.inner}, InputRead{})
	}
}
