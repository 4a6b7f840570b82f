package tables

// catalogStatements read the catalog of a warehouse. Each has fixed columns:
//
//	tables       schema, table, in default schema, view, comment, known to be empty
//	columns      schema, table, column, type, nullable, comment
//	keys         schema, table, key, primary, column
//	readForeignKeys  schema, table, key, column, schema, table and column that it references
//
// Keys have one row for each column, those of one key together and in order. An empty
// statement stands for keys that the warehouse does not enforce.
type catalogStatements struct{ tables, columns, keys, foreignKeys string }

// catalogStatementsForDialect returns the statements of a dialect, for the default schema or for every
// schema but those of the warehouse itself.
func catalogStatementsForDialect(dialect string, inDefault bool) (catalogStatements, bool) {
	switch dialect {
	case "duckdb":
		return duckdbCatalogStatements(inDefault), true
	case "sqlite":
		return sqliteCatalogStatements(), true
	case "postgres":
		return postgresCatalogStatements(inDefault), true
	case "redshift":
		return redshiftCatalogStatements(inDefault), true
	case "mysql", "mariadb", "tidb":
		return mysqlCatalogStatements(inDefault), true
	case "starrocks", "doris":
		s := mysqlCatalogStatements(inDefault)
		s.keys, s.foreignKeys = "", ""
		return s, true
	case "clickhouse":
		return clickhouseCatalogStatements(inDefault), true
	}
	return catalogStatements{}, false
}

// schemaCondition returns the condition for the default schema or the one for all schemas.
func schemaCondition(inDefault bool, one, all string) string {
	if inDefault {
		return one
	}
	return all
}

func duckdbCatalogStatements(inDefault bool) catalogStatements {
	where := " WHERE NOT internal AND database_name = current_database()" + schemaCondition(inDefault, " AND schema_name = current_schema()", "")
	keys := where[len(" WHERE NOT internal AND "):]
	return catalogStatements{
		tables: "SELECT schema_name, table_name, schema_name = current_schema(), false, comment, estimated_size = 0 FROM duckdb_tables()" + where +
			" AND NOT temporary UNION ALL SELECT schema_name, view_name, schema_name = current_schema(), true, comment, false FROM duckdb_views()" + where,
		columns: "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()" + where +
			" ORDER BY schema_name, table_name, column_index",
		keys: "SELECT schema_name, table_name, key, is_primary, name FROM (SELECT schema_name, table_name, constraint_index AS key," +
			" constraint_type = 'PRIMARY KEY' AS is_primary, unnest(constraint_column_names) AS name," +
			" unnest(range(len(constraint_column_names))) AS position FROM duckdb_constraints()" +
			" WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE') AND " + keys + ") ORDER BY schema_name, table_name, key, position",
		foreignKeys: "SELECT schema_name, table_name, key, name, schema_name, referenced_table, reference FROM (SELECT schema_name, table_name," +
			" constraint_index AS key, referenced_table, unnest(constraint_column_names) AS name," +
			" unnest(referenced_column_names) AS reference, unnest(range(len(constraint_column_names))) AS position FROM duckdb_constraints()" +
			" WHERE constraint_type = 'FOREIGN KEY' AND " + keys + ") ORDER BY schema_name, table_name, key, position",
	}
}

// sqliteCatalogStatements has one schema. Its tables have type table for virtual ones, too; those that
// a virtual table keeps its data in are shadow tables.
func sqliteCatalogStatements() catalogStatements {
	const list = " FROM pragma_table_list AS t WHERE t.schema = 'main' AND substr(t.name, 1, 7) <> 'sqlite_' AND t.type IN ('table', 'view', 'virtual')"
	return catalogStatements{
		tables: "SELECT 'main', t.name, 1, t.type = 'view', NULL, 0" + list,
		columns: "SELECT 'main', t.name, c.name, c.type, c.\"notnull\" = 0 AND NOT (c.pk > 0 AND (t.wr OR upper(c.type) = 'INTEGER' AND" +
			" (SELECT count(*) FROM pragma_table_xinfo(t.name) AS o WHERE o.pk > 0) = 1)), NULL" +
			" FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c" +
			" WHERE t.schema = 'main' AND t.type IN ('table', 'view', 'virtual') AND c.hidden <> 1 ORDER BY t.name, c.cid",
		// Only a primary key that is the row number, of columns that are NOT NULL, or of a table
		// WITHOUT ROWID has no nulls.
		keys: "SELECT 'main', name, label, is_primary, column_name FROM (" +
			"SELECT t.name AS name, 0 AS rank, '' AS label, t.wr OR (count(*) OVER (PARTITION BY t.name) = 1 AND upper(c.type) = 'INTEGER')" +
			" OR min(c.\"notnull\") OVER (PARTITION BY t.name) = 1 AS is_primary, c.name AS column_name, c.pk AS position" +
			" FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table' AND c.pk > 0" +
			" UNION ALL SELECT t.name, 1, i.name, 0, k.name, k.seqno" +
			" FROM pragma_table_list AS t JOIN pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS k" +
			" WHERE t.schema = 'main' AND t.type = 'table' AND i.\"unique\" = 1 AND i.partial = 0 AND i.origin <> 'pk'" +
			") ORDER BY name, rank, label, position",
		foreignKeys: "SELECT 'main', t.name, f.id, f.\"from\", 'main', f.\"table\", f.\"to\"" +
			" FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS f" +
			" WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, f.id, f.seq",
	}
}

