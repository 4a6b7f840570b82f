package lineage

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// buildGraphOfCatalog draws the model. All nodes come before the edges: level-of-detail fields lead
// from measures back to fields.
func buildGraphOfCatalog(ctx context.Context, c *catalog.Catalog) (*graphBuilder, error) {
	b := &graphBuilder{
		catalog: c, nodes: map[NodeKind][]Node{}, edges: []Edge{}, taken: map[string]bool{}, drawn: map[string]bool{}, crossed: map[string][]string{},
		tables: map[string]string{}, datasets: map[*catalog.Dataset]string{}, fields: map[*catalog.Field]string{},
		measures: map[*catalog.Measure]string{}, metrics: map[*catalog.Metric]string{}, rollups: map[*catalog.Rollup]string{},
	}
	for _, d := range c.Datasets {
		if d.Sequence == nil {
			b.addTable(d.Source, d.Name)
		}
		b.datasets[d] = b.addNumberedNode("dataset", Node{Kind: KindDataset, Name: d.Name})
	}
	for _, f := range c.Fields {
		b.fields[f] = b.addNumberedNode("field", Node{Kind: KindField, Name: f.QualifiedName(), Columns: columnsReadByField(f), Error: compileErrorCode(f.Err)})
	}
	for _, m := range c.Metrics {
		b.metrics[m] = b.addNumberedNode("metric", Node{Kind: KindMetric, Name: m.Name, Error: compileErrorCode(m.Err)})
	}
	for _, r := range c.Rollups {
		b.addTable(r.Source, r.Name)
		b.rollups[r] = b.addNumberedNode("rollup", Node{Kind: KindRollup, Name: r.Name})
	}
	for _, d := range c.Datasets {
		if d.Sequence != nil {
			b.addSequenceEdges(d)
			continue
		}
		b.addEdge(b.tables[d.Source.Text()], b.datasets[d], RelationSource)
	}
	for _, r := range c.Relationships {
		b.addJoinEdge(r)
	}
	for f := range cancel.EachUntilDone(ctx, c.Fields) {
		b.addEdge(b.datasets[f.Dataset], b.fields[f], RelationContains)
		b.addFieldInputEdges(f)
	}
	for m := range cancel.EachUntilDone(ctx, c.Metrics) {
		b.addMetricInputEdges(m)
	}
	for _, r := range c.Rollups {
		b.addRollup(r)
	}
	return b, ctx.Err()
}

// graphBuilder builds the graph of a catalog.
type graphBuilder struct {
	catalog *catalog.Catalog
	nodes   map[NodeKind][]Node
	edges   []Edge
	taken   map[string]bool
	drawn   map[string]bool // the edges, joins apart
	// crossed are the datasets that lie between the rows of an object and the fields that it reads, by its id.
	crossed map[string][]string

	tables   map[string]string // id by the text of the source
	datasets map[*catalog.Dataset]string
	fields   map[*catalog.Field]string
	measures map[*catalog.Measure]string
	metrics  map[*catalog.Metric]string
	rollups  map[*catalog.Rollup]string
}

func (b *graphBuilder) buildSortedGraph() *Graph {
	l := &Graph{Nodes: []Node{}, Edges: b.edges}
	for _, kind := range []NodeKind{KindTable, KindDataset, KindField, KindMeasure, KindMetric, KindRollup} {
		l.Nodes = append(l.Nodes, b.nodes[kind]...)
	}
	return l
}

// addNumberedNode adds a node and returns its id, numbered where names run together.
func (b *graphBuilder) addNumberedNode(prefix string, n Node) string {
	n.ID = prefix + ":" + n.Name
	for i := 2; b.taken[n.ID]; i++ {
		n.ID = prefix + ":" + n.Name + "#" + strconv.Itoa(i)
	}
	b.taken[n.ID] = true
	b.nodes[n.Kind] = append(b.nodes[n.Kind], n)
	return n.ID
}

// addEdge draws an edge once.
func (b *graphBuilder) addEdge(from, to string, relation EdgeRelation) {
	x := Edge{From: from, To: to, Relation: relation}
	key := from + "\x00" + to + "\x00" + string(relation)
	if !b.drawn[key] {
		b.drawn[key] = true
		b.edges = append(b.edges, x)
	}
}

