package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

// metric is one being compiled.
type metric struct {
	doc    *modelspec.Metric
	cat    *catalog.Metric
	ext    extension.Metric
	source catalog.Variants[parsedSource]
	// fallback is the form of a derived metric's own expression, which the
	// expansion is held against; nil for others.
	fallback *catalog.Form
	state    visitState
}

// place is that of the metric's expression.
func (m *metric) place() modelspec.Place {
	if m.doc.Expression == nil {
		return m.doc.Place
	}
	return m.doc.Expression.Place
}

// addMetrics places every metric in the catalog, so that expressions can name
// any of them, and then lowers their expressions.
func (c *compiler) addMetrics() {
	c.byMetric = make(map[string]*metric, len(c.model.Metrics))
	for doc := range cancel.EachUntilDone(c.ctx, c.model.Metrics) {
		key := foldCase(doc.Name.Value)
		if c.byMetric[key] != nil {
			continue // a duplicate, which validation reports
		}
		m := &metric{doc: doc, cat: &catalog.Metric{
			ID: len(c.metrics), Name: doc.Name.Value, Datatype: doc.Datatype.Value,
			Description: doc.Description, AIContext: doc.AIContext,
		}}
		c.byMetric[key] = m
		c.metrics = append(c.metrics, m)
		c.cat.Metrics = append(c.cat.Metrics, m.cat)
		c.readMetric(m)
	}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		c.lowerMetric(m)
	}
}

func (c *compiler) readMetric(m *metric) {
	read, err := c.shouldReadPayloads(m.doc.Place, m.doc.Extensions)
	if m.cat.Err = err; !read {
		return
	}
	var found extension.Diagnostics
	m.ext, found = extension.ReadMetric(m.doc.Place, m.doc.Extensions)
	m.cat.Err = c.takeDiagnostics(found)
	m.cat.Fill, m.cat.Unit, m.cat.Format, m.cat.SubjectPath = m.ext.Fill, m.ext.Unit, m.ext.Format, m.ext.SubjectPath
	m.cat.Params = declaredParams(m.ext.Params)
}

func (c *compiler) lowerMetric(m *metric) {
	parsed, err, byDialect := c.parseVariants(m.doc.Expression, m.doc.Place)
	m.source, m.cat.ErrByDialect = parsed, byDialect
	if err != nil {
		c.failMetric(m, err) // a metric stands in the model to be used
		return
	}
	home, err := c.declaredHome(m)
	if err != nil {
		c.failMetric(m, err)
	}
	if m.ext.Derive != nil {
		scratch := newMeasureTable()
		if m.fallback, err = c.lowerMetricForm(m, parsed.Default, home, &scratch); err != nil {
			c.failMetric(m, err)
		}
		m.cat.ErrByDialect = nil
		return
	}
	if m.cat.Forms.Default, err = c.lowerMetricForm(m, parsed.Default, home, &c.measures); err != nil {
		c.failMetric(m, err)
		return
	}
	for dialect, src := range parsed.ByDialect {
		form, err := c.lowerMetricForm(m, src, home, &c.measures)
		if err != nil {
			setDialectError(&m.cat.ErrByDialect, dialect, err)
			continue
		}
		if m.cat.Forms.ByDialect == nil {
			m.cat.Forms.ByDialect = map[string]*catalog.Form{}
		}
		m.cat.Forms.ByDialect[dialect] = form
	}
	if len(m.cat.Members()) > 0 {
		m.cat.Derive = &catalog.Derive{Compose: true, Text: parsed.Default.entry.Expression.Value}
	}
}

func (c *compiler) lowerMetricForm(m *metric, src parsedSource, home *dataset, table *measureTable) (*catalog.Form, *modelspec.CompileError) {
	l := &metricLowering{compiler: c, owner: m.doc.Place, src: src, home: home, homeOf: m.ext.Dataset, form: &catalog.Form{}, table: table}
	return l.lowerForm()
}

// failMetric lists the error and makes it the metric's, unless the metric has
// failed before.
func (c *compiler) failMetric(m *metric, err *modelspec.CompileError) {
	c.recordError(err)
	if m.cat.Err == nil {
		m.cat.Err = err
	}
}

// declaredHome resolves the dataset that the payload gives to aggregates
// without columns.
func (c *compiler) declaredHome(m *metric) (*dataset, *modelspec.CompileError) {
	ref := m.ext.Dataset
	if !ref.Set() {
		return nil, nil
	}
	if d := c.byName[foldCase(ref.Name)]; d != nil {
		return d, nil
	}
	return nil, invalidReference(ref, "dataset", "the dataset %q is not declared", ref.Name).errorWithCandidates(c, ref.Name, c.datasetNames)
}

// onlyMeasure is the one measure of a metric whose form is nothing but an
// aggregate; nil for any other.
func onlyMeasure(form *catalog.Form) *catalog.Measure {
	if form == nil || kindOf(form) != catalog.KindAggregate {
		return nil
	}
	return form.Operands[0].(*catalog.Measure)
}
