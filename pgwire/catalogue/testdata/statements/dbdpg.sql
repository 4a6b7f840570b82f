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
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT * FROM (
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
					 AND c.relname LIKE '%'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
                ) ti WHERE "TABLE_TYPE" IN ('TABLE')
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
					 AND n.nspname LIKE '%'
                 ORDER BY "TABLE_TYPE", "TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME"
-- next
SELECT "TABLE_CAT"
                         , "TABLE_SCHEM"
                         , "TABLE_NAME"
                         , "TABLE_TYPE"
                         , "REMARKS"
                    FROM
                      (SELECT NULL::text AS "TABLE_CAT"
                            , NULL::text AS "TABLE_SCHEM"
                            , NULL::text AS "TABLE_NAME") dummy_cols
                    CROSS JOIN
                      (SELECT 'TABLE'        AS "TABLE_TYPE"
                            , 'relkind ~ r|p'   AS "REMARKS"
                       UNION
                       SELECT 'SYSTEM TABLE'
                            , 'relkind ~ r|p; nspname ~ ^pg_(catalog|toast)$'
                       UNION
                       SELECT 'VIEW'
                            , 'relkind: v'
                       UNION
                       SELECT 'SYSTEM VIEW'
                            , 'relkind: v; nspname ~ ^pg_(catalog|toast)$'
                       UNION
                       SELECT 'MATERIALIZED VIEW'
                            , 'relkind: m'
                       UNION
                       SELECT 'SYSTEM MATERIALIZED VIEW'
                            , 'relkind: m; nspname ~ ^pg_(catalog|toast)$'
                       UNION
                       SELECT 'FOREIGN TABLE'
                            , 'relkind: f'
                       UNION
                       SELECT 'SYSTEM FOREIGN TABLE'
                            , 'relkind: f; nspname ~ ^pg_(catalog|toast)$'
                       UNION
                       SELECT 'LOCAL TEMPORARY'
                            , 'relkind ~ r|p; nspname ~ ^pg_(toast_)?temp') type_info
                     ORDER BY "TABLE_TYPE" ASC
