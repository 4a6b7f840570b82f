#!/bin/sh
# pg_dump: the definitions of the model, in a PostgreSQL server.
set -eu
pg_dump --schema-only --no-password --no-owner --no-privileges >"${dump:=$(mktemp)}"
. "$(dirname "$0")/server.sh"
own <"$dump" >/dev/null
rm "$dump"
names() { own -c "SELECT string_agg($1, ',' ORDER BY $2) FROM information_schema.$3"; }
echo "list: $(names table_name table_name "tables WHERE table_schema = 'public'")"
echo "describe: $(names column_name ordinal_position "columns WHERE table_name = 'orders'")"
echo "types: $(names data_type ordinal_position "columns WHERE table_name = 'orders'")"
echo "key: $(names k.column_name k.column_name "key_column_usage k JOIN information_schema.table_constraints c USING (constraint_name) WHERE c.constraint_type = 'PRIMARY KEY' AND c.table_name = 'orders'")"
echo "foreign key: $(names "k.column_name || '>' || u.table_name" k.column_name "key_column_usage k JOIN information_schema.constraint_column_usage u USING (constraint_name) JOIN information_schema.table_constraints c USING (constraint_name) WHERE c.constraint_type = 'FOREIGN KEY'")"
