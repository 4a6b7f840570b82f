package metricflow

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// semanticModel is one semantic model and the dataset that it becomes.
type semanticModel struct {
	node          *importer.Node
	name          string
	dataset       *draft.Dataset
	primaryEntity string
	timeDimension string
	entities      []*entityOrDimension
	dimensions    []*entityOrDimension
	measures      []*measure
	joins         []toOneModelJoin // to the semantic models in which its foreign entities are keys
	// validity and partitions are why a row of the dataset is not found by a key alone.
	validity     *validityWindow      // nil where rows hold at any time
	partitions   []*entityOrDimension // a row is found with their values as well
	columns      *importer.ReferencedColumns
	fieldNames   map[string]bool
	fieldsByText map[string]string // the first field of each expression
}

// addField adds a field to the dataset.
func (m *semanticModel) addField(f *draft.Field, expression string) {
	f.Expression = draft.ANSIExpression(expression)
	m.dataset.Fields = append(m.dataset.Fields, f)
	m.fieldNames[f.Name] = true
	if _, known := m.fieldsByText[expression]; !known && f.Datatype == "" { // a Date is not the time of its column
		m.fieldsByText[expression] = f.Name
	}
}

// entityOrDimension is an entity or a dimension.
type entityOrDimension struct {
	node        *importer.Node
	name        string
	kind        string // primary, unique, foreign, natural; categorical, time
	expr        string
	written     string // the expression before columns get other names; "" without a field
	granularity string
	truncated   string // the expression of the field; "" for expr
	compared    string // the field that a validity compares; "" until one does
	field       *draft.Field
	entry       *importer.ReportEntry // of an entity with a field
}

// measure is one measure, or the aggregate of a metric that is its own measure.
type measure struct {
	node    *importer.Node
	name    string
	agg     string
	expr    string
	time    string // agg_time_dimension
	model   *semanticModel
	refused string // why no metric can use it
	// snapshots is nil for a measure that adds up over time.
	snapshots *nonAdditiveDimension
	metric    bool // create_metric
	label     string
	field     string // "" until a metric uses the measure
	written   string // the expression before columns get other names; "" without a field
	copied    string // the path of a field of conversions, "" without one
	about     string
	// fraction, discrete and estimated are those of a percentile.
	fraction            string
	discrete, estimated bool
}

func (p *projectImport) readSemanticModel(n *importer.Node) {
	if p.recordIfDisabled(n, "semantic_model") {
		return
	}
	name := n.Get("name").String()
	o := p.report.ReadObject(n, "semantic_model", name)
	if o == nil {
		return
	}
	defer o.Close()
	if o.GetText("name") == "" {
		p.report.AddDropped(n, "semantic_model", "", "it has no name")
		return
	}
	m := &semanticModel{node: n, name: name, columns: &importer.ReferencedColumns{Dialect: p.options.Dialect}, fieldNames: map[string]bool{}, fieldsByText: map[string]string{}}
	m.dataset = &draft.Dataset{Source: p.modelSource(o)}
	m.dataset.Label = o.GetText("label")
	m.dataset.Description, m.dataset.Context = readDescriptionAndContext(o, m.dataset.Label)
	m.primaryEntity = o.GetText("primary_entity")
	if defaults := o.Get("defaults"); defaults != nil {
		if d := o.ReadChild(defaults, "defaults"); d != nil {
			m.timeDimension = d.GetText("agg_time_dimension")
			d.Close()
		}
	}
	for _, item := range o.GetList("entities") {
		if e := p.readElement(item, "entity"); e != nil {
			m.entities = append(m.entities, e)
		}
	}
	for _, item := range o.GetList("dimensions") {
		if e := p.readDimension(item, m); e != nil {
			m.dimensions = append(m.dimensions, e)
		}
	}
	for _, item := range o.GetList("measures") {
		if x := p.readMeasure(item, m); x != nil {
			m.measures = append(m.measures, x)
		}
	}
	p.semanticModels = append(p.semanticModels, m)
	if p.modelsByName[name] == nil {
		p.modelsByName[name] = m
	}
}

// modelSource returns the table of a semantic model.
func (p *projectImport) modelSource(o *importer.ObjectReader) string {
	relation := o.Get("node_relation")
	model := o.GetText("model")
	if relation == nil {
		return p.tableOfDBTReference(model)
	}
	r := o.ReadChild(relation, "node_relation")
	if r == nil {
		return ""
	}
	defer r.Close()
	alias, schema, database, whole := r.GetText("alias"), r.GetText("schema_name"), r.GetText("database"), r.GetText("relation_name")
	r.RecordDroppedKey("compiled_sql", "the query of a dbt model is not a part of the semantic layer")
	switch {
	case p.options.SourcePrefix != "" && alias != "":
		return p.options.SourcePrefix + "." + alias
	case whole != "":
		return importer.BacktickPathToDoubleQuotes(whole)
	}
	var parts []string
	for _, part := range []string{database, schema, alias} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ".")
}

// tableOfDBTReference returns the table of ref('x'), ref('package', 'x') and source('schema', 'x'). Any
// other text is returned as it is: the compiler rejects what is not a table.
func (p *projectImport) tableOfDBTReference(text string) string {
	call, ok := parseTemplateCall(strings.TrimSpace(text))
	if !ok || len(call.args) == 0 || len(call.args) > 2 || len(call.methods) > 0 {
		return text
	}
	switch table := call.args[len(call.args)-1]; {
	case call.name == "ref" && p.options.SourcePrefix != "":
		return p.options.SourcePrefix + "." + table
	case call.name == "ref":
		return table
	case call.name == "source" && len(call.args) == 2:
		return call.args[0] + "." + table
	}
	return text
}

