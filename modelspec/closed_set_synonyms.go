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

// keySynonyms are the keys of other formats with the keys that mean the same here, where no slip of the keyboard leads to
// them.
var keySynonyms = map[string][]string{
	"measures": {"metrics"}, "measure": {"metrics"}, "kpis": {"metrics"}, "facts": {"metrics", "fields"},
	"tables": {"datasets"}, "models": {"datasets", modelListKey}, "entities": {"datasets"}, "cubes": {"datasets"}, "views": {"datasets"}, "explores": {"datasets"},
	"semantic_models": {modelListKey, "datasets"},
	"joins":           {"relationships"}, "relations": {"relationships"}, "foreign_keys": {"relationships"},
	"table": {"source"}, "table_name": {"source"}, "sql_table": {"source"}, "sql_table_name": {"source"}, "base_table": {"source"}, "query": {"source"},
	"columns": {"fields"}, "dimensions": {"fields"}, "attributes": {"fields"}, "time_dimensions": {"fields"},
	"key": {"primary_key"}, "keys": {"primary_key", "unique_keys"}, "id": {"primary_key"}, "unique": {"unique_keys"},
	"sql": {"expression", "source"}, "expr": {"expression"}, "formula": {"expression"}, "calculation": {"expression"},
	"type": {"datatype", "cardinality"}, "data_type": {"datatype"}, "title": {"label"}, "display_name": {"label"}, "caption": {"label"},
	"comment": {"description"}, "doc": {"description"}, "left": {"from"}, "right": {"to"}, "left_table": {"from"}, "right_table": {"to"},
	"extensions": {"custom_extensions"}, "meta": {"custom_extensions"}, "synonyms": {"ai_context"},
}

// findIntendedKey returns the key that was probably meant by an unknown one: a synonym, or a name that differs in a few letters.
func findIntendedKey(key string, known []string) (string, bool) {
	for _, meant := range keySynonyms[strings.ToLower(key)] {
		if containsString(known, meant) {
			return meant, true
		}
	}
	return suggest.ClosestIfNear(key, known)
}
