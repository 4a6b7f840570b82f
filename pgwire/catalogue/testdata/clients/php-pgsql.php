#!/usr/bin/php
<?php
// What php-pgsql and PDO ask for what they know of tables and columns.
$db = pg_connect("");
foreach (["orders", "customers", "events"] as $table) {
    pg_meta_data($db, $table);
    pg_meta_data($db, $table, true);
}
$rows = pg_query($db, "SELECT oid, relname FROM pg_class WHERE relname = 'orders'");
pg_field_table($rows, 0);
pg_field_type($rows, 1);
$pdo = new PDO("pgsql:host=" . getenv("PGHOST") . ";port=" . getenv("PGPORT") . ";dbname=" . getenv("PGDATABASE"), getenv("PGUSER"), getenv("PGPASSWORD"));
$columns = $pdo->query("SELECT table_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position");
for ($i = 0; $i < $columns->columnCount(); $i++) {
    $columns->getColumnMeta($i);
}
