package access

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// judgeReveal judges what a role reveals: a metric, or a level of detail as dataset.field, over datasets that the role grants.
func (j *judge) judgeReveal(r *Role, name Text) {
	read := j.datasetsOfRevealed(name)
	for _, d := range read {
		if grantFor(r.Datasets, d.Name) == nil {
			j.add(name, CodeInvalidPolicy, "%s reads the dataset %s, which the role %s does not grant", name.Value, d.Name, r.Name.Value)
			return
		}
	}
}

// datasetsOfRevealed returns the datasets that a revealed object reads; none after a finding.
func (j *judge) datasetsOfRevealed(name Text) []*catalog.Dataset {
	model := j.out.model
	dot := strings.LastIndexByte(name.Value, '.')
	if m := model.Metric(name.Value); dot < 0 || m != nil && m.Name == name.Value {
		if j.checkMetric(name); m == nil || m.Err != nil {
			return nil
		}
		return append(slices.Clone(m.Datasets), model.DatasetsJoinedByMetric(m, "")...)
	}
	d := model.Dataset(name.Value[:dot])
	if d == nil || d.Name != name.Value[:dot] {
		var names []string
		for _, d := range model.Datasets {
			names = append(names, d.Name)
		}
		j.add(name, compile.CodeUnknownDataset, "the model has no dataset %q", name.Value[:dot]).Candidates = suggest.Nearest(name.Value[:dot], names, suggest.MaxCandidates)
		return nil
	}
	f := j.findField(d, Text{Value: name.Value[dot+1:], Line: name.Line, Column: name.Column})
	if f == nil || f.Err != nil {
		return nil
	}
	if f.LOD == nil {
		j.add(name, CodeInvalidPolicy, "%s is not a level of detail: a role reveals metrics and levels of detail, and fields grants the others", name.Value)
		return nil
	}
	out := []*catalog.Dataset{d}
	for _, o := range f.LOD.Measures.Default.Operands {
		out = append(out, o.(*catalog.Measure).Home)
	}
	return out
}

// reveal is what the same roles of a reader reveal. It is compiled in a separate view, in which these roles show all fields of the
// datasets that they grant, and is then moved into the view of the reader, together with the fields that it reads.
type reveal struct {
	*viewBuilder
	listed  []*catalog.Metric // in the order of the model
	fields  []*catalog.Field
	differs map[*catalog.Field]bool // fields with other values than the reader sees
	metrics []*catalog.Metric       // listed ones that read such fields
}

// findReveals finds the objects that the roles reveal, and hides them, so that nothing else reads them.
func (b *viewBuilder) findReveals() {
	bySet := map[string]*reveal{}
	revealOf := func(name string) *reveal {
		var key strings.Builder
		var roles []*Role
		for _, r := range b.roles {
			if slices.ContainsFunc(r.Reveal, func(t Text) bool { return t.Value == name }) {
				roles = append(roles, r)
				key.WriteString(r.Name.Value + "\x00")
			}
		}
		if len(roles) == 0 {
			return nil
		}
		r := bySet[key.String()]
		if r == nil {
			r = b.newReveal(roles)
			bySet[key.String()] = r
			b.reveals = append(b.reveals, r)
		}
		return r
	}
	for _, m := range b.model.Metrics {
		if r := revealOf(m.Name); r != nil {
			r.listed = append(r.listed, m)
		}
	}
	for _, f := range b.model.Fields {
		if r := revealOf(f.Dataset.Name + "." + f.Name); r != nil && f.LOD != nil && !r.view.Hidden[f] {
			r.fields = append(r.fields, f)
		}
	}
	for _, r := range b.reveals {
		b.hideRevealed(r)
	}
}

func (b *viewBuilder) newReveal(roles []*Role) *reveal {
	r := &reveal{viewBuilder: b.newViewBuilder(b.roles), differs: map[*catalog.Field]bool{}}
	r.revealing, r.allMetrics = roles, true
	for _, d := range b.model.Datasets {
		r.addDataset(d)
	}
	r.hideReadersOfHiddenFields()
	for d, rule := range r.view.Rows {
		b.addPartsOf(d, rule)
	}
	return r
}

// addPartsOf adds the conditions that revealed fields depend on to the rule of a dataset.
func (b *viewBuilder) addPartsOf(d *catalog.Dataset, rule *catalog.RowRule) {
	own := b.view.Rows[d]
	if own == nil {
		b.view.Rows[d] = rule
		return
	}
	for _, part := range rule.Parts {
		if !slices.ContainsFunc(own.Parts, func(f *catalog.Field) bool { return f.Name == part.Name }) {
			own.Parts = append(own.Parts, part)
		}
	}
}

// hideRevealed finds which fields differ in the view of a reveal, and hides what reads them and is revealed.
func (b *viewBuilder) hideRevealed(r *reveal) {
	differing := b.newViewBuilder(b.roles) // hides what differs, so that it finds what reads it
	differing.allMetrics, differing.view.Masks = true, r.view.Masks
	for _, f := range b.model.Fields {
		if !r.view.Hidden[f] && (b.view.Hidden[f] || !sqlexpr.Equal(b.view.Masks[f], r.view.Masks[f])) {
			differing.hide(f, reason{})
		}
	}
	differing.hideReadersOfHiddenFields()
	for f := range differing.view.Hidden {
		r.differs[f] = !r.view.Hidden[f]
	}
	r.fields = slices.DeleteFunc(r.fields, func(f *catalog.Field) bool { return !r.differs[f] })
	for _, f := range r.fields {
		b.hide(f, reason{itself: isRevealed})
	}
	for _, m := range r.listed {
		if m.Err == nil && !r.addMetric(m) && (differing.addMetric(m) || !b.grantsMetric(m)) {
			r.metrics = append(r.metrics, m)
			b.hiddenMetrics[m], b.why[m.Name] = true, reason{itself: isRevealed}
		}
	}
}

const isRevealed = "reveal"

// addRevealed moves what is revealed into the catalog of the reader.
func (b *viewBuilder) addRevealed(ctx context.Context, into *catalog.Catalog) error {
	for _, r := range b.reveals {
		if len(r.metrics)+len(r.fields) == 0 {
			continue
		}
		var seen View
		if err := r.compile(ctx, &seen); err != nil {
			return err
		}
		t := &transplant{
			from: seen.Catalog, into: into, whole: b.model, differs: r.differs, fields: map[*catalog.Field]*catalog.Field{},
			namesHidden: func(l *catalog.AtLevel) bool { return b.hiddenInputOfLevel(l) != "" },
		}
		for _, f := range r.fields {
			t.addField(f)
		}
		for _, m := range r.metrics {
			t.addMetric(m)
		}
	}
	if len(b.reveals) > 0 {
		into.BuildIndexes()
	}
	return nil
}
