package compile

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// uniqueMeasureTable holds each measure once.
type uniqueMeasureTable struct {
	byKey map[catalog.MeasureKey]*catalog.Measure
	list  []*catalog.Measure // those that it made
	model *catalog.Catalog   // has measures already; nil while a model is compiled
}

func newUniqueMeasureTable() uniqueMeasureTable {
	return uniqueMeasureTable{byKey: map[catalog.MeasureKey]*catalog.Measure{}}
}

// getOrAddMeasure returns the measure of the table that is equal to one, which is added where there is none.
func (t *uniqueMeasureTable) getOrAddMeasure(measure *catalog.Measure) *catalog.Measure {
	key := measure.Key()
	if m := t.byKey[key]; m != nil {
		return m
	}
	first := 0
	if t.model != nil {
		if m := t.model.MeasureByKey(key); m != nil {
			return m
		}
		first = len(t.model.Measures)
	}
	measure.ID = first + len(t.list)
	t.byKey[key] = measure
	t.list = append(t.list, measure)
	return measure
}

// nameMeasures gives every measure its name: the one that a payload declares,
// else a synthesized one. `<dataset>_<column>_<agg>` of a plain column is
// promised and must be unique; measures over other arguments, and over fields of other
// datasets, are named by the columns in them and numbered where that is taken.
func (c *compiler) nameMeasures() {
	declared := c.applyDeclaredMeasureNames()
	taken := map[string]*catalog.Measure{}
	for m := range cancel.EachUntilDone(c.ctx, c.measures.list) {
		if ref, plain := m.Arg.(*sqlexpr.Ref); !plain || ref.ID < 0 || m.NonAdditive != nil || m.Agg == catalog.AggListagg || m.Agg == catalog.AggListaggDistinct || m.Name != "" {
			continue
		}
		c.nameMeasure(m)
		if first := taken[foldCase(m.Name)]; first != nil {
			c.failMeasureNameCollision(first, m)
			continue
		}
		taken[foldCase(m.Name)] = m
	}
	for _, m := range declared {
		measure := m.soleMeasure()
		if first := taken[foldCase(measure.Name)]; first != nil && first != measure {
			c.failMetric(m, measureNameTakenError(m, "the measure name %s is another aggregate's, of %s", measure.Name, first.Home.Name))
			continue
		}
		taken[foldCase(measure.Name)] = measure
	}
	numbers := map[string]int{}
	for m := range cancel.EachUntilDone(c.ctx, c.measures.list) {
		if m.Name != "" {
			continue
		}
		c.nameMeasure(m)
		base := m.Name
		for n := max(2, numbers[foldCase(base)]); taken[foldCase(m.Name)] != nil; n++ {
			m.Name = fmt.Sprintf("%s_%d", base, n)
			numbers[foldCase(base)] = n + 1
		}
		taken[foldCase(m.Name)] = m
	}
}

// applyDeclaredMeasureNames gives measures the names that payloads declare and lists the
// metrics that do.
func (c *compiler) applyDeclaredMeasureNames() []*metricInProgress {
	var out []*metricInProgress
	by := map[*catalog.Measure]*metricInProgress{}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if !m.ext.Measure.IsSet() || m.cat.Err != nil {
			continue
		}
		measure := m.soleMeasure()
		if measure == nil {
			c.failMetric(m, invalidReferenceError(m.ext.Measure, "measure", "measure names the aggregate of a plain metric, and %s is not a single aggregate", m.cat.Name).CompileError)
			continue
		}
		if first := by[measure]; first != nil && measure.Name != m.ext.Measure.Name {
			c.failMetric(m, measureNameTakenError(m, "the aggregate of %s has the measure name %s already, by the metric %s", m.cat.Name, measure.Name, first.cat.Name))
			continue
		}
		measure.Name, measure.Stem, by[measure] = m.ext.Measure.Name, m.ext.Measure.Name, m
		out = append(out, m)
	}
	return out
}

func measureNameTakenError(m *metricInProgress, format string, args ...any) *modelspec.CompileError {
	ref := m.ext.Measure
	return &modelspec.CompileError{
		Code: CodeMeasureNameCollision, Location: ref.Location, Position: ref.Position, Message: fmt.Sprintf(format, args...),
		Hint: "choose one name for each aggregate; see " + extension.DocumentationAnchor("measure"),
	}
}

func (c *compiler) nameMeasure(m *catalog.Measure) {
	parts := []string{m.Home.Name}
	for _, id := range fieldIDsInExpression(m.Arg) {
		parts = append(parts, c.cat.FieldByID(id).Name)
	}
	parts = append(parts, m.AggregateNameSuffix())
	if m.NonAdditive != nil {
		parts = append(parts, m.NonAdditive.Take.String())
	}
	m.Stem = strings.Join(parts, "_")
	m.Name = m.Stem
}

// failMeasureNameCollision fails the metrics that use the later of two measures of one name.
func (c *compiler) failMeasureNameCollision(first, second *catalog.Measure) {
	var err *modelspec.CompileError
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if m.cat.Err != nil || !metricUsesMeasure(m.cat, second) {
			continue
		}
		if err == nil {
			err = &modelspec.CompileError{
				Code: CodeMeasureNameCollision, Location: m.doc.MemberLocation("expression"), Position: m.expressionPlace().Position,
				Message: fmt.Sprintf("two different aggregates, of %s and of %s, would both be the measure %s", first.Home.Name, second.Home.Name, second.Name),
				Hint:    "name one of them with the extension key measure: {\"name\": …}; see " + extension.DocumentationAnchor("measure"),
			}
		}
		c.failMetric(m, err)
	}
}

func metricUsesMeasure(m *catalog.Metric, measure *catalog.Measure) bool {
	for _, form := range m.FormsOfAllDialects() {
		for _, o := range form.Operands {
			if o == catalog.Operand(measure) {
				return true
			}
		}
	}
	return false
}
