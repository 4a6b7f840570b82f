SELECT current_schema(), session_user
-- next
SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace n LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = n.oid AND d.objsubid = 0 AND d.classoid = 'pg_namespace'::regclass ORDER BY nspname
-- next
SELECT n.nspname = ANY(current_schemas(true)), n.nspname, t.typname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON t.typnamespace = n.oid WHERE t.oid = 1034
-- next
SELECT db.oid, db.datname, db.datdba FROM pg_catalog.pg_database db WHERE datname = 'shop'
-- next
SELECT * FROM pg_catalog.pg_enum WHERE 1 <> 1 LIMIT 1
-- next
SELECT reltype FROM pg_catalog.pg_class WHERE 1 <> 1 LIMIT 1
-- next
SELECT name, setting FROM pg_catalog.pg_settings WHERE name = 'standard_conforming_strings'
-- next
SELECT string_agg(word, ',' ORDER BY word) FROM pg_catalog.pg_get_keywords() WHERE word <> ALL ('{a,abs,absolute,action,select,table}'::text[])
-- next
SELECT t.oid, t.typname, t.typtype, c.relkind, format_type(nullif(t.typbasetype, 0), t.typtypmod) AS base_type_name, d.description FROM pg_catalog.pg_type t LEFT OUTER JOIN pg_catalog.pg_type et ON et.oid = t.typelem LEFT OUTER JOIN pg_catalog.pg_class c ON c.oid = t.typrelid LEFT OUTER JOIN pg_catalog.pg_description d ON t.oid = d.objoid WHERE t.typname IS NOT NULL AND (c.relkind IS NULL OR c.relkind = 'c') AND (et.typcategory IS NULL OR et.typcategory <> 'C')
-- next
SELECT c.oid, c.relname, c.relkind, d.description, pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS partition_expr, pg_catalog.pg_get_partkeydef(c.oid) AS partition_key FROM pg_catalog.pg_class c LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass WHERE c.relnamespace = 2200 AND c.relkind NOT IN ('i', 'I', 'c')
-- next
SELECT c.relname, a.*, pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) AS def_value, dsc.description, dep.objid FROM pg_catalog.pg_attribute a INNER JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid) LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON (a.attrelid = ad.adrelid AND a.attnum = ad.adnum) LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid = dsc.objoid AND a.attnum = dsc.objsubid) LEFT OUTER JOIN pg_depend dep ON dep.refobjid = a.attrelid AND dep.deptype = 'i' AND dep.refobjsubid = a.attnum AND dep.classid = dep.refclassid WHERE NOT a.attisdropped AND c.relkind NOT IN ('i', 'I', 'c') AND c.oid = '{class orders}' ORDER BY a.attnum
-- next
SELECT c.oid, c.conname, c.contype, t.relname AS tabrelname, rt.relnamespace AS refnamespace, d.description, pg_catalog.pg_get_constraintdef(c.oid) AS definition FROM pg_catalog.pg_constraint c INNER JOIN pg_catalog.pg_class t ON t.oid = c.conrelid LEFT OUTER JOIN pg_catalog.pg_class rt ON rt.oid = c.confrelid LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_constraint'::regclass WHERE c.conrelid = '{class orders}'
-- next
SELECT description FROM pg_shdescription JOIN pg_database ON objoid = pg_database.oid WHERE datname = 'shop'
-- next
SELECT typinput = 'pg_catalog.array_in'::regproc AS is_array, typtype, typname, pg_type.oid FROM pg_catalog.pg_type LEFT JOIN (SELECT ns.oid AS nspoid, ns.nspname, r.r FROM pg_namespace AS ns JOIN (SELECT s.r, (current_schemas(false))[s.r] AS nspname FROM generate_series(1, array_upper(current_schemas(false), 1)) AS s(r)) AS r USING (nspname)) AS sp ON sp.nspoid = typnamespace WHERE pg_type.oid = 1034 ORDER BY sp.r, pg_type.oid DESC
-- next
SELECT nspname AS "TABLE_SCHEM", current_database() AS "TABLE_CATALOG" FROM pg_catalog.pg_namespace WHERE nspname <> 'pg_toast' AND (nspname !~ '^pg_temp_' OR nspname = (pg_catalog.current_schemas(true))[1]) AND (nspname !~ '^pg_toast_temp_' OR nspname = replace((pg_catalog.current_schemas(true))[1], 'pg_temp_', 'pg_toast_temp_')) ORDER BY "TABLE_SCHEM"
-- next
WITH table_privileges AS (SELECT NULL AS role, t.schemaname AS schema, t.objectname AS table, pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"', 'update') AS update, pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"', 'select') AS select, pg_catalog.has_table_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"', 'delete') AS delete FROM (SELECT schemaname, tablename AS objectname FROM pg_catalog.pg_tables UNION SELECT schemaname, viewname FROM pg_catalog.pg_views UNION SELECT schemaname, matviewname FROM pg_catalog.pg_matviews) t WHERE t.schemaname !~ '^pg_' AND t.schemaname <> 'information_schema' AND pg_catalog.has_schema_privilege(current_user, t.schemaname, 'usage')) SELECT t.* FROM table_privileges t
-- next
SELECT "n"."nspname" AS "schema", "c"."relname" AS "name", CASE "c"."relkind" WHEN 'r' THEN 'TABLE' WHEN 'p' THEN 'PARTITIONED TABLE' WHEN 'v' THEN 'VIEW' ELSE NULL END AS "type", "d"."description" AS "description", "stat"."n_live_tup" AS "estimated_row_count" FROM "pg_catalog"."pg_class" AS "c" INNER JOIN "pg_catalog"."pg_namespace" AS "n" ON "c"."relnamespace" = "n"."oid" LEFT JOIN "pg_catalog"."pg_description" AS "d" ON ("c"."oid" = "d"."objoid") AND ("d"."objsubid" = '0') AND ("d"."classoid" = 'pg_class'::regclass) LEFT JOIN "pg_stat_user_tables" AS "stat" ON ("n"."nspname" = "stat"."schemaname") AND ("c"."relname" = "stat"."relname") WHERE ("n"."nspname" !~ '^pg_') AND c.relkind IN ('r', 'p', 'v', 'f', 'm') AND ("n"."nspname" IN ('public')) ORDER BY "type" ASC, "schema" ASC, "name" ASC
-- next
SELECT CASE WHEN quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1), array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i, string_to_array(current_setting('search_path'), ',') s) THEN quote_ident(table_name) ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table" FROM information_schema.tables WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog') ORDER BY 1
-- next
SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns WHERE CASE WHEN array_length(parse_ident('public.orders'), 1) = 2 THEN quote_ident(table_schema) = (parse_ident('public.orders'))[1] AND quote_ident(table_name) = (parse_ident('public.orders'))[2] ELSE quote_ident(table_name) = 'public.orders' END
-- next
SELECT current_setting('server_version_num')::int / 100 > 0 AS known, (SELECT count(*) FROM pg_extension WHERE extname = 'timescaledb') AS timescale
-- next
SELECT ns.nspname, a.typname, a.oid, a.typrelid, a.typbasetype, CASE WHEN pg_proc.proname = 'array_recv' THEN 'a' ELSE a.typtype END AS type, CASE WHEN pg_proc.proname = 'array_recv' THEN a.typelem WHEN a.typtype = 'r' THEN rngsubtype ELSE 0 END AS elemoid, CASE WHEN pg_proc.proname IN ('array_recv', 'oidvectorrecv') THEN 3 WHEN a.typtype = 'r' THEN 2 WHEN a.typtype = 'd' THEN 1 ELSE 0 END AS ord FROM pg_type AS a JOIN pg_namespace AS ns ON (ns.oid = a.typnamespace) JOIN pg_proc ON pg_proc.oid = a.typreceive LEFT OUTER JOIN pg_class AS cls ON (cls.oid = a.typrelid) LEFT OUTER JOIN pg_type AS b ON (b.oid = a.typelem) LEFT OUTER JOIN pg_class AS elemcls ON (elemcls.oid = b.typrelid) LEFT OUTER JOIN pg_range ON (pg_range.rngtypid = a.oid) WHERE a.typtype IN ('b', 'r', 'e', 'd') OR (a.typtype = 'c' AND cls.relkind = 'c') OR (pg_proc.proname = 'array_recv' AND (b.typtype IN ('b', 'r', 'e', 'd') OR (b.typtype = 'p' AND b.typname IN ('record', 'void')) OR (b.typtype = 'c' AND elemcls.relkind = 'c'))) OR (a.typtype = 'p' AND a.typname IN ('record', 'void'))
-- next
SELECT pg_type.oid, enumlabel FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid ORDER BY oid, enumsortorder
-- next
SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA NOT IN ('information_schema', 'pg_catalog') ORDER BY TABLE_SCHEMA, TABLE_NAME
-- next
SELECT COLUMN_NAME, ORDINAL_POSITION, IS_NULLABLE, DATA_TYPE, CASE WHEN CHARACTER_MAXIMUM_LENGTH IS NOT NULL THEN DATA_TYPE || '(x)' END AS long FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = 'public' AND TABLE_NAME = 'orders' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
-- next
SELECT pkcol.TABLE_SCHEMA AS PK_TABLE_SCHEMA, pkcol.TABLE_NAME AS PK_TABLE_NAME, pkcol.COLUMN_NAME AS PK_COLUMN_NAME, fkcol.COLUMN_NAME AS FK_COLUMN_NAME, fkcol.ORDINAL_POSITION AS ORDINAL, fkcon.CONSTRAINT_SCHEMA || '_' || pkcol.TABLE_NAME || '_' || fkcon.CONSTRAINT_NAME AS FK_NAME FROM (SELECT DISTINCT constraint_catalog, constraint_schema, unique_constraint_schema, constraint_name, unique_constraint_name FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS) fkcon INNER JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE fkcol ON fkcon.CONSTRAINT_SCHEMA = fkcol.CONSTRAINT_SCHEMA AND fkcon.CONSTRAINT_NAME = fkcol.CONSTRAINT_NAME INNER JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE pkcol ON fkcon.UNIQUE_CONSTRAINT_SCHEMA = pkcol.CONSTRAINT_SCHEMA AND fkcon.UNIQUE_CONSTRAINT_NAME = pkcol.CONSTRAINT_NAME WHERE fkcol.TABLE_SCHEMA = 'public' AND fkcol.TABLE_NAME = 'orders' AND pkcol.ORDINAL_POSITION = fkcol.ORDINAL_POSITION ORDER BY FK_NAME, fkcol.ORDINAL_POSITION
-- next
SELECT i.CONSTRAINT_SCHEMA || '_' || i.CONSTRAINT_NAME AS INDEX_NAME, ii.COLUMN_NAME, ii.ORDINAL_POSITION, CASE WHEN i.CONSTRAINT_TYPE = 'PRIMARY KEY' THEN 'Y' ELSE 'N' END AS PRIMARY_KEY FROM INFORMATION_SCHEMA.table_constraints i INNER JOIN INFORMATION_SCHEMA.key_column_usage ii ON i.CONSTRAINT_SCHEMA = ii.CONSTRAINT_SCHEMA AND i.CONSTRAINT_NAME = ii.CONSTRAINT_NAME AND i.TABLE_SCHEMA = ii.TABLE_SCHEMA AND i.TABLE_NAME = ii.TABLE_NAME WHERE i.TABLE_SCHEMA = 'public' AND i.TABLE_NAME = 'orders' AND i.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE') ORDER BY i.CONSTRAINT_SCHEMA || '_' || i.CONSTRAINT_NAME, ii.TABLE_SCHEMA, ii.TABLE_NAME, ii.ORDINAL_POSITION
-- next
SELECT 20::int::bit(7) & b'0000100' AS both, b'0100' AS four, '01'::bit(4) AS padded, b'0111'::bit(2) AS cut, b'0101'::bit varying(3) AS vary, (-1)::bit(3) AS ones, b'101' | b'010' AS either, b'0101'::int AS five, b'11' = '11'::bit(2) AS same, length(b'0101') AS digits, 5::bit(70) AS long
-- next
SELECT round(12.3, 2) AS up, round(12.345::numeric, 1) AS down, 1.50 AS literal, 1.5 + 0.25 AS sum, 1.5 * 2 AS product, 2.5::numeric(10,2) AS scaled, -1.50 AS negative, 'x' || round(1.2, 2) AS text, round(1234.5, -2) AS hundreds, 1.2345::numeric(5,1) AS rounded
-- next
SELECT jsonb_object_agg(k, v) FROM (VALUES ('b', 1), ('a', 2), ('b', 3), ('aa', 4)) AS t(k, v)
-- next
SELECT interval '1 day' AS day, interval '14 months' AS months, timestamp '2024-03-01 10:00' - timestamp '2024-01-15' AS between_instants, date '2024-03-01' - date '2024-01-15' AS days, timestamp '2024-01-15' - timestamp '2024-01-15 10:00' AS back
-- next
SELECT k, acldefault(k::"char", 10) FROM unnest('{c,r,s,d,f,l,L,n,t,F,S,T,p}'::text[]) AS kinds(k)
-- next
SELECT b'0100', B'', b'01'::bit(4), b'01' || b'1', (b'01' || B'')::text
-- next
SELECT to_json(t.oid) AS o, to_json('pg_class'::regclass) AS c, row_to_json(t) AS r FROM (SELECT oid, relnamespace, relkind, relnatts, ARRAY[oid] AS list FROM pg_catalog.pg_class WHERE relname = 'pg_type') t
-- next
SELECT has_column_privilege('pg_class', 'relname', 'SELECT') AS named, has_column_privilege('pg_class', 1::int2, 'SELECT') AS numbered, has_column_privilege('pg_class', 999::int2, 'SELECT') AS beyond, has_column_privilege('pg_class'::regclass, 'relname'::text, 'SELECT') AS oid, has_column_privilege('orders', 'status', 'UPDATE,SELECT') AS either, has_column_privilege('orders', NULL::text, 'SELECT') AS nothing, has_schema_privilege('pg_catalog', 'USAGE') AS schema, has_type_privilege('int4', 'USAGE') AS type, has_database_privilege(current_database(), 'CONNECT') AS database
-- next
SELECT c.relname, a.attname, has_column_privilege(c.oid, a.attname, 'SELECT') AS named, has_column_privilege(c.oid, a.attnum, 'SELECT') AS numbered, has_column_privilege(1, a.attname, 'SELECT') AS gone FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relname IN ('pg_class', 'orders', 'pg_type') AND a.attnum > 0 ORDER BY 1, 2
-- next
with
  namespaces as (select nspname from pg_namespace where nspname <> 'information_schema' and nspname not like 'pg\_%'),
  types as (select typname, typlen, typcategory, typarray from pg_type where typnamespace = 'pg_catalog'::regnamespace and typname like 'int%'),
  languages as (select lanname, lanpltrusted from pg_language),
  am as (select oid as _id, * from pg_am),
  ranges as (select rngtypid::regtype::text as rngtypid, rngsubtype from pg_range),
  extensions as (select extname from pg_extension),
  policies as (select polname from pg_policy),
  enums as (select enumlabel from pg_enum),
  inherits as (select inhseqno from pg_inherits),
  settings as (select name, unit from pg_settings where name like 'jit\_%cost')
