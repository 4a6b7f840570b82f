select tablename from pg_tables where schemaname !='information_schema' and schemaname !='pg_catalog'
-- next
select attnotnull from pg_attribute where attrelid=12033 and attnum='2'
-- next
SELECT current_schema()
-- next
select tablename from pg_tables where schemaname !='information_schema' and schemaname !='pg_catalog' and schemaname='public' and tablename='orders'
-- next
select a.attname from pg_attribute a, pg_class c, pg_tables t, pg_namespace nsp where a.attrelid = c.oid and c.relname = tablename and c.relnamespace = nsp.oid and a.attnum > 0 and nspname = current_schema() and schemaname = nspname and tablename = 'orders'
-- next
select attnotnull from pg_attribute where attrelid=1249 and attnum='2'
-- next
select tablename from pg_tables where schemaname !='information_schema' and schemaname !='pg_catalog' and schemaname='public' and tablename='customers'
-- next
select a.attname from pg_attribute a, pg_class c, pg_tables t, pg_namespace nsp where a.attrelid = c.oid and c.relname = tablename and c.relnamespace = nsp.oid and a.attnum > 0 and nspname = current_schema() and schemaname = nspname and tablename = 'customers'
-- next
select tablename from pg_tables where schemaname !='information_schema' and schemaname !='pg_catalog' and schemaname='public' and tablename='Order Items'
-- next
select a.attname from pg_attribute a, pg_class c, pg_tables t, pg_namespace nsp where a.attrelid = c.oid and c.relname = tablename and c.relnamespace = nsp.oid and a.attnum > 0 and nspname = current_schema() and schemaname = nspname and tablename = 'Order Items'
