package draft

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// newDocumentMapping returns the root of the document of a model.
func newDocumentMapping(m *Model) *mappingNodeBuilder {
	model := newMappingNodeBuilder()
	model.addTextMember("name", m.Name)
	model.addNonEmptyTextMember("description", m.Description)
	model.addAIContext(m.Context)
	datasets := newSequenceNode()
	for _, d := range m.Datasets {
		datasets.Entries = append(datasets.Entries, newDatasetDefinitionItem(d))
	}
	model.addMember("datasets", datasets)
	model.addRelationships(m.Relationships)
	if len(m.Metrics) > 0 {
		metrics := newSequenceNode()
		for _, x := range m.Metrics {
			metrics.Entries = append(metrics.Entries, newMetricDefinitionItem(x))
		}
		model.addMember("metrics", metrics)
	}
	model.addExtensionPayload(extensionPayloadJSON(modelExtension{m.Queries, m.Views}))
	model.Foot = newLayoutComments(model.above)
	document := newMappingNodeBuilder()
	document.addTextMember("version", modelspec.SpecVersion)
	document.addMember("semantic_model", newSequenceNode(newSequenceItem(model, nil)))
	return document
}

func (o *mappingNodeBuilder) addAIContext(c AIContext) {
	if c.Instructions == "" && c.Synonyms == nil && c.Examples == nil && c.Other == nil {
		return
	}
	context := newMappingNodeBuilder()
	context.addNonEmptyTextMember("instructions", c.Instructions)
	for _, e := range append([]AIContextKeyValue{{Key: "synonyms", Values: c.Synonyms}, {Key: "examples", Values: c.Examples}}, c.Other...) {
		switch {
		case e.Values != nil:
			context.addMember(e.Key, newBlockListNode(e.Values))
		case e.Value != "":
			context.addTextMember(e.Key, e.Value)
		}
	}
	if len(context.Entries) > 0 {
		o.addMember("ai_context", context.Node)
	}
}

func newDatasetDefinitionItem(d *Dataset) *layout.Entry {
	o := newMappingNodeBuilder()
	o.addTextMember("name", d.Name)
	o.addTextMember("source", d.Source)
	o.addPrimaryAndUniqueKeys(d)
	if len(d.Fields) > 0 {
		fields := newSequenceNode()
		for _, f := range d.Fields {
			fields.Entries = append(fields.Entries, newFieldDefinitionItem(f))
		}
		o.addMember("fields", fields)
	}
	o.addNonEmptyTextMember("description", d.Description)
	o.addAIContext(d.Context)
	var requires []string
	if d.Calendar != nil {
		requires = []string{"calendar"}
	}
	o.addExtensionPayload(extensionPayloadJSON(datasetExtension{d.TimeDimension, d.Calendar, d.Label}, requires...))
	return newSequenceItem(o, slices.Concat(d.Comments, o.above))
}

// addPrimaryAndUniqueKeys writes the primary key and the unique keys. One that is commented out comes above
// what follows it.
func (o *mappingNodeBuilder) addPrimaryAndUniqueKeys(d *Dataset) {
	var pending []string
	if key := d.PrimaryKey; len(key.Columns) > 0 {
		if key.CommentedOut {
			o.above = append(o.above, commentedOutKeyLines("primary_key", newFlowListNode(key.Columns), key.Note))
		} else {
			o.addTextListMember("primary_key", key.Columns)
			o.Entries[len(o.Entries)-1].Tail = noteCommentLines(key.Note)
		}
	}
	unique := newSequenceNode()
	for _, key := range d.UniqueKeys {
		columns := &layout.Entry{Value: newFlowListNode(key.Columns)}
		if !key.CommentedOut {
			columns.Tail = noteCommentLines(key.Note)
			unique.Entries = append(unique.Entries, columns)
			continue
		}
		keys := newSequenceNode(columns)
		keys.Flow = true
		pending = append(pending, commentedOutKeyLines("unique_keys", keys, key.Note))
	}
	if len(unique.Entries) > 0 {
		o.addMember("unique_keys", unique)
	}
	o.above = append(o.above, pending...)
}

// commentedOutKeyLines returns a key that is commented out, with its note.
func commentedOutKeyLines(key string, columns *layout.Node, note string) string {
	o := newMappingNodeBuilder()
	o.addMember(key, columns)
	return strings.Join(append(linesOfPrintedValue(o.Node), noteCommentLines(note)...), "  ")
}

