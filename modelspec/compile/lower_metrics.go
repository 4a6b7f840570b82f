package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

// metricInProgress is one being compiled.
type metricInProgress struct {
	doc    *modelspec.Metric
	cat    *catalog.Metric
	ext    extension.Metric
	source catalog.DialectVariants[parsedDialectEntry]
	// fallback is the form of a derived metric's own expression, which the
	// expansion is held against; nil for others.
	fallback *catalog.ArithmeticOverOperands
	state    visitState
}

// expressionPlace returns the place of the metric's expression.
func (m *metricInProgress) expressionPlace() modelspec.Place {
	if m.doc.Expression == nil {
		return m.doc.Place
	}
	return m.doc.Expression.Place
}

// addMetrics places every metric in the catalog, so that expressions can name
// any of them, and then lowers their expressions.
func (c *compiler) addMetrics() {
	c.byMetric = make(map[string]*metricInProgress, len(c.model.Metrics))
	for doc := range cancel.EachUntilDone(c.ctx, c.model.Metrics) {
		key := foldCase(doc.Name.Value)
		if c.byMetric[key] != nil {
			continue // a duplicate, which validation reports
		}
		m := &metricInProgress{doc: doc, cat: &catalog.Metric{
			ID: len(c.metrics), Name: doc.Name.Value, Datatype: modelspec.Datatype(doc.Datatype.Value),
			Description: doc.Description, AIContext: doc.AIContext,
		}}
		c.byMetric[key] = m
		c.metrics = append(c.metrics, m)
		c.cat.Metrics = append(c.cat.Metrics, m.cat)
		c.parseMetricAndPayload(m)
	}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		c.lowerMetric(m)
	}
}

func (c *compiler) parseMetricAndPayload(m *metricInProgress) {
	read, err := c.shouldReadPayloads(m.doc.Place, m.doc.Extensions)
	if m.cat.Err = err; !read {
		return
	}
	var found extension.Diagnostics
	m.ext, found = extension.ReadMetric(m.doc.Place, m.doc.Extensions)
	m.cat.Err = c.addDiagnosticsAndReturnFirstError(found)
	m.cat.Fill, m.cat.Unit, m.cat.Format, m.cat.SubjectPath = m.ext.Fill, m.ext.Unit, m.ext.Format, m.ext.SubjectPath
	m.cat.Label, m.cat.Headline, m.cat.Better = m.ext.Label, m.ext.Headline, m.ext.Better
	m.cat.SQLAggregates = m.ext.SQLAggregates
	m.cat.Params = catalogParamsOf(m.ext.Params)
	c.resolveGrainsOfMetric(m)
}

func (c *compiler) lowerMetric(m *metricInProgress) {
	parsed, err, byDialect := c.parseDialectVariants(m.doc.Expression, m.doc.Place)
	m.source, m.cat.ErrByDialect = parsed, byDialect
	if err != nil {
		c.failMetric(m, err) // a metric stands in the model to be used
		return
	}
	home, err := c.resolveDeclaredHome(m)
	if err != nil {
		c.failMetric(m, err)
	}
	if m.ext.Derive != nil {
		scratch := newUniqueMeasureTable()
		if m.fallback, err = c.lowerMetricExpression(m, parsed.Default, home, &scratch); err != nil {
			c.failMetric(m, err)
		}
		if n := m.ext.NonAdditive; n != nil {
			c.failMetric(m, invalidPayloadError(n.Place, "non_additive", "the metric %s is derived from others; non_additive belongs on the metric with the aggregate", m.cat.Name))
		}
		m.cat.ErrByDialect = nil
		return
	}
	if m.cat.Forms.Default, err = c.lowerOwnMetricExpression(m, parsed.Default, home); err != nil {
		c.failMetric(m, err)
		return
	}
	for dialect, src := range parsed.ByDialect {
		form, err := c.lowerOwnMetricExpression(m, src, home)
		if err != nil {
			recordDialectError(&m.cat.ErrByDialect, dialect, err)
			continue
		}
		if m.cat.Forms.ByDialect == nil {
			m.cat.Forms.ByDialect = map[string]*catalog.ArithmeticOverOperands{}
		}
		m.cat.Forms.ByDialect[dialect] = form
	}
	m.markAsComposeMetric()
}

// lowerOwnMetricExpression lowers an expression that is the metric itself.
func (c *compiler) lowerOwnMetricExpression(m *metricInProgress, src parsedDialectEntry, home *datasetInProgress) (*catalog.ArithmeticOverOperands, *modelspec.CompileError) {
	if m.ext.NonAdditive != nil {
		return c.lowerSemiAdditiveForm(m, src, home)
	}
	return c.lowerMetricExpression(m, src, home, &c.measures)
}

// markAsComposeMetric makes a metric whose own expression names other metrics a compose.
func (m *metricInProgress) markAsComposeMetric() {
	if len(m.cat.MemberMetrics()) > 0 {
		m.cat.Derive = &catalog.DeriveBlock{Compose: true, Text: m.source.Default.entry.Expression.Value}
	}
}

func (c *compiler) lowerMetricExpression(m *metricInProgress, src parsedDialectEntry, home *datasetInProgress, table *uniqueMeasureTable) (*catalog.ArithmeticOverOperands, *modelspec.CompileError) {
	l := &metricLowering{compiler: c, owner: m.doc.Place, src: src, home: home, homeOf: m.ext.Dataset, form: &catalog.ArithmeticOverOperands{}, table: table}
	if m.ext.Derive == nil {
		l.level = m.cat.At
	}
	return l.lowerToArithmeticForm()
}

// failMetric lists the error and makes it the metric's, unless the metric has
// failed before.
func (c *compiler) failMetric(m *metricInProgress, err *modelspec.CompileError) {
	c.addErrorOnce(err)
	if m.cat.Err == nil {
		m.cat.Err = err
	}
}

// resolveDeclaredHome resolves the dataset that the extension gives to aggregates
// without columns.
func (c *compiler) resolveDeclaredHome(m *metricInProgress) (*datasetInProgress, *modelspec.CompileError) {
	ref := m.ext.Dataset
	if !ref.IsSet() {
		return nil, nil
	}
	if d := c.findDataset(ref.Name); d != nil {
		return d, nil
	}
	return nil, invalidReferenceError(ref, "dataset", "the dataset %q is not declared", ref.Name).errorWithCandidates(c, ref.Name, c.datasetNames)
}

// soleMeasure returns the one measure of a metric that is nothing but an aggregate, at the level of a query; nil for any other.
func (m *metricInProgress) soleMeasure() *catalog.Measure {
	if m.cat.At != nil {
		return nil
	}
	return soleMeasureOfForm(m.cat.Forms.Default)
}

// soleMeasureOfForm returns the one measure of a metric whose form is nothing but an
// aggregate; nil for any other.
func soleMeasureOfForm(form *catalog.ArithmeticOverOperands) *catalog.Measure {
	if form == nil || classifyArithmeticForm(form) != catalog.KindAggregate {
		return nil
	}
	return form.Operands[0].(*catalog.Measure)
}
