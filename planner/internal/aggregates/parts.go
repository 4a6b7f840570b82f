package aggregates

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// IsMadeOfParts reports whether a measure is the sum, the least or the greatest of its values over parts of the rows.
func IsMadeOfParts(m *catalog.Measure) bool {
	class := m.Agg.Class()
	return class == catalog.ClassAdditive || class == catalog.ClassLattice
}

// OverDistinct aggregates values each of which is there once.
func OverDistinct(m *catalog.Measure, value sqlexpr.Expr) sqlexpr.Expr {
	call := m.AggregateCall(value, nil)
	call.Distinct = false
	return call
}

// LeastOrGreatest returns a lattice measure over the values of its parts, which is their least or greatest.
func LeastOrGreatest(m *catalog.Measure) *catalog.Measure {
	out := *m
	out.Agg = catalog.AggMin
	if m.Agg == catalog.AggMax || m.Agg == catalog.AggBoolOr {
		out.Agg = catalog.AggMax
	}
	return &out
}

// OverParts aggregates the values that a measure has in buckets.
func OverParts(m *catalog.Measure) *catalog.Measure {
	if m.Agg.Class() == catalog.ClassLattice {
		return LeastOrGreatest(m)
	}
	sum := *m
	sum.Agg = catalog.AggSum
	return &sum
}

// SumOrCountOfAverage returns the sum or the count that an average is made of.
func SumOrCountOfAverage(cat *catalog.Catalog, avg *catalog.Measure, agg catalog.Agg) *catalog.Measure {
	m := *avg
	m.Agg = agg
	m.Name = avg.Home.Name
	for r := range sqlexpr.Refs(avg.Arg) {
		m.Name += "_" + cat.FieldByID(r.ID).Name
	}
	m.Name += "_" + agg.String()
	m.Stem = m.Name
	m.Type = sqlexpr.TypeInt
	if agg == catalog.AggSum || agg == catalog.AggSumDistinct {
		m.Type = sqlexpr.TypeOf(avg.Arg, func(x sqlexpr.Expr) sqlexpr.Type {
			if r, ok := x.(*sqlexpr.Ref); ok {
				return cat.FieldByID(r.ID).SourceField().Type
			}
			return sqlexpr.TypeUnknown
		})
		if !m.Type.IsNumeric() {
			m.Type = sqlexpr.TypeUnknown
		}
	}
	return &m
}