-- next
SELECT * FROM (
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
                ) ti WHERE "TABLE_TYPE" IN ('TABLE')
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
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(uk_ns.nspname),
                pg_catalog.quote_ident(uk_class.relname),
                pg_catalog.quote_ident(uk_col.attname),
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(fk_ns.nspname),
                pg_catalog.quote_ident(fk_class.relname),
                pg_catalog.quote_ident(fk_col.attname),
                colnum.i,
                CASE constr.confupdtype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                CASE constr.confdeltype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                pg_catalog.quote_ident(constr.conname), pg_catalog.quote_ident(uk_constr.conname),
                CASE
                    WHEN constr.condeferrable = 'f' THEN 7
                    WHEN constr.condeferred = 't' THEN 6
                    WHEN constr.condeferred = 'f' THEN 5
                    ELSE -1
                END,
                CASE coalesce(uk_constr.contype, 'u')
                    WHEN 'u' THEN 'UNIQUE' WHEN 'p' THEN 'PRIMARY'
                END,
                pg_catalog.quote_ident(uk_type.typname), pg_catalog.quote_ident(fk_type.typname)
            FROM pg_catalog.pg_constraint constr
                JOIN pg_catalog.pg_class uk_class ON constr.confrelid = uk_class.oid
                JOIN pg_catalog.pg_namespace uk_ns ON uk_class.relnamespace = uk_ns.oid
                JOIN pg_catalog.pg_class fk_class ON constr.conrelid = fk_class.oid
                JOIN pg_catalog.pg_namespace fk_ns ON fk_class.relnamespace = fk_ns.oid
                -- can't do unnest() until 8.4, and would need WITH ORDINALITY to get the array indices,
                -- wich isn't available until 9.4 at the earliest, so we join against a series table instead
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
                    ON colnum.i <= pg_catalog.array_upper(constr.conkey,1)
                JOIN pg_catalog.pg_attribute uk_col ON uk_col.attrelid = constr.confrelid AND uk_col.attnum = constr.confkey[colnum.i]
                JOIN pg_catalog.pg_type uk_type ON uk_col.atttypid = uk_type.oid
                JOIN pg_catalog.pg_attribute fk_col ON fk_col.attrelid = constr.conrelid AND fk_col.attnum = constr.conkey[colnum.i]
                JOIN pg_catalog.pg_type fk_type ON fk_col.atttypid = fk_type.oid

                -- We can't match confkey from the fk constraint to conkey of the unique constraint,
                -- because the unique constraint might not exist or there might be more than one
                -- matching one. However, there must be at least a unique _index_ on the key
                -- columns, so we look for that; but we can't find it via pg_index, since there may
                -- again be more than one matching index.

                -- So instead, we look at pg_depend for the dependency that was created by the fk
                -- constraint. This dependency is of type 'n' (normal) and ties the pg_constraint
                -- row oid to the pg_class oid for the index relation (a single arbitrary one if
                -- more than one matching unique index existed at the time the constraint was
                -- created).  Fortunately, the constraint does not create dependencies on the
                -- referenced table itself, but on the _columns_ of the referenced table, so the
                -- index can be distinguished easily.  Then we look for another pg_depend entry,
                -- this time an 'i' (implementation) dependency from a pg_constraint oid (the unique
                -- constraint if one exists) to the index oid; but we have to allow for the
                -- possibility that this one doesn't exist.          - Andrew Gierth (RhodiumToad)

                JOIN pg_catalog.pg_depend dep ON (
                    dep.classid = 'pg_catalog.pg_constraint'::regclass
                    AND dep.objid = constr.oid
                    AND dep.objsubid = 0
                    AND dep.deptype = 'n'
                    AND dep.refclassid = 'pg_catalog.pg_class'::regclass
                    AND dep.refobjsubid=0
                )
                JOIN pg_catalog.pg_class idx ON (
                    idx.oid = dep.refobjid AND idx.relkind='i'
                )
                LEFT JOIN pg_catalog.pg_depend dep2 ON (
                    dep2.classid = 'pg_catalog.pg_class'::regclass
                    AND dep2.objid = idx.oid
                    AND dep2.objsubid = 0
                    AND dep2.deptype = 'i'
                    AND dep2.refclassid = 'pg_catalog.pg_constraint'::regclass
                    AND dep2.refobjsubid = 0
                )
                LEFT JOIN pg_catalog.pg_constraint uk_constr ON (
                    uk_constr.oid = dep2.refobjid AND uk_constr.contype IN ('p','u')
                )
            WHERE fk_class.relname = 'orders' AND fk_ns.nspname = 'public'
                AND uk_class.relkind ~ 'r|p'
                AND fk_class.relkind ~ 'r|p'
                AND constr.contype = 'f'
            ORDER BY constr.conname, colnum.i
