package pgprotocol

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/floor"
)

// exchanges are scripts of messages, each for a separate session.
var exchanges = map[string]string{
	"several statements are one transaction": `
		Query SET application_name = 'a'
		Query SET application_name = 'b'; SELECT nothing FROM numbers
		Query SHOW application_name`,
	"an error ends the statements of a message": `
		Query SELECT n FROM numbers WHERE n < 2 ORDER BY n; SELECT nothing FROM numbers; SELECT n FROM numbers`,
	"positions count from the begin of the message": `
		Query SELECT 1;  SELECT nothing FROM numbers
		Query /* é */ SELECT 1; -- x\n SELECT n, nothing FROM numbers`,
	"positions in statements of a session": `
		Query EXPLAIN SELECT nothing FROM numbers
		Query EXPLAIN (COSTS off)  SELECT nothing FROM numbers
		Query COPY (SELECT nothing FROM numbers) TO STDOUT
		Query COPY (SELECT 'é', nothing FROM numbers) TO STDOUT
		Query PREPARE p AS SELECT nothing FROM numbers
		Query BEGIN
		Query DECLARE c CURSOR FOR SELECT nothing FROM numbers
		Query ROLLBACK`,
	"positions of the catalogue": `
		Query SELECT relname, nothing FROM pg_class
		Query SELECT 1; SELECT relname, nothing FROM pg_class
		Query COPY (SELECT nothing FROM pg_class) TO STDOUT
		Query SELECT nothing(1)
		Query SELECT 1 FROM pg_nothing`,
	"BEGIN within a message": `
		Query SET application_name = 'a'; BEGIN; SET application_name = 'b'; ROLLBACK
		Query SHOW application_name
		Query SET application_name = 'c'; ROLLBACK; SHOW application_name
		Query SET application_name = 'd'; COMMIT; SELECT nothing FROM numbers
		Query SHOW application_name`,
	"cursors within a message": `
		Query DECLARE c CURSOR FOR SELECT n FROM numbers ORDER BY n; FETCH 2 FROM c; FETCH 1 FROM c
		Query FETCH 1 FROM c
		Query DECLARE c CURSOR FOR SELECT n FROM numbers
		Query SAVEPOINT a; SELECT 1
		Query SELECT 1; SAVEPOINT a
		Query SELECT 1; DISCARD ALL
		Query SET LOCAL application_name = 'x'
		Query SELECT 1; SET LOCAL application_name = 'x'; SHOW application_name
		Query SHOW application_name`,
	"levels of isolation": `
		Query SHOW transaction_isolation
		Query SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE
		Query SHOW transaction_isolation
		Query SHOW default_transaction_isolation
		Query BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY
		Query SHOW TRANSACTION ISOLATION LEVEL
		Query SELECT current_setting('transaction_isolation')
		Query COMMIT
		Query SHOW transaction_isolation
		Query START TRANSACTION
		Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED
		Query SHOW transaction_isolation
		Query ROLLBACK
		Query SET TRANSACTION ISOLATION LEVEL READ COMMITTED
		Query SHOW transaction_isolation
		Query SET default_transaction_isolation TO 'repeatable read'
		Query SHOW transaction_isolation
		Query BEGIN ISOLATION LEVEL nothing
		Query RESET default_transaction_isolation
		Query SHOW transaction_isolation`,
	"COMMIT AND CHAIN": `
		Query COMMIT AND CHAIN
		Query ROLLBACK AND CHAIN
		Query BEGIN
		Query COMMIT AND CHAIN
		Query SELECT nothing FROM numbers
		Query COMMIT AND CHAIN
		Query ROLLBACK AND NO CHAIN`,
	"transactions": `
		Query BEGIN
		Query BEGIN
		Query SAVEPOINT a
		Query SELECT 1/0 FROM nothing
		Query SELECT 1
		Query 
		Query RELEASE a
		Query ROLLBACK TO SAVEPOINT nothing
		Query ROLLBACK TO a
		Query RELEASE SAVEPOINT a
		Query RELEASE SAVEPOINT a
		Query COMMIT
		Query COMMIT
		Query ROLLBACK
		Query ROLLBACK TO a
		Query RELEASE a
		Query END WORK
		Query ABORT TRANSACTION`,
	"variables return to what they were": `
		Query BEGIN
		Query SET application_name = 'a'
		Query SAVEPOINT s
		Query SET LOCAL application_name = 'b'
		Query ROLLBACK TO s
		Query SHOW application_name
		Query ROLLBACK
		Query SHOW application_name
		Query BEGIN; SET LOCAL application_name = 'c'
		Query SET application_name = 'd'
		Query COMMIT
		Query SHOW application_name
		Query BEGIN; SET application_name = 'e'; SET LOCAL application_name = 'f'; COMMIT
		Query SHOW application_name
		Query RESET application_name
		Query BEGIN; SELECT set_config('application_name', 'g', true); COMMIT
		Query SHOW application_name
		Query SELECT set_config('application_name', 'h', false)
		Query SELECT current_setting('application_name')`,
	"values of variables": `
		Query SET statement_timeout = 5000
		Query SHOW statement_timeout
		Query SET statement_timeout = '1.5s'
		Query SHOW statement_timeout
		Query SET statement_timeout = '2 min'
		Query SHOW statement_timeout
		Query SET statement_timeout = '90min'
		Query SHOW statement_timeout
		Query SET statement_timeout = -1
		Query SET statement_timeout = 'soon'
		Query SET statement_timeout = 99999999999
		Query SET statement_timeout TO DEFAULT
		Query SHOW statement_timeout
		Query SET enable_seqscan = 0
		Query SHOW enable_seqscan
		Query SET enable_seqscan = tru
		Query SHOW enable_seqscan
		Query SET enable_seqscan = perhaps
		Query SET extra_float_digits = 3
		Query SHOW extra_float_digits
		Query SET extra_float_digits = 'a'
		Query SET extra_float_digits = 4
		Query SET bytea_output = 'nothing'
		Query SET client_min_messages = WARNING
		Query SHOW client_min_messages
		Query SET client_min_messages = 'nothing'
		Query SET nothing = 1
		Query SET my.variable = 'x'
		Query SHOW my.variable
		Query SHOW my.other
		Query RESET nothing
		Query RESET my.variable
		Query SHOW my.variable
		Query SHOW nothing
		Query SET search_path TO a, "B c"
		Query SHOW search_path
		Query SET search_path TO ''
		Query SHOW search_path
		Query SET server_version = '1'
		Query SET default_transaction_isolation = 'serializable'
		Query SHOW default_transaction_isolation
		Query SET default_transaction_isolation = 'nothing'
		Query SET work_mem = '64MB'
		Query SHOW work_mem
		Query SET SESSION CHARACTERISTICS AS TRANSACTION nothing
		Query SET TRANSACTION nothing`,
	"statements without text": `
		Query 
		Query ;;
		Query -- nothing
		Parse |
		Bind ||
		DescribeStatement 
		DescribePortal 
		Execute 
		Sync`,
	"statements without text in a failed transaction": `
		Query BEGIN
		Query SELECT nothing FROM numbers
		Query 
		Query SELECT 1
		Parse |
		Bind ||
		Execute 
		Sync
		Parse |COMMIT
		Bind ||
		Execute 
		Sync`,
	"Describe before Bind": `
		Parse s|SELECT status FROM orders WHERE status = $1 AND order_id > $2 AND amount < $3 LIMIT $4
		DescribeStatement s
		Sync
		Parse t|SELECT order_id, status, amount, order_date, placed_at, weight, rushed FROM orders WHERE order_date >= $1 AND placed_at < $2 AND weight > $3 AND rushed = $4
		DescribeStatement t
		Sync
		Parse u|SELECT COUNT(*), SUM(order_id), SUM(amount), MIN(order_date), MAX(weight) FROM orders WHERE order_id = $1::int4 OR amount BETWEEN $2 AND $3
		DescribeStatement u
		Sync
		Parse v|SELECT n FROM numbers WHERE n = $1|23
		DescribeStatement v
		Sync
		DescribeStatement nothing
		Sync`,
	"portals": `
		Parse s|SELECT n FROM numbers ORDER BY n
		Bind p|s
		Bind p|s
		Sync
		Bind p|s
		DescribePortal p
		Execute p|3
		Execute p|3
		Execute p|4
		Execute p|4
		Execute p
		ClosePortal p
		ClosePortal p
		Execute p
		Sync
		Bind |s|1
		DescribePortal 
		Execute |1
		Bind |s
		Execute |1
		Sync
		Execute 
		Sync
		DescribePortal 
		Sync
		CloseStatement s
		CloseStatement s
		Bind |s
		Sync`,
	"portals in a transaction": `
		Query BEGIN
		Parse s|SELECT n FROM numbers ORDER BY n
		Bind p|s
		Execute p|2
		Sync
		Execute p|2
		Sync
		Query FETCH 1 FROM p
		Query SAVEPOINT a
		Bind q|s
		Execute q|1
		Sync
		Query SELECT nothing FROM numbers
		Query ROLLBACK TO a
		Execute q|1
		Sync
		Query ROLLBACK TO a
		Execute p|1
		Sync
		Query CLOSE p
		Execute p|1
		Sync
		Query COMMIT`,
	"the unnamed portal and statement": `
		Query BEGIN
		Parse |SELECT n FROM numbers ORDER BY n
		Bind 
		Execute |2
		Sync
		Execute |2
		Sync
		Query SELECT 1
		Execute |2
		Sync
		Query ROLLBACK
		Bind 
		Sync`,
	"everything to Sync is skipped": `
		Parse s|SELECT nothing FROM numbers WHERE n = 1
		Bind |s
		Execute 
		Parse t|SELECT n FROM numbers
		Sync
		Bind |t
		Sync
		Parse |SELECT 1; SELECT 2
		Sync
		Parse |SET application_name = 'a'
		Bind 
		Execute 
		Parse e|SELECT nothing FROM numbers WHERE n = 1
		Sync
		Query SHOW application_name`,
	"a pipeline is one transaction": `
		Parse |SET application_name = 'a'
		Bind 
		Execute 
		Parse |SET LOCAL application_name = 'b'
		Bind 
		Execute 
		Parse |SHOW application_name
		Bind 
		Execute 
		Sync
		Query SHOW application_name
		Parse |DECLARE c CURSOR FOR SELECT n FROM numbers ORDER BY n
		Bind 
		Execute 
		Parse |FETCH 2 FROM c
		DescribeStatement 
		Bind 
		DescribePortal 
		Execute 
		Sync`,
	"statements of a session": `
		Parse a|SET application_name = 'x'
		DescribeStatement a
		Bind |a
		DescribePortal 
		Execute 
		Execute 
		Sync
		Parse b|SHOW application_name
		DescribeStatement b
		Bind |b
		DescribePortal 
		Execute 
		Sync
		Parse c|BEGIN
		DescribeStatement c
		Bind |c
		Execute |1
		Sync
		Query ROLLBACK`,
	"values of parameters": `
		Parse s|SELECT order_id FROM orders WHERE order_id = $1|20
		Bind |s|:2
		Execute 
		Sync
		Bind |s|: 2 
		Execute 
		Sync
		Bind |s|:x
		Sync
		Bind |s|:1,2
		Sync
		Bind |s
		Sync
		Bind |s|0 0:1
		Sync
		Bind |s|:NULL
		Execute 
		Sync
		BindBinary |s|0000000000000003
		Execute 
		Sync
		BindBinary |s|000000000000000000
		Sync
		Parse t|SELECT order_id FROM orders WHERE order_date = $1
		Bind |t|:2024-02-05
		Execute 
		Sync
		BindBinary |t|00002244
		Execute 
		Sync
		Parse u|SELECT order_id FROM orders WHERE rushed = $1
		Bind |u|:t
		Execute 
		Sync
		Bind |u|:off
		Execute 
		Sync
		Bind |u|:maybe
		Sync
		BindBinary |u|01
		Execute 
		Sync
		Parse v|SELECT order_id FROM orders WHERE amount > $1 ORDER BY 1
		Bind |v|:1e1
		Execute 
		Sync
		Parse w|SELECT order_id FROM orders WHERE placed_at = $1
		Bind |w|:2024-01-05T10:00:00.5
		Execute 
		Sync
		Bind |w|:2024-02-05
		Execute 
		Sync
		Parse x|SELECT n FROM numbers ORDER BY n LIMIT $1
		Bind |x|:2
		Execute 
		Sync
		Bind |x|:NULL
		Execute |1
		Sync`,
	"parameters of statements that hold a query": `
		Query BEGIN
		Parse |DECLARE c CURSOR FOR SELECT n FROM numbers WHERE n < $1 ORDER BY n
		DescribeStatement 
		Bind ||:2
		Execute 
		Sync
		Query FETCH ALL FROM c
		Parse d|DECLARE d BINARY CURSOR FOR SELECT relname FROM pg_class WHERE relname = $1 ORDER BY 1|25
		DescribeStatement d
		Bind |d|:pg_class
		Execute 
		Sync
		Query FETCH ALL FROM d
		Parse |DECLARE e CURSOR FOR SELECT n FROM numbers WHERE nothing < $1
		Sync
		Query ROLLBACK
		Parse x|EXPLAIN SELECT n FROM numbers WHERE n < $1
		DescribeStatement x
		Bind |x|:x
		Sync
		Bind |x
		Sync
		Parse |EXPLAIN SELECT n FROM numbers WHERE nothing < $1
		Sync`,
	"intervals as values of parameters": `
		Parse s|SELECT order_id FROM orders WHERE order_date > DATE '2024-02-05' - $1::interval ORDER BY 1
		DescribeStatement s
		Bind |s|:40 days
		Execute 
		Sync
		BindBinary |s|00000000000000000000000000000002
		Execute 
		Sync
		BindBinary |s|00000000000000000000002800000000
		Execute 
		Sync
		BindBinary |s|0000000a0eebb0000000000000000000
		Execute 
		Sync
		Parse t|SELECT n FROM numbers ORDER BY n LIMIT $1::bigint OFFSET $2::int
		DescribeStatement t
		Bind |t|:2,1
		Execute 
		Sync`,
	"arrays as values of parameters": `
		Parse s|SELECT order_id FROM orders WHERE status = ANY ($1)
		DescribeStatement s
		Bind |s|:{completed}
		Execute 
		Sync
		Bind |s|:{}
		Execute 
		Sync
		Bind |s|:NULL
		Execute 
		Sync
		Bind |s|:completed
		Sync
		BindBinary |s|000000010000000000000019000000010000000100000009636f6d706c65746564
		Execute 
		Sync
		BindBinary |s|000000000000000000000019
		Execute 
		Sync
		BindBinary |s|00000001
		Sync
		Parse t|SELECT order_id FROM orders WHERE order_id <> ALL ($1::"int8"[]) ORDER BY 1
		DescribeStatement t
		Bind |t|:{3}
		Execute 
		Sync
		Bind |t|:{x}
		Sync
		BindBinary |t|000000010000000100000014000000020000000100000008000000000000000100000008000000000000ffff
		Execute 
		Sync
		BindBinary |t|0000000100000001000000140000000200000001000000080000000000000001ffffffff
		Execute 
		Sync
		Parse u|SELECT order_id FROM orders WHERE order_date = ANY ($1)|1182
		DescribeStatement u
		BindBinary |u|00000001000000000000043a00000001000000010000000400002244
		Execute 
		Sync
		Parse v|SELECT order_id FROM orders WHERE status = ANY ($1::text[])|25
		DescribeStatement v
		Bind |v|:{completed}
		Execute 
		Sync
		Query PREPARE w (bigint[]) AS SELECT n FROM numbers WHERE n = ANY ($1) ORDER BY n
		Query EXECUTE w ('{2,1}')
		Query EXECUTE w ('{3}'::bigint[])
		Parse |SELECT $1 = ANY ('{a,b}'::text[]), 2 = ANY ($2)
		DescribeStatement 
		BindBinary ||61,00000001000000000000001700000001000000010000000400000002
		Execute 
		Sync`,
	"PREPARE and EXECUTE": `
		Query PREPARE p AS SELECT n FROM numbers WHERE n < $1 ORDER BY n
		Query PREPARE p AS SELECT 1
		Query EXECUTE p(2)
		Query EXECUTE nothing
		Query PREPARE q (bigint, text) AS SELECT order_id, $2 FROM orders WHERE order_id = $1
		Query EXECUTE q(1, 'a''b')
		Query EXECUTE q('1', NULL)
		Parse |EXECUTE p(3)
		DescribeStatement 
		Bind ||1
		DescribePortal 
		Execute |2
		Execute 
		Sync
		Query DEALLOCATE p
		Query DEALLOCATE p
		Query DEALLOCATE ALL
		Bind |q
		Sync`,
	"cursors": `
		Query BEGIN
		Query DECLARE c NO SCROLL CURSOR FOR SELECT n FROM numbers ORDER BY n
		Query SAVEPOINT a
		Query DECLARE c CURSOR FOR SELECT 1
		Query ROLLBACK TO a
		Query FETCH c
		Query FETCH 2 c
		Query FETCH FORWARD IN c
		Query MOVE 2 IN c
		Query FETCH NEXT FROM c
		Query MOVE FORWARD ALL FROM c
		Query FETCH ALL FROM c
		Query FETCH BACKWARD 1 FROM c
		Query ROLLBACK TO a
		Query CLOSE c
		Query CLOSE c
		Query ROLLBACK
		Query CLOSE ALL
		Query BEGIN; DECLARE b BINARY CURSOR FOR SELECT n FROM numbers ORDER BY n
		Query FETCH 1 FROM b
		Parse |FETCH 1 FROM b
		Bind 
		DescribePortal 
		Execute 
		Sync
		Query ROLLBACK`,
	"COPY": `
		Query COPY (SELECT order_id, status, amount, rushed FROM orders ORDER BY order_id) TO STDOUT
		Query COPY (SELECT order_id, status, amount, rushed FROM orders ORDER BY order_id) TO STDOUT WITH (FORMAT csv, HEADER)
		Query COPY (SELECT order_id, status, amount, rushed FROM orders ORDER BY order_id) TO STDOUT (FORMAT csv, DELIMITER ';', NULL 'none', QUOTE '''', FORCE_QUOTE *, ESCAPE '\')
		Query COPY (SELECT order_id, status FROM orders ORDER BY order_id) TO STDOUT WITH CSV HEADER
		Query COPY (SELECT order_id, status FROM orders ORDER BY order_id) TO STDOUT (HEADER)
		Query COPY (SELECT status FROM orders WHERE order_id = 3) TO STDOUT (DELIMITER '|')
		Query COPY (SELECT order_id FROM orders WHERE order_id = 9) TO STDOUT
		Query COPY (SELECT order_id FROM orders) TO STDOUT (FORMAT csv, FORMAT csv)
		Query COPY (SELECT order_id FROM orders) TO STDOUT (nothing)
		Parse |COPY (SELECT order_id FROM orders ORDER BY order_id) TO STDOUT
		DescribeStatement 
		Bind 
		DescribePortal 
		Execute |1
		Sync
		Query SELECT 1; COPY (SELECT n FROM numbers WHERE n < 2 ORDER BY n) TO STDOUT; SELECT 2`,
	"COPY of relations and in binary format": `
		Query COPY (SELECT order_id FROM orders ORDER BY order_id) TO STDOUT (FORMAT 'csv')
		Query COPY (SELECT order_id FROM orders ORDER BY order_id) TO STDOUT (FORMAT "text", NULL 'x')
		Query COPY (SELECT order_id, status, amount, order_date, placed_at, weight, rushed FROM orders ORDER BY order_id) TO STDOUT (FORMAT binary)
		Query COPY (SELECT order_id FROM orders WHERE order_id = 9) TO STDOUT WITH (FORMAT 'binary')
		Query COPY (SELECT n FROM numbers ORDER BY n LIMIT 2) TO STDOUT WITH BINARY
		Query COPY (SELECT n FROM numbers) TO STDOUT (FORMAT binary, DELIMITER ',')
		Query COPY (SELECT n FROM numbers) TO STDOUT (FORMAT binary, HEADER)
		Query COPY (SELECT n FROM numbers) TO STDOUT (FORMAT nothing)
		Query COPY (SELECT relname, relkind FROM pg_class WHERE relname = 'pg_class') TO STDOUT (FORMAT binary)
		Query COPY orders TO STDOUT
		Query COPY "orders" (status, order_id) TO STDOUT (FORMAT csv, HEADER)
		Query COPY numbers (nothing) TO STDOUT
		Query COPY nowhere TO STDOUT
		Query COPY numbers (n FROM orders UNION SELECT n) TO STDOUT
		Parse |COPY numbers TO STDOUT (FORMAT binary)
		DescribeStatement 
		Bind 
		Execute 
		Sync`,
	"numbers of columns": `
		Query SELECT o.placed_at AS x, o.*, o.order_id + 1 AS y, status || '' FROM orders o WHERE order_id = 1
		Query SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY 1 LIMIT 1
		Query SELECT DISTINCT rushed FROM orders WHERE order_id = 1
		Query SELECT t.k, t.z FROM (SELECT n AS k, n + 1 AS z FROM numbers) AS t WHERE t.k = 1
		Query SELECT order_date + order_id * INTERVAL '1 day' AS due, order_date - INTERVAL '1 day' * 2 AS was FROM orders WHERE order_id = 1
		Parse s|SELECT status, amount FROM orders WHERE order_id = $1
		DescribeStatement s
		Bind |s|1:1
		DescribePortal 
		Execute 
		Sync`,
	"formats of columns": `
		Parse s|SELECT order_id, status, amount, order_date, placed_at, weight, rushed FROM orders ORDER BY order_id
		DescribeStatement s
		Bind |s|1
		DescribePortal 
		Execute 
		Sync
		Bind |s|0 0 0 1 1 0 1
		DescribePortal 
		Execute 
		Sync
		Bind |s
		Execute 
		Sync`,
	"rows that do not exist": `
		Query SELECT n FROM numbers WHERE 1 = 0
		Query SELECT n FROM numbers LIMIT 0
		Query SELECT COUNT(*) FROM numbers WHERE FALSE`,
	"errors": `
		Query SELEKT
		Query SELECT n FROM nowhere
		Query SELECT n FROM nowhere.numbers
		Query SELECT numbers.x FROM numbers
		Query SELECT x.n FROM numbers
		Query SELECT n FROM numbers WHERE n = 'x'
		Query SELECT nothing(n) FROM numbers
		Query SELECT n FROM numbers GROUP BY 2
		Query SELECT n FROM numbers ORDER BY 2
		Query SELECT n FROM numbers WHERE SUM(n) > 1
		Query SELECT status, COUNT(*) FROM orders
		Query SELECT order_date FROM orders WHERE order_date > 'x'
		Query SELECT 'open
		Query SELECT (1
		Query SELECT n FROM numbers WHERE (n = 1
		Query SELECT n FROM numbers)`,
	"functions and operators of the catalogue": `
		Query SELECT b'0100' AS four, 20::int::bit(7) & b'0000100'
		Query SELECT regexp_split_to_array('a, b', ', '), regexp_split_to_array('a1b22c', '[0-9]+')
		Query SELECT jsonb_object_agg(typname, typtype) FROM pg_type WHERE typname IN ('int8', 'bool', 'text')
		Query SELECT json_object_agg(typname, typlen) FROM pg_type WHERE typname = 'int8'
		Query SELECT json_agg(typname ORDER BY typname), jsonb_agg(typlen ORDER BY typlen) FROM pg_type WHERE typname IN ('int8', 'bool')
		Query SELECT json_agg(typname) FROM pg_type WHERE typname = 'nothing'
		Query SELECT json_agg(t) FROM (SELECT typname, typlen FROM pg_type WHERE typname IN ('int8', 'bool') ORDER BY 1) AS t
		Query SELECT row_to_json(t) FROM (SELECT typname, typlen, NULL::text AS x, typbyval AS "Y" FROM pg_type WHERE typname = 'int8') AS t
		Query SELECT to_json('a"b'::text), to_json(1), to_json(true)
		Query SELECT round(1.2345::numeric, 2), round(-1.25, 1), round(7.125, 2)
		Query SELECT DATE 'epoch' + 966334000 * INTERVAL '1 second', date '2024-01-31' + interval '1 month', timestamp '2024-03-01' - '2 days'::interval
		Query SELECT t.typname FROM pg_type AS t, LATERAL (SELECT o.typname FROM pg_type AS o WHERE o.oid = t.oid AND o.typlen = ALL (ARRAY[8, 8])) AS u WHERE t.typname IN ('int8', 'bool')
		Query SELECT 1 = ALL ('{}'::int[]), 1 = ALL ('{1,1}'::int[]), 1 = ALL (ARRAY[1, 2]), 1 <> ANY (ARRAY[1, 2]), NULL::int = ALL (ARRAY[1])
		Query SELECT row_to_json(1)`,
	"sessions and locks": `
		Query SELECT pg_advisory_unlock_all()
		Parse |SELECT pg_advisory_unlock_all()
		DescribeStatement 
		Bind ||1
		Execute 
		Sync
		Query SELECT count(*), min(state), min(backend_type) FROM pg_stat_activity WHERE pid = pg_backend_pid()
		Query SELECT query, usename = current_user, datname = current_database() FROM pg_stat_activity WHERE pid = pg_backend_pid()
		Query SELECT pg_cancel_backend(NULL), pg_terminate_backend(NULL)
		Query SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = 0
		Query SELECT set_config(name, 'a', false) FROM pg_settings WHERE name = 'application_name'
		Query SHOW application_name`,
	"statements without a relation": `
		Query SELECT 1
		Query SELECT 1 AS x, 'a' AS "Y", NULL, TRUE
		Query SELECT 1::int8, 1::int2, 1.5, 1.5::float8, 1e3, 'a'::varchar, 'b'::name
		Query SELECT 7 / 2, 7 % 3, -7 / 2, 2 + 3 * 4, 1 - 1.5
		Query SELECT date '2024-02-29', timestamp '2024-02-29 10:00:00.5'
		Query SELECT ARRAY[1, 2], '{a,b}'::text[], ARRAY['x y', NULL, 'q"']
		Query SELECT 'a' || 1, upper('aé'), length('é'), coalesce(NULL, 2), nullif(1, 1)
		Query SELECT CASE WHEN 1 = 2 THEN 'a' ELSE 'b' END, 1 IN (1, 2), 1 BETWEEN 0 AND 2, NULL IS NULL
		Query SELECT 'x'::int
		Query SELECT 1 % (2 - 2)
		Query SELECT 1.5 / 0
		Query SELECT 6 / NULL::int, 6 % n FROM generate_series(4, 5) AS g (n)
		Query SELECT 1 / 0
		Query SELECT 'it''s', E'a\\nb', $$dollar$$
		Query SELECT true AND NULL, NOT false, 'a' LIKE 'A%', 'a' ILIKE 'A%'
		Query VALUES (1, 'a'), (2, NULL)
		Query SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (x, y) ORDER BY 1 DESC
		Query SELECT * FROM generate_series(1, 3) AS g
		Query SELECT count(*), sum(g), max(g), string_agg(g::text, ',' ORDER BY g) FROM generate_series(1, 3) AS g
		Query WITH x AS (SELECT 1 AS a UNION ALL SELECT 2) SELECT a FROM x ORDER BY a
		Query SELECT current_schema() IS NOT NULL, current_setting('search_path') IS NOT NULL
		Query SELECT 2147483647 + 1
		Query SELECT 9223372036854775807
		Query SELECT 1234567890.123456789, 0.1 + 0.2, 1e-3, '12.25'::numeric
		Parse |SELECT $1::int + 1, $2::text
		DescribeStatement 
		Bind ||:2,b
		Sync
		Parse |SELECT $1
		DescribeStatement 
		Bind ||:x
		Execute 
		Sync
		Parse |SELECT 1 WHERE $1
		DescribeStatement 
		Bind ||1:t
		DescribePortal 
		Execute 
		Sync`,
	"rows of a statement of the session in parts": `
		Parse |SHOW application_name
		Bind 
		Execute |1
		Execute |1
		Sync
		Parse |SELECT relname FROM pg_class WHERE relname IN ('pg_class', 'pg_type', 'pg_proc') ORDER BY 1
		Bind 
		DescribePortal 
		Execute |2
		Execute |2
		Sync
		Query BEGIN
		Query DECLARE c CURSOR FOR SELECT relname FROM pg_class WHERE relname IN ('pg_class', 'pg_type', 'pg_proc') ORDER BY 1
		Query FETCH 2 FROM c
		Query FETCH 2 FROM c
		Query COPY (SELECT relname FROM pg_class WHERE relname = 'pg_class') TO STDOUT
		Query COMMIT`,
}

func TestPort_AnswersMessagesAsPostgreSQLDoes(t *testing.T) {
	port, postgresql := openPort(t), openPostgreSQL(t)
	checked := 0
	for name, script := range exchanges {
		t.Run(name, func(t *testing.T) {
			want, got := open(t, postgresql).exchange(t, script), open(t, port).exchange(t, script)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			checked += len(want)
		})
	}
	floor.CheckCount(t, "messages", checked, 500)
}
