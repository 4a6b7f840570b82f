package catalogue

import (
	"strings"
	"sync"
)

// anyArgumentType is a place for a value of any type, sameTypeAsFirstArgument the type of the first argument.
const (
	anyArgumentType         uint32 = 0
	sameTypeAsFirstArgument uint32 = 1
)

// functionOverload is a function that is one form for DuckDB.
type functionOverload struct {
	arguments []uint32
	result    uint32
	form      string
}

// functionTemplateLines is the closed list of functions that are forms: name, argument types, result type, form.
// The macros f_… are those of duckdb_macros.go.
const functionTemplateLines = `
lower|text|text|lower(?)
upper|text|text|upper(?)
length|text|int4|length(?)
length|varbit|int4|length(?)
char_length|text|int4|length(?)
character_length|text|int4|length(?)
octet_length|text|int4|strlen(?)
substring|text,int4|text|substring(?, ?)
substring|text,int4,int4|text|substring(?, ?, ?)
substring|text,text|text|f_substring_match(?, ?)
substr|text,int4|text|substring(?, ?)
substr|text,int4,int4|text|substring(?, ?, ?)
left|text,int4|text|left(?, ?)
right|text,int4|text|right(?, ?)
strpos|text,text|int4|strpos(?, ?)
position|text,text|int4|f_position(?, ?)
replace|text,text,text|text|replace(?, ?, ?)
translate|text,text,text|text|translate(?, ?, ?)
trim|text|text|trim(?, ' ')
trim|text,text|text|trim(?, ?)
btrim|text|text|trim(?, ' ')
btrim|text,text|text|trim(?, ?)
ltrim|text|text|ltrim(?, ' ')
ltrim|text,text|text|ltrim(?, ?)
rtrim|text|text|rtrim(?, ' ')
rtrim|text,text|text|rtrim(?, ?)
split_part|text,text,int4|text|split_part(?, ?, ?)
starts_with|text,text|bool|starts_with(?, ?)
reverse|text|text|reverse(?)
md5|text|text|md5(?)
ascii|text|int4|ascii(?)
chr|int4|text|chr(?)
regexp_replace|text,text,text|text|regexp_replace(?, ?, ?)
regexp_replace|text,text,text,text|text|regexp_replace(?, ?, ?, ?)
quote_ident|text|text|f_quote_ident(?)
quote_literal|text|text|f_quote_literal(?)
quote_nullable|text|text|coalesce(f_quote_literal(?), 'NULL')
abs|any|first|abs(?)
floor|any|float8|floor(?)
ceil|any|float8|ceil(?)
round|any|float8|round(?)
round|numeric,int4|numeric|round(?, ?)
regexp_split_to_array|text,text|_text|string_split_regex(?, ?)
mod|int8,int8|int8|(? % ?)
array_to_string|anyarray,text|text|f_array_to_string(?, ?)
array_to_string|anyarray,text,text|text|f_array_to_string_nulls(?, ?, ?)
string_to_array|text,text|_text|f_string_to_array(?, ?)
array_length|anyarray,int4|int4|f_array_length(?, ?)
array_upper|anyarray,int4|int4|f_array_length(?, ?)
array_lower|anyarray,int4|int4|f_array_lower(?, ?)
cardinality|anyarray|int4|len(?)
array_ndims|anyarray|int4|f_array_ndims(?)
array_remove|anyarray,any|first|f_array_remove(?, ?)
array_append|anyarray,any|first|list_append(?, ?)
array_cat|anyarray,anyarray|first|list_concat(?, ?)
array_position|anyarray,any|int4|f_array_position(?, ?)
format_type|oid,int4|text|f_format_type(?, ?)
obj_description|oid,name|text|f_obj_description(?, ?)
obj_description|oid|text|f_obj_description_any(?)
col_description|oid,int4|text|f_col_description(?, ?)
pg_get_expr|any,oid|text|f_nothing_of(?, ?)
pg_get_expr|any,oid,bool|text|f_nothing_of(?, ?, ?)
pg_get_constraintdef|oid|text|f_constraint_definition(?)
pg_get_constraintdef|oid,bool|text|f_constraint_definition_pretty(?, ?)
pg_get_indexdef|oid|text|f_index_definition(?)
pg_get_indexdef|oid,int4,bool|text|f_index_definition_pretty(?, ?, ?)
pg_get_viewdef|oid|text|f_view_definition(?)
pg_get_viewdef|oid,bool|text|f_view_definition_pretty(?, ?)
pg_get_triggerdef|oid|text|f_nothing_of(?)
pg_get_triggerdef|oid,bool|text|f_nothing_of(?, ?)
pg_get_ruledef|oid|text|f_nothing_of(?)
pg_get_ruledef|oid,bool|text|f_nothing_of(?, ?)
pg_get_partkeydef|oid|text|f_nothing_of(?)
pg_get_statisticsobjdef|oid|text|f_nothing_of(?)
pg_get_statisticsobjdef_columns|oid|text|f_nothing_of(?)
pg_get_serial_sequence|text,text|text|f_nothing_of(?, ?)
pg_get_function_arguments|oid|text|f_function_arguments(?)
pg_get_function_identity_arguments|oid|text|f_function_identity(?)
pg_get_function_result|oid|text|f_function_result(?)
pg_get_function_arg_default|oid,int4|text|f_nothing_of(?, ?)
pg_get_function_sqlbody|oid|text|f_nothing_of(?)
pg_get_functiondef|oid|text|f_nothing_of(?)
pg_get_partition_constraintdef|oid|text|f_nothing_of(?)
pg_table_is_visible|oid|bool|f_table_is_visible(?)
pg_type_is_visible|oid|bool|f_type_is_visible(?)
pg_function_is_visible|oid|bool|f_function_is_visible(?)
pg_operator_is_visible|oid|bool|f_operator_is_visible(?)
pg_opclass_is_visible|oid|bool|f_opclass_is_visible(?)
pg_opfamily_is_visible|oid|bool|f_opfamily_is_visible(?)
pg_collation_is_visible|oid|bool|f_collation_is_visible(?)
pg_conversion_is_visible|oid|bool|f_conversion_is_visible(?)
pg_statistics_obj_is_visible|oid|bool|f_nothing_true(?)
pg_ts_config_is_visible|oid|bool|f_ts_config_is_visible(?)
pg_ts_dict_is_visible|oid|bool|f_ts_dict_is_visible(?)
pg_ts_parser_is_visible|oid|bool|f_ts_parser_is_visible(?)
pg_ts_template_is_visible|oid|bool|f_ts_template_is_visible(?)
pg_relation_is_publishable|regclass|bool|f_is_publishable(?)
pg_relation_size|regclass|int8|f_zero_size(?)
pg_relation_size|regclass,text|int8|f_zero_size_of(?, ?)
pg_total_relation_size|regclass|int8|f_zero_size(?)
pg_table_size|regclass|int8|f_zero_size(?)
pg_indexes_size|regclass|int8|f_zero_size(?)
pg_tablespace_size|oid|int8|f_zero_size(?)
pg_database_size|oid|int8|f_zero_size(?)
pg_database_size|name|int8|f_zero_size(?)
pg_size_pretty|int8|text|f_size_pretty(?)
acldefault|"char",oid|_aclitem|f_default_grants(?, ?)
pg_tablespace_location|oid|text|f_tablespace_location(?)
pg_encoding_to_char|int4|name|f_encoding_name(?)
pg_char_to_encoding|text|int4|f_encoding_number(?)
pg_encoding_max_length|int4|int4|f_encoding_length(?)
pg_relation_filenode|regclass|oid|f_filenode(?)
pg_relation_filepath|regclass|text|f_nothing_of(?)
pg_index_column_has_property|regclass,int4,text|bool|f_index_column_property(?, ?, ?)
pg_index_has_property|regclass,text|bool|f_index_property(?, ?)
pg_indexam_has_property|oid,text|bool|f_method_property(?, ?)
pg_column_is_updatable|regclass,int2,bool|bool|f_nothing_true_of(?, ?, ?)
pg_relation_is_updatable|regclass,bool|int4|f_updatable(?, ?)
pg_is_other_temp_schema|oid|bool|f_is_other_temp_schema(?)
pg_sequence_last_value|oid|int8|f_nothing_number(?)
to_regclass|text|regclass|f_reg_oid('regclass', ?)
to_regtype|text|regtype|f_reg_oid('regtype', ?)
to_regproc|text|regproc|f_reg_oid('regproc', ?)
to_regnamespace|text|regnamespace|f_reg_oid('regnamespace', ?)
to_regrole|text|regrole|f_reg_oid('regrole', ?)
pg_stat_get_numscans|oid|int8|f_zero_size(?)
pg_stat_get_tuples_returned|oid|int8|f_zero_size(?)
pg_stat_get_tuples_fetched|oid|int8|f_zero_size(?)
pg_stat_get_tuples_inserted|oid|int8|f_zero_size(?)
pg_stat_get_tuples_updated|oid|int8|f_zero_size(?)
pg_stat_get_tuples_deleted|oid|int8|f_zero_size(?)
pg_stat_get_tuples_hot_updated|oid|int8|f_zero_size(?)
pg_stat_get_live_tuples|oid|int8|f_zero_size(?)
pg_stat_get_dead_tuples|oid|int8|f_zero_size(?)
pg_stat_get_mod_since_analyze|oid|int8|f_zero_size(?)
pg_stat_get_ins_since_vacuum|oid|int8|f_zero_size(?)
pg_stat_get_blocks_fetched|oid|int8|f_zero_size(?)
pg_stat_get_blocks_hit|oid|int8|f_zero_size(?)
pg_stat_get_vacuum_count|oid|int8|f_zero_size(?)
pg_stat_get_autovacuum_count|oid|int8|f_zero_size(?)
pg_stat_get_analyze_count|oid|int8|f_zero_size(?)
pg_stat_get_autoanalyze_count|oid|int8|f_zero_size(?)
pg_stat_get_last_vacuum_time|oid|timestamptz|f_nothing_time(?)
pg_stat_get_last_autovacuum_time|oid|timestamptz|f_nothing_time(?)
pg_stat_get_last_analyze_time|oid|timestamptz|f_nothing_time(?)
pg_stat_get_last_autoanalyze_time|oid|timestamptz|f_nothing_time(?)
_pg_char_max_length|oid,int4|int4|f_char_max_length(?, ?)
_pg_char_octet_length|oid,int4|int4|f_char_octet_length(?, ?)
_pg_numeric_precision|oid,int4|int4|f_numeric_precision(?, ?)
_pg_numeric_precision_radix|oid,int4|int4|f_numeric_radix(?, ?)
_pg_numeric_scale|oid,int4|int4|f_numeric_scale(?, ?)
_pg_datetime_precision|oid,int4|int4|f_datetime_precision(?, ?)
_pg_interval_type|oid,int4|text|f_interval_type(?, ?)
_pg_index_position|oid,int2|int4|f_index_position(?, ?)
pg_get_statisticsobjdef_expressions|oid|_text|f_nothing_list(?)
nameconcatoid|name,oid|name|(? || '_' || CAST(? AS VARCHAR))
age|xid|int4|f_xid_age(?)
mxid_age|xid|int4|f_xid_age(?)
`

// functionOverloadsByName is the table by name.
var functionOverloadsByName = sync.OnceValue(func() map[string][]functionOverload {
	out := map[string][]functionOverload{}
	for line := range strings.Lines(strings.TrimPrefix(functionTemplateLines, "\n")) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 4)
		f := functionOverload{result: typeOfFunctionTemplateEntry(cells[2]), form: cells[3]}
		for name := range strings.SplitSeq(cells[1], ",") {
			f.arguments = append(f.arguments, typeOfFunctionTemplateEntry(name))
		}
		out[cells[0]] = append(out[cells[0]], f)
	}
	return out
})

func typeOfFunctionTemplateEntry(name string) uint32 {
	switch name {
	case "any":
		return anyArgumentType
	case "first":
		return sameTypeAsFirstArgument
	}
	return typesBySpelling()[name]
}
