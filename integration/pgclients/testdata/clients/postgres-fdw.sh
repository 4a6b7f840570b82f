#!/bin/sh
# postgres_fdw: the foreign tables of a PostgreSQL server. Statements and rows cost much, so that the server pushes down what it can.
set -eu
. "$(dirname "$0")/server.sh"
own <<SQL
CREATE EXTENSION postgres_fdw;
CREATE SERVER shop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$PGHOST', port '$PGPORT', dbname '$PGDATABASE', fdw_startup_cost '1000000', fdw_tuple_cost '1000');
CREATE USER MAPPING FOR postgres SERVER shop OPTIONS (user '$PGUSER', password '$PGPASSWORD');
IMPORT FOREIGN SCHEMA public FROM SERVER shop INTO public;
CREATE FOREIGN TABLE wrong (nothing text) SERVER shop OPTIONS (table_name 'orders');
SQL
pushed() { # pushed SQL PART: the port gets the part
	own -c "EXPLAIN (VERBOSE, COSTS OFF) $1" | grep -q "Remote SQL: .*$2" || { echo "not pushed down: $1" >&2; exit 1; }
}
code() { own -c "$1" 2>&1 >/dev/null | sed -n 's/^ERROR:  *//p'; }
echo "list: $(own -c "SELECT string_agg(foreign_table_name, ',' ORDER BY 1) FROM information_schema.foreign_tables WHERE foreign_table_name <> 'wrong'")"
echo "describe: $(own -c "SELECT string_agg(column_name, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'orders'")"
echo "types: $(own -c "SELECT string_agg(data_type, ',' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'orders'")"
regions="SELECT c.region, sum(o.amount), count(*) FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY c.region ORDER BY c.region"
pushed "$regions" 'JOIN.*GROUP BY'
echo "query: $(own -c "$regions" | join)"
paid="SELECT order_id, amount FROM orders WHERE status IN ('completed', 'none') AND amount > 60 ORDER BY order_id"
pushed "$paid" 'ANY.*ORDER BY'
echo "parameter: $(own -c "$paid" | join)"
echo "date: $(own -c "SELECT status, sum(amount) FROM orders WHERE order_date >= '2024-02-01' AND order_date < '2024-03-01' GROUP BY status ORDER BY status" | join)"
# After five executions the server plans the statement once for all parameters.
prepared=$(for id in 1 2 3 4 5 6 4; do echo "EXECUTE one($id);"; done)
generic=$(printf 'PREPARE one(bigint) AS SELECT amount FROM orders WHERE order_id = $1;\n%s\n' "$prepared" | own | join)
[ "$generic" = "100.00;50.00;80.00;30.00;120.00;70.00;30.00" ] || { echo "parameters: $generic" >&2; exit 1; }
[ "$(own -c "SELECT revenue FROM orders WHERE order_id = 5")" = 120.00 ] || { echo "a metric of one row differs" >&2; exit 1; }
pushed "SELECT n FROM numbers ORDER BY n LIMIT 10" 'ORDER BY.*LIMIT'
echo "cursor: $(own -c "SELECT count(n) || '/' || sum(n) FROM (SELECT n FROM numbers ORDER BY n LIMIT 10000) t")"
echo "error: $(code 'SELECT nothing FROM wrong')"
echo "cancel: $(code "SET statement_timeout = 1000; $SLOW")"
echo "again: $(own -c 'SELECT count(*) FROM orders')"