func compileErrorCode(err *modelspec.CompileError) string {
	if err == nil {
		return ""
	}
	return err.Code
}

// addTable adds the source of a dataset or of a rollup. Those over one table share it.
func (b *graphBuilder) addTable(source sqlexpr.DatasetTableOrQuery, owner string) {
	text := source.Text()
	switch {
	case b.tables[text] != "":
	case source.Query != "":
		b.tables[text] = b.addNumberedNode("query", Node{Kind: KindTable, Name: owner, Query: text})
	default:
		b.tables[text] = b.addNumberedNode("table", Node{Kind: KindTable, Name: text})
	}
}

func (b *graphBuilder) addJoinEdge(r *catalog.Relationship) {
	if r.From == nil || r.To == nil {
		return
	}
	x := Edge{
		From: b.datasets[r.From], To: b.datasets[r.To], Relation: RelationJoins, Relationship: r.Name, Error: compileErrorCode(r.Err),
	}
	if catalog.HidesColumnsOf(r) {
		b.edges = append(b.edges, x)
		return
	}
	for i := range min(len(r.FromFields), len(r.ToFields)) {
		if from, to := r.FromFields[i], r.ToFields[i]; from != nil && to != nil {
			x.On = append(x.On, from.QualifiedName()+" = "+to.QualifiedName())
		}
	}
	if v := r.Valid; v != nil {
		x.On = append(x.On, v.From.QualifiedName()+" <= "+v.At.QualifiedName())
		if v.To != nil {
			x.On = append(x.On, v.At.QualifiedName()+" < "+v.To.QualifiedName())
		}
	}
	b.edges = append(b.edges, x)
}

// addFieldInputEdges draws what a field is computed from beyond the columns of its dataset.
func (b *graphBuilder) addFieldInputEdges(f *catalog.Field) {
	id := b.fields[f]
	for _, expr := range listDefaultAndDialectVariants(f.Expr) {
		b.addReferencedFieldEdges(expr, id, RelationReads)
	}
	if f.LOD == nil || f.Revealed {
		return
	}
	for _, key := range f.LOD.Grain {
		if key = f.Dataset.VisibleField(key); key != nil {
			b.addEdge(b.fields[key], id, RelationGrain)
		}
	}
	for _, form := range listDefaultAndDialectVariants(f.LOD.Measures) {
		b.addOperandMeasures(form, id)
		b.noteDatasetsBelowCarrier(f, form)
	}
	b.addReferencedFieldEdges(f.LOD.Where, id, RelationFilters)
}

// noteDatasetsBelowCarrier notes the datasets between the rows that a level of detail aggregates and the dataset of its field.
func (b *graphBuilder) noteDatasetsBelowCarrier(f *catalog.Field, form *catalog.ArithmeticOverOperands) {
	if form == nil {
		return
	}
	for _, o := range form.Operands {
		measure, ok := o.(*catalog.Measure)
		if !ok {
			continue
		}
		path := f.LOD.Via
		if path == nil {
			for _, only := range b.catalog.SafePaths(measure.Home, f.Dataset, 1) {
				path = only
			}
		}
		b.noteCrossedDatasets(path, b.fields[f])
	}
}

// addMetricInputEdges draws what a metric is computed from.
func (b *graphBuilder) addMetricInputEdges(m *catalog.Metric) {
	id := b.metrics[m]
	if m.Revealed {
		for _, d := range m.Datasets {
			b.addEdge(b.datasets[d], id, RelationDatasetRows)
		}
		return
	}
	for _, member := range m.MemberMetrics() {
		b.addEdge(b.metrics[member], id, RelationDerives)
	}
	for _, form := range m.FormsOfAllDialects() {
		b.addOperandMeasures(form, id)
		b.addSnapshotFieldEdges(form, id)
	}
	if m.Derive != nil {
		b.addReferencedFieldEdges(m.Derive.Where, id, RelationFilters)
	}
	w := m.Window
	if w == nil {
		return
	}
	for _, base := range listDefaultAndDialectVariants(w.Base) {
		b.addMeasure(base, id)
	}
	if w.Frame != nil {
		b.addMeasure(w.Frame.Second, id)
	}
	if axis := windowTimeAxis(m); axis != nil && w.RequiresTimeAxis() {
		b.addEdge(b.fields[axis], id, RelationTimeAxis)
	}
	for _, f := range w.EffectivePartition().Exclude {
		b.addEdge(b.fields[f], id, RelationPartitions)
	}
	for _, p := range w.CalendarPeriods() {
		b.addCalendarPeriodEdges(m, p)
	}
}

