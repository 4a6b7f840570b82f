package modelspec

import (
	"slices"
	"strings"
)

// ValueType is the type of the value of a key.
type ValueType uint8

// The types of values.
const (
	TypeAny          ValueType = iota // not read
	TypeText                          // a string
	TypeBoolean                       // true or false
	TypeTexts                         // a list of strings
	TypeTextLists                     // a list of lists of strings
	TypeObject                        // an object
	TypeObjects                       // a list of objects
	TypeTextOrObject                  // a string or an object
	TypeJSONText                      // a string that holds a JSON document
)

// ObjectKind is a kind of object of the format.
type ObjectKind uint8

// The kinds of objects.
const (
	KindUnknown ObjectKind = iota // an object that the format does not describe
	KindDocument
	KindModel
	KindDataset
	KindField
	KindDimension
	KindRelationship
	KindMetric
	KindExpression
	KindDialectEntry
	KindExtension
	KindAIContext
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

// RootKeysOf lists the keys of the root of a document: those of KindDocument, and where
// the document has its model at the root, those of KindModel after them.
func RootKeysOf(modelAtRoot bool) []ObjectKeyDefinition {
	if !modelAtRoot {
		return KeysOfObjectKind(KindDocument)
	}
	return slices.DeleteFunc(slices.Concat(keysByObjectKind[KindDocument], keysByObjectKind[KindModel]), func(k ObjectKeyDefinition) bool { return k.Name == modelListKey })
}

const modelListKey = "semantic_model"

var (
	descriptionKeyDefinition = ObjectKeyDefinition{Name: "description", Type: TypeText, Summary: "description of the object, for people and agents"}
	aiContextKeyDefinition   = ObjectKeyDefinition{Name: "ai_context", Type: TypeTextOrObject, Object: KindAIContext, Summary: "instructions and synonyms for agents"}
	extensionsKeyDefinition  = ObjectKeyDefinition{Name: "custom_extensions", Type: TypeObjects, Object: KindExtension, Summary: "payloads of vendors"}
	datatypeKeyDefinition    = ObjectKeyDefinition{Name: "datatype", Type: TypeText, Enum: Datatypes(), EnumSummaries: datatypeSummaries, Summary: "type of the values"}
	expressionKeyDefinition  = ObjectKeyDefinition{Name: "expression", Type: TypeObject, Object: KindExpression, Required: true}
)

// newNameKeyDefinition is the required key `name`.
func newNameKeyDefinition(summary string) ObjectKeyDefinition {
	return ObjectKeyDefinition{Name: "name", Type: TypeText, Required: true, Summary: summary}
}

// withSummary is a key with another summary.
func (k ObjectKeyDefinition) withSummary(summary string) ObjectKeyDefinition {
	k.Summary = summary
	return k
}

var keysByObjectKind = map[ObjectKind][]ObjectKeyDefinition{
	KindDocument: {
		{Name: "version", Type: TypeText, Required: true, Enum: []string{SpecVersion}, Summary: "version of the format: " + SpecVersion},
		{Name: modelListKey, Type: TypeObjects, Object: KindModel, Summary: "the one semantic model"},
		{Name: "dialects", Summary: "names of the dialects in the file; not read"},
		{Name: "vendors", Summary: "names of the vendors in the file; not read"},
	},
	KindModel: {
		newNameKeyDefinition("name of the model"),
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		{Name: "datasets", Type: TypeObjects, Object: KindDataset, Summary: "the logical tables; at least one"},
		{Name: "relationships", Type: TypeObjects, Object: KindRelationship, Summary: "how datasets join"},
		{Name: "metrics", Type: TypeObjects, Object: KindMetric, Summary: "named aggregates"},
		extensionsKeyDefinition,
	},
	KindDataset: {
		newNameKeyDefinition("name of the dataset, unique in the model"),
		{Name: "source", Type: TypeText, Required: true, Summary: "a table (table, schema.table, database.schema.table), or a query that begins with SELECT or WITH"},
		{Name: "primary_key", Type: TypeTexts, Summary: "columns that identify a row"},
		{Name: "unique_keys", Type: TypeTextLists, Summary: "other lists of columns that identify a row"},
		{Name: "fields", Type: TypeObjects, Object: KindField, Summary: "the row-level values"},
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	KindField: {
		newNameKeyDefinition("name of the field, unique in the dataset"),
		expressionKeyDefinition.withSummary("a scalar over the dataset's columns or its other fields"),
		{Name: "dimension", Type: TypeObject, Object: KindDimension, Summary: "the role of the field in a group-by"},
		datatypeKeyDefinition,
		{Name: "label", Type: TypeText, Summary: "the name to show"},
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	KindDimension: {
		{Name: "is_time", Type: TypeBoolean, Summary: "whether the field is a time field; without it, the datatype decides"},
	},
	KindRelationship: {
		newNameKeyDefinition("name of the relationship"),
		{Name: "from", Type: TypeText, Required: true, Summary: "dataset of the many side"},
		{Name: "to", Type: TypeText, Required: true, Summary: "dataset of the one side"},
		{Name: "from_columns", Type: TypeTexts, Required: true, Summary: "fields of the many side, paired with to_columns by position"},
		{Name: "to_columns", Type: TypeTexts, Required: true, Summary: "fields of the one side"},
		{Name: "cardinality", Type: TypeText, Enum: Cardinalities(), EnumSummaries: cardinalitySummaries, Summary: "how many rows match; without it, the keys decide"},
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	KindMetric: {
		newNameKeyDefinition("name of the metric, unique in the model"),
		expressionKeyDefinition.withSummary("aggregates over fields of datasets"),
		datatypeKeyDefinition,
		descriptionKeyDefinition,
		aiContextKeyDefinition,
		extensionsKeyDefinition,
	},
	KindExpression: {
		{Name: "dialects", Type: TypeObjects, Object: KindDialectEntry, Required: true, Summary: "the expression, once per SQL dialect"},
	},
	KindDialectEntry: {
		{Name: "dialect", Type: TypeText, Required: true, Summary: "ANSI_SQL, or the name of an engine's dialect"},
		{Name: "expression", Type: TypeText, Required: true, Summary: "the SQL text"},
	},
	KindExtension: {
		{Name: "vendor_name", Type: TypeText, Required: true, Summary: "vendor of the payload: " + strings.Join(ExtensionVendors(), " or ") + " are read"},
		{Name: "data", Type: TypeJSONText, Summary: "the payload, as JSON in a string"},
	},
	KindAIContext: {
		{Name: "instructions", Summary: "how an agent should use the object"},
		{Name: "synonyms", Summary: "other names of the object"},
		{Name: "examples", Summary: "questions that the object answers"},
	},
}

// namesOfObjectKeys lists the names of keys.
func namesOfObjectKeys(keys []ObjectKeyDefinition) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}
