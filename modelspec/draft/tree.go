package draft

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// documentObject is the root of the document of a model.
func documentObject(m *Model) *object {
	model := newObject()
	model.text("name", m.Name)
	model.optional("description", m.Description)
	model.context(m.Context)
	datasets := sequence()
	for _, d := range m.Datasets {
		datasets.Entries = append(datasets.Entries, datasetItem(d))
	}
	model.add("datasets", datasets)
	model.relationships(m.Relationships)
	if len(m.Metrics) > 0 {
		metrics := sequence()
		for _, x := range m.Metrics {
			metrics.Entries = append(metrics.Entries, metricItem(x))
		}
		model.add("metrics", metrics)
	}
	model.extension(payload(modelExtension{m.Queries}))
	model.Foot = comments(model.above)
	document := newObject()
	document.text("version", modelspec.SpecVersion)
	document.add("semantic_model", sequence(item(model, nil)))
	return document
}

func (o *object) context(c Context) {
	if c.Instructions == "" && c.Synonyms == nil && c.Examples == nil && c.Other == nil {
		return
	}
	context := newObject()
	context.optional("instructions", c.Instructions)
	for _, e := range append([]Entry{{Key: "synonyms", Values: c.Synonyms}, {Key: "examples", Values: c.Examples}}, c.Other...) {
		switch {
		case e.Values != nil:
			context.add(e.Key, blockList(e.Values))
		case e.Value != "":
			context.text(e.Key, e.Value)
		}
	}
	if len(context.Entries) > 0 {
		o.add("ai_context", context.Node)
	}
}

func datasetItem(d *Dataset) *layout.Entry {
	o := newObject()
	o.text("name", d.Name)
	o.text("source", d.Source)
	o.keys(d)
	if len(d.Fields) > 0 {
		fields := sequence()
		for _, f := range d.Fields {
			fields.Entries = append(fields.Entries, fieldItem(f))
		}
		o.add("fields", fields)
	}
	o.optional("description", d.Description)
	o.context(d.Context)
	o.extension(payload(datasetExtension{d.TimeDimension}))
	return item(o, slices.Concat(d.Comments, o.above))
}

// keys writes the primary key and the unique keys. One that is commented out comes above
// what follows it.
func (o *object) keys(d *Dataset) {
	var pending []string
	if key := d.PrimaryKey; len(key.Columns) > 0 {
		if key.CommentedOut {
			o.above = append(o.above, keyComment("primary_key", flowList(key.Columns), key.Note))
		} else {
			o.names("primary_key", key.Columns)
			o.Entries[len(o.Entries)-1].Tail = noteComment(key.Note)
		}
	}
	unique := sequence()
	for _, key := range d.UniqueKeys {
		columns := &layout.Entry{Value: flowList(key.Columns)}
		if !key.CommentedOut {
			columns.Tail = noteComment(key.Note)
			unique.Entries = append(unique.Entries, columns)
			continue
		}
		keys := sequence(columns)
		keys.Flow = true
		pending = append(pending, keyComment("unique_keys", keys, key.Note))
	}
	if len(unique.Entries) > 0 {
		o.add("unique_keys", unique)
	}
	o.above = append(o.above, pending...)
}

// keyComment is a key that is commented out, with its note.
func keyComment(key string, columns *layout.Node, note string) string {
	o := newObject()
	o.add(key, columns)
	return strings.Join(append(printedLines(o.Node), noteComment(note)...), "  ")
}

// noteComment is the comment behind a key.
func noteComment(note string) []string {
	if note == "" {
		return nil
	}
	return commentLines([]string{strings.Join(strings.Fields(note), " ")})
}

func fieldItem(f *Field) *layout.Entry {
	o := newObject()
	o.text("name", f.Name)
	o.expression(f.Expression)
	if f.Role != NoRole {
		dimension := newObject()
		dimension.Flow = true
		switch f.Role {
		case Time:
			dimension.add("is_time", boolean("true"))
		case NotTime:
			dimension.add("is_time", boolean("false"))
		}
		o.add("dimension", dimension.Node)
	}
	o.optional("datatype", f.Datatype)
	o.optional("label", f.Label)
	o.optional("description", f.Description)
	o.context(f.Context)
	var requires []string
	if f.TimeFormat != nil {
		requires = []string{"time"}
	}
	o.extension(payload(fieldExtension{f.Granularity, f.IsDimension, f.TimeFormat, f.LOD}, requires...))
	return item(o, f.Comments)
}

// expression writes the entries of an expression, one for each dialect.
func (o *object) expression(e Expression) {
	entries := sequence()
	for _, entry := range e {
		x := newObject()
		x.text("dialect", entry.Dialect)
		x.text("expression", entry.Text)
		entries.Entries = append(entries.Entries, item(x, nil))
	}
	value := newObject()
	value.add("dialects", entries)
	o.add("expression", value.Node)
}

func boolean(text string) *layout.Node {
	return &layout.Node{Kind: layout.ScalarNode, Tag: "!!bool", Value: text}
}

// relationships writes the list. Those that are commented out come above the first that
// is written, or above what follows the list.
func (o *object) relationships(list []*Relationship) {
	written := sequence()
	var pending []string
	for _, r := range list {
		if !r.CommentedOut {
			written.Entries = append(written.Entries, item(relationshipObject(r), r.Comments))
			continue
		}
		pending = append(pending, r.Comments...)
		pending = append(pending, printedLines(sequence(item(relationshipObject(r), nil)))...)
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
	first.Head = slices.Concat(comments(pending), first.Head)
	o.add("relationships", written)
}

func relationshipObject(r *Relationship) *object {
	o := newObject()
	o.text("name", r.Name)
	o.text("from", r.From)
	o.text("to", r.To)
	o.names("from_columns", r.FromColumns)
	o.names("to_columns", r.ToColumns)
	o.optional("cardinality", r.Cardinality)
	o.context(r.Context)
	o.extension(payload(relationshipExtension{r.JoinType}))
	return o
}

func metricItem(m *Metric) *layout.Entry {
	o := newObject()
	o.text("name", m.Name)
	o.expression(m.Expression)
	o.optional("datatype", m.Datatype)
	o.optional("description", m.Description)
	o.context(m.Context)
	o.extension(payload(m.Extension))
	return item(o, m.Comments)
}