select json_build_object(
  'namespaces', (select coalesce((select json_agg(row_to_json(namespaces) order by nspname) from namespaces), '[]'::json)),
  'types', (select coalesce((select json_agg(row_to_json(types) order by typname) from types), '[]'::json)),
  'languages', (select coalesce((select json_agg(row_to_json(languages) order by lanname) from languages), '[]'::json)),
  'am', (select coalesce((select json_agg(row_to_json(am) order by amname) from am), '[]'::json)),
  'ranges', (select coalesce((select json_agg(row_to_json(ranges) order by rngtypid) from ranges), '[]'::json)),
  'extensions', (select coalesce((select json_agg(row_to_json(extensions)) from extensions), '[]'::json)),
  'policies', (select coalesce((select json_agg(row_to_json(policies)) from policies), '[]'::json)),
  'enums', (select coalesce((select json_agg(row_to_json(enums)) from enums), '[]'::json)),
  'inherits', (select coalesce((select json_agg(row_to_json(inherits)) from inherits), '[]'::json)),
  'settings', (select coalesce((select json_agg(row_to_json(settings) order by name) from settings), '[]'::json)),
  'names', (select json_object_agg(amname, amtype order by amname) from am), 'one', (select row_to_json(ranges) from ranges where rngtypid = 'int4range'), 'version', 15)::text as document
