package sqltype

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Type is the type of a column of a result.
type Type uint8

// The types. Unknown is one that cannot be known without a warehouse.
const (
	Unknown Type = iota
	Boolean
	Integer
	Bigint
	Numeric
	Double
	Text
	Date
	Time
	Timestamp
	TimestampTZ
)

var typeNames = [...]string{
	"text", "boolean", "integer", "bigint", "numeric", "double precision", "text", "date", "time", "timestamp", "timestamptz",
}

// String is PostgreSQL's name; that of Unknown is text.
func (t Type) String() string { return typeNames[t] }

// ByName returns the type of a name of String; Unknown for any other name.
func ByName(name string) Type {
	for t := Boolean; int(t) < len(typeNames); t++ {
		if typeNames[t] == name {
			return t
		}
	}
	return Unknown
}

// IsNumber reports whether values of the type are numbers.
func (t Type) IsNumber() bool { return t >= Integer && t <= Double }

// IsDateOrTimestamp reports whether values of the type are days or points in time.
func (t Type) IsDateOrTimestamp() bool { return t == Date || t == Timestamp || t == TimestampTZ }

var typesByLogicalType = [...]Type{
	sqlexpr.TypeUnknown: Unknown, sqlexpr.TypeBool: Boolean, sqlexpr.TypeInt: Bigint, sqlexpr.TypeDecimal: Numeric,
	sqlexpr.TypeFloat: Double, sqlexpr.TypeString: Text, sqlexpr.TypeDate: Date, sqlexpr.TypeTime: Time,
	sqlexpr.TypeTimestamp: Timestamp, sqlexpr.TypeTimestampTZ: TimestampTZ, sqlexpr.TypeInterval: Unknown,
}

// FromLogicalType returns the type of a field with a declared datatype, which is a logical type: an integer is a bigint.
func FromLogicalType(t sqlexpr.Type) Type { return typesByLogicalType[t] }

var logicalTypesByType = [...]sqlexpr.Type{
	Unknown: sqlexpr.TypeUnknown, Boolean: sqlexpr.TypeBool, Integer: sqlexpr.TypeInt, Bigint: sqlexpr.TypeInt,
	Numeric: sqlexpr.TypeDecimal, Double: sqlexpr.TypeFloat, Text: sqlexpr.TypeString, Date: sqlexpr.TypeDate,
	Time: sqlexpr.TypeTime, Timestamp: sqlexpr.TypeTimestamp, TimestampTZ: sqlexpr.TypeTimestampTZ,
}

// Logical returns the logical type of values of the type.
func (t Type) Logical() sqlexpr.Type { return logicalTypesByType[t] }

// CommonType returns the type of a column that holds values of two types; ok is false where no type holds both. An
// unknown type fits any type, and becomes that type.
func CommonType(a, b Type) (t Type, ok bool) {
	switch {
	case a == b, b == Unknown:
		return a, true
	case a == Unknown:
		return b, true
	case a.IsNumber() && b.IsNumber(), a.IsDateOrTimestamp() && b.IsDateOrTimestamp():
		return max(a, b), true
	}
	return Unknown, false
}
