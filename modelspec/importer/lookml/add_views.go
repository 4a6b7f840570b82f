package lookml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// view is one view and the dataset that it becomes.
type view struct {
	project    *projectImport
	block      *block
	name       string
	dataset    *draft.Dataset
	source     string // the table or query, before that of the dataset has further columns
	dimensions map[string]*dimension
	list       []*dimension
	measures   []*measure
	primaryKey *dimension
	columns    *importer.ReferencedColumns
	byText     map[string]string // the first field of each expression
	joins      []toOneViewJoin   // to the views of which a row has one
	// joinedDimensions are those over other views, until their fields are added.
	joinedDimensions []*dimension
	// restrictions are those of the explores that begin with the view, whose conditions are dropped.
	restrictions string
	// hasBackticks is set where names of tables are between backticks.
	hasBackticks bool
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
	// weeksMoved is set where the weeks of the project do not begin on Monday.
	weeksMoved bool
	// approximated is what of it is different, "" for nothing.
	approximated string
	open         bool // its references are being written out
	field        *draft.Field
	added        bool
	frame        *importer.Node // the timeframe of the group that it is, nil for other dimensions
}

// addViews makes datasets of the views, without those that only others extend.
func (p *projectImport) addViews() {
	for _, name := range p.views.order {
		b, err := p.views.resolveExtendedBlock(name)
		if err != nil {
			p.recordDroppedView(p.views.byName[name], name, err.Error())
			continue
		}
		if b.valueOfKey("extension") == "required" {
			p.report.AddExact(b.node, "view", name).Reason = "only the views that extend it are imported"
			continue
		}
		p.addView(b)
	}
}

// recordDroppedView records a view that is not imported, and its fields.
func (p *projectImport) recordDroppedView(b *block, name, reason string) {
	p.report.AddDropped(b.node, "view", name, reason)
	for _, item := range b.items {
		switch item.key {
		case "dimension", "dimension_group", "measure":
			p.recordDroppedBlock(item, name, "its view is dropped")
		}
	}
}

func (p *projectImport) addView(b *block) {
	v := &view{
		project: p, block: b, name: b.name, dimensions: map[string]*dimension{}, columns: &importer.ReferencedColumns{Dialect: p.options.Dialect}, byText: map[string]string{},
		dataset: &draft.Dataset{Name: b.name},
	}
	source, err := p.tableOrQueryOfView(v)
	if err != nil {
		p.recordDroppedView(b, b.name, err.Error())
		return
	}
	v.dataset.Source, v.source = source, source
	if table := b.valueOfKey("sql_table_name"); strings.Contains(table, "`") && b.findLastItem("derived_table") == nil {
		v.columns.Source = table
	}
	v.hasBackticks = p.hasBackticks
	v.dataset.Label = b.valueOfKey("label")
	v.dataset.Description, v.dataset.Context = readDescriptionAndContext(b, v.dataset.Label)
	p.byName[b.name] = v
	p.viewList = append(p.viewList, v)
	p.model.Datasets = append(p.model.Datasets, v.dataset)
	entry := p.report.AddExact(b.node, "view", b.name, importer.DatasetPath(b.name))
	if v.restrictions = lossOfRestrictions(b); v.restrictions != "" {
		entry.Outcome, entry.Reason = importer.OutcomeApproximated, v.restrictions
	}
	for _, item := range b.items {
		switch {
		case !item.braces:
		case isDurationGroup(item):
			p.reportUnreadKeys(item, v.name+"."+item.name, appendDescriptiveKeyNames("type", "hidden", "intervals", "sql_start", "sql_end", "datatype", "convert_tz")...)
			v.addDurationDimensions(item)
		case item.key == "dimension" || item.key == "dimension_group":
			v.addDimension(item)
		case item.key == "measure":
			v.measures = append(v.measures, &measure{block: item, view: v, name: item.name, kind: item.valueOfKey("type")})
		}
	}
	v.addRepeatingTimeframes()
	p.addFields(v)
	p.reportUnreadKeys(b, b.name, appendDescriptiveKeyNames("dimension", "dimension_group", "measure", "sql_table_name", "derived_table", "extends", "extends__all", "extension")...)
}

