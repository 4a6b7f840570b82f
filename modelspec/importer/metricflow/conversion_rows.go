package metricflow

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// conversionRows is a dataset of the rows that can be conversions, each of which belongs to the last row of a base
// dataset before it:
//
//	buys_after_visits ──last_visits_before_buys──► visits   valid from the time of a visit until the next one
//
// It reads the table of the conversions a second time. A relationship from the dataset of the conversions itself would
// give every other metric of it a second path to what the base leads to, and MetricFlow groups conversions by what the
// base leads to alone.
type conversionRows struct {
	model        *semanticModel
	relationship string
	at           string // the field of the time of a row
	since        string // the field of the base whose times begin: null for a row that a filter leaves out
}

// findOrAddConversionRows returns the rows of one measure that can be conversions of those of another which pass a
// condition, "" for all.
func (p *projectImport) findOrAddConversionRows(c *conversionParams, base, conversion *measure, condition string) (*conversionRows, error) {
	pairs, err := c.equalElements(base.model, conversion.model)
	if err != nil {
		return nil, err
	}
	since, at, err := conversionTimes(base, conversion)
	if err != nil {
		return nil, err
	}
	if err := requireColumnsOfOneDataset(condition, base.model.dataset.Name); err != nil {
		return nil, err
	}
	key := strings.Join([]string{base.model.dataset.Name, since.name, conversion.model.dataset.Name, at.name, condition}, "\x00")
	for _, pair := range pairs {
		key += "\x00" + pair.base.name + "\x00" + pair.conversion.name
	}
	if p.conversionRows[key] == nil {
		p.conversionRows[key] = p.addConversionRows(pairs, base.model, conversion.model, since, at, condition)
	}
	return p.conversionRows[key], nil
}

// equalElementPair is an element of each side of a conversion whose values are equal.
type equalElementPair struct{ base, conversion *entityOrDimension }

// equalElements returns the entity and the constant properties of both sides.
func (c *conversionParams) equalElements(base, conversion *semanticModel) ([]equalElementPair, error) {
	if c.entity == "" {
		return nil, errors.New("it has no entity")
	}
	var out []equalElementPair
	for _, names := range append([]constantProperty{{c.entity, c.entity}}, c.constants...) {
		pair := equalElementPair{base.findEqualityElement(names.base), conversion.findEqualityElement(names.conversion)}
		switch {
		case pair.base == nil:
			return nil, fmt.Errorf("it names %s, which is not an entity or a dimension other than a time of %s", names.base, base.name)
		case pair.conversion == nil:
			return nil, fmt.Errorf("it names %s, which is not an entity or a dimension other than a time of %s", names.conversion, conversion.name)
		}
		out = append(out, pair)
	}
	return out, nil
}

// findEqualityElement returns the entity, else the categorical dimension, of a name that has a field, nil without one.
func (m *semanticModel) findEqualityElement(name string) *entityOrDimension {
	for _, e := range m.entities {
		if e.name == name && e.field.Name != "" {
			return e
		}
	}
	if e := m.findDimension(name); e != nil && e.kind != "time" {
		return e
	}
	return nil
}

// conversionTimes returns the time dimensions of both sides. MetricFlow compares the beginnings of their periods, and
// fields have those where they have one granularity and no other element reads their column.
func conversionTimes(base, conversion *measure) (since, at *entityOrDimension, err error) {
	var times [2]*entityOrDimension
	for i, x := range []*measure{base, conversion} {
		e := x.model.findDimension(x.timeDimension())
		switch {
		case e == nil || e.kind != "time":
			return nil, nil, fmt.Errorf("the measure %s has no time dimension", x.name)
		case x.model.columns.IsColumnSharedWithOthers(e.name, e.expr):
			return nil, nil, fmt.Errorf("other elements name the column of its time %s, so that its field has no whole periods", e.name)
		}
		if _, known := sqlexpr.ParseGrain(x.granularityOfTime(e)); !known || timeDatatypeOfDimension(e) == "" {
			return nil, nil, fmt.Errorf("its time %s has the granularity %s; conversions by day, hour, minute or second have a counterpart", e.name, e.granularity)
		}
		times[i] = e
	}
	if a, b := base.granularityOfTime(times[0]), conversion.granularityOfTime(times[1]); a != b {
		return nil, nil, fmt.Errorf("its times %s and %s have the granularities %s and %s, which have no counterpart", times[0].name, times[1].name, a, b)
	}
	return times[0], times[1], nil
}

func (x *measure) granularityOfTime(e *entityOrDimension) string {
	if e.granularity == "" {
		return "day"
	}
	return e.granularity
}

// requireColumnsOfOneDataset refuses a condition that reads other datasets: the beginning of a validity cannot.
func requireColumnsOfOneDataset(condition, dataset string) error {
	if condition == "" {
		return nil
	}
	e, err := sqlexpr.Parse(condition)
	if err != nil {
		return err
	}
	for _, column := range sqlexpr.ColumnReferences(e) {
		if column.Path[0].Text != dataset {
			return fmt.Errorf("its filter names %s; a filter of %s itself has a counterpart", sqlexpr.Format(column), dataset)
		}
	}
	return nil
}

