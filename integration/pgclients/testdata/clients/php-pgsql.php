<?php
// php-pgsql: metadata, parameters, a cursor, COPY, and a statement that is cancelled; PDO beside it.
$db = pg_connect("");

function join_rows($rows) {
    return implode(";", array_map(fn($row) => implode("|", array_map(fn($v) => $v ?? "NULL", array_values($row))), $rows));
}

echo "connect: ", pg_parameter_status($db, "server_version"), "\n";
$pdo = new PDO(sprintf("pgsql:host=%s;port=%s;dbname=%s", getenv("PGHOST"), getenv("PGPORT"), getenv("PGDATABASE")), getenv("PGUSER"), getenv("PGPASSWORD"));
$list = $pdo->prepare("SELECT table_name FROM information_schema.tables WHERE table_schema = ? ORDER BY 1");
$list->execute(["public"]);
echo "list: ", implode(",", $list->fetchAll(PDO::FETCH_COLUMN)), "\n";
$columns = pg_meta_data($db, "orders");
echo "describe: ", implode(",", array_keys($columns)), "\n";
echo "types: ", implode(",", array_column($columns, "type")), "\n";
echo "query: ", join_rows(pg_fetch_all(pg_query($db, "SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1"))), "\n";
echo "parameter: ", join_rows(pg_fetch_all(pg_query_params($db, 'SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id', ["completed", 60]))), "\n";
echo "null: ", join_rows(pg_fetch_all(pg_query($db, "SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id"))), "\n";
$found = [];
pg_query($db, "BEGIN");
pg_query($db, "DECLARE c NO SCROLL CURSOR FOR SELECT n FROM numbers ORDER BY n LIMIT 10000");
while ($rows = pg_fetch_all_columns(pg_query($db, "FETCH 1000 FROM c"))) {
    $found = array_merge($found, $rows);
}
pg_query($db, "COMMIT");
echo "cursor: ", count($found), "/", array_sum($found), "\n";
pg_send_query($db, "SELECT nothing FROM orders");
echo "error: ", pg_result_error_field(pg_get_result($db), PGSQL_DIAG_SQLSTATE), "\n";
while (pg_get_result($db));
// pg_cancel_query waits for the statement and discards its result, so that PDO shows the state.
pg_send_query($db, getenv("SLOW"));
sleep(1);
$begun = microtime(true);
if (!pg_cancel_query($db) || microtime(true) - $begun > 5) {
    echo "pg_cancel_query did not end the statement\n";
}
while (pg_get_result($db));
$pdo->exec("SET statement_timeout = 1000");
try {
    $pdo->query(getenv("SLOW"));
} catch (PDOException $e) {
    echo "cancel: ", $e->errorInfo[0], "\n";
}
echo "again: ", pg_fetch_result(pg_query($db, "SELECT COUNT(*) FROM orders"), 0, 0), "\n";
