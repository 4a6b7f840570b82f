package access

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// transplant copies metrics and levels of detail from one catalog of a model into another one, with the fields that differ between the two.
// The copied objects read fields that no name finds.
type transplant struct {
	from, into, whole *catalog.Catalog
	differs           map[*catalog.Field]bool // of whole
	fields            map[*catalog.Field]*catalog.Field
	metrics           map[*catalog.Metric]*catalog.Metric
	measures          map[*catalog.Measure]*catalog.Measure
	owner             string // the name of the object that is copied
	failed            bool   // the other catalog lacks something that is read
	namesHidden       func(*catalog.AtLevel) bool
}

func (t *transplant) begin(owner string) {
	t.owner, t.failed = owner, false
	t.metrics, t.measures = map[*catalog.Metric]*catalog.Metric{}, map[*catalog.Measure]*catalog.Measure{}
}

// addMetric copies a metric of the whole model. Where it lacks something, it stays hidden.
func (t *transplant) addMetric(whole *catalog.Metric) {
	m := t.from.Metric(whole.Name)
	if m == nil || m.Err != nil {
		return
	}
	t.begin(m.Name)
	copied := t.metric(m)
	if t.failed {
		return
	}
	copied.Name, copied.Revealed = m.Name, true
	at := len(t.into.Metrics)
	for i, other := range t.into.Metrics {
		if t.whole.Metric(other.Name).ID > whole.ID {
			at = i
			break
		}
	}
	t.into.Metrics = slices.Insert(t.into.Metrics, at, copied)
	for i, other := range t.into.Metrics {
		other.ID = i
	}
	t.into.RestrictsGrains = t.into.RestrictsGrains || len(m.Grains) > 0
}

// addField copies a level of detail of the whole model.
func (t *transplant) addField(whole *catalog.Field) {
	d := t.into.Dataset(whole.Dataset.Name)
	f := t.from.Dataset(whole.Dataset.Name).Field(whole.Name)
	if d == nil || f == nil || f.Err != nil {
		return
	}
	t.begin(f.Name)
	copied := t.differing(f)
	if t.failed {
		return
	}
	named := *copied
	named.ID, named.Revealed = len(t.into.Fields), true
	t.into.Fields = append(t.into.Fields, &named)
	at := len(d.Fields)
	for i, other := range d.Fields {
		if t.whole.Dataset(d.Name).Field(other.Name).ID > whole.ID {
			at = i
			break
		}
	}
	d.Fields = slices.Insert(d.Fields, at, &named)
}

func (t *transplant) dataset(d *catalog.Dataset) *catalog.Dataset {
	found := t.into.Dataset(d.Name)
	if found == nil {
		t.failed = true
		return d
	}
	return found
}

func (t *transplant) datasets(list []*catalog.Dataset) []*catalog.Dataset {
	var out []*catalog.Dataset
	for _, d := range list {
		out = append(out, t.dataset(d))
	}
	return out
}

// sameField returns the field of the same name of a catalog; nil without one.
func sameField(c *catalog.Catalog, f *catalog.Field) *catalog.Field {
	if d := c.Dataset(f.Dataset.Name); d != nil {
		return d.Field(f.Name)
	}
	return nil
}

// field returns what a copied object reads in place of a field.
func (t *transplant) field(f *catalog.Field) *catalog.Field {
	if known := t.fields[f]; known != nil {
		return known
	}
	var out *catalog.Field
	switch whole := sameField(t.whole, f); {
	case f.Joined != nil:
		target := t.field(f.Joined.Field)
		if path := t.path(f.Joined.Path); !t.failed {
			out = t.into.GetOrAddJoinedField(t.dataset(f.Dataset), path, f.Joined.Named, target)
		}
	case whole == nil || f.Err != nil:
	case t.differs[whole]:
		out = t.differing(f)
	default:
		out = sameField(t.into, f)
	}
	if out == nil {
		t.failed = true
		return f
	}
	t.fields[f] = out
	return out
}

// differing copies a field with the values that it has in its own catalog.
func (t *transplant) differing(f *catalog.Field) *catalog.Field {
	out := *f
	out.Dataset, out.Reads, out.MeasuredBy = t.dataset(f.Dataset), nil, nil
	t.into.AddNamelessField(&out)
	t.fields[f] = &out
	out.Expr = mapVariants(f.Expr, t.expr)
	if f.LOD == nil {
		return &out
	}
	lod := *f.LOD
	lod.Grain = nil
	for _, key := range f.LOD.Grain {
		lod.Grain = append(lod.Grain, t.key(key))
	}
	lod.Measures, lod.Where, lod.Via = mapVariants(f.LOD.Measures, t.form), t.expr(f.LOD.Where), t.path(f.LOD.Via)
	out.LOD = &lod
	return &out
}

// key returns the field by which keys read a column: the plain one.
func (t *transplant) key(f *catalog.Field) *catalog.Field {
	d := t.dataset(f.Dataset)
	if i := slices.IndexFunc(d.Plain, func(p *catalog.Field) bool { return p.Name == f.Name }); i >= 0 {
		return d.Plain[i]
	}
	if seen := sameField(t.into, f); seen != nil {
		return seen
	}
	t.failed = true
	return f
}

func (t *transplant) path(steps []catalog.JoinStep) []catalog.JoinStep {
	var out []catalog.JoinStep
	for _, s := range steps {
		if s.Rel = t.into.Relationship(s.Rel.Name); s.Rel == nil {
			t.failed = true
			return nil
		}
		out = append(out, s)
	}
	return out
}

