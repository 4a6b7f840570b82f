package reference

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// listaggOrderValue returns what LISTAGG orders a row by: the value where nothing else is given.
func (v evalContext) listaggOrderValue(m *catalog.Measure, value Value) Value {
	if m.OrderBy == nil {
		return value
	}
	return v.eval(m.OrderBy)
}

// aggregateValues aggregates values none of which is NULL. orders are what LISTAGG orders them by.
func aggregateValues(m *catalog.Measure, args, orders []Value) Value {
	switch m.Agg {
	case catalog.AggCount:
		return float64(len(args))
	case catalog.AggCountDistinct, catalog.AggApproxCountDistinct:
		return float64(len(distinctValues(args)))
	case catalog.AggSumDistinct, catalog.AggAvgDistinct:
		abstainFromLargeIntegers(args)
		args = distinctValues(args)
	}
	if len(args) == 0 {
		return nil
	}
	switch m.Agg {
	case catalog.AggMin, catalog.AggBoolAnd, catalog.AggAnyValue:
		return slices.MinFunc(args, compareNullsLast)
	case catalog.AggMax, catalog.AggBoolOr:
		return slices.MaxFunc(args, compareNullsLast)
	case catalog.AggListagg, catalog.AggListaggDistinct:
		return joinValuesAsList(m, args, orders)
	case catalog.AggPercentileDisc:
		return discretePercentile(m, args)
	case catalog.AggMedian, catalog.AggPercentileCont, catalog.AggApproxPercentile:
		return continuousPercentile(m, args)
	case catalog.AggStddevPop, catalog.AggStddevSamp, catalog.AggVarPop, catalog.AggVarSamp:
		return varianceOrDeviation(m.Agg, args)
	}
	switch m.Agg {
	case catalog.AggAvg, catalog.AggAvgDistinct:
		return sumOfValues(args) / float64(len(args))
	case catalog.AggSum, catalog.AggSumDistinct:
		return sumOfValues(args)
	}
	failUnsupported("the aggregate %s", m.Agg)
	return nil
}

// ignoresRepeatedRows reports whether repeated rows leave an aggregate as it is.
func ignoresRepeatedRows(agg catalog.Agg) bool {
	switch agg {
	case catalog.AggMin, catalog.AggMax, catalog.AggBoolAnd, catalog.AggBoolOr, catalog.AggAnyValue, catalog.AggCountDistinct,
		catalog.AggSumDistinct, catalog.AggAvgDistinct, catalog.AggApproxCountDistinct, catalog.AggListaggDistinct:
		return true
	}
	return false
}

func sumOfValues(args []Value) float64 {
	sum := 0.0
	for _, a := range args {
		sum += toFloat(a)
	}
	return sum
}

// maxExactInteger is the least integer that may be the double of two integers.
const maxExactInteger = 1 << 53

// abstainFromLargeIntegers gives up on the distinct values of integers that are not exact as doubles.
func abstainFromLargeIntegers(args []Value) {
	for _, v := range args {
		if n, ok := v.(float64); ok && math.Abs(n) >= maxExactInteger {
			abstain("%g may be the double of several integers", n)
		}
	}
}

func distinctValues(args []Value) []Value {
	seen := map[string]bool{}
	var out []Value
	for _, a := range args {
		if key := groupKey(a); !seen[key] {
			seen[key] = true
			out = append(out, a)
		}
	}
	return out
}

// sortedPercentileValues returns the values in the order of a percentile.
func sortedPercentileValues(m *catalog.Measure, args []Value) []Value {
	out := slices.Clone(args)
	slices.SortFunc(out, func(a, b Value) int {
		if m.Options.Desc {
			a, b = b, a
		}
		return compareNullsLast(a, b)
	})
	return out
}

func percentileFraction(m *catalog.Measure) float64 {
	if m.Agg == catalog.AggMedian {
		return 0.5
	}
	f, err := strconv.ParseFloat(m.Options.Fraction, 64)
	if err != nil {
		abstain("a percentile of %q", m.Options.Fraction)
	}
	return f
}

// continuousPercentile is linear between the two neighbours of position 1 + p * (n - 1).
func continuousPercentile(m *catalog.Measure, args []Value) Value {
	values := sortedPercentileValues(m, args)
	at := percentileFraction(m) * float64(len(values)-1)
	low, high := toFloat(values[int(math.Floor(at))]), toFloat(values[int(math.Ceil(at))])
	return low + (high-low)*(at-math.Floor(at))
}

// discretePercentile returns the first value whose share of the values up to it is at least p. The
// shares are compared up to the error of their division.
func discretePercentile(m *catalog.Measure, args []Value) Value {
	const tolerance = 1e-12
	values := sortedPercentileValues(m, args)
	for i, v := range values {
		if float64(i+1)/float64(len(values)) >= percentileFraction(m)-tolerance {
			return v
		}
	}
	return values[len(values)-1]
}

// varianceOrDeviation returns a variance or its root, from the deviations from the mean.
func varianceOrDeviation(agg catalog.Agg, args []Value) Value {
	n := float64(len(args))
	mean, squares := sumOfValues(args)/n, 0.0
	for _, a := range args {
		squares += (toFloat(a) - mean) * (toFloat(a) - mean)
	}
	if agg == catalog.AggVarSamp || agg == catalog.AggStddevSamp {
		if n--; n == 0 {
			return nil
		}
	}
	if agg == catalog.AggStddevPop || agg == catalog.AggStddevSamp {
		return math.Sqrt(squares / n)
	}
	return squares / n
}

// joinValuesAsList joins the values in the order that is given, nulls last, ties by the value.
func joinValuesAsList(m *catalog.Measure, args, orders []Value) Value {
	at := make([]int, len(args))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int {
		a, b := orders[i], orders[j]
		if m.Options.Desc && a != nil && b != nil {
			a, b = b, a
		}
		if c := compareNullsLast(a, b); c != 0 {
			return c
		}
		return compareNullsLast(args[i], args[j])
	})
	var texts []string
	seen := map[string]bool{}
	for _, i := range at {
		if key := groupKey(args[i]); m.Agg != catalog.AggListaggDistinct || !seen[key] {
			seen[key] = true
			texts = append(texts, castToText(args[i]))
		}
	}
	return strings.Join(texts, m.Options.Separator)
}

// castToText returns a value as a text, as a cast to text has it.
func castToText(v Value) string {
	if text, ok := castValue(v, sqlexpr.TypeName{Type: sqlexpr.TypeString}).(string); ok {
		return text
	}
	abstain("the text of %s", FormatValue(v))
	return ""
}
