package modelspec

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/nodes"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// docShape is how the document holds its model.
type docShape uint8

const (
	shapeList    docShape = iota // semantic_model: [ … ]
	shapeFlat                    // the model's keys at the root
	shapeBoth                    // refused
	shapeNeither                 // refused
)

// The names of the keys of every kind of object, for the check of unknown keys.
var (
	rootKeys         = keyNames(objectKeys[KindDocument])
	modelKeys        = keyNames(objectKeys[KindModel])
	datasetKeys      = keyNames(objectKeys[KindDataset])
	fieldKeys        = keyNames(objectKeys[KindField])
	dimensionKeys    = keyNames(objectKeys[KindDimension])
	relationshipKeys = keyNames(objectKeys[KindRelationship])
	metricKeys       = keyNames(objectKeys[KindMetric])
	expressionKeys   = keyNames(objectKeys[KindExpression])
	entryKeys        = keyNames(objectKeys[KindDialectEntry])
	extensionKeys    = keyNames(objectKeys[KindExtension])
	anyRootKeys      = append(append([]string{}, rootKeys...), modelKeys...)
)

// Datatypes lists the datatypes of the format.
func Datatypes() []string {
	return []string{"String", "Integer", "Decimal", "Float", "Boolean", "Date", "Time", "DateTime", "DateTimeTz", "Opaque"}
}

// datatypeSummaries describe the datatypes, in their order.
var datatypeSummaries = []string{
	"text", "integers", "decimal numbers with exact digits", "floating-point numbers", "true and false",
	"calendar days", "times of day", "dates with times", "dates with times and a time zone", "values that are only counted and shown",
}

// cardinalitySummaries describe the cardinalities, in their order.
var cardinalitySummaries = []string{
	"each row of the many side has at most one match", "each row of both sides has at most one match", "rows of both sides may have several matches",
}

// Cardinalities lists the values of a relationship's cardinality.
func Cardinalities() []string { return []string{"many_to_one", "one_to_one", "many_to_many"} }

// decode reads the tree into a document.
func decode(root *nodes.Node, text []byte) (*Document, error) {
	root = followAlias(root)
	if root.Kind != yaml.MappingNode {
		return nil, parseFailure(positionOfNode(root), "a model is an object with the keys version and semantic_model; this text is %s", describeNode(root))
	}
	doc := &Document{}
	r := &reader{doc: doc, text: text}
	o := object{r, Place{Position: positionOfNode(root)}, mergedNodes(root)}
	if key := o.key("ontology"); key != nil {
		return nil, &LoadError{Kind: LoadOntology, Position: positionOfNode(key), Message: "this is an ontology document; a model with datasets, relationships and metrics is expected (the ontology describes meaning only and holds nothing to query)"}
	}
	known := false
	for i := 0; i < len(o.members); i += 2 {
		known = known || containsString(anyRootKeys, o.members[i].Value)
	}
	if !known {
		return nil, parseFailure(positionOfNode(root), "the text is not a model: it has none of the keys %s", strings.Join(anyRootKeys, ", "))
	}
	doc.root = o.Place
	doc.shape = documentShape(o)
	keys := anyRootKeys
	if doc.shape == shapeList || doc.shape == shapeNeither {
		keys = rootKeys
	}
	o, _ = r.object(root, "", "the document", keys)
	doc.Version = o.version()
	switch doc.shape {
	case shapeFlat:
		doc.Models = []*SemanticModel{r.model(o)}
	case shapeList, shapeBoth:
		o.eachItem("semantic_model", func(n *nodes.Node, location string) {
			if m, ok := r.object(n, location, "a semantic model", modelKeys); ok {
				doc.Models = append(doc.Models, r.model(m))
			}
		})
	}
	r.countUnknown(doc.root)
	return doc, nil
}

func documentShape(o object) docShape {
	list := o.get("semantic_model") != nil
	flat := o.get("name") != nil || o.get("datasets") != nil || o.get("relationships") != nil || o.get("metrics") != nil
	switch {
	case list && flat:
		return shapeBoth
	case list:
		return shapeList
	case flat:
		return shapeFlat
	}
	return shapeNeither
}

// version accepts numbers too: for an unquoted 0.2 the error should be about the
// version, not about its type.
func (o object) version() Text {
	n := o.get("version")
	if n != nil && n.Kind == yaml.ScalarNode && (n.Tag == "!!float" || n.Tag == "!!int") {
		return Text{Value: n.Value, Position: positionOfNode(n)}
	}
	return o.required("version")
}

func (r *reader) model(o object) *SemanticModel {
	m := &SemanticModel{
		Place: o.Place, Name: o.required("name"), Description: o.text("description").Value,
		AIContext: o.aiContext(), Extensions: o.extensions(),
	}
	o.eachItem("datasets", func(n *nodes.Node, location string) {
		if c, ok := r.object(n, location, "a dataset", datasetKeys); ok {
			m.Datasets = append(m.Datasets, r.dataset(c))
		}
	})
	o.eachItem("relationships", func(n *nodes.Node, location string) {
		if c, ok := r.object(n, location, "a relationship", relationshipKeys); ok {
			m.Relationships = append(m.Relationships, r.relationship(c))
		}
	})
	o.eachItem("metrics", func(n *nodes.Node, location string) {
		if c, ok := r.object(n, location, "a metric", metricKeys); ok {
			m.Metrics = append(m.Metrics, r.metric(c))
		}
	})
	return m
}