// expr copies an expression over fields.
func (t *transplant) expr(e sqlexpr.Expr) sqlexpr.Expr {
	if e == nil {
		return nil
	}
	return sqlexpr.RewriteRefs(e, func(ref *sqlexpr.Ref) sqlexpr.Expr {
		out := *ref
		out.ID = t.field(t.from.FieldByID(ref.ID)).ID
		return &out
	})
}

// form copies arithmetic: its expression is over the operands, by their number.
func (t *transplant) form(form *catalog.ArithmeticOverOperands) *catalog.ArithmeticOverOperands {
	if form == nil {
		return nil
	}
	out := &catalog.ArithmeticOverOperands{Expr: form.Expr}
	for _, o := range form.Operands {
		switch o := o.(type) {
		case *catalog.Measure:
			out.Operands = append(out.Operands, t.measure(o))
		case *catalog.Metric:
			out.Operands = append(out.Operands, t.metric(o))
		}
	}
	return out
}

// measure copies an aggregate under the name m1, m2 and so on: its own name is made of those of fields.
func (t *transplant) measure(m *catalog.Measure) *catalog.Measure {
	if m == nil {
		return nil
	}
	if known := t.measures[m]; known != nil {
		return known
	}
	out := *m
	t.measures[m] = &out
	out.ID, out.Name = len(t.into.Measures), "m"+strconv.Itoa(len(t.measures))
	out.Stem = out.Name
	t.into.Measures = append(t.into.Measures, &out)
	out.Home, out.Arg, out.OrderBy = t.dataset(m.Home), t.expr(m.Arg), t.expr(m.OrderBy)
	if m.NonAdditive != nil {
		rule := catalog.SemiAdditiveRule{By: t.field(m.NonAdditive.By), Take: m.NonAdditive.Take}
		for _, p := range m.NonAdditive.Per {
			rule.Per = append(rule.Per, catalog.FieldWithJoinPath{Field: t.field(p.Field), Path: t.path(p.Path), Named: p.Named})
		}
		out.NonAdditive = &rule
	}
	return &out
}

// metric copies a metric, whose name is then that of no metric.
func (t *transplant) metric(m *catalog.Metric) *catalog.Metric {
	if known := t.metrics[m]; known != nil {
		return known
	}
	out := *m
	t.metrics[m] = &out
	t.failed = t.failed || t.namesHidden(m.At) // a query looks the names up in the view
	out.Name = t.owner + " part " + strconv.Itoa(len(t.metrics))
	out.Datasets, out.Forms, out.Window = t.datasets(m.Datasets), mapVariants(m.Forms, t.form), t.window(m.Window)
	if m.TimeAxis != nil {
		if out.TimeAxis = sameField(t.into, m.TimeAxis); out.TimeAxis == nil {
			t.failed = true
		}
	}
	out.Grains = nil
	for _, g := range m.Grains {
		g.Period = t.period(g.Period)
		out.Grains = append(out.Grains, g)
	}
	if m.Derive != nil {
		derive := *m.Derive
		if derive.Where = t.expr(derive.Where); derive.Base != nil {
			derive.Base = t.metric(derive.Base)
		}
		out.Derive = &derive
	}
	return &out
}

func (t *transplant) period(p *catalog.Period) *catalog.Period {
	if p == nil {
		return nil
	}
	for _, seen := range t.into.Periods() {
		if seen.Name == p.Name {
			return seen
		}
	}
	t.failed = true
	return p
}

func (t *transplant) span(s *catalog.WindowSpan) *catalog.WindowSpan {
	if s == nil {
		return nil
	}
	out := *s
	out.Period = t.period(s.Period)
	return &out
}

// partition copies a partition without the fields that the reader does not see: no query groups by them.
func (t *transplant) partition(p catalog.WindowPartition) catalog.WindowPartition {
	out := catalog.WindowPartition{Mode: p.Mode}
	for _, f := range p.Exclude {
		if seen := sameField(t.into, f); seen != nil {
			out.Exclude = append(out.Exclude, seen)
		}
	}
	return out
}

func (t *transplant) window(w *catalog.Window) *catalog.Window {
	if w == nil {
		return nil
	}
	out := *w
	out.Base = mapVariants(w.Base, t.measure)
	switch {
	case w.Offset != nil:
		x := *w.Offset
		x.Period, out.Offset = t.period(x.Period), &x
	case w.Rolling != nil:
		x := *w.Rolling
		x.Span, out.Rolling = t.span(x.Span), &x
	case w.Cumulative != nil:
		x := *w.Cumulative
		x.ResetPeriod, out.Cumulative = t.period(x.ResetPeriod), &x
	case w.Frame != nil:
		x := *w.Frame
		x.ResetPeriod, x.Second, x.Partition, out.Frame = t.period(x.ResetPeriod), t.measure(x.Second), t.partition(x.Partition), &x
	case w.Rank != nil:
		x := *w.Rank
		x.Partition, out.Rank = t.partition(x.Partition), &x
	case w.Value != nil:
		x := *w.Value
		x.Partition, out.Value = t.partition(x.Partition), &x
	case w.Recompute != nil:
		x := *w.Recompute
		x.ResetPeriod, x.Span, out.Recompute = t.period(x.ResetPeriod), t.span(x.Span), &x
	}
	return &out
}
