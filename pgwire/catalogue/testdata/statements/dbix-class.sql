SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                     , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                     , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                       -- any temp table or temp view is LOCAL TEMPORARY for us
                     , CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' THEN
                                 'LOCAL TEMPORARY'
                            WHEN c.relkind ~ 'r|p' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM TABLE'
                                      ELSE 'TABLE'
                                  END
                            WHEN c.relkind = 'v' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM VIEW'
                                      ELSE 'VIEW'
                                  END
                            WHEN c.relkind = 'm' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM MATERIALIZED VIEW'
                                      ELSE 'MATERIALIZED VIEW'
                                  END
                            WHEN c.relkind = 'f' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM FOREIGN TABLE'
                                      ELSE 'FOREIGN TABLE'
                                  END
                            ELSE 'UNKNOWN'
                         END AS "TABLE_TYPE"
                     , d.description AS "REMARKS"
                     , pg_catalog.quote_ident(t.spcname) AS "pg_tablespace_name"
                     , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid)) AS "pg_tablespace_location" ,n.nspname AS pg_schema, c.relname AS pg_table
                  FROM pg_catalog.pg_class AS c
                  LEFT JOIN pg_catalog.pg_description AS d
                       ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0)
                  LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                  LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
					 AND NOT (pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' AND NOT pg_catalog.has_schema_privilege(n.nspname, 'USAGE'))
					 AND n.nspname = 'public'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                     , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                     , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                       -- any temp table or temp view is LOCAL TEMPORARY for us
                     , CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' THEN
                                 'LOCAL TEMPORARY'
                            WHEN c.relkind ~ 'r|p' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM TABLE'
                                      ELSE 'TABLE'
                                  END
                            WHEN c.relkind = 'v' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM VIEW'
                                      ELSE 'VIEW'
                                  END
                            WHEN c.relkind = 'm' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM MATERIALIZED VIEW'
                                      ELSE 'MATERIALIZED VIEW'
                                  END
                            WHEN c.relkind = 'f' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM FOREIGN TABLE'
                                      ELSE 'FOREIGN TABLE'
                                  END
                            ELSE 'UNKNOWN'
                         END AS "TABLE_TYPE"
                     , d.description AS "REMARKS"
                     , pg_catalog.quote_ident(t.spcname) AS "pg_tablespace_name"
                     , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid)) AS "pg_tablespace_location" ,n.nspname AS pg_schema, c.relname AS pg_table
                  FROM pg_catalog.pg_class AS c
                  LEFT JOIN pg_catalog.pg_description AS d
                       ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0)
                  LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                  LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
					 AND NOT (pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' AND NOT pg_catalog.has_schema_privilege(n.nspname, 'USAGE'))
					 AND n.nspname = 'public'
					 AND c.relname = 'Order Items'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'Order Items'
				AND a.attname LIKE '%'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class Order Items} AND conkey = '{1}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class Order Items} AND conkey = '{2}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class Order Items} AND conkey = '{3}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class Order Items} AND conkey = '{4}'
-- next
select constr.conname, to_ns.nspname, to_class.relname, from_col.attname, to_col.attname,
             constr.confdeltype, constr.confupdtype, constr.condeferrable
      from pg_catalog.pg_constraint constr
      join pg_catalog.pg_namespace from_ns on constr.connamespace = from_ns.oid
      join pg_catalog.pg_class from_class on constr.conrelid = from_class.oid and from_class.relnamespace = from_ns.oid
      join pg_catalog.pg_class to_class on constr.confrelid = to_class.oid
      join pg_catalog.pg_namespace to_ns on to_class.relnamespace = to_ns.oid
      -- can't do unnest() until 8.4, so join against a series table instead
      join pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
           on colnum.i <= pg_catalog.array_upper(constr.conkey,1)
      join pg_catalog.pg_attribute to_col
           on to_col.attrelid = constr.confrelid
           and to_col.attnum = constr.confkey[colnum.i]
      join pg_catalog.pg_attribute from_col
           on from_col.attrelid = constr.conrelid
           and from_col.attnum = constr.conkey[colnum.i]
      where from_ns.nspname = 'public'
        and from_class.relname = 'Order Items'
        and from_class.relkind = 'r'
        and constr.contype = 'f'
      order by constr.conname, colnum.i
-- next
SELECT
                  c.oid
                , pg_catalog.quote_ident(n.nspname)
                , pg_catalog.quote_ident(c.relname)
                , pg_catalog.quote_ident(c2.relname)
                , i.indkey
                , pg_catalog.quote_ident(t.spcname)
                , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid))
                , n.nspname, c.relname, c2.relname
                , pg_catalog.quote_ident(pg_catalog.current_database())
            FROM
                pg_catalog.pg_class c
                JOIN pg_catalog.pg_index i ON (i.indrelid = c.oid)
                JOIN pg_catalog.pg_class c2 ON (c2.oid = i.indexrelid)
                LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
            WHERE
                i.indisprimary IS TRUE
            AND c.relname = 'Order Items'
			AND n.nspname = 'public'
-- next
SELECT a.attnum, pg_catalog.quote_ident(a.attname) AS colname,
                pg_catalog.quote_ident(t.typname) AS typename
            FROM pg_catalog.pg_attribute a, pg_catalog.pg_type t
            WHERE a.attrelid = '{class Order Items}'
            AND a.atttypid = t.oid
            AND attnum IN (1,2)
