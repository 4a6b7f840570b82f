package modelspec

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// modelPlacement is how the document holds its model.
type modelPlacement uint8

const (
	modelPlacementInList        modelPlacement = iota // semantic_model: [ … ]
	modelPlacementAtRoot                              // the model's keys at the root
	documentFormBothListAndRoot                       // rejected
	modelPlacementMissing                             // rejected
)

// The names of the keys of every kind of object, for the check of unknown keys.
var (
	allowedRootKeys         = namesOfKeyDefinitions(keysByObjectKind[ObjectKindDocument])
	allowedModelKeys        = namesOfKeyDefinitions(keysByObjectKind[ObjectKindModel])
	allowedDatasetKeys      = namesOfKeyDefinitions(keysByObjectKind[ObjectKindDataset])
	allowedFieldKeys        = namesOfKeyDefinitions(keysByObjectKind[ObjectKindField])
	allowedDimensionKeys    = namesOfKeyDefinitions(keysByObjectKind[ObjectKindDimension])
	allowedRelationshipKeys = namesOfKeyDefinitions(keysByObjectKind[ObjectKindRelationship])
	allowedMetricKeys       = namesOfKeyDefinitions(keysByObjectKind[ObjectKindMetric])
	allowedExpressionKeys   = namesOfKeyDefinitions(keysByObjectKind[ObjectKindExpression])
	allowedDialectEntryKeys = namesOfKeyDefinitions(keysByObjectKind[ObjectKindDialectEntry])
	allowedExtensionKeys    = namesOfKeyDefinitions(keysByObjectKind[ObjectKindExtension])
	allowedRootAndModelKeys = append(append([]string{}, allowedRootKeys...), allowedModelKeys...)
)

// decodeDocument reads the tree into a document.
func decodeDocument(root *document.Node, text []byte) (*Document, error) {
	root = root.FollowAlias()
	if root.Kind != document.MappingNode {
		return nil, newParseError(positionOfNode(root), "a model is an object with the keys version and semantic_model; this text is %s", root.Describe())
	}
	doc := &Document{}
	r := &documentReader{doc: doc, text: text}
	o := mappingReader{r, Place{Position: positionOfNode(root)}, root.Members()}
	if key := o.findKeyNode("ontology"); key != nil {
		return nil, &LoadError{Kind: LoadErrorOntology, Position: positionOfNode(key), Message: "this is an ontology document; a model with datasets, relationships and metrics is expected (the ontology describes meaning only and holds nothing to query)"}
	}
	known := false
	for i := 0; i < len(o.members); i += 2 {
		known = known || containsString(allowedRootAndModelKeys, o.members[i].Value)
	}
	if !known {
		return nil, newParseError(positionOfNode(root), "the text is not a model: it has none of the keys %s", strings.Join(allowedRootAndModelKeys, ", "))
	}
	doc.root = o.Place
	doc.shape = detectModelListOrModelAtRoot(o)
	keys := allowedRootAndModelKeys
	if doc.shape == modelPlacementInList || doc.shape == modelPlacementMissing {
		keys = allowedRootKeys
	}
	o, _ = r.openMapping(root, "", "the document", keys)
	doc.Version = o.readVersion()
	switch doc.shape {
	case modelPlacementAtRoot:
		doc.Models = []*SemanticModel{r.readModel(o)}
	case modelPlacementInList, documentFormBothListAndRoot:
		o.visitItems("semantic_model", func(n *document.Node, location string) {
			if m, ok := r.openMapping(n, location, "a semantic model", allowedModelKeys); ok {
				doc.Models = append(doc.Models, r.readModel(m))
			}
		})
	}
	r.warnOfUnknownKeysBeyondLimit(doc.root)
	return doc, nil
}

