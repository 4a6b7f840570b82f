package snowflake

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Read imports the files of semantic views as one model. Errors are *importer.Error.
func Read(sources []importer.SourceFile, options importer.Options) (*importer.ImportedModel, error) {
	v := &semanticViewImport{
		report: &importer.Report{}, options: options, model: &draft.Model{Name: options.ModelName},
		datasetNames: importer.UniqueNames{}, relationshipNames: importer.UniqueNames{}, metricNames: importer.UniqueNames{},
		tables: map[string]*logicalTable{}, metrics: map[string]*metric{}, untyped: map[*importer.Node]bool{},
	}
	for i, source := range sources {
		for _, document := range v.readSource(source, i) {
			v.readDocument(document)
		}
	}
	v.addFields()
	v.addRelationships()
	v.addJoinedElements()
	v.addCrossTableAggregates()
	v.removeElementsOverDropped()
	v.addMetrics()
	return &importer.ImportedModel{Model: v.model, Report: v.report, Tests: v.testFileText(), Dialect: importer.MoveNativeExpressions(v.model, dialect)}, nil
}

// dialect is the dialect of every expression in a semantic view.
const dialect = "snowflake"

// readSource reads the documents of a file: YAML, or statements. A file that cannot be read is a dropped entry.
func (v *semanticViewImport) readSource(s importer.SourceFile, order int) []*importer.Node {
	if !isStatementFile(s) {
		return v.report.ReadDocuments(s, order)
	}
	documents, err := v.readStatements(s, order)
	if err != nil {
		v.report.AddUnreadableFile(s, order, err)
	}
	return documents
}

// semanticViewImport is what the files hold together.
type semanticViewImport struct {
	report  *importer.Report
	options importer.Options
	model   *draft.Model

	tables        map[string]*logicalTable // by name in lower case, the first of each
	tableList     []*logicalTable
	relationships []*importer.Node
	metrics       map[string]*metric // by table and name in lower case
	metricList    []*metric
	verified      []verifiedQuery
	entityFacts   []elementAggregatingOtherTable

	joinedElements []joinedElement
	// untyped are the tables of statements, which have no types of their dimensions.
	untyped map[*importer.Node]bool

	datasetNames, relationshipNames, metricNames importer.UniqueNames
}

func (v *semanticViewImport) readDocument(n *importer.Node) {
	if n.Kind == importer.KindNull {
		return
	}
	o := v.report.ReadObject(n, "semantic_model", n.Get("name").String())
	if o == nil {
		return
	}
	defer o.Close()
	v.report.AddExact(n, "semantic_model", o.GetText("name"))
	if description := strings.TrimSpace(o.GetText("description")); v.model.Description == "" {
		v.model.Description = description
	}
	v.readAgentInstructions(o)
	for _, item := range o.GetList("tables") {
		v.readTable(item)
	}
	v.relationships = append(v.relationships, o.GetList("relationships")...)
	o.RecordDroppedKey("extension", "it has no counterpart")
	o.RecordDroppedKey("max_staleness", "Snowflake keeps rows of the view until it ends, and a query here reads the tables")
	o.RecordDroppedKey("tags", "tags have no counterpart")
	for _, item := range o.GetList("metrics") {
		v.readMetric(nil, item, "metric")
	}
	for _, item := range o.GetList("verified_queries") {
		v.readVerifiedQuery(item)
	}
}

// readAgentInstructions reads the instructions for an agent.
func (v *semanticViewImport) readAgentInstructions(o *importer.ObjectReader) {
	add := func(n *importer.Node, text string) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		if v.model.Context.Instructions != "" {
			v.model.Context.Instructions += "\n"
		}
		v.model.Context.Instructions += text
		v.report.AddExact(n, "custom_instructions", "")
	}
	if n := o.Get("custom_instructions"); n != nil {
		add(n, o.GetText("custom_instructions"))
	}
	if n := o.Get("module_custom_instructions"); n != nil {
		if c := o.ReadChild(n, "module_custom_instructions"); c != nil {
			for _, m := range n.Members {
				add(n, c.GetText(m.Key))
			}
			c.Close()
		}
	}
}

// readDescriptionAndContext reads what describes an object.
func (v *semanticViewImport) readDescriptionAndContext(o *importer.ObjectReader) (description string, context draft.AIContext) {
	description = strings.TrimSpace(o.GetText("description"))
	if o.GetList("synonyms") != nil {
		context = importer.NewAIContext("", "", &importer.Node{Members: []importer.MapEntry{{Key: "synonyms", Value: o.Get("synonyms")}}})
	}
	for _, key := range []string{"sample_values", "is_enum", "labels"} {
		if n := o.Get(key); n != nil {
			context.Other = append(context.Other, importer.NewAIContextKeyValue(importer.MapEntry{Key: key, Value: n}))
		}
	}
	o.RecordDroppedKey("tags", "tags have no counterpart")
	for _, key := range []string{"cortex_search_service", "cortex_search_service_name"} {
		o.RecordDroppedKey(key, "a search service has no counterpart")
	}
	return description, context
}
