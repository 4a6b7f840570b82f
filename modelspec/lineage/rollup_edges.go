package lineage

import "github.com/semlayer/semlayer/modelspec/catalog"

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