// addCalendarPeriodEdges draws that a window counts a period of a calendar: the field of the period, and the join that finds the
// period of a day of the axis.
func (b *graphBuilder) addCalendarPeriodEdges(m *catalog.Metric, p *catalog.Period) {
	b.addEdge(b.fields[p.Field], b.metrics[m], RelationTimeAxis)
	axis, calendar := windowTimeAxis(m), p.Calendar
	if axis == nil || axis.Dataset == calendar.Dataset {
		return
	}
	x := Edge{
		From: b.datasets[axis.Dataset], To: b.datasets[calendar.Dataset], Relation: RelationJoins,
		On: []string{axis.QualifiedName() + " = " + calendar.Date.QualifiedName()},
	}
	key := "calendar\x00" + x.From + "\x00" + x.To + "\x00" + x.On[0]
	if !b.drawn[key] {
		b.drawn[key] = true
		b.edges = append(b.edges, x)
	}
}

// addSnapshotFieldEdges draws the fields by which the semi-additive measures of a form have their snapshots.
func (b *graphBuilder) addSnapshotFieldEdges(form *catalog.ArithmeticOverOperands, to string) {
	for _, o := range form.Operands {
		measure, ok := o.(*catalog.Measure)
		if !ok || measure.NonAdditive == nil {
			continue
		}
		b.addEdge(b.fields[measure.NonAdditive.By], to, RelationTimeAxis)
		for _, p := range measure.NonAdditive.Per {
			b.addEdge(b.fields[p.Field], to, RelationPartitions)
			b.noteCrossedDatasets(p.Path, to)
		}
	}
}

