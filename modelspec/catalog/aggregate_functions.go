package catalog

import (
	"math/big"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Agg is an aggregate function of a measure.
type Agg uint8

// The aggregates.
const (
	AggSum Agg = iota
	AggCount
	AggCountDistinct
	AggAvg
	AggMin
	AggMax
	AggBoolAnd
	AggBoolOr
	AggAnyValue
	AggStddevPop
	AggStddevSamp
	AggVarPop
	AggVarSamp
	AggSumDistinct
	AggAvgDistinct
	AggMedian
	AggPercentileCont
	AggPercentileDisc
	AggApproxCountDistinct
	AggApproxPercentile
	AggListagg
	AggListaggDistinct
	aggregateCount
)

// AggregateClass is how an aggregate gets from the values of fine groups to those of coarse ones.
type AggregateClass uint8

// The classes.
const (
	_              AggregateClass = iota
	ClassAdditive                 // the values of the parts add up
	ClassLattice                  // the least or the greatest of the values of the parts
	ClassAlgebraic                // from other aggregates of the parts, such as a sum and a count
	ClassHolistic                 // from the rows only
)

var aggregateClassNames = [...]string{"", "additive", "lattice", "algebraic", "holistic"}

// String returns the name of the class in lower case.
func (c AggregateClass) String() string { return aggregateClassNames[c] }

// AggregateArguments are the values that an aggregate takes.
type AggregateArguments uint8

// The arguments. Sums and means without DISTINCT take conditions too, which all engines but PostgreSQL read as 1 and 0.
const (
	AnyArguments AggregateArguments = iota
	NumberArguments
	NumberOrConditionArguments
	InterpolatedArguments // numbers between which a percentile interpolates
	ConditionArguments
)

// AggregateDecomposition is how the value of an aggregate over several groups is made of parts, which each group has.
type AggregateDecomposition uint8

// The decompositions.
const (
	NotDecomposed               AggregateDecomposition = iota // the class alone decides
	DecomposedAverage                                         // a sum divided by a count
	DecomposedAverageOfDistinct                               // so, of distinct values: over rows that are in no earlier group
	DecomposedVariance                                        // squared deviations divided by a count
)

// aggregateTraits is what is known of an aggregate: its name in synthesized measure names, the noun of its values, the function
// that computes it, the arguments that it takes, its class, its parts, whether repeating rows leaves its value as
// it is, and whether it is 0, not NULL, over no rows. The type of its value is that of the function, and the templates of
// its SQL are in sqlemit, by function.
type aggregateTraits struct {
	name                 string
	noun                 string
	fn                   sqlexpr.Func
	distinct             bool
	arguments            AggregateArguments
	class                AggregateClass
	parts                AggregateDecomposition
	ofGroups             sqlexpr.Func // of a lattice: MIN or MAX. False is less than true, and the least of some values is any of them
	duplicateInsensitive bool
	zeroOverNoRows       bool
}

var traitsOfAggregates = [aggregateCount]aggregateTraits{
	AggSum:           {name: "sum", noun: "sum", fn: sqlexpr.FnSum, arguments: NumberOrConditionArguments, class: ClassAdditive},
	AggCount:         {name: "count", noun: "count", fn: sqlexpr.FnCount, class: ClassAdditive, zeroOverNoRows: true},
	AggCountDistinct: {name: "count_distinct", noun: "distinct count", fn: sqlexpr.FnCount, distinct: true, class: ClassHolistic, duplicateInsensitive: true, zeroOverNoRows: true},
	AggAvg:           {name: "avg", noun: "average", fn: sqlexpr.FnAvg, arguments: NumberOrConditionArguments, class: ClassAlgebraic, parts: DecomposedAverage},
	AggMin:           {name: "min", noun: "minimum", fn: sqlexpr.FnMin, class: ClassLattice, ofGroups: sqlexpr.FnMin, duplicateInsensitive: true},
	AggMax:           {name: "max", noun: "maximum", fn: sqlexpr.FnMax, class: ClassLattice, ofGroups: sqlexpr.FnMax, duplicateInsensitive: true},

	AggBoolAnd:  {name: "bool_and", noun: "truth value", fn: sqlexpr.FnBoolAnd, arguments: ConditionArguments, class: ClassLattice, ofGroups: sqlexpr.FnMin, duplicateInsensitive: true},
	AggBoolOr:   {name: "bool_or", noun: "truth value", fn: sqlexpr.FnBoolOr, arguments: ConditionArguments, class: ClassLattice, ofGroups: sqlexpr.FnMax, duplicateInsensitive: true},
	AggAnyValue: {name: "any_value", noun: "value", fn: sqlexpr.FnAnyValue, class: ClassLattice, ofGroups: sqlexpr.FnMin, duplicateInsensitive: true},

	AggStddevPop:  {name: "stddev_pop", noun: "standard deviation", fn: sqlexpr.FnStddevPop, arguments: NumberArguments, class: ClassAlgebraic, parts: DecomposedVariance},
	AggStddevSamp: {name: "stddev_samp", noun: "standard deviation", fn: sqlexpr.FnStddevSamp, arguments: NumberArguments, class: ClassAlgebraic, parts: DecomposedVariance},
	AggVarPop:     {name: "var_pop", noun: "variance", fn: sqlexpr.FnVarPop, arguments: NumberArguments, class: ClassAlgebraic, parts: DecomposedVariance},
	AggVarSamp:    {name: "var_samp", noun: "variance", fn: sqlexpr.FnVarSamp, arguments: NumberArguments, class: ClassAlgebraic, parts: DecomposedVariance},

	AggSumDistinct:         {name: "sum_distinct", noun: "distinct sum", fn: sqlexpr.FnSum, distinct: true, arguments: NumberArguments, class: ClassHolistic, duplicateInsensitive: true},
	AggAvgDistinct:         {name: "avg_distinct", noun: "distinct average", fn: sqlexpr.FnAvg, distinct: true, arguments: NumberArguments, class: ClassHolistic, parts: DecomposedAverageOfDistinct, duplicateInsensitive: true},
	AggMedian:              {name: "median", noun: "median", fn: sqlexpr.FnMedian, arguments: InterpolatedArguments, class: ClassHolistic},
	AggPercentileCont:      {name: "cont", noun: "percentile", fn: sqlexpr.FnPercentileCont, arguments: InterpolatedArguments, class: ClassHolistic},
	AggPercentileDisc:      {name: "disc", noun: "percentile", fn: sqlexpr.FnPercentileDisc, class: ClassHolistic},
	AggApproxCountDistinct: {name: "approx_count_distinct", noun: "distinct count", fn: sqlexpr.FnApproxCountDistinct, class: ClassHolistic, duplicateInsensitive: true, zeroOverNoRows: true},
	AggApproxPercentile:    {name: "approx", noun: "percentile", fn: sqlexpr.FnApproxPercentile, arguments: InterpolatedArguments, class: ClassHolistic},
	AggListagg:             {name: "listagg", noun: "list", fn: sqlexpr.FnListagg, class: ClassHolistic},
	AggListaggDistinct:     {name: "listagg_distinct", noun: "list", fn: sqlexpr.FnListagg, distinct: true, class: ClassHolistic, duplicateInsensitive: true},
}

// Aggregates lists the aggregates.
func Aggregates() []Agg {
	out := make([]Agg, len(traitsOfAggregates))
	for a := range out {
		out[a] = Agg(a)
	}
	return out
}

// AggOfCall returns the aggregate that a call computes.
func AggOfCall(c *sqlexpr.Call) (Agg, bool) {
	for a, info := range traitsOfAggregates {
		if info.fn == c.Fn && info.distinct == c.Distinct {
			return Agg(a), true
		}
	}
	return 0, false
}

// AggregateFunctionNames lists the functions that are aggregates of metrics in upper case, sorted.
func AggregateFunctionNames() []string {
	names := []string{"COUNT_IF"} // which the parser turns into COUNT
	for _, info := range traitsOfAggregates {
		if name := sqlexpr.InfoOfFunction(info.fn).Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Name returns the aggregate as lineage shows it: its function in lower case, and _distinct.
func (a Agg) Name() string {
	name := a.Function().String()
	if traitsOfAggregates[a].distinct {
		name += "_distinct"
	}
	return name
}

// MeasureAggregateNames lists the names of all aggregates, as Agg.Name gives them.
func MeasureAggregateNames() []string {
	names := make([]string, len(traitsOfAggregates))
	for a, agg := range Aggregates() {
		names[a] = agg.Name()
	}
	return names
}

// AggOptions are what an aggregate takes beside its argument.
type AggOptions struct {
	Fraction  string // of a percentile, a number literal
	Separator string // of LISTAGG
	Desc      bool   // of a percentile and of LISTAGG: ordered downward
}

// AggOptionsOfCall returns the options of a call.
func AggOptionsOfCall(c *sqlexpr.Call) AggOptions {
	o := AggOptions{Desc: c.Desc}
	if len(c.Args) < 2 {
		return o
	}
	switch x := c.Args[1].(type) {
	case *sqlexpr.Number:
		o.Fraction = shortestFractionText(x.Text)
	case *sqlexpr.String:
		o.Separator = x.Value
	}
	return o
}

// String returns the aggregate's name in lower case, as in synthesized measure names.
func (a Agg) String() string { return traitsOfAggregates[a].name }

// Class returns the aggregate's class.
func (a Agg) Class() AggregateClass { return traitsOfAggregates[a].class }

// Noun returns what a value of the aggregate is.
func (a Agg) Noun() string { return traitsOfAggregates[a].noun }

// Arguments returns the values that the aggregate takes.
func (a Agg) Arguments() AggregateArguments { return traitsOfAggregates[a].arguments }

// Decomposition returns how a value over several groups is made of parts.
func (a Agg) Decomposition() AggregateDecomposition { return traitsOfAggregates[a].parts }

// FunctionOfGroups returns the function that makes a value over several groups of their values; FnUnknown where none does.
func (a Agg) FunctionOfGroups() sqlexpr.Func {
	if a.Additive() {
		return sqlexpr.FnSum
	}
	return traitsOfAggregates[a].ofGroups
}

// DuplicateInsensitive reports whether repeating rows leaves the value as it is.
func (a Agg) DuplicateInsensitive() bool { return traitsOfAggregates[a].duplicateInsensitive }

// CanAccumulateOverBuckets reports whether the value over all rows up to a bucket follows from the values
// of buckets, or from the rows that are in no earlier one: of holistic aggregates, that of the counts,
// sums and averages of distinct values.
func (a Agg) CanAccumulateOverBuckets() bool {
	switch a {
	case AggCountDistinct, AggSumDistinct, AggAvgDistinct:
		return true
	}
	return a.Class() != ClassHolistic
}

// Additive reports whether the values of parts of the rows add up to the value of all.
func (a Agg) Additive() bool { return a.Class() == ClassAdditive }

// IsZeroOverNoRows reports whether the aggregate is 0, not NULL, over no rows.
func (a Agg) IsZeroOverNoRows() bool { return traitsOfAggregates[a].zeroOverNoRows }

// AggregateCall returns a call of the measure's aggregate over an argument, nil to count rows, and
// what LISTAGG orders by, nil for its argument.
func (m *Measure) AggregateCall(arg, orderBy sqlexpr.Expr) *sqlexpr.Call {
	info := traitsOfAggregates[m.Agg]
	c := &sqlexpr.Call{
		Fn: info.fn, Name: sqlexpr.Name{Text: sqlexpr.InfoOfFunction(info.fn).Name},
		Distinct: info.distinct, Star: arg == nil, Desc: m.Options.Desc,
	}
	if arg != nil {
		c.Args = []sqlexpr.Expr{arg}
	}
	switch info.fn {
	case sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc, sqlexpr.FnApproxPercentile:
		c.Args = append(c.Args, &sqlexpr.Number{Text: m.Options.Fraction})
	case sqlexpr.FnListagg:
		c.Args = append(c.Args, &sqlexpr.String{Value: m.Options.Separator})
		if orderBy == nil && m.Options.Desc {
			orderBy = arg
		}
		if orderBy != nil {
			c.Args = append(c.Args, orderBy)
		}
	}
	return c
}

// Function returns the function that computes the aggregate.
func (a Agg) Function() sqlexpr.Func { return traitsOfAggregates[a].fn }

// ArgumentAndOrderKey lists the expressions over fields that the measure reads: its argument and what
// it orders by. It is empty for COUNT(*).
func (m *Measure) ArgumentAndOrderKey() []sqlexpr.Expr {
	switch {
	case m.Arg == nil:
		return nil
	case m.OrderBy == nil:
		return []sqlexpr.Expr{m.Arg}
	}
	return []sqlexpr.Expr{m.Arg, m.OrderBy}
}

// AggregateNameSuffix returns the end of the measure's synthesized name: sum, p90_cont,
// p25_cont_desc.
func (m *Measure) AggregateNameSuffix() string {
	name := m.Agg.String()
	if m.Options.Fraction != "" {
		name = "p" + fractionAsPercentText(m.Options.Fraction) + "_" + name
	}
	if m.Options.Desc {
		name += "_desc"
	}
	return name
}

// shortestFractionText returns the shortest text of a fraction: 0.50 and 5e-1 are 0.5.
func shortestFractionText(text string) string {
	f, ok := sqlexpr.ParsePercentileFraction(text)
	if !ok {
		return text
	}
	return ratAsDecimalText(f)
}

// fractionAsPercentText returns a fraction in percent, as a part of a name: 90, 99_9.
func fractionAsPercentText(fraction string) string {
	f, ok := sqlexpr.ParsePercentileFraction(fraction)
	if !ok {
		return fraction
	}
	return strings.ReplaceAll(ratAsDecimalText(f.Mul(f, big.NewRat(100, 1))), ".", "_")
}

func ratAsDecimalText(f *big.Rat) string {
	const digits = 9
	if f.IsInt() {
		return f.Num().String()
	}
	return strings.TrimRight(f.FloatString(digits), "0")
}
