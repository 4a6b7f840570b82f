package datacheck

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/engine/internal/typehint"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// maxTypeSampleRows is how many rows show the types of a warehouse whose columns have none.
const maxTypeSampleRows = 1000

// compareDatatypes compares the declared datatypes of fields with the types of their columns.
func (c *dataChecker) compareDatatypes(fields []*catalog.Field, a statementResult) {
	for i, f := range fields {
		if f.Datatype == "" || i >= a.schema.NumFields() {
			continue
		}
		found := typehint.DatatypeOfColumn(a.schema.Field(i))
		if c.hasDynamicallyTypedColumns() {
			found = datatypeFromValues(a.rows, i, f.Datatype, found)
		}
		if found == "" || c.datatypeFits(f, a.schema.Field(i), found) {
			continue
		}
		c.mistyped[f] = true
		c.addFinding(CodeDatatypeMismatch, c.places.datatypePlace(f),
			f.QualifiedName()+" is declared "+f.Datatype.String()+", and its values are "+found.String(), found.String())
	}
}

// hasDynamicallyTypedColumns reports whether each value of the warehouse has a type, and not its column.
func (c *dataChecker) hasDynamicallyTypedColumns() bool {
	v, ok := c.DB.(executor.DynamicTypingReporter)
	return ok && v.TypesFollowValues()
}

// datatypeFits reports whether the declared datatype of a field describes values of the type that was found.
func (c *dataChecker) datatypeFits(f *catalog.Field, column arrow.Field, found modelspec.Datatype) bool {
	declared := f.Datatype
	switch {
	case declared == found, declared == modelspec.DatatypeOpaque:
		return true // Opaque promises nothing
	case found == modelspec.DatatypeInteger && declared == modelspec.DatatypeBoolean:
		return canHoldBoolean(column.Type.ID()) || sqlexpr.TypeOf(f.Expr.ForDialect(c.Dialect.Name()), nil) == sqlexpr.TypeBool
	case found == modelspec.DatatypeInteger:
		return declared == modelspec.DatatypeDecimal || declared == modelspec.DatatypeFloat
	case found == modelspec.DatatypeOpaque:
		// One binary value among texts makes all values of the column binary where values have types.
		return declared == modelspec.DatatypeString && !c.hasDynamicallyTypedColumns()
	case found == modelspec.DatatypeString:
		return declared == modelspec.DatatypeTime // drivers return times of day as texts
	case found == modelspec.DatatypeDateTime && declared == modelspec.DatatypeDate:
		return !isPlainColumn(f, c.Dialect.Name()) // functions of dates return timestamps on some engines
	case found == modelspec.DatatypeDateTime || found == modelspec.DatatypeDateTimeTz:
		return c.Dialect.HasOneTimestampType() && (declared == modelspec.DatatypeDateTime || declared == modelspec.DatatypeDateTimeTz)
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