// tableOrQueryOfView returns the table or the query of a view.
func (p *projectImport) tableOrQueryOfView(v *view) (string, error) {
	table, derived := v.block.valueOfKey("sql_table_name"), v.block.findLastItem("derived_table")
	unread := checkNoTemplates("its table has", table)
	switch {
	case derived != nil && derived.braces:
		if derived.findLastItem("sql") == nil {
			return "", errors.New("a derived table without SQL has no counterpart")
		}
		p.reportUnreadKeys(derived, v.name+".derived_table", "sql", "persist_for", "indexes", "indexes__all", "distribution", "distribution_style", "sortkeys",
			"partition_keys", "cluster_keys", "materialized_view", "table_compression", "table_format", "publish_as_db_view")
		return p.derivedTableSQL(derived.valueOfKey("sql"))
	case unread != nil:
		return "", unread
	case table != "":
		return importer.SourceWithPrefix(table, ""), nil
	case p.options.SourcePrefix != "":
		return p.options.SourcePrefix + "." + v.name, nil
	}
	return v.name, nil
}

// derivedTableSQL returns the query of a derived table, in which other views are named by their tables.
func (p *projectImport) derivedTableSQL(text string) (string, error) {
	if err := checkNoTemplates("its query has", text); err != nil {
		return "", err
	}
	var failed error
	out := referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		name, isTable := strings.CutSuffix(referencePattern.FindStringSubmatch(match)[1], ".SQL_TABLE_NAME")
		other := p.byName[name]
		if !isTable || other == nil || strings.ContainsAny(other.source, " \n") {
			failed = fmt.Errorf("its query names %s, which is not the table of a view before it", match)
			return ""
		}
		return other.source
	})
	return strings.TrimSpace(out), failed
}

var datatypeByStoredTimeType = map[string]modelspec.Datatype{
	"date": modelspec.DatatypeDate, "datetime": modelspec.DatatypeDateTime, "timestamp": modelspec.DatatypeDateTime, "": modelspec.DatatypeDateTime,
}

func (v *view) addDimension(b *block) {
	d := &dimension{block: b, name: b.name, kind: strings.ToLower(b.valueOfKey("type")), isGroup: b.key == "dimension_group", sql: b.valueOfKey("sql"), weeksMoved: v.project.weeksMoved}
	d.field = &draft.Field{Name: d.name, Role: draft.FieldRoleDimension}
	if !v.addUniqueDimension(d) {
		return
	}
	d.field.Label = b.valueOfKey("label")
	d.field.Description, d.field.Context = readDescriptionAndContext(b, d.field.Label)
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
		v.readDimensionGroup(d)
	} else {
		v.readDimensionType(d)
	}
	if b.isYes("primary_key") {
		v.primaryKey = d
	}
}

// readDimensionType reads the type of a dimension.
func (v *view) readDimensionType(d *dimension) {
	switch d.kind {
	case "string", "zipcode":
		d.field.Datatype = modelspec.DatatypeString
	case "number":
	case "yesno":
		d.field.Datatype = modelspec.DatatypeBoolean
	case "date":
		v.readDateDimension(d)
	case "date_time":
		v.readStoredTimeType(d)
	case "tier", "bin":
		v.readRangeDimension(d)
	default:
		d.refused = "the type " + d.kind + " has no counterpart"
	}
	if cases := d.block.findLastItem("case"); cases != nil {
		sql, err := casesAsSQL(cases)
		if d.sql = sql; err != nil {
			d.refused = err.Error()
		}
	}
}

// readRangeDimension reads a dimension whose values are labels of ranges of numbers.
func (v *view) readRangeDimension(d *dimension) {
	d.field.Datatype = modelspec.DatatypeString
	sql, err := rangeLabelsAsSQL(d, d.kind+"s")
	if d.sql = sql; err != nil {
		d.refused = err.Error()
	}
	if style := strings.ToLower(d.block.valueOfKey("style")); style == "" || style == classicRangeLabelStyle {
		d.approximated = "the labels are intervals without a number before them"
	}
}

// readDateDimension reads a dimension whose values are dates. Unless its datatype is one, its SQL is a
// time whose hours are cut off.
func (v *view) readDateDimension(d *dimension) {
	v.readStoredTimeType(d)
	if d.field.Datatype == modelspec.DatatypeDateTime {
		d.field.Datatype, d.sql = modelspec.DatatypeDate, "CAST("+d.sql+" AS DATE)"
	}
}

