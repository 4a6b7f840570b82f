package modelspec

import (
	"slices"
	"strings"
)

// ValueType is the type of the value of a key.
type ValueType uint8

// The types of values.
const (
	ValueTypeAny             ValueType = iota // not read
	ValueTypeText                             // a string
	ValueTypeBoolean                          // true or false
	ValueTypeTextList                         // a list of strings
	ValueTypeListOfTextLists                  // a list of lists of strings
	ValueTypeObject                           // an object
	ValueTypeObjectList                       // a list of objects
	ValueTypeTextOrObject                     // a string or an object
	ValueTypeJSONText                         // a string that holds a JSON document
)

// ObjectKind is a kind of object of the format.
type ObjectKind uint8

// The kinds of objects.
const (
	ObjectKindUnknown ObjectKind = iota // an object that the format does not describe
	ObjectKindDocument
	ObjectKindModel
	ObjectKindDataset
	ObjectKindField
	ObjectKindDimension
	ObjectKindRelationship
	ObjectKindMetric
	ObjectKindExpression
	ObjectKindDialectEntry
	ObjectKindExtension
	ObjectKindAIContext
)

// ObjectKeyDefinition is one key of a kind of object.
type ObjectKeyDefinition struct {
	Name     string
	Type     ValueType
	Object   ObjectKind // of the value, or of the items of the value
	Required bool
	Enum     []string // the only values; nil where any is accepted
	// EnumSummaries describe the values of Enum, in their order; nil where nothing needs to
	// be added to the values.
	EnumSummaries []string
	Summary       string
}

// KeysOfObjectKind lists the keys of a kind of object in the order of the format.
func KeysOfObjectKind(kind ObjectKind) []ObjectKeyDefinition {
	return slices.Clone(keysByObjectKind[kind])
}

// RootKeysOf lists the keys of the root of a document: those of ObjectKindDocument, and where
// the document has its model at the root, those of ObjectKindModel after them.
func RootKeysOf(modelAtRoot bool) []ObjectKeyDefinition {
	if !modelAtRoot {
		return KeysOfObjectKind(ObjectKindDocument)
	}
	return slices.DeleteFunc(slices.Concat(keysByObjectKind[ObjectKindDocument], keysByObjectKind[ObjectKindModel]), func(k ObjectKeyDefinition) bool { return k.Name == modelListKey })
}

const modelListKey = "semantic_model"

var (
	descriptionKeyDefinition = ObjectKeyDefinition{Name: "description", Type: ValueTypeText, Summary: "description of the object, for people and agents"}
	aiContextKeyDefinition   = ObjectKeyDefinition{Name: "ai_context", Type: ValueTypeTextOrObject, Object: ObjectKindAIContext, Summary: "instructions and synonyms for agents"}
	extensionsKeyDefinition  = ObjectKeyDefinition{Name: "custom_extensions", Type: ValueTypeObjectList, Object: ObjectKindExtension, Summary: "payloads of vendors"}
	datatypeKeyDefinition    = ObjectKeyDefinition{Name: "datatype", Type: ValueTypeText, Enum: Datatypes(), EnumSummaries: summariesOfDatatypes(), Summary: "type of the values"}
	expressionKeyDefinition  = ObjectKeyDefinition{Name: "expression", Type: ValueTypeObject, Object: ObjectKindExpression, Required: true}
)

// newNameKeyDefinition returns the required key `name`.
func newNameKeyDefinition(summary string) ObjectKeyDefinition {
	return ObjectKeyDefinition{Name: "name", Type: ValueTypeText, Required: true, Summary: summary}
}

// withSummary returns a key with another summary.
func (k ObjectKeyDefinition) withSummary(summary string) ObjectKeyDefinition {
	k.Summary = summary
	return k
}