-- next
SELECT
                    pg_catalog.current_database() AS "TABLE_CAT",
                    n.nspname                     AS "TABLE_SCHEM",
                    d.relname                     AS "TABLE_NAME",
                    NULL                          AS "NON_UNIQUE",
                    NULL                          AS "INDEX_QUALIFIER",
                    NULL                          AS "INDEX_NAME",
                    'table'                       AS "TYPE",
                    NULL                          AS "ORDINAL_POSITION",
                    NULL                          AS "COLUMN_NAME",
                    NULL                          AS "ASC_OR_DESC",
                    d.reltuples                   AS "CARDINALITY",
                    d.relpages                    AS "PAGES",
                    NULL                          AS "FILTER_CONDITION",
                    NULL                          AS "pg_expression",
                    NULL                          AS "pg_is_key_column",
                    NULL                          AS "pg_null_ordering"
                FROM   pg_catalog.pg_class d
                JOIN   pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                WHERE  d.relname = 'orders' AND n.nspname = 'public'
                UNION ALL
            
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
                AND (i.indisunique OR NOT('0')) -- unique_only
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
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(uk_ns.nspname),
                pg_catalog.quote_ident(uk_class.relname),
                pg_catalog.quote_ident(uk_col.attname),
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(fk_ns.nspname),
                pg_catalog.quote_ident(fk_class.relname),
                pg_catalog.quote_ident(fk_col.attname),
                colnum.i,
                CASE constr.confupdtype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                CASE constr.confdeltype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                pg_catalog.quote_ident(constr.conname), pg_catalog.quote_ident(uk_constr.conname),
                CASE
                    WHEN constr.condeferrable = 'f' THEN 7
                    WHEN constr.condeferred = 't' THEN 6
                    WHEN constr.condeferred = 'f' THEN 5
                    ELSE -1
                END,
                CASE coalesce(uk_constr.contype, 'u')
                    WHEN 'u' THEN 'UNIQUE' WHEN 'p' THEN 'PRIMARY'
                END,
                pg_catalog.quote_ident(uk_type.typname), pg_catalog.quote_ident(fk_type.typname)
            FROM pg_catalog.pg_constraint constr
                JOIN pg_catalog.pg_class uk_class ON constr.confrelid = uk_class.oid
                JOIN pg_catalog.pg_namespace uk_ns ON uk_class.relnamespace = uk_ns.oid
                JOIN pg_catalog.pg_class fk_class ON constr.conrelid = fk_class.oid
                JOIN pg_catalog.pg_namespace fk_ns ON fk_class.relnamespace = fk_ns.oid
                -- can't do unnest() until 8.4, and would need WITH ORDINALITY to get the array indices,
                -- wich isn't available until 9.4 at the earliest, so we join against a series table instead
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
                    ON colnum.i <= pg_catalog.array_upper(constr.conkey,1)
                JOIN pg_catalog.pg_attribute uk_col ON uk_col.attrelid = constr.confrelid AND uk_col.attnum = constr.confkey[colnum.i]
                JOIN pg_catalog.pg_type uk_type ON uk_col.atttypid = uk_type.oid
                JOIN pg_catalog.pg_attribute fk_col ON fk_col.attrelid = constr.conrelid AND fk_col.attnum = constr.conkey[colnum.i]
                JOIN pg_catalog.pg_type fk_type ON fk_col.atttypid = fk_type.oid

                -- We can't match confkey from the fk constraint to conkey of the unique constraint,
                -- because the unique constraint might not exist or there might be more than one
                -- matching one. However, there must be at least a unique _index_ on the key
                -- columns, so we look for that; but we can't find it via pg_index, since there may
                -- again be more than one matching index.

                -- So instead, we look at pg_depend for the dependency that was created by the fk
                -- constraint. This dependency is of type 'n' (normal) and ties the pg_constraint
                -- row oid to the pg_class oid for the index relation (a single arbitrary one if
                -- more than one matching unique index existed at the time the constraint was
                -- created).  Fortunately, the constraint does not create dependencies on the
                -- referenced table itself, but on the _columns_ of the referenced table, so the
                -- index can be distinguished easily.  Then we look for another pg_depend entry,
                -- this time an 'i' (implementation) dependency from a pg_constraint oid (the unique
                -- constraint if one exists) to the index oid; but we have to allow for the
                -- possibility that this one doesn't exist.          - Andrew Gierth (RhodiumToad)

                JOIN pg_catalog.pg_depend dep ON (
                    dep.classid = 'pg_catalog.pg_constraint'::regclass
                    AND dep.objid = constr.oid
                    AND dep.objsubid = 0
                    AND dep.deptype = 'n'
                    AND dep.refclassid = 'pg_catalog.pg_class'::regclass
                    AND dep.refobjsubid=0
                )
                JOIN pg_catalog.pg_class idx ON (
                    idx.oid = dep.refobjid AND idx.relkind='i'
                )
                LEFT JOIN pg_catalog.pg_depend dep2 ON (
                    dep2.classid = 'pg_catalog.pg_class'::regclass
                    AND dep2.objid = idx.oid
                    AND dep2.objsubid = 0
                    AND dep2.deptype = 'i'
                    AND dep2.refclassid = 'pg_catalog.pg_constraint'::regclass
                    AND dep2.refobjsubid = 0
                )
                LEFT JOIN pg_catalog.pg_constraint uk_constr ON (
                    uk_constr.oid = dep2.refobjid AND uk_constr.contype IN ('p','u')
                )
            WHERE fk_class.relname = 'customers' AND fk_ns.nspname = 'public'
                AND uk_class.relkind ~ 'r|p'
                AND fk_class.relkind ~ 'r|p'
                AND constr.contype = 'f'
            ORDER BY constr.conname, colnum.i
