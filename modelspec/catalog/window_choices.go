package catalog

// OffsetCalculation is what an offset computes from the value of a bucket and that of the bucket it is compared with.
type OffsetCalculation string

// The calculations.
const (
	CalculationValue         OffsetCalculation = "value" // the other value
	CalculationDelta         OffsetCalculation = "delta"
	CalculationPercentChange OffsetCalculation = "percent_change"
	CalculationRatio         OffsetCalculation = "ratio"
)

// String returns the calculation's name in a model.
func (c OffsetCalculation) String() string { return string(c) }

// OffsetCalculations lists the calculations.
func OffsetCalculations() []OffsetCalculation {
	return []OffsetCalculation{CalculationValue, CalculationDelta, CalculationPercentChange, CalculationRatio}
}

// PartitionMode is how a window splits the rows of its metric.
type PartitionMode string

// The modes. PartitionDefault is the mode of the family.
const (
	PartitionDefault          PartitionMode = ""
	PartitionDimensions       PartitionMode = "query_dimensions"
	PartitionDimensionsExcept PartitionMode = "query_dimensions_except"
	PartitionTimeBucket       PartitionMode = "time_bucket"
	PartitionNone             PartitionMode = "none"
)

// String returns the mode's name in a model.
func (m PartitionMode) String() string { return string(m) }

// PartitionModes lists the modes that a model may declare.
func PartitionModes() []PartitionMode {
	return []PartitionMode{PartitionDimensions, PartitionDimensionsExcept, PartitionTimeBucket, PartitionNone}
}

// WindowPopulation is the rows that a window sees when the query has a time range.
type WindowPopulation string

// The populations. PopulationDefault is that of the family.
const (
	PopulationDefault WindowPopulation = ""
	PopulationAll     WindowPopulation = "all"   // as without the range
	PopulationRange   WindowPopulation = "range" // the rows in range
)

// String returns the population's name in a model.
func (p WindowPopulation) String() string { return string(p) }

// WindowPopulations lists the populations that a model may declare.
func WindowPopulations() []WindowPopulation {
	return []WindowPopulation{PopulationAll, PopulationRange}
}
