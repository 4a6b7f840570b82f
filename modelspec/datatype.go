package modelspec

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Datatype is the declared type of a field or a metric; "" where none is declared.
type Datatype string

// The datatypes of the format.
const (
	DatatypeString     Datatype = "String"
	DatatypeInteger    Datatype = "Integer"
	DatatypeDecimal    Datatype = "Decimal"
	DatatypeFloat      Datatype = "Float"
	DatatypeBoolean    Datatype = "Boolean"
	DatatypeDate       Datatype = "Date"
	DatatypeTime       Datatype = "Time"
	DatatypeDateTime   Datatype = "DateTime"
	DatatypeDateTimeTz Datatype = "DateTimeTz"
	DatatypeOpaque     Datatype = "Opaque"
)

// datatypeDescription is a datatype with its meaning and the type of its values in expressions.
type datatypeDescription struct {
	datatype Datatype
	summary  string
	logical  sqlexpr.Type
}

var datatypeDescriptions = []datatypeDescription{
	{DatatypeString, "text", sqlexpr.TypeString},
	{DatatypeInteger, "integers", sqlexpr.TypeInt},
	{DatatypeDecimal, "decimal numbers with exact digits", sqlexpr.TypeDecimal},
	{DatatypeFloat, "floating-point numbers", sqlexpr.TypeFloat},
	{DatatypeBoolean, "true and false", sqlexpr.TypeBool},
	{DatatypeDate, "calendar days", sqlexpr.TypeDate},
	{DatatypeTime, "times of day", sqlexpr.TypeTime},
	{DatatypeDateTime, "dates with times", sqlexpr.TypeTimestamp},
	{DatatypeDateTimeTz, "dates with times and a time zone", sqlexpr.TypeTimestampTZ},
	{DatatypeOpaque, "values that are only counted and shown", sqlexpr.TypeUnknown},
}

// describe returns the row of the datatype, a zero one for a text that is not a datatype.
func (d Datatype) describe() datatypeDescription {
	if i := slices.IndexFunc(datatypeDescriptions, func(x datatypeDescription) bool { return x.datatype == d }); i >= 0 {
		return datatypeDescriptions[i]
	}
	return datatypeDescription{}
}

// datatypeNames are the names of the datatypes, which the reader of every field asks for.
var datatypeNames = columnOfDatatypes(func(d datatypeDescription) string { return d.datatype.String() })

// Datatypes lists the names of the datatypes.
func Datatypes() []string { return slices.Clone(datatypeNames) }

// summariesOfDatatypes describe the datatypes, in their order.
func summariesOfDatatypes() []string {
	return columnOfDatatypes(func(d datatypeDescription) string { return d.summary })
}

func columnOfDatatypes(text func(datatypeDescription) string) []string {
	var out []string
	for _, d := range datatypeDescriptions {
		out = append(out, text(d))
	}
	return out
}

// String returns the datatype as a model declares it.
func (d Datatype) String() string { return string(d) }

// LogicalType returns the type of the values in expressions; unknown without a declaration and of opaque values.
func (d Datatype) LogicalType() sqlexpr.Type { return d.describe().logical }
