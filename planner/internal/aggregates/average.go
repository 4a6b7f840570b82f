package aggregates

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

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
