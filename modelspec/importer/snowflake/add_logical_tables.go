package snowflake

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// logicalTable is one logical table and the dataset that it becomes.
type logicalTable struct {
	node      *importer.Node
	name      string
	dataset   *draft.Dataset
	elements  []*tableElement
	fields    map[string]*draft.Field // by name in lower case
	dropped   map[string]bool         // elements without a field, by name in lower case
	columns   importer.ReferencedColumns
	isUntyped bool // the input does not have the types of its dimensions
}

// tableElement is a dimension, time dimension, fact or filter.
type tableElement struct {
	node      *importer.Node
	construct string
	expr      string
	unique    bool
	private   bool
	field     *draft.Field
	entry     *importer.ReportEntry // of an element with a field
}

func (v *semanticViewImport) readTable(n *importer.Node) {
	o := v.report.ReadObject(n, "table", n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	t := &logicalTable{node: n, name: o.GetText("name"), dataset: &draft.Dataset{}, columns: importer.ReferencedColumns{Dialect: dialect}, fields: map[string]*draft.Field{}, dropped: map[string]bool{}}
	if t.name == "" {
		v.report.AddDropped(n, "table", "", "it has no name")
		return
	}
	t.isUntyped = v.untyped[n]
	t.dataset.Source = v.baseTableOfLogicalTable(o)
	o.RecordDroppedKey("distinct_range", "that the ranges of two columns do not overlap has no counterpart")
	t.dataset.Description, t.dataset.Context = v.readDescriptionAndContext(o)
	if key := o.Get("primary_key"); key != nil {
		if k := o.ReadChild(key, "primary_key"); k != nil {
			t.dataset.PrimaryKey.Columns = nodeTexts(k.GetList("columns"))
			k.Close()
		}
	}
	for _, key := range o.GetList("unique_keys") {
		if k := o.ReadChild(key, "unique_keys"); k != nil {
			t.dataset.UniqueKeys = append(t.dataset.UniqueKeys, draft.KeyDeclaration{Columns: nodeTexts(k.GetList("columns"))})
			k.Close()
		}
	}
	if v.tables[strings.ToLower(t.name)] != nil {
		v.report.AddDropped(n, "table", t.name, "another table has the name")
		t.dataset.Name = "" // its parts are read for the report
	} else {
		v.tables[strings.ToLower(t.name)] = t
		v.tableList = append(v.tableList, t)
		t.dataset.Name = v.datasetNames.ReserveFirstUnusedName(t.name, t.name)
		v.report.AddExact(n, "table", t.name, importer.DatasetPath(t.dataset.Name))
		v.model.Datasets = append(v.model.Datasets, t.dataset)
	}
	for _, list := range []struct{ key, construct string }{
		{"dimensions", "dimension"}, {"time_dimensions", "time_dimension"}, {"facts", "fact"}, {"filters", "filter"},
	} {
		for _, item := range o.GetList(list.key) {
			v.readElement(t, item, list.construct)
		}
	}
	for _, key := range []string{"measures", "metrics"} {
		for _, item := range o.GetList(key) {
			if construct := strings.TrimSuffix(key, "s"); isMeasureWithoutAggregate(item, construct) {
				v.readElement(t, item, construct)
			} else {
				v.readMetric(t, item, construct)
			}
		}
	}
}

// isMeasureWithoutAggregate reports whether a measure is a value of each row: it has no aggregate.
func isMeasureWithoutAggregate(n *importer.Node, construct string) bool {
	if construct != "measure" || n.Get("default_aggregation").String() != "" {
		return false
	}
	e, err := parse(n.Get("expr").String())
	return err == nil && !sqlexpr.HasAggregate(e)
}

func nodeTexts(list []*importer.Node) []string {
	var out []string
	for _, n := range list {
		if n.String() != "" {
			out = append(out, n.String())
		}
	}
	return out
}

// baseTableOfLogicalTable returns the table that a logical table is made of.
func (v *semanticViewImport) baseTableOfLogicalTable(o *importer.ObjectReader) string {
	n := o.Get("base_table")
	if n == nil {
		return ""
	}
	if n.Kind == importer.KindScalar {
		return importer.SourceWithPrefix(n.Text, v.options.SourcePrefix)
	}
	b := o.ReadChild(n, "base_table")
	if b == nil {
		return ""
	}
	defer b.Close()
	var parts []string
	for _, key := range []string{"database", "schema", "table"} {
		if part := b.GetText(key); part != "" {
			parts = append(parts, part)
		}
	}
	if definition := b.GetText("definition"); definition != "" {
		return definition
	}
	if len(parts) == 1 && v.options.SourcePrefix != "" {
		return v.options.SourcePrefix + "." + parts[0]
	}
	return strings.Join(parts, ".")
}

func (v *semanticViewImport) readElement(t *logicalTable, n *importer.Node, construct string) {
	o := v.report.ReadObject(n, construct, t.name+"."+n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	e := &tableElement{node: n, construct: construct, expr: o.GetText("expr"), field: &draft.Field{Name: o.GetText("name"), Datatype: modelDatatypeOfSnowflakeType(o.GetText("data_type"))}}
	e.field.Description, e.field.Context = v.readDescriptionAndContext(o)
	unique := o.Get("unique")
	e.unique = unique != nil && unique.IsTrue()
	e.private = strings.EqualFold(o.GetText("access_modifier"), "private_access") || strings.EqualFold(o.GetText("access_modifier"), "private")
	if e.expr == "" {
		e.expr = e.field.Name
	}
	e.expr = removeTableQualifierFromExpression(e.expr, t.name)
	switch construct {
	case "dimension":
		e.field.Role = draft.FieldRoleDimension
		if t.isUntyped && isTimeExpression(e.expr) {
			e.field.Role = draft.FieldRoleTime
		}
	case "time_dimension":
		e.field.Role = draft.FieldRoleTime
		switch e.field.Datatype {
		case modelspec.DatatypeInteger, modelspec.DatatypeDecimal, modelspec.DatatypeFloat, modelspec.DatatypeBoolean, modelspec.DatatypeString:
			e.field.Role = draft.FieldRoleDimension // such as a year: it is not a point in time
		}
	case "filter":
		e.field.Datatype = modelspec.DatatypeBoolean
	case "measure":
		e.field.IsDimension = new(false)
	}
	t.elements = append(t.elements, e)
}

// isTimeExpression reports whether an expression is a date or a timestamp for columns of any type.
func isTimeExpression(text string) bool {
	e, err := parse(text)
	if err != nil {
		return false
	}
	kind := sqlexpr.TypeOf(e, func(sqlexpr.Expr) sqlexpr.Type { return sqlexpr.TypeUnknown })
	return kind.IsDateOrTimestamp()
}

// addFields adds the elements of all tables, before the metrics that name them.
func (v *semanticViewImport) addFields() {
	for _, t := range v.tableList {
		for _, e := range t.elements {
			t.columns.AddElementExpression(e.field.Name, e.expr)
		}
		for _, e := range t.elements {
			v.addField(t, e)
		}
	}
}

func (v *semanticViewImport) addField(t *logicalTable, e *tableElement) {
	name := t.name + "." + e.field.Name
	switch {
	case e.field.Name == "":
		v.report.AddDropped(e.node, e.construct, name, "it has no name")
		return
	case t.fields[strings.ToLower(e.field.Name)] != nil:
		v.report.AddDropped(e.node, e.construct, name, "another element of the table has the name")
		return
	}
	parsed, err := parse(e.expr)
	switch {
	case err == nil && sqlexpr.HasAggregate(parsed):
		v.entityFacts = append(v.entityFacts, elementAggregatingOtherTable{t, e, parsed})
		return
	case err == nil && hasColumnOfOtherTable(parsed, t.name):
		v.joinedElements = append(v.joinedElements, joinedElement{t, e, parsed})
		return
	}
	v.addElementField(t, e)
}

// addElementField adds the field of an element whose expression is that of a field.
func (v *semanticViewImport) addElementField(t *logicalTable, e *tableElement) {
	name := t.name + "." + e.field.Name
	e.field.Expression = draft.ANSIExpression(e.expr)
	t.addField(e.field)
	path := importer.FieldPath(t.dataset.Name, e.field.Name)
	if column, ok := importer.ColumnOfExpression(e.expr); ok && e.unique {
		t.dataset.UniqueKeys = append(t.dataset.UniqueKeys, draft.KeyDeclaration{Columns: []string{column}})
	}
	if e.private {
		e.field.IsDimension = new(false)
		e.entry = v.report.AddApproximated(e.node, e.construct, name, "a private element is a field that queries cannot group by; its name is visible", path)
		return
	}
	if column, hidden := t.columns.FindShadowedColumn(e.field.Name, e.expr); hidden && strings.HasSuffix(e.construct, "dimension") {
		e.entry = v.report.AddApproximated(e.node, e.construct, name, "its expression names "+column+", which is taken for the element of that name, not for a column", path)
		return
	}
	e.entry = v.report.AddExact(e.node, e.construct, name, path)
}

func (t *logicalTable) addField(f *draft.Field) {
	t.dataset.Fields = append(t.dataset.Fields, f)
	t.fields[strings.ToLower(f.Name)] = f
}

// removeTableQualifierFromExpression writes the columns of a table without its name, which then mean what they mean alone.
func removeTableQualifierFromExpression(text, table string) string {
	e, err := parse(text)
	if err != nil {
		return text
	}
	found := false
	e = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok || len(column.Path) != 2 || !strings.EqualFold(column.Path[0].Text, table) {
			return nil
		}
		found = true
		return &sqlexpr.Column{Path: column.Path[1:]}
	})
	if !found {
		return text
	}
	return sqlexpr.Format(e)
}

