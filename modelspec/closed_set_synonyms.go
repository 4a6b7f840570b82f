package modelspec

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

// datatypeSynonyms are what warehouses and programs call the data types of the
// format, by lower-cased name without a length.
var datatypeSynonyms = map[string]Datatype{
	"text": DatatypeString, "varchar": DatatypeString, "char": DatatypeString, "character varying": DatatypeString, "nvarchar": DatatypeString, "str": DatatypeString, "uuid": DatatypeString,
	"int": DatatypeInteger, "int4": DatatypeInteger, "int8": DatatypeInteger, "int32": DatatypeInteger, "int64": DatatypeInteger, "bigint": DatatypeInteger, "smallint": DatatypeInteger,
	"tinyint": DatatypeInteger, "long": DatatypeInteger, "short": DatatypeInteger,
	"numeric": DatatypeDecimal, "number": DatatypeDecimal, "money": DatatypeDecimal, "bignumeric": DatatypeDecimal, "bigdecimal": DatatypeDecimal,
	"double": DatatypeFloat, "double precision": DatatypeFloat, "real": DatatypeFloat, "float4": DatatypeFloat, "float8": DatatypeFloat, "float32": DatatypeFloat, "float64": DatatypeFloat,
	"bool": DatatypeBoolean, "bit": DatatypeBoolean, "logical": DatatypeBoolean,
	"timestamp": DatatypeDateTime, "timestamp_ntz": DatatypeDateTime, "datetime2": DatatypeDateTime, "timestamp without time zone": DatatypeDateTime,
	"timestamptz": DatatypeDateTimeTz, "timestamp_tz": DatatypeDateTimeTz, "timestamp_ltz": DatatypeDateTimeTz, "timestamp with time zone": DatatypeDateTimeTz, "datetimeoffset": DatatypeDateTimeTz,
	"json": DatatypeOpaque, "jsonb": DatatypeOpaque, "variant": DatatypeOpaque, "array": DatatypeOpaque, "struct": DatatypeOpaque, "map": DatatypeOpaque, "binary": DatatypeOpaque,
	"bytes": DatatypeOpaque, "blob": DatatypeOpaque, "geometry": DatatypeOpaque, "geography": DatatypeOpaque, "object": DatatypeOpaque,
}

// findIntendedValue returns the value of a closed set that was probably meant by another text: a
// synonym, or a name that differs in a few letters.
func findIntendedValue(key, text string, allowed []string) (string, bool) {
	if key == "datatype" {
		name, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), "(")
		if meant, ok := datatypeSynonyms[strings.TrimSpace(name)]; ok {
			return meant.String(), true
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