-- next
SELECT '[1,2]'::json ->> 0, '[1,2]'::json -> -1, '{"a~/":"x\u0041"}'::json ->> 'a~/', '[1]'::json ->> 5, '[1]'::json ->> 'a', '{"1":2}'::json -> 1, '[null]'::json ->> 0, '[null]'::json -> 0, '[{"a":1}]'::json -> 0 ->> 'a', '[true]'::json ->> 0
-- next
SELECT el, value, el ->> 0 AS first FROM json_array_elements('[[1,"b"], [2, 3]]'::json) el
-- next
SELECT * FROM json_array_elements_text('["a\u00e9", 1.50, null, {"a": 1}]') AS t(v)
-- next
SELECT value, ordinality FROM json_array_elements('[1,2]') WITH ORDINALITY
-- next
SELECT ids.ordinality - 1 AS idx, (ids.value ->> 0)::int8 AS id FROM json_array_elements('[[7],[8]]'::json) WITH ORDINALITY AS ids
-- next
SELECT json_array_elements('[1,[2]]'), count(*) FROM json_array_elements(NULL::json)
-- next
SELECT name, setting FROM pg_settings WHERE name IN ('jit_above_cost', 'jit_optimize_above_cost', 'enable_material', 'cpu_tuple_cost', 'geqo_threshold', 'constraint_exclusion') ORDER BY 1
