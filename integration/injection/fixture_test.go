package injection_test

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// model: notes are the texts and a few rows beside them. What a caller binds to a
// parameter of each type ends in a condition, and in the name of a column.
const model = `
version: 0.2.0.dev0
semantic_model:
  - name: injection
    datasets:
      - name: notes
        source: notes
        primary_key: [id]
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
        fields:
          - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
          - {name: body, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: body}]}}
          - {name: kind, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
          - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
          - {name: moment, datatype: DateTime, expression: {dialects: [{dialect: ANSI_SQL, expression: moment}]}}
          - {name: score, datatype: Float, expression: {dialects: [{dialect: ANSI_SQL, expression: score}]}}
          - {name: flag, datatype: Boolean, expression: {dialects: [{dialect: ANSI_SQL, expression: flag}]}}
          - {name: odd, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: '"odd "" name"'}]}}
      - name: kinds
        source: kinds
        primary_key: [kind]
        fields:
          - {name: kind, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
          - {name: title, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: title}]}}
      WATCH
    relationships:
      - {name: note_kind, from: notes, to: kinds, from_columns: [kind], to_columns: [kind]}
    metrics:
      - {name: note_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(notes.id)}]}}
      - {name: first_id, expression: {dialects: [{dialect: ANSI_SQL, expression: MIN(notes.id)}]}}
      - {name: with_body, expression: {dialects: [{dialect: ANSI_SQL, expression: 'MIN(CASE WHEN notes.body = '''' THEN notes.id END)'}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "first_id", "where": "body = :t"}, "params": [{"name": "t", "type": "string", "default": ""}]}'}]}
      - {name: after_day, expression: {dialects: [{dialect: ANSI_SQL, expression: 'MIN(CASE WHEN notes.day >= DATE ''2024-01-01'' THEN notes.id END)'}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "first_id", "where": "day >= :d"}, "params": [{"name": "d", "type": "date", "default": "2024-01-01"}]}'}]}
      - {name: of_kind, expression: {dialects: [{dialect: ANSI_SQL, expression: 'MIN(CASE WHEN notes.kind = 1 THEN notes.id END)'}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "first_id", "where": "kind = :k"}, "params": [{"name": "k", "type": "int", "default": 1}]}'}]}
      - {name: above, expression: {dialects: [{dialect: ANSI_SQL, expression: 'MIN(CASE WHEN notes.score > 0 THEN notes.id END)'}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "first_id", "where": "score > :f"}, "params": [{"name": "f", "type": "float", "default": 0}]}'}]}
      - {name: flagged, expression: {dialects: [{dialect: ANSI_SQL, expression: 'MIN(CASE WHEN notes.flag = TRUE THEN notes.id END)'}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "first_id", "where": "flag = :b"}, "params": [{"name": "b", "type": "bool", "default": true}]}'}]}
      - {name: choice, expression: {dialects: [{dialect: ANSI_SQL, expression: 'MIN(CASE WHEN notes.body = ''a'' THEN notes.id END)'}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "first_id", "where": "body = :c"}, "params": [{"name": "c", "type": "string", "default": "a", "allowed": ["a", "b"]}]}'}]}
`

// watch are datasets over DuckDB's own system tables: in process, no other client can query them.
const watch = `- name: queries
        source: SELECT ROW_NUMBER() OVER () AS number, message FROM duckdb_logs WHERE type = 'QueryLog'
        fields:
          - {name: number, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: number}]}}
          - {name: message, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: message}]}}
      - name: catalog
        source: >-
          SELECT 'table' AS sort, database_name || '.' || schema_name || '.' || table_name AS name, sql AS detail FROM duckdb_tables()
          UNION ALL SELECT 'view', schema_name || '.' || view_name, sql FROM duckdb_views() WHERE NOT internal
          UNION ALL SELECT 'function', function_name, function_type FROM duckdb_functions() WHERE NOT internal
          UNION ALL SELECT 'setting', name, value FROM duckdb_settings()
          UNION ALL SELECT 'functions', '', CAST(COUNT(*) AS VARCHAR) FROM duckdb_functions()
          UNION ALL SELECT 'database', database_name, path FROM duckdb_databases()
          UNION ALL SELECT 'secret', name, type FROM duckdb_secrets()
          UNION ALL SELECT 'note', CAST(id AS VARCHAR), md5(concat_ws('|', body, kind, day, moment, score, flag, "odd "" name")) FROM notes
          UNION ALL SELECT 'kind', CAST(kind AS VARCHAR), title FROM kinds
        fields:
          - {name: sort, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sort}]}}
          - {name: name, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
          - {name: detail, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: detail}]}}`

func modelFor(watched bool) string {
	if watched {
		return strings.Replace(model, "WATCH", watch, 1)
	}
	return strings.Replace(model, "      WATCH\n", "", 1)
}

// otherRows have texts that are near to hostile ones, and none at all.
const otherRows = 3

// script makes the tables. The texts come as the hexadecimal digits of their bytes:
// what writes them is not what is tested.
func script(fromHex, textType string) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE kinds (kind INTEGER NOT NULL, title VARCHAR(100));\n")
	b.WriteString("INSERT INTO kinds VALUES (0, 'even'), (1, 'odd');\n")
	fmt.Fprintf(&b, "CREATE TABLE notes (id INTEGER NOT NULL, body %s, kind INTEGER, day DATE, moment TIMESTAMP NULL, score DOUBLE PRECISION, flag BOOLEAN, \"odd \"\" name\" VARCHAR(100));\n", textType)
	insert := func(id int, body string) {
		// Two months of 2024, for a change from one to the other.
		fmt.Fprintf(&b, "INSERT INTO notes VALUES (%d, %s, %d, '2024-0%d-10', '2024-01-01 10:00:00', %d.5, TRUE, 'odd');\n", id, body, id%2, 1+id%2, id)
	}
	all := storable()
	for i, x := range all {
		insert(i+1, fmt.Sprintf(fromHex, hex.EncodeToString([]byte(x.value))))
	}
	n := len(all)
	insert(n+1, "''")
	insert(n+2, "'nothing hostile'")
	insert(n+otherRows, "NULL")
	return b.String()
}
