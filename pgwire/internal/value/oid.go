package value

import "strings"

// The OIDs of the types of PostgreSQL that values have.
const (
	Bool        uint32 = 16
	Bytea       uint32 = 17
	Char        uint32 = 18
	Name        uint32 = 19
	Int8        uint32 = 20
	Int2        uint32 = 21
	Int4        uint32 = 23
	Text        uint32 = 25
	OID         uint32 = 26
	JSON        uint32 = 114
	Float4      uint32 = 700
	Float8      uint32 = 701
	Unknown     uint32 = 705
	BPChar      uint32 = 1042
	Varchar     uint32 = 1043
	Date        uint32 = 1082
	Time        uint32 = 1083
	Timestamp   uint32 = 1114
	TimestampTZ uint32 = 1184
	Interval    uint32 = 1186
	Numeric     uint32 = 1700
	UUID        uint32 = 2950
	JSONB       uint32 = 3802
)

// elementTypes are the types of the elements of arrays, by the OID of the array.
var elementTypes = map[uint32]uint32{
	1000: Bool, 1001: Bytea, 1002: Char, 1003: Name, 1016: Int8, 1005: Int2, 1007: Int4, 1009: Text, 1028: OID, 1021: Float4, 1022: Float8,
	1014: BPChar, 1015: Varchar, 1182: Date, 1183: Time, 1115: Timestamp, 1185: TimestampTZ, 1187: Interval, 1231: Numeric, 2951: UUID,
	22: Int2, 30: OID, // int2vector and oidvector
}

// columnTypes are the types of columns by the names that statements give them.
var columnTypes = map[string]uint32{
	"boolean": Bool, "integer": Int4, "bigint": Int8, "numeric": Numeric, "double precision": Float8, "text": Text,
	"date": Date, "time": Time, "timestamp": Timestamp, "timestamptz": TimestampTZ,
}

// OIDOfColumn is the OID of the type of a column by its name; an unknown name is that of text.
func OIDOfColumn(name string) uint32 {
	if oid, ok := columnTypes[name]; ok {
		return oid
	}
	return Text
}

// statementTypes are the types that parameters have in statements, by OID.
var statementTypes = map[uint32]string{
	Bool: "boolean", Int2: "integer", Int4: "integer", OID: "bigint", Int8: "bigint", Numeric: "numeric", Float4: "double precision", Float8: "double precision",
	Text: "text", Varchar: "text", BPChar: "text", Name: "text", Char: "text", UUID: "text", JSON: "text", JSONB: "text",
	Date: "date", Time: "time", Timestamp: "timestamp", TimestampTZ: "timestamptz",
}

// StatementType is the type of a parameter in a statement; "" where the statement decides.
func StatementType(oid uint32) string { return statementTypes[oid] }

// typeNames are the types by the names that people write.
var typeNames = map[string]uint32{
	"bool": Bool, "boolean": Bool, "bytea": Bytea, "name": Name, "int8": Int8, "bigint": Int8, "int2": Int2, "smallint": Int2, "int4": Int4, "int": Int4,
	"integer": Int4, "text": Text, "oid": OID, "float4": Float4, "real": Float4, "float8": Float8, "float": Float8, "double precision": Float8,
	"bpchar": BPChar, "char": BPChar, "character": BPChar, "varchar": Varchar, "character varying": Varchar, "date": Date, "time": Time,
	"time without time zone": Time, "timestamp": Timestamp, "timestamp without time zone": Timestamp, "timestamptz": TimestampTZ,
	"timestamp with time zone": TimestampTZ, "interval": Interval, "numeric": Numeric, "decimal": Numeric, "uuid": UUID, "unknown": 0,
}

// OIDByName is the OID of a type by its name; false for an unknown one.
func OIDByName(name string) (uint32, bool) {
	oid, ok := typeNames[strings.TrimPrefix(name, "pg_catalog ")]
	return oid, ok
}

// Size is the length of the values of a type in bytes, -1 where it varies.
func Size(oid uint32) int16 {
	switch oid {
	case Bool, Char:
		return 1
	case Int2:
		return 2
	case Int4, OID, Float4, Date:
		return 4
	case Int8, Float8, Time, Timestamp, TimestampTZ:
		return 8
	case Interval, UUID:
		return 16
	case Name:
		return 64
	case Unknown:
		return -2
	}
	return -1
}

// isText reports whether the values of a type are texts, whose binary form is the text.
func isText(oid uint32) bool {
	switch oid {
	case Text, Varchar, BPChar, Name, Char, Unknown, JSON, 0:
		return true
	}
	return false
}
