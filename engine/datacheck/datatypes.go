package datacheck

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
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
		if found == "" || c.fits(f, a.schema.Field(i), found) {
			continue
		}
		c.find(CodeDatatypeMismatch, c.places.datatype(f),
			f.Qualified()+" is declared "+f.Datatype+", and its values are "+found, found)
	}
}

// typesFollowValues reports whether each value of the warehouse has a type, and not its column.
func (c *checker) typesFollowValues() bool {
	v, ok := c.DB.(executor.TypesFromValues)
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

// fits reports whether the declared datatype of a field describes values of the type that was found.
func (c *checker) fits(f *catalog.Field, column arrow.Field, found string) bool {
	declared := f.Datatype
	switch {
	case declared == found, declared == typeOpaque:
		return true // Opaque promises nothing
	case found == typeInteger && declared == typeBoolean:
		return isSmallInteger(column.Type.ID()) || sqlexpr.TypeOf(f.Expr.For(c.Dialect.Name()), nil) == sqlexpr.TypeBool
	case found == typeInteger:
		return declared == typeDecimal || declared == typeFloat
	case found == typeOpaque:
		return declared == typeString
	case found == typeString:
		return declared == typeTime // drivers return times of day as texts
	case found == typeDateTime && declared == typeDate:
		return !isColumn(f, c.Dialect.Name()) // functions of dates return timestamps on some engines
	case found == typeDateTime || found == typeDateTimeTz:
		return c.Dialect.HasOneTimestampType() && (declared == typeDateTime || declared == typeDateTimeTz)
	}
	return false
}

// isSmallInteger reports whether an engine without booleans may store them in a type: the smallest
// integer, or a bit field, which arrives as the largest.
func isSmallInteger(id arrow.Type) bool {
	return id == arrow.INT8 || id == arrow.UINT8 || id == arrow.UINT64
}

// isColumn reports whether the expression of a field is a column.
func isColumn(f *catalog.Field, dialect string) bool {
	_, ok := f.Expr.For(dialect).(*sqlexpr.Column)
	return ok
}