// hasColumnOfOtherTable reports whether an expression names a column of another table.
func hasColumnOfOtherTable(e sqlexpr.Expr, table string) bool {
	for _, column := range sqlexpr.ColumnReferences(e) {
		if len(column.Path) > 1 && !strings.EqualFold(column.Path[len(column.Path)-2].Text, table) {
			return true
		}
	}
	return false
}

// ensureColumnField returns the field of a name of the table: an element, else a new field of the column.
func (t *logicalTable) ensureColumnField(name sqlexpr.Name) *draft.Field {
	if f := t.fields[strings.ToLower(name.Text)]; f != nil {
		return f
	}
	f := &draft.Field{Name: name.Text, IsDimension: new(false), Expression: draft.ANSIExpression(sqlexpr.Format(&sqlexpr.Column{Path: []sqlexpr.Name{name}}))}
	t.addField(f)
	return f
}

// parse reads an expression of Snowflake.
func parse(text string) (sqlexpr.Expr, error) { return importer.ParseSQL(text, dialect) }

// modelDatatypeOfSnowflakeType returns the datatype of a type of Snowflake, "" for one without a counterpart.
func modelDatatypeOfSnowflakeType(text string) modelspec.Datatype {
	name, args, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(text)), "(")
	switch strings.TrimSpace(name) {
	case "TEXT", "VARCHAR", "STRING", "CHAR", "CHARACTER", "NVARCHAR":
		return modelspec.DatatypeString
	case "INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "BYTEINT":
		return modelspec.DatatypeInteger
	case "NUMBER", "DECIMAL", "NUMERIC":
		_, scale, scaled := strings.Cut(strings.TrimSuffix(strings.TrimSpace(args), ")"), ",")
		if !scaled || strings.TrimSpace(scale) == "0" {
			return modelspec.DatatypeInteger
		}
		return modelspec.DatatypeDecimal
	case "FLOAT", "FLOAT4", "FLOAT8", "DOUBLE", "DOUBLE PRECISION", "REAL":
		return modelspec.DatatypeFloat
	case "BOOLEAN":
		return modelspec.DatatypeBoolean
	case "DATE":
		return modelspec.DatatypeDate
	case "TIME":
		return modelspec.DatatypeTime
	case "DATETIME", "TIMESTAMP", "TIMESTAMP_NTZ":
		return modelspec.DatatypeDateTime
	case "TIMESTAMP_TZ", "TIMESTAMP_LTZ":
		return modelspec.DatatypeDateTimeTz
	}
	return ""
}