-- next
SELECT
                    pg_catalog.current_database() AS "TABLE_CAT",
                    n.nspname                     AS "TABLE_SCHEM",
                    d.relname                     AS "TABLE_NAME",
                    NULL                          AS "NON_UNIQUE",
                    NULL                          AS "INDEX_QUALIFIER",
                    NULL                          AS "INDEX_NAME",
                    'table'                       AS "TYPE",
                    NULL                          AS "ORDINAL_POSITION",
                    NULL                          AS "COLUMN_NAME",
                    NULL                          AS "ASC_OR_DESC",
                    d.reltuples                   AS "CARDINALITY",
                    d.relpages                    AS "PAGES",
                    NULL                          AS "FILTER_CONDITION",
                    NULL                          AS "pg_expression",
                    NULL                          AS "pg_is_key_column",
                    NULL                          AS "pg_null_ordering"
                FROM   pg_catalog.pg_class d
                JOIN   pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                WHERE  d.relname = 'customers' AND n.nspname = 'public'
                UNION ALL
            
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
                AND (i.indisunique OR NOT('0')) -- unique_only
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
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(uk_ns.nspname),
                pg_catalog.quote_ident(uk_class.relname),
                pg_catalog.quote_ident(uk_col.attname),
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(fk_ns.nspname),
                pg_catalog.quote_ident(fk_class.relname),
                pg_catalog.quote_ident(fk_col.attname),
                colnum.i,
                CASE constr.confupdtype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                CASE constr.confdeltype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                pg_catalog.quote_ident(constr.conname), pg_catalog.quote_ident(uk_constr.conname),
                CASE
                    WHEN constr.condeferrable = 'f' THEN 7
                    WHEN constr.condeferred = 't' THEN 6
                    WHEN constr.condeferred = 'f' THEN 5
                    ELSE -1
                END,
                CASE coalesce(uk_constr.contype, 'u')
                    WHEN 'u' THEN 'UNIQUE' WHEN 'p' THEN 'PRIMARY'
                END,
                pg_catalog.quote_ident(uk_type.typname), pg_catalog.quote_ident(fk_type.typname)
            FROM pg_catalog.pg_constraint constr
                JOIN pg_catalog.pg_class uk_class ON constr.confrelid = uk_class.oid
                JOIN pg_catalog.pg_namespace uk_ns ON uk_class.relnamespace = uk_ns.oid
                JOIN pg_catalog.pg_class fk_class ON constr.conrelid = fk_class.oid
                JOIN pg_catalog.pg_namespace fk_ns ON fk_class.relnamespace = fk_ns.oid
                -- can't do unnest() until 8.4, and would need WITH ORDINALITY to get the array indices,
                -- wich isn't available until 9.4 at the earliest, so we join against a series table instead
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
                    ON colnum.i <= pg_catalog.array_upper(constr.conkey,1)
                JOIN pg_catalog.pg_attribute uk_col ON uk_col.attrelid = constr.confrelid AND uk_col.attnum = constr.confkey[colnum.i]
                JOIN pg_catalog.pg_type uk_type ON uk_col.atttypid = uk_type.oid
                JOIN pg_catalog.pg_attribute fk_col ON fk_col.attrelid = constr.conrelid AND fk_col.attnum = constr.conkey[colnum.i]
                JOIN pg_catalog.pg_type fk_type ON fk_col.atttypid = fk_type.oid

                -- We can't match confkey from the fk constraint to conkey of the unique constraint,
                -- because the unique constraint might not exist or there might be more than one
                -- matching one. However, there must be at least a unique _index_ on the key
                -- columns, so we look for that; but we can't find it via pg_index, since there may
                -- again be more than one matching index.

                -- So instead, we look at pg_depend for the dependency that was created by the fk
                -- constraint. This dependency is of type 'n' (normal) and ties the pg_constraint
                -- row oid to the pg_class oid for the index relation (a single arbitrary one if
                -- more than one matching unique index existed at the time the constraint was
                -- created).  Fortunately, the constraint does not create dependencies on the
                -- referenced table itself, but on the _columns_ of the referenced table, so the
                -- index can be distinguished easily.  Then we look for another pg_depend entry,
                -- this time an 'i' (implementation) dependency from a pg_constraint oid (the unique
                -- constraint if one exists) to the index oid; but we have to allow for the
                -- possibility that this one doesn't exist.          - Andrew Gierth (RhodiumToad)

                JOIN pg_catalog.pg_depend dep ON (
                    dep.classid = 'pg_catalog.pg_constraint'::regclass
                    AND dep.objid = constr.oid
                    AND dep.objsubid = 0
                    AND dep.deptype = 'n'
                    AND dep.refclassid = 'pg_catalog.pg_class'::regclass
                    AND dep.refobjsubid=0
                )
                JOIN pg_catalog.pg_class idx ON (
                    idx.oid = dep.refobjid AND idx.relkind='i'
                )
                LEFT JOIN pg_catalog.pg_depend dep2 ON (
                    dep2.classid = 'pg_catalog.pg_class'::regclass
                    AND dep2.objid = idx.oid
                    AND dep2.objsubid = 0
                    AND dep2.deptype = 'i'
                    AND dep2.refclassid = 'pg_catalog.pg_constraint'::regclass
                    AND dep2.refobjsubid = 0
                )
                LEFT JOIN pg_catalog.pg_constraint uk_constr ON (
                    uk_constr.oid = dep2.refobjid AND uk_constr.contype IN ('p','u')
                )
            WHERE fk_class.relname = 'Order Items' AND fk_ns.nspname = 'public'
                AND uk_class.relkind ~ 'r|p'
                AND fk_class.relkind ~ 'r|p'
                AND constr.contype = 'f'
            ORDER BY constr.conname, colnum.i
