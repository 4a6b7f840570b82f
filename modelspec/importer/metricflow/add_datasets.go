package metricflow

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addDatasets makes a dataset of each semantic model: its entities and dimensions are
// fields.
func (p *projectImport) addDatasets() {
	for _, m := range p.semanticModels {
		d := m.dataset
		d.Name = p.datasetNames.ReserveFirstUnusedName(m.name, m.name+"_model")
		path := importer.DatasetPath(d.Name)
		if d.Name != m.name {
			p.report.AddApproximated(m.node, "semantic_model", m.name, "another semantic model has the same name", path)
		} else {
			p.report.AddExact(m.node, "semantic_model", m.name, path)
		}
		for _, list := range [][]*entityOrDimension{m.entities, m.dimensions} {
			for _, e := range list {
				m.columns.AddElementExpression(e.name, e.expr)
			}
		}
		for _, x := range m.measures {
			m.columns.AddElementExpression("", x.expr)
		}
		for _, e := range m.dimensions {
			p.addDimension(m, e)
		}
		if m.timeDimension != "" && slices.ContainsFunc(m.dimensions, func(e *entityOrDimension) bool { return e.name == m.timeDimension && e.kind == "time" }) {
			d.TimeDimension = m.timeDimension
		}
		p.reportValidity(m)
		p.model.Datasets = append(p.model.Datasets, d)
	}
	// Entities come after all datasets have a name: a foreign one leads to others.
	for _, m := range p.semanticModels {
		for _, e := range m.entities {
			p.addEntity(m, e)
		}
	}
}

// withoutShadowedColumns returns the expression of an element with other names for the columns that other elements hide.
func (m *semanticModel) withoutShadowedColumns(element, text string) string {
	text, added := m.columns.AliasShadowedColumns(m.dataset, element, text)
	for _, f := range added {
		m.addField(f, f.Expression[0].Text)
	}
	return text
}

// addFieldOfElement adds the field of an element, unless the dataset has the name.
func (p *projectImport) addFieldOfElement(m *semanticModel, e *entityOrDimension, construct string) bool {
	name := m.dataset.Name + "." + e.name
	if m.fieldNames[e.name] {
		p.report.AddDropped(e.node, construct, name, "another element of the semantic model has the same name")
		return false
	}
	e.field.Name, e.written = e.name, e.expr
	e.expr, e.truncated = m.withoutShadowedColumns(e.name, e.expr), m.withoutShadowedColumns(e.name, e.truncated)
	m.addField(e.field, cmp.Or(e.truncated, e.expr))
	return true
}

func (p *projectImport) addDimension(m *semanticModel, e *entityOrDimension) {
	name := m.dataset.Name + "." + e.name
	e.field.Role = draft.FieldRoleDimension
	reason := ""
	switch e.kind {
	case "categorical":
	case "time":
		e.field.Role = draft.FieldRoleTime
		reason = m.readTimeGranularity(e)
	default:
		p.report.AddDropped(e.node, "dimension", name, importer.MissingOrUnknown("type", e.kind, "is not known"))
		return
	}
	if !p.addFieldOfElement(m, e, "dimension") {
		return
	}
	path := importer.FieldPath(m.dataset.Name, e.name)
	if reason != "" {
		p.report.AddApproximated(e.node, "dimension", name, reason, path)
		return
	}
	p.report.AddExact(e.node, "dimension", name, path)
}

// readTimeGranularity reads the granularity of a time dimension, which a query without a grain groups by. reason is why the
// field differs from the dimension.
func (m *semanticModel) readTimeGranularity(e *entityOrDimension) (reason string) {
	if e.granularity == "" {
		return ""
	}
	grain, ok := sqlexpr.ParseGrain(e.granularity)
	if e.field.Granularity = grain.String(); !ok {
		return "the granularity " + e.granularity + " is finer than a second: a query groups by second or coarser"
	}
	if m.columns.IsColumnSharedWithOthers(e.name, e.expr) {
		return "grouped without a grain it has the times of its column, because other elements name the column"
	}
	switch e.granularity {
	case "day":
		e.field.Datatype = modelspec.DatatypeDate
	case "second", "minute", "hour":
		e.truncated = "DATE_TRUNC('" + e.granularity + "', " + e.expr + ")"
	default:
		e.field.Datatype, e.truncated = modelspec.DatatypeDate, "CAST(DATE_TRUNC('"+e.granularity+"', "+e.expr+") AS DATE)"
	}
	return ""
}

// addEntity adds the field of an entity, and its key.
func (p *projectImport) addEntity(m *semanticModel, e *entityOrDimension) {
	d, name := m.dataset, m.dataset.Name+"."+e.name
	switch e.kind {
	case "natural":
		if m.validity.noRelationshipReason(m) != "" {
			p.report.AddDropped(e.node, "entity", name, "a natural entity finds a row for a time only")
			return
		}
	case "primary", "unique", "foreign":
	default:
		p.report.AddDropped(e.node, "entity", name, importer.MissingOrUnknown("type", e.kind, "is not known"))
		return
	}
	e.field.Role, e.field.IsDimension = draft.FieldRoleDimension, new(true)
	if !p.addFieldOfElement(m, e, "entity") {
		return
	}
	entry := p.report.AddExact(e.node, "entity", name, importer.FieldPath(d.Name, e.name))
	e.entry = entry
	if e.kind == "natural" {
		return
	}
	if m.validity != nil {
		if e.kind != "foreign" {
			entry.Outcome, entry.Reason = importer.OutcomeApproximated, "the field is not a key: a row is found with a time as well"
		}
		return
	}
	key := draft.KeyDeclaration{Columns: []string{keyColumn(e)}}
	for _, partition := range m.partitions {
		key.Columns = append(key.Columns, keyColumn(partition))
	}
	switch {
	case e.kind == "primary" && d.PrimaryKey.Columns == nil:
		d.PrimaryKey = key
	case e.kind != "foreign":
		d.UniqueKeys = append(d.UniqueKeys, key)
	}
}

// keyColumn returns the column of a key: the one that the field is, else the field.
func keyColumn(e *entityOrDimension) string {
	if column, ok := importer.ColumnOfExpression(e.expr); ok {
		return column
	}
	return e.name
}