// windowTimeAxis returns the time axis of a window: its metric's, else that of the metric
// that a filter is made of.
func windowTimeAxis(m *catalog.Metric) *catalog.Field {
	for seen := map[*catalog.Metric]bool{}; m != nil && !seen[m]; {
		if axis := m.TimeAxisField(); axis != nil {
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

// addOperandMeasures draws the measures of a form; the metrics in it are its members.
func (b *graphBuilder) addOperandMeasures(form *catalog.ArithmeticOverOperands, to string) {
	if form == nil {
		return
	}
	for _, o := range form.Operands {
		if measure, ok := o.(*catalog.Measure); ok {
			b.addMeasure(measure, to)
		}
	}
}

// addMeasure draws a measure, with what it reads when it is met first.
func (b *graphBuilder) addMeasure(m *catalog.Measure, to string) {
	if m == nil {
		return
	}
	id, known := b.measures[m]
	if !known {
		id = b.addNumberedNode("measure", Node{Kind: KindMeasure, Name: m.Name, Aggregate: m.Agg.Name()})
		b.measures[m] = id
		reads := false
		for _, e := range m.ArgumentAndOrderKey() {
			reads = b.addAggregateArgumentEdges(e, id) || reads
		}
		if !reads {
			b.addEdge(b.datasets[m.Home], id, RelationDatasetRows)
		}
	}
	b.addEdge(id, to, RelationAggregatesMeasure)
}

// addReferencedFieldEdges draws the fields that an expression refers to.
func (b *graphBuilder) addReferencedFieldEdges(e sqlexpr.Expr, to string, relation EdgeRelation) {
	for f := range b.fieldsOf(e) {
		b.addEdge(b.fields[f.SourceField()], to, relation)
		if f.Joined != nil {
			b.noteCrossedDatasets(f.Joined.Path, to)
		}
	}
}

// fieldsOf returns the fields of the model that an expression refers to.
func (b *graphBuilder) fieldsOf(e sqlexpr.Expr) iter.Seq[*catalog.Field] {
	return func(yield func(*catalog.Field) bool) {
		for r := range sqlexpr.Refs(e) {
			if r.ID < len(b.catalog.Fields) && !yield(b.catalog.FieldByID(r.ID)) {
				return
			}
		}
	}
}

// noteCrossedDatasets notes the datasets between the ends of a path.
func (b *graphBuilder) noteCrossedDatasets(path []catalog.JoinStep, to string) {
	for _, s := range path[:max(0, len(path)-1)] {
		if d := b.datasets[s.TargetDataset()]; !slices.Contains(b.crossed[to], d) {
			b.crossed[to] = append(b.crossed[to], d)
		}
	}
}

// columnsReadByField lists the columns that a field's expressions read, in the order in
// which they name them.
func columnsReadByField(f *catalog.Field) []string {
	var out []string
	for _, expr := range listDefaultAndDialectVariants(f.Expr) {
		for column := range sqlexpr.Nodes[*sqlexpr.Column](expr) {
			if name := column.Path[len(column.Path)-1].Text; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// listDefaultAndDialectVariants lists the default and what is written for single dialects, by name.
func listDefaultAndDialectVariants[T any](v catalog.DialectVariants[T]) []T {
	out := []T{v.Default}
	for _, dialect := range slices.Sorted(maps.Keys(v.ByDialect)) {
		out = append(out, v.ByDialect[dialect])
	}
	return out
}

// addRollup draws a rollup: its table, the datasets whose rows it aggregates or joins, the fields that its columns hold or aggregate, and those
// that choose its rows.
func (b *graphBuilder) addRollup(r *catalog.Rollup) {
	id := b.rollups[r]
	b.addEdge(b.tables[r.Source.Text()], id, RelationSource)
	b.addEdge(b.datasets[r.Of], id, RelationDatasetRows)
	for _, g := range r.Groups {
		b.addRollupField(g.Field, id, RelationReads)
	}
	for _, m := range r.Measures {
		for _, e := range m.Measure.ArgumentAndOrderKey() {
			for f := range b.fieldsOf(e) {
				b.addRollupField(f, id, RelationReads)
			}
		}
	}
	for _, w := range r.Where {
		for f := range b.fieldsOf(w.Expr) {
			b.addRollupField(f, id, RelationFilters)
		}
	}
}

// addRollupField draws a field that a rollup reads, with the datasets on the path to it.
func (b *graphBuilder) addRollupField(f *catalog.Field, to string, relation EdgeRelation) {
	b.addEdge(b.fields[f.SourceField()], to, relation)
	if f.Joined == nil {
		return
	}
	for _, s := range f.Joined.Path {
		b.addEdge(b.datasets[s.TargetDataset()], to, RelationDatasetRows)
	}
}

// addSequenceEdges draws what the rows of a sequence are made of: the datasets of its steps, the fields that its columns hold, and those that choose the
// rows of the steps.
func (b *graphBuilder) addSequenceEdges(d *catalog.Dataset) {
	for _, s := range d.Sequence.Steps {
		b.addEdge(b.datasets[s.Dataset], b.datasets[d], RelationSource)
		for ref := range sqlexpr.Refs(s.Where) {
			b.addEdge(b.fields[b.catalog.FieldByID(ref.ID).SourceField()], b.datasets[d], RelationFilters)
		}
	}
	for _, c := range d.Sequence.Columns {
		made := d.Field(c.Name)
		if made == nil || len(d.Sequence.Steps) <= c.Step {
			continue
		}
		var from *catalog.Field
		switch step := d.Sequence.Steps[c.Step]; {
		case c.Kind == catalog.SequenceColumnEntity && c.Index < len(step.Entity):
			from = step.Entity[c.Index].SourceField()
		case c.Kind == catalog.SequenceColumnAt:
			from = step.At
		case c.Kind == catalog.SequenceColumnKey:
			from = step.Key[c.Index]
		}
		if from != nil && b.fields[from] != "" {
			b.addEdge(b.fields[from], b.fields[made], RelationReads)
		}
	}
}
