package query

// ValueType is the JSON type of the value of a key of a body.
type ValueType uint8

// The types of values.
const (
	BodyKeyTypeText              = ValueType(bodyKeyValueText)
	BodyKeyTypeBoolean           = ValueType(bodyKeyValueBoolean)
	BodyKeyTypeInteger           = ValueType(bodyKeyValueInteger)
	BodyKeyTypeTextArray         = ValueType(bodyKeyValueTextArray)
	BodyKeyTypeObject            = ValueType(bodyKeyValueFixedKeysObject)   // with the keys Nested
	BodyKeyTypeObjectArray       = ValueType(bodyKeyValueObjectArray)       // a list of such objects
	BodyKeyTypeObjectMap         = ValueType(bodyKeyValueObjectMap)         // an object of free names, each with such an object
	BodyKeyTypeScalarMap         = ValueType(bodyKeyValueScalarMap)         // an object of free names, each with a scalar or a list of scalars
	BodyKeyTypeTextOrObjectArray = ValueType(bodyKeyValueTextOrObjectArray) // a list of strings and of objects with the keys Nested
	BodyKeyTypeNestedTextArray   = ValueType(bodyKeyValueNestedTextArray)
	BodyKeyTypeNumber            = ValueType(bodyKeyValueNumber)
	BodyKeyTypeBooleanOrText     = ValueType(bodyKeyValueBooleanOrText) // a boolean or a string
	BodyKeyTypeScalarArray       = ValueType(bodyKeyValueScalarArray)
	BodyKeyTypeObjectOrArray     = ValueType(bodyKeyValueObjectOrArray) // an object with the keys Nested, or a list of such objects
)

// KeyDescription describes one key of a body.
type KeyDescription struct {
	Name   string
	Type   ValueType
	Nested []KeyDescription
	KeyNotes
	Bounds KeyBounds
}

// MetricKeys lists the keys that DecodeMetric reads.
func MetricKeys() []KeyDescription { return describeRows(metricQueryRows) }

// DetailKeys lists the keys that DecodeDetail reads.
func DetailKeys() []KeyDescription { return describeRows(detailQueryRows) }

// AttributeKeys lists the keys that DecodeAttribute reads.
func AttributeKeys() []KeyDescription { return describeRows(attributeQueryRows) }

// CompatibleKeys lists the keys that DecodeCompatible reads.
func CompatibleKeys() []KeyDescription { return describeRows(compatibleQueryRows) }

func describeRows[T any](rows []keyRow[T]) []KeyDescription {
	out := newKeyDescriptions(keysOfReaders(readersOfRows(rows)))
	for i, r := range rows {
		out[i].KeyNotes, out[i].Bounds = r.KeyNotes, r.bounds
	}
	return out
}

func newKeyDescriptions(keys []bodyKey) []KeyDescription {
	out := make([]KeyDescription, len(keys))
	for i, k := range keys {
		out[i] = KeyDescription{Name: k.name, Type: ValueType(k.kind), Nested: newKeyDescriptions(k.nested)}
	}
	return out
}
