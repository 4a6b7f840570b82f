package tables

import (
	"regexp"
	"strings"
)

// Datatype is a datatype of the model format.
type Datatype string

// The datatypes. Unknown is the one of a column without a type.
const (
	DatatypeUndeclared Datatype = ""
	DatatypeString     Datatype = "String"
	DatatypeInteger    Datatype = "Integer"
	DatatypeDecimal    Datatype = "Decimal"
	DatatypeFloat      Datatype = "Float"
	DatatypeBoolean    Datatype = "Boolean"
	DatatypeDate       Datatype = "Date"
	DatatypeTimeOfDay  Datatype = "Time"
	DatatypeDateTime   Datatype = "DateTime"
	DatatypeDateTimeTz Datatype = "DateTimeTz"
	DatatypeOpaque     Datatype = "Opaque"
)

// DatatypeOfWarehouseType returns the datatype of a type as a warehouse spells it. A type that is not
// known is Opaque; a column of SQLite without a type is Unknown.
func DatatypeOfWarehouseType(dialect, spelled string) Datatype {
	switch dialect {
	case "clickhouse":
		return datatypeOfClickHouseType(spelled)
	case "sqlite":
		return datatypeOfSQLiteType(spelled)
	case "mysql", "mariadb", "tidb", "starrocks", "doris":
		switch t := strings.ToLower(spelled); {
		case strings.HasPrefix(t, "tinyint(1)"), t == "bit(1)":
			return DatatypeBoolean
		case strings.HasPrefix(t, "bit("):
			return DatatypeInteger
		case strings.HasPrefix(t, "timestamp"):
			return DatatypeDateTimeTz // an instant, which the session reads in UTC
		}
	}
	return opaqueIfUnrecognized(datatypeOfCommonName(spelled))
}

// nonTextPattern matches the types whose datatype is String and which are not text to the functions, patterns and comparisons of text:
// UUIDs, enums, and the single character of PostgreSQL.
var nonTextPattern = regexp.MustCompile(`(?i)^((Nullable|LowCardinality)\()*(uuid|enum|enum8\(.*|enum16\(.*|enum\(.*|"char")\)*$`)

// NeedsCastToText reports whether a column with the datatype String has to be cast to be text. The enums of the MySQL family are text.
func NeedsCastToText(dialect, spelled string) bool {
	switch dialect {
	case "duckdb", "postgres", "clickhouse":
		return nonTextPattern.MatchString(spelled)
	}
	return false
}

func opaqueIfUnrecognized(d Datatype) Datatype {
	if d == DatatypeUndeclared {
		return DatatypeOpaque
	}
	return d
}

// typeSpellingPattern splits a type into its name, its arguments, and what follows them:
// timestamp(3) with time zone.
var typeSpellingPattern = regexp.MustCompile(`^\s*([^()]*[^()\s])\s*(?:\((.*)\))?\s*([^()]*)$`)

// datatypeOfCommonName returns the datatype of a type by the names that most engines use, Unknown
// for another name.
func datatypeOfCommonName(spelled string) Datatype {
	m := typeSpellingPattern.FindStringSubmatch(spelled)
	if m == nil || strings.HasSuffix(strings.TrimSpace(spelled), "]") {
		return DatatypeUndeclared
	}
	name, arguments, rest := strings.ToLower(m[1]), m[2], strings.ToLower(m[3])
	for _, mark := range []string{" unsigned", " zerofill", " signed"} {
		name = strings.TrimSuffix(name, mark)
	}
	if rest != "" {
		name += " " + rest
	}
	name = strings.TrimSpace(strings.NewReplacer(" unsigned", "", " zerofill", "").Replace(name))
	if d, ok := commonTypeNames[name]; ok {
		return d
	}
	if decimalTypeNames[name] {
		return decimalDatatype(arguments)
	}
	return DatatypeUndeclared
}

// decimalDatatype returns the datatype of a decimal with the arguments precision and scale. Without
// arguments its scale is not known.
func decimalDatatype(arguments string) Datatype {
	_, scale, hasScale := strings.Cut(arguments, ",")
	if arguments == "" || hasScale && strings.TrimSpace(scale) != "0" {
		return DatatypeDecimal
	}
	return DatatypeInteger
}

