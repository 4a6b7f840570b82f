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

// measureKey is what makes two aggregates the same measure.
type measureKey struct {
	home int
	agg  catalog.Agg
	arg  string
}

// measureTable holds each measure once.
type measureTable struct {
	bySignature map[measureKey]*catalog.Measure
	list        []*catalog.Measure // by ID
}

func newMeasureTable() measureTable {
	return measureTable{bySignature: map[measureKey]*catalog.Measure{}}
}

func (t *measureTable) get(home *dataset, agg catalog.Agg, arg sqlexpr.Expr, typ sqlexpr.Type) *catalog.Measure {
	key := measureKey{home.cat.ID, agg, sqlexpr.Format(arg)}
	if m := t.bySignature[key]; m != nil {
		return m
	}
	m := &catalog.Measure{ID: len(t.list), Home: home.cat, Agg: agg, Arg: arg, Type: typ}
	t.bySignature[key] = m
	t.list = append(t.list, m)
	return m
}

// nameMeasures gives every measure its name: the one that a payload declares,
// else a synthesized one. `<dataset>_<column>_<agg>` of a plain column is
// promised and must be unique; measures over other arguments are named by the
// columns in them and numbered where that is taken.
func (c *compiler) nameMeasures() {
	declared := c.declaredNames()
	taken := map[string]*catalog.Measure{}
	for m := range cancel.EachUntilDone(c.ctx, c.measures.list) {
		if _, plain := m.Arg.(*sqlexpr.Ref); !plain || m.Name != "" {
			continue
		}
		c.nameMeasure(m)
		if first := taken[foldCase(m.Name)]; first != nil {
			c.nameCollision(first, m)
			continue
		}
		taken[foldCase(m.Name)] = m
	}
	for _, m := range declared {
		measure := onlyMeasure(m.cat.Forms.Default)
		if first := taken[foldCase(measure.Name)]; first != nil && first != measure {
			c.failMetric(m, nameTakenError(m, "the measure name %s is another aggregate's, of %s", measure.Name, first.Home.Name))
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

// declaredNames gives measures the names that payloads declare and lists the
// metrics that do.
func (c *compiler) declaredNames() []*metric {
	var out []*metric
	by := map[*catalog.Measure]*metric{}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if !m.ext.Measure.Set() || m.cat.Err != nil {
			continue
		}
		measure := onlyMeasure(m.cat.Forms.Default)
		if measure == nil {
			c.failMetric(m, invalidReference(m.ext.Measure, "measure", "measure names the aggregate of a plain metric, and %s is not a single aggregate", m.cat.Name).CompileError)
			continue
		}
		if first := by[measure]; first != nil && measure.Name != m.ext.Measure.Name {
			c.failMetric(m, nameTakenError(m, "the aggregate of %s has the measure name %s already, by the metric %s", m.cat.Name, measure.Name, first.cat.Name))
			continue
		}
		measure.Name, measure.Stem, by[measure] = m.ext.Measure.Name, m.ext.Measure.Name, m
		out = append(out, m)
	}
	return out
}

func nameTakenError(m *metric, format string, args ...any) *modelspec.CompileError {
	ref := m.ext.Measure
	return &modelspec.CompileError{
		Code: CodeMeasureCollision, Location: ref.Location, Position: ref.Position, Message: fmt.Sprintf(format, args...),
		Hint: "choose one name for each aggregate; see " + extension.Anchor("measure"),
	}
}

func (c *compiler) nameMeasure(m *catalog.Measure) {
	parts := []string{m.Home.Name}
	for _, id := range fieldIDs(m.Arg) {
		parts = append(parts, c.cat.Fields[id].Name)
	}
	m.Stem = strings.Join(append(parts, m.Agg.String()), "_")
	m.Name = m.Stem
}

// nameCollision fails the metrics that use the later of two measures of one name.
func (c *compiler) nameCollision(first, second *catalog.Measure) {
	var err *modelspec.CompileError
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if m.cat.Err != nil || !usesMeasure(m.cat, second) {
			continue
		}
		if err == nil {
			err = &modelspec.CompileError{
				Code: CodeMeasureCollision, Location: m.doc.At("expression"), Position: m.place().Position,
				Message: fmt.Sprintf("two different aggregates, of %s and of %s, would both be the measure %s", first.Home.Name, second.Home.Name, second.Name),
				Hint:    "name one of them with the extension key measure: {\"name\": …}; see " + extension.Anchor("measure"),
			}
		}
		c.failMetric(m, err)
	}
}

func usesMeasure(m *catalog.Metric, measure *catalog.Measure) bool {
	for _, form := range m.AllForms() {
		for _, o := range form.Operands {
			if o == catalog.Operand(measure) {
				return true
			}
		}
	}
	return false
}
