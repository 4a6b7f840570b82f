package compatible

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
)

// modelClassifier distinguishes the objects of a model that planning treats alike from the others.
type modelClassifier struct {
	extended *catalog.Catalog // the model with the additions of the query
	dialect  string
}

// isPlainColumn reports whether a field is a column of its dataset.
func (c modelClassifier) isPlainColumn(field *catalog.Field) bool {
	if field.LOD != nil || field.Joined != nil || field.Dataset.Calendar != nil {
		return false
	}
	_, column := field.Expr.ForDialect(c.dialect).(*sqlexpr.Column)
	return column
}

// pathEquivalenceClass holds the properties of a path that planning reads; plain is false where it has others.
func (c modelClassifier) pathEquivalenceClass(path []catalog.JoinStep) (class string, plain bool) {
	class, plain = "p", true
	for _, s := range path {
		if s.Rel.JoinType == catalog.JoinInner {
			class = "i"
		}
		if s.Rel.Err != nil || s.Rel.Valid != nil {
			plain = false
		}
		for i := range s.Rel.FromFields {
			plain = plain && c.isPlainColumn(s.Rel.FromFields[i]) && c.isPlainColumn(s.Rel.ToFields[i])
		}
	}
	return class, plain
}

// inputsOfPlainMetric returns the reach of a query of one metric that is arithmetic of plain aggregates; ok is false for
// any other metric.
func (c modelClassifier) inputsOfPlainMetric(m *catalog.Metric, refs resolve.Refs) (reach metric.QueryHomesRefsAndAxes, ok bool) {
	form := m.Forms.ForDialect(c.dialect)
	if form == nil || m.Window != nil || m.At != nil || m.Derive != nil || len(m.Params) > 0 || m.TimeAxis != nil {
		return reach, false
	}
	reach.Refs = refs
	for _, o := range form.Operands {
		aggregate, isMeasure := o.(*catalog.Measure)
		if !isMeasure || aggregate.NonAdditive != nil || aggregate.OrderBy != nil || !c.hasPlainArgument(aggregate) {
			return reach, false
		}
		i := slices.IndexFunc(reach.Homes, func(h metric.HomeDataset) bool { return h.Dataset == aggregate.Home })
		if i < 0 {
			reach.Homes = append(reach.Homes, metric.HomeDataset{Dataset: aggregate.Home})
			i = len(reach.Homes) - 1
		}
		reach.Homes[i].DuplicateSensitive = reach.Homes[i].DuplicateSensitive || !aggregate.DuplicateInsensitive()
		reach.Axes = append(reach.Axes, measure.AxisOfMeasure(c.extended, m, aggregate, nil))
	}
	return reach, true
}

// hasPlainArgument reports whether a measure is over columns of its home.
func (c modelClassifier) hasPlainArgument(m *catalog.Measure) bool {
	plain := true
	for _, e := range m.ArgumentAndOrderKey() {
		if e == nil {
			continue
		}
		for r := range sqlexpr.Refs(e) {
			field := c.extended.FieldByID(r.ID)
			plain = plain && field.Dataset == m.Home && c.isPlainColumn(field)
		}
	}
	return plain
}