-- next
SELECT
                pg_catalog.current_database() AS "TABLE_CAT",
                n.nspname                     AS "TABLE_SCHEM",
                d.relname                     AS "TABLE_NAME",
                NOT(i.indisunique)            AS "NON_UNIQUE",
                NULL                          AS "INDEX_QUALIFIER",
                c.relname                     AS "INDEX_NAME",
                CASE WHEN i.indisclustered THEN 'clustered'
                     WHEN a.amname = 'btree' THEN 'btree'
                     WHEN a.amname = 'hash' THEN 'hashed'
                     ELSE 'other'
                END                           AS "TYPE",
                col.i                         AS "ORDINAL_POSITION",
                att.attname                   AS "COLUMN_NAME",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'asc') THEN 'A'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'desc') THEN 'D'
                END                  AS "ASC_OR_DESC",
                c.reltuples                   AS "CARDINALITY",
                c.relpages                    AS "PAGES",
                pg_catalog.pg_get_expr(i.indpred,i.indrelid)
                                              AS "FILTER_CONDITION",
                pg_catalog.pg_get_indexdef(i.indexrelid, col.i, true)
                                              AS "pg_expression",
                col.i <= i.indnkeyatts                AS "pg_is_key_column",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_first') THEN 'first'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_last') THEN 'last'
                END                AS "pg_null_ordering"
            FROM
                pg_catalog.pg_index i
                JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
                JOIN pg_catalog.pg_class d ON d.oid = i.indrelid
                JOIN pg_catalog.pg_am a ON a.oid = c.relam
                JOIN pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) col(i)
                     ON col.i <= i.indnatts
                LEFT JOIN pg_catalog.pg_attribute att
                     ON att.attrelid = d.oid AND att.attnum = i.indkey[col.i - 1]
            WHERE
                d.relname = 'Order Items' AND n.nspname = 'public'
                AND (i.indisunique OR NOT('1')) -- unique_only
            ORDER BY
                "NON_UNIQUE", "TYPE", "INDEX_QUALIFIER", "INDEX_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'Order Items'
				AND a.attname = 'order id'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '1')
FROM pg_catalog.pg_class
WHERE relname='Order Items' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'Order Items'
				AND a.attname = 'line'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '2')
FROM pg_catalog.pg_class
WHERE relname='Order Items' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'Order Items'
				AND a.attname = 'select'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '3')
FROM pg_catalog.pg_class
WHERE relname='Order Items' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'Order Items'
				AND a.attname = 'größe'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '4')
FROM pg_catalog.pg_class
WHERE relname='Order Items' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                     , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                     , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                       -- any temp table or temp view is LOCAL TEMPORARY for us
                     , CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' THEN
                                 'LOCAL TEMPORARY'
                            WHEN c.relkind ~ 'r|p' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM TABLE'
                                      ELSE 'TABLE'
                                  END
                            WHEN c.relkind = 'v' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM VIEW'
                                      ELSE 'VIEW'
                                  END
                            WHEN c.relkind = 'm' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM MATERIALIZED VIEW'
                                      ELSE 'MATERIALIZED VIEW'
                                  END
                            WHEN c.relkind = 'f' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM FOREIGN TABLE'
                                      ELSE 'FOREIGN TABLE'
                                  END
                            ELSE 'UNKNOWN'
                         END AS "TABLE_TYPE"
                     , d.description AS "REMARKS"
                     , pg_catalog.quote_ident(t.spcname) AS "pg_tablespace_name"
                     , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid)) AS "pg_tablespace_location" ,n.nspname AS pg_schema, c.relname AS pg_table
                  FROM pg_catalog.pg_class AS c
                  LEFT JOIN pg_catalog.pg_description AS d
                       ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0)
                  LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                  LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
					 AND NOT (pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' AND NOT pg_catalog.has_schema_privilege(n.nspname, 'USAGE'))
					 AND n.nspname = 'public'
					 AND c.relname = 'customers'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'customers'
				AND a.attname LIKE '%'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class customers} AND conkey = '{1}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class customers} AND conkey = '{2}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class customers} AND conkey = '{3}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class customers} AND conkey = '{4}'
-- next
select constr.conname, to_ns.nspname, to_class.relname, from_col.attname, to_col.attname,
             constr.confdeltype, constr.confupdtype, constr.condeferrable
      from pg_catalog.pg_constraint constr
      join pg_catalog.pg_namespace from_ns on constr.connamespace = from_ns.oid
      join pg_catalog.pg_class from_class on constr.conrelid = from_class.oid and from_class.relnamespace = from_ns.oid
      join pg_catalog.pg_class to_class on constr.confrelid = to_class.oid
      join pg_catalog.pg_namespace to_ns on to_class.relnamespace = to_ns.oid
      -- can't do unnest() until 8.4, so join against a series table instead
      join pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
           on colnum.i <= pg_catalog.array_upper(constr.conkey,1)
      join pg_catalog.pg_attribute to_col
           on to_col.attrelid = constr.confrelid
           and to_col.attnum = constr.confkey[colnum.i]
      join pg_catalog.pg_attribute from_col
           on from_col.attrelid = constr.conrelid
           and from_col.attnum = constr.conkey[colnum.i]
      where from_ns.nspname = 'public'
        and from_class.relname = 'customers'
        and from_class.relkind = 'r'
        and constr.contype = 'f'
      order by constr.conname, colnum.i