// addRelationships joins the tables.
func (v *semanticViewImport) addRelationships() {
	for _, n := range v.relationships {
		o := v.report.ReadObject(n, "relationship", n.Get("name").String())
		if o == nil {
			continue
		}
		r, reason := v.buildRelationship(o)
		o.Close()
		if reason != "" {
			v.report.AddDropped(n, "relationship", o.GetText("name"), reason)
			continue
		}
		v.model.Relationships = append(v.model.Relationships, r)
		v.report.AddExact(n, "relationship", o.GetText("name"), importer.RelationshipPath(r.Name))
	}
}

func (v *semanticViewImport) buildRelationship(o *importer.ObjectReader) (r *draft.Relationship, reason string) {
	name, left, right := o.GetText("name"), o.GetText("left_table"), o.GetText("right_table")
	join, kind := strings.ToLower(o.GetText("join_type")), strings.ToLower(o.GetText("relationship_type"))
	columns := o.GetList("relationship_columns")
	from, to := v.tables[strings.ToLower(left)], v.tables[strings.ToLower(right)]
	switch {
	case name == "":
		return nil, "it has no name"
	case v.relationshipNames.IsTaken(name):
		return nil, "another relationship has the name"
	case from == nil:
		return nil, importer.MissingOrUnknown("left_table", left, "is not in the input")
	case to == nil:
		return nil, importer.MissingOrUnknown("right_table", right, "is not in the input")
	case len(columns) == 0:
		return nil, "it has no columns"
	case join != "" && join != "left_outer" && join != "inner":
		return nil, fmt.Sprintf("the join type %s has no counterpart", join)
	case kind != "" && kind != "many_to_one" && kind != "one_to_one":
		return nil, fmt.Sprintf("the relationship type %s has no counterpart", kind)
	}
	r = &draft.Relationship{Name: v.relationshipNames.ReserveFirstUnusedName(name, name), From: from.dataset.Name, To: to.dataset.Name, Cardinality: modelspec.ParseCardinality(kind)}
	if join == "inner" {
		r.JoinType = "inner"
	}
	for _, pair := range columns {
		for _, m := range pair.Members { // such as a condition, by which the nearest row before a time is joined
			if m.Key != "left_column" && m.Key != "right_column" && m.Value.Kind != importer.KindNull {
				return nil, "a pair of its columns has the key " + m.Key + ", and a relationship joins equal values"
			}
		}
		if c := o.ReadChild(pair, "relationship_columns"); c != nil {
			a, b := c.GetText("left_column"), c.GetText("right_column")
			c.Close()
			if a == "" || b == "" {
				return nil, "a pair of columns is not complete"
			}
			r.FromColumns = append(r.FromColumns, from.fieldOfJoinColumn(a))
			r.ToColumns = append(r.ToColumns, to.fieldOfJoinColumn(b))
		}
	}
	return r, ""
}

// fieldOfJoinColumn returns the field of a column that a relationship joins on.
func (t *logicalTable) fieldOfJoinColumn(column string) string {
	for _, f := range t.dataset.Fields {
		if bare, ok := importer.ColumnOfExpression(f.Expression[0].Text); ok && strings.EqualFold(bare, column) {
			return f.Name
		}
	}
	return t.ensureColumnField(sqlexpr.Name{Text: column}).Name
}