-- next
SELECT
                    pg_catalog.current_database() AS "TABLE_CAT",
                    n.nspname                     AS "TABLE_SCHEM",
                    d.relname                     AS "TABLE_NAME",
                    NULL                          AS "NON_UNIQUE",
                    NULL                          AS "INDEX_QUALIFIER",
                    NULL                          AS "INDEX_NAME",
                    'table'                       AS "TYPE",
                    NULL                          AS "ORDINAL_POSITION",
                    NULL                          AS "COLUMN_NAME",
                    NULL                          AS "ASC_OR_DESC",
                    d.reltuples                   AS "CARDINALITY",
                    d.relpages                    AS "PAGES",
                    NULL                          AS "FILTER_CONDITION",
                    NULL                          AS "pg_expression",
                    NULL                          AS "pg_is_key_column",
                    NULL                          AS "pg_null_ordering"
                FROM   pg_catalog.pg_class d
                JOIN   pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                WHERE  d.relname = 'Order Items' AND n.nspname = 'public'
                UNION ALL
            
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
                AND (i.indisunique OR NOT('0')) -- unique_only
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
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(uk_ns.nspname),
                pg_catalog.quote_ident(uk_class.relname),
                pg_catalog.quote_ident(uk_col.attname),
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(fk_ns.nspname),
                pg_catalog.quote_ident(fk_class.relname),
                pg_catalog.quote_ident(fk_col.attname),
                colnum.i,
                CASE constr.confupdtype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                CASE constr.confdeltype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                pg_catalog.quote_ident(constr.conname), pg_catalog.quote_ident(uk_constr.conname),
                CASE
                    WHEN constr.condeferrable = 'f' THEN 7
                    WHEN constr.condeferred = 't' THEN 6
                    WHEN constr.condeferred = 'f' THEN 5
                    ELSE -1
                END,
                CASE coalesce(uk_constr.contype, 'u')
                    WHEN 'u' THEN 'UNIQUE' WHEN 'p' THEN 'PRIMARY'
                END,
                pg_catalog.quote_ident(uk_type.typname), pg_catalog.quote_ident(fk_type.typname)
            FROM pg_catalog.pg_constraint constr
                JOIN pg_catalog.pg_class uk_class ON constr.confrelid = uk_class.oid
                JOIN pg_catalog.pg_namespace uk_ns ON uk_class.relnamespace = uk_ns.oid
                JOIN pg_catalog.pg_class fk_class ON constr.conrelid = fk_class.oid
                JOIN pg_catalog.pg_namespace fk_ns ON fk_class.relnamespace = fk_ns.oid
                -- can't do unnest() until 8.4, and would need WITH ORDINALITY to get the array indices,
                -- wich isn't available until 9.4 at the earliest, so we join against a series table instead
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
                    ON colnum.i <= pg_catalog.array_upper(constr.conkey,1)
                JOIN pg_catalog.pg_attribute uk_col ON uk_col.attrelid = constr.confrelid AND uk_col.attnum = constr.confkey[colnum.i]
                JOIN pg_catalog.pg_type uk_type ON uk_col.atttypid = uk_type.oid
                JOIN pg_catalog.pg_attribute fk_col ON fk_col.attrelid = constr.conrelid AND fk_col.attnum = constr.conkey[colnum.i]
                JOIN pg_catalog.pg_type fk_type ON fk_col.atttypid = fk_type.oid

                -- We can't match confkey from the fk constraint to conkey of the unique constraint,
                -- because the unique constraint might not exist or there might be more than one
                -- matching one. However, there must be at least a unique _index_ on the key
                -- columns, so we look for that; but we can't find it via pg_index, since there may
                -- again be more than one matching index.

                -- So instead, we look at pg_depend for the dependency that was created by the fk
                -- constraint. This dependency is of type 'n' (normal) and ties the pg_constraint
                -- row oid to the pg_class oid for the index relation (a single arbitrary one if
                -- more than one matching unique index existed at the time the constraint was
                -- created).  Fortunately, the constraint does not create dependencies on the
                -- referenced table itself, but on the _columns_ of the referenced table, so the
                -- index can be distinguished easily.  Then we look for another pg_depend entry,
                -- this time an 'i' (implementation) dependency from a pg_constraint oid (the unique
                -- constraint if one exists) to the index oid; but we have to allow for the
                -- possibility that this one doesn't exist.          - Andrew Gierth (RhodiumToad)

                JOIN pg_catalog.pg_depend dep ON (
                    dep.classid = 'pg_catalog.pg_constraint'::regclass
                    AND dep.objid = constr.oid
                    AND dep.objsubid = 0
                    AND dep.deptype = 'n'
                    AND dep.refclassid = 'pg_catalog.pg_class'::regclass
                    AND dep.refobjsubid=0
                )
                JOIN pg_catalog.pg_class idx ON (
                    idx.oid = dep.refobjid AND idx.relkind='i'
                )
                LEFT JOIN pg_catalog.pg_depend dep2 ON (
                    dep2.classid = 'pg_catalog.pg_class'::regclass
                    AND dep2.objid = idx.oid
                    AND dep2.objsubid = 0
                    AND dep2.deptype = 'i'
                    AND dep2.refclassid = 'pg_catalog.pg_constraint'::regclass
                    AND dep2.refobjsubid = 0
                )
                LEFT JOIN pg_catalog.pg_constraint uk_constr ON (
                    uk_constr.oid = dep2.refobjid AND uk_constr.contype IN ('p','u')
                )
            WHERE fk_class.relname = 'events' AND fk_ns.nspname = 'public'
                AND uk_class.relkind ~ 'r|p'
                AND fk_class.relkind ~ 'r|p'
                AND constr.contype = 'f'
            ORDER BY constr.conname, colnum.i
