package access

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// hideDataset hides a dataset with its fields.
func (b *viewBuilder) hideDataset(d *catalog.Dataset, why reason) {
	b.hiddenDatasets[d], b.why[d.Name] = true, why
	for _, f := range d.Fields {
		if !b.view.Hidden[f] {
			b.hide(f, reason{reads: d.Name})
		}
	}
}

// hideSequences hides the sequences that read something hidden, and reports whether there are more of them now.
func (b *viewBuilder) hideSequences() bool {
	changed := false
	for _, d := range b.model.Datasets {
		if d.Sequence == nil || b.hiddenDatasets[d] {
			continue
		}
		if what := b.hiddenInputOfSequence(d.Sequence); what != "" {
			b.hideDataset(d, reason{reads: what})
			changed = true
		}
	}
	return changed
}

// hiddenInputOfSequence returns what a sequence reads that its reader does not see; "" for nothing. A masked time, entity or key would order, match
// and show other rows.
func (b *viewBuilder) hiddenInputOfSequence(s *catalog.Sequence) string {
	for _, step := range s.Steps {
		if b.hiddenDatasets[step.Dataset] {
			return step.Dataset.Name
		}
		if what := b.hiddenRefsOf(step.Where); what != "" {
			return what
		}
		for _, f := range slices.Concat([]*catalog.Field{step.At}, step.Entity, step.Same, step.Key) {
			if what := b.hiddenField(f); what != "" {
				return what
			}
			if source := f.SourceField(); b.view.Masks[source] != nil {
				return source.QualifiedName()
			}
		}
	}
	return ""
}

// hideBrokenSequences hides the sequences that compile in the whole model alone, and reports whether there are any.
func (b *viewBuilder) hideBrokenSequences(seen *catalog.Catalog) bool {
	broken := false
	for _, d := range seen.Datasets {
		if whole := b.model.Dataset(d.Name); d.Sequence != nil && d.Sequence.Err != nil && whole.Sequence.Err == nil {
			b.hideDataset(whole, reason{itself: doesNotCompile})
			broken = true
		}
	}
	return broken
}