func detectModelListOrModelAtRoot(o mappingReader) modelPlacement {
	list := o.findValueNode("semantic_model") != nil
	flat := o.findValueNode("name") != nil || o.findValueNode("datasets") != nil || o.findValueNode("relationships") != nil || o.findValueNode("metrics") != nil
	switch {
	case list && flat:
		return documentFormBothListAndRoot
	case list:
		return modelPlacementInList
	case flat:
		return modelPlacementAtRoot
	}
	return modelPlacementMissing
}

// readVersion accepts numbers too: for an unquoted 0.2 the error should be about the
// version, not about its type.
func (o mappingReader) readVersion() LocatedText {
	n := o.findValueNode("version")
	if n != nil && n.Kind == document.ScalarNode && (n.Tag == "!!float" || n.Tag == "!!int") {
		return LocatedText{Value: n.Value, Position: positionOfNode(n)}
	}
	return o.readRequiredText("version")
}

func (r *documentReader) readModel(o mappingReader) *SemanticModel {
	m := &SemanticModel{
		Place: o.Place, Name: o.readRequiredText("name"), Description: o.readText("description").Value,
		AIContext: o.readAIContext(), Extensions: o.readExtensions(),
	}
	o.visitItems("datasets", func(n *document.Node, location string) {
		if c, ok := r.openMapping(n, location, "a dataset", allowedDatasetKeys); ok {
			m.Datasets = append(m.Datasets, r.readDataset(c))
		}
	})
	o.visitItems("relationships", func(n *document.Node, location string) {
		if c, ok := r.openMapping(n, location, "a relationship", allowedRelationshipKeys); ok {
			m.Relationships = append(m.Relationships, r.readRelationship(c))
		}
	})
	o.visitItems("metrics", func(n *document.Node, location string) {
		if c, ok := r.openMapping(n, location, "a metric", allowedMetricKeys); ok {
			m.Metrics = append(m.Metrics, r.readMetric(c))
		}
	})
	return m
}

func (r *documentReader) readDataset(o mappingReader) *Dataset {
	d := &Dataset{
		Place: o.Place, Name: o.readRequiredText("name"), Source: o.readRequiredText("source"),
		PrimaryKey: o.readColumnNames("primary_key"), Description: o.readText("description").Value,
		AIContext: o.readAIContext(), Extensions: o.readExtensions(),
	}
	o.visitItemsUpTo("unique_keys", limits.UniqueKeys, func(n *document.Node, location string) {
		if key := r.readColumnNameList(n, listPlace{object: Place{Location: location}}, "a unique key"); len(key) > 0 {
			d.UniqueKeys = append(d.UniqueKeys, key)
		}
	})
	o.visitItems("fields", func(n *document.Node, location string) {
		if c, ok := r.openMapping(n, location, "a field", allowedFieldKeys); ok {
			d.addField(r.readField(c))
		}
	})
	return d
}

func (r *documentReader) readField(o mappingReader) *Field {
	f := &Field{
		Place: o.Place, Name: o.readRequiredText("name"), Expression: o.readExpression(),
		Datatype: o.readTextOfClosedSet("datatype", datatypeNames), Label: o.readText("label").Value,
		Description: o.readText("description").Value, AIContext: o.readAIContext(), Extensions: o.readExtensions(),
	}
	if n := o.findValueNode("dimension"); n != nil {
		if c, ok := r.openMapping(n, o.MemberLocation("dimension"), "dimension", allowedDimensionKeys); ok {
			f.Dimension = &Dimension{Place: c.Place, IsTime: c.readBoolean("is_time")}
		}
	}
	return f
}

func (r *documentReader) readRelationship(o mappingReader) *Relationship {
	return &Relationship{
		Place: o.Place, Name: o.readRequiredText("name"), From: o.readRequiredText("from"), To: o.readRequiredText("to"),
		FromColumns: o.readColumnNames("from_columns"), ToColumns: o.readColumnNames("to_columns"),
		Cardinality: o.readTextOfClosedSet("cardinality", Cardinalities()),
		AIContext:   o.readAIContext(), Extensions: o.readExtensions(),
	}
}