-- next
SELECT
                  c.oid
                , pg_catalog.quote_ident(n.nspname)
                , pg_catalog.quote_ident(c.relname)
                , pg_catalog.quote_ident(c2.relname)
                , i.indkey
                , pg_catalog.quote_ident(t.spcname)
                , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid))
                , n.nspname, c.relname, c2.relname
                , pg_catalog.quote_ident(pg_catalog.current_database())
            FROM
                pg_catalog.pg_class c
                JOIN pg_catalog.pg_index i ON (i.indrelid = c.oid)
                JOIN pg_catalog.pg_class c2 ON (c2.oid = i.indexrelid)
                LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
            WHERE
                i.indisprimary IS TRUE
            AND c.relname = 'customers'
			AND n.nspname = 'public'
-- next
SELECT a.attnum, pg_catalog.quote_ident(a.attname) AS colname,
                pg_catalog.quote_ident(t.typname) AS typename
            FROM pg_catalog.pg_attribute a, pg_catalog.pg_type t
            WHERE a.attrelid = '{class customers}'
            AND a.atttypid = t.oid
            AND attnum IN (1)
-- next
SELECT
                pg_catalog.current_database() AS "TABLE_CAT",
                n.nspname                     AS "TABLE_SCHEM",
                d.relname                     AS "TABLE_NAME",
                NOT(i.indisunique)            AS "NON_UNIQUE",
                NULL                          AS "INDEX_QUALIFIER",
                c.relname                     AS "INDEX_NAME",
                CASE WHEN i.indisclustered THEN 'clustered'
                     WHEN a.amname = 'btree' THEN 'btree'
                     WHEN a.amname = 'hash' THEN 'hashed'
                     ELSE 'other'
                END                           AS "TYPE",
                col.i                         AS "ORDINAL_POSITION",
                att.attname                   AS "COLUMN_NAME",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'asc') THEN 'A'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'desc') THEN 'D'
                END                  AS "ASC_OR_DESC",
                c.reltuples                   AS "CARDINALITY",
                c.relpages                    AS "PAGES",
                pg_catalog.pg_get_expr(i.indpred,i.indrelid)
                                              AS "FILTER_CONDITION",
                pg_catalog.pg_get_indexdef(i.indexrelid, col.i, true)
                                              AS "pg_expression",
                col.i <= i.indnkeyatts                AS "pg_is_key_column",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_first') THEN 'first'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_last') THEN 'last'
                END                AS "pg_null_ordering"
            FROM
                pg_catalog.pg_index i
                JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
                JOIN pg_catalog.pg_class d ON d.oid = i.indrelid
                JOIN pg_catalog.pg_am a ON a.oid = c.relam
                JOIN pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) col(i)
                     ON col.i <= i.indnatts
                LEFT JOIN pg_catalog.pg_attribute att
                     ON att.attrelid = d.oid AND att.attnum = i.indkey[col.i - 1]
            WHERE
                d.relname = 'customers' AND n.nspname = 'public'
                AND (i.indisunique OR NOT('1')) -- unique_only
            ORDER BY
                "NON_UNIQUE", "TYPE", "INDEX_QUALIFIER", "INDEX_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'customers'
				AND a.attname LIKE 'customer_id'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '1')
FROM pg_catalog.pg_class
WHERE relname='customers' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'customers'
				AND a.attname = 'region'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'customers'
				AND a.attname = 'email'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '3')
FROM pg_catalog.pg_class
WHERE relname='customers' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'customers'
				AND a.attname = 'active'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '4')
FROM pg_catalog.pg_class
WHERE relname='customers' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                     , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                     , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                       -- any temp table or temp view is LOCAL TEMPORARY for us
                     , CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' THEN
                                 'LOCAL TEMPORARY'
                            WHEN c.relkind ~ 'r|p' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM TABLE'
                                      ELSE 'TABLE'
                                  END
                            WHEN c.relkind = 'v' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM VIEW'
                                      ELSE 'VIEW'
                                  END
                            WHEN c.relkind = 'm' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM MATERIALIZED VIEW'
                                      ELSE 'MATERIALIZED VIEW'
                                  END
                            WHEN c.relkind = 'f' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM FOREIGN TABLE'
                                      ELSE 'FOREIGN TABLE'
                                  END
                            ELSE 'UNKNOWN'
                         END AS "TABLE_TYPE"
                     , d.description AS "REMARKS"
                     , pg_catalog.quote_ident(t.spcname) AS "pg_tablespace_name"
                     , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid)) AS "pg_tablespace_location" ,n.nspname AS pg_schema, c.relname AS pg_table
                  FROM pg_catalog.pg_class AS c
                  LEFT JOIN pg_catalog.pg_description AS d
                       ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0)
                  LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                  LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
					 AND NOT (pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' AND NOT pg_catalog.has_schema_privilege(n.nspname, 'USAGE'))
					 AND n.nspname = 'public'
					 AND c.relname = 'events'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'events'
				AND a.attname LIKE '%'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class events} AND conkey = '{1}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class events} AND conkey = '{2}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class events} AND conkey = '{3}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class events} AND conkey = '{4}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class events} AND conkey = '{5}'
