package draft

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec"
)

// tree is the document's root, and the comment lines behind its last key.
func tree(m *Model) (root *yaml.Node, tail []string) {
	model := newObject(nil)
	model.text("name", m.Name)
	model.optional("description", m.Description)
	model.context(m.Context)
	datasets := sequence()
	for _, d := range m.Datasets {
		datasets.Content = append(datasets.Content, datasetNode(d))
	}
	model.add("datasets", datasets)
	model.relationships(m.Relationships)
	if len(m.Metrics) > 0 {
		metrics := sequence()
		for _, x := range m.Metrics {
			metrics.Content = append(metrics.Content, metricNode(x))
		}
		model.add("metrics", metrics)
	}
	model.extension(payload(modelExtension{m.Queries}))
	document := newObject(nil)
	document.above = m.Comments
	document.text("version", modelspec.SpecVersion)
	document.add("semantic_model", sequence(model.Node))
	return document.Node, model.above
}

func (o *object) context(c Context) {
	if c.Instructions == "" && c.Synonyms == nil && c.Examples == nil && c.Other == nil {
		return
	}
	context := newObject(nil)
	context.optional("instructions", c.Instructions)
	for _, e := range append([]Entry{{Key: "synonyms", Values: c.Synonyms}, {Key: "examples", Values: c.Examples}}, c.Other...) {
		switch {
		case e.Values != nil:
			context.add(e.Key, blockList(e.Values))
		case e.Value != "":
			context.text(e.Key, e.Value)
		}
	}
	if len(context.Content) > 0 {
		o.add("ai_context", context.Node)
	}
}

func blockList(values []string) *yaml.Node {
	out := flowList(values)
	out.Style = 0
	return out
}

func datasetNode(d *Dataset) *yaml.Node {
	o := newObject(d.Comments)
	o.text("name", d.Name)
	o.text("source", d.Source)
	o.keys(d)
	if len(d.Fields) > 0 {
		fields := sequence()
		for _, f := range d.Fields {
			fields.Content = append(fields.Content, fieldNode(f))
		}
		o.add("fields", fields)
	}
	o.optional("description", d.Description)
	o.context(d.Context)
	o.extension(payload(datasetExtension{d.TimeDimension}))
	o.above, o.HeadComment = nil, joinComments(o.HeadComment, commentText(o.above))
	return o.Node
}

// joinComments joins two comments, either of which may be empty.
func joinComments(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// keys writes the primary key and the unique keys. One that is commented out comes above
// what follows it.
func (o *object) keys(d *Dataset) {
	var pending []string
	if key := d.PrimaryKey; len(key.Columns) > 0 {
		columns := flowList(key.Columns)
		if key.CommentedOut {
			o.above = append(o.above, keyComment("primary_key", columns, key.Note))
		} else {
			columns.LineComment = noteText(key.Note)
			o.add("primary_key", columns)
		}
	}
	unique := sequence()
	for _, key := range d.UniqueKeys {
		columns := flowList(key.Columns)
		if !key.CommentedOut {
			columns.LineComment = noteText(key.Note)
			unique.Content = append(unique.Content, columns)
			continue
		}
		keys := sequence(columns)
		keys.Style = yaml.FlowStyle
		pending = append(pending, keyComment("unique_keys", keys, key.Note))
	}
	if len(unique.Content) > 0 {
		o.add("unique_keys", unique)
	}
	o.above = append(o.above, pending...)
}

// keyComment is a key that is commented out, with its note.
func keyComment(key string, columns *yaml.Node, note string) string {
	return strings.TrimRight(oneLine(key, columns)+"  "+noteText(note), " ")
}

func noteText(note string) string {
	if note == "" {
		return ""
	}
	return commentText([]string{strings.Join(strings.Fields(note), " ")})
}

func fieldNode(f *Field) *yaml.Node {
	o := newObject(f.Comments)
	o.text("name", f.Name)
	o.expression(f.Expression)
	if f.Role != NoRole {
		dimension := newObject(nil)
		dimension.Style = yaml.FlowStyle
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
	return o.Node
}

// expression writes the entries of an expression, one for each dialect.
func (o *object) expression(e Expression) {
	entries := sequence()
	for _, entry := range e {
		x := newObject(nil)
		x.text("dialect", entry.Dialect)
		x.text("expression", entry.Text)
		entries.Content = append(entries.Content, x.Node)
	}
	value := newObject(nil)
	value.add("dialects", entries)
	o.add("expression", value.Node)
}

func boolean(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: text}
}

// relationships writes the list. Those that are commented out come above the first that
// is written, or above what follows the list.
func (o *object) relationships(list []*Relationship) {
	written := sequence()
	var pending []string
	for _, r := range list {
		node := relationshipNode(r)
		if !r.CommentedOut {
			written.Content = append(written.Content, node)
			continue
		}
		node.HeadComment = ""
		pending = append(pending, r.Comments...)
		pending = append(pending, strings.Split(strings.TrimSuffix(encode(sequence(node)), "\n"), "\n")...)
	}
	if len(written.Content) == 0 {
		if pending != nil {
			o.above = append(o.above, "relationships:")
		}
		for _, line := range pending {
			o.above = append(o.above, "  "+line)
		}
		return
	}
	first := written.Content[0]
	first.HeadComment = joinComments(commentText(pending), first.HeadComment)
	o.add("relationships", written)
}

func relationshipNode(r *Relationship) *yaml.Node {
	o := newObject(r.Comments)
	o.text("name", r.Name)
	o.text("from", r.From)
	o.text("to", r.To)
	o.names("from_columns", r.FromColumns)
	o.names("to_columns", r.ToColumns)
	o.optional("cardinality", r.Cardinality)
	o.context(r.Context)
	o.extension(payload(relationshipExtension{r.JoinType}))
	return o.Node
}

func metricNode(m *Metric) *yaml.Node {
	o := newObject(m.Comments)
	o.text("name", m.Name)
	o.expression(m.Expression)
	o.optional("datatype", m.Datatype)
	o.optional("description", m.Description)
	o.context(m.Context)
	o.extension(payload(m.Extension))
	return o.Node
}
