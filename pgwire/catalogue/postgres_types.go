package catalogue

import (
	"sync"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// The types of pg_type that the rules of this package name.
const (
	boolTypeOID         = 16
	byteaTypeOID        = 17
	charTypeOID         = 18
	nameTypeOID         = 19
	int8TypeOID         = 20
	int2TypeOID         = 21
	int2VectorTypeOID   = 22
	int4TypeOID         = 23
	regprocTypeOID      = 24
	textTypeOID         = 25
	oidTypeOID          = 26
	xidTypeOID          = 28
	cidTypeOID          = 29
	oidVectorTypeOID    = 30
	jsonTypeOID         = 114
	float4TypeOID       = 700
	float8TypeOID       = 701
	unknownTypeOID      = 705
	inetTypeOID         = 869
	aclItemTypeOID      = 1033
	bpcharTypeOID       = 1042
	varcharTypeOID      = 1043
	dateTypeOID         = 1082
	timeTypeOID         = 1083
	timestampTypeOID    = 1114
	timestamptzTypeOID  = 1184
	intervalTypeOID     = 1186
	bitTypeOID          = 1560
	varbitTypeOID       = 1562
	numericTypeOID      = 1700
	regprocedureTypeOID = 2202
	regoperTypeOID      = 2203
	regoperatorTypeOID  = 2204
	regclassTypeOID     = 2205
	regtypeTypeOID      = 2206
	recordTypeOID       = 2249
	anyArrayTypeOID     = 2277
	voidTypeOID         = 2278
	regconfigTypeOID    = 3734
	regdictTypeOID      = 3769
	regnamespaceTypeOID = 4089
	regroleTypeOID      = 4096
	regcollationTypeOID = 4191
)

// typesByOID are the types of PostgreSQL 15.
var typesByOID = sync.OnceValue(func() map[uint32]postgres15.Type {
	out := map[uint32]postgres15.Type{}
	for _, t := range postgres15.Types() {
		out[t.OID] = t
	}
	return out
})

// typesBySpelling finds a type by the name of pg_type and by the name that SQL has for it.
var typesBySpelling = sync.OnceValue(func() map[string]uint32 {
	out := map[string]uint32{
		"int": int4TypeOID, "dec": numericTypeOID, "float": float8TypeOID,
		"integer": int4TypeOID, "smallint": int2TypeOID, "bigint": int8TypeOID, "real": float4TypeOID, "double precision": float8TypeOID,
		"boolean": boolTypeOID, "character": bpcharTypeOID, "character varying": varcharTypeOID, "decimal": numericTypeOID,
		"timestamp without time zone": timestampTypeOID, "timestamp with time zone": timestamptzTypeOID, "time without time zone": timeTypeOID,
		`"char"`: charTypeOID, "bit varying": varbitTypeOID,
	}
	for _, t := range postgres15.Types() {
		if t.Name != "char" {
			out[t.Name] = t.OID
		}
	}
	return out
})

// domainBaseType returns the type that a domain is made of, and any other type itself.
func domainBaseType(t uint32) uint32 {
	if base := typesByOID()[t].Base; base != 0 {
		return base
	}
	return t
}

// arrayTypeOf returns the type of an array of a type.
func arrayTypeOf(t uint32) uint32 {
	switch t {
	case unknownTypeOID:
		t = textTypeOID
	case recordTypeOID:
		return 2287
	}
	return typesByOID()[t].Array
}

// elementTypeOf returns the type of the elements of an array; 0 for a type that is not an array.
func elementTypeOf(t uint32) uint32 {
	switch t {
	case int2VectorTypeOID:
		return int2TypeOID
	case oidVectorTypeOID:
		return oidTypeOID
	}
	if info := typesByOID()[t]; info.Category == "A" {
		return info.Element
	}
	return 0
}

// isVectorType reports whether the subscripts of a type begin at 0.
func isVectorType(t uint32) bool { return t == int2VectorTypeOID || t == oidVectorTypeOID }

// isRegType reports whether a type is an OID that is shown as a name.
func isRegType(t uint32) bool {
	switch t {
	case regprocTypeOID, regprocedureTypeOID, regoperTypeOID, regoperatorTypeOID, regclassTypeOID, regtypeTypeOID, regconfigTypeOID, regdictTypeOID,
		regnamespaceTypeOID, regroleTypeOID, regcollationTypeOID:
		return true
	}
	return false
}

func isIntegerType(t uint32) bool {
	switch t {
	case int2TypeOID, int4TypeOID, int8TypeOID, oidTypeOID, xidTypeOID, cidTypeOID:
		return true
	}
	return isRegType(t)
}

func isFloatType(t uint32) bool { return t == float4TypeOID || t == float8TypeOID }

func isNumericType(t uint32) bool { return isIntegerType(t) || isFloatType(t) || t == numericTypeOID }

// isIdentifierType reports whether a type numbers objects. JSON has its values as texts.
func isIdentifierType(t uint32) bool {
	return t == oidTypeOID || t == xidTypeOID || t == cidTypeOID || isRegType(t)
}

// isTextType reports whether values of a type are texts as they are.
func isTextType(t uint32) bool {
	switch t {
	case textTypeOID, nameTypeOID, varcharTypeOID, bpcharTypeOID, charTypeOID, unknownTypeOID:
		return true
	}
	return false
}

// duckDBTypeOf returns the type of DuckDB that holds the values of a type.
func duckDBTypeOf(t uint32) string {
	if element := elementTypeOf(t); element != 0 {
		return duckDBTypeOf(element) + "[]"
	}
	switch {
	case t == boolTypeOID:
		return "BOOLEAN"
	case t == int2TypeOID || t == int4TypeOID:
		return "INTEGER"
	case isIntegerType(t):
		return "BIGINT"
	case t == float4TypeOID:
		return "FLOAT"
	case t == float8TypeOID:
		return "DOUBLE"
	case t == numericTypeOID:
		return "DECIMAL(38, 9)"
	case t == dateTypeOID:
		return "DATE"
	case t == timeTypeOID:
		return "TIME"
	case t == timestampTypeOID || t == timestamptzTypeOID:
		return "TIMESTAMP"
	}
	return "VARCHAR"
}
