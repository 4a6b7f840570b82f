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
)

// AggregateClass is how an aggregate gets from the values of fine groups to those of coarse ones.
type AggregateClass uint8

// The classes.
const (
	ClassAdditive  AggregateClass = iota // the values of the parts add up
	ClassLattice                         // the least or the greatest of the values of the parts
	ClassAlgebraic                       // from other aggregates of the parts, such as a sum and a count
	ClassHolistic                        // from the rows only
)

var aggregateClassNames = [...]string{"additive", "lattice", "algebraic", "holistic"}

// String returns the name of the class in lower case.
func (c AggregateClass) String() string { return aggregateClassNames[c] }

// aggregateTraits describes an aggregate: its name in synthesized measure names, the function
// that computes it, its class, whether repeating rows leaves its value as it is, and
// whether it is 0, not NULL, over no rows.
type aggregateTraits struct {
	name                 string
	fn                   sqlexpr.Func
	distinct             bool
	class                AggregateClass
	duplicateInsensitive bool
	zeroOverNoRows       bool
}

var traitsOfAggregates = [...]aggregateTraits{
	AggSum:           {name: "sum", fn: sqlexpr.FnSum, class: ClassAdditive},
	AggCount:         {name: "count", fn: sqlexpr.FnCount, class: ClassAdditive, zeroOverNoRows: true},
	AggCountDistinct: {name: "count_distinct", fn: sqlexpr.FnCount, distinct: true, class: ClassHolistic, duplicateInsensitive: true, zeroOverNoRows: true},
	AggAvg:           {name: "avg", fn: sqlexpr.FnAvg, class: ClassAlgebraic},
	AggMin:           {name: "min", fn: sqlexpr.FnMin, class: ClassLattice, duplicateInsensitive: true},
	AggMax:           {name: "max", fn: sqlexpr.FnMax, class: ClassLattice, duplicateInsensitive: true},

	AggBoolAnd:    {name: "bool_and", fn: sqlexpr.FnBoolAnd, class: ClassLattice, duplicateInsensitive: true},
	AggBoolOr:     {name: "bool_or", fn: sqlexpr.FnBoolOr, class: ClassLattice, duplicateInsensitive: true},
	AggAnyValue:   {name: "any_value", fn: sqlexpr.FnAnyValue, class: ClassLattice, duplicateInsensitive: true},
	AggStddevPop:  {name: "stddev_pop", fn: sqlexpr.FnStddevPop, class: ClassAlgebraic},
	AggStddevSamp: {name: "stddev_samp", fn: sqlexpr.FnStddevSamp, class: ClassAlgebraic},
	AggVarPop:     {name: "var_pop", fn: sqlexpr.FnVarPop, class: ClassAlgebraic},
	AggVarSamp:    {name: "var_samp", fn: sqlexpr.FnVarSamp, class: ClassAlgebraic},

	AggSumDistinct:         {name: "sum_distinct", fn: sqlexpr.FnSum, distinct: true, class: ClassHolistic, duplicateInsensitive: true},
	AggAvgDistinct:         {name: "avg_distinct", fn: sqlexpr.FnAvg, distinct: true, class: ClassHolistic, duplicateInsensitive: true},
	AggMedian:              {name: "median", fn: sqlexpr.FnMedian, class: ClassHolistic},
	AggPercentileCont:      {name: "cont", fn: sqlexpr.FnPercentileCont, class: ClassHolistic},
	AggPercentileDisc:      {name: "disc", fn: sqlexpr.FnPercentileDisc, class: ClassHolistic},
	AggApproxCountDistinct: {name: "approx_count_distinct", fn: sqlexpr.FnApproxCountDistinct, class: ClassHolistic, duplicateInsensitive: true, zeroOverNoRows: true},
	AggApproxPercentile:    {name: "approx", fn: sqlexpr.FnApproxPercentile, class: ClassHolistic},
	AggListagg:             {name: "listagg", fn: sqlexpr.FnListagg, class: ClassHolistic},
	AggListaggDistinct:     {name: "listagg_distinct", fn: sqlexpr.FnListagg, distinct: true, class: ClassHolistic, duplicateInsensitive: true},
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
	for a := range traitsOfAggregates {
		names[a] = Agg(a).Name()
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
