package metricflow

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// validityWindow is the time for which a row of a semantic model holds: from the value of start to before that of
// end. Such a row is found by a natural entity and a time.
type validityWindow struct {
	start, end  *entityOrDimension
	isAmbiguous bool // a dimension is both or neither, or two are the same
	params      []validityParams
}

// validityParams are the validity_params of a dimension.
type validityParams struct {
	dimension *entityOrDimension
	node      *importer.Node
}

func (m *semanticModel) addValidityParams(e *entityOrDimension, params *importer.Node) {
	if m.validity == nil {
		m.validity = &validityWindow{}
	}
	m.validity.params = append(m.validity.params, validityParams{e, params})
	isStart, isEnd := params.Get("is_start").IsTrue(), params.Get("is_end").IsTrue()
	m.validity.isAmbiguous = m.validity.isAmbiguous || isStart == isEnd || isStart && m.validity.start != nil || isEnd && m.validity.end != nil
	if isStart {
		m.validity.start = e
	} else {
		m.validity.end = e
	}
}

// noRelationshipReason returns the reason why no relationship leads to a semantic model whose rows hold for a time, "" where one does.
func (w *validityWindow) noRelationshipReason(m *semanticModel) string {
	const missing = "a row that holds for a time is not found by a key: no relationship leads to the dataset, which has no "
	switch {
	case w == nil || w.start == nil || w.end == nil || w.isAmbiguous:
		return missing + "dimension that is the start, and another one that is the end"
	case !m.hasNaturalEntity():
		return missing + "natural entity"
	}
	for _, e := range []*entityOrDimension{w.start, w.end} {
		if timeDatatypeOfDimension(e) == "" {
			return missing + "times in days or a finer granularity as start and end"
		}
	}
	return ""
}

func (m *semanticModel) hasNaturalEntity() bool {
	return slices.ContainsFunc(m.entities, func(e *entityOrDimension) bool { return e.kind == "natural" })
}

// timeDatatypeOfDimension returns the datatype of a dimension that is compared with others as a time, "" where it has none:
// MetricFlow compares the beginnings of weeks and longer periods.
func timeDatatypeOfDimension(e *entityOrDimension) modelspec.Datatype {
	if e.kind != "time" || e.field.Name == "" {
		return ""
	}
	switch e.granularity {
	case "day", "":
		return modelspec.DatatypeDate
	case "hour", "minute", "second", "millisecond", "microsecond", "nanosecond":
		return modelspec.DatatypeDateTime
	}
	return ""
}

// reportValidity records the validity_params of a semantic model.
func (p *projectImport) reportValidity(m *semanticModel) {
	if m.validity == nil {
		return
	}
	reason := m.validity.noRelationshipReason(m)
	for _, params := range m.validity.params {
		e := params.dimension
		path := importer.FieldPath(m.dataset.Name, e.name)
		switch {
		case reason != "":
			p.report.AddDropped(params.node, "validity_params", e.name, reason)
		case e == m.validity.start:
			p.report.AddApproximated(params.node, "validity_params", e.name, "a row without "+e.name+" is valid from the beginning of time, and MetricFlow never finds it", path)
		default:
			p.report.AddExact(params.node, "validity_params", e.name, path)
		}
	}
}

// addValidityRelationship joins a semantic model to one whose rows hold for a time: to those that are valid at the time
// of its measures.
func (p *projectImport) addValidityRelationship(from, to entityJoinEnd) {
	if from.model == to.model {
		return
	}
	lose := func(format string, args ...any) {
		from.entity.entry.Outcome, from.entity.entry.Reason = importer.OutcomeApproximated, fmt.Sprintf(format, args...)
	}
	at, others := p.timeDimensionOfMeasures(from.model)
	e := from.model.findDimension(at)
	switch {
	case from.model.validity != nil || e == nil || timeDatatypeOfDimension(e) == "":
		lose("no relationship leads to %s, whose rows hold for a time: %s has no time of measures in days or a finer granularity", to.model.name, from.model.name)
		return
	case others:
		lose("the rows of %s are those that are valid at %s, in MetricFlow at the agg_time_dimension of each measure", to.model.name, at)
	}
	w := to.model.validity
	p.addRelationship(from, to, &draft.RelationshipValidity{At: from.model.comparedTime(e), From: to.model.comparedTime(w.start), To: to.model.comparedTime(w.end)})
}

// comparedTime returns the name of the field that has the beginnings of the periods of a dimension. Where other elements name the column of the
// dimension, its own field has the times of the column, and another field is added.
func (m *semanticModel) comparedTime(e *entityOrDimension) string {
	datatype := timeDatatypeOfDimension(e)
	switch {
	case e.compared != "":
	case !m.columns.IsColumnSharedWithOthers(e.name, e.expr):
		e.field.Datatype, e.compared = datatype, e.name
	default:
		expression := e.expr
		if datatype != modelspec.DatatypeDate {
			expression = "DATE_TRUNC('" + e.granularity + "', " + expression + ")"
		}
		e.compared = m.addFieldOfImport("valid_"+e.name, expression, &draft.Field{Role: draft.FieldRoleTime, Datatype: datatype, IsDimension: new(false)})
	}
	return e.compared
}

// timeDimensionOfMeasures returns the time of the measures of a semantic model: its default, else that of the first measure. others:
// some measures have another one.
func (p *projectImport) timeDimensionOfMeasures(m *semanticModel) (at string, others bool) {
	at = m.dataset.TimeDimension
	measures := slices.Clone(m.measures)
	for _, x := range p.metricList {
		if x.own != nil && x.own.model == m {
			measures = append(measures, x.own)
		}
	}
	for _, x := range measures {
		switch {
		case x.time == "":
		case at == "":
			at = x.time
		default:
			others = others || x.time != at
		}
	}
	return at, others
}
