package lookml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// view is one view and the dataset that it becomes.
type view struct {
	block      *block
	name       string
	dataset    *draft.Dataset
	dimensions map[string]*dimension
	list       []*dimension
	measures   []*measure
	primaryKey *dimension
	columns    *importer.Columns
	byText     map[string]string // the first field of each expression
}

// dimension is one dimension, or a group of times.
type dimension struct {
	block   *block
	name    string
	kind    string
	isGroup bool
	sql     string
	written string // over columns alone
	refused string // why it is dropped
	open    bool   // its references are being written out
	field   *draft.Field
	added   bool
}

// addViews makes datasets of the views, without those that only others extend.
func (p *project) addViews() {
	for _, name := range p.views.order {
		b, err := p.views.resolve(name)
		if err != nil {
			p.dropView(p.views.byName[name], name, err.Error())
			continue
		}
		if b.text("extension") == "required" {
			p.report.Exact(b.node, "view", name).Reason = "only the views that extend it are imported"
			continue
		}
		p.addView(b)
	}
}

// dropView records a view that is not imported, and its fields.
func (p *project) dropView(b *block, name, reason string) {
	p.report.Dropped(b.node, "view", name, reason)
	for _, item := range b.items {
		switch item.key {
		case "dimension", "dimension_group", "measure":
			p.drop(item, name, "its view is dropped")
		}
	}
}

func (p *project) addView(b *block) {
	v := &view{
		block: b, name: b.name, dimensions: map[string]*dimension{}, columns: &importer.Columns{}, byText: map[string]string{},
		dataset: &draft.Dataset{Name: b.name},
	}
	source, err := p.source(v)
	if err != nil {
		p.dropView(b, b.name, err.Error())
		return
	}
	v.dataset.Source = source
	label, description, context := describe(b)
	v.dataset.Description, v.dataset.Context = description, context
	if label != "" && !strings.EqualFold(label, b.name) {
		v.dataset.Context.Synonyms = []string{label}
	}
	p.byName[b.name] = v
	p.viewList = append(p.viewList, v)
	p.model.Datasets = append(p.model.Datasets, v.dataset)
	p.report.Exact(b.node, "view", b.name, importer.DatasetPath(b.name))
	for _, item := range b.items {
		switch {
		case !item.braces:
		case item.key == "dimension" || item.key == "dimension_group":
			v.addDimension(item)
		case item.key == "measure":
			v.measures = append(v.measures, &measure{block: item, view: v, name: item.name, kind: item.text("type")})
		}
	}
	p.addFields(v)
	p.close(b, b.name, keys("dimension", "dimension_group", "measure", "sql_table_name", "derived_table", "extends", "extends__all", "extension")...)
}

// source is the table or the query of a view.
func (p *project) source(v *view) (string, error) {
	table, derived := v.block.text("sql_table_name"), v.block.get("derived_table")
	switch {
	case derived != nil && derived.braces:
		if derived.get("sql") == nil {
			return "", errors.New("a derived table without SQL has no counterpart")
		}
		p.close(derived, v.name+".derived_table", "sql", "persist_for", "indexes", "indexes__all", "distribution", "distribution_style", "sortkeys",
			"partition_keys", "cluster_keys", "materialized_view", "table_compression", "table_format", "publish_as_db_view")
		return p.derivedSQL(derived.text("sql"))
	case hasLiquid(table):
		return "", errors.New("its table has Liquid")
	case table != "":
		return strings.ReplaceAll(table, "`", `"`), nil
	case p.options.SourcePrefix != "":
		return p.options.SourcePrefix + "." + v.name, nil
	}
	return v.name, nil
}

// derivedSQL is the query of a derived table, in which other views are named by their tables.
func (p *project) derivedSQL(text string) (string, error) {
	if hasLiquid(text) {
		return "", errors.New("its query has Liquid")
	}
	var failed error
	out := reference.ReplaceAllStringFunc(text, func(match string) string {
		name, isTable := strings.CutSuffix(reference.FindStringSubmatch(match)[1], ".SQL_TABLE_NAME")
		other := p.byName[name]
		if !isTable || other == nil || strings.ContainsAny(other.dataset.Source, " \n") {
			failed = fmt.Errorf("its query names %s, which is not the table of a view before it", match)
			return ""
		}
		return other.dataset.Source
	})
	return strings.TrimSuffix(strings.TrimSpace(out), ";"), failed
}

var dateTypes = map[string]string{"date": "Date", "datetime": "DateTime", "timestamp": "DateTime", "": "DateTime"}

