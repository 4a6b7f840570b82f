package lineage

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

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