-- next
SELECT
                    pg_catalog.current_database() AS "TABLE_CAT",
                    n.nspname                     AS "TABLE_SCHEM",
                    d.relname                     AS "TABLE_NAME",
                    NULL                          AS "NON_UNIQUE",
                    NULL                          AS "INDEX_QUALIFIER",
                    NULL                          AS "INDEX_NAME",
                    'table'                       AS "TYPE",
                    NULL                          AS "ORDINAL_POSITION",
                    NULL                          AS "COLUMN_NAME",
                    NULL                          AS "ASC_OR_DESC",
                    d.reltuples                   AS "CARDINALITY",
                    d.relpages                    AS "PAGES",
                    NULL                          AS "FILTER_CONDITION",
                    NULL                          AS "pg_expression",
                    NULL                          AS "pg_is_key_column",
                    NULL                          AS "pg_null_ordering"
                FROM   pg_catalog.pg_class d
                JOIN   pg_catalog.pg_namespace n ON n.oid = d.relnamespace
                WHERE  d.relname = 'events' AND n.nspname = 'public'
                UNION ALL
            
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
                AND (i.indisunique OR NOT('0')) -- unique_only
            ORDER BY
                "NON_UNIQUE", "TYPE", "INDEX_QUALIFIER", "INDEX_NAME", "ORDINAL_POSITION"