-- next
SELECT datetime_precision
FROM information_schema.columns
WHERE table_name = 'events' and column_name = 'at'
-- next
SELECT datetime_precision
FROM information_schema.columns
WHERE table_name = 'events' and column_name = 'hour'
-- next
SELECT datetime_precision
FROM information_schema.columns
WHERE table_name = 'events' and column_name = 'seen'
-- next
select constr.conname, to_ns.nspname, to_class.relname, from_col.attname, to_col.attname,
             constr.confdeltype, constr.confupdtype, constr.condeferrable
      from pg_catalog.pg_constraint constr
      join pg_catalog.pg_namespace from_ns on constr.connamespace = from_ns.oid
      join pg_catalog.pg_class from_class on constr.conrelid = from_class.oid and from_class.relnamespace = from_ns.oid
      join pg_catalog.pg_class to_class on constr.confrelid = to_class.oid
      join pg_catalog.pg_namespace to_ns on to_class.relnamespace = to_ns.oid
      -- can't do unnest() until 8.4, so join against a series table instead
      join pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
           on colnum.i <= pg_catalog.array_upper(constr.conkey,1)
      join pg_catalog.pg_attribute to_col
           on to_col.attrelid = constr.confrelid
           and to_col.attnum = constr.confkey[colnum.i]
      join pg_catalog.pg_attribute from_col
           on from_col.attrelid = constr.conrelid
           and from_col.attnum = constr.conkey[colnum.i]
      where from_ns.nspname = 'public'
        and from_class.relname = 'events'
        and from_class.relkind = 'r'
        and constr.contype = 'f'
      order by constr.conname, colnum.i
-- next
SELECT
                  c.oid
                , pg_catalog.quote_ident(n.nspname)
                , pg_catalog.quote_ident(c.relname)
                , pg_catalog.quote_ident(c2.relname)
                , i.indkey
                , pg_catalog.quote_ident(t.spcname)
                , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid))
                , n.nspname, c.relname, c2.relname
                , pg_catalog.quote_ident(pg_catalog.current_database())
            FROM
                pg_catalog.pg_class c
                JOIN pg_catalog.pg_index i ON (i.indrelid = c.oid)
                JOIN pg_catalog.pg_class c2 ON (c2.oid = i.indexrelid)
                LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
            WHERE
                i.indisprimary IS TRUE
            AND c.relname = 'events'
			AND n.nspname = 'public'
-- next
SELECT
                pg_catalog.current_database() AS "TABLE_CAT",
                n.nspname                     AS "TABLE_SCHEM",
                d.relname                     AS "TABLE_NAME",
                NOT(i.indisunique)            AS "NON_UNIQUE",
                NULL                          AS "INDEX_QUALIFIER",
                c.relname                     AS "INDEX_NAME",
                CASE WHEN i.indisclustered THEN 'clustered'
                     WHEN a.amname = 'btree' THEN 'btree'
                     WHEN a.amname = 'hash' THEN 'hashed'
                     ELSE 'other'
                END                           AS "TYPE",
                col.i                         AS "ORDINAL_POSITION",
                att.attname                   AS "COLUMN_NAME",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'asc') THEN 'A'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'desc') THEN 'D'
                END                  AS "ASC_OR_DESC",
                c.reltuples                   AS "CARDINALITY",
                c.relpages                    AS "PAGES",
                pg_catalog.pg_get_expr(i.indpred,i.indrelid)
                                              AS "FILTER_CONDITION",
                pg_catalog.pg_get_indexdef(i.indexrelid, col.i, true)
                                              AS "pg_expression",
                col.i <= i.indnkeyatts                AS "pg_is_key_column",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_first') THEN 'first'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_last') THEN 'last'
                END                AS "pg_null_ordering"
            FROM
                pg_catalog.pg_index i
                JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
                JOIN pg_catalog.pg_class d ON d.oid = i.indrelid
                JOIN pg_catalog.pg_am a ON a.oid = c.relam
                JOIN pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) col(i)
                     ON col.i <= i.indnatts
                LEFT JOIN pg_catalog.pg_attribute att
                     ON att.attrelid = d.oid AND att.attnum = i.indkey[col.i - 1]
            WHERE
                d.relname = 'events' AND n.nspname = 'public'
                AND (i.indisunique OR NOT('1')) -- unique_only
            ORDER BY
                "NON_UNIQUE", "TYPE", "INDEX_QUALIFIER", "INDEX_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'events'
				AND a.attname = 'at'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '1')
FROM pg_catalog.pg_class
WHERE relname='events' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'events'
				AND a.attname = 'seen'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '2')
FROM pg_catalog.pg_class
WHERE relname='events' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'events'
				AND a.attname = 'hour'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '3')
FROM pg_catalog.pg_class
WHERE relname='events' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'events'
				AND a.attname = 'ratio'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '4')
FROM pg_catalog.pg_class
WHERE relname='events' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'events'
				AND a.attname = 'note'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '5')
FROM pg_catalog.pg_class
WHERE relname='events' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                     , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                     , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                       -- any temp table or temp view is LOCAL TEMPORARY for us
                     , CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' THEN
                                 'LOCAL TEMPORARY'
                            WHEN c.relkind ~ 'r|p' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM TABLE'
                                      ELSE 'TABLE'
                                  END
                            WHEN c.relkind = 'v' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM VIEW'
                                      ELSE 'VIEW'
                                  END
                            WHEN c.relkind = 'm' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM MATERIALIZED VIEW'
                                      ELSE 'MATERIALIZED VIEW'
                                  END
                            WHEN c.relkind = 'f' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM FOREIGN TABLE'
                                      ELSE 'FOREIGN TABLE'
                                  END
                            ELSE 'UNKNOWN'
                         END AS "TABLE_TYPE"
                     , d.description AS "REMARKS"
                     , pg_catalog.quote_ident(t.spcname) AS "pg_tablespace_name"
                     , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid)) AS "pg_tablespace_location" ,n.nspname AS pg_schema, c.relname AS pg_table
                  FROM pg_catalog.pg_class AS c
                  LEFT JOIN pg_catalog.pg_description AS d
                       ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0)
                  LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                  LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
					 AND NOT (pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' AND NOT pg_catalog.has_schema_privilege(n.nspname, 'USAGE'))
					 AND n.nspname = 'public'
					 AND c.relname = 'orders'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname LIKE '%'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{1}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{2}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{3}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{4}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{5}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{6}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{7}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class orders} AND conkey = '{8}'
