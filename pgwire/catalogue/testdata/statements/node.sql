SELECT version()
-- next
SELECT typname, oid FROM pg_type WHERE typname = ANY('{"text","numeric"}') ORDER BY typname
-- next
SELECT relname FROM pg_catalog.pg_class WHERE relkind = 'v' ORDER BY relname
-- next
SELECT attname FROM pg_attribute WHERE attrelid = 'orders'::regclass ORDER BY attnum
-- next
select b.oid, b.typarray
      from pg_catalog.pg_type a
      left join pg_catalog.pg_type b on b.oid = a.typelem
      where a.typcategory = 'A'
      group by b.oid, b.typarray
      order by b.oid
-- next
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name
-- next
SELECT relname, relkind FROM pg_class WHERE relname IN ('orders','customers') ORDER BY relname
-- next
select version()
-- next
select * from information_schema.tables where table_name = 'orders' and table_schema = current_schema()
-- next
select * from information_schema.tables where table_name = 'nope' and table_schema = current_schema()
-- next
select * from information_schema.columns where table_name = 'orders' and column_name = 'status' and table_schema = current_schema()
-- next
select * from information_schema.columns where table_name = 'orders' and table_catalog = current_database() and table_schema = current_schema()
-- next
select * from information_schema.columns where table_name = 'Order Items' and table_catalog = current_database() and table_schema = current_schema()
-- next
select "table_name", "column_name" from "information_schema"."columns" where "table_schema" = 'public' order by "table_name" asc, "column_name" asc
-- next
WITH ranges AS (  SELECT pg_range.rngtypid, pg_type.typname AS rngtypname,         pg_type.typarray AS rngtyparray, pg_range.rngsubtype    FROM pg_range LEFT OUTER JOIN pg_type ON pg_type.oid = pg_range.rngtypid)SELECT pg_type.typname, pg_type.typtype, pg_type.oid, pg_type.typarray,       ranges.rngtypname, ranges.rngtypid, ranges.rngtyparray  FROM pg_type LEFT OUTER JOIN ranges ON pg_type.oid = ranges.rngsubtype WHERE (pg_type.typtype IN('b', 'e'))
-- next
SELECT 1+1 AS result
-- next
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type LIKE '%TABLE' AND table_name != 'spatial_ref_sys'
-- next
SELECT schema_name FROM information_schema.schemata WHERE schema_name <> 'information_schema' AND schema_name != 'public' AND schema_name !~ E'^pg_'
-- next
SELECT pk.constraint_type as "Constraint",c.column_name as "Field", c.column_default as "Default",c.is_nullable as "Null", (CASE WHEN c.udt_name = 'hstore' THEN c.udt_name ELSE c.data_type END) || (CASE WHEN c.character_maximum_length IS NOT NULL THEN '(' || c.character_maximum_length || ')' ELSE '' END) as "Type", (SELECT array_agg(e.enumlabel) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_enum e ON t.oid=e.enumtypid WHERE t.typname=c.udt_name) AS "special", (SELECT pgd.description FROM pg_catalog.pg_statio_all_tables AS st INNER JOIN pg_catalog.pg_description pgd on (pgd.objoid=st.relid) WHERE c.ordinal_position=pgd.objsubid AND c.table_name=st.relname) AS "Comment" FROM information_schema.columns c LEFT JOIN (SELECT tc.table_schema, tc.table_name, cu.column_name, tc.constraint_type FROM information_schema.TABLE_CONSTRAINTS tc JOIN information_schema.KEY_COLUMN_USAGE  cu ON tc.table_schema=cu.table_schema and tc.table_name=cu.table_name and tc.constraint_name=cu.constraint_name and tc.constraint_type='PRIMARY KEY') pk ON pk.table_schema=c.table_schema AND pk.table_name=c.table_name AND pk.column_name=c.column_name WHERE c.table_name = 'orders' AND c.table_schema = 'public'
-- next
SELECT i.relname AS name, ix.indisprimary AS primary, ix.indisunique AS unique, ix.indkey AS indkey, array_agg(a.attnum) as column_indexes, array_agg(a.attname) AS column_names, pg_get_indexdef(ix.indexrelid) AS definition FROM pg_class t, pg_class i, pg_index ix, pg_attribute a WHERE t.oid = ix.indrelid AND i.oid = ix.indexrelid AND a.attrelid = t.oid AND t.relkind = 'r' and t.relname = 'orders' GROUP BY i.relname, ix.indexrelid, ix.indisprimary, ix.indisunique, ix.indkey ORDER BY i.relname
-- next
SELECT DISTINCT tc.constraint_name as constraint_name, tc.constraint_schema as constraint_schema, tc.constraint_catalog as constraint_catalog, tc.table_name as table_name,tc.table_schema as table_schema,tc.table_catalog as table_catalog,tc.initially_deferred as initially_deferred,tc.is_deferrable as is_deferrable,kcu.column_name as column_name,ccu.table_schema  AS referenced_table_schema,ccu.table_catalog  AS referenced_table_catalog,ccu.table_name  AS referenced_table_name,ccu.column_name AS referenced_column_name FROM information_schema.table_constraints AS tc JOIN information_schema.key_column_usage AS kcu ON tc.constraint_name = kcu.constraint_name JOIN information_schema.constraint_column_usage AS ccu ON ccu.constraint_name = tc.constraint_name WHERE constraint_type = 'FOREIGN KEY' AND tc.table_name = 'orders' AND tc.table_catalog = 'shop'
-- next
SELECT constraint_catalog AS "constraintCatalog", constraint_schema AS "constraintSchema", constraint_name AS "constraintName", table_catalog AS "tableCatalog", table_schema AS "tableSchema", table_name AS "tableName", constraint_type AS "constraintType", is_deferrable AS "isDeferrable", initially_deferred AS "initiallyDeferred" from INFORMATION_SCHEMA.table_constraints WHERE table_name='orders'
-- next
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 'orders'
-- next
SELECT pk.constraint_type as "Constraint",c.column_name as "Field", c.column_default as "Default",c.is_nullable as "Null", (CASE WHEN c.udt_name = 'hstore' THEN c.udt_name ELSE c.data_type END) || (CASE WHEN c.character_maximum_length IS NOT NULL THEN '(' || c.character_maximum_length || ')' ELSE '' END) as "Type", (SELECT array_agg(e.enumlabel) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_enum e ON t.oid=e.enumtypid WHERE t.typname=c.udt_name) AS "special", (SELECT pgd.description FROM pg_catalog.pg_statio_all_tables AS st INNER JOIN pg_catalog.pg_description pgd on (pgd.objoid=st.relid) WHERE c.ordinal_position=pgd.objsubid AND c.table_name=st.relname) AS "Comment" FROM information_schema.columns c LEFT JOIN (SELECT tc.table_schema, tc.table_name, cu.column_name, tc.constraint_type FROM information_schema.TABLE_CONSTRAINTS tc JOIN information_schema.KEY_COLUMN_USAGE  cu ON tc.table_schema=cu.table_schema and tc.table_name=cu.table_name and tc.constraint_name=cu.constraint_name and tc.constraint_type='PRIMARY KEY') pk ON pk.table_schema=c.table_schema AND pk.table_name=c.table_name AND pk.column_name=c.column_name WHERE c.table_name = 'customers' AND c.table_schema = 'public'
-- next
SELECT i.relname AS name, ix.indisprimary AS primary, ix.indisunique AS unique, ix.indkey AS indkey, array_agg(a.attnum) as column_indexes, array_agg(a.attname) AS column_names, pg_get_indexdef(ix.indexrelid) AS definition FROM pg_class t, pg_class i, pg_index ix, pg_attribute a WHERE t.oid = ix.indrelid AND i.oid = ix.indexrelid AND a.attrelid = t.oid AND t.relkind = 'r' and t.relname = 'customers' GROUP BY i.relname, ix.indexrelid, ix.indisprimary, ix.indisunique, ix.indkey ORDER BY i.relname
-- next
SELECT DISTINCT tc.constraint_name as constraint_name, tc.constraint_schema as constraint_schema, tc.constraint_catalog as constraint_catalog, tc.table_name as table_name,tc.table_schema as table_schema,tc.table_catalog as table_catalog,tc.initially_deferred as initially_deferred,tc.is_deferrable as is_deferrable,kcu.column_name as column_name,ccu.table_schema  AS referenced_table_schema,ccu.table_catalog  AS referenced_table_catalog,ccu.table_name  AS referenced_table_name,ccu.column_name AS referenced_column_name FROM information_schema.table_constraints AS tc JOIN information_schema.key_column_usage AS kcu ON tc.constraint_name = kcu.constraint_name JOIN information_schema.constraint_column_usage AS ccu ON ccu.constraint_name = tc.constraint_name WHERE constraint_type = 'FOREIGN KEY' AND tc.table_name = 'customers' AND tc.table_catalog = 'shop'
-- next
SELECT constraint_catalog AS "constraintCatalog", constraint_schema AS "constraintSchema", constraint_name AS "constraintName", table_catalog AS "tableCatalog", table_schema AS "tableSchema", table_name AS "tableName", constraint_type AS "constraintType", is_deferrable AS "isDeferrable", initially_deferred AS "initiallyDeferred" from INFORMATION_SCHEMA.table_constraints WHERE table_name='customers'
-- next
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 'customers'
-- next
SELECT pk.constraint_type as "Constraint",c.column_name as "Field", c.column_default as "Default",c.is_nullable as "Null", (CASE WHEN c.udt_name = 'hstore' THEN c.udt_name ELSE c.data_type END) || (CASE WHEN c.character_maximum_length IS NOT NULL THEN '(' || c.character_maximum_length || ')' ELSE '' END) as "Type", (SELECT array_agg(e.enumlabel) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_enum e ON t.oid=e.enumtypid WHERE t.typname=c.udt_name) AS "special", (SELECT pgd.description FROM pg_catalog.pg_statio_all_tables AS st INNER JOIN pg_catalog.pg_description pgd on (pgd.objoid=st.relid) WHERE c.ordinal_position=pgd.objsubid AND c.table_name=st.relname) AS "Comment" FROM information_schema.columns c LEFT JOIN (SELECT tc.table_schema, tc.table_name, cu.column_name, tc.constraint_type FROM information_schema.TABLE_CONSTRAINTS tc JOIN information_schema.KEY_COLUMN_USAGE  cu ON tc.table_schema=cu.table_schema and tc.table_name=cu.table_name and tc.constraint_name=cu.constraint_name and tc.constraint_type='PRIMARY KEY') pk ON pk.table_schema=c.table_schema AND pk.table_name=c.table_name AND pk.column_name=c.column_name WHERE c.table_name = 'Order Items' AND c.table_schema = 'public'
-- next
SELECT i.relname AS name, ix.indisprimary AS primary, ix.indisunique AS unique, ix.indkey AS indkey, array_agg(a.attnum) as column_indexes, array_agg(a.attname) AS column_names, pg_get_indexdef(ix.indexrelid) AS definition FROM pg_class t, pg_class i, pg_index ix, pg_attribute a WHERE t.oid = ix.indrelid AND i.oid = ix.indexrelid AND a.attrelid = t.oid AND t.relkind = 'r' and t.relname = 'Order Items' GROUP BY i.relname, ix.indexrelid, ix.indisprimary, ix.indisunique, ix.indkey ORDER BY i.relname
-- next
SELECT DISTINCT tc.constraint_name as constraint_name, tc.constraint_schema as constraint_schema, tc.constraint_catalog as constraint_catalog, tc.table_name as table_name,tc.table_schema as table_schema,tc.table_catalog as table_catalog,tc.initially_deferred as initially_deferred,tc.is_deferrable as is_deferrable,kcu.column_name as column_name,ccu.table_schema  AS referenced_table_schema,ccu.table_catalog  AS referenced_table_catalog,ccu.table_name  AS referenced_table_name,ccu.column_name AS referenced_column_name FROM information_schema.table_constraints AS tc JOIN information_schema.key_column_usage AS kcu ON tc.constraint_name = kcu.constraint_name JOIN information_schema.constraint_column_usage AS ccu ON ccu.constraint_name = tc.constraint_name WHERE constraint_type = 'FOREIGN KEY' AND tc.table_name = 'Order Items' AND tc.table_catalog = 'shop'
-- next
SELECT constraint_catalog AS "constraintCatalog", constraint_schema AS "constraintSchema", constraint_name AS "constraintName", table_catalog AS "tableCatalog", table_schema AS "tableSchema", table_name AS "tableName", constraint_type AS "constraintType", is_deferrable AS "isDeferrable", initially_deferred AS "initiallyDeferred" from INFORMATION_SCHEMA.table_constraints WHERE table_name='Order Items'
-- next
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 'Order Items'
-- next
SELECT pk.constraint_type as "Constraint",c.column_name as "Field", c.column_default as "Default",c.is_nullable as "Null", (CASE WHEN c.udt_name = 'hstore' THEN c.udt_name ELSE c.data_type END) || (CASE WHEN c.character_maximum_length IS NOT NULL THEN '(' || c.character_maximum_length || ')' ELSE '' END) as "Type", (SELECT array_agg(e.enumlabel) FROM pg_catalog.pg_type t JOIN pg_catalog.pg_enum e ON t.oid=e.enumtypid WHERE t.typname=c.udt_name) AS "special", (SELECT pgd.description FROM pg_catalog.pg_statio_all_tables AS st INNER JOIN pg_catalog.pg_description pgd on (pgd.objoid=st.relid) WHERE c.ordinal_position=pgd.objsubid AND c.table_name=st.relname) AS "Comment" FROM information_schema.columns c LEFT JOIN (SELECT tc.table_schema, tc.table_name, cu.column_name, tc.constraint_type FROM information_schema.TABLE_CONSTRAINTS tc JOIN information_schema.KEY_COLUMN_USAGE  cu ON tc.table_schema=cu.table_schema and tc.table_name=cu.table_name and tc.constraint_name=cu.constraint_name and tc.constraint_type='PRIMARY KEY') pk ON pk.table_schema=c.table_schema AND pk.table_name=c.table_name AND pk.column_name=c.column_name WHERE c.table_name = 'events' AND c.table_schema = 'public'
-- next
SELECT i.relname AS name, ix.indisprimary AS primary, ix.indisunique AS unique, ix.indkey AS indkey, array_agg(a.attnum) as column_indexes, array_agg(a.attname) AS column_names, pg_get_indexdef(ix.indexrelid) AS definition FROM pg_class t, pg_class i, pg_index ix, pg_attribute a WHERE t.oid = ix.indrelid AND i.oid = ix.indexrelid AND a.attrelid = t.oid AND t.relkind = 'r' and t.relname = 'events' GROUP BY i.relname, ix.indexrelid, ix.indisprimary, ix.indisunique, ix.indkey ORDER BY i.relname
-- next
SELECT DISTINCT tc.constraint_name as constraint_name, tc.constraint_schema as constraint_schema, tc.constraint_catalog as constraint_catalog, tc.table_name as table_name,tc.table_schema as table_schema,tc.table_catalog as table_catalog,tc.initially_deferred as initially_deferred,tc.is_deferrable as is_deferrable,kcu.column_name as column_name,ccu.table_schema  AS referenced_table_schema,ccu.table_catalog  AS referenced_table_catalog,ccu.table_name  AS referenced_table_name,ccu.column_name AS referenced_column_name FROM information_schema.table_constraints AS tc JOIN information_schema.key_column_usage AS kcu ON tc.constraint_name = kcu.constraint_name JOIN information_schema.constraint_column_usage AS ccu ON ccu.constraint_name = tc.constraint_name WHERE constraint_type = 'FOREIGN KEY' AND tc.table_name = 'events' AND tc.table_catalog = 'shop'
-- next
SELECT constraint_catalog AS "constraintCatalog", constraint_schema AS "constraintSchema", constraint_name AS "constraintName", table_catalog AS "tableCatalog", table_schema AS "tableSchema", table_name AS "tableName", constraint_type AS "constraintType", is_deferrable AS "isDeferrable", initially_deferred AS "initiallyDeferred" from INFORMATION_SCHEMA.table_constraints WHERE table_name='events'
-- next
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 'events'
-- next
SELECT * FROM current_schema()
-- next
SELECT * FROM current_database()
-- next
SELECT * FROM pg_database WHERE datname='shop'
-- next
SELECT * FROM "information_schema"."schemata" WHERE "schema_name" = 'public'
-- next
SELECT * FROM "information_schema"."tables" WHERE "table_schema" = 'public' AND "table_name" = 'orders'
-- next
SELECT * FROM "information_schema"."columns" WHERE "table_schema" = 'public' AND "table_name" = 'orders' AND "column_name" = 'status'
-- next
SELECT "table_schema", "table_name", obj_description((quote_ident("table_schema") || '.' || quote_ident("table_name"))::regclass, 'pg_class') AS table_comment FROM "information_schema"."tables" WHERE ("table_schema" = 'public' AND "table_name" = 'orders') OR ("table_schema" = 'public' AND "table_name" = 'customers') OR ("table_schema" = 'public' AND "table_name" = 'Order Items')
-- next
SELECT TRUE FROM information_schema.columns WHERE table_name = 'pg_class' and column_name = 'relispartition'
-- next
SELECT columns.*, pg_catalog.col_description((quote_ident(table_catalog) || '.' || quote_ident(table_schema) || '.' || quote_ident(table_name))::regclass::oid, ordinal_position) AS description, ('"' || "udt_schema" || '"."' || "udt_name" || '"')::"regtype"::text AS "regtype", pg_catalog.format_type("col_attr"."atttypid", "col_attr"."atttypmod") AS "format_type" FROM "information_schema"."columns" LEFT JOIN "pg_catalog"."pg_attribute" AS "col_attr" ON "col_attr"."attname" = "columns"."column_name" AND "col_attr"."attrelid" = ( SELECT "cls"."oid" FROM "pg_catalog"."pg_class" AS "cls" LEFT JOIN "pg_catalog"."pg_namespace" AS "ns" ON "ns"."oid" = "cls"."relnamespace" WHERE "cls"."relname" = "columns"."table_name" AND "ns"."nspname" = "columns"."table_schema" ) WHERE ("table_schema" = 'public' AND "table_name" = 'orders') OR ("table_schema" = 'public' AND "table_name" = 'customers') OR ("table_schema" = 'public' AND "table_name" = 'Order Items')
-- next
SELECT "ns"."nspname" AS "table_schema", "t"."relname" AS "table_name", "cnst"."conname" AS "constraint_name", pg_get_constraintdef("cnst"."oid") AS "expression", CASE "cnst"."contype" WHEN 'p' THEN 'PRIMARY' WHEN 'u' THEN 'UNIQUE' WHEN 'c' THEN 'CHECK' WHEN 'x' THEN 'EXCLUDE' END AS "constraint_type", "a"."attname" AS "column_name" FROM "pg_constraint" "cnst" INNER JOIN "pg_class" "t" ON "t"."oid" = "cnst"."conrelid" INNER JOIN "pg_namespace" "ns" ON "ns"."oid" = "cnst"."connamespace" LEFT JOIN "pg_attribute" "a" ON "a"."attrelid" = "cnst"."conrelid" AND "a"."attnum" = ANY ("cnst"."conkey") WHERE "t"."relkind" IN ('r', 'p') AND (("ns"."nspname" = 'public' AND "t"."relname" = 'orders') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'customers') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'Order Items'))
-- next
SELECT "ns"."nspname" AS "table_schema", "t"."relname" AS "table_name", "i"."relname" AS "constraint_name", "a"."attname" AS "column_name", CASE "ix"."indisunique" WHEN 't' THEN 'TRUE' ELSE'FALSE' END AS "is_unique", pg_get_expr("ix"."indpred", "ix"."indrelid") AS "condition", "types"."typname" AS "type_name", "am"."amname" AS "index_type" FROM "pg_class" "t" INNER JOIN "pg_index" "ix" ON "ix"."indrelid" = "t"."oid" INNER JOIN "pg_attribute" "a" ON "a"."attrelid" = "t"."oid"  AND "a"."attnum" = ANY ("ix"."indkey") INNER JOIN "pg_namespace" "ns" ON "ns"."oid" = "t"."relnamespace" INNER JOIN "pg_class" "i" ON "i"."oid" = "ix"."indexrelid" INNER JOIN "pg_type" "types" ON "types"."oid" = "a"."atttypid" INNER JOIN "pg_am" "am" ON "i"."relam" = "am"."oid" LEFT JOIN "pg_constraint" "cnst" ON "cnst"."conname" = "i"."relname" WHERE "t"."relkind" IN ('r', 'p') AND "cnst"."contype" IS NULL AND (("ns"."nspname" = 'public' AND "t"."relname" = 'orders') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'customers') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'Order Items'))
-- next
SELECT "con"."conname" AS "constraint_name", "con"."nspname" AS "table_schema", "con"."relname" AS "table_name", "att2"."attname" AS "column_name", "ns"."nspname" AS "referenced_table_schema", "cl"."relname" AS "referenced_table_name", "att"."attname" AS "referenced_column_name", "con"."confdeltype" AS "on_delete", "con"."confupdtype" AS "on_update", "con"."condeferrable" AS "deferrable", "con"."condeferred" AS "deferred" FROM ( SELECT UNNEST ("con1"."conkey") AS "parent", UNNEST ("con1"."confkey") AS "child", "con1"."confrelid", "con1"."conrelid", "con1"."conname", "con1"."contype", "ns"."nspname", "cl"."relname", "con1"."condeferrable", CASE WHEN "con1"."condeferred" THEN 'INITIALLY DEFERRED' ELSE 'INITIALLY IMMEDIATE' END as condeferred, CASE "con1"."confdeltype" WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END as "confdeltype", CASE "con1"."confupdtype" WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END as "confupdtype" FROM "pg_class" "cl" INNER JOIN "pg_namespace" "ns" ON "cl"."relnamespace" = "ns"."oid" INNER JOIN "pg_constraint" "con1" ON "con1"."conrelid" = "cl"."oid" WHERE "con1"."contype" = 'f' AND (("ns"."nspname" = 'public' AND "cl"."relname" = 'orders') OR ("ns"."nspname" = 'public' AND "cl"."relname" = 'customers') OR ("ns"."nspname" = 'public' AND "cl"."relname" = 'Order Items')) ) "con" INNER JOIN "pg_attribute" "att" ON "att"."attrelid" = "con"."confrelid" AND "att"."attnum" = "con"."child" INNER JOIN "pg_class" "cl" ON "cl"."oid" = "con"."confrelid"  AND "cl"."relispartition" = 'f'INNER JOIN "pg_namespace" "ns" ON "cl"."relnamespace" = "ns"."oid" INNER JOIN "pg_attribute" "att2" ON "att2"."attrelid" = "con"."conrelid" AND "att2"."attnum" = "con"."parent"
-- next
SELECT "table_schema", "table_name", obj_description((quote_ident("table_schema") || '.' || quote_ident("table_name"))::regclass, 'pg_class') AS table_comment FROM "information_schema"."tables"
-- next
SELECT "ns"."nspname" AS "table_schema", "t"."relname" AS "table_name", "cnst"."conname" AS "constraint_name", pg_get_constraintdef("cnst"."oid") AS "expression", CASE "cnst"."contype" WHEN 'p' THEN 'PRIMARY' WHEN 'u' THEN 'UNIQUE' WHEN 'c' THEN 'CHECK' WHEN 'x' THEN 'EXCLUDE' END AS "constraint_type", "a"."attname" AS "column_name" FROM "pg_constraint" "cnst" INNER JOIN "pg_class" "t" ON "t"."oid" = "cnst"."conrelid" INNER JOIN "pg_namespace" "ns" ON "ns"."oid" = "cnst"."connamespace" LEFT JOIN "pg_attribute" "a" ON "a"."attrelid" = "cnst"."conrelid" AND "a"."attnum" = ANY ("cnst"."conkey") WHERE "t"."relkind" IN ('r', 'p') AND (("ns"."nspname" = 'public' AND "t"."relname" = 'products') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'Order Items') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'events') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'shop') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'customers') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'orders') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_type') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_foreign_table') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_roles') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_settings') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_activity') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_subscription') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_attribute') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_proc') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_class') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_attrdef') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_constraint') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_inherits') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_index') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_replication') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_slru') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_wal_receiver') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_recovery_prefetch') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_operator') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_opfamily') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_opclass') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_am') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_amop') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_amproc') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_language') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_largeobject_metadata') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_aggregate') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statistic_ext') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_rewrite') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_trigger') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_event_trigger') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_description') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_cast') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_enum') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_namespace') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_conversion') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_depend') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_database') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_db_role_setting') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_tablespace') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_auth_members') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_shdepend') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_shdescription') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_config') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_config_map') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_dict') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_parser') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_template') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_extension') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_foreign_data_wrapper') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_foreign_server') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_policy') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_replication_origin') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_default_acl') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_init_privs') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_seclabel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_shseclabel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_collation') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_parameter_acl') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_partitioned_table') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_range') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_transform') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_sequence') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication_namespace') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication_rel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_subscription_rel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_group') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_user') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_policies') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_rules') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_views') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_matviews') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stats') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stats_ext') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stats_ext_exprs') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_locks') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_cursors') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_available_extensions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_available_extension_versions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_prepared_xacts') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_prepared_statements') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_seclabels') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_timezone_abbrevs') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_timezone_names') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_all_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_sys_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_user_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_all_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_sys_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_user_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_all_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_sys_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_user_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_subscription') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_ssl') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_gssapi') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_replication_slots') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_replication_slots') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_database') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_database_conflicts') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_user_functions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_user_functions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_archiver') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_bgwriter') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_wal') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_analyze') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_vacuum') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_cluster') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_create_index') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_basebackup') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_copy') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_user_mappings') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_subscription_stats') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_column_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'information_schema_catalog_name') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_domain_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'applicable_roles') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'administrable_role_authorizations') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'domain_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'attributes') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'character_sets') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'check_constraint_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'check_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_udt_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'collations') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'collation_character_set_applicability') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'key_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'columns') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'domain_udt_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'constraint_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'constraint_table_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'domains') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'referential_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'enabled_roles') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'parameters') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_routine_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'table_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_sequence_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_table_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'udt_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routines') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_table_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'schemata') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sequences') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sql_features') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'tables') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sql_implementation_info') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sql_sizing') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'table_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'view_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_udt_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'triggered_update_columns') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'triggers') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'user_defined_types') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'usage_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_usage_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'view_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'view_table_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'views') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'data_type_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'element_types') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_data_wrapper_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_data_wrappers') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_server_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_servers') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_table_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_tables') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'user_mapping_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'user_mappings'))
-- next
SELECT "ns"."nspname" AS "table_schema", "t"."relname" AS "table_name", "i"."relname" AS "constraint_name", "a"."attname" AS "column_name", CASE "ix"."indisunique" WHEN 't' THEN 'TRUE' ELSE'FALSE' END AS "is_unique", pg_get_expr("ix"."indpred", "ix"."indrelid") AS "condition", "types"."typname" AS "type_name", "am"."amname" AS "index_type" FROM "pg_class" "t" INNER JOIN "pg_index" "ix" ON "ix"."indrelid" = "t"."oid" INNER JOIN "pg_attribute" "a" ON "a"."attrelid" = "t"."oid"  AND "a"."attnum" = ANY ("ix"."indkey") INNER JOIN "pg_namespace" "ns" ON "ns"."oid" = "t"."relnamespace" INNER JOIN "pg_class" "i" ON "i"."oid" = "ix"."indexrelid" INNER JOIN "pg_type" "types" ON "types"."oid" = "a"."atttypid" INNER JOIN "pg_am" "am" ON "i"."relam" = "am"."oid" LEFT JOIN "pg_constraint" "cnst" ON "cnst"."conname" = "i"."relname" WHERE "t"."relkind" IN ('r', 'p') AND "cnst"."contype" IS NULL AND (("ns"."nspname" = 'public' AND "t"."relname" = 'products') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'Order Items') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'events') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'shop') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'customers') OR ("ns"."nspname" = 'public' AND "t"."relname" = 'orders') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_type') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_foreign_table') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_roles') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_settings') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_activity') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_subscription') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_attribute') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_proc') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_class') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_attrdef') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_constraint') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_inherits') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_index') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_replication') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_slru') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_wal_receiver') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_recovery_prefetch') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_operator') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_opfamily') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_opclass') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_am') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_amop') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_amproc') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_language') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_largeobject_metadata') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_aggregate') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statistic_ext') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_rewrite') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_trigger') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_event_trigger') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_description') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_cast') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_enum') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_namespace') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_conversion') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_depend') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_database') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_db_role_setting') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_tablespace') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_auth_members') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_shdepend') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_shdescription') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_config') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_config_map') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_dict') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_parser') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_ts_template') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_extension') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_foreign_data_wrapper') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_foreign_server') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_policy') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_replication_origin') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_default_acl') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_init_privs') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_seclabel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_shseclabel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_collation') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_parameter_acl') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_partitioned_table') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_range') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_transform') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_sequence') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication_namespace') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication_rel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_subscription_rel') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_group') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_user') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_policies') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_rules') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_views') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_matviews') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stats') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stats_ext') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stats_ext_exprs') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_publication_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_locks') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_cursors') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_available_extensions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_available_extension_versions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_prepared_xacts') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_prepared_statements') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_seclabels') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_timezone_abbrevs') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_timezone_names') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_all_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_sys_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_user_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_all_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_sys_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_user_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_all_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_sys_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_statio_user_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_subscription') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_ssl') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_gssapi') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_replication_slots') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_replication_slots') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_database') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_database_conflicts') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_user_functions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_xact_user_functions') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_archiver') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_bgwriter') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_wal') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_analyze') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_vacuum') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_cluster') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_create_index') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_basebackup') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_progress_copy') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_user_mappings') OR ("ns"."nspname" = 'pg_catalog' AND "t"."relname" = 'pg_stat_subscription_stats') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_column_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'information_schema_catalog_name') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_domain_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'applicable_roles') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'administrable_role_authorizations') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'domain_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'attributes') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'character_sets') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'check_constraint_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'check_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_udt_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'collations') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'collation_character_set_applicability') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'key_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'columns') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'domain_udt_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'constraint_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'constraint_table_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'domains') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'referential_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'enabled_roles') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'parameters') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_routine_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'table_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_sequence_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routine_table_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'udt_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'routines') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_table_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'schemata') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sequences') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sql_features') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'tables') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sql_implementation_info') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'sql_sizing') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'table_constraints') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'view_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_udt_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'triggered_update_columns') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'triggers') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'user_defined_types') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'usage_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'role_usage_grants') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'view_column_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'view_table_usage') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'views') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'data_type_privileges') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'element_types') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'column_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_data_wrapper_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_data_wrappers') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_server_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_servers') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_table_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'foreign_tables') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'user_mapping_options') OR ("ns"."nspname" = 'information_schema' AND "t"."relname" = 'user_mappings'))
-- next
SELECT "con"."conname" AS "constraint_name", "con"."nspname" AS "table_schema", "con"."relname" AS "table_name", "att2"."attname" AS "column_name", "ns"."nspname" AS "referenced_table_schema", "cl"."relname" AS "referenced_table_name", "att"."attname" AS "referenced_column_name", "con"."confdeltype" AS "on_delete", "con"."confupdtype" AS "on_update", "con"."condeferrable" AS "deferrable", "con"."condeferred" AS "deferred" FROM ( SELECT UNNEST ("con1"."conkey") AS "parent", UNNEST ("con1"."confkey") AS "child", "con1"."confrelid", "con1"."conrelid", "con1"."conname", "con1"."contype", "ns"."nspname", "cl"."relname", "con1"."condeferrable", CASE WHEN "con1"."condeferred" THEN 'INITIALLY DEFERRED' ELSE 'INITIALLY IMMEDIATE' END as condeferred, CASE "con1"."confdeltype" WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END as "confdeltype", CASE "con1"."confupdtype" WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END as "confupdtype" FROM "pg_class" "cl" INNER JOIN "pg_namespace" "ns" ON "cl"."relnamespace" = "ns"."oid" INNER JOIN "pg_constraint" "con1" ON "con1"."conrelid" = "cl"."oid" WHERE "con1"."contype" = 'f' AND (("ns"."nspname" = 'public' AND "cl"."relname" = 'products') OR ("ns"."nspname" = 'public' AND "cl"."relname" = 'Order Items') OR ("ns"."nspname" = 'public' AND "cl"."relname" = 'events') OR ("ns"."nspname" = 'public' AND "cl"."relname" = 'shop') OR ("ns"."nspname" = 'public' AND "cl"."relname" = 'customers') OR ("ns"."nspname" = 'public' AND "cl"."relname" = 'orders') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_type') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_foreign_table') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_roles') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_settings') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_activity') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_subscription') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_attribute') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_proc') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_class') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_attrdef') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_constraint') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_inherits') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_index') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_replication') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_slru') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_wal_receiver') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_recovery_prefetch') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_operator') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_opfamily') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_opclass') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_am') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_amop') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_amproc') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_language') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_largeobject_metadata') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_aggregate') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statistic_ext') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_rewrite') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_trigger') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_event_trigger') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_description') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_cast') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_enum') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_namespace') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_conversion') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_depend') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_database') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_db_role_setting') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_tablespace') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_auth_members') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_shdepend') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_shdescription') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_ts_config') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_ts_config_map') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_ts_dict') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_ts_parser') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_ts_template') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_extension') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_foreign_data_wrapper') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_foreign_server') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_policy') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_replication_origin') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_default_acl') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_init_privs') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_seclabel') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_shseclabel') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_collation') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_parameter_acl') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_partitioned_table') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_range') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_transform') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_sequence') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_publication') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_publication_namespace') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_publication_rel') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_subscription_rel') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_group') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_user') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_policies') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_rules') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_views') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_matviews') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stats') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stats_ext') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stats_ext_exprs') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_publication_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_locks') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_cursors') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_available_extensions') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_available_extension_versions') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_prepared_xacts') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_prepared_statements') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_seclabels') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_timezone_abbrevs') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_timezone_names') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_xact_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_xact_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_xact_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_all_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_sys_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_user_tables') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_all_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_sys_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_user_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_all_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_sys_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_user_indexes') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_all_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_sys_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_statio_user_sequences') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_subscription') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_ssl') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_gssapi') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_replication_slots') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_replication_slots') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_database') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_database_conflicts') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_user_functions') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_xact_user_functions') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_archiver') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_bgwriter') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_wal') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_progress_analyze') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_progress_vacuum') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_progress_cluster') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_progress_create_index') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_progress_basebackup') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_progress_copy') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_user_mappings') OR ("ns"."nspname" = 'pg_catalog' AND "cl"."relname" = 'pg_stat_subscription_stats') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'role_column_grants') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'information_schema_catalog_name') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'column_domain_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'applicable_roles') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'administrable_role_authorizations') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'domain_constraints') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'attributes') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'column_privileges') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'character_sets') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'check_constraint_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'check_constraints') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'column_udt_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'collations') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'collation_character_set_applicability') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'key_column_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'column_column_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'columns') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'domain_udt_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'constraint_column_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'constraint_table_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'domains') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'referential_constraints') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'enabled_roles') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'parameters') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'routine_column_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'routine_privileges') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'role_routine_grants') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'routine_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'table_privileges') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'routine_sequence_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'routine_table_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'udt_privileges') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'routines') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'role_table_grants') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'schemata') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'sequences') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'sql_features') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'tables') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'sql_implementation_info') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'sql_sizing') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'table_constraints') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'view_routine_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'role_udt_grants') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'triggered_update_columns') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'triggers') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'user_defined_types') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'usage_privileges') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'role_usage_grants') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'view_column_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'view_table_usage') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'views') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'data_type_privileges') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'element_types') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'column_options') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'foreign_data_wrapper_options') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'foreign_data_wrappers') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'foreign_server_options') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'foreign_servers') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'foreign_table_options') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'foreign_tables') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'user_mapping_options') OR ("ns"."nspname" = 'information_schema' AND "cl"."relname" = 'user_mappings')) ) "con" INNER JOIN "pg_attribute" "att" ON "att"."attrelid" = "con"."confrelid" AND "att"."attnum" = "con"."child" INNER JOIN "pg_class" "cl" ON "cl"."oid" = "con"."confrelid"  AND "cl"."relispartition" = 'f'INNER JOIN "pg_namespace" "ns" ON "cl"."relnamespace" = "ns"."oid" INNER JOIN "pg_attribute" "att2" ON "att2"."attrelid" = "con"."conrelid" AND "att2"."attnum" = "con"."parent"
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_type' AND "column_name"='typacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_foreign_table' AND "column_name"='ftoptions'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_roles' AND "column_name"='rolconfig'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_settings' AND "column_name"='enumvals'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_subscription' AND "column_name"='subpublications'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_attribute' AND "column_name"='attacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_attribute' AND "column_name"='attoptions'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_attribute' AND "column_name"='attfdwoptions'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_proc' AND "column_name"='proargmodes'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_proc' AND "column_name"='proargtypes'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_proc' AND "column_name"='proacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_proc' AND "column_name"='proconfig'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_proc' AND "column_name"='proargnames'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_proc' AND "column_name"='protrftypes'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_proc' AND "column_name"='proallargtypes'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_class' AND "column_name"='relacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_class' AND "column_name"='reloptions'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_constraint' AND "column_name"='conppeqop'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_constraint' AND "column_name"='confkey'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_constraint' AND "column_name"='conkey'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_constraint' AND "column_name"='conffeqop'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_constraint' AND "column_name"='conexclop'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_constraint' AND "column_name"='confdelsetcols'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_constraint' AND "column_name"='conpfeqop'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_index' AND "column_name"='indoption'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_index' AND "column_name"='indclass'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_index' AND "column_name"='indkey'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_index' AND "column_name"='indcollation'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_language' AND "column_name"='lanacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_largeobject_metadata' AND "column_name"='lomacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_statistic_ext' AND "column_name"='stxkind'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_statistic_ext' AND "column_name"='stxkeys'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_trigger' AND "column_name"='tgattr'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_event_trigger' AND "column_name"='evttags'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_namespace' AND "column_name"='nspacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_database' AND "column_name"='datacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_db_role_setting' AND "column_name"='setconfig'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_tablespace' AND "column_name"='spcoptions'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_tablespace' AND "column_name"='spcacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_extension' AND "column_name"='extcondition'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_extension' AND "column_name"='extconfig'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_foreign_data_wrapper' AND "column_name"='fdwacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_foreign_data_wrapper' AND "column_name"='fdwoptions'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_foreign_server' AND "column_name"='srvacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_foreign_server' AND "column_name"='srvoptions'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_policy' AND "column_name"='polroles'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_default_acl' AND "column_name"='defaclacl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_init_privs' AND "column_name"='initprivs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_parameter_acl' AND "column_name"='paracl'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_partitioned_table' AND "column_name"='partcollation'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_partitioned_table' AND "column_name"='partclass'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_partitioned_table' AND "column_name"='partattrs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_publication_rel' AND "column_name"='prattrs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_group' AND "column_name"='grolist'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_user' AND "column_name"='useconfig'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_policies' AND "column_name"='roles'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats' AND "column_name"='elem_count_histogram'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats' AND "column_name"='most_common_freqs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats' AND "column_name"='most_common_elem_freqs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext' AND "column_name"='most_common_val_nulls'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext' AND "column_name"='most_common_vals'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext' AND "column_name"='most_common_freqs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext' AND "column_name"='most_common_base_freqs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext' AND "column_name"='exprs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext' AND "column_name"='attnames'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext' AND "column_name"='kinds'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext_exprs' AND "column_name"='most_common_elem_freqs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext_exprs' AND "column_name"='most_common_freqs'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_stats_ext_exprs' AND "column_name"='elem_count_histogram'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_publication_tables' AND "column_name"='attnames'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_available_extension_versions' AND "column_name"='requires'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_prepared_statements' AND "column_name"='parameter_types'
-- next
SELECT "udt_schema", "udt_name" FROM "information_schema"."columns" WHERE "table_schema" = 'pg_catalog' AND "table_name" = 'pg_user_mappings' AND "column_name"='umoptions'
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'aclitem' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'text' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'char' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'oidvector' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'oid' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'int2' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'int2vector' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'name' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'float4' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'bool' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'float8' ORDER BY "e"."enumsortorder"
-- next
SELECT "e"."enumlabel" AS "value" FROM "pg_enum" "e" INNER JOIN "pg_type" "t" ON "t"."oid" = "e"."enumtypid" INNER JOIN "pg_namespace" "n" ON "n"."oid" = "t"."typnamespace" WHERE "n"."nspname" = 'pg_catalog' AND "t"."typname" = 'regtype' ORDER BY "e"."enumsortorder"
-- next
SELECT * FROM "information_schema"."tables" WHERE "table_schema" = 'public' AND "table_name" = 'typeorm_metadata'
-- next
SELECT "table_schema", "table_name", obj_description((quote_ident("table_schema") || '.' || quote_ident("table_name"))::regclass, 'pg_class') AS table_comment FROM "information_schema"."tables" WHERE ("table_schema" = 'public' AND "table_name" = 'orders')
-- next
SELECT columns.*, pg_catalog.col_description((quote_ident(table_catalog) || '.' || quote_ident(table_schema) || '.' || quote_ident(table_name))::regclass::oid, ordinal_position) AS description, ('"' || "udt_schema" || '"."' || "udt_name" || '"')::"regtype"::text AS "regtype", pg_catalog.format_type("col_attr"."atttypid", "col_attr"."atttypmod") AS "format_type" FROM "information_schema"."columns" LEFT JOIN "pg_catalog"."pg_attribute" AS "col_attr" ON "col_attr"."attname" = "columns"."column_name" AND "col_attr"."attrelid" = ( SELECT "cls"."oid" FROM "pg_catalog"."pg_class" AS "cls" LEFT JOIN "pg_catalog"."pg_namespace" AS "ns" ON "ns"."oid" = "cls"."relnamespace" WHERE "cls"."relname" = "columns"."table_name" AND "ns"."nspname" = "columns"."table_schema" ) WHERE ("table_schema" = 'public' AND "table_name" = 'orders')
-- next
SELECT "ns"."nspname" AS "table_schema", "t"."relname" AS "table_name", "cnst"."conname" AS "constraint_name", pg_get_constraintdef("cnst"."oid") AS "expression", CASE "cnst"."contype" WHEN 'p' THEN 'PRIMARY' WHEN 'u' THEN 'UNIQUE' WHEN 'c' THEN 'CHECK' WHEN 'x' THEN 'EXCLUDE' END AS "constraint_type", "a"."attname" AS "column_name" FROM "pg_constraint" "cnst" INNER JOIN "pg_class" "t" ON "t"."oid" = "cnst"."conrelid" INNER JOIN "pg_namespace" "ns" ON "ns"."oid" = "cnst"."connamespace" LEFT JOIN "pg_attribute" "a" ON "a"."attrelid" = "cnst"."conrelid" AND "a"."attnum" = ANY ("cnst"."conkey") WHERE "t"."relkind" IN ('r', 'p') AND (("ns"."nspname" = 'public' AND "t"."relname" = 'orders'))
-- next
SELECT "ns"."nspname" AS "table_schema", "t"."relname" AS "table_name", "i"."relname" AS "constraint_name", "a"."attname" AS "column_name", CASE "ix"."indisunique" WHEN 't' THEN 'TRUE' ELSE'FALSE' END AS "is_unique", pg_get_expr("ix"."indpred", "ix"."indrelid") AS "condition", "types"."typname" AS "type_name", "am"."amname" AS "index_type" FROM "pg_class" "t" INNER JOIN "pg_index" "ix" ON "ix"."indrelid" = "t"."oid" INNER JOIN "pg_attribute" "a" ON "a"."attrelid" = "t"."oid"  AND "a"."attnum" = ANY ("ix"."indkey") INNER JOIN "pg_namespace" "ns" ON "ns"."oid" = "t"."relnamespace" INNER JOIN "pg_class" "i" ON "i"."oid" = "ix"."indexrelid" INNER JOIN "pg_type" "types" ON "types"."oid" = "a"."atttypid" INNER JOIN "pg_am" "am" ON "i"."relam" = "am"."oid" LEFT JOIN "pg_constraint" "cnst" ON "cnst"."conname" = "i"."relname" WHERE "t"."relkind" IN ('r', 'p') AND "cnst"."contype" IS NULL AND (("ns"."nspname" = 'public' AND "t"."relname" = 'orders'))
-- next
SELECT "con"."conname" AS "constraint_name", "con"."nspname" AS "table_schema", "con"."relname" AS "table_name", "att2"."attname" AS "column_name", "ns"."nspname" AS "referenced_table_schema", "cl"."relname" AS "referenced_table_name", "att"."attname" AS "referenced_column_name", "con"."confdeltype" AS "on_delete", "con"."confupdtype" AS "on_update", "con"."condeferrable" AS "deferrable", "con"."condeferred" AS "deferred" FROM ( SELECT UNNEST ("con1"."conkey") AS "parent", UNNEST ("con1"."confkey") AS "child", "con1"."confrelid", "con1"."conrelid", "con1"."conname", "con1"."contype", "ns"."nspname", "cl"."relname", "con1"."condeferrable", CASE WHEN "con1"."condeferred" THEN 'INITIALLY DEFERRED' ELSE 'INITIALLY IMMEDIATE' END as condeferred, CASE "con1"."confdeltype" WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END as "confdeltype", CASE "con1"."confupdtype" WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' END as "confupdtype" FROM "pg_class" "cl" INNER JOIN "pg_namespace" "ns" ON "cl"."relnamespace" = "ns"."oid" INNER JOIN "pg_constraint" "con1" ON "con1"."conrelid" = "cl"."oid" WHERE "con1"."contype" = 'f' AND (("ns"."nspname" = 'public' AND "cl"."relname" = 'orders')) ) "con" INNER JOIN "pg_attribute" "att" ON "att"."attrelid" = "con"."confrelid" AND "att"."attnum" = "con"."child" INNER JOIN "pg_class" "cl" ON "cl"."oid" = "con"."confrelid"  AND "cl"."relispartition" = 'f'INNER JOIN "pg_namespace" "ns" ON "cl"."relnamespace" = "ns"."oid" INNER JOIN "pg_attribute" "att2" ON "att2"."attrelid" = "con"."conrelid" AND "att2"."attnum" = "con"."parent"
-- next
SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE 'pg_%' ORDER BY nspname
-- next
SELECT 
    n.nspname AS table_schema, 
    c.relname AS table_name, 
    CASE 
        WHEN c.relkind = 'r' THEN 'table'
        WHEN c.relkind = 'v' THEN 'view'
        WHEN c.relkind = 'm' THEN 'materialized_view'
    END AS type,
	c.relrowsecurity AS rls_enabled
FROM 
    pg_catalog.pg_class c
JOIN 
    pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE 
	c.relkind IN ('r', 'v', 'm') 
     AND n.nspname = 'public'
-- next
select s.nspname as table_schema
  from pg_catalog.pg_namespace s
  join pg_catalog.pg_user u on u.usesysid = s.nspowner
  where nspname not in ('information_schema', 'pg_catalog', 'public')
        and nspname not like 'pg_toast%'
        and nspname not like 'pg_temp_%'
  order by table_schema
-- next
select schemaname, sequencename, start_value, min_value, max_value, increment_by, cycle, cache_size from pg_sequences as seq WHERE schemaname = 'public'
-- next
select n.nspname as enum_schema,
  t.typname as enum_name,
  e.enumlabel as enum_value,
  e.enumsortorder as sort_order
  from pg_type t
  join pg_enum e on t.oid = e.enumtypid
  join pg_catalog.pg_namespace n ON n.oid = t.typnamespace
   WHERE n.nspname = 'public'
  order by enum_schema, enum_name, sort_order
-- next
SELECT rolname, rolinherit, rolcreatedb, rolcreaterole FROM pg_roles
-- next
SELECT schemaname, tablename, policyname as name, permissive as "as", roles as to, cmd as for, qual as using, with_check as "withCheck" FROM pg_policies WHERE schemaname = 'public'
-- next
SELECT 
    a.attrelid::regclass::text AS table_name,  -- Table, view, or materialized view name
    a.attname AS column_name,   -- Column name
    CASE 
        WHEN NOT a.attisdropped THEN 
            CASE 
                WHEN a.attnotnull THEN 'NO'
                ELSE 'YES'
            END 
        ELSE NULL 
    END AS is_nullable,  -- NULL or NOT NULL constraint
    a.attndims AS array_dimensions,  -- Array dimensions
    CASE 
        WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) 
        AND EXISTS (
            SELECT FROM pg_attrdef ad
            WHERE ad.adrelid = a.attrelid 
            AND ad.adnum = a.attnum 
            AND pg_get_expr(ad.adbin, ad.adrelid) = 'nextval(''' 
                || pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass || '''::regclass)'
        )
        THEN CASE a.atttypid
            WHEN 'int'::regtype THEN 'serial'
            WHEN 'int8'::regtype THEN 'bigserial'
            WHEN 'int2'::regtype THEN 'smallserial'
        END
        ELSE format_type(a.atttypid, a.atttypmod)
    END AS data_type,  -- Column data type
--    ns.nspname AS type_schema,  -- Schema name
    pg_get_serial_sequence('"public"."products"', a.attname)::regclass AS seq_name,  -- Serial sequence (if any)
    c.column_default,  -- Column default value
    c.data_type AS additional_dt,  -- Data type from information_schema
    c.udt_name AS enum_name,  -- Enum type (if applicable)
    c.is_generated,  -- Is it a generated column?
    c.generation_expression,  -- Generation expression (if generated)
    c.is_identity,  -- Is it an identity column?
    c.identity_generation,  -- Identity generation strategy (ALWAYS or BY DEFAULT)
    c.identity_start,  -- Start value of identity column
    c.identity_increment,  -- Increment for identity column
    c.identity_maximum,  -- Maximum value for identity column
    c.identity_minimum,  -- Minimum value for identity column
    c.identity_cycle,  -- Does the identity column cycle?
    enum_ns.nspname AS type_schema  -- Schema of the enum type
FROM 
    pg_attribute a
JOIN 
    pg_class cls ON cls.oid = a.attrelid  -- Join pg_class to get table/view/materialized view info
JOIN 
    pg_namespace ns ON ns.oid = cls.relnamespace  -- Join namespace to get schema info
LEFT JOIN 
    information_schema.columns c ON c.column_name = a.attname 
        AND c.table_schema = ns.nspname 
        AND c.table_name = cls.relname  -- Match schema and table/view name
LEFT JOIN 
    pg_type enum_t ON enum_t.oid = a.atttypid  -- Join to get the type info
LEFT JOIN 
    pg_namespace enum_ns ON enum_ns.oid = enum_t.typnamespace  -- Join to get the enum schema
WHERE 
    a.attnum > 0  -- Valid column numbers only
    AND NOT a.attisdropped  -- Skip dropped columns
    AND cls.relkind IN ('r', 'v', 'm')  -- Include regular tables ('r'), views ('v'), and materialized views ('m')
    AND ns.nspname = 'public'  -- Filter by schema
    AND cls.relname = 'products'  -- Filter by table name
ORDER BY 
    a.attnum
-- next
SELECT 
    a.attrelid::regclass::text AS table_name,  -- Table, view, or materialized view name
    a.attname AS column_name,   -- Column name
    CASE 
        WHEN NOT a.attisdropped THEN 
            CASE 
                WHEN a.attnotnull THEN 'NO'
                ELSE 'YES'
            END 
        ELSE NULL 
    END AS is_nullable,  -- NULL or NOT NULL constraint
    a.attndims AS array_dimensions,  -- Array dimensions
    CASE 
        WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) 
        AND EXISTS (
            SELECT FROM pg_attrdef ad
            WHERE ad.adrelid = a.attrelid 
            AND ad.adnum = a.attnum 
            AND pg_get_expr(ad.adbin, ad.adrelid) = 'nextval(''' 
                || pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass || '''::regclass)'
        )
        THEN CASE a.atttypid
            WHEN 'int'::regtype THEN 'serial'
            WHEN 'int8'::regtype THEN 'bigserial'
            WHEN 'int2'::regtype THEN 'smallserial'
        END
        ELSE format_type(a.atttypid, a.atttypmod)
    END AS data_type,  -- Column data type
--    ns.nspname AS type_schema,  -- Schema name
    pg_get_serial_sequence('"public"."Order Items"', a.attname)::regclass AS seq_name,  -- Serial sequence (if any)
    c.column_default,  -- Column default value
    c.data_type AS additional_dt,  -- Data type from information_schema
    c.udt_name AS enum_name,  -- Enum type (if applicable)
    c.is_generated,  -- Is it a generated column?
    c.generation_expression,  -- Generation expression (if generated)
    c.is_identity,  -- Is it an identity column?
    c.identity_generation,  -- Identity generation strategy (ALWAYS or BY DEFAULT)
    c.identity_start,  -- Start value of identity column
    c.identity_increment,  -- Increment for identity column
    c.identity_maximum,  -- Maximum value for identity column
    c.identity_minimum,  -- Minimum value for identity column
    c.identity_cycle,  -- Does the identity column cycle?
    enum_ns.nspname AS type_schema  -- Schema of the enum type
FROM 
    pg_attribute a
JOIN 
    pg_class cls ON cls.oid = a.attrelid  -- Join pg_class to get table/view/materialized view info
JOIN 
    pg_namespace ns ON ns.oid = cls.relnamespace  -- Join namespace to get schema info
LEFT JOIN 
    information_schema.columns c ON c.column_name = a.attname 
        AND c.table_schema = ns.nspname 
        AND c.table_name = cls.relname  -- Match schema and table/view name
LEFT JOIN 
    pg_type enum_t ON enum_t.oid = a.atttypid  -- Join to get the type info
LEFT JOIN 
    pg_namespace enum_ns ON enum_ns.oid = enum_t.typnamespace  -- Join to get the enum schema
WHERE 
    a.attnum > 0  -- Valid column numbers only
    AND NOT a.attisdropped  -- Skip dropped columns
    AND cls.relkind IN ('r', 'v', 'm')  -- Include regular tables ('r'), views ('v'), and materialized views ('m')
    AND ns.nspname = 'public'  -- Filter by schema
    AND cls.relname = 'Order Items'  -- Filter by table name
ORDER BY 
    a.attnum
-- next
SELECT 
    a.attrelid::regclass::text AS table_name,  -- Table, view, or materialized view name
    a.attname AS column_name,   -- Column name
    CASE 
        WHEN NOT a.attisdropped THEN 
            CASE 
                WHEN a.attnotnull THEN 'NO'
                ELSE 'YES'
            END 
        ELSE NULL 
    END AS is_nullable,  -- NULL or NOT NULL constraint
    a.attndims AS array_dimensions,  -- Array dimensions
    CASE 
        WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) 
        AND EXISTS (
            SELECT FROM pg_attrdef ad
            WHERE ad.adrelid = a.attrelid 
            AND ad.adnum = a.attnum 
            AND pg_get_expr(ad.adbin, ad.adrelid) = 'nextval(''' 
                || pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass || '''::regclass)'
        )
        THEN CASE a.atttypid
            WHEN 'int'::regtype THEN 'serial'
            WHEN 'int8'::regtype THEN 'bigserial'
            WHEN 'int2'::regtype THEN 'smallserial'
        END
        ELSE format_type(a.atttypid, a.atttypmod)
    END AS data_type,  -- Column data type
--    ns.nspname AS type_schema,  -- Schema name
    pg_get_serial_sequence('"public"."events"', a.attname)::regclass AS seq_name,  -- Serial sequence (if any)
    c.column_default,  -- Column default value
    c.data_type AS additional_dt,  -- Data type from information_schema
    c.udt_name AS enum_name,  -- Enum type (if applicable)
    c.is_generated,  -- Is it a generated column?
    c.generation_expression,  -- Generation expression (if generated)
    c.is_identity,  -- Is it an identity column?
    c.identity_generation,  -- Identity generation strategy (ALWAYS or BY DEFAULT)
    c.identity_start,  -- Start value of identity column
    c.identity_increment,  -- Increment for identity column
    c.identity_maximum,  -- Maximum value for identity column
    c.identity_minimum,  -- Minimum value for identity column
    c.identity_cycle,  -- Does the identity column cycle?
    enum_ns.nspname AS type_schema  -- Schema of the enum type
FROM 
    pg_attribute a
JOIN 
    pg_class cls ON cls.oid = a.attrelid  -- Join pg_class to get table/view/materialized view info
JOIN 
    pg_namespace ns ON ns.oid = cls.relnamespace  -- Join namespace to get schema info
LEFT JOIN 
    information_schema.columns c ON c.column_name = a.attname 
        AND c.table_schema = ns.nspname 
        AND c.table_name = cls.relname  -- Match schema and table/view name
LEFT JOIN 
    pg_type enum_t ON enum_t.oid = a.atttypid  -- Join to get the type info
LEFT JOIN 
    pg_namespace enum_ns ON enum_ns.oid = enum_t.typnamespace  -- Join to get the enum schema
WHERE 
    a.attnum > 0  -- Valid column numbers only
    AND NOT a.attisdropped  -- Skip dropped columns
    AND cls.relkind IN ('r', 'v', 'm')  -- Include regular tables ('r'), views ('v'), and materialized views ('m')
    AND ns.nspname = 'public'  -- Filter by schema
    AND cls.relname = 'events'  -- Filter by table name
ORDER BY 
    a.attnum
-- next
SELECT 
    a.attrelid::regclass::text AS table_name,  -- Table, view, or materialized view name
    a.attname AS column_name,   -- Column name
    CASE 
        WHEN NOT a.attisdropped THEN 
            CASE 
                WHEN a.attnotnull THEN 'NO'
                ELSE 'YES'
            END 
        ELSE NULL 
    END AS is_nullable,  -- NULL or NOT NULL constraint
    a.attndims AS array_dimensions,  -- Array dimensions
    CASE 
        WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) 
        AND EXISTS (
            SELECT FROM pg_attrdef ad
            WHERE ad.adrelid = a.attrelid 
            AND ad.adnum = a.attnum 
            AND pg_get_expr(ad.adbin, ad.adrelid) = 'nextval(''' 
                || pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass || '''::regclass)'
        )
        THEN CASE a.atttypid
            WHEN 'int'::regtype THEN 'serial'
            WHEN 'int8'::regtype THEN 'bigserial'
            WHEN 'int2'::regtype THEN 'smallserial'
        END
        ELSE format_type(a.atttypid, a.atttypmod)
    END AS data_type,  -- Column data type
--    ns.nspname AS type_schema,  -- Schema name
    pg_get_serial_sequence('"public"."shop"', a.attname)::regclass AS seq_name,  -- Serial sequence (if any)
    c.column_default,  -- Column default value
    c.data_type AS additional_dt,  -- Data type from information_schema
    c.udt_name AS enum_name,  -- Enum type (if applicable)
    c.is_generated,  -- Is it a generated column?
    c.generation_expression,  -- Generation expression (if generated)
    c.is_identity,  -- Is it an identity column?
    c.identity_generation,  -- Identity generation strategy (ALWAYS or BY DEFAULT)
    c.identity_start,  -- Start value of identity column
    c.identity_increment,  -- Increment for identity column
    c.identity_maximum,  -- Maximum value for identity column
    c.identity_minimum,  -- Minimum value for identity column
    c.identity_cycle,  -- Does the identity column cycle?
    enum_ns.nspname AS type_schema  -- Schema of the enum type
FROM 
    pg_attribute a
JOIN 
    pg_class cls ON cls.oid = a.attrelid  -- Join pg_class to get table/view/materialized view info
JOIN 
    pg_namespace ns ON ns.oid = cls.relnamespace  -- Join namespace to get schema info
LEFT JOIN 
    information_schema.columns c ON c.column_name = a.attname 
        AND c.table_schema = ns.nspname 
        AND c.table_name = cls.relname  -- Match schema and table/view name
LEFT JOIN 
    pg_type enum_t ON enum_t.oid = a.atttypid  -- Join to get the type info
LEFT JOIN 
    pg_namespace enum_ns ON enum_ns.oid = enum_t.typnamespace  -- Join to get the enum schema
WHERE 
    a.attnum > 0  -- Valid column numbers only
    AND NOT a.attisdropped  -- Skip dropped columns
    AND cls.relkind IN ('r', 'v', 'm')  -- Include regular tables ('r'), views ('v'), and materialized views ('m')
    AND ns.nspname = 'public'  -- Filter by schema
    AND cls.relname = 'shop'  -- Filter by table name
ORDER BY 
    a.attnum
-- next
SELECT 
    a.attrelid::regclass::text AS table_name,  -- Table, view, or materialized view name
    a.attname AS column_name,   -- Column name
    CASE 
        WHEN NOT a.attisdropped THEN 
            CASE 
                WHEN a.attnotnull THEN 'NO'
                ELSE 'YES'
            END 
        ELSE NULL 
    END AS is_nullable,  -- NULL or NOT NULL constraint
    a.attndims AS array_dimensions,  -- Array dimensions
    CASE 
        WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) 
        AND EXISTS (
            SELECT FROM pg_attrdef ad
            WHERE ad.adrelid = a.attrelid 
            AND ad.adnum = a.attnum 
            AND pg_get_expr(ad.adbin, ad.adrelid) = 'nextval(''' 
                || pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass || '''::regclass)'
        )
        THEN CASE a.atttypid
            WHEN 'int'::regtype THEN 'serial'
            WHEN 'int8'::regtype THEN 'bigserial'
            WHEN 'int2'::regtype THEN 'smallserial'
        END
        ELSE format_type(a.atttypid, a.atttypmod)
    END AS data_type,  -- Column data type
--    ns.nspname AS type_schema,  -- Schema name
    pg_get_serial_sequence('"public"."customers"', a.attname)::regclass AS seq_name,  -- Serial sequence (if any)
    c.column_default,  -- Column default value
    c.data_type AS additional_dt,  -- Data type from information_schema
    c.udt_name AS enum_name,  -- Enum type (if applicable)
    c.is_generated,  -- Is it a generated column?
    c.generation_expression,  -- Generation expression (if generated)
    c.is_identity,  -- Is it an identity column?
    c.identity_generation,  -- Identity generation strategy (ALWAYS or BY DEFAULT)
    c.identity_start,  -- Start value of identity column
    c.identity_increment,  -- Increment for identity column
    c.identity_maximum,  -- Maximum value for identity column
    c.identity_minimum,  -- Minimum value for identity column
    c.identity_cycle,  -- Does the identity column cycle?
    enum_ns.nspname AS type_schema  -- Schema of the enum type
FROM 
    pg_attribute a
JOIN 
    pg_class cls ON cls.oid = a.attrelid  -- Join pg_class to get table/view/materialized view info
JOIN 
    pg_namespace ns ON ns.oid = cls.relnamespace  -- Join namespace to get schema info
LEFT JOIN 
    information_schema.columns c ON c.column_name = a.attname 
        AND c.table_schema = ns.nspname 
        AND c.table_name = cls.relname  -- Match schema and table/view name
LEFT JOIN 
    pg_type enum_t ON enum_t.oid = a.atttypid  -- Join to get the type info
LEFT JOIN 
    pg_namespace enum_ns ON enum_ns.oid = enum_t.typnamespace  -- Join to get the enum schema
WHERE 
    a.attnum > 0  -- Valid column numbers only
    AND NOT a.attisdropped  -- Skip dropped columns
    AND cls.relkind IN ('r', 'v', 'm')  -- Include regular tables ('r'), views ('v'), and materialized views ('m')
    AND ns.nspname = 'public'  -- Filter by schema
    AND cls.relname = 'customers'  -- Filter by table name
ORDER BY 
    a.attnum
-- next
SELECT 
    a.attrelid::regclass::text AS table_name,  -- Table, view, or materialized view name
    a.attname AS column_name,   -- Column name
    CASE 
        WHEN NOT a.attisdropped THEN 
            CASE 
                WHEN a.attnotnull THEN 'NO'
                ELSE 'YES'
            END 
        ELSE NULL 
    END AS is_nullable,  -- NULL or NOT NULL constraint
    a.attndims AS array_dimensions,  -- Array dimensions
    CASE 
        WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) 
        AND EXISTS (
            SELECT FROM pg_attrdef ad
            WHERE ad.adrelid = a.attrelid 
            AND ad.adnum = a.attnum 
            AND pg_get_expr(ad.adbin, ad.adrelid) = 'nextval(''' 
                || pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass || '''::regclass)'
        )
        THEN CASE a.atttypid
            WHEN 'int'::regtype THEN 'serial'
            WHEN 'int8'::regtype THEN 'bigserial'
            WHEN 'int2'::regtype THEN 'smallserial'
        END
        ELSE format_type(a.atttypid, a.atttypmod)
    END AS data_type,  -- Column data type
--    ns.nspname AS type_schema,  -- Schema name
    pg_get_serial_sequence('"public"."orders"', a.attname)::regclass AS seq_name,  -- Serial sequence (if any)
    c.column_default,  -- Column default value
    c.data_type AS additional_dt,  -- Data type from information_schema
    c.udt_name AS enum_name,  -- Enum type (if applicable)
    c.is_generated,  -- Is it a generated column?
    c.generation_expression,  -- Generation expression (if generated)
    c.is_identity,  -- Is it an identity column?
    c.identity_generation,  -- Identity generation strategy (ALWAYS or BY DEFAULT)
    c.identity_start,  -- Start value of identity column
    c.identity_increment,  -- Increment for identity column
    c.identity_maximum,  -- Maximum value for identity column
    c.identity_minimum,  -- Minimum value for identity column
    c.identity_cycle,  -- Does the identity column cycle?
    enum_ns.nspname AS type_schema  -- Schema of the enum type
FROM 
    pg_attribute a
JOIN 
    pg_class cls ON cls.oid = a.attrelid  -- Join pg_class to get table/view/materialized view info
JOIN 
    pg_namespace ns ON ns.oid = cls.relnamespace  -- Join namespace to get schema info
LEFT JOIN 
    information_schema.columns c ON c.column_name = a.attname 
        AND c.table_schema = ns.nspname 
        AND c.table_name = cls.relname  -- Match schema and table/view name
LEFT JOIN 
    pg_type enum_t ON enum_t.oid = a.atttypid  -- Join to get the type info
LEFT JOIN 
    pg_namespace enum_ns ON enum_ns.oid = enum_t.typnamespace  -- Join to get the enum schema
WHERE 
    a.attnum > 0  -- Valid column numbers only
    AND NOT a.attisdropped  -- Skip dropped columns
    AND cls.relkind IN ('r', 'v', 'm')  -- Include regular tables ('r'), views ('v'), and materialized views ('m')
    AND ns.nspname = 'public'  -- Filter by schema
    AND cls.relname = 'orders'  -- Filter by table name
ORDER BY 
    a.attnum
-- next
SELECT c.column_name, c.data_type, constraint_type, constraint_name, constraint_schema
      FROM information_schema.table_constraints tc
      JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_name)
      JOIN information_schema.columns AS c ON c.table_schema = tc.constraint_schema
        AND tc.table_name = c.table_name AND ccu.column_name = c.column_name
      WHERE tc.table_name = 'products' and constraint_schema = 'public'
-- next
SELECT c.column_name, c.data_type, constraint_type, constraint_name, constraint_schema
      FROM information_schema.table_constraints tc
      JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_name)
      JOIN information_schema.columns AS c ON c.table_schema = tc.constraint_schema
        AND tc.table_name = c.table_name AND ccu.column_name = c.column_name
      WHERE tc.table_name = 'Order Items' and constraint_schema = 'public'
-- next
SELECT c.column_name, c.data_type, constraint_type, constraint_name, constraint_schema
      FROM information_schema.table_constraints tc
      JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_name)
      JOIN information_schema.columns AS c ON c.table_schema = tc.constraint_schema
        AND tc.table_name = c.table_name AND ccu.column_name = c.column_name
      WHERE tc.table_name = 'events' and constraint_schema = 'public'
-- next
SELECT c.column_name, c.data_type, constraint_type, constraint_name, constraint_schema
      FROM information_schema.table_constraints tc
      JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_name)
      JOIN information_schema.columns AS c ON c.table_schema = tc.constraint_schema
        AND tc.table_name = c.table_name AND ccu.column_name = c.column_name
      WHERE tc.table_name = 'shop' and constraint_schema = 'public'
-- next
SELECT c.column_name, c.data_type, constraint_type, constraint_name, constraint_schema
      FROM information_schema.table_constraints tc
      JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_name)
      JOIN information_schema.columns AS c ON c.table_schema = tc.constraint_schema
        AND tc.table_name = c.table_name AND ccu.column_name = c.column_name
      WHERE tc.table_name = 'customers' and constraint_schema = 'public'
-- next
SELECT c.column_name, c.data_type, constraint_type, constraint_name, constraint_schema
      FROM information_schema.table_constraints tc
      JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_name)
      JOIN information_schema.columns AS c ON c.table_schema = tc.constraint_schema
        AND tc.table_name = c.table_name AND ccu.column_name = c.column_name
      WHERE tc.table_name = 'orders' and constraint_schema = 'public'
-- next
SELECT 
						tc.constraint_name,
						tc.constraint_type,
						pg_get_constraintdef(con.oid) AS constraint_definition
					FROM 
						information_schema.table_constraints AS tc
						JOIN pg_constraint AS con 
							ON tc.constraint_name = con.conname
							AND con.conrelid = (
								SELECT oid 
								FROM pg_class 
								WHERE relname = tc.table_name 
								AND relnamespace = (
									SELECT oid 
									FROM pg_namespace 
									WHERE nspname = tc.constraint_schema
								)
							)
					WHERE 
						tc.table_name = 'products'
						AND tc.constraint_schema = 'public'
						AND tc.constraint_type = 'CHECK'
						AND con.contype = 'c'
-- next
SELECT 
						tc.constraint_name,
						tc.constraint_type,
						pg_get_constraintdef(con.oid) AS constraint_definition
					FROM 
						information_schema.table_constraints AS tc
						JOIN pg_constraint AS con 
							ON tc.constraint_name = con.conname
							AND con.conrelid = (
								SELECT oid 
								FROM pg_class 
								WHERE relname = tc.table_name 
								AND relnamespace = (
									SELECT oid 
									FROM pg_namespace 
									WHERE nspname = tc.constraint_schema
								)
							)
					WHERE 
						tc.table_name = 'Order Items'
						AND tc.constraint_schema = 'public'
						AND tc.constraint_type = 'CHECK'
						AND con.contype = 'c'
-- next
SELECT 
						tc.constraint_name,
						tc.constraint_type,
						pg_get_constraintdef(con.oid) AS constraint_definition
					FROM 
						information_schema.table_constraints AS tc
						JOIN pg_constraint AS con 
							ON tc.constraint_name = con.conname
							AND con.conrelid = (
								SELECT oid 
								FROM pg_class 
								WHERE relname = tc.table_name 
								AND relnamespace = (
									SELECT oid 
									FROM pg_namespace 
									WHERE nspname = tc.constraint_schema
								)
							)
					WHERE 
						tc.table_name = 'events'
						AND tc.constraint_schema = 'public'
						AND tc.constraint_type = 'CHECK'
						AND con.contype = 'c'
-- next
SELECT 
						tc.constraint_name,
						tc.constraint_type,
						pg_get_constraintdef(con.oid) AS constraint_definition
					FROM 
						information_schema.table_constraints AS tc
						JOIN pg_constraint AS con 
							ON tc.constraint_name = con.conname
							AND con.conrelid = (
								SELECT oid 
								FROM pg_class 
								WHERE relname = tc.table_name 
								AND relnamespace = (
									SELECT oid 
									FROM pg_namespace 
									WHERE nspname = tc.constraint_schema
								)
							)
					WHERE 
						tc.table_name = 'shop'
						AND tc.constraint_schema = 'public'
						AND tc.constraint_type = 'CHECK'
						AND con.contype = 'c'
-- next
SELECT 
						tc.constraint_name,
						tc.constraint_type,
						pg_get_constraintdef(con.oid) AS constraint_definition
					FROM 
						information_schema.table_constraints AS tc
						JOIN pg_constraint AS con 
							ON tc.constraint_name = con.conname
							AND con.conrelid = (
								SELECT oid 
								FROM pg_class 
								WHERE relname = tc.table_name 
								AND relnamespace = (
									SELECT oid 
									FROM pg_namespace 
									WHERE nspname = tc.constraint_schema
								)
							)
					WHERE 
						tc.table_name = 'customers'
						AND tc.constraint_schema = 'public'
						AND tc.constraint_type = 'CHECK'
						AND con.contype = 'c'
-- next
SELECT 
						tc.constraint_name,
						tc.constraint_type,
						pg_get_constraintdef(con.oid) AS constraint_definition
					FROM 
						information_schema.table_constraints AS tc
						JOIN pg_constraint AS con 
							ON tc.constraint_name = con.conname
							AND con.conrelid = (
								SELECT oid 
								FROM pg_class 
								WHERE relname = tc.table_name 
								AND relnamespace = (
									SELECT oid 
									FROM pg_namespace 
									WHERE nspname = tc.constraint_schema
								)
							)
					WHERE 
						tc.table_name = 'orders'
						AND tc.constraint_schema = 'public'
						AND tc.constraint_type = 'CHECK'
						AND con.contype = 'c'
-- next
SELECT
            con.contype AS constraint_type,
            nsp.nspname AS constraint_schema,
            con.conname AS constraint_name,
            rel.relname AS table_name,
            att.attname AS column_name,
            fnsp.nspname AS foreign_table_schema,
            frel.relname AS foreign_table_name,
            fatt.attname AS foreign_column_name,
            CASE con.confupdtype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS update_rule,
            CASE con.confdeltype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS delete_rule
          FROM
            pg_catalog.pg_constraint con
            JOIN pg_catalog.pg_class rel ON rel.oid = con.conrelid
            JOIN pg_catalog.pg_namespace nsp ON nsp.oid = con.connamespace
            LEFT JOIN pg_catalog.pg_attribute att ON att.attnum = ANY (con.conkey)
              AND att.attrelid = con.conrelid
            LEFT JOIN pg_catalog.pg_class frel ON frel.oid = con.confrelid
            LEFT JOIN pg_catalog.pg_namespace fnsp ON fnsp.oid = frel.relnamespace
            LEFT JOIN pg_catalog.pg_attribute fatt ON fatt.attnum = ANY (con.confkey)
              AND fatt.attrelid = con.confrelid
          WHERE
            nsp.nspname = 'public'
            AND rel.relname = 'products'
            AND con.contype IN ('f')
-- next
SELECT
            con.contype AS constraint_type,
            nsp.nspname AS constraint_schema,
            con.conname AS constraint_name,
            rel.relname AS table_name,
            att.attname AS column_name,
            fnsp.nspname AS foreign_table_schema,
            frel.relname AS foreign_table_name,
            fatt.attname AS foreign_column_name,
            CASE con.confupdtype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS update_rule,
            CASE con.confdeltype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS delete_rule
          FROM
            pg_catalog.pg_constraint con
            JOIN pg_catalog.pg_class rel ON rel.oid = con.conrelid
            JOIN pg_catalog.pg_namespace nsp ON nsp.oid = con.connamespace
            LEFT JOIN pg_catalog.pg_attribute att ON att.attnum = ANY (con.conkey)
              AND att.attrelid = con.conrelid
            LEFT JOIN pg_catalog.pg_class frel ON frel.oid = con.confrelid
            LEFT JOIN pg_catalog.pg_namespace fnsp ON fnsp.oid = frel.relnamespace
            LEFT JOIN pg_catalog.pg_attribute fatt ON fatt.attnum = ANY (con.confkey)
              AND fatt.attrelid = con.confrelid
          WHERE
            nsp.nspname = 'public'
            AND rel.relname = 'Order Items'
            AND con.contype IN ('f')
-- next
SELECT
            con.contype AS constraint_type,
            nsp.nspname AS constraint_schema,
            con.conname AS constraint_name,
            rel.relname AS table_name,
            att.attname AS column_name,
            fnsp.nspname AS foreign_table_schema,
            frel.relname AS foreign_table_name,
            fatt.attname AS foreign_column_name,
            CASE con.confupdtype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS update_rule,
            CASE con.confdeltype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS delete_rule
          FROM
            pg_catalog.pg_constraint con
            JOIN pg_catalog.pg_class rel ON rel.oid = con.conrelid
            JOIN pg_catalog.pg_namespace nsp ON nsp.oid = con.connamespace
            LEFT JOIN pg_catalog.pg_attribute att ON att.attnum = ANY (con.conkey)
              AND att.attrelid = con.conrelid
            LEFT JOIN pg_catalog.pg_class frel ON frel.oid = con.confrelid
            LEFT JOIN pg_catalog.pg_namespace fnsp ON fnsp.oid = frel.relnamespace
            LEFT JOIN pg_catalog.pg_attribute fatt ON fatt.attnum = ANY (con.confkey)
              AND fatt.attrelid = con.confrelid
          WHERE
            nsp.nspname = 'public'
            AND rel.relname = 'events'
            AND con.contype IN ('f')
-- next
SELECT
            con.contype AS constraint_type,
            nsp.nspname AS constraint_schema,
            con.conname AS constraint_name,
            rel.relname AS table_name,
            att.attname AS column_name,
            fnsp.nspname AS foreign_table_schema,
            frel.relname AS foreign_table_name,
            fatt.attname AS foreign_column_name,
            CASE con.confupdtype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS update_rule,
            CASE con.confdeltype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS delete_rule
          FROM
            pg_catalog.pg_constraint con
            JOIN pg_catalog.pg_class rel ON rel.oid = con.conrelid
            JOIN pg_catalog.pg_namespace nsp ON nsp.oid = con.connamespace
            LEFT JOIN pg_catalog.pg_attribute att ON att.attnum = ANY (con.conkey)
              AND att.attrelid = con.conrelid
            LEFT JOIN pg_catalog.pg_class frel ON frel.oid = con.confrelid
            LEFT JOIN pg_catalog.pg_namespace fnsp ON fnsp.oid = frel.relnamespace
            LEFT JOIN pg_catalog.pg_attribute fatt ON fatt.attnum = ANY (con.confkey)
              AND fatt.attrelid = con.confrelid
          WHERE
            nsp.nspname = 'public'
            AND rel.relname = 'shop'
            AND con.contype IN ('f')
-- next
SELECT
            con.contype AS constraint_type,
            nsp.nspname AS constraint_schema,
            con.conname AS constraint_name,
            rel.relname AS table_name,
            att.attname AS column_name,
            fnsp.nspname AS foreign_table_schema,
            frel.relname AS foreign_table_name,
            fatt.attname AS foreign_column_name,
            CASE con.confupdtype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS update_rule,
            CASE con.confdeltype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS delete_rule
          FROM
            pg_catalog.pg_constraint con
            JOIN pg_catalog.pg_class rel ON rel.oid = con.conrelid
            JOIN pg_catalog.pg_namespace nsp ON nsp.oid = con.connamespace
            LEFT JOIN pg_catalog.pg_attribute att ON att.attnum = ANY (con.conkey)
              AND att.attrelid = con.conrelid
            LEFT JOIN pg_catalog.pg_class frel ON frel.oid = con.confrelid
            LEFT JOIN pg_catalog.pg_namespace fnsp ON fnsp.oid = frel.relnamespace
            LEFT JOIN pg_catalog.pg_attribute fatt ON fatt.attnum = ANY (con.confkey)
              AND fatt.attrelid = con.confrelid
          WHERE
            nsp.nspname = 'public'
            AND rel.relname = 'customers'
            AND con.contype IN ('f')
-- next
SELECT
            con.contype AS constraint_type,
            nsp.nspname AS constraint_schema,
            con.conname AS constraint_name,
            rel.relname AS table_name,
            att.attname AS column_name,
            fnsp.nspname AS foreign_table_schema,
            frel.relname AS foreign_table_name,
            fatt.attname AS foreign_column_name,
            CASE con.confupdtype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS update_rule,
            CASE con.confdeltype
              WHEN 'a' THEN 'NO ACTION'
              WHEN 'r' THEN 'RESTRICT'
              WHEN 'n' THEN 'SET NULL'
              WHEN 'c' THEN 'CASCADE'
              WHEN 'd' THEN 'SET DEFAULT'
            END AS delete_rule
          FROM
            pg_catalog.pg_constraint con
            JOIN pg_catalog.pg_class rel ON rel.oid = con.conrelid
            JOIN pg_catalog.pg_namespace nsp ON nsp.oid = con.connamespace
            LEFT JOIN pg_catalog.pg_attribute att ON att.attnum = ANY (con.conkey)
              AND att.attrelid = con.conrelid
            LEFT JOIN pg_catalog.pg_class frel ON frel.oid = con.confrelid
            LEFT JOIN pg_catalog.pg_namespace fnsp ON fnsp.oid = frel.relnamespace
            LEFT JOIN pg_catalog.pg_attribute fatt ON fatt.attnum = ANY (con.confkey)
              AND fatt.attrelid = con.confrelid
          WHERE
            nsp.nspname = 'public'
            AND rel.relname = 'orders'
            AND con.contype IN ('f')
-- next
SELECT  DISTINCT ON (t.relname, ic.relname, k.i) t.relname as table_name, ic.relname AS indexname,
        k.i AS index_order,
        i.indisunique as is_unique,
        am.amname as method,
        ic.reloptions as with,
        coalesce(a.attname, pg_get_indexdef(i.indexrelid, k.i, false)) AS column_name,
          CASE
        WHEN pg_get_expr(i.indexprs, i.indrelid) IS NOT NULL THEN 1
        ELSE 0
    END AS is_expression,
        i.indoption[k.i-1] & 1 = 1 AS descending,
        i.indoption[k.i-1] & 2 = 2 AS nulls_first,
        pg_get_expr(
                              i.indpred,
                              i.indrelid
                          ) as where,
         opc.opcname
      FROM pg_class t
          LEFT JOIN pg_index i ON t.oid = i.indrelid
          LEFT JOIN pg_class ic ON ic.oid = i.indexrelid
		  CROSS JOIN LATERAL (SELECT unnest(i.indkey), generate_subscripts(i.indkey, 1) + 1) AS k(attnum, i)
          LEFT JOIN pg_attribute AS a
            ON i.indrelid = a.attrelid AND k.attnum = a.attnum
          JOIN pg_namespace c on c.oid = t.relnamespace
        LEFT JOIN pg_am AS am ON ic.relam = am.oid
        JOIN pg_opclass opc ON opc.oid = ANY(i.indclass)
      WHERE
      c.nspname = 'public' AND
      t.relname = 'products'
-- next
SELECT  DISTINCT ON (t.relname, ic.relname, k.i) t.relname as table_name, ic.relname AS indexname,
        k.i AS index_order,
        i.indisunique as is_unique,
        am.amname as method,
        ic.reloptions as with,
        coalesce(a.attname, pg_get_indexdef(i.indexrelid, k.i, false)) AS column_name,
          CASE
        WHEN pg_get_expr(i.indexprs, i.indrelid) IS NOT NULL THEN 1
        ELSE 0
    END AS is_expression,
        i.indoption[k.i-1] & 1 = 1 AS descending,
        i.indoption[k.i-1] & 2 = 2 AS nulls_first,
        pg_get_expr(
                              i.indpred,
                              i.indrelid
                          ) as where,
         opc.opcname
      FROM pg_class t
          LEFT JOIN pg_index i ON t.oid = i.indrelid
          LEFT JOIN pg_class ic ON ic.oid = i.indexrelid
		  CROSS JOIN LATERAL (SELECT unnest(i.indkey), generate_subscripts(i.indkey, 1) + 1) AS k(attnum, i)
          LEFT JOIN pg_attribute AS a
            ON i.indrelid = a.attrelid AND k.attnum = a.attnum
          JOIN pg_namespace c on c.oid = t.relnamespace
        LEFT JOIN pg_am AS am ON ic.relam = am.oid
        JOIN pg_opclass opc ON opc.oid = ANY(i.indclass)
      WHERE
      c.nspname = 'public' AND
      t.relname = 'Order Items'
-- next
SELECT  DISTINCT ON (t.relname, ic.relname, k.i) t.relname as table_name, ic.relname AS indexname,
        k.i AS index_order,
        i.indisunique as is_unique,
        am.amname as method,
        ic.reloptions as with,
        coalesce(a.attname, pg_get_indexdef(i.indexrelid, k.i, false)) AS column_name,
          CASE
        WHEN pg_get_expr(i.indexprs, i.indrelid) IS NOT NULL THEN 1
        ELSE 0
    END AS is_expression,
        i.indoption[k.i-1] & 1 = 1 AS descending,
        i.indoption[k.i-1] & 2 = 2 AS nulls_first,
        pg_get_expr(
                              i.indpred,
                              i.indrelid
                          ) as where,
         opc.opcname
      FROM pg_class t
          LEFT JOIN pg_index i ON t.oid = i.indrelid
          LEFT JOIN pg_class ic ON ic.oid = i.indexrelid
		  CROSS JOIN LATERAL (SELECT unnest(i.indkey), generate_subscripts(i.indkey, 1) + 1) AS k(attnum, i)
          LEFT JOIN pg_attribute AS a
            ON i.indrelid = a.attrelid AND k.attnum = a.attnum
          JOIN pg_namespace c on c.oid = t.relnamespace
        LEFT JOIN pg_am AS am ON ic.relam = am.oid
        JOIN pg_opclass opc ON opc.oid = ANY(i.indclass)
      WHERE
      c.nspname = 'public' AND
      t.relname = 'events'
-- next
SELECT  DISTINCT ON (t.relname, ic.relname, k.i) t.relname as table_name, ic.relname AS indexname,
        k.i AS index_order,
        i.indisunique as is_unique,
        am.amname as method,
        ic.reloptions as with,
        coalesce(a.attname, pg_get_indexdef(i.indexrelid, k.i, false)) AS column_name,
          CASE
        WHEN pg_get_expr(i.indexprs, i.indrelid) IS NOT NULL THEN 1
        ELSE 0
    END AS is_expression,
        i.indoption[k.i-1] & 1 = 1 AS descending,
        i.indoption[k.i-1] & 2 = 2 AS nulls_first,
        pg_get_expr(
                              i.indpred,
                              i.indrelid
                          ) as where,
         opc.opcname
      FROM pg_class t
          LEFT JOIN pg_index i ON t.oid = i.indrelid
          LEFT JOIN pg_class ic ON ic.oid = i.indexrelid
		  CROSS JOIN LATERAL (SELECT unnest(i.indkey), generate_subscripts(i.indkey, 1) + 1) AS k(attnum, i)
          LEFT JOIN pg_attribute AS a
            ON i.indrelid = a.attrelid AND k.attnum = a.attnum
          JOIN pg_namespace c on c.oid = t.relnamespace
        LEFT JOIN pg_am AS am ON ic.relam = am.oid
        JOIN pg_opclass opc ON opc.oid = ANY(i.indclass)
      WHERE
      c.nspname = 'public' AND
      t.relname = 'shop'
-- next
SELECT  DISTINCT ON (t.relname, ic.relname, k.i) t.relname as table_name, ic.relname AS indexname,
        k.i AS index_order,
        i.indisunique as is_unique,
        am.amname as method,
        ic.reloptions as with,
        coalesce(a.attname, pg_get_indexdef(i.indexrelid, k.i, false)) AS column_name,
          CASE
        WHEN pg_get_expr(i.indexprs, i.indrelid) IS NOT NULL THEN 1
        ELSE 0
    END AS is_expression,
        i.indoption[k.i-1] & 1 = 1 AS descending,
        i.indoption[k.i-1] & 2 = 2 AS nulls_first,
        pg_get_expr(
                              i.indpred,
                              i.indrelid
                          ) as where,
         opc.opcname
      FROM pg_class t
          LEFT JOIN pg_index i ON t.oid = i.indrelid
          LEFT JOIN pg_class ic ON ic.oid = i.indexrelid
		  CROSS JOIN LATERAL (SELECT unnest(i.indkey), generate_subscripts(i.indkey, 1) + 1) AS k(attnum, i)
          LEFT JOIN pg_attribute AS a
            ON i.indrelid = a.attrelid AND k.attnum = a.attnum
          JOIN pg_namespace c on c.oid = t.relnamespace
        LEFT JOIN pg_am AS am ON ic.relam = am.oid
        JOIN pg_opclass opc ON opc.oid = ANY(i.indclass)
      WHERE
      c.nspname = 'public' AND
      t.relname = 'customers'
-- next
SELECT  DISTINCT ON (t.relname, ic.relname, k.i) t.relname as table_name, ic.relname AS indexname,
        k.i AS index_order,
        i.indisunique as is_unique,
        am.amname as method,
        ic.reloptions as with,
        coalesce(a.attname, pg_get_indexdef(i.indexrelid, k.i, false)) AS column_name,
          CASE
        WHEN pg_get_expr(i.indexprs, i.indrelid) IS NOT NULL THEN 1
        ELSE 0
    END AS is_expression,
        i.indoption[k.i-1] & 1 = 1 AS descending,
        i.indoption[k.i-1] & 2 = 2 AS nulls_first,
        pg_get_expr(
                              i.indpred,
                              i.indrelid
                          ) as where,
         opc.opcname
      FROM pg_class t
          LEFT JOIN pg_index i ON t.oid = i.indrelid
          LEFT JOIN pg_class ic ON ic.oid = i.indexrelid
		  CROSS JOIN LATERAL (SELECT unnest(i.indkey), generate_subscripts(i.indkey, 1) + 1) AS k(attnum, i)
          LEFT JOIN pg_attribute AS a
            ON i.indrelid = a.attrelid AND k.attnum = a.attnum
          JOIN pg_namespace c on c.oid = t.relnamespace
        LEFT JOIN pg_am AS am ON ic.relam = am.oid
        JOIN pg_opclass opc ON opc.oid = ANY(i.indclass)
      WHERE
      c.nspname = 'public' AND
      t.relname = 'orders'
-- next
SELECT
          idx.indexrelname AS index_name,
          idx.relname AS table_name,
          schemaname,
          CASE WHEN con.conname IS NOT NULL THEN 1 ELSE 0 END AS generated_by_constraint
        FROM
          pg_stat_user_indexes idx
        LEFT JOIN
          pg_constraint con ON con.conindid = idx.indexrelid
        WHERE idx.relname = 'products' and schemaname = 'public'
        group by index_name, table_name,schemaname, generated_by_constraint
-- next
SELECT
          idx.indexrelname AS index_name,
          idx.relname AS table_name,
          schemaname,
          CASE WHEN con.conname IS NOT NULL THEN 1 ELSE 0 END AS generated_by_constraint
        FROM
          pg_stat_user_indexes idx
        LEFT JOIN
          pg_constraint con ON con.conindid = idx.indexrelid
        WHERE idx.relname = 'Order Items' and schemaname = 'public'
        group by index_name, table_name,schemaname, generated_by_constraint
-- next
SELECT
          idx.indexrelname AS index_name,
          idx.relname AS table_name,
          schemaname,
          CASE WHEN con.conname IS NOT NULL THEN 1 ELSE 0 END AS generated_by_constraint
        FROM
          pg_stat_user_indexes idx
        LEFT JOIN
          pg_constraint con ON con.conindid = idx.indexrelid
        WHERE idx.relname = 'events' and schemaname = 'public'
        group by index_name, table_name,schemaname, generated_by_constraint
-- next
SELECT
          idx.indexrelname AS index_name,
          idx.relname AS table_name,
          schemaname,
          CASE WHEN con.conname IS NOT NULL THEN 1 ELSE 0 END AS generated_by_constraint
        FROM
          pg_stat_user_indexes idx
        LEFT JOIN
          pg_constraint con ON con.conindid = idx.indexrelid
        WHERE idx.relname = 'shop' and schemaname = 'public'
        group by index_name, table_name,schemaname, generated_by_constraint
-- next
SELECT
          idx.indexrelname AS index_name,
          idx.relname AS table_name,
          schemaname,
          CASE WHEN con.conname IS NOT NULL THEN 1 ELSE 0 END AS generated_by_constraint
        FROM
          pg_stat_user_indexes idx
        LEFT JOIN
          pg_constraint con ON con.conindid = idx.indexrelid
        WHERE idx.relname = 'customers' and schemaname = 'public'
        group by index_name, table_name,schemaname, generated_by_constraint
-- next
SELECT
          idx.indexrelname AS index_name,
          idx.relname AS table_name,
          schemaname,
          CASE WHEN con.conname IS NOT NULL THEN 1 ELSE 0 END AS generated_by_constraint
        FROM
          pg_stat_user_indexes idx
        LEFT JOIN
          pg_constraint con ON con.conindid = idx.indexrelid
        WHERE idx.relname = 'orders' and schemaname = 'public'
        group by index_name, table_name,schemaname, generated_by_constraint
