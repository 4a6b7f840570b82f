package tables

import (
	"regexp"
	"strings"
)

// Datatype is a datatype of the model format.
type Datatype string

// The datatypes. Unknown is the one of a column without a type.
const (
	Unknown    Datatype = ""
	String     Datatype = "String"
	Integer    Datatype = "Integer"
	Decimal    Datatype = "Decimal"
	Float      Datatype = "Float"
	Boolean    Datatype = "Boolean"
	Date       Datatype = "Date"
	Time       Datatype = "Time"
	DateTime   Datatype = "DateTime"
	DateTimeTz Datatype = "DateTimeTz"
	Opaque     Datatype = "Opaque"
)

// DatatypeOf returns the datatype of a type as a warehouse spells it. A type that is not
// known is Opaque; a column of SQLite without a type is Unknown.
func DatatypeOf(dialect, spelled string) Datatype {
	switch dialect {
	case "clickhouse":
		return clickhouseDatatype(spelled)
	case "sqlite":
		return sqliteDatatype(spelled)
	case "mysql", "mariadb", "tidb", "starrocks", "doris":
		switch t := strings.ToLower(spelled); {
		case strings.HasPrefix(t, "tinyint(1)"), t == "bit(1)":
			return Boolean
		case strings.HasPrefix(t, "bit("):
			return Opaque
		}
	}
	return orOpaque(commonDatatype(spelled))
}

func orOpaque(d Datatype) Datatype {
	if d == Unknown {
		return Opaque
	}
	return d
}

// spelling splits a type into its name, its arguments, and what follows them:
// timestamp(3) with time zone.
var spelling = regexp.MustCompile(`^\s*([^()]*[^()\s])\s*(?:\((.*)\))?\s*([^()]*)$`)

// commonDatatype returns the datatype of a type by the names that most engines use, Unknown
// for another name.
func commonDatatype(spelled string) Datatype {
	m := spelling.FindStringSubmatch(spelled)
	if m == nil || strings.HasSuffix(strings.TrimSpace(spelled), "]") {
		return Unknown
	}
	name, arguments, rest := strings.ToLower(m[1]), m[2], strings.ToLower(m[3])
	for _, mark := range []string{" unsigned", " zerofill", " signed"} {
		name = strings.TrimSuffix(name, mark)
	}
	if rest != "" {
		name += " " + rest
	}
	name = strings.TrimSpace(strings.NewReplacer(" unsigned", "", " zerofill", "").Replace(name))
	if d, ok := commonNames[name]; ok {
		return d
	}
	if decimalNames[name] {
		return decimalOf(arguments)
	}
	return Unknown
}

// decimalOf returns the datatype of a decimal with the arguments precision and scale. Without
// arguments its scale is not known.
func decimalOf(arguments string) Datatype {
	_, scale, hasScale := strings.Cut(arguments, ",")
	if arguments == "" || hasScale && strings.TrimSpace(scale) != "0" {
		return Decimal
	}
	return Integer
}

var decimalNames = map[string]bool{
	"decimal": true, "numeric": true, "number": true, "dec": true,
	"decimalv3": true, "decimal32": true, "decimal64": true, "decimal128": true, "decimal256": true,
}

var commonNames = datatypeTable{
	Integer: {
		"tinyint", "smallint", "mediumint", "int", "integer", "bigint", "hugeint", "largeint", "int1", "int2", "int3", "int4", "int8", "int16", "int32", "int64",
		"utinyint", "usmallint", "uinteger", "ubigint", "uhugeint", "bignum", "varint", "serial", "bigserial", "smallserial", "year",
	},
	Decimal: {"money", "smallmoney"},
	Float:   {"float", "float4", "float8", "double", "double precision", "real"},
	Boolean: {"boolean", "bool"},
	Date:    {"date", "datev2", "date32"},
	Time:    {"time", "time without time zone"},
	DateTime: {
		"timestamp", "timestamp without time zone", "datetime", "datetimev2", "smalldatetime",
		"timestamp_s", "timestamp_ms", "timestamp_us", "timestamp_ns",
	},
	DateTimeTz: {"timestamp with time zone", "timestamptz"},
	String: {
		"char", "character", "varchar", "character varying", "varchar2", "nchar", "nvarchar", "text", "ntext", "string", "clob", "bpchar", "name", `"char"`, "citext",
		"native character", "varying character", "tinytext", "mediumtext", "longtext", "uuid", "enum", "set",
	},
}.byName()

type datatypeTable map[Datatype][]string

func (t datatypeTable) byName() map[string]Datatype {
	out := map[string]Datatype{}
	for d, names := range t {
		for _, n := range names {
			out[n] = d
		}
	}
	return out
}

// sqliteDatatype returns the datatype of the type's name, else of the affinity that SQLite
// gives to it.
func sqliteDatatype(declared string) Datatype {
	if strings.TrimSpace(declared) == "" {
		return Unknown
	}
	if d := commonDatatype(declared); d != Unknown {
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
		return Integer
	case has("CHAR", "CLOB", "TEXT"):
		return String
	case has("BLOB"):
		return Opaque
	case has("REAL", "FLOA", "DOUB"): //nolint:misspell // as SQLite looks for it
		return Float
	}
	return Decimal
}

// clickhouseDatatype reads Nullable(…) and LowCardinality(…) as what they hold.
func clickhouseDatatype(t string) Datatype {
	for _, wrapper := range []string{"LowCardinality(", "Nullable("} {
		if strings.HasPrefix(t, wrapper) && strings.HasSuffix(t, ")") {
			t = t[len(wrapper) : len(t)-1]
		}
	}
	name, arguments, _ := strings.Cut(strings.TrimSuffix(t, ")"), "(")
	switch name {
	case "Int8", "Int16", "Int32", "Int64", "Int128", "Int256", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "UInt256":
		return Integer
	case "Decimal":
		return decimalOf(arguments)
	case "Float32", "Float64", "BFloat16":
		return Float
	case "Bool":
		return Boolean
	case "Date", "Date32":
		return Date
	case "String", "FixedString", "UUID", "Enum8", "Enum16":
		return String
	case "DateTime", "DateTime64":
		if strings.Contains(arguments, "'") {
			return DateTimeTz
		}
		return DateTime
	}
	return Opaque
}