-- next
SELECT typtype
FROM pg_catalog.pg_type
WHERE oid = 'numeric'::regtype
-- next
select constr.conname, to_ns.nspname, to_class.relname, from_col.attname, to_col.attname,
             constr.confdeltype, constr.confupdtype, constr.condeferrable
      from pg_catalog.pg_constraint constr
      join pg_catalog.pg_namespace from_ns on constr.connamespace = from_ns.oid
      join pg_catalog.pg_class from_class on constr.conrelid = from_class.oid and from_class.relnamespace = from_ns.oid
      join pg_catalog.pg_class to_class on constr.confrelid = to_class.oid
      join pg_catalog.pg_namespace to_ns on to_class.relnamespace = to_ns.oid
      -- can't do unnest() until 8.4, so join against a series table instead
      join pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
           on colnum.i <= pg_catalog.array_upper(constr.conkey,1)
      join pg_catalog.pg_attribute to_col
           on to_col.attrelid = constr.confrelid
           and to_col.attnum = constr.confkey[colnum.i]
      join pg_catalog.pg_attribute from_col
           on from_col.attrelid = constr.conrelid
           and from_col.attnum = constr.conkey[colnum.i]
      where from_ns.nspname = 'public'
        and from_class.relname = 'orders'
        and from_class.relkind = 'r'
        and constr.contype = 'f'
      order by constr.conname, colnum.i
-- next
SELECT
                  c.oid
                , pg_catalog.quote_ident(n.nspname)
                , pg_catalog.quote_ident(c.relname)
                , pg_catalog.quote_ident(c2.relname)
                , i.indkey
                , pg_catalog.quote_ident(t.spcname)
                , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid))
                , n.nspname, c.relname, c2.relname
                , pg_catalog.quote_ident(pg_catalog.current_database())
            FROM
                pg_catalog.pg_class c
                JOIN pg_catalog.pg_index i ON (i.indrelid = c.oid)
                JOIN pg_catalog.pg_class c2 ON (c2.oid = i.indexrelid)
                LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
            WHERE
                i.indisprimary IS TRUE
            AND c.relname = 'orders'
			AND n.nspname = 'public'
-- next
SELECT a.attnum, pg_catalog.quote_ident(a.attname) AS colname,
                pg_catalog.quote_ident(t.typname) AS typename
            FROM pg_catalog.pg_attribute a, pg_catalog.pg_type t
            WHERE a.attrelid = '{class orders}'
            AND a.atttypid = t.oid
            AND attnum IN (1)
-- next
SELECT
                pg_catalog.current_database() AS "TABLE_CAT",
                n.nspname                     AS "TABLE_SCHEM",
                d.relname                     AS "TABLE_NAME",
                NOT(i.indisunique)            AS "NON_UNIQUE",
                NULL                          AS "INDEX_QUALIFIER",
                c.relname                     AS "INDEX_NAME",
                CASE WHEN i.indisclustered THEN 'clustered'
                     WHEN a.amname = 'btree' THEN 'btree'
                     WHEN a.amname = 'hash' THEN 'hashed'
                     ELSE 'other'
                END                           AS "TYPE",
                col.i                         AS "ORDINAL_POSITION",
                att.attname                   AS "COLUMN_NAME",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'asc') THEN 'A'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'desc') THEN 'D'
                END                  AS "ASC_OR_DESC",
                c.reltuples                   AS "CARDINALITY",
                c.relpages                    AS "PAGES",
                pg_catalog.pg_get_expr(i.indpred,i.indrelid)
                                              AS "FILTER_CONDITION",
                pg_catalog.pg_get_indexdef(i.indexrelid, col.i, true)
                                              AS "pg_expression",
                col.i <= i.indnkeyatts                AS "pg_is_key_column",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_first') THEN 'first'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_last') THEN 'last'
                END                AS "pg_null_ordering"
            FROM
                pg_catalog.pg_index i
                JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
                JOIN pg_catalog.pg_class d ON d.oid = i.indrelid
                JOIN pg_catalog.pg_am a ON a.oid = c.relam
                JOIN pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) col(i)
                     ON col.i <= i.indnatts
                LEFT JOIN pg_catalog.pg_attribute att
                     ON att.attrelid = d.oid AND att.attnum = i.indkey[col.i - 1]
            WHERE
                d.relname = 'orders' AND n.nspname = 'public'
                AND (i.indisunique OR NOT('1')) -- unique_only
            ORDER BY
                "NON_UNIQUE", "TYPE", "INDEX_QUALIFIER", "INDEX_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname LIKE 'order_id'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '1')
