SELECT a.attname, a.attnum, t.typname, a.attlen, a.attnotnull, a.atthasdef, a.attndims, t.typtype FROM pg_class as c  JOIN pg_attribute a ON (a.attrelid = c.oid)  JOIN pg_type t ON (a.atttypid = t.oid)  JOIN pg_namespace n ON (c.relnamespace = n.oid) WHERE a.attnum > 0 AND c.relname = 'orders' AND n.nspname = 'public' ORDER BY a.attnum
-- next
SELECT a.attname, a.attnum, t.typname, a.attlen, a.attnotNULL, a.atthasdef, a.attndims, t.typtype, d.description FROM pg_class as c  JOIN pg_attribute a ON (a.attrelid = c.oid)  JOIN pg_type t ON (a.atttypid = t.oid)  JOIN pg_namespace n ON (c.relnamespace = n.oid)  LEFT JOIN pg_description d ON (d.objoid=a.attrelid AND d.objsubid=a.attnum AND c.oid=d.objoid) WHERE a.attnum > 0  AND c.relname = 'orders' AND n.nspname = 'public' ORDER BY a.attnum
-- next
SELECT a.attname, a.attnum, t.typname, a.attlen, a.attnotnull, a.atthasdef, a.attndims, t.typtype FROM pg_class as c  JOIN pg_attribute a ON (a.attrelid = c.oid)  JOIN pg_type t ON (a.atttypid = t.oid)  JOIN pg_namespace n ON (c.relnamespace = n.oid) WHERE a.attnum > 0 AND c.relname = 'customers' AND n.nspname = 'public' ORDER BY a.attnum
-- next
SELECT a.attname, a.attnum, t.typname, a.attlen, a.attnotNULL, a.atthasdef, a.attndims, t.typtype, d.description FROM pg_class as c  JOIN pg_attribute a ON (a.attrelid = c.oid)  JOIN pg_type t ON (a.atttypid = t.oid)  JOIN pg_namespace n ON (c.relnamespace = n.oid)  LEFT JOIN pg_description d ON (d.objoid=a.attrelid AND d.objsubid=a.attnum AND c.oid=d.objoid) WHERE a.attnum > 0  AND c.relname = 'customers' AND n.nspname = 'public' ORDER BY a.attnum
-- next
SELECT a.attname, a.attnum, t.typname, a.attlen, a.attnotnull, a.atthasdef, a.attndims, t.typtype FROM pg_class as c  JOIN pg_attribute a ON (a.attrelid = c.oid)  JOIN pg_type t ON (a.atttypid = t.oid)  JOIN pg_namespace n ON (c.relnamespace = n.oid) WHERE a.attnum > 0 AND c.relname = 'events' AND n.nspname = 'public' ORDER BY a.attnum
-- next
SELECT a.attname, a.attnum, t.typname, a.attlen, a.attnotNULL, a.atthasdef, a.attndims, t.typtype, d.description FROM pg_class as c  JOIN pg_attribute a ON (a.attrelid = c.oid)  JOIN pg_type t ON (a.atttypid = t.oid)  JOIN pg_namespace n ON (c.relnamespace = n.oid)  LEFT JOIN pg_description d ON (d.objoid=a.attrelid AND d.objsubid=a.attnum AND c.oid=d.objoid) WHERE a.attnum > 0  AND c.relname = 'events' AND n.nspname = 'public' ORDER BY a.attnum
-- next
SELECT oid, relname FROM pg_class WHERE relname = 'orders'
-- next
select relname from pg_class where oid=1259
-- next
select oid,typname from pg_type
-- next
SELECT table_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position
-- next
SELECT RELNAME FROM PG_CLASS WHERE OID=13295
-- next
SELECT TYPNAME FROM PG_TYPE WHERE OID=19
