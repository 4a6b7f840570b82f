package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// ParamsOfMetric lists the parameters that the metric's value depends on in a dialect,
// each once: its own in the order of declaration, then those of its base or of its
// members, and those of the level-of-detail fields that its predicate and its
// aggregates read. Two of them may have one name: a binding gives both its value.
func (c *Catalog) ParamsOfMetric(m *Metric, dialect string) []*Param {
	p := paramCollector{catalog: c, dialect: dialect, seen: map[*Metric]bool{}}
	p.addParamsOfMetric(m)
	return p.list
}

type paramCollector struct {
	catalog *Catalog
	dialect string
	seen    map[*Metric]bool
	list    []*Param
}

func (p *paramCollector) addParamsOfMetric(m *Metric) {
	if p.seen[m] {
		return
	}
	p.seen[m] = true
	p.list = appendNewParams(p.list, m.Params)
	if m.Derive != nil && m.Derive.Base != nil {
		p.addParamsOfMetric(m.Derive.Base)
		p.addParamsOfFields(m.Derive.Where)
	}
	form := m.Forms.ForDialect(p.dialect)
	if form == nil {
		return
	}
	for _, o := range form.Operands {
		switch o := o.(type) {
		case *Metric:
			p.addParamsOfMetric(o)
		case *Measure:
			for _, e := range o.ArgumentAndOrderKey() {
				p.addParamsOfFields(e)
			}
		}
	}
}

func (p *paramCollector) addParamsOfFields(e sqlexpr.Expr) {
	p.list = appendNewParams(p.list, ParamsOfLODFields(p.catalog.AppendLODFieldsOfExpr(nil, e, p.dialect)))
}