FROM pg_catalog.pg_class
WHERE relname='orders' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname LIKE 'customer_id'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '2')
FROM pg_catalog.pg_class
WHERE relname='orders' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname LIKE 'product_id'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname LIKE 'order_date'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '4')
FROM pg_catalog.pg_class
WHERE relname='orders' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname = 'status'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname = 'amount'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '6')
FROM pg_catalog.pg_class
WHERE relname='orders' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname = 'revenue'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'orders'
				AND a.attname LIKE 'order_count'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '8')
FROM pg_catalog.pg_class
WHERE relname='orders' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                     , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                     , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                       -- any temp table or temp view is LOCAL TEMPORARY for us
                     , CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' THEN
                                 'LOCAL TEMPORARY'
                            WHEN c.relkind ~ 'r|p' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM TABLE'
                                      ELSE 'TABLE'
                                  END
                            WHEN c.relkind = 'v' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM VIEW'
                                      ELSE 'VIEW'
                                  END
                            WHEN c.relkind = 'm' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM MATERIALIZED VIEW'
                                      ELSE 'MATERIALIZED VIEW'
                                  END
                            WHEN c.relkind = 'f' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM FOREIGN TABLE'
                                      ELSE 'FOREIGN TABLE'
                                  END
                            ELSE 'UNKNOWN'
                         END AS "TABLE_TYPE"
                     , d.description AS "REMARKS"
                     , pg_catalog.quote_ident(t.spcname) AS "pg_tablespace_name"
                     , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid)) AS "pg_tablespace_location" ,n.nspname AS pg_schema, c.relname AS pg_table
                  FROM pg_catalog.pg_class AS c
                  LEFT JOIN pg_catalog.pg_description AS d
                       ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0)
                  LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                  LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
					 AND NOT (pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' AND NOT pg_catalog.has_schema_privilege(n.nspname, 'USAGE'))
					 AND n.nspname = 'public'
					 AND c.relname = 'products'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'products'
				AND a.attname LIKE '%'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class products} AND conkey = '{1}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class products} AND conkey = '{2}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class products} AND conkey = '{3}'
-- next
select constr.conname, to_ns.nspname, to_class.relname, from_col.attname, to_col.attname,
             constr.confdeltype, constr.confupdtype, constr.condeferrable
      from pg_catalog.pg_constraint constr
      join pg_catalog.pg_namespace from_ns on constr.connamespace = from_ns.oid
      join pg_catalog.pg_class from_class on constr.conrelid = from_class.oid and from_class.relnamespace = from_ns.oid
      join pg_catalog.pg_class to_class on constr.confrelid = to_class.oid
      join pg_catalog.pg_namespace to_ns on to_class.relnamespace = to_ns.oid
      -- can't do unnest() until 8.4, so join against a series table instead
      join pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
           on colnum.i <= pg_catalog.array_upper(constr.conkey,1)
      join pg_catalog.pg_attribute to_col
           on to_col.attrelid = constr.confrelid
           and to_col.attnum = constr.confkey[colnum.i]
      join pg_catalog.pg_attribute from_col
           on from_col.attrelid = constr.conrelid
           and from_col.attnum = constr.conkey[colnum.i]
      where from_ns.nspname = 'public'
        and from_class.relname = 'products'
        and from_class.relkind = 'r'
        and constr.contype = 'f'
      order by constr.conname, colnum.i
-- next
SELECT
                  c.oid
                , pg_catalog.quote_ident(n.nspname)
                , pg_catalog.quote_ident(c.relname)
                , pg_catalog.quote_ident(c2.relname)
                , i.indkey
                , pg_catalog.quote_ident(t.spcname)
                , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid))
                , n.nspname, c.relname, c2.relname
                , pg_catalog.quote_ident(pg_catalog.current_database())
            FROM
                pg_catalog.pg_class c
                JOIN pg_catalog.pg_index i ON (i.indrelid = c.oid)
                JOIN pg_catalog.pg_class c2 ON (c2.oid = i.indexrelid)
                LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
            WHERE
                i.indisprimary IS TRUE
            AND c.relname = 'products'
			AND n.nspname = 'public'
-- next
SELECT a.attnum, pg_catalog.quote_ident(a.attname) AS colname,
                pg_catalog.quote_ident(t.typname) AS typename
            FROM pg_catalog.pg_attribute a, pg_catalog.pg_type t
            WHERE a.attrelid = '{class products}'
            AND a.atttypid = t.oid
            AND attnum IN (1)
-- next
SELECT
                pg_catalog.current_database() AS "TABLE_CAT",
                n.nspname                     AS "TABLE_SCHEM",
                d.relname                     AS "TABLE_NAME",
                NOT(i.indisunique)            AS "NON_UNIQUE",
                NULL                          AS "INDEX_QUALIFIER",
                c.relname                     AS "INDEX_NAME",
                CASE WHEN i.indisclustered THEN 'clustered'
                     WHEN a.amname = 'btree' THEN 'btree'
                     WHEN a.amname = 'hash' THEN 'hashed'
                     ELSE 'other'
                END                           AS "TYPE",
                col.i                         AS "ORDINAL_POSITION",
                att.attname                   AS "COLUMN_NAME",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'asc') THEN 'A'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'desc') THEN 'D'
                END                  AS "ASC_OR_DESC",
                c.reltuples                   AS "CARDINALITY",
                c.relpages                    AS "PAGES",
                pg_catalog.pg_get_expr(i.indpred,i.indrelid)
                                              AS "FILTER_CONDITION",
                pg_catalog.pg_get_indexdef(i.indexrelid, col.i, true)
                                              AS "pg_expression",
                col.i <= i.indnkeyatts                AS "pg_is_key_column",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_first') THEN 'first'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_last') THEN 'last'
                END                AS "pg_null_ordering"
            FROM
                pg_catalog.pg_index i
                JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
                JOIN pg_catalog.pg_class d ON d.oid = i.indrelid
                JOIN pg_catalog.pg_am a ON a.oid = c.relam
                JOIN pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) col(i)
                     ON col.i <= i.indnatts
                LEFT JOIN pg_catalog.pg_attribute att
                     ON att.attrelid = d.oid AND att.attnum = i.indkey[col.i - 1]
            WHERE
                d.relname = 'products' AND n.nspname = 'public'
                AND (i.indisunique OR NOT('1')) -- unique_only
            ORDER BY
                "NON_UNIQUE", "TYPE", "INDEX_QUALIFIER", "INDEX_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'products'
				AND a.attname LIKE 'product_id'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '1')
