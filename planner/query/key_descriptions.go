package query

// ValueType is the JSON type of the value of a key of a body.
type ValueType uint8

// The types of values.
const (
	TypeText       = ValueType(singleTextKind)
	TypeBoolean    = ValueType(booleanKind)
	TypeInteger    = ValueType(integerKind)
	TypeTexts      = ValueType(textsKind)
	TypeObject     = ValueType(objectKind)      // with the keys Nested
	TypeObjects    = ValueType(objectsKind)     // a list of such objects
	TypeObjectsMap = ValueType(objectsMapKind)  // an object of free names, each with such an object
	TypeBindings   = ValueType(bindingsKind)    // an object of free names, each with a scalar or a list of scalars
	TypeItems      = ValueType(metricItemsKind) // a list of strings and of objects with the keys Nested
	TypeTextLists  = ValueType(textListsKind)
	TypeNumber     = ValueType(numberKind)
	TypeLabel      = ValueType(boolOrLabelKind) // a boolean or a string
	TypeScalars    = ValueType(scalarsKind)
)

// KeyDescription describes one key of a body.
type KeyDescription struct {
	Name   string
	Type   ValueType
	Nested []KeyDescription
}

// MetricKeys lists the keys that DecodeMetric reads.
func MetricKeys() []KeyDescription { return newKeyDescriptions(keysOfFields(metricFields)) }

// DetailKeys lists the keys that DecodeDetail reads.
func DetailKeys() []KeyDescription { return newKeyDescriptions(keysOfFields(detailFields)) }

// AttributeKeys lists the keys that DecodeAttribute reads.
func AttributeKeys() []KeyDescription { return newKeyDescriptions(keysOfFields(attributeFields)) }

func newKeyDescriptions(keys []bodyKey) []KeyDescription {
	out := make([]KeyDescription, len(keys))
	for i, k := range keys {
		out[i] = KeyDescription{k.name, ValueType(k.kind), newKeyDescriptions(k.nested)}
	}
	return out
}