func (r *reader) dataset(o object) *Dataset {
	d := &Dataset{
		Place: o.Place, Name: o.required("name"), Source: o.required("source"),
		PrimaryKey: o.columns("primary_key"), Description: o.text("description").Value,
		AIContext: o.aiContext(), Extensions: o.extensions(),
	}
	o.eachItemUpTo("unique_keys", limits.UniqueKeys, func(n *nodes.Node, location string) {
		if key := r.columns(n, location, "a unique key"); len(key) > 0 {
			d.UniqueKeys = append(d.UniqueKeys, key)
		}
	})
	o.eachItem("fields", func(n *nodes.Node, location string) {
		if c, ok := r.object(n, location, "a field", fieldKeys); ok {
			d.addField(r.field(c))
		}
	})
	return d
}

func (r *reader) field(o object) *Field {
	f := &Field{
		Place: o.Place, Name: o.required("name"), Expression: o.expression(),
		Datatype: o.enum("datatype", Datatypes()), Label: o.text("label").Value,
		Description: o.text("description").Value, AIContext: o.aiContext(), Extensions: o.extensions(),
	}
	if n := o.get("dimension"); n != nil {
		if c, ok := r.object(n, o.At("dimension"), "dimension", dimensionKeys); ok {
			f.Dimension = &Dimension{Place: c.Place, IsTime: c.boolean("is_time")}
		}
	}
	return f
}

func (r *reader) relationship(o object) *Relationship {
	return &Relationship{
		Place: o.Place, Name: o.required("name"), From: o.required("from"), To: o.required("to"),
		FromColumns: o.columns("from_columns"), ToColumns: o.columns("to_columns"),
		Cardinality: o.enum("cardinality", Cardinalities()),
		AIContext:   o.aiContext(), Extensions: o.extensions(),
	}
}

func (r *reader) metric(o object) *Metric {
	return &Metric{
		Place: o.Place, Name: o.required("name"), Expression: o.expression(),
		Datatype:    o.enum("datatype", Datatypes()),
		Description: o.text("description").Value, AIContext: o.aiContext(), Extensions: o.extensions(),
	}
}

// enum reads an optional string out of a closed set.
func (o object) enum(key string, allowed []string) Text {
	t := o.text(key)
	if t.Value == "" || containsString(allowed, t.Value) {
		return t
	}
	meant := ""
	if name, ok := findSynonym(key, t.Value, allowed); ok {
		meant = "; did you mean " + name + "?"
	}
	o.addError(o.At(key), t.Position, "%s %q is not one of %s%s", key, t.Value, strings.Join(allowed, ", "), meant)
	return Text{}
}

// expandHint ends the message about a short form, which people may type and which no
// reader of the format accepts.
const expandHint = "; run semlayer fmt to expand it"

func (o object) expression() *Expression {
	const key, shown = "expression", "{dialects: [{dialect: ANSI_SQL, expression: …}]}"
	n := o.get(key)
	if n == nil {
		o.addMissingKey(key, "an object "+shown)
		return nil
	}
	if n.Kind != yaml.MappingNode {
		hint := ""
		if n.Kind == yaml.ScalarNode {
			hint = expandHint
		}
		o.addError(o.At(key), positionOfNode(n), "expression must be an object %s, is %s%s", shown, describeNode(n), hint)
		return nil
	}
	e, _ := o.object(n, o.At(key), key, expressionKeys)
	x := &Expression{Place: e.Place}
	e.eachItemUpTo("dialects", limits.Dialects, func(n *nodes.Node, location string) {
		c, ok := o.reader.object(n, location, "an entry of dialects", entryKeys)
		if !ok {
			return
		}
		entry := &DialectEntry{Place: c.Place, Dialect: c.required("dialect"), Expression: c.required("expression")}
		for _, other := range x.Entries {
			if strings.EqualFold(other.Dialect.Value, entry.Dialect.Value) && entry.Dialect.Value != "" {
				o.addError(c.At("dialect"), entry.Dialect.Position, "the dialect %s has an entry already, at line %d", entry.Dialect.Value, other.Position.Line)
			}
		}
		x.Entries = append(x.Entries, entry)
	})
	list := e.get("dialects")
	if list == nil {
		e.addMissingKey("dialects", "a list of at least one {dialect, expression}")
	}
	// An empty list is an expression in no SQL dialect, which the rules judge.
	if len(x.Entries) == 0 && (list == nil || list.Kind != yaml.SequenceNode || len(list.Content) > 0) {
		return nil
	}
	return x
}

func (o object) extensions() []*CustomExtension {
	var out []*CustomExtension
	o.eachItem("custom_extensions", func(n *nodes.Node, location string) {
		c, ok := o.reader.object(n, location, "a custom extension", extensionKeys)
		if !ok {
			return
		}
		x := &CustomExtension{Place: c.Place, VendorName: c.required("vendor_name").Value}
		// The format does not restrict the data of other vendors. The compiler
		// checks the payloads of this extension.
		if data := c.get("data"); data != nil && data.Kind == yaml.ScalarNode && data.Tag == "!!str" {
			x.Data, x.IsText = c.text("data"), true
		} else if data != nil {
			x.Data.Position, x.IsObject = positionOfNode(data), data.Kind == yaml.MappingNode
		}
		out = append(out, x)
	})
	return out
}
