package reference

import "github.com/semlayer/semlayer/modelspec/catalog"

// InjectedFault is a way to be wrong. The checks of results have to find each.
type InjectedFault int

// The faults.
const (
	NoFault InjectedFault = iota
	// FaultTotalsSumRows adds the values of rows up where a total is computed from the input.
	FaultTotalsSumRows
	// FaultTopNullCountedAsOther counts NULL among the values that top does not keep.
	FaultTopNullCountedAsOther
	// FaultWrongTopTieKept keeps another one of the values that rank the same.
	FaultWrongTopTieKept
	// FaultSharesOfShownRows divides by the rows that conditions on the result leave.
	FaultSharesOfShownRows
	// FaultShiftBeforeBucket moves a time to the earlier period before it is put into a bucket, so that a
	// day that does not exist is the last one of its month.
	FaultShiftBeforeBucket
	// FaultRangeBoundsInUTC reads the bounds of a range on the clock of UTC.
	FaultRangeBoundsInUTC
	// FaultOrphanRowsDropped leaves out the rows that meet no row of a dataset which an aggregate joins.
	FaultOrphanRowsDropped
	// FaultSnapshotAfterGrouping chooses the snapshot among the rows of the group.
	FaultSnapshotAfterGrouping
	// FaultValidityEndIncluded includes the end of an interval in it.
	FaultValidityEndIncluded
	// FaultWindowSumsBuckets adds the values of buckets up where a window computes a metric again over their rows.
	FaultWindowSumsBuckets
	// FaultSampleVarianceAsPopulation divides the squares of a sample's deviations by the number of its values.
	FaultSampleVarianceAsPopulation
	// FaultAggregateDescendingIgnored orders the values of percentiles and lists upward only.
	FaultAggregateDescendingIgnored
	// FaultRepeatedRowsCounted counts a row as often as joins repeat it, where it counts once in each group.
	FaultRepeatedRowsCounted
	// FaultEqualArgumentsCountedOnce counts rows with equal arguments once, where each row counts once in each group.
	FaultEqualArgumentsCountedOnce

	// FaultWindowNeedsOwnRow computes a window only where its metric has a row, or a filled one.
	FaultWindowNeedsOwnRow
	// FaultFilledRowEntersWindows takes a filled row for a bucket with the value 0.
	FaultFilledRowEntersWindows
	// FaultRunningTotalOfRange begins a cumulative window with the range.
	FaultRunningTotalOfRange
	// FaultConditionOnBucketsFiltersInput filters the input of windows by a condition on the grouped time.
	FaultConditionOnBucketsFiltersInput

	// FaultInnerNullDropped leaves out the rows of included fields that are NULL, of a metric at another level.
	FaultInnerNullDropped
)

// InjectedFaults lists the faults that the laws of results find, under either law of windows.
func InjectedFaults() []InjectedFault {
	return []InjectedFault{FaultTotalsSumRows, FaultTopNullCountedAsOther, FaultWrongTopTieKept, FaultSharesOfShownRows, FaultShiftBeforeBucket, FaultRangeBoundsInUTC, FaultOrphanRowsDropped, FaultSnapshotAfterGrouping, FaultValidityEndIncluded, FaultWindowSumsBuckets,
		FaultSampleVarianceAsPopulation, FaultAggregateDescendingIgnored, FaultRepeatedRowsCounted, FaultEqualArgumentsCountedOnce, FaultInnerNullDropped}
}

// String returns the name of a fault.
func (f InjectedFault) String() string {
	return [...]string{"no fault", "totals of rows", "null among others", "ties unbroken", "shares of shown rows", "shift before bucket", "bounds in UTC", "orphans dropped", "snapshot after grouping", "ends included", "sum of buckets",
		"sample as population", "descending ignored", "every joined row", "equal arguments once",
		"window needs its own row", "filled row in windows", "running total of the range", "condition filters input",
		"inner NULL dropped"}[f]
}

// faultyMeasure returns a measure as a fault computes it.
func (e *evaluator) faultyMeasure(m *catalog.Measure) *catalog.Measure {
	out := *m
	switch e.fault {
	case FaultSampleVarianceAsPopulation:
		switch m.Agg {
		case catalog.AggVarSamp:
			out.Agg = catalog.AggVarPop
		case catalog.AggStddevSamp:
			out.Agg = catalog.AggStddevPop
		}
	case FaultAggregateDescendingIgnored:
		out.Options.Desc = false
	}
	return &out
}

// sumRowsIntoFaultyTotals puts the sums of the rows of level 0 into the rows of a total.
func (e *evaluator) sumRowsIntoFaultyTotals(totals [][]Value, v totalsLevel) {
	n := len(e.groups)
	for _, total := range totals {
		for c := n; c < n+len(e.columns); c++ {
			if _, isNumber := total[c].(float64); !isNumber {
				continue
			}
			sum := 0.0
			for _, row := range e.rowsOfLevel(e.levelOfAllGroups()) {
				if part, isNumber := row[c].(float64); isNumber && groupKey(v.maskGroups(row[:n])...) == groupKey(total[:n]...) {
					sum += part
				}
			}
			total[c] = sum
		}
	}
}

// rowsPassingResultConditions returns the rows of level 0 that meet the conditions on the result.
func (e *evaluator) rowsPassingResultConditions() [][]Value {
	out := [][]Value{}
	for _, row := range e.rowsOfLevel(e.levelOfAllGroups()) {
		shown := true
		for _, c := range e.resultConditions {
			shown = shown && e.meetsResultCondition(c, row)
		}
		if shown {
			out = append(out, row)
		}
	}
	return out
}

// faultyShareBase adds the shown rows up that belong to the base of a share.
func (e *evaluator) faultyShareBase(s shareOfLevel, dims []Value) Value {
	sum, n := 0.0, len(e.groups)
	for _, row := range e.shownRows {
		if part, isNumber := row[n+s.column].(float64); isNumber && groupKey(s.of.maskGroups(row[:n])...) == groupKey(s.of.maskGroups(dims)...) {
			sum += part
		}
	}
	return sum
}
