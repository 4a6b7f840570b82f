package lineage

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// build draws the model. All nodes come before the edges: level-of-detail fields lead
// from measures back to fields.
func build(ctx context.Context, c *catalog.Catalog) (*builder, error) {
	b := &builder{
		catalog: c, nodes: map[Kind][]Node{}, edges: []Edge{}, taken: map[string]bool{}, drawn: map[string]bool{},
		tables: map[string]string{}, datasets: map[*catalog.Dataset]string{}, fields: map[*catalog.Field]string{},
		measures: map[*catalog.Measure]string{}, metrics: map[*catalog.Metric]string{},
	}
	for _, d := range c.Datasets {
		b.addTable(d)
		b.datasets[d] = b.add("dataset", Node{Kind: Dataset, Name: d.Name})
	}
	for _, f := range c.Fields {
		b.fields[f] = b.add("field", Node{Kind: Field, Name: f.Qualified(), Columns: columnsOf(f), Error: errorCode(f.Err)})
	}
	for _, m := range c.Metrics {
		b.metrics[m] = b.add("metric", Node{Kind: Metric, Name: m.Name, Error: errorCode(m.Err)})
	}
	for _, d := range c.Datasets {
		b.addEdge(b.tables[d.Source.Text()], b.datasets[d], Source)
	}
	for _, r := range c.Relationships {
		b.join(r)
	}
	for f := range cancel.EachUntilDone(ctx, c.Fields) {
		b.addEdge(b.datasets[f.Dataset], b.fields[f], Contains)
		b.field(f)
	}
	for m := range cancel.EachUntilDone(ctx, c.Metrics) {
		b.metric(m)
	}
	return b, ctx.Err()
}

// builder builds the graph of a catalog.
type builder struct {
	catalog *catalog.Catalog
	nodes   map[Kind][]Node
	edges   []Edge
	taken   map[string]bool
	drawn   map[string]bool // the edges, joins apart

	tables   map[string]string // id by the text of the source
	datasets map[*catalog.Dataset]string
	fields   map[*catalog.Field]string
	measures map[*catalog.Measure]string
	metrics  map[*catalog.Metric]string
}

func (b *builder) graph() *Graph {
	l := &Graph{Nodes: []Node{}, Edges: b.edges}
	for _, kind := range []Kind{Table, Dataset, Field, Measure, Metric} {
		l.Nodes = append(l.Nodes, b.nodes[kind]...)
	}
	return l
}

// add adds a node and returns its id, numbered where names run together.
func (b *builder) add(prefix string, n Node) string {
	n.ID = prefix + ":" + n.Name
	for i := 2; b.taken[n.ID]; i++ {
		n.ID = prefix + ":" + n.Name + "#" + strconv.Itoa(i)
	}
	b.taken[n.ID] = true
	b.nodes[n.Kind] = append(b.nodes[n.Kind], n)
	return n.ID
}

// addEdge draws an edge once.
func (b *builder) addEdge(from, to string, relation Relation) {
	x := Edge{From: from, To: to, Relation: relation}
	key := from + "\x00" + to + "\x00" + string(relation)
	if !b.drawn[key] {
		b.drawn[key] = true
		b.edges = append(b.edges, x)
	}
}

func errorCode(err *modelspec.CompileError) string {
	if err == nil {
		return ""
	}
	return err.Code
}

// addTable adds the source of a dataset. Datasets over one table share it.
func (b *builder) addTable(d *catalog.Dataset) {
	text := d.Source.Text()
	switch {
	case b.tables[text] != "":
	case d.Source.Query != "":
		b.tables[text] = b.add("query", Node{Kind: Table, Name: d.Name, Query: text})
	default:
		b.tables[text] = b.add("table", Node{Kind: Table, Name: text})
	}
}

func (b *builder) join(r *catalog.Relationship) {
	if r.From == nil || r.To == nil {
		return
	}
	x := Edge{
		From: b.datasets[r.From], To: b.datasets[r.To], Relation: Joins, Relationship: r.Name, Error: errorCode(r.Err),
	}
	for i := range min(len(r.FromFields), len(r.ToFields)) {
		if from, to := r.FromFields[i], r.ToFields[i]; from != nil && to != nil {
			x.On = append(x.On, from.Qualified()+" = "+to.Qualified())
		}
	}
	b.edges = append(b.edges, x)
}

// field draws what a field is computed from beyond the columns of its dataset.
func (b *builder) field(f *catalog.Field) {
	id := b.fields[f]
	for _, expr := range variants(f.Expr) {
		b.refs(expr, id, Reads)
	}
	if f.LOD == nil {
		return
	}
	for _, key := range f.LOD.Grain {
		b.addEdge(b.fields[key], id, Grain)
	}
	for _, form := range variants(f.LOD.Measures) {
		b.operands(form, id)
	}
	b.refs(f.LOD.Where, id, Filters)
}

// metric draws what a metric is computed from.
func (b *builder) metric(m *catalog.Metric) {
	id := b.metrics[m]
	for _, member := range m.Members() {
		b.addEdge(b.metrics[member], id, Derives)
	}
	for _, form := range m.AllForms() {
		b.operands(form, id)
	}
	if m.Derive != nil {
		b.refs(m.Derive.Where, id, Filters)
	}
	w := m.Window
	if w == nil {
		return
	}
	for _, base := range variants(w.Base) {
		b.aggregate(base, id)
	}
	if w.Frame != nil {
		b.aggregate(w.Frame.Second, id)
	}
	if axis := windowAxis(m); axis != nil && w.RequiresTimeAxis() {
		b.addEdge(b.fields[axis], id, TimeAxis)
	}
	for _, f := range w.EffectivePartition().Exclude {
		b.addEdge(b.fields[f], id, Partitions)
	}
}

// windowAxis is the time axis of a window: its metric's, else that of the metric
// that a filter is made of.
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
func (b *builder) operands(form *catalog.Form, to string) {
	if form == nil {
		return
	}
	for _, o := range form.Operands {
		if measure, ok := o.(*catalog.Measure); ok {
			b.aggregate(measure, to)
		}
	}
}

// aggregate draws a measure, with what it reads when it is met first.
func (b *builder) aggregate(m *catalog.Measure, to string) {
	if m == nil {
		return
	}
	id, known := b.measures[m]
	if !known {
		id = b.add("measure", Node{Kind: Measure, Name: m.Name, Aggregate: m.Agg.String()})
		b.measures[m] = id
		if !b.refs(m.Arg, id, Reads) {
			b.addEdge(b.datasets[m.Home], id, Rows)
		}
	}
	b.addEdge(id, to, Aggregates)
}

// refs draws the fields that an expression refers to and reports whether there
// are any.
func (b *builder) refs(e sqlexpr.Expr, to string, relation Relation) (found bool) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok && r.ID >= 0 && r.ID < len(b.catalog.Fields) {
			b.addEdge(b.fields[b.catalog.Fields[r.ID]], to, relation)
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
