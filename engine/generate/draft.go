package generate

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/sqlemit"
)

// yamlLanguageServerComment names the JSON Schema that editors check the file by.
const yamlLanguageServerComment = "yaml-language-server: $schema=model.schema.json"

func (g *generator) buildDraftModel(metrics []datasetMetric) *draft.Model {
	m := &draft.Model{Comments: []string{yamlLanguageServerComment}, Name: g.options.Name}
	if g.options.Origin != "" {
		m.Comments = append(m.Comments, "Generated from "+g.options.Origin+". Check what is marked as inferred or as a guess.")
	}
	for _, d := range g.datasets {
		m.Datasets = append(m.Datasets, g.buildDraftDataset(d))
	}
	for _, e := range g.edges {
		m.Relationships = append(m.Relationships, &draft.Relationship{
			Comments: []string{e.comment}, Name: e.name, From: e.from.name, To: e.to.name,
			FromColumns: fieldNamesOf(e.own), ToColumns: fieldNamesOf(e.key), CommentedOut: !e.written,
		})
	}
	for _, x := range metrics {
		m.Metrics = append(m.Metrics, x.toDraftMetric())
	}
	return m
}

func (g *generator) buildDraftDataset(d *tableDataset) *draft.Dataset {
	out := &draft.Dataset{Name: d.name, Source: g.tableSource(d.table), Description: d.table.Comment, PrimaryKey: d.key.toDraftKey()}
	for _, key := range d.unique {
		out.UniqueKeys = append(out.UniqueKeys, draft.KeyDeclaration{Columns: fieldNamesOf(key), Note: declaredInDatabaseNote})
	}
	if times := d.timeFields(); len(times) > 1 {
		out.TimeDimension = times[0].name
		out.Comments = append(out.Comments, "time_dimension "+times[0].name+" is a guess; other time fields: "+strings.Join(fieldNamesOf(times[1:]), ", "))
	}
	for _, f := range d.fields {
		out.Fields = append(out.Fields, g.buildDraftField(f))
	}
	return out
}

const declaredInDatabaseNote = "declared in the database"

func (k primaryKeyChoice) toDraftKey() draft.KeyDeclaration {
	switch {
	case k.likely != nil:
		return draft.KeyDeclaration{Columns: fieldNamesOf(k.likely), Note: "no duplicate in the first " + formatInteger(k.rows) + " rows; not proven", CommentedOut: true}
	case k.how == keyProven:
		return draft.KeyDeclaration{Columns: fieldNamesOf(k.fields), Note: "proven: no duplicate and no null in " + formatInteger(k.rows) + " rows"}
	}
	return draft.KeyDeclaration{Columns: fieldNamesOf(k.fields), Note: declaredInDatabaseNote}
}

// tableSource names the table, with the schema outside the default one.
func (g *generator) tableSource(t *tables.Table) string {
	if t.InDefault {
		return g.quoteSourcePart(t.Name)
	}
	return g.quoteSourcePart(t.Schema) + "." + g.quoteSourcePart(t.Name)
}

func (g *generator) quoteSourcePart(name string) string { return quoteSourcePart(g.dialect, name) }

func quoteSourcePart(d *sqlemit.Dialect, name string) string {
	if d.KeepsUnquotedName(name) {
		return name
	}
	return sqlexpr.Format(&sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: true}}})
}

func (g *generator) buildDraftField(f *columnField) *draft.Field {
	out := &draft.Field{
		Name: f.name, Expression: draft.ANSIExpression(g.fieldExpression(f)), Datatype: modelspec.Datatype(f.datatype), Label: caseWordsLabel(f.column.Name), Description: f.column.Comment,
	}
	out.Comments = append(out.Comments, f.comments...)
	no, yes := false, true
	switch {
	case f.encodedDate:
		out.Role, out.TimeFormat = draft.FieldRoleTime, &draft.TimeFormat{Format: "yyyyMMdd"}
		out.Comments = append(out.Comments, "every value is a date")
	case f.datatype == tables.DatatypeOpaque:
		out.IsDimension = &no
	case f.datatype == tables.DatatypeTimeOfDay:
		out.Role = draft.FieldRoleNotTime // a time of day has no period to group by
	case f.isTime():
	case f.datatype != tables.DatatypeString && (f.inKey || f.inEdge || f.metric != ""):
		out.IsDimension = &no
	case f.inKey || compile.FieldNeedsDeclaredRole(f.name, out.Datatype, f.inEdge):
		out.IsDimension = &yes
	}
	return out
}

// fieldExpression returns the column, in quotes where the name without them is that of another field.
// Money is a number to every engine that computes with it, and a String field over another type than text is cast to text.
func (g *generator) fieldExpression(f *columnField) string {
	isOther := slices.ContainsFunc(f.dataset.fields, func(other *columnField) bool {
		return other != f && strings.EqualFold(other.name, f.column.Name)
	})
	name := sqlexpr.Name{Text: f.column.Name, Quoted: isOther || !g.dialect.KeepsUnquotedName(f.column.Name)}
	text := sqlexpr.Format(&sqlexpr.Column{Path: []sqlexpr.Name{name}})
	switch {
	case f.column.Type == "money":
		return "CAST(" + text + " AS DECIMAL(19, 2))"
	case f.datatype == tables.DatatypeString && tables.NeedsCastToText(g.dialect.Name(), f.column.Type):
		return "CAST(" + text + " AS VARCHAR)"
	}
	return text
}

// fieldReference names a field of a dataset in an expression.
func fieldReference(dataset, field string) string {
	text := sqlexpr.FormatPath(dataset, field)
	parsed, err := sqlexpr.Parse(text)
	if c, ok := parsed.(*sqlexpr.Column); err == nil && ok && len(c.Path) == 2 {
		return text
	}
	return sqlexpr.Format(&sqlexpr.Column{Path: []sqlexpr.Name{{Text: dataset, Quoted: true}, {Text: field, Quoted: true}}})
}

func (g *generator) buildReport(metrics []datasetMetric) Report {
	r := Report{
		Model: g.options.Name, Datasets: len(g.datasets), Metrics: len(metrics),
		Keys: []KeyReport{}, Relationships: []RelationshipReport{}, Notes: []string{},
	}
	for _, d := range g.datasets {
		r.Fields += len(d.fields)
		r.Keys = append(r.Keys, KeyReport{
			Dataset: d.name, Columns: fieldNamesOf(d.key.fields), How: d.key.how, RowsRead: d.key.rows, Complete: d.key.complete,
		})
		if d.key.likely != nil {
			g.addNote(d.name + ": " + strings.Join(fieldNamesOf(d.key.likely), ", ") + " has no duplicate in the first " + formatInteger(d.key.rows) +
				" rows; the key is a comment, because not all rows were read (--max-rows)")
		}
	}
	for _, e := range g.edges {
		r.Relationships = append(r.Relationships, RelationshipReport{
			Name: e.name, From: e.from.name, To: e.to.name, FromColumns: fieldNamesOf(e.own), ToColumns: fieldNamesOf(e.key),
			How: e.how, Values: e.found.Values, Unmatched: e.found.Unmatched, Complete: e.found.Complete, Written: e.written,
		})
	}
	r.Notes = append(r.Notes, g.notes...)
	return r
}
