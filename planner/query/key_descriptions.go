package query

// ValueType is the JSON type of the value of a key of a body.
type ValueType uint8

// The types of values.
const (
	TypeText              = ValueType(textKind)
	TypeBoolean           = ValueType(booleanKind)
	TypeInteger           = ValueType(integerKind)
	TypeTextArray         = ValueType(textArrayKind)
	TypeObject            = ValueType(fixedKeysObjectKind)   // with the keys Nested
	TypeObjectArray       = ValueType(objectArrayKind)       // a list of such objects
	TypeObjectMap         = ValueType(objectMapKind)         // an object of free names, each with such an object
	TypeScalarMap         = ValueType(scalarMapKind)         // an object of free names, each with a scalar or a list of scalars
	TypeTextOrObjectArray = ValueType(textOrObjectArrayKind) // a list of strings and of objects with the keys Nested
	TypeNestedTextArray   = ValueType(nestedTextArrayKind)
	TypeNumber            = ValueType(numberKind)
	TypeBooleanOrText     = ValueType(booleanOrTextKind) // a boolean or a string
	TypeScalarArray       = ValueType(scalarArrayKind)
)

// KeyDescription describes one key of a body.
type KeyDescription struct {
	Name   string
	Type   ValueType
	Nested []KeyDescription
}

// MetricKeys lists the keys that DecodeMetric reads.
func MetricKeys() []KeyDescription { return newKeyDescriptions(keysOfReaders(metricQueryKeyReaders)) }

// DetailKeys lists the keys that DecodeDetail reads.
func DetailKeys() []KeyDescription { return newKeyDescriptions(keysOfReaders(detailQueryKeyReaders)) }

// AttributeKeys lists the keys that DecodeAttribute reads.
func AttributeKeys() []KeyDescription {
	return newKeyDescriptions(keysOfReaders(attributeQueryKeyReaders))
}

func newKeyDescriptions(keys []bodyKey) []KeyDescription {
	out := make([]KeyDescription, len(keys))
	for i, k := range keys {
		out[i] = KeyDescription{k.name, ValueType(k.kind), newKeyDescriptions(k.nested)}
	}
	return out
}
