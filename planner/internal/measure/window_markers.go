package measure

import (
	"slices"

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
		rows := rowMarkerMeasure(b.x.out.MeasureRefs, h.home)
		b.addInput(Ref{RefKey: RefKey{Measure: rows, Axis: h.axis, Tag: b.at.Tag}, Inner: h.inner}, InputRead{})
	}
}

// rowMarkerMeasure returns the measure that marks the rows of a dataset, which a branch has once.
func rowMarkerMeasure(refs []*Ref, home *catalog.Dataset) *catalog.Measure {
	for _, u := range refs {
		if u.Measure.Stem == bucketRowCount && u.Measure.Home == home {
			return u.Measure
		}
	}
	return &catalog.Measure{Name: bucketRowCount, Stem: bucketRowCount, Home: home, Agg: catalog.AggMax, Arg: build.Integer(1), Type: sqlexpr.TypeInt}
}

// containsRowMarker reports whether a window reads a marker of the rows of a dataset.
func containsRowMarker(refs []*Ref, w *Window, home *catalog.Dataset) bool {
	return slices.ContainsFunc(refs, func(u *Ref) bool {
		return u.InputOf == w && u.Measure.Stem == bucketRowCount && u.Measure.Home == home
	})
}