func postgresCatalogStatements(inDefault bool) catalogStatements {
	where := schemaCondition(inDefault, "n.nspname = current_schema()",
		"n.nspname NOT LIKE 'pg\\_%' AND n.nspname NOT IN ('information_schema', 'crdb_internal')")
	const class = " FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
	// Partitions are rows of their parent.
	relation := " WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition AND " + where
	return catalogStatements{
		tables: "SELECT n.nspname::text, c.relname::text, n.nspname = current_schema(), c.relkind IN ('v', 'm')," +
			" pg_catalog.obj_description(c.oid, 'pg_class'), c.relkind = 'r' AND NOT c.relhassubclass AND pg_catalog.pg_relation_size(c.oid) = 0" + class + relation,
		columns: "SELECT n.nspname::text, c.relname::text, a.attname::text," +
			" CASE t.typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN pg_catalog.format_type(t.typbasetype, t.typtypmod)" +
			" ELSE pg_catalog.format_type(a.atttypid, a.atttypmod) END," +
			" NOT a.attnotnull, pg_catalog.col_description(c.oid, a.attnum)" + class +
			" JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped" +
			" JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid" + relation + " ORDER BY 1, 2, a.attnum",
		// A deferrable constraint holds at the end of a transaction, so for every reader.
		keys: "SELECT n.nspname::text, c.relname::text, x.relname::text, i.indisprimary, a.attname::text" + class +
			" JOIN pg_catalog.pg_index AS i ON i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL" +
			" JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid" +
			" CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, position)" +
			" JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.attnum" +
			" WHERE k.position <= i.indnkeyatts AND " + where + " ORDER BY 1, 2, i.indisprimary DESC, 3, k.position",
		foreignKeys: "SELECT n.nspname::text, c.relname::text, o.conname::text, a.attname::text, fn.nspname::text, fc.relname::text, fa.attname::text" + class +
			" JOIN pg_catalog.pg_constraint AS o ON o.conrelid = c.oid AND o.contype = 'f'" +
			" JOIN pg_catalog.pg_class AS fc ON fc.oid = o.confrelid JOIN pg_catalog.pg_namespace AS fn ON fn.oid = fc.relnamespace" +
			" CROSS JOIN LATERAL unnest(o.conkey, o.confkey) WITH ORDINALITY AS k(own, other, position)" +
			" JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.own" +
			" JOIN pg_catalog.pg_attribute AS fa ON fa.attrelid = fc.oid AND fa.attnum = k.other" +
			" WHERE " + where + " ORDER BY 1, 2, 3, k.position",
	}
}

// redshiftCatalogStatements declares keys and does not enforce them.
func redshiftCatalogStatements(inDefault bool) catalogStatements {
	where := schemaCondition(inDefault, "table_schema = current_schema()", "table_schema NOT IN ('information_schema', 'pg_catalog', 'pg_internal')")
	return catalogStatements{
		tables: "SELECT table_schema, table_name, table_schema = current_schema(), table_type = 'VIEW', NULL, false" +
			" FROM information_schema.tables WHERE " + where,
		columns: "SELECT table_schema, table_name, column_name, CASE WHEN data_type = 'numeric'" +
			" THEN 'numeric(' || CAST(numeric_precision AS VARCHAR) || ',' || CAST(numeric_scale AS VARCHAR) || ')' ELSE data_type END," +
			" is_nullable = 'YES', NULL FROM information_schema.columns WHERE " + where + " ORDER BY table_schema, table_name, ordinal_position",
	}
}

func mysqlCatalogStatements(inDefault bool) catalogStatements {
	where := schemaCondition(inDefault, "TABLE_SCHEMA = DATABASE()", "TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys', 'metrics_schema')")
	return catalogStatements{
		tables: "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_SCHEMA = COALESCE(DATABASE(), ''), TABLE_TYPE LIKE '%VIEW', CASE WHEN TABLE_TYPE LIKE '%VIEW' THEN '' ELSE TABLE_COMMENT END, 0" +
			" FROM information_schema.TABLES WHERE TABLE_TYPE <> 'SEQUENCE' AND " + where,
		columns: "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE = 'YES', COLUMN_COMMENT" +
			" FROM information_schema.COLUMNS WHERE " + where + " ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION",
		keys: "SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, INDEX_NAME = 'PRIMARY', COALESCE(COLUMN_NAME, '')" +
			" FROM information_schema.STATISTICS WHERE NON_UNIQUE = 0 AND " + where +
			" ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME = 'PRIMARY' DESC, INDEX_NAME, SEQ_IN_INDEX",
		foreignKeys: "SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME" +
			" FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL AND " + where +
			" ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION",
	}
}

// clickhouseCatalogStatements reads no keys: ClickHouse sorts by a primary key and does not enforce that it is unique.
func clickhouseCatalogStatements(inDefault bool) catalogStatements {
	where := schemaCondition(inDefault, "database = currentDatabase()", "database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')")
	return catalogStatements{
		tables: "SELECT database, name, database = currentDatabase(), engine LIKE '%View', comment, 0" +
			" FROM system.tables WHERE NOT is_temporary AND NOT startsWith(name, '.inner') AND " + where,
		columns: "SELECT database, table, name, type, startsWith(type, 'Nullable') OR startsWith(type, 'LowCardinality(Nullable'), comment" +
			" FROM system.columns WHERE " + where + " ORDER BY database, table, position",
	}
}