// readDimensionGroup reads the type of a group of times. It becomes one time field, whose grains are the
// timeframes.
func (v *view) readDimensionGroup(d *dimension) {
	if d.kind != "time" {
		d.refused = "a group of type " + d.kind + " has no counterpart"
		return
	}
	v.readStoredTimeType(d)
}

// readStoredTimeType reads how the table stores a time.
func (v *view) readStoredTimeType(d *dimension) {
	d.field.Role = draft.FieldRoleTime
	switch stored := strings.ToLower(d.block.valueOfKey("datatype")); stored {
	case "epoch":
		d.field.Datatype, d.field.TimeFormat = modelspec.DatatypeInteger, &draft.TimeFormat{Format: "epoch_seconds"}
	case "yyyymmdd":
		d.field.Datatype, d.field.TimeFormat = modelspec.DatatypeInteger, &draft.TimeFormat{Format: "yyyyMMdd"}
	default:
		datatype, known := datatypeByStoredTimeType[stored]
		if d.field.Datatype = datatype; !known {
			d.refused = "the datatype " + stored + " is not known"
		}
	}
}

// addFields adds the fields of a view. A column that its expression names must not be hidden
// by another field of that name.
func (p *projectImport) addFields(v *view) {
	for _, d := range v.list {
		switch text, err := v.dimensionSQL(d); {
		case errors.Is(err, errBeforeExplores):
			v.deferJoinedDimension(d)
		case err != nil:
			d.refused = err.Error()
		default:
			v.columns.AddElementExpression(d.name, text)
		}
	}
	for _, d := range v.list {
		if !slices.Contains(v.joinedDimensions, d) {
			p.addField(v, d)
		}
	}
	if d := v.primaryKey; d != nil && d.added {
		key := d.name
		if column, ok := importer.ColumnOfExpression(d.written); ok {
			key = column
		}
		v.dataset.PrimaryKey.Columns = []string{key}
	}
}

// addField adds the field of a dimension, or records why it is dropped.
func (p *projectImport) addField(v *view, d *dimension) {
	node, construct, name := d.block.node, d.block.key, v.name+"."+d.name
	if d.frame != nil {
		node, construct = d.frame, "timeframe"
	}
	if d.refused == "" {
		d.written = v.withoutShadowedColumns(d.name, d.written)
	}
	if !isDurationGroup(d.block) && d.frame == nil {
		p.reportUnreadKeys(d.block, name, appendDescriptiveKeyNames("type", "sql", "case", "hidden", "primary_key", "timeframes", "datatype", "convert_tz", "alias", "tiers", "bins", "style")...)
	}
	if d.refused != "" {
		p.recordDroppedConstruct(node, construct, name, d.refused)
		return
	}
	d.added = true
	expression := v.fieldExpressionWithNullAsNo(d)
	v.columns.ReplaceElementExpression(d.name, expression)
	v.addDatasetField(d.field, expression)
	p.recordConstruct(node, construct, name, importer.JoinReasons(d.approximated, lossOfRestrictions(d.block)), importer.FieldPath(v.name, d.name))
	p.recordTimeframes(d, name)
}

// fieldExpressionWithNullAsNo returns the expression of the field of a dimension. In Looker a condition without a value is a no.
func (v *view) fieldExpressionWithNullAsNo(d *dimension) string {
	switch _, isColumn := importer.ColumnOfExpression(d.written); {
	case d.kind != "yesno":
		return d.written
	case isColumn && v.columns.IsColumnSharedWithOthers(d.name, d.written):
		d.approximated = "a row without a value is a no in Looker, and has no value here, because other fields name its column"
		return d.written
	}
	return "CASE WHEN " + d.written + " THEN TRUE ELSE FALSE END"
}

// withoutShadowedColumns returns the expression of an element with other names for the columns that dimensions hide.
func (v *view) withoutShadowedColumns(element, text string) string {
	text, added := v.columns.AliasShadowedColumns(v.dataset, element, text)
	for _, f := range added {
		v.addDatasetField(f, f.Expression[0].Text)
	}
	return text
}

func (v *view) addDatasetField(f *draft.Field, expression string) {
	f.Expression = draft.ANSIExpression(expression)
	v.dataset.Fields = append(v.dataset.Fields, f)
	if _, known := v.byText[expression]; !known {
		v.byText[expression] = f.Name
	}
}