var decimalTypeNames = map[string]bool{
	"decimal": true, "numeric": true, "number": true, "dec": true,
	"decimalv3": true, "decimal32": true, "decimal64": true, "decimal128": true, "decimal256": true,
}

var commonTypeNames = typeNamesByDatatype{
	DatatypeInteger: {
		"tinyint", "smallint", "mediumint", "int", "integer", "bigint", "hugeint", "largeint", "int1", "int2", "int3", "int4", "int8", "int16", "int32", "int64",
		"utinyint", "usmallint", "uinteger", "ubigint", "uhugeint", "bignum", "varint", "serial", "bigserial", "smallserial", "year",
	},
	DatatypeDecimal:   {"money", "smallmoney"},
	DatatypeFloat:     {"float", "float4", "float8", "double", "double precision", "real"},
	DatatypeBoolean:   {"boolean", "bool"},
	DatatypeDate:      {"date", "datev2", "date32"},
	DatatypeTimeOfDay: {"time", "time without time zone"},
	DatatypeDateTime: {
		"timestamp", "timestamp without time zone", "datetime", "datetimev2", "smalldatetime",
		"timestamp_s", "timestamp_ms", "timestamp_us", "timestamp_ns",
	},
	DatatypeDateTimeTz: {"timestamp with time zone", "timestamptz"},
	DatatypeString: {
		"char", "character", "varchar", "character varying", "varchar2", "nchar", "nvarchar", "text", "ntext", "string", "clob", "bpchar", "name", `"char"`, "citext",
		"native character", "varying character", "tinytext", "mediumtext", "longtext", "uuid", "enum", "set",
	},
}.invertToDatatypesByName()

type typeNamesByDatatype map[Datatype][]string

func (t typeNamesByDatatype) invertToDatatypesByName() map[string]Datatype {
	out := map[string]Datatype{}
	for d, names := range t {
		for _, n := range names {
			out[n] = d
		}
	}
	return out
}

// datatypeOfSQLiteType returns the datatype of the type's name, else of the affinity that SQLite
// gives to it.
func datatypeOfSQLiteType(declared string) Datatype {
	if strings.TrimSpace(declared) == "" {
		return DatatypeUndeclared
	}
	if d := datatypeOfCommonName(declared); d != DatatypeUndeclared {
		return d
	}
	upper := strings.ToUpper(declared)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(upper, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("INT"):
		return DatatypeInteger
	case has("CHAR", "CLOB", "TEXT"):
		return DatatypeString
	case has("BLOB", "JSON"):
		return DatatypeOpaque
	case has("REAL", "FLOA", "DOUB"): //nolint:misspell // as SQLite looks for it
		return DatatypeFloat
	}
	return DatatypeDecimal
}

// datatypeOfClickHouseType reads Nullable(…) and LowCardinality(…) as what they hold.
func datatypeOfClickHouseType(t string) Datatype {
	for _, wrapper := range []string{"LowCardinality(", "Nullable("} {
		if strings.HasPrefix(t, wrapper) && strings.HasSuffix(t, ")") {
			t = t[len(wrapper) : len(t)-1]
		}
	}
	name, arguments, _ := strings.Cut(strings.TrimSuffix(t, ")"), "(")
	switch name {
	case "Int8", "Int16", "Int32", "Int64", "Int128", "Int256", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "UInt256":
		return DatatypeInteger
	case "Decimal":
		return decimalDatatype(arguments)
	case "Float32", "Float64", "BFloat16":
		return DatatypeFloat
	case "Bool":
		return DatatypeBoolean
	case "Date", "Date32":
		return DatatypeDate
	case "String", "FixedString", "UUID", "Enum8", "Enum16":
		return DatatypeString
	case "DateTime", "DateTime64":
		if strings.Contains(arguments, "'") {
			return DatatypeDateTimeTz
		}
		return DatatypeDateTime
	}
	return DatatypeOpaque
}
