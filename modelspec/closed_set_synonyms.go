package modelspec

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

// datatypeSynonyms are what warehouses and programs call the data types of the
// format, by lower-cased name without a length.
var datatypeSynonyms = map[string]string{
	"text": "String", "varchar": "String", "char": "String", "character varying": "String", "nvarchar": "String", "str": "String", "uuid": "String",
	"int": "Integer", "int4": "Integer", "int8": "Integer", "int32": "Integer", "int64": "Integer", "bigint": "Integer", "smallint": "Integer",
	"tinyint": "Integer", "long": "Integer", "short": "Integer",
	"numeric": "Decimal", "number": "Decimal", "money": "Decimal", "bignumeric": "Decimal", "bigdecimal": "Decimal",
	"double": "Float", "double precision": "Float", "real": "Float", "float4": "Float", "float8": "Float", "float32": "Float", "float64": "Float",
	"bool": "Boolean", "bit": "Boolean", "logical": "Boolean",
	"timestamp": "DateTime", "timestamp_ntz": "DateTime", "datetime2": "DateTime", "timestamp without time zone": "DateTime",
	"timestamptz": "DateTimeTz", "timestamp_tz": "DateTimeTz", "timestamp_ltz": "DateTimeTz", "timestamp with time zone": "DateTimeTz", "datetimeoffset": "DateTimeTz",
	"json": "Opaque", "jsonb": "Opaque", "variant": "Opaque", "array": "Opaque", "struct": "Opaque", "map": "Opaque", "binary": "Opaque",
	"bytes": "Opaque", "blob": "Opaque", "geometry": "Opaque", "geography": "Opaque", "object": "Opaque",
}

// findIntendedValue returns the value of a closed set that was probably meant by another text: a
// synonym, or a name that differs in a few letters.
func findIntendedValue(key, text string, allowed []string) (string, bool) {
	if key == "datatype" {
		name, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), "(")
		if meant, ok := datatypeSynonyms[strings.TrimSpace(name)]; ok {
			return meant, true
		}
	}
	return suggest.ClosestIfNear(text, allowed)
}
