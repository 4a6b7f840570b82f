package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// wholeLineage draws the model. All nodes come before the edges: level-of-detail
// fields lead from measures back to fields.
func (e *Engine) wholeLineage(ctx context.Context) (*lineage, error) {
	b := &lineage{
		nodes: map[LineageKind][]LineageNode{}, edges: []LineageEdge{}, taken: map[string]bool{}, drawn: map[string]bool{},
		tables: map[string]string{}, datasets: map[*catalog.Dataset]string{}, fields: map[*catalog.Field]string{},
		measures: map[*catalog.Measure]string{}, metrics: map[*catalog.Metric]string{},
	}
	for _, d := range e.cat.Datasets {
		b.addTable(d)
		b.datasets[d] = b.add("dataset", LineageNode{Kind: LineageDataset, Name: d.Name})
	}
	for _, f := range e.cat.Fields {
		b.fields[f] = b.add("field", LineageNode{
			Kind: LineageField, Name: f.Qualified(), Columns: columnsOf(f), Error: codeOfCompile(f.Err),
		})
	}
	for _, m := range e.cat.Metrics {
		b.metrics[m] = b.add("metric", LineageNode{Kind: LineageMetric, Name: m.Name, Error: codeOfCompile(m.Err)})
	}
	for _, d := range e.cat.Datasets {
		b.link(b.tables[sourceText(d.Source)], b.datasets[d], LineageSource)
	}
	for _, r := range e.cat.Relationships {
		b.join(r)
	}
	for _, f := range e.cat.Fields {
		b.link(b.datasets[f.Dataset], b.fields[f], LineageContains)
		b.field(e.cat, f)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, m := range e.cat.Metrics {
		b.metric(e.cat, m)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// addTable adds the source of a dataset. Datasets over one table share it.
func (b *lineage) addTable(d *catalog.Dataset) {
	text := sourceText(d.Source)
	switch {
	case b.tables[text] != "":
	case d.Source.Query != "":
		b.tables[text] = b.add("query", LineageNode{Kind: LineageTable, Name: d.Name, Query: text})
	default:
		b.tables[text] = b.add("table", LineageNode{Kind: LineageTable, Name: text})
	}
}

func (b *lineage) join(r *catalog.Relationship) {
	if r.From == nil || r.To == nil {
		return
	}
	x := LineageEdge{
		From: b.datasets[r.From], To: b.datasets[r.To], Relation: LineageJoins, Relationship: r.Name, Error: codeOfCompile(r.Err),
	}
	for i := range min(len(r.FromFields), len(r.ToFields)) {
		if from, to := r.FromFields[i], r.ToFields[i]; from != nil && to != nil {
			x.On = append(x.On, from.Qualified()+" = "+to.Qualified())
		}
	}
	b.edges = append(b.edges, x)
}

// field draws what a field is computed from beyond the columns of its dataset.
func (b *lineage) field(c *catalog.Catalog, f *catalog.Field) {
	id := b.fields[f]
	for _, expr := range variants(f.Expr) {
		b.refs(c, expr, id, LineageReads)
	}
	if f.LOD == nil {
		return
	}
	for _, key := range f.LOD.Grain {
		b.link(b.fields[key], id, LineageGrain)
	}
	for _, form := range variants(f.LOD.Measures) {
		b.operands(c, form, id)
	}
	b.refs(c, f.LOD.Where, id, LineageFilters)
}

// metric draws what a metric is computed from.
func (b *lineage) metric(c *catalog.Catalog, m *catalog.Metric) {
	id := b.metrics[m]
	for _, member := range m.Members() {
		b.link(b.metrics[member], id, LineageDerives)
	}
	for _, form := range m.AllForms() {
		b.operands(c, form, id)
	}
	if m.Derive != nil {
		b.refs(c, m.Derive.Where, id, LineageFilters)
	}
	w := m.Window
	if w == nil {
		return
	}
	for _, base := range variants(w.Base) {
		b.aggregate(c, base, id)
	}
	if w.Frame != nil {
		b.aggregate(c, w.Frame.Second, id)
	}
	if axis := windowAxis(m); axis != nil && w.RequiresTimeAxis() {
		b.link(b.fields[axis], id, LineageTimeAxis)
	}
	for _, f := range w.EffectivePartition().Exclude {
		b.link(b.fields[f], id, LineagePartitions)
	}
}

// windowAxis is the time axis of a window: its metric's, else that of the metric
// that a filter stands on.
func windowAxis(m *catalog.Metric) *catalog.Field {
	for seen := map[*catalog.Metric]bool{}; m != nil && !seen[m]; {
		if axis := m.Axis(); axis != nil {
			return axis
		}
		seen[m] = true
		if m.Derive == nil {
			return nil
		}
		m = m.Derive.Base
	}
	return nil
}

// operands draws the measures of a form; the metrics in it are its members.
func (b *lineage) operands(c *catalog.Catalog, form *catalog.Form, to string) {
	if form == nil {
		return
	}
	for _, o := range form.Operands {
		if measure, ok := o.(*catalog.Measure); ok {
			b.aggregate(c, measure, to)
		}
	}
}

// aggregate draws a measure, with what it reads when it is met first.
func (b *lineage) aggregate(c *catalog.Catalog, m *catalog.Measure, to string) {
	if m == nil {
		return
	}
	id, known := b.measures[m]
	if !known {
		id = b.add("measure", LineageNode{Kind: LineageMeasure, Name: m.Name, Aggregate: m.Agg.String()})
		b.measures[m] = id
		if !b.refs(c, m.Arg, id, LineageReads) {
			b.link(b.datasets[m.Home], id, LineageRows)
		}
	}
	b.link(id, to, LineageAggregates)
}

// refs draws the fields that an expression refers to and reports whether there
// are any.
func (b *lineage) refs(c *catalog.Catalog, e sqlexpr.Expr, to string, relation LineageRelation) (found bool) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID >= 0 && r.ID < len(c.Fields) {
			b.link(b.fields[c.Fields[r.ID]], to, relation)
			found = true
		}
		return true
	})
	return found
}

// columnsOf lists the columns that a field's expressions read, in the order in
// which they name them.
func columnsOf(f *catalog.Field) []string {
	var out []string
	for _, expr := range variants(f.Expr) {
		sqlexpr.Walk(expr, func(x sqlexpr.Expr) bool {
			if column, ok := x.(*sqlexpr.Column); ok {
				if name := column.Path[len(column.Path)-1].Text; !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
			return true
		})
	}
	return out
}

// variants lists the default and what is written for single dialects, by name.
func variants[T any](v catalog.Variants[T]) []T {
	out := []T{v.Default}
	for _, dialect := range slices.Sorted(maps.Keys(v.ByDialect)) {
		out = append(out, v.ByDialect[dialect])
	}
	return out
}
