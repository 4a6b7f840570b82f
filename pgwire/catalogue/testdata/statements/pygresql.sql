SELECT datname FROM pg_catalog.pg_database
-- next
SELECT pg_catalog.quote_ident(s.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.relname) FROM pg_catalog.pg_class r JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) r.relnamespace WHERE r.relkind IN ('r') AND s.nspname NOT SIMILAR TO 'pg/_%|information/_schema' ESCAPE '/' ORDER BY s.nspname, r.relname
-- next
SELECT pg_catalog.quote_ident(s.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.relname) FROM pg_catalog.pg_class r JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) r.relnamespace WHERE r.relkind IN ('r') ORDER BY s.nspname, r.relname
-- next
SELECT pg_catalog.quote_ident(s.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.relname) FROM pg_catalog.pg_class r JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) r.relnamespace WHERE s.nspname NOT SIMILAR TO 'pg/_%|information/_schema' ESCAPE '/' ORDER BY s.nspname, r.relname
-- next
SELECT pg_catalog.quote_ident(s.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(r.relname) FROM pg_catalog.pg_class r JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) r.relnamespace WHERE r.relkind IN ('r','v') ORDER BY s.nspname, r.relname
-- next
SELECT a.attname, t.oid, t.typname, t.typname::regtype, t.typtype, t.typcategory, t.typdelim, t.typrelid FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) a.atttypid WHERE a.attrelid OPERATOR(pg_catalog.=) quote_ident('orders')::regclass AND (a.attnum OPERATOR(pg_catalog.>) 0 OR a.attname OPERATOR(pg_catalog.=) 'oid') AND NOT a.attisdropped ORDER BY a.attnum
-- next
SELECT a.attname, a.attnum, i.indkey FROM pg_catalog.pg_index i JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) i.indrelid AND a.attnum OPERATOR(pg_catalog.=) ANY(i.indkey) AND NOT a.attisdropped WHERE i.indrelid OPERATOR(pg_catalog.=) quote_ident('orders')::regclass AND i.indisprimary ORDER BY a.attnum
-- next
SELECT oid, typname, typname::regtype, typtype, typcategory, typdelim, typrelid FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) '22'::regtype
-- next
SELECT pg_catalog.has_table_privilege(quote_ident('orders'), 'select')
-- next
SELECT pg_catalog.has_table_privilege(quote_ident('orders'), 'insert')
-- next
SELECT a.attname, t.oid, t.typname, t.typname::regtype, t.typtype, t.typcategory, t.typdelim, t.typrelid FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) a.atttypid WHERE a.attrelid OPERATOR(pg_catalog.=) quote_ident('customers')::regclass AND (a.attnum OPERATOR(pg_catalog.>) 0 OR a.attname OPERATOR(pg_catalog.=) 'oid') AND NOT a.attisdropped ORDER BY a.attnum
-- next
SELECT a.attname, a.attnum, i.indkey FROM pg_catalog.pg_index i JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) i.indrelid AND a.attnum OPERATOR(pg_catalog.=) ANY(i.indkey) AND NOT a.attisdropped WHERE i.indrelid OPERATOR(pg_catalog.=) quote_ident('customers')::regclass AND i.indisprimary ORDER BY a.attnum
-- next
SELECT pg_catalog.has_table_privilege(quote_ident('customers'), 'select')
-- next
SELECT pg_catalog.has_table_privilege(quote_ident('customers'), 'insert')
-- next
SELECT oid, typname, typname::regtype, typtype, typcategory, typdelim, typrelid FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) quote_ident('int8')::regtype
-- next
SELECT oid, typname, typname::regtype, typtype, typcategory, typdelim, typrelid FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) quote_ident('text')::regtype
-- next
SELECT oid, typname, typname::regtype, typtype, typcategory, typdelim, typrelid FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) quote_ident('numeric')::regtype
-- next
SELECT oid, typname, typname::regtype, typtype, typcategory, typdelim, typrelid FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) quote_ident('date')::regtype
-- next
SELECT oid, typname, typname::regtype, typtype, typcategory, typdelim, typrelid FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) quote_ident('timestamptz')::regtype