var keysByObjectKind = map[ObjectKind][]ObjectKeyDefinition{
	ObjectKindDocument: {
		{Name: "version", Type: ValueTypeText, Required: true, Enum: []string{SpecVersion}, Summary: "version of the format: " + SpecVersion},
		{Name: modelListKey, Type: ValueTypeObjectList, Object: ObjectKindModel, Summary: "the one semantic model"},
		{Name: "dialects", Summary: "names of the dialects in the file; not read"},
		{Name: "vendors", Summary: "names of the vendors in the file; not read"},
	},
	ObjectKindModel: {
		newNameKeyDefinition("name of the model"),
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		{Name: "datasets", Type: ValueTypeObjectList, Object: ObjectKindDataset, Summary: "the logical tables; at least one"},
		{Name: "relationships", Type: ValueTypeObjectList, Object: ObjectKindRelationship, Summary: "how datasets join"},
		{Name: "metrics", Type: ValueTypeObjectList, Object: ObjectKindMetric, Summary: "named aggregates"},
		extensionsKeyDefinition,
	},
	ObjectKindDataset: {
		newNameKeyDefinition("name of the dataset, unique in the model"),
		{Name: "source", Type: ValueTypeText, Required: true, Summary: "a table (table, schema.table, database.schema.table), or a query that begins with SELECT or WITH"},
		{Name: "primary_key", Type: ValueTypeTextList, Summary: "columns that identify a row"},
		{Name: "unique_keys", Type: ValueTypeListOfTextLists, Summary: "other lists of columns that identify a row"},
		{Name: "fields", Type: ValueTypeObjectList, Object: ObjectKindField, Summary: "the row-level values"},
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	ObjectKindField: {
		newNameKeyDefinition("name of the field, unique in the dataset"),
		expressionKeyDefinition.withSummary("a scalar over the dataset's columns or its other fields"),
		{Name: "dimension", Type: ValueTypeObject, Object: ObjectKindDimension, Summary: "the role of the field in a group-by"},
		datatypeKeyDefinition,
		{Name: "label", Type: ValueTypeText, Summary: "the name to show"},
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	ObjectKindDimension: {
		{Name: "is_time", Type: ValueTypeBoolean, Summary: "whether the field is a time field; without it, the datatype decides"},
	},
	ObjectKindRelationship: {
		newNameKeyDefinition("name of the relationship"),
		{Name: "from", Type: ValueTypeText, Required: true, Summary: "dataset of the many side"},
		{Name: "to", Type: ValueTypeText, Required: true, Summary: "dataset of the one side"},
		{Name: "from_columns", Type: ValueTypeTextList, Required: true, Summary: "fields of the many side, paired with to_columns by position"},
		{Name: "to_columns", Type: ValueTypeTextList, Required: true, Summary: "fields of the one side"},
		{Name: "cardinality", Type: ValueTypeText, Enum: Cardinalities(), EnumSummaries: cardinalitySummaries, Summary: "how many rows match; without it, the keys decide"},
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	ObjectKindMetric: {
		newNameKeyDefinition("name of the metric, unique in the model"),
		expressionKeyDefinition.withSummary("aggregates over fields of datasets"),
		datatypeKeyDefinition,
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	ObjectKindExpression: {
		{Name: "dialects", Type: ValueTypeObjectList, Object: ObjectKindDialectEntry, Required: true, Summary: "the expression, once per SQL dialect"},
	},
	ObjectKindDialectEntry: {
		{Name: "dialect", Type: ValueTypeText, Required: true, Summary: "ANSI_SQL, or the name of an engine's dialect"},
		{Name: "expression", Type: ValueTypeText, Required: true, Summary: "the SQL text"},
	},
	ObjectKindExtension: {
		{Name: "vendor_name", Type: ValueTypeText, Required: true, Summary: "vendor of the payload: " + strings.Join(ExtensionVendors(), " or ") + " are read"},
		{Name: "data", Type: ValueTypeJSONText, Summary: "the payload, as JSON in a string"},
	},
	ObjectKindAIContext: {
		{Name: "instructions", Summary: "how an agent should use the object"},
		{Name: "synonyms", Summary: "other names of the object"},
		{Name: "examples", Summary: "questions that the object answers"},
	},
}

// namesOfKeyDefinitions lists the names of keys.
func namesOfKeyDefinitions(keys []ObjectKeyDefinition) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}
