#!/bin/sh
# psql: its commands about relations, a prepared statement, a cursor (FETCH_COUNT), COPY, and Ctrl-C.
set -u
ask() { psql --no-psqlrc --quiet --no-align --tuples-only --variable=VERBOSITY=sqlstate "$@" 2>&1; }
line() { paste -s -d "$1" -; }
echo "connect: $(ask -c 'SHOW server_version')"
echo "list: $(ask -c '\dt' | cut -d '|' -f 2 | line ,)"
echo "describe: $(ask -c '\d orders' | grep '^[a-z_]*|' | cut -d '|' -f 1 | line ,)"
echo "types: $(ask -c '\d orders' | grep '^[a-z_]*|' | cut -d '|' -f 2 | line ,)"
echo "query: $(ask -c 'SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1' | line ';')"
echo "parameter: $(ask -c 'PREPARE p AS SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id' -c "EXECUTE p('completed', 60)" | line ';')"
echo "null: $(ask --pset=null=NULL -c 'SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id' | line ';')"
echo "cursor: $(ask --set=FETCH_COUNT=1000 -c 'SELECT n FROM numbers ORDER BY n LIMIT 10000' | awk '{s += $1} END {print NR "/" s}')"
echo "copy: $(ask -c '\copy (SELECT n FROM numbers ORDER BY n LIMIT 10000) TO STDOUT' | awk '{s += $1} END {print NR "/" s}')"
echo "error: $(ask -c 'SELECT nothing FROM orders' | sed 's/.*: *//')"
echo "cancel: $(timeout -s INT 2 psql --no-psqlrc --variable=VERBOSITY=sqlstate -c "$SLOW" 2>&1 | grep -o '57014')"
echo "again: $(ask -c 'SELECT COUNT(*) FROM orders')"
