package datacheck

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// The datatypes of the format that the check tells apart.
const (
	typeInteger    = "Integer"
	typeDecimal    = "Decimal"
	typeFloat      = "Float"
	typeBoolean    = "Boolean"
	typeDate       = "Date"
	typeTime       = "Time"
	typeDateTime   = "DateTime"
	typeDateTimeTz = "DateTimeTz"
	typeString     = "String"
	typeOpaque     = "Opaque"
)

// sampledRows is how many rows show the types of a warehouse whose columns have none.
const sampledRows = 1000

// compareDatatypes compares the declared datatypes of fields with the types of their columns.
func (c *checker) compareDatatypes(fields []*catalog.Field, a answer) {
	for i, f := range fields {
		if f.Datatype == "" || i >= a.schema.NumFields() {
			continue
		}
		found := datatypeOf(a.schema.Field(i))
		if c.typesFollowValues() {
			found = datatypeOfValues(a.rows, i, f.Datatype, found)
		}
		if found == "" || fits(f.Datatype, a.schema.Field(i), found) {
			continue
		}
		c.find(CodeDatatypeMismatch, c.places.datatype(f),
			f.Qualified()+" is declared "+f.Datatype+", and its values are "+found, found)
	}
}

// typesFollowValues reports whether each value of the warehouse has a type, and not its column.
func (c *checker) typesFollowValues() bool {
	v, ok := c.DB.(executor.ValueTyped)
	return ok && v.TypesFollowValues()
}

// datatypeOf is the datatype of a column of a result, "" where nothing is known of it.
func datatypeOf(f arrow.Field) string {
	switch executor.FieldKind(f) {
	case executor.KindNumber:
		return typeDecimal
	case executor.KindJSON:
		return typeOpaque
	}
	switch t := f.Type.(type) {
	case *arrow.NullType:
		return ""
	case *arrow.BooleanType:
		return typeBoolean
	case *arrow.Date32Type, *arrow.Date64Type:
		return typeDate
	case *arrow.Time32Type, *arrow.Time64Type:
		return typeTime
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return typeDateTimeTz
		}
		return typeDateTime
	case arrow.DecimalType:
		if t.GetScale() == 0 {
			return typeInteger
		}
		return typeDecimal
	}
	switch {
	case arrow.IsInteger(f.Type.ID()):
		return typeInteger
	case arrow.IsFloating(f.Type.ID()):
		return typeFloat
	case f.Type.ID() == arrow.STRING, f.Type.ID() == arrow.LARGE_STRING, f.Type.ID() == arrow.STRING_VIEW:
		return typeString
	}
	return typeOpaque
}

// fits reports whether a declared datatype describes values of the type that was found.
func fits(declared string, column arrow.Field, found string) bool {
	switch {
	case declared == found, declared == typeOpaque:
		return true // Opaque promises nothing
	case found == typeInteger && declared == typeBoolean:
		// Engines without booleans store them in the smallest integer.
		return column.Type.ID() == arrow.INT8 || column.Type.ID() == arrow.UINT8
	case found == typeInteger:
		return declared == typeDecimal || declared == typeFloat
	case found == typeOpaque:
		return declared == typeString
	}
	return false
}
