package catalogue

import (
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// quoteIdentMacroSQL is quote_ident: words that PostgreSQL does not leave free have quotes.
func quoteIdentMacroSQL() string {
	var words []string
	for _, row := range postgres15.RowsOfFile("keywords") {
		if row[1] != unreservedWordCategory {
			words = append(words, row[0])
		}
	}
	return ducksql.Print(ducksql.FillTemplate(`CREATE MACRO f_quote_ident(s) AS CASE
		WHEN regexp_full_match(s, '[a-z_][a-z0-9_$]*') AND NOT regexp_full_match(s, ?) THEN s ELSE '"' || replace(s, '"', '""') || '"' END`,
		ducksql.TextLiteral(strings.Join(words, "|"))))
}

// unreservedWordCategory is the category of the words that need no quotes as names.
const unreservedWordCategory = "U"

// duckDBMacros are the functions of PostgreSQL that read the tables of the catalogue, as macros of DuckDB.
// They are made once, when the tables are.
var duckDBMacros = []string{
	`CREATE MACRO f_element(l, i) AS CASE WHEN i >= 1 THEN l[i] END`,
	`CREATE MACRO f_position(needle, text) AS strpos(text, needle)`,
	`CREATE MACRO f_substring_match(text, pattern) AS CASE WHEN regexp_matches(text, pattern) THEN
		CASE WHEN position('(' IN pattern) > 0 THEN regexp_extract(text, pattern, 1) ELSE regexp_extract(text, pattern) END END`,
	`CREATE MACRO f_quote_literal(s) AS CASE WHEN contains(s, '\') THEN 'E' ELSE '' END || '''' || replace(replace(s, '\', '\\'), '''', '''''') || ''''`,
	`CREATE MACRO f_array_item(s) AS CASE WHEN s IS NULL THEN 'NULL'
		WHEN s = '' OR lower(s) = 'null' OR regexp_matches(s, '[{}",\\\s]') THEN '"' || replace(replace(s, '\', '\\'), '"', '\"') || '"' ELSE s END`,
	// The list holds the keys and members of an object. jsonb has the shorter keys first, and of two members with one key the last.
	`CREATE MACRO f_jsonb_object(l) AS list_transform([list_sort(list_transform(l, (e_pair, e_at) -> {'n': strlen(e_pair.k), 'k': e_pair.k, 'at': e_at, 'v': e_pair.v}))],
		e_sorted -> '{' || array_to_string(list_transform(list_filter(e_sorted, (e_pair, e_at) -> coalesce(e_sorted[e_at + 1].k <> e_pair.k, true)), e_pair -> e_pair.v), ', ') || '}')[1]`,
	`CREATE MACRO f_array_text(l) AS CASE WHEN l IS NOT NULL THEN '{' || coalesce(array_to_string(list_transform(l, e_item -> f_array_item(e_item)), ','), '') || '}' END`,
	`CREATE MACRO f_array_to_string(l, separator) AS CASE WHEN l IS NOT NULL AND separator IS NOT NULL THEN
		coalesce(array_to_string(list_filter(list_transform(l, e_item -> CAST(e_item AS VARCHAR)), e_item -> e_item IS NOT NULL), separator), '') END`,
	`CREATE MACRO f_array_to_string_nulls(l, separator, other) AS CASE WHEN l IS NOT NULL THEN
		coalesce(array_to_string(list_transform(l, e_item -> coalesce(CAST(e_item AS VARCHAR), other)), separator), '') END`,
	`CREATE MACRO f_string_to_array(s, separator) AS CASE WHEN s = '' THEN CAST([] AS VARCHAR[]) ELSE string_split(s, separator) END`,
	`CREATE MACRO f_array_length(l, dimension) AS CASE WHEN dimension = 1 AND len(l) > 0 THEN CAST(len(l) AS INTEGER) END`,
	`CREATE MACRO f_array_lower(l, dimension) AS CASE WHEN dimension = 1 AND len(l) > 0 THEN 1 END`,
	`CREATE MACRO f_array_ndims(l) AS CASE WHEN len(l) > 0 THEN 1 END`,
	`CREATE MACRO f_array_remove(l, x) AS list_filter(l, e_item -> e_item IS DISTINCT FROM x)`,
	`CREATE MACRO f_array_position(l, x) AS nullif(list_position(l, x), 0)`,
	// One subquery: the engine keeps the rows for each of them, and a macro writes an argument at each of its places.
	`CREATE MACRO f_format_type(o, modifier) AS CASE WHEN o = 0 THEN '-' WHEN o IS NOT NULL THEN coalesce((SELECT
		CASE WHEN t.oid IN (1083, 1114, 1184, 1266) AND modifier >= 0 THEN regexp_replace(t.spelling, '^(\w+)', '\1(' || modifier || ')') ELSE t.spelling ||
		CASE WHEN modifier IS NULL OR modifier < 0 THEN '' WHEN t.oid IN (1042, 1043) AND modifier > 4 THEN '(' || (modifier - 4) || ')'
		WHEN t.oid IN (1560, 1562) THEN '(' || modifier || ')'
		WHEN t.oid = 1700 THEN '(' || (((modifier - 4) >> 16) & 65535) || ',' || ((modifier - 4) & 65535) || ')' ELSE '' END END
		FROM stored.t_pg_type t WHERE t.oid = o), '???') END`,
	// The argument is a separate row, which the engine joins: as an expression it would be computed for each description.
	`CREATE MACRO f_obj_description(o, kind) AS (SELECT d.description FROM (SELECT o AS o) x JOIN stored.t_pg_description d ON d.objoid = x.o WHERE d.objsubid = 0
		AND d.classoid = (SELECT c.oid FROM stored.t_pg_class c WHERE c.relname = kind AND c.relnamespace = 11))`,
	`CREATE MACRO f_obj_description_any(o) AS (SELECT any_value(d.description) FROM (SELECT o AS o) x JOIN stored.t_pg_description d ON d.objoid = x.o WHERE d.objsubid = 0)`,
	`CREATE MACRO f_col_description(o, n) AS (SELECT d.description FROM (SELECT o AS o, n AS n) x JOIN stored.t_pg_description d
		ON d.objoid = x.o AND d.objsubid = x.n WHERE d.classoid = 1259 AND d.objsubid <> 0)`,
	`CREATE MACRO f_nothing_of(a, b := NULL, c := NULL) AS CAST(NULL AS VARCHAR)`,
	`CREATE MACRO f_nothing_number(a) AS CAST(NULL AS BIGINT)`,
	`CREATE MACRO f_nothing_list(a) AS CAST(NULL AS VARCHAR[])`,
	`CREATE MACRO f_offset_text(n) AS CASE WHEN n < 0 THEN '-' ELSE '+' END || lpad(CAST(abs(n) // 3600 AS VARCHAR), 2, '0') ||
		CASE WHEN n % 3600 <> 0 THEN ':' || lpad(CAST(abs(n) // 60 % 60 AS VARCHAR), 2, '0') ELSE '' END || CASE WHEN n % 60 <> 0 THEN ':' || lpad(CAST(abs(n) % 60 AS VARCHAR), 2, '0') ELSE '' END`,
	`CREATE MACRO f_instant_text(instant, shown) AS CAST(shown AS VARCHAR) || f_offset_text(CAST(epoch(shown) - epoch(instant) AS BIGINT))`,
	`CREATE MACRO f_nothing_time(a) AS CAST(NULL AS TIMESTAMP)`,
	`CREATE MACRO f_nothing_true(a) AS CASE WHEN a IS NOT NULL THEN true END`,
	`CREATE MACRO f_nothing_true_of(a, b, c) AS CASE WHEN a IS NOT NULL THEN false END`,
	`CREATE MACRO f_updatable(a, b) AS CASE WHEN a IS NOT NULL THEN 0 END`,
	`CREATE MACRO f_constraint_definition(o) AS (SELECT c.definition FROM stored.t_pg_constraint c WHERE c.oid = o)`,
	`CREATE MACRO f_constraint_definition_pretty(o, p) AS CASE WHEN p THEN (SELECT c.pretty FROM stored.t_pg_constraint c WHERE c.oid = o) ELSE f_constraint_definition(o) END`,
	`CREATE MACRO f_index_definition(o) AS (SELECT i.definition FROM stored.t_pg_index i WHERE i.indexrelid = o)`,
	`CREATE MACRO f_index_definition_pretty(o, n, pretty) AS CASE
		WHEN n <> 0 THEN coalesce((SELECT f_quote_ident(a.attname) FROM stored.t_pg_attribute a WHERE a.attrelid = o AND a.attnum = n), '')
		WHEN pretty THEN regexp_replace(f_index_definition(o), ' ON (pg_catalog|public|information_schema)\.', ' ON ') ELSE f_index_definition(o) END`,
	`CREATE MACRO f_view_definition(o) AS (SELECT v.definition FROM stored.t_views v, stored.t_pg_class c, stored.t_pg_namespace n
		WHERE c.oid = o AND n.oid = c.relnamespace AND v.viewname = c.relname AND v.schemaname = n.nspname)`,
	`CREATE MACRO f_view_definition_pretty(o, p) AS CASE WHEN p THEN (SELECT v.pretty FROM stored.t_views v, stored.t_pg_class c, stored.t_pg_namespace n
		WHERE c.oid = o AND n.oid = c.relnamespace AND v.viewname = c.relname AND v.schemaname = n.nspname) ELSE f_view_definition(o) END`,
	`CREATE MACRO f_function_arguments(o) AS (SELECT p.arguments FROM stored.t_pg_proc p WHERE p.oid = o)`,
	`CREATE MACRO f_function_identity(o) AS (SELECT p.identity FROM stored.t_pg_proc p WHERE p.oid = o)`,
	`CREATE MACRO f_function_result(o) AS (SELECT p.result FROM stored.t_pg_proc p WHERE p.oid = o)`,
	`CREATE MACRO f_table_is_visible(o) AS (SELECT c.visible FROM stored.t_pg_class c WHERE c.oid = o)`,
	`CREATE MACRO f_type_is_visible(o) AS (SELECT t.visible FROM stored.t_pg_type t WHERE t.oid = o)`,
	`CREATE MACRO f_function_is_visible(o) AS (SELECT p.visible FROM stored.t_pg_proc p WHERE p.oid = o)`,
	`CREATE MACRO f_operator_is_visible(o) AS (SELECT true FROM stored.t_pg_operator p WHERE p.oid = o)`,
	`CREATE MACRO f_opclass_is_visible(o) AS (SELECT true FROM stored.t_pg_opclass p WHERE p.oid = o)`,
	`CREATE MACRO f_opfamily_is_visible(o) AS (SELECT true FROM stored.t_pg_opfamily p WHERE p.oid = o)`,
	`CREATE MACRO f_collation_is_visible(o) AS (SELECT true FROM stored.t_pg_collation p WHERE p.oid = o)`,
	`CREATE MACRO f_conversion_is_visible(o) AS (SELECT true FROM stored.t_pg_conversion p WHERE p.oid = o)`,
	`CREATE MACRO f_ts_config_is_visible(o) AS (SELECT true FROM stored.t_pg_ts_config p WHERE p.oid = o)`,
	`CREATE MACRO f_ts_dict_is_visible(o) AS (SELECT true FROM stored.t_pg_ts_dict p WHERE p.oid = o)`,
	`CREATE MACRO f_ts_parser_is_visible(o) AS (SELECT true FROM stored.t_pg_ts_parser p WHERE p.oid = o)`,
	`CREATE MACRO f_ts_template_is_visible(o) AS (SELECT true FROM stored.t_pg_ts_template p WHERE p.oid = o)`,
	`CREATE MACRO f_is_publishable(o) AS (SELECT c.relkind IN ('r', 'p') AND c.oid >= 16384 FROM stored.t_pg_class c WHERE c.oid = o)`,
	`CREATE MACRO f_zero_size(o) AS CASE WHEN o IS NOT NULL THEN CAST(0 AS BIGINT) END`,
	`CREATE MACRO f_zero_size_of(o, fork) AS f_zero_size(o)`,
	`CREATE MACRO f_size_pretty(n) AS CASE WHEN abs(n) < 10240 THEN n || ' bytes' WHEN abs(n) < 10485760 THEN ((n + 512) // 1024) || ' kB'
		WHEN abs(n) < 10737418240 THEN ((n + 524288) // 1048576) || ' MB' ELSE ((n + 536870912) // 1073741824) || ' GB' END`,
	// The privileges of an object without grants: those of PUBLIC, and those of its owner. A column has none.
	`CREATE MACRO f_default_grants(kind, owner) AS (SELECT list_concat(CASE WHEN p.public <> '' THEN ['=' || p.public || '/' || a.rolname] ELSE [] END,
		CASE WHEN p.own <> '' THEN [a.rolname || '=' || p.own || '/' || a.rolname] ELSE [] END)
		FROM (VALUES ('c', '', ''), ('r', '', 'arwdDxt'), ('s', '', 'rwU'), ('d', 'Tc', 'CTc'), ('f', 'X', 'X'), ('l', 'U', 'U'), ('L', '', 'rw'), ('n', '', 'UC'),
		('t', '', 'C'), ('F', '', 'U'), ('S', '', 'U'), ('T', 'U', 'U'), ('p', '', 'sA')) p(kind, public, own), (SELECT kind AS kind, owner AS owner) x, stored.t_pg_authid a
		WHERE p.kind = x.kind AND a.oid = x.owner)`,
	`CREATE MACRO f_tablespace_location(o) AS CASE WHEN o IS NOT NULL THEN '' END`,
	`CREATE MACRO f_encoding_name(n) AS CASE WHEN n = 6 THEN 'UTF8' WHEN n = 0 THEN 'SQL_ASCII' WHEN n = 8 THEN 'LATIN1' WHEN n IS NOT NULL THEN '' END`,
	`CREATE MACRO f_encoding_number(s) AS CASE WHEN upper(replace(s, '-', '')) = 'UTF8' THEN 6 WHEN upper(s) = 'SQL_ASCII' THEN 0 WHEN upper(s) = 'LATIN1' THEN 8 WHEN s IS NOT NULL THEN -1 END`,
	`CREATE MACRO f_encoding_length(n) AS CASE WHEN n = 6 THEN 4 WHEN n IN (0, 8) THEN 1 END`,
	`CREATE MACRO f_filenode(o) AS (SELECT nullif(c.relfilenode, 0) FROM stored.t_pg_class c WHERE c.oid = o)`,
	`CREATE MACRO f_index_column_property(o, n, property) AS (SELECT CASE lower(property) WHEN 'asc' THEN true WHEN 'desc' THEN false WHEN 'nulls_first' THEN false
		WHEN 'nulls_last' THEN true WHEN 'orderable' THEN true WHEN 'distance_orderable' THEN false WHEN 'returnable' THEN true
		WHEN 'search_array' THEN true WHEN 'search_nulls' THEN true END FROM stored.t_pg_index i WHERE i.indexrelid = o AND n BETWEEN 1 AND i.indnatts)`,
	`CREATE MACRO f_index_property(o, property) AS (SELECT CASE lower(property) WHEN 'clusterable' THEN true WHEN 'index_scan' THEN true WHEN 'bitmap_scan' THEN true
		WHEN 'backward_scan' THEN true END FROM stored.t_pg_index i WHERE i.indexrelid = o)`,
	`CREATE MACRO f_method_property(o, property) AS CASE WHEN o = 403 THEN lower(property) IN ('can_order', 'can_unique', 'can_multi_col', 'can_exclude', 'can_include') END`,
	`CREATE MACRO f_is_other_temp_schema(o) AS CASE WHEN o IS NOT NULL THEN false END`,
	`CREATE MACRO f_xid_age(x) AS CASE WHEN x = 0 THEN 2147483647 WHEN x IS NOT NULL THEN 0 END`,
	`CREATE MACRO f_role_name(o, id, name) AS CASE WHEN o = id THEN name ELSE coalesce((SELECT r.rolname FROM stored.t_pg_authid r WHERE r.oid = o), 'unknown (OID=' || o || ')') END`,
	`CREATE MACRO f_may_select_part(o) AS (SELECT c.selectable OR EXISTS (SELECT 1 FROM stored.t_pg_attribute a WHERE a.attrelid = o AND a.attacl IS NOT NULL) FROM stored.t_pg_class c WHERE c.oid = o)`,
	`CREATE MACRO f_may_select_column(o, n) AS (SELECT c.selectable OR a.attacl IS NOT NULL FROM stored.t_pg_class c JOIN stored.t_pg_attribute a ON a.attrelid = c.oid
		WHERE c.oid = o AND a.attnum = n)`,
	`CREATE MACRO f_may_select_column_named(o, n) AS (SELECT CASE WHEN a.attname IS NULL THEN error('Undefined Column') ELSE c.selectable OR a.attacl IS NOT NULL END
		FROM (SELECT o AS o, n AS n) x JOIN stored.t_pg_class c ON c.oid = x.o LEFT JOIN stored.t_pg_attribute a ON a.attrelid = x.o AND a.attname = x.n WHERE x.n IS NOT NULL)`,
	`CREATE MACRO f_may_select(o) AS (SELECT c.selectable FROM stored.t_pg_class c WHERE c.oid = o)`,
	`CREATE MACRO f_plain_name(s) AS regexp_replace(s, '"([a-z_][a-z0-9_$]*)"', '\1', 'g')`,
	`CREATE MACRO f_local_name(s, prefix) AS CASE WHEN starts_with(s, prefix) THEN substring(s, len(prefix) + 1) ELSE s END`,
	`CREATE MACRO f_reg_oid(k, s) AS (SELECT n.oid FROM stored.t_reg_texts n WHERE n.kind = k AND n.name = f_plain_name(s))`,
	`CREATE MACRO f_reg_name(k, o) AS (SELECT CASE WHEN x.o = 0 THEN '-' ELSE coalesce(n.name, CAST(x.o AS VARCHAR)) END
		FROM (SELECT o AS o) x LEFT JOIN stored.t_reg_names n ON n.kind = k AND n.oid = x.o)`,
	`CREATE MACRO f_reg_names(k, l) AS CASE WHEN l IS NOT NULL THEN coalesce((
		SELECT list(CASE WHEN u.x = 0 THEN '-' ELSE coalesce(n.name, CAST(u.x AS VARCHAR)) END ORDER BY u.i)
		FROM (SELECT unnest(l) AS x, generate_subscripts(l, 1) AS i) u LEFT JOIN stored.t_reg_names n ON n.kind = k AND n.oid = u.x), []) END`,
	`CREATE MACRO f_char_max_length(o, m) AS CASE WHEN m = -1 THEN NULL WHEN o IN (1042, 1043) THEN m - 4 WHEN o IN (1560, 1562) THEN m END`,
	`CREATE MACRO f_char_octet_length(o, m) AS CASE WHEN o IN (25, 1042, 1043) THEN CASE WHEN m = -1 THEN 1073741824 ELSE (m - 4) * 4 END END`,
	`CREATE MACRO f_numeric_precision(o, m) AS CASE o WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 1700 THEN CASE WHEN m <> -1 THEN ((m - 4) >> 16) & 65535 END
		WHEN 700 THEN 24 WHEN 701 THEN 53 END`,
	`CREATE MACRO f_numeric_radix(o, m) AS CASE WHEN o IN (21, 23, 20, 700, 701) THEN 2 WHEN o = 1700 THEN 10 END`,
	`CREATE MACRO f_numeric_scale(o, m) AS CASE WHEN o IN (21, 23, 20) THEN 0 WHEN o = 1700 AND m <> -1 THEN (m - 4) & 65535 END`,
	`CREATE MACRO f_datetime_precision(o, m) AS CASE WHEN o = 1082 THEN 0 WHEN o IN (1083, 1114, 1184, 1266) THEN CASE WHEN m < 0 THEN 6 ELSE m END
		WHEN o = 1186 THEN CASE WHEN m < 0 OR m & 65535 = 65535 THEN 6 ELSE m & 65535 END END`,
	`CREATE MACRO f_interval_type(o, m) AS CAST(NULL AS VARCHAR)`,
	`CREATE MACRO f_index_position(o, n) AS (SELECT nullif(list_position(i.indkey, n), 0) FROM stored.t_pg_index i WHERE i.indexrelid = o)`,
}