FROM pg_catalog.pg_class
WHERE relname='products' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'products'
				AND a.attname = 'category'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '2')
FROM pg_catalog.pg_class
WHERE relname='products' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'products'
				AND a.attname LIKE 'unit_cost'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '3')
FROM pg_catalog.pg_class
WHERE relname='products' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                     , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                     , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                       -- any temp table or temp view is LOCAL TEMPORARY for us
                     , CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' THEN
                                 'LOCAL TEMPORARY'
                            WHEN c.relkind ~ 'r|p' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM TABLE'
                                      ELSE 'TABLE'
                                  END
                            WHEN c.relkind = 'v' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM VIEW'
                                      ELSE 'VIEW'
                                  END
                            WHEN c.relkind = 'm' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM MATERIALIZED VIEW'
                                      ELSE 'MATERIALIZED VIEW'
                                  END
                            WHEN c.relkind = 'f' THEN
                                 CASE WHEN pg_catalog.quote_ident(n.nspname) ~ '^pg_' THEN
                                           'SYSTEM FOREIGN TABLE'
                                      ELSE 'FOREIGN TABLE'
                                  END
                            ELSE 'UNKNOWN'
                         END AS "TABLE_TYPE"
                     , d.description AS "REMARKS"
                     , pg_catalog.quote_ident(t.spcname) AS "pg_tablespace_name"
                     , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid)) AS "pg_tablespace_location" ,n.nspname AS pg_schema, c.relname AS pg_table
                  FROM pg_catalog.pg_class AS c
                  LEFT JOIN pg_catalog.pg_description AS d
                       ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0)
                  LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                  LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
                 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
					 AND NOT (pg_catalog.quote_ident(n.nspname) ~ '^pg_(toast_)?temp_' AND NOT pg_catalog.has_schema_privilege(n.nspname, 'USAGE'))
					 AND n.nspname = 'public'
					 AND c.relname = 'shop'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'shop'
				AND a.attname LIKE '%'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class shop} AND conkey = '{1}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class shop} AND conkey = '{2}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class shop} AND conkey = '{3}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class shop} AND conkey = '{4}'
-- next
SELECT pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE contype = 'c' AND conrelid = {class shop} AND conkey = '{5}'
-- next
select constr.conname, to_ns.nspname, to_class.relname, from_col.attname, to_col.attname,
             constr.confdeltype, constr.confupdtype, constr.condeferrable
      from pg_catalog.pg_constraint constr
      join pg_catalog.pg_namespace from_ns on constr.connamespace = from_ns.oid
      join pg_catalog.pg_class from_class on constr.conrelid = from_class.oid and from_class.relnamespace = from_ns.oid
      join pg_catalog.pg_class to_class on constr.confrelid = to_class.oid
      join pg_catalog.pg_namespace to_ns on to_class.relnamespace = to_ns.oid
      -- can't do unnest() until 8.4, so join against a series table instead
      join pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
           on colnum.i <= pg_catalog.array_upper(constr.conkey,1)
      join pg_catalog.pg_attribute to_col
           on to_col.attrelid = constr.confrelid
           and to_col.attnum = constr.confkey[colnum.i]
      join pg_catalog.pg_attribute from_col
           on from_col.attrelid = constr.conrelid
           and from_col.attnum = constr.conkey[colnum.i]
      where from_ns.nspname = 'public'
        and from_class.relname = 'shop'
        and from_class.relkind = 'r'
        and constr.contype = 'f'
      order by constr.conname, colnum.i
-- next
SELECT
                  c.oid
                , pg_catalog.quote_ident(n.nspname)
                , pg_catalog.quote_ident(c.relname)
                , pg_catalog.quote_ident(c2.relname)
                , i.indkey
                , pg_catalog.quote_ident(t.spcname)
                , pg_catalog.quote_ident(pg_catalog.pg_tablespace_location(t.oid))
                , n.nspname, c.relname, c2.relname
                , pg_catalog.quote_ident(pg_catalog.current_database())
            FROM
                pg_catalog.pg_class c
                JOIN pg_catalog.pg_index i ON (i.indrelid = c.oid)
                JOIN pg_catalog.pg_class c2 ON (c2.oid = i.indexrelid)
                LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                LEFT JOIN pg_catalog.pg_tablespace t ON (t.oid = c.reltablespace)
            WHERE
                i.indisprimary IS TRUE
            AND c.relname = 'shop'
			AND n.nspname = 'public'
