package planner

import (
	"github.com/semlayer/semlayer/planner/sqltype"
)

// ResultTypes returns the types of the columns of a planned query, as a SQL result has them: they are known without
// executing it. A metric's own datatype is that of its column. Types that cannot be known are sqltype.Unknown.
func (p *Planner) ResultTypes(planned *Planned) []sqltype.Type {
	types := sqltype.ColumnTypesOfPlan(planned.Root, func(i int) bool { return i < len(planned.Columns) && planned.Columns[i].Metric != "" })
	for i, c := range planned.Columns {
		if c.Metric == "" || c.Kind != "" {
			continue
		}
		if m := p.cat.Metric(c.Metric); m != nil && m.Datatype != "" {
			types[i] = sqltype.FromLogicalType(m.Type)
		}
	}
	return types
}