// noteCommentLines returns the comment after a key.
func noteCommentLines(note string) []string {
	if note == "" {
		return nil
	}
	return splitIntoCommentLines([]string{strings.Join(strings.Fields(note), " ")})
}

func newFieldDefinitionItem(f *Field) *layout.Entry {
	o := newMappingNodeBuilder()
	o.addTextMember("name", f.Name)
	o.addExpression(f.Expression)
	if f.Role != FieldRoleUndeclared {
		dimension := newMappingNodeBuilder()
		dimension.Flow = true
		switch f.Role {
		case FieldRoleTime:
			dimension.addMember("is_time", newBooleanNode("true"))
		case FieldRoleNotTime:
			dimension.addMember("is_time", newBooleanNode("false"))
		}
		o.addMember("dimension", dimension.Node)
	}
	o.addNonEmptyTextMember("datatype", f.Datatype.String())
	o.addNonEmptyTextMember("label", f.Label)
	o.addNonEmptyTextMember("description", f.Description)
	o.addAIContext(f.Context)
	var requires []string
	if f.TimeFormat != nil {
		requires = []string{"time"}
	}
	o.addExtensionPayload(extensionPayloadJSON(fieldExtension{f.Granularity, f.IsDimension, f.TimeFormat, f.LOD, f.Order}, requires...))
	return newSequenceItem(o, f.Comments)
}

// addExpression writes the entries of an expression, one for each dialect.
func (o *mappingNodeBuilder) addExpression(e Expression) {
	entries := newSequenceNode()
	for _, entry := range e {
		x := newMappingNodeBuilder()
		x.addTextMember("dialect", entry.Dialect)
		x.addTextMember("expression", entry.Text)
		entries.Entries = append(entries.Entries, newSequenceItem(x, nil))
	}
	value := newMappingNodeBuilder()
	value.addMember("dialects", entries)
	o.addMember("expression", value.Node)
}

func newBooleanNode(text string) *layout.Node {
	return &layout.Node{Kind: layout.ScalarNode, Tag: "!!bool", Value: text}
}

// addRelationships writes the list. Those that are commented out come above the first that
// is written, or above what follows the list.
func (o *mappingNodeBuilder) addRelationships(list []*Relationship) {
	written := newSequenceNode()
	var pending []string
	for _, r := range list {
		if !r.CommentedOut {
			written.Entries = append(written.Entries, newSequenceItem(newRelationshipMapping(r), r.Comments))
			continue
		}
		pending = append(pending, r.Comments...)
		pending = append(pending, linesOfPrintedValue(newSequenceNode(newSequenceItem(newRelationshipMapping(r), nil)))...)
	}
	if len(written.Entries) == 0 {
		if pending != nil {
			o.above = append(o.above, "relationships:")
		}
		for _, line := range pending {
			o.above = append(o.above, "  "+line)
		}
		return
	}
	first := written.Entries[0]
	first.Head = slices.Concat(newLayoutComments(pending), first.Head)
	o.addMember("relationships", written)
}

func newRelationshipMapping(r *Relationship) *mappingNodeBuilder {
	o := newMappingNodeBuilder()
	o.addTextMember("name", r.Name)
	o.addTextMember("from", r.From)
	o.addTextMember("to", r.To)
	o.addTextListMember("from_columns", r.FromColumns)
	o.addTextListMember("to_columns", r.ToColumns)
	if r.Cardinality != modelspec.UnprovenCardinality {
		o.addTextMember("cardinality", r.Cardinality.String())
	}
	o.addAIContext(r.Context)
	o.addExtensionPayload(extensionPayloadJSON(relationshipExtension{r.JoinType, r.Valid}))
	return o
}

func newMetricDefinitionItem(m *Metric) *layout.Entry {
	o := newMappingNodeBuilder()
	o.addTextMember("name", m.Name)
	o.addExpression(m.Expression)
	o.addNonEmptyTextMember("datatype", m.Datatype.String())
	o.addNonEmptyTextMember("description", m.Description)
	o.addAIContext(m.Context)
	var requires []string
	if m.Extension.NonAdditive != nil {
		requires = []string{"non_additive"}
	}
	if m.Extension.Window != nil && m.Extension.Window.Population != "" {
		requires = append(requires, "window.population")
	}
	o.addExtensionPayload(extensionPayloadJSON(m.Extension, requires...))
	return newSequenceItem(o, m.Comments)
}