-- next
SELECT
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(uk_ns.nspname),
                pg_catalog.quote_ident(uk_class.relname),
                pg_catalog.quote_ident(uk_col.attname),
                pg_catalog.quote_ident(pg_catalog.current_database()),
                pg_catalog.quote_ident(fk_ns.nspname),
                pg_catalog.quote_ident(fk_class.relname),
                pg_catalog.quote_ident(fk_col.attname),
                colnum.i,
                CASE constr.confupdtype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                CASE constr.confdeltype
                    WHEN 'c' THEN 0 WHEN 'r' THEN 1 WHEN 'n' THEN 2 WHEN 'a' THEN 3 WHEN 'd' THEN 4 ELSE -1
                END,
                pg_catalog.quote_ident(constr.conname), pg_catalog.quote_ident(uk_constr.conname),
                CASE
                    WHEN constr.condeferrable = 'f' THEN 7
                    WHEN constr.condeferred = 't' THEN 6
                    WHEN constr.condeferred = 'f' THEN 5
                    ELSE -1
                END,
                CASE coalesce(uk_constr.contype, 'u')
                    WHEN 'u' THEN 'UNIQUE' WHEN 'p' THEN 'PRIMARY'
                END,
                pg_catalog.quote_ident(uk_type.typname), pg_catalog.quote_ident(fk_type.typname)
            FROM pg_catalog.pg_constraint constr
                JOIN pg_catalog.pg_class uk_class ON constr.confrelid = uk_class.oid
                JOIN pg_catalog.pg_namespace uk_ns ON uk_class.relnamespace = uk_ns.oid
                JOIN pg_catalog.pg_class fk_class ON constr.conrelid = fk_class.oid
                JOIN pg_catalog.pg_namespace fk_ns ON fk_class.relnamespace = fk_ns.oid
                -- can't do unnest() until 8.4, and would need WITH ORDINALITY to get the array indices,
                -- wich isn't available until 9.4 at the earliest, so we join against a series table instead
                JOIN pg_catalog.generate_series(1, pg_catalog.current_setting('max_index_keys')::integer) colnum(i)
                    ON colnum.i <= pg_catalog.array_upper(constr.conkey,1)
                JOIN pg_catalog.pg_attribute uk_col ON uk_col.attrelid = constr.confrelid AND uk_col.attnum = constr.confkey[colnum.i]
                JOIN pg_catalog.pg_type uk_type ON uk_col.atttypid = uk_type.oid
                JOIN pg_catalog.pg_attribute fk_col ON fk_col.attrelid = constr.conrelid AND fk_col.attnum = constr.conkey[colnum.i]
                JOIN pg_catalog.pg_type fk_type ON fk_col.atttypid = fk_type.oid

                -- We can't match confkey from the fk constraint to conkey of the unique constraint,
                -- because the unique constraint might not exist or there might be more than one
                -- matching one. However, there must be at least a unique _index_ on the key
                -- columns, so we look for that; but we can't find it via pg_index, since there may
                -- again be more than one matching index.

                -- So instead, we look at pg_depend for the dependency that was created by the fk
                -- constraint. This dependency is of type 'n' (normal) and ties the pg_constraint
                -- row oid to the pg_class oid for the index relation (a single arbitrary one if
                -- more than one matching unique index existed at the time the constraint was
                -- created).  Fortunately, the constraint does not create dependencies on the
                -- referenced table itself, but on the _columns_ of the referenced table, so the
                -- index can be distinguished easily.  Then we look for another pg_depend entry,
                -- this time an 'i' (implementation) dependency from a pg_constraint oid (the unique
                -- constraint if one exists) to the index oid; but we have to allow for the
                -- possibility that this one doesn't exist.          - Andrew Gierth (RhodiumToad)

                JOIN pg_catalog.pg_depend dep ON (
                    dep.classid = 'pg_catalog.pg_constraint'::regclass
                    AND dep.objid = constr.oid
                    AND dep.objsubid = 0
                    AND dep.deptype = 'n'
                    AND dep.refclassid = 'pg_catalog.pg_class'::regclass
                    AND dep.refobjsubid=0
                )
                JOIN pg_catalog.pg_class idx ON (
                    idx.oid = dep.refobjid AND idx.relkind='i'
                )
                LEFT JOIN pg_catalog.pg_depend dep2 ON (
                    dep2.classid = 'pg_catalog.pg_class'::regclass
                    AND dep2.objid = idx.oid
                    AND dep2.objsubid = 0
                    AND dep2.deptype = 'i'
                    AND dep2.refclassid = 'pg_catalog.pg_constraint'::regclass
                    AND dep2.refobjsubid = 0
                )
                LEFT JOIN pg_catalog.pg_constraint uk_constr ON (
                    uk_constr.oid = dep2.refobjid AND uk_constr.contype IN ('p','u')
                )
            WHERE uk_class.relname = 'customers' AND uk_ns.nspname = 'public'
                AND uk_class.relkind ~ 'r|p'
                AND fk_class.relkind ~ 'r|p'
                AND constr.contype = 'f'
            ORDER BY constr.conname, colnum.i