// addConversionRows adds the dataset of the conversions, and the relationship that leads to the base.
func (p *projectImport) addConversionRows(pairs []equalElementPair, base, conversion *semanticModel, since, at *entityOrDimension, condition string) *conversionRows {
	a, b := base.dataset.Name, conversion.dataset.Name
	name, relationship := b+"_after_"+a, "last_"+a+"_before_"+b
	m := &semanticModel{
		name: conversion.name, columns: &importer.ReferencedColumns{Dialect: p.options.Dialect}, fieldNames: map[string]bool{}, fieldsByText: map[string]string{},
		dataset: &draft.Dataset{
			Name: p.datasetNames.ReserveFirstUnusedName(name, name), Source: conversion.dataset.Source,
			Description: fmt.Sprintf("The rows of %s, each with the last row of %s before it: a part of conversion metrics.", b, a),
		},
	}
	rows := &conversionRows{model: m, relationship: p.relationshipNames.ReserveFirstUnusedName(relationship, relationship), since: since.name}
	r := &draft.Relationship{Name: rows.relationship, From: m.dataset.Name, To: a, JoinType: "inner"}
	datatype := timeDatatypeOfDimension(since)
	expression := at.written // the dataset has no field that hides a column
	if datatype != modelspec.DatatypeDate {
		expression = "DATE_TRUNC('" + at.granularity + "', " + expression + ")"
	}
	rows.at = m.addConversionField(at.name, expression, &draft.Field{Role: draft.FieldRoleTime, Datatype: datatype, IsDimension: new(false)})
	for _, pair := range pairs {
		r.ToColumns = append(r.ToColumns, pair.base.name)
		r.FromColumns = append(r.FromColumns, m.addConversionField(pair.conversion.name, pair.conversion.written, &draft.Field{IsDimension: new(false)}))
	}
	since.field.Datatype = datatype
	if condition != "" {
		// A row whose beginning is null comes before all others, so that the next row of its entity which passes the filter
		// ends it. The condition of the metric leaves out what belongs to it.
		rows.since = base.addConversionField(since.name, "CASE WHEN "+condition+" THEN "+sqlexpr.FormatPath(a, since.name)+" END", &draft.Field{Role: draft.FieldRoleTime, Datatype: datatype, IsDimension: new(false)})
	}
	r.Valid = &draft.RelationshipValidity{At: rows.at, From: rows.since}
	p.model.Datasets, p.model.Relationships = append(p.model.Datasets, m.dataset), append(p.model.Relationships, r)
	return rows
}

func (m *semanticModel) addConversionField(name, expression string, f *draft.Field) string {
	return m.addFieldOfImport("conversion_"+name, expression, f)
}

// addFieldOfImport adds a field that no element of the project is, and returns its name. No bare name of a query means it.
func (m *semanticModel) addFieldOfImport(name, expression string, f *draft.Field) string {
	m.columns.AddElementExpression("", expression)
	f.Name = name
	for m.fieldNames[f.Name] || !m.columns.IsNameFree(f.Name) {
		f.Name += "_value"
	}
	m.columns.AddElementExpression(f.Name, expression)
	m.addField(f, expression)
	return f.Name
}

// aggregateWithinWindow returns the aggregate of a measure over the conversions in a window after the row to which they
// belong. The last row before a conversion is in the window if any row is.
func (r *conversionRows) aggregateWithinWindow(of *measure, window *draft.WindowOffset) (string, error) {
	since := sqlexpr.FormatPath(r.relationship, r.since)
	condition := since + " IS NOT NULL"
	if window != nil {
		condition = fmt.Sprintf("%s > DATEADD(%s, -%d, %s)", since, window.Granularity, window.Count, sqlexpr.FormatPath(r.model.dataset.Name, r.at))
	}
	x := *of
	x.model, x.expr = r.model, cmp.Or(of.written, of.expr)
	if x.agg == "count" { // without conversions MetricFlow has no count
		x.agg, x.expr = "sum", countedSQL(x.expr)
	}
	x.field = r.model.fieldsByText[x.expr]
	if x.field == "" {
		x.field = r.model.addConversionField(x.name, x.expr, &draft.Field{IsDimension: new(false), Description: x.about})
	}
	if of.field == "" {
		of.copied = importer.FieldPath(r.model.dataset.Name, x.field)
	}
	return x.aggregateSQL(nil, condition)
}

// countedSQL returns 1 for a row that COUNT over an expression counts, 0 for any other row.
func countedSQL(expression string) string {
	if e, err := sqlexpr.Parse(expression); err == nil {
		if _, isNumber := e.(*sqlexpr.Number); isNumber {
			return "1"
		}
	}
	return "CASE WHEN (" + expression + ") IS NOT NULL THEN 1 ELSE 0 END"
}
