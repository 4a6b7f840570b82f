package metricflow

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Read imports the files of a project. Errors are *importer.Error.
func Read(sources []importer.SourceFile, options importer.Options) (*importer.ImportedModel, error) {
	p := &projectImport{
		report: &importer.Report{}, options: options, model: &draft.Model{Name: options.ModelName},
		datasetNames: importer.UniqueNames{}, metricNames: importer.UniqueNames{}, relationshipNames: importer.UniqueNames{}, queryNames: importer.UniqueNames{},
		modelsByName: map[string]*semanticModel{}, measures: map[string]*measure{}, metrics: map[string]*metric{},
		conversionRows: map[string]*conversionRows{},
	}
	for i, source := range sources {
		for _, document := range p.report.ReadDocuments(source, i) {
			p.readDocument(document)
		}
	}
	p.addDatasets()
	p.addTimeSpineDatasets()
	if err := p.addRelationships(); err != nil {
		return nil, err
	}
	p.addMetrics()
	p.addSavedQueries()
	return &importer.ImportedModel{Model: p.model, Report: p.report, Dialect: importer.MoveNativeExpressions(p.model, p.options.Dialect)}, nil
}

// projectImport is what the files hold together.
type projectImport struct {
	report  *importer.Report
	options importer.Options
	model   *draft.Model

	semanticModels []*semanticModel
	modelsByName   map[string]*semanticModel // the first of each name
	measures       map[string]*measure
	metrics        map[string]*metric
	metricList     []*metric
	savedQueries   []*savedQuery
	timeSpines     []*timeSpine
	conversionRows map[string]*conversionRows // by what makes them different
	expansions     int                        // metrics that were written out for the metric at hand
	operands       int                        // of all metrics made of metrics
	helpers        int                        // metrics that are parts of others

	datasetNames, metricNames, relationshipNames, queryNames importer.UniqueNames
}

// dbtTableAndTestSections of a dbt file that describe tables and tests. They hold no part of the semantic
// layer.
var dbtTableAndTestSections = []string{
	"models", "sources", "seeds", "snapshots", "analyses", "macros", "exposures", "groups", "unit_tests", "data_tests", "tests", "functions",
}

// readDocument reads one document: a file of a dbt project, a manifest, or one object by
// itself.
func (p *projectImport) readDocument(n *importer.Node) {
	if n.Kind == importer.KindNull {
		return
	}
	o := p.report.ReadObject(n, "document", "")
	if o == nil {
		return
	}
	o.IgnoreKeys("version")
	for _, item := range o.GetList("semantic_models") {
		p.readSemanticModel(item)
	}
	if one := o.Get("semantic_model"); one != nil {
		p.readSemanticModel(one)
	}
	for _, item := range o.GetList("metrics") {
		p.readMetric(withTypeParams(item, ""))
	}
	if one := o.Get("metric"); one != nil {
		p.readMetric(withTypeParams(one, ""))
	}
	for _, item := range o.GetList("saved_queries") {
		p.readSavedQuery(item)
	}
	if one := o.Get("saved_query"); one != nil {
		p.readSavedQuery(one)
	}
	p.readManifestTimeSpines(o)
	for _, section := range dbtTableAndTestSections {
		if node := o.Get(section); node != nil {
			p.recordDBTSection(section, node)
		}
	}
	o.Close()
}

// recordDBTSection records a section of dbt, and adds what its models declare.
func (p *projectImport) recordDBTSection(name string, n *importer.Node) {
	declared := false
	for _, item := range n.Items {
		declared = name == "models" && p.addDBTModel(item) || declared
	}
	if !declared {
		p.report.AddExact(n, name, name).Reason = "the section describes tables, not metrics"
	}
}

// readManifestTimeSpines records the settings of the project: each time spine, and the rest.
func (p *projectImport) readManifestTimeSpines(o *importer.ObjectReader) {
	n := o.Get("project_configuration")
	if n == nil {
		return
	}
	spines := 0
	for _, key := range []string{"time_spines", "time_spine_table_configurations"} {
		if list := n.Get(key); list != nil {
			for _, spine := range list.Items {
				spines++
				name := spine.Get("node_relation").Get("alias").String() + spine.Get("location").String()
				p.readTimeSpine(spine, name)
			}
		}
	}
	if spines == 0 {
		p.report.AddDropped(n, "project_configuration", "", "the settings of a project have no counterpart")
	}
}

// readDescriptionAndContext reads description, label and meta of an object into a description and a context. The
// label is a name that people use for the object.
func readDescriptionAndContext(o *importer.ObjectReader, name string) (description string, context draft.AIContext) {
	var values *importer.Node
	if config := o.Get("config"); config != nil {
		c := o.ReadChild(config, "config")
		if c != nil {
			values = c.Get("meta")
			c.IgnoreKeys("enabled")
			c.Close()
		}
	}
	if own := o.Get("meta"); own != nil {
		values = own
	}
	o.IgnoreKeys("metadata")
	return strings.TrimSpace(o.GetText("description")), importer.NewAIContext(o.GetText("label"), name, values)
}

// recordIfDisabled records an object that its project switched off.
func (p *projectImport) recordIfDisabled(n *importer.Node, construct string) bool {
	if enabled := n.Get("config").Get("enabled"); enabled == nil || enabled.IsTrue() {
		return false
	}
	p.report.AddDropped(n, construct, n.Get("name").String(), "it is not enabled")
	return true
}