func (v *view) addDimension(b *block) {
	d := &dimension{block: b, name: b.name, kind: strings.ToLower(b.text("type")), isGroup: b.key == "dimension_group", sql: b.text("sql")}
	if v.dimensions[d.name] != nil || d.name == "" {
		d.refused = "another dimension of the view has the name"
		v.list = append(v.list, d)
		return
	}
	v.dimensions[d.name] = d
	v.list = append(v.list, d)
	d.field = &draft.Field{Name: d.name, Role: draft.Dimension}
	d.field.Label, d.field.Description, d.field.Context = describe(b)
	if d.kind == "" {
		d.kind = "string"
		if d.isGroup {
			d.kind = "time"
		}
	}
	if d.sql == "" {
		d.sql = "${TABLE}." + d.name
	}
	if d.isGroup {
		v.group(d)
	} else {
		v.plain(d)
	}
	if b.yes("hidden") {
		d.field.IsDimension = new(false)
	}
	if b.yes("primary_key") {
		v.primaryKey = d
	}
}

// plain reads the type of a dimension.
func (v *view) plain(d *dimension) {
	switch d.kind {
	case "string", "zipcode":
		d.field.Datatype = "String"
	case "number":
	case "yesno":
		d.field.Datatype = "Boolean"
	case "date":
		v.date(d)
	case "date_time":
		v.stored(d)
	default:
		d.refused = "the type " + d.kind + " has no counterpart"
	}
	if cases := d.block.get("case"); cases != nil {
		sql, err := caseSQL(cases)
		if d.sql = sql; err != nil {
			d.refused = err.Error()
		}
	}
}

// date reads a dimension whose values are dates. Unless its datatype is one, its SQL is a
// time whose hours are cut off.
func (v *view) date(d *dimension) {
	v.stored(d)
	if d.field.Datatype == "DateTime" {
		d.field.Datatype, d.sql = "Date", "CAST("+d.sql+" AS DATE)"
	}
}

// group reads the type of a group of times. It becomes one time field, whose grains are the
// timeframes.
func (v *view) group(d *dimension) {
	if d.kind != "time" {
		d.refused = "a group of type " + d.kind + " has no counterpart"
		return
	}
	v.stored(d)
}

// stored reads how the table stores a time.
func (v *view) stored(d *dimension) {
	d.field.Role = draft.Time
	switch stored := strings.ToLower(d.block.text("datatype")); stored {
	case "epoch":
		d.field.Datatype, d.field.TimeFormat = "Integer", &draft.TimeFormat{Format: "epoch_seconds"}
	case "yyyymmdd":
		d.field.Datatype, d.field.TimeFormat = "Integer", &draft.TimeFormat{Format: "yyyyMMdd"}
	default:
		datatype, known := dateTypes[stored]
		if d.field.Datatype = datatype; !known {
			d.refused = "the datatype " + stored + " is not known"
		}
	}
}

// timeframes are those that a query has as a grain.
var timeframes = []string{"date", "week", "month", "quarter", "year"}

// addFields adds the fields of a view. A column that its expression names must not be hidden
// by another field of that name.
func (p *project) addFields(v *view) {
	for _, d := range v.list {
		if text, err := v.expression(d); err != nil {
			d.refused = err.Error()
		} else {
			v.columns.Use(d.name, text)
		}
	}
	for _, d := range v.list {
		construct, name := d.block.key, v.name+"."+d.name
		if column, hidden := v.columns.Hidden(d.name, d.written); d.refused == "" && hidden {
			d.refused = "its SQL names the column " + column + ", and the dimension " + column + " is something else"
		}
		p.close(d.block, name, keys("type", "sql", "case", "hidden", "primary_key", "timeframes", "datatype", "convert_tz", "alias")...)
		if d.refused != "" {
			p.dropped(d.block.node, construct, name, d.refused)
			continue
		}
		d.added = true
		v.addField(d.field, d.written)
		p.exact(d.block.node, construct, name, importer.FieldPath(v.name, d.name))
		if frames := d.block.get("timeframes"); frames != nil && d.isGroup {
			for _, frame := range frames.list {
				if !slices.Contains(timeframes, frame.node.Text) {
					p.dropped(frame.node, "timeframe", name+"_"+frame.node.Text, "a query has the grains day, week, month, quarter and year")
				}
			}
		}
	}
	if d := v.primaryKey; d != nil && d.added {
		key := d.name
		if column, ok := importer.BareColumn(d.written); ok {
			key = column
		}
		v.dataset.PrimaryKey.Columns = []string{key}
	}
}

func (v *view) addField(f *draft.Field, expression string) {
	f.Expression = draft.ANSI(expression)
	v.dataset.Fields = append(v.dataset.Fields, f)
	if _, known := v.byText[expression]; !known {
		v.byText[expression] = f.Name
	}
}