func (r *documentReader) readMetric(o mappingReader) *Metric {
	return &Metric{
		Place: o.Place, Name: o.readRequiredText("name"), Expression: o.readExpression(),
		Datatype:    o.readTextOfClosedSet("datatype", datatypeNames),
		Description: o.readText("description").Value, AIContext: o.readAIContext(), Extensions: o.readExtensions(),
	}
}

// readTextOfClosedSet reads an optional string out of a closed set.
func (o mappingReader) readTextOfClosedSet(key string, allowed []string) LocatedText {
	t := o.readText(key)
	if t.Value == "" || containsString(allowed, t.Value) {
		return t
	}
	meant := ""
	if name, ok := findIntendedValue(key, t.Value, allowed); ok {
		meant = "; did you mean " + name + "?"
	}
	o.addError(o.MemberLocation(key), t.Position, "%s %q is not one of %s%s", key, t.Value, strings.Join(allowed, ", "), meant)
	return LocatedText{}
}

// expandShortFormHint ends the message about a short form, which people may type and which no
// reader of the format accepts.
const expandShortFormHint = "; run semlayer fmt to expand it"

func (o mappingReader) readExpression() *Expression {
	const key, shown = "expression", "{dialects: [{dialect: ANSI_SQL, expression: …}]}"
	n := o.findValueNode(key)
	if n == nil {
		o.addMissingKeyError(key, "an object "+shown)
		return nil
	}
	if n.Kind != document.MappingNode {
		hint := ""
		if n.Kind == document.ScalarNode {
			hint = expandShortFormHint
		}
		o.addError(o.MemberLocation(key), positionOfNode(n), "expression must be an object %s, is %s%s", shown, n.Describe(), hint)
		return nil
	}
	e, _ := o.openMapping(n, o.MemberLocation(key), key, allowedExpressionKeys)
	x := &Expression{Place: e.Place}
	e.visitItemsUpTo("dialects", limits.ExpressionDialects, func(n *document.Node, location string) {
		c, ok := o.documentReader.openMapping(n, location, "an entry of dialects", allowedDialectEntryKeys)
		if !ok {
			return
		}
		entry := &DialectEntry{Place: c.Place, Dialect: c.readRequiredText("dialect"), Expression: c.readRequiredText("expression")}
		for _, other := range x.Entries {
			if strings.EqualFold(other.Dialect.Value, entry.Dialect.Value) && entry.Dialect.Value != "" {
				o.addError(c.MemberLocation("dialect"), entry.Dialect.Position, "the dialect %s has an entry already, at line %d", entry.Dialect.Value, other.Position.Line)
			}
		}
		x.Entries = append(x.Entries, entry)
	})
	list := e.findValueNode("dialects")
	if list == nil {
		e.addMissingKeyError("dialects", "a list of at least one {dialect, expression}")
	}
	// An empty list is an expression in no SQL dialect, which the rules judge.
	if len(x.Entries) == 0 && (list == nil || list.Kind != document.SequenceNode || len(list.Content) > 0) {
		return nil
	}
	return x
}

func (o mappingReader) readExtensions() []*CustomExtension {
	var out []*CustomExtension
	o.visitItems("custom_extensions", func(n *document.Node, location string) {
		c, ok := o.documentReader.openMapping(n, location, "a custom extension", allowedExtensionKeys)
		if !ok {
			return
		}
		x := &CustomExtension{Place: c.Place, VendorName: c.readRequiredText("vendor_name").Value}
		// The format does not restrict the data of other vendors. The compiler
		// checks the payloads of this extension.
		if data := c.findValueNode("data"); data != nil && data.IsText() {
			x.Data, x.IsText = c.readText("data"), true
		} else if data != nil {
			x.Data.Position, x.IsObject = positionOfNode(data), data.Kind == document.MappingNode
		}
		out = append(out, x)
	})
	return out
}
