package plan

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Capabilities lists what a target lacks, as far as planning depends on it. The
// zero value lacks nothing.
type Capabilities struct {
	// NoWindow holds the functions, aggregates included, that the target lacks as
	// window functions.
	NoWindow FuncSet
	// NoAggregate holds the aggregates that the target lacks.
	NoAggregate FuncSet
	// NoFunction holds the scalar functions that the target lacks.
	NoFunction FuncSet
	// Ranked holds the percentiles that the target lacks. They are computed from the ranks of
	// the values.
	Ranked FuncSet
	// OnePercentileOrder: the percentiles of a SELECT have one order, and no DISTINCT
	// and no LISTAGG appears beside them.
	OnePercentileOrder bool
	// RoundsDecimalPercentiles: PERCENTILE_CONT of decimals is a decimal, which is rounded. Its argument keeps the
	// declared type of integers, of which it is exact.
	RoundsDecimalPercentiles bool
	// NoSketch holds the approximate aggregates that the target lacks. They are computed exactly.
	NoSketch FuncSet
	// NoDistinctList: LISTAGG takes no DISTINCT.
	NoDistinctList bool
	// SortedArrayLists: LISTAGG is a sorted array, which is sorted by ranks where the order is
	// not that of its values.
	SortedArrayLists bool
	// NoRangeFrames: RANGE frames take no numeric distance.
	NoRangeFrames bool
	// NoFloatPartitions: a window has no parts by a floating-point value.
	NoFloatPartitions bool
	// ZonesApart: a timestamp with a zone is compared neither with one without nor
	// with a day, other than a literal.
	ZonesApart bool
	// TextByCast: text compares by code points where it is cast to text, and by the
	// collation of its column elsewhere. The fields of type text are cast then.
	TextByCast bool
	// MergesTexts: columns of texts by default take different texts for equal, by case and spaces at the end: a group has one of them.
	MergesTexts bool
	// JoinsByIndexAlone: a join by an expression over the joined table compares all rows of both.
	JoinsByIndexAlone bool
	// NoJoinInequality: the condition of a LEFT join holds nothing but equalities.
	NoJoinInequality bool
	// FiltersBeforeJoins: a condition is also computed on pairs of rows that a LEFT join does not join. Those over a table in FROM are
	// among them, unless it has a limit.
	FiltersBeforeJoins bool
	// AnyColumnType: a column holds values of other types than its own.
	AnyColumnType bool
}

// FuncSet is a set of functions. The zero value is empty.
type FuncSet struct{ bits [2]uint64 }

// NewFuncSet returns the set of some functions.
func NewFuncSet(fs ...sqlexpr.Func) FuncSet {
	var s FuncSet
	for _, f := range fs {
		s.bits[f/64] |= 1 << (f % 64)
	}
	return s
}

// IsEmpty reports whether no function is in the set.
func (s FuncSet) IsEmpty() bool { return s == FuncSet{} }

// Has reports whether f is in the set.
func (s FuncSet) Has(f sqlexpr.Func) bool { return s.bits[f/64]&(1<<(f%64)) != 0 }