-- next
SELECT
                pg_catalog.current_database() AS "TABLE_CAT",
                n.nspname                     AS "TABLE_SCHEM",
                d.relname                     AS "TABLE_NAME",
                NOT(i.indisunique)            AS "NON_UNIQUE",
                NULL                          AS "INDEX_QUALIFIER",
                c.relname                     AS "INDEX_NAME",
                CASE WHEN i.indisclustered THEN 'clustered'
                     WHEN a.amname = 'btree' THEN 'btree'
                     WHEN a.amname = 'hash' THEN 'hashed'
                     ELSE 'other'
                END                           AS "TYPE",
                col.i                         AS "ORDINAL_POSITION",
                att.attname                   AS "COLUMN_NAME",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'asc') THEN 'A'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'desc') THEN 'D'
                END                  AS "ASC_OR_DESC",
                c.reltuples                   AS "CARDINALITY",
                c.relpages                    AS "PAGES",
                pg_catalog.pg_get_expr(i.indpred,i.indrelid)
                                              AS "FILTER_CONDITION",
                pg_catalog.pg_get_indexdef(i.indexrelid, col.i, true)
                                              AS "pg_expression",
                col.i <= i.indnkeyatts                AS "pg_is_key_column",
                
                CASE WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_first') THEN 'first'
                     WHEN pg_catalog.pg_index_column_has_property(c.oid, col.i, 'nulls_last') THEN 'last'
                END                AS "pg_null_ordering"
            FROM
                pg_catalog.pg_index i
                JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
                JOIN pg_catalog.pg_class d ON d.oid = i.indrelid
                JOIN pg_catalog.pg_am a ON a.oid = c.relam
                JOIN pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) col(i)
                     ON col.i <= i.indnatts
                LEFT JOIN pg_catalog.pg_attribute att
                     ON att.attrelid = d.oid AND att.attnum = i.indkey[col.i - 1]
            WHERE
                d.relname = 'shop' AND n.nspname = 'public'
                AND (i.indisunique OR NOT('1')) -- unique_only
            ORDER BY
                "NON_UNIQUE", "TYPE", "INDEX_QUALIFIER", "INDEX_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'shop'
				AND a.attname LIKE 'metric_time'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '1')
FROM pg_catalog.pg_class
WHERE relname='shop' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'shop'
				AND a.attname = 'status'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'shop'
				AND a.attname = 'region'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '3')
FROM pg_catalog.pg_class
WHERE relname='shop' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'shop'
				AND a.attname = 'revenue'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()) AS "TABLE_CAT"
                , pg_catalog.quote_ident(n.nspname) AS "TABLE_SCHEM"
                , pg_catalog.quote_ident(c.relname) AS "TABLE_NAME"
                , pg_catalog.quote_ident(a.attname) AS "COLUMN_NAME"
                , a.atttypid AS "DATA_TYPE"
                , pg_catalog.format_type(a.atttypid, NULL) AS "TYPE_NAME"
                , a.attlen AS "COLUMN_SIZE"
                , NULL::text AS "BUFFER_LENGTH"
                , NULL::text AS "DECIMAL_DIGITS"
                , NULL::text AS "NUM_PREC_RADIX"
                , CASE a.attnotnull WHEN 't' THEN 0 ELSE 1 END AS "NULLABLE"
                , pg_catalog.col_description(a.attrelid, a.attnum) AS "REMARKS"
                , pg_catalog.pg_get_expr(af.adbin, af.adrelid) AS "COLUMN_DEF"
                , NULL::text AS "SQL_DATA_TYPE"
                , NULL::text AS "SQL_DATETIME_SUB"
                , NULL::text AS "CHAR_OCTET_LENGTH"
                , a.attnum AS "ORDINAL_POSITION"
                , CASE a.attnotnull WHEN 't' THEN 'NO' ELSE 'YES' END AS "IS_NULLABLE"
                , pg_catalog.format_type(a.atttypid, a.atttypmod) AS "pg_type"
                , '?' AS "pg_constraint"
                , n.nspname AS "pg_schema"
                , c.relname AS "pg_table"
                , a.attname AS "pg_column"
                , a.attrelid AS "pg_attrelid"
                , a.attnum AS "pg_attnum"
                , a.atttypmod AS "pg_atttypmod"
                , t.typtype AS "_pg_type_typtype"
                , t.oid AS "_pg_type_oid"
            FROM
                pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON (t.oid = a.atttypid)
                JOIN pg_catalog.pg_class c ON (a.attrelid = c.oid)
                LEFT JOIN pg_catalog.pg_attrdef af ON (a.attnum = af.adnum AND a.attrelid = af.adrelid)
                JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
            WHERE
                a.attnum >= 0
                AND c.relkind IN ('r','p','v','m','f')
                
				AND n.nspname = 'public'
				AND c.relname = 'shop'
				AND a.attname LIKE 'order_count'
            ORDER BY "TABLE_SCHEM", "TABLE_NAME", "ORDINAL_POSITION"
-- next
SELECT pg_catalog.col_description(oid, '5')
FROM pg_catalog.pg_class
WHERE relname='shop' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.obj_description(oid)
FROM pg_catalog.pg_class
WHERE relname='Order Items' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.obj_description(oid)
FROM pg_catalog.pg_class
WHERE relname='customers' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
-- next
SELECT pg_catalog.obj_description(oid)
FROM pg_catalog.pg_class
WHERE relname='events' AND relnamespace=(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname='public')
