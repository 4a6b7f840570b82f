package snowflake

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Read imports the files of semantic views as one model. Errors are *importer.Error.
func Read(sources []importer.Source, options importer.Options) (*importer.Imported, error) {
	v := &view{
		report: &importer.Report{}, options: options, model: &draft.Model{Name: options.ModelName},
		datasetNames: importer.Names{}, relationshipNames: importer.Names{}, metricNames: importer.Names{},
		tables: map[string]*table{}, metrics: map[string]*metric{},
	}
	for i, source := range sources {
		documents, err := importer.Read(source, i)
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			v.document(document)
		}
	}
	v.addFields()
	v.addRelationships()
	v.addMetrics()
	dialect := ""
	if v.native {
		dialect = "snowflake"
	}
	return &importer.Imported{Model: v.model, Report: v.report, Tests: v.testFile(), Dialect: dialect}, nil
}

// view is what the files hold together.
type view struct {
	report  *importer.Report
	options importer.Options
	model   *draft.Model
	native  bool // an expression has no portable form

	tables        map[string]*table // by name in lower case, the first of each
	tableList     []*table
	relationships []*importer.Node
	metrics       map[string]*metric // by table and name in lower case
	metricList    []*metric
	verified      []verifiedQuery

	datasetNames, relationshipNames, metricNames importer.Names
}

func (v *view) document(n *importer.Node) {
	if n.Kind == importer.Null {
		return
	}
	o := v.report.Object(n, "semantic_model", n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	v.report.Exact(n, "semantic_model", o.Text("name"))
	if description := strings.TrimSpace(o.Text("description")); v.model.Description == "" {
		v.model.Description = description
	}
	v.instructions(o)
	for _, item := range o.List("tables") {
		v.addTable(item)
	}
	v.relationships = append(v.relationships, o.List("relationships")...)
	for _, item := range o.List("metrics") {
		v.addMetric(nil, item, "metric")
	}
	for _, item := range o.List("verified_queries") {
		v.addVerifiedQuery(item)
	}
}

// instructions reads the instructions for an agent.
func (v *view) instructions(o *importer.Object) {
	add := func(n *importer.Node, text string) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		if v.model.Context.Instructions != "" {
			v.model.Context.Instructions += "\n"
		}
		v.model.Context.Instructions += text
		v.report.Exact(n, "custom_instructions", "")
	}
	if n := o.Get("custom_instructions"); n != nil {
		add(n, o.Text("custom_instructions"))
	}
	if n := o.Get("module_custom_instructions"); n != nil {
		if c := o.Child(n, "module_custom_instructions"); c != nil {
			for _, m := range n.Members {
				add(n, c.Text(m.Key))
			}
			c.Close()
		}
	}
}

// context reads what describes an object.
func (v *view) context(o *importer.Object) (description string, context draft.Context) {
	description = strings.TrimSpace(o.Text("description"))
	for _, s := range o.List("synonyms") {
		if text := strings.TrimSpace(s.String()); text != "" {
			context.Synonyms = append(context.Synonyms, text)
		}
	}
	for _, key := range []string{"sample_values", "is_enum", "labels"} {
		if n := o.Get(key); n != nil {
			context.Other = append(context.Other, importer.ContextEntry(importer.Member{Key: key, Value: n}))
		}
	}
	for _, key := range []string{"cortex_search_service", "cortex_search_service_name"} {
		o.Drop(key, "a search service has no counterpart")
	}
	return description, context
}
