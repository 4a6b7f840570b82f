package catalogue

import (
	"sync"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// The types of pg_type that the rules of this package name.
const (
	typeBool         = 16
	typeBytea        = 17
	typeChar         = 18
	typeName         = 19
	typeInt8         = 20
	typeInt2         = 21
	typeInt2Vector   = 22
	typeInt4         = 23
	typeRegproc      = 24
	typeText         = 25
	typeOID          = 26
	typeXID          = 28
	typeCID          = 29
	typeOIDVector    = 30
	typeJSON         = 114
	typeFloat4       = 700
	typeFloat8       = 701
	typeUnknown      = 705
	typeInet         = 869
	typeACLItem      = 1033
	typeBpchar       = 1042
	typeVarchar      = 1043
	typeDate         = 1082
	typeTime         = 1083
	typeTimestamp    = 1114
	typeTimestamptz  = 1184
	typeInterval     = 1186
	typeNumeric      = 1700
	typeRegprocedure = 2202
	typeRegoper      = 2203
	typeRegoperator  = 2204
	typeRegclass     = 2205
	typeRegtype      = 2206
	typeRecord       = 2249
	typeAnyArray     = 2277
	typeVoid         = 2278
	typeRegconfig    = 3734
	typeRegdict      = 3769
	typeRegnamespace = 4089
	typeRegrole      = 4096
	typeRegcollation = 4191
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
		"int": typeInt4, "dec": typeNumeric, "float": typeFloat8,
		"integer": typeInt4, "smallint": typeInt2, "bigint": typeInt8, "real": typeFloat4, "double precision": typeFloat8,
		"boolean": typeBool, "character": typeBpchar, "character varying": typeVarchar, "decimal": typeNumeric,
		"timestamp without time zone": typeTimestamp, "timestamp with time zone": typeTimestamptz, "time without time zone": typeTime,
		`"char"`: typeChar,
	}
	for _, t := range postgres15.Types() {
		if t.Name != "char" {
			out[t.Name] = t.OID
		}
	}
	return out
})

// domainBaseType is the type that a domain is made of, and any other type itself.
func domainBaseType(t uint32) uint32 {
	if base := typesByOID()[t].Base; base != 0 {
		return base
	}
	return t
}

// arrayTypeOf is the type of an array of a type.
func arrayTypeOf(t uint32) uint32 {
	switch t {
	case typeUnknown:
		t = typeText
	case typeRecord:
		return 2287
	}
	return typesByOID()[t].Array
}

// elementTypeOf is the type of the elements of an array; 0 for a type that is not an array.
func elementTypeOf(t uint32) uint32 {
	switch t {
	case typeInt2Vector:
		return typeInt2
	case typeOIDVector:
		return typeOID
	}
	if info := typesByOID()[t]; info.Category == "A" {
		return info.Element
	}
	return 0
}

// isVectorType reports whether the subscripts of a type begin at 0.
func isVectorType(t uint32) bool { return t == typeInt2Vector || t == typeOIDVector }

// isRegType reports whether a type is an OID that is shown as a name.
func isRegType(t uint32) bool {
	switch t {
	case typeRegproc, typeRegprocedure, typeRegoper, typeRegoperator, typeRegclass, typeRegtype, typeRegconfig, typeRegdict,
		typeRegnamespace, typeRegrole, typeRegcollation:
		return true
	}
	return false
}

func isIntegerType(t uint32) bool {
	switch t {
	case typeInt2, typeInt4, typeInt8, typeOID, typeXID, typeCID:
		return true
	}
	return isRegType(t)
}

func isFloatType(t uint32) bool { return t == typeFloat4 || t == typeFloat8 }

func isNumericType(t uint32) bool { return isIntegerType(t) || isFloatType(t) || t == typeNumeric }

// isTextType reports whether values of a type are texts as they are.
func isTextType(t uint32) bool {
	switch t {
	case typeText, typeName, typeVarchar, typeBpchar, typeChar, typeUnknown:
		return true
	}
	return false
}

// duckDBTypeOf is the type of DuckDB that holds the values of a type.
func duckDBTypeOf(t uint32) string {
	if element := elementTypeOf(t); element != 0 {
		return duckDBTypeOf(element) + "[]"
	}
	switch {
	case t == typeBool:
		return "BOOLEAN"
	case t == typeInt2 || t == typeInt4:
		return "INTEGER"
	case isIntegerType(t):
		return "BIGINT"
	case t == typeFloat4:
		return "FLOAT"
	case t == typeFloat8:
		return "DOUBLE"
	case t == typeNumeric:
		return "DECIMAL(38, 9)"
	case t == typeDate:
		return "DATE"
	case t == typeTime:
		return "TIME"
	case t == typeTimestamp || t == typeTimestamptz:
		return "TIMESTAMP"
	}
	return "VARCHAR"
}
