package compile

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// signature is what makes two aggregates the same measure.
type signature struct {
	home int
	agg  catalog.Agg
	arg  string
}

// measureTable holds each measure once.
type measureTable struct {
	bySignature map[signature]*catalog.Measure
	list        []*catalog.Measure // by ID
}

func newMeasureTable() measureTable {
	return measureTable{bySignature: map[signature]*catalog.Measure{}}
}

func (t *measureTable) get(home *dataset, agg catalog.Agg, arg sqlexpr.Expr, typ sqlexpr.Type) *catalog.Measure {
	key := signature{home.cat.ID, agg, sqlexpr.Format(arg)}
	if m := t.bySignature[key]; m != nil {
		return m
	}
	m := &catalog.Measure{ID: len(t.list), Home: home.cat, Agg: agg, Arg: arg, Type: typ}
	t.bySignature[key] = m
	t.list = append(t.list, m)
	return m
}

// nameMeasures synthesizes the measures' names. `<dataset>_<column>_<agg>` of a
// plain column is promised and must be unique; measures over other arguments
// are named by the columns in them and numbered where that is taken.
func (c *compiler) nameMeasures() {
	taken := map[string]*catalog.Measure{}
	for _, m := range c.measures.list {
		if _, plain := m.Arg.(*sqlexpr.Ref); !plain {
			continue
		}
		c.synthesize(m)
		if first := taken[fold(m.Name)]; first != nil {
			c.collision(first, m)
			continue
		}
		taken[fold(m.Name)] = m
	}
	for _, m := range c.measures.list {
		if m.Name != "" {
			continue
		}
		c.synthesize(m)
		base := m.Name
		for n := 2; taken[fold(m.Name)] != nil; n++ {
			m.Name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[fold(m.Name)] = m
	}
}

func (c *compiler) synthesize(m *catalog.Measure) {
	parts := []string{m.Home.Name}
	sqlexpr.Walk(m.Arg, func(e sqlexpr.Expr) bool {
		if ref, ok := e.(*sqlexpr.Ref); ok {
			parts = addOnce(parts, c.cat.Fields[ref.ID].Name)
		}
		return true
	})
	m.Name = strings.Join(append(parts, m.Agg.String()), "_")
}

// collision fails the metrics that use the later of two measures of one name.
func (c *compiler) collision(first, second *catalog.Measure) {
	var err *modelspec.CompileError
	for _, m := range c.metrics {
		if m.cat.Err != nil || !uses(m.cat, second) {
			continue
		}
		if err == nil {
			err = &modelspec.CompileError{
				Code: CodeMeasureCollision, Location: m.doc.At("expression"), Position: m.doc.Expression.Position,
				Message: fmt.Sprintf("two different aggregates, of %s and of %s, would both be the measure %s", first.Home.Name, second.Home.Name, second.Name),
				Hint:    "name one of them with the extension key measure: {\"name\": …}",
			}
		}
		c.failMetric(m, err)
	}
}

func uses(m *catalog.Metric, measure *catalog.Measure) bool {
	for _, form := range forms(m) {
		for _, o := range form.Operands {
			if o == catalog.Operand(measure) {
				return true
			}
		}
	}
	return false
}

// forms lists the metric's forms, the default first.
func forms(m *catalog.Metric) []*catalog.Form {
	if m.Forms.Default == nil {
		return nil
	}
	out := []*catalog.Form{m.Forms.Default}
	for _, f := range m.Forms.ByDialect {
		out = append(out, f)
	}
	return out
}
