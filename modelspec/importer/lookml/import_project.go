package lookml

import (
	"cmp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Read imports the files of a project as one model. Errors are *importer.Error.
func Read(sources []importer.SourceFile, options importer.Options) (*importer.ImportedModel, error) {
	p := &projectImport{
		report: &importer.Report{}, options: options, model: &draft.Model{Name: options.ModelName},
		views: newBlockRegistry(), explores: newBlockRegistry(), byName: map[string]*view{},
		entries:           map[*importer.Node]*importer.ReportEntry{},
		relationshipNames: importer.UniqueNames{}, metricNames: importer.UniqueNames{}, edges: map[string]string{},
	}
	var files [][]*block
	for i, source := range sources {
		items, err := parseFile(source, i)
		if err != nil {
			p.report.AddUnreadableFile(source, i, err)
			continue
		}
		files = append(files, items)
	}
	replaceConstants(files)
	isRefinement := func(b *block) bool { return strings.HasPrefix(b.name, "+") }
	for _, refinements := range []bool{false, true} { // which may come before their views
		for _, item := range slices.Concat(files...) {
			if isRefinement(item) == refinements {
				p.addTopLevelBlock(item)
			}
		}
	}
	p.hasBackticks = slices.ContainsFunc(slices.Concat(files...), func(b *block) bool {
		derived := b.findLastItem("derived_table")
		return strings.Contains(b.valueOfKey("sql_table_name")+derived.valueOfKey("sql"), "`")
	})
	p.addViews()
	p.addExplores()
	p.exploresKnown = true
	p.addJoinedDimensions()
	p.readConditionsOfExplores()
	p.addMetrics()
	p.addViewsOfExplores()
	p.report.RecordValuesOverNoRow(p.model, "Looker", p.options.Dialect)
	return &importer.ImportedModel{Model: p.model, Report: p.report, Dialect: importer.MoveNativeExpressions(p.model, p.options.Dialect)}, nil
}

// projectImport is what the files hold together.
type projectImport struct {
	report   *importer.Report
	options  importer.Options
	model    *draft.Model
	views    *blockRegistry
	explores *blockRegistry

	viewList []*view
	byName   map[string]*view
	edges    map[string]string // the name of a relationship by what it joins
	entries  map[*importer.Node]*importer.ReportEntry
	// ignoresCase is set where the model compares texts without regard to case.
	ignoresCase bool
	// hasBackticks is set where the name of a table is between backticks.
	hasBackticks bool
	// weeksMoved is set where weeks do not begin on Monday.
	weeksMoved bool
	// exploresKnown is set after the joins of all explores are read.
	exploresKnown bool
	// readExplores are the explores whose base view is in the model.
	readExplores []*explore

	relationshipNames, metricNames importer.UniqueNames
}

// addTopLevelBlock takes one construct of a file.
func (p *projectImport) addTopLevelBlock(b *block) {
	var err error
	switch {
	case b.key == "view" && b.braces:
		err = p.views.addOrRefineBlock(b)
	case b.key == "explore" && b.braces:
		err = p.explores.addOrRefineBlock(b)
	case b.key == "include":
		p.report.AddExact(b.node, b.key, b.node.Text).Reason = "the files are those of the command line"
		return
	case b.key == "fiscal_month_offset":
		p.report.AddDropped(b.node, b.key, b.node.Text, fiscalPeriodDropReason)
		return
	case b.key == "constant" && b.braces:
		p.report.AddExact(b.node, b.key, b.name).Reason = "its value is in the places of its name"
		return
	case b.key == "week_start_day" && !b.braces:
		if p.weeksMoved = !strings.EqualFold(b.node.Text, "monday"); p.weeksMoved {
			p.report.AddDropped(b.node, b.key, b.node.Text, "weeks begin on Monday; declare a calendar in the model for other weeks")
			return
		}
		p.report.AddExact(b.node, b.key, b.node.Text)
		return
	case b.key == "case_sensitive" && !b.braces:
		if p.ignoresCase = strings.EqualFold(b.node.Text, "no"); !p.ignoresCase {
			p.report.AddExact(b.node, b.key, b.node.Text)
			return
		}
		p.report.AddApproximated(b.node, b.key, b.node.Text, "the filters of measures hold by it, and conditions of a query compare as the database does")
		return
	case b.key == "connection" || b.key == "label" || b.key == "project_name":
		p.report.AddExact(b.node, b.key, b.node.Text).Reason = "it is not a part of the semantic layer"
		return
	case b.key == "map_layer" || b.key == "named_value_format":
		p.recordPresentation(b.node, b.key, b.name, "it is presentation")
		return
	default:
		p.recordDroppedBlock(b, "", cmp.Or(dropReasonByKey[b.key], "it has no counterpart"))
		return
	}
	if err != nil {
		p.report.AddDropped(b.node, b.key, b.name, err.Error())
		return
	}
	if strings.HasPrefix(b.name, "+") {
		p.report.AddExact(b.node, b.key+" refinement", b.name)
	}
}

// fiscalPeriodDropReason is the reason of what counts from another month than January.
const fiscalPeriodDropReason = "fiscal periods are those of a calendar, which is a table of days, and an offset of months is not a table: declare a calendar in the model"

// recordDroppedBlock records a construct without a counterpart.
func (p *projectImport) recordDroppedBlock(b *block, of, reason string) {
	name := b.name
	if of != "" {
		name = strings.TrimSuffix(of+"."+b.name, ".")
	}
	p.recordDroppedConstruct(b.node, b.key, name, reason)
}

// recordConstruct records a construct that is approximated where it has a loss.
func (p *projectImport) recordConstruct(at *importer.Node, construct, name, loss, path string) {
	if loss != "" {
		p.recordApproximatedConstruct(at, construct, name, loss, path)
		return
	}
	p.recordExactConstruct(at, construct, name, path)
}

// recordExactConstruct, approximated and dropped record a construct of a view or explore. One that others
// inherit has one entry: it is approximated where it is not exact in all of them.
func (p *projectImport) recordExactConstruct(at *importer.Node, construct, name, path string) {
	e := p.entries[at]
	if e == nil {
		p.entries[at] = p.report.AddExact(at, construct, name, path)
		return
	}
	if e.Outcome == importer.OutcomeDropped {
		e.Outcome, e.Reason = importer.OutcomeApproximated, e.Name+" is missing: "+e.Reason
	}
	if !slices.Contains(e.Became, path) {
		p.report.AddResultingObjectPath(e, path)
	}
}

func (p *projectImport) recordApproximatedConstruct(at *importer.Node, construct, name, reason, path string) {
	p.recordExactConstruct(at, construct, name, path)
	if e := p.entries[at]; e.Outcome == importer.OutcomeExact {
		e.Outcome, e.Reason = importer.OutcomeApproximated, reason
	}
}

func (p *projectImport) recordDroppedConstruct(at *importer.Node, construct, name, reason string) {
	e := p.entries[at]
	switch {
	case e == nil:
		p.entries[at] = p.report.AddDropped(at, construct, name, reason)
	case e.Outcome == importer.OutcomeExact:
		e.Outcome, e.Reason = importer.OutcomeApproximated, name+" is missing: "+reason
	}
}

// recordPresentation records a construct that shows values and has no part in them.
func (p *projectImport) recordPresentation(at *importer.Node, construct, name, reason string) {
	if p.entries[at] == nil {
		p.entries[at] = p.report.AddPresentation(at, construct, name, reason)
	}
}

// presentationKeys are keys that show a field and have no part in its value.
var presentationKeys = []string{
	"action", "actions", "drill_fields", "group_item_label", "html", "link", "order_by_field", "suggest_dimension", "suggest_explore",
	"suggest_persist_for", "suggestable", "suggestions", "full_suggestions", "bypass_suggest_restrictions", "style", "map_layer_name",
	"can_filter", "can_visualize", "allow_fill", "allow_approximate_optimization", "skip_drill_filter", "set", "sets",
	"fields", "hidden_fields",
}

// dropReasonByKey are the reasons of keys that change the rows of queries.
var dropReasonByKey = map[string]string{
	"sql_always_having": "in Looker each query of the explore has the condition; here a query gives it in having",
	"sql_where":         "in Looker each query with the join has the condition; here a query gives it in where_sql",
	"always_join":       "a view is joined where a query names a field of it",
	"aggregate_table":   importer.RollupReason,
	"datagroup":         importer.CacheReason,
	"persist_with":      importer.CacheReason,
	"persist_for":       importer.CacheReason,
}

// reportUnreadKeys records the keys of a block that were not read.
func (p *projectImport) reportUnreadKeys(b *block, of string, read ...string) {
	known := map[string]bool{}
	for _, key := range read {
		known[key] = true
	}
	shown := map[string]bool{}
	for _, key := range presentationKeys {
		shown[key] = true
	}
	for _, item := range b.items {
		switch {
		case known[item.key]:
		case shown[item.key]:
			p.recordPresentation(item.node, item.key, strings.TrimSuffix(of+"."+item.name, "."), "it is presentation")
		case isAccessKey(item.key):
			p.recordDroppedBlock(item, of, "access is not a part of the model")
			p.entries[item.node].IsAccessRule = true
		default:
			p.recordDroppedBlock(item, of, cmp.Or(dropReasonByKey[item.key], "it has no counterpart"))
		}
	}
}

// readDescriptionAndContext reads what describes a field that is known by a name: its label, its description, its tags and the texts
// that a list shows with it.
func readDescriptionAndContext(b *block, name string) (description string, context draft.AIContext) {
	context = importer.NewAIContext(b.valueOfKey("label"), name, nil)
	for _, key := range []string{"group_label", "view_label", "value_format", "value_format_name"} {
		if text := b.valueOfKey(key); text != "" {
			context.Other = append(context.Other, draft.AIContextKeyValue{Key: key, Value: text})
		}
	}
	if tags := b.listValuesOfKey("tags"); len(tags) > 0 {
		context.Other = append(context.Other, draft.AIContextKeyValue{Key: "tags", Values: tags})
	}
	return strings.TrimSpace(b.valueOfKey("description")), context
}

// descriptiveKeys are the keys that describe reads.
var descriptiveKeys = []string{"label", "description", "group_label", "view_label", "value_format", "value_format_name", "tags"}

func appendDescriptiveKeyNames(own ...string) []string { return append(own, descriptiveKeys...) }