// readElement reads what entities and dimensions share.
func (p *projectImport) readElement(n *importer.Node, construct string) *entityOrDimension {
	if p.recordIfDisabled(n, construct) {
		return nil
	}
	o := p.report.ReadObject(n, construct, n.Get("name").String())
	if o == nil {
		return nil
	}
	e := &entityOrDimension{node: n, name: o.GetText("name"), kind: strings.ToLower(o.GetText("type")), expr: o.GetText("expr")}
	if e.name == "" {
		e.name = o.GetText("entity")
	}
	e.field = &draft.Field{Label: o.GetText("label")}
	e.field.Description, e.field.Context = readDescriptionAndContext(o, e.field.Label) // which is a key of a field
	if construct == "entity" {
		o.RecordDroppedKey("role", "an entity has no role")
	} else {
		o.IgnoreKeys("type_params", "is_partition")
	}
	o.Close()
	if e.name == "" {
		p.report.AddDropped(n, construct, "", "it has no name")
		return nil
	}
	if e.expr == "" {
		e.expr = e.name
	}
	return e
}

// readDimension reads a dimension of a semantic model.
func (p *projectImport) readDimension(n *importer.Node, m *semanticModel) *entityOrDimension {
	e := p.readElement(n, "dimension")
	if e == nil {
		return nil
	}
	if partition := n.Get("is_partition"); partition != nil && partition.IsTrue() {
		m.partitions = append(m.partitions, e)
	}
	params := n.Get("type_params")
	if params == nil {
		return e
	}
	o := p.report.ReadObject(params, "dimension type_params", e.name)
	if o == nil {
		return e
	}
	e.granularity = strings.ToLower(o.GetText("time_granularity"))
	if validity := o.Get("validity_params"); validity != nil {
		m.addValidityParams(e, validity)
	}
	o.Close()
	return e
}

// readMeasure reads a measure of a semantic model.
func (p *projectImport) readMeasure(n *importer.Node, m *semanticModel) *measure {
	if p.recordIfDisabled(n, "measure") {
		return nil
	}
	o := p.report.ReadObject(n, "measure", n.Get("name").String())
	if o == nil {
		return nil
	}
	defer o.Close()
	x := p.readMeasureAggregate(o, m)
	x.name = o.GetText("name")
	if x.name == "" {
		p.report.AddDropped(n, "measure", "", "it has no name")
		return nil
	}
	if x.expr == "" {
		x.expr = x.name
	}
	create := o.Get("create_metric")
	x.metric = create != nil && create.IsTrue()
	x.label = o.GetText("create_metric_display_name")
	description, context := readDescriptionAndContext(o, x.name)
	x.about = description
	if x.label == "" && len(context.Synonyms) > 0 {
		x.label = context.Synonyms[0]
	}
	if first := p.measures[x.name]; first != nil {
		p.report.AddDropped(n, "measure", x.name, "another measure has the same name")
		return nil
	}
	p.measures[x.name] = x
	return x
}

// readPercentile reads the parameters of a percentile: the fraction, and whether its value is one of the
// group, or estimated.
func (x *measure) readPercentile(params *importer.Node) {
	x.fraction = params.Get("percentile").String()
	if _, ok := sqlexpr.ParsePercentileFraction(x.fraction); !ok {
		x.refused = "its percentile is not a number from 0 to 1 with at most 9 digits"
	}
	x.discrete, x.estimated = params.Get("use_discrete_percentile").IsTrue(), params.Get("use_approximate_percentile").IsTrue()
}

// percentileSQL returns a percentile of a value.
func (x *measure) percentileSQL(value string) string {
	switch {
	case x.estimated && !x.discrete: // an estimate of a value of the group is that value at best
		return "APPROX_PERCENTILE(" + value + ", " + x.fraction + ")"
	case x.discrete:
		return "PERCENTILE_DISC(" + x.fraction + ") WITHIN GROUP (ORDER BY " + value + ")"
	}
	return "PERCENTILE_CONT(" + x.fraction + ") WITHIN GROUP (ORDER BY " + value + ")"
}

// readMeasureAggregate reads the keys of a measure that make its value.
func (p *projectImport) readMeasureAggregate(o *importer.ObjectReader, m *semanticModel) *measure {
	x := &measure{
		node: o.Node, model: m, agg: strings.ToLower(o.GetText("agg")), expr: o.GetText("expr"), time: o.GetText("agg_time_dimension"),
	}
	o.IgnoreKeys("agg_params")
	switch x.agg {
	case "sum", "count", "count_distinct", "average", "min", "max", "sum_boolean", "median":
	case "percentile":
		x.readPercentile(o.Get("agg_params"))
	default:
		x.refused = importer.MissingOrUnknown("aggregate", x.agg, "is not known")
	}
	if n := o.Get("non_additive_dimension"); n != nil {
		choice, err := readNonAdditiveDimension(n)
		if err != nil && x.refused == "" {
			x.refused = err.Error()
		}
		x.snapshots = choice
	}
	return x
}
