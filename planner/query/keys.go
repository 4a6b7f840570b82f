package query

// ValueType is the JSON type of the value of a key of a body.
type ValueType uint8

// The types of values.
const (
	TypeText       = ValueType(textKind)
	TypeBoolean    = ValueType(booleanKind)
	TypeInteger    = ValueType(integerKind)
	TypeTexts      = ValueType(textsKind)
	TypeObject     = ValueType(objectKind)     // with the keys Nested
	TypeObjects    = ValueType(objectsKind)    // a list of such objects
	TypeObjectsMap = ValueType(objectsMapKind) // an object of free names, each with such an object
	TypeBindings   = ValueType(bindingsKind)   // an object of free names, each with a scalar or a list of scalars
)

// Key describes one key of a body.
type Key struct {
	Name   string
	Type   ValueType
	Nested []Key
}

// MetricKeys lists the keys that DecodeMetric reads.
func MetricKeys() []Key { return describeKeys(keysOfFields(metricFields)) }

// DetailKeys lists the keys that DecodeDetail reads.
func DetailKeys() []Key { return describeKeys(keysOfFields(detailFields)) }

// AttributeKeys lists the keys that DecodeAttribute reads.
func AttributeKeys() []Key { return describeKeys(keysOfFields(attributeFields)) }

func describeKeys(keys []key) []Key {
	out := make([]Key, len(keys))
	for i, k := range keys {
		out[i] = Key{k.name, ValueType(k.kind), describeKeys(k.nested)}
	}
	return out
}
