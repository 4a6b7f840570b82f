package metricflow

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// semanticModel is one semantic model and the dataset that it becomes.
type semanticModel struct {
	node          *importer.Node
	name          string
	dataset       *draft.Dataset
	primaryEntity string
	timeDimension string
	entities      []*element
	dimensions    []*element
	measures      []*measure
	// validity and partitioned are why a row of the dataset is not found by a key alone.
	validity, partitioned bool
	columns               *importer.Columns
	fieldNames            map[string]bool
	fieldsByText          map[string]string // the first field of each expression
}

// addField adds a field to the dataset.
func (m *semanticModel) addField(f *draft.Field, expression string) {
	f.Expression = draft.ANSI(expression)
	m.dataset.Fields = append(m.dataset.Fields, f)
	m.fieldNames[f.Name] = true
	if _, known := m.fieldsByText[expression]; !known {
		m.fieldsByText[expression] = f.Name
	}
}

// element is an entity or a dimension.
type element struct {
	node        *importer.Node
	name        string
	kind        string // primary, unique, foreign, natural; categorical, time
	expr        string
	granularity string
	field       *draft.Field
	entry       *importer.Entry // of an entity with a field
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
	metric  bool   // create_metric
	label   string
	field   string // "" until a metric uses the measure
	about   string
}

func (p *project) addSemanticModel(n *importer.Node) {
	if p.disabled(n, "semantic_model") {
		return
	}
	name := n.Get("name").String()
	o := p.report.Object(n, "semantic_model", name)
	if o == nil {
		return
	}
	defer o.Close()
	if o.Text("name") == "" {
		p.report.Dropped(n, "semantic_model", "", "it has no name")
		return
	}
	m := &semanticModel{node: n, name: name, columns: &importer.Columns{}, fieldNames: map[string]bool{}, fieldsByText: map[string]string{}}
	m.dataset = &draft.Dataset{Source: p.source(o)}
	m.dataset.Description, m.dataset.Context = meta(o, name)
	m.primaryEntity = o.Text("primary_entity")
	if defaults := o.Get("defaults"); defaults != nil {
		if d := o.Child(defaults, "defaults"); d != nil {
			m.timeDimension = d.Text("agg_time_dimension")
			d.Close()
		}
	}
	for _, item := range o.List("entities") {
		if e := p.element(item, "entity"); e != nil {
			m.entities = append(m.entities, e)
		}
	}
	for _, item := range o.List("dimensions") {
		if e := p.dimension(item, m); e != nil {
			m.dimensions = append(m.dimensions, e)
		}
	}
	for _, item := range o.List("measures") {
		if x := p.measure(item, m); x != nil {
			m.measures = append(m.measures, x)
		}
	}
	p.semanticModels = append(p.semanticModels, m)
	if p.modelsByName[name] == nil {
		p.modelsByName[name] = m
	}
}

// source is the table of a semantic model.
func (p *project) source(o *importer.Object) string {
	relation := o.Get("node_relation")
	model := o.Text("model")
	if relation == nil {
		return p.reference(model)
	}
	r := o.Child(relation, "node_relation")
	if r == nil {
		return ""
	}
	defer r.Close()
	alias, schema, database, whole := r.Text("alias"), r.Text("schema_name"), r.Text("database"), r.Text("relation_name")
	r.Drop("compiled_sql", "the query of a dbt model is not a part of the semantic layer")
	switch {
	case p.options.SourcePrefix != "" && alias != "":
		return p.options.SourcePrefix + "." + alias
	case whole != "":
		return strings.ReplaceAll(whole, "`", `"`)
	}
	var parts []string
	for _, part := range []string{database, schema, alias} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ".")
}

// reference is the table of ref('x'), ref('package', 'x') and source('schema', 'x'). Any
// other text is returned as it is: the compiler refuses what is not a table.
func (p *project) reference(text string) string {
	call, ok := parseCall(strings.TrimSpace(text))
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

// element reads what entities and dimensions share.
func (p *project) element(n *importer.Node, construct string) *element {
	if p.disabled(n, construct) {
		return nil
	}
	o := p.report.Object(n, construct, n.Get("name").String())
	if o == nil {
		return nil
	}
	e := &element{node: n, name: o.Text("name"), kind: strings.ToLower(o.Text("type")), expr: o.Text("expr")}
	if e.name == "" {
		e.name = o.Text("entity")
	}
	e.field = &draft.Field{Label: o.Text("label")}
	e.field.Description, e.field.Context = meta(o, e.name)
	e.field.Context.Synonyms = nil // the field has the label itself
	if construct == "entity" {
		o.Drop("role", "an entity has no role")
	} else {
		o.Ignore("type_params", "is_partition")
	}
	o.Close()
	if e.name == "" {
		p.report.Dropped(n, construct, "", "it has no name")
		return nil
	}
	if e.expr == "" {
		e.expr = e.name
	}
	return e
}

// dimension reads a dimension of a semantic model.
func (p *project) dimension(n *importer.Node, m *semanticModel) *element {
	e := p.element(n, "dimension")
	if e == nil {
		return nil
	}
	if partition := n.Get("is_partition"); partition != nil && partition.True() {
		m.partitioned = true
		p.report.Dropped(partition, "dimension key", e.name+".is_partition", "the keys of a partitioned table are not proven: no relationship leads to it")
	}
	params := n.Get("type_params")
	if params == nil {
		return e
	}
	o := p.report.Object(params, "dimension type_params", e.name)
	if o == nil {
		return e
	}
	e.granularity = strings.ToLower(o.Text("time_granularity"))
	if validity := o.Get("validity_params"); validity != nil {
		m.validity = true
		p.report.Dropped(validity, "validity_params", e.name, "a row that holds for a time is not found by a key: no relationship leads to the dataset")
	}
	o.Close()
	return e
}

// measure reads a measure of a semantic model.
func (p *project) measure(n *importer.Node, m *semanticModel) *measure {
	if p.disabled(n, "measure") {
		return nil
	}
	o := p.report.Object(n, "measure", n.Get("name").String())
	if o == nil {
		return nil
	}
	defer o.Close()
	x := p.aggregate(o, m)
	x.name = o.Text("name")
	if x.name == "" {
		p.report.Dropped(n, "measure", "", "it has no name")
		return nil
	}
	if x.expr == "" {
		x.expr = x.name
	}
	create := o.Get("create_metric")
	x.metric = create != nil && create.True()
	x.label = o.Text("create_metric_display_name")
	description, context := meta(o, x.name)
	x.about = description
	if x.label == "" && len(context.Synonyms) > 0 {
		x.label = context.Synonyms[0]
	}
	if first := p.measures[x.name]; first != nil {
		p.report.Dropped(n, "measure", x.name, "another measure has the name")
		return nil
	}
	p.measures[x.name] = x
	return x
}

// aggregate reads the keys of a measure that make its value.
func (p *project) aggregate(o *importer.Object, m *semanticModel) *measure {
	x := &measure{
		node: o.Node, model: m, agg: strings.ToLower(o.Text("agg")), expr: o.Text("expr"), time: o.Text("agg_time_dimension"),
	}
	o.Ignore("agg_params")
	switch x.agg {
	case "sum", "count", "count_distinct", "average", "min", "max", "sum_boolean":
	case "median", "percentile":
		x.refused = "the aggregate " + x.agg + " is not supported"
	default:
		x.refused = "the aggregate " + x.agg + " is not known"
	}
	if n := o.Get("non_additive_dimension"); n != nil {
		x.refused = "a measure that is not additive over " + n.Get("name").String() + " has no counterpart"
	}
	return x
}
