package datacheck

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The datatypes of the format that the check tells apart.
const (
	datatypeInteger    = "Integer"
	datatypeDecimal    = "Decimal"
	datatypeFloat      = "Float"
	datatypeBoolean    = "Boolean"
	datatypeDate       = "Date"
	datatypeTime       = "Time"
	datatypeDateTime   = "DateTime"
	datatypeDateTimeTz = "DateTimeTz"
	datatypeString     = "String"
	datatypeOpaque     = "Opaque"
)

// maxTypeSampleRows is how many rows show the types of a warehouse whose columns have none.
const maxTypeSampleRows = 1000

// compareDatatypes compares the declared datatypes of fields with the types of their columns.
func (c *dataChecker) compareDatatypes(fields []*catalog.Field, a statementResult) {
	for i, f := range fields {
		if f.Datatype == "" || i >= a.schema.NumFields() {
			continue
		}
		found := resultDatatype(a.schema.Field(i))
		if c.hasDynamicallyTypedColumns() {
			found = datatypeFromValues(a.rows, i, f.Datatype, found)
		}
		if found == "" || c.datatypeFits(f, a.schema.Field(i), found) {
			continue
		}
		c.mistyped[f] = true
		c.addFinding(CodeDatatypeMismatch, c.places.datatypePlace(f),
			f.QualifiedName()+" is declared "+f.Datatype+", and its values are "+found, found)
	}
}

// hasDynamicallyTypedColumns reports whether each value of the warehouse has a type, and not its column.
func (c *dataChecker) hasDynamicallyTypedColumns() bool {
	v, ok := c.DB.(executor.DynamicTypingReporter)
	return ok && v.TypesFollowValues()
}

// resultDatatype returns the datatype of a column of a result, "" where nothing is known of it.
func resultDatatype(f arrow.Field) string {
	switch executor.TextKindOfField(f) {
	case executor.TextKindDecimal:
		return datatypeDecimal
	case executor.TextKindJSON:
		return datatypeOpaque
	}
	switch t := f.Type.(type) {
	case *arrow.NullType:
		return ""
	case *arrow.BooleanType:
		return datatypeBoolean
	case *arrow.Date32Type, *arrow.Date64Type:
		return datatypeDate
	case *arrow.Time32Type, *arrow.Time64Type:
		return datatypeTime
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return datatypeDateTimeTz
		}
		return datatypeDateTime
	case arrow.DecimalType:
		if t.GetScale() == 0 {
			return datatypeInteger
		}
		return datatypeDecimal
	}
	switch {
	case arrow.IsInteger(f.Type.ID()):
		return datatypeInteger
	case arrow.IsFloating(f.Type.ID()):
		return datatypeFloat
	case f.Type.ID() == arrow.STRING, f.Type.ID() == arrow.LARGE_STRING, f.Type.ID() == arrow.STRING_VIEW:
		return datatypeString
	}
	return datatypeOpaque
}

// datatypeFits reports whether the declared datatype of a field describes values of the type that was found.
func (c *dataChecker) datatypeFits(f *catalog.Field, column arrow.Field, found string) bool {
	declared := f.Datatype
	switch {
	case declared == found, declared == datatypeOpaque:
		return true // Opaque promises nothing
	case found == datatypeInteger && declared == datatypeBoolean:
		return canHoldBoolean(column.Type.ID()) || sqlexpr.TypeOf(f.Expr.ForDialect(c.Dialect.Name()), nil) == sqlexpr.TypeBool
	case found == datatypeInteger:
		return declared == datatypeDecimal || declared == datatypeFloat
	case found == datatypeOpaque:
		// One binary value among texts makes all values of the column binary where values have types.
		return declared == datatypeString && !c.hasDynamicallyTypedColumns()
	case found == datatypeString:
		return declared == datatypeTime // drivers return times of day as texts
	case found == datatypeDateTime && declared == datatypeDate:
		return !isPlainColumn(f, c.Dialect.Name()) // functions of dates return timestamps on some engines
	case found == datatypeDateTime || found == datatypeDateTimeTz:
		return c.Dialect.HasOneTimestampType() && (declared == datatypeDateTime || declared == datatypeDateTimeTz)
	}
	return false
}

// canHoldBoolean reports whether an engine without booleans may store them in a type: the smallest
// integer, or a bit field, which arrives as the largest.
func canHoldBoolean(id arrow.Type) bool {
	return id == arrow.INT8 || id == arrow.UINT8 || id == arrow.UINT64
}

// isPlainColumn reports whether the expression of a field is a column.
func isPlainColumn(f *catalog.Field, dialect string) bool {
	_, ok := f.Expr.ForDialect(dialect).(*sqlexpr.Column)
	return ok
}