-- next
SELECT i.indisprimary,
                    COALESCE(
                        -- this takes the table name as text, not regclass
                        pg_catalog.pg_get_serial_sequence(
                            -- and pre-8.3 doesn't have a cast from regclass to text,
                            -- and pre-9.3 doesn't have format, so do it the long way
                            quote_ident(n.nspname) || '.' || quote_ident(c.relname),
                            a.attname),
                        (SELECT replace(substring(pg_catalog.pg_get_expr(d.adbin, d.adrelid)
                                            from $r$^nextval\('(.+)'::[\w\s]+\)$$r$),
                                        -- unescape any single quotes from the default
                                        $$''$$, $$'$$)
                            FROM pg_catalog.pg_attrdef d
                            WHERE a.atthasdef
                                AND a.attrelid = d.adrelid
                                AND a.attnum = d.adnum)
                    ) AS seqname
                FROM pg_class c
                    JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace)
                    -- LEFT JOIN so we can distingiuish between table not found (zero rows)
                    -- and no suitable column found (at least one all-NULL row)
                    LEFT JOIN pg_catalog.pg_index i
                        ON c.oid = i.indrelid AND i.indisunique
                    LEFT JOIN pg_catalog.pg_attribute a
                        ON i.indrelid = a.attrelid AND i.indkey[0]=a.attnum
                        AND (a.atthasdef OR a.attidentity <> '')
                WHERE c.relname = 'orders' AND n.nspname = 'public'
-- next
SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = 'orders'::regclass::oid
