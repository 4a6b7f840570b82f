package value

import "strings"

// The OIDs of the types of PostgreSQL that values have.
const (
	BoolOID        uint32 = 16
	ByteaOID       uint32 = 17
	CharOID        uint32 = 18
	NameOID        uint32 = 19
	Int8OID        uint32 = 20
	Int2OID        uint32 = 21
	Int4OID        uint32 = 23
	TextOID        uint32 = 25
	OIDOID         uint32 = 26
	JSONOID        uint32 = 114
	Float4OID      uint32 = 700
	Float8OID      uint32 = 701
	UnknownOID     uint32 = 705
	BPCharOID      uint32 = 1042
	VarcharOID     uint32 = 1043
	DateOID        uint32 = 1082
	TimeOID        uint32 = 1083
	TimestampOID   uint32 = 1114
	TimestampTZOID uint32 = 1184
	IntervalOID    uint32 = 1186
	BitOID         uint32 = 1560
	VarbitOID      uint32 = 1562
	NumericOID     uint32 = 1700
	VoidOID        uint32 = 2278
	UUIDOID        uint32 = 2950
	JSONBOID       uint32 = 3802
)

// elementTypeByArrayOID are the types of the elements of arrays, by the OID of the array.
var elementTypeByArrayOID = map[uint32]uint32{
	1000: BoolOID, 1001: ByteaOID, 1002: CharOID, 1003: NameOID, 1016: Int8OID, 1005: Int2OID, 1007: Int4OID, 1009: TextOID, 1028: OIDOID, 1021: Float4OID, 1022: Float8OID,
	1014: BPCharOID, 1015: VarcharOID, 1182: DateOID, 1183: TimeOID, 1115: TimestampOID, 1185: TimestampTZOID, 1187: IntervalOID, 1231: NumericOID, 2951: UUIDOID,
	int2VectorOID: Int2OID, oidVectorOID: OIDOID,
}

// The OIDs of the vectors of the catalogue.
const (
	int2VectorOID uint32 = 22
	oidVectorOID  uint32 = 30
)

// oidByColumnType are the types of columns by the names that statements give them.
var oidByColumnType = map[string]uint32{
	"boolean": BoolOID, "integer": Int4OID, "bigint": Int8OID, "numeric": NumericOID, "double precision": Float8OID, "text": TextOID,
	"date": DateOID, "time": TimeOID, "timestamp": TimestampOID, "timestamptz": TimestampTZOID,
}

// OIDOfColumnType returns the OID of the type of a column, or of a parameter that is an array, by its name; an unknown name is that of text.
func OIDOfColumnType(name string) uint32 {
	if element, isArray := strings.CutSuffix(name, "[]"); isArray {
		return arrayOIDByElementType[OIDOfColumnType(element)]
	}
	if oid, ok := oidByColumnType[name]; ok {
		return oid
	}
	if name == intervalTypeName {
		return IntervalOID
	}
	return TextOID
}

// intervalTypeName is the type of parameters that are intervals, which no column is.
const intervalTypeName = "interval"

// statementTypeByOID are the types that parameters have in statements, by OID.
var statementTypeByOID = map[uint32]string{
	BoolOID: "boolean", Int2OID: "integer", Int4OID: "integer", OIDOID: "bigint", Int8OID: "bigint", NumericOID: "numeric", Float4OID: "double precision", Float8OID: "double precision",
	TextOID: "text", VarcharOID: "text", BPCharOID: "text", NameOID: "text", CharOID: "text", UUIDOID: "text", JSONOID: "text", JSONBOID: "text",
	DateOID: "date", TimeOID: "time", TimestampOID: "timestamp", TimestampTZOID: "timestamptz", IntervalOID: intervalTypeName,
}

// StatementTypeOfOID returns the type of a parameter in a statement, that of the elements and [] for an array; "" where the statement decides.
func StatementTypeOfOID(oid uint32) string {
	if element := statementTypeByOID[elementTypeByArrayOID[oid]]; element != "" {
		return element + "[]"
	}
	return statementTypeByOID[oid]
}

// arrayOIDByElementType are the OIDs of arrays by the types of their elements.
var arrayOIDByElementType = func() map[uint32]uint32 {
	out := map[uint32]uint32{}
	for array, element := range elementTypeByArrayOID {
		if array != int2VectorOID && array != oidVectorOID {
			out[element] = array
		}
	}
	return out
}()

// oidByTypeName are the types by the names that people write.
var oidByTypeName = map[string]uint32{
	"bool": BoolOID, "boolean": BoolOID, "bytea": ByteaOID, "name": NameOID, "int8": Int8OID, "bigint": Int8OID, "int2": Int2OID, "smallint": Int2OID, "int4": Int4OID, "int": Int4OID,
	"integer": Int4OID, "text": TextOID, "oid": OIDOID, "float4": Float4OID, "real": Float4OID, "float8": Float8OID, "float": Float8OID, "double precision": Float8OID,
	"bpchar": BPCharOID, "char": BPCharOID, "character": BPCharOID, "varchar": VarcharOID, "character varying": VarcharOID, "date": DateOID, "time": TimeOID,
	"time without time zone": TimeOID, "timestamp": TimestampOID, "timestamp without time zone": TimestampOID, "timestamptz": TimestampTZOID,
	"timestamp with time zone": TimestampTZOID, "interval": IntervalOID, "numeric": NumericOID, "decimal": NumericOID, "uuid": UUIDOID, "unknown": 0,
}

// OIDOfTypeName returns the OID of a type by its name; false for an unknown one.
func OIDOfTypeName(name string) (uint32, bool) {
	element, isArray := strings.CutSuffix(strings.TrimPrefix(name, "pg_catalog "), "[]")
	oid, ok := oidByTypeName[element]
	if isArray {
		oid, ok = arrayOIDByElementType[oid]
	}
	return oid, ok
}

// TypeSize returns the length of the values of a type in bytes, -1 where it varies.
func TypeSize(oid uint32) int16 {
	switch oid {
	case BoolOID, CharOID:
		return 1
	case Int2OID:
		return 2
	case Int4OID, OIDOID, Float4OID, DateOID, VoidOID:
		return 4
	case Int8OID, Float8OID, TimeOID, TimestampOID, TimestampTZOID:
		return 8
	case IntervalOID, UUIDOID:
		return 16
	case NameOID:
		return 64
	case UnknownOID:
		return -2
	}
	return -1
}

// isTextType reports whether the values of a type are texts, whose binary form is the text.
func isTextType(oid uint32) bool {
	switch oid {
	case TextOID, VarcharOID, BPCharOID, NameOID, CharOID, UnknownOID, JSONOID, 0:
		return true
	}
	return false
}
