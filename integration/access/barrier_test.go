package access

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
)

const canary = "canary51200"

const notesTables = `CREATE TABLE notes (note_id INTEGER, secret INTEGER, note VARCHAR(20), big BIGINT);
INSERT INTO notes VALUES (1, 0, '5', 1), (2, 0, '7', 6), (3, 1, 'canary51200', 9223372036854775807), (4, 1, 'canary51200', 9223372036854775807);
CREATE TABLE uses (use_id INTEGER, note_id INTEGER, weight VARCHAR(20), big BIGINT);
INSERT INTO uses VALUES (1, 1, '1', 1), (2, 2, '2', 6), (3, 3, 'canary51200', 9223372036854775807), (4, 4, '4', 9223372036854775807), (5, 9, '5', 9223372036854775807);
`

const notesModel = `
version: 0.2.0.dev0
semantic_model:
  - name: notes
    datasets:
      - name: notes
        source: notes
        primary_key: [note_id]
        fields:
          - {name: note_id, expression: {dialects: [{dialect: ANSI_SQL, expression: note_id}]}, datatype: Integer}
          - {name: secret, expression: {dialects: [{dialect: ANSI_SQL, expression: secret}]}, datatype: Integer}
          - {name: note, expression: {dialects: [{dialect: ANSI_SQL, expression: note}]}, datatype: String}
          - {name: big, expression: {dialects: [{dialect: ANSI_SQL, expression: big}]}, datatype: Integer}
          - {name: twice, expression: {dialects: [{dialect: ANSI_SQL, expression: big * 2}]}, datatype: Integer}
          - {name: number, expression: {dialects: [{dialect: ANSI_SQL, expression: CAST(note AS INTEGER)}]}, datatype: Integer}
      - name: uses
        source: uses
        primary_key: [use_id]
        fields:
          - {name: use_id, expression: {dialects: [{dialect: ANSI_SQL, expression: use_id}]}, datatype: Integer}
          - {name: note_id, expression: {dialects: [{dialect: ANSI_SQL, expression: note_id}]}, datatype: Integer}
          - {name: use_big, expression: {dialects: [{dialect: ANSI_SQL, expression: big}]}, datatype: Integer}
          - {name: use_twice, expression: {dialects: [{dialect: ANSI_SQL, expression: big * 2}]}, datatype: Integer}
          - {name: weight, expression: {dialects: [{dialect: ANSI_SQL, expression: weight}]}, datatype: String}
    relationships:
      - {name: uses_notes, from: uses, to: notes, from_columns: [note_id], to_columns: [note_id]}
    metrics:
      - {name: note_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(notes.note_id)}]}}
      - {name: use_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(uses.use_id)}]}}
      - {name: numbers, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(notes.number)}]}}
`

// What a reader asks is computed on no row that the rule keeps from the reader: a condition that fails there would show the value.
func TestBarrier_NoConditionIsComputedOnForbiddenRows(t *testing.T) {
	for dialect, open := range enginesWith("notes", func(testing.TB) string { return notesTables }) {
		t.Run(dialect, func(t *testing.T) {
			db := open(t)
			for _, c := range []struct {
				name, rule string
				questions  []question
			}{
				{"over own fields", `notes: {rows: "secret = 0", fields: all}`, []question{
					{`{"metrics":["note_count"],"where_sql":"CAST(notes.note AS INTEGER) > 0"}`, `[{"note_count":2}]`},
					{`{"metrics":["note_count"],"where_sql":"notes.number > 5"}`, `[{"note_count":1}]`},
					{`{"metrics":["numbers"]}`, `[{"numbers":12}]`},
					{`{"metrics":["note_count"],"group_by":[{"field":"notes.number"}],"order_by":[{"key":"number"}]}`, `[{"number":5,"note_count":1},{"number":7,"note_count":1}]`},
					{`{"metrics":["use_count"],"where_sql":"CAST(notes.note AS INTEGER) > 0"}`, `[{"use_count":2}]`},
					{`{"metrics":["use_count"],"where_sql":"CAST(notes.note AS INTEGER) IS NULL"}`, `[{"use_count":3}]`},
					{`{"metrics":["use_count"],"group_by":[{"field":"notes.number"}],"order_by":[{"key":"number"}]}`, `[{"number":5,"use_count":1},{"number":7,"use_count":1},{"number":null,"use_count":3}]`},
					{`{"from":"uses","fields":["uses.use_id","notes.number"],"where_sql":"notes.number + 1 > 6","order_by":[{"key":"use_id"}]}`, `[{"use_id":2,"number":7}]`},
				}},
				// An engine moves a condition on the columns of a table into the table, and computes it there beside the rule.
				{"of tables", "notes: {rows: \"secret = 0\", fields: all}\n      uses: {rows: \"notes.secret = 0\", fields: all}", []question{
					{`{"metrics":["note_count"],"group_by":[{"name":"x","expression":"notes.big * 2"}],"where_sql":"x > 5"}`, `[{"x":12,"note_count":1}]`},
					{`{"metrics":["note_count"],"group_by":[{"field":"notes.big"}],"where_sql":"big * 2 > 5 AND note_count > 0"}`, `[{"big":6,"note_count":1}]`},
					{`{"metrics":["use_count"],"group_by":[{"name":"x","expression":"uses.use_big + uses.use_big"}],"where_sql":"x > 5 OR use_count > 5"}`, `[{"x":12,"use_count":1}]`},
					{`{"metrics":["use_count","note_count"],"group_by":[{"field":"notes.twice"}],"where_sql":"twice > 5 OR use_count > 5"}`, `[{"twice":12,"use_count":1,"note_count":1}]`},
					// PostgreSQL computes the columns of a table below grouping sets before the join that the rule needs.
					{`{"metrics":["use_count"],"group_by":[{"field":"uses.use_twice"}],"totals":[[]],"order_by":[{"key":"use_twice"}]}`, `[{"use_twice":2,"use_count":1,"level":0},{"use_twice":12,"use_count":1,"level":0},{"use_twice":null,"use_count":2,"level":1}]`},
					{`{"metrics":["use_count"],"group_by":[{"field":"uses.use_twice"}],"shares":[{"metric":"use_count"}],"order_by":[{"key":"use_twice"}]}`, `[{"use_twice":2,"use_count":1,"use_count__share":0.5},{"use_twice":12,"use_count":1,"use_count__share":0.5}]`},
					{`{"sql":"SELECT twice, COUNT(*) AS n FROM notes GROUP BY twice HAVING twice > 5"}`, `[{"twice":12,"n":1}]`},
					{`{"sql":"SELECT n FROM (SELECT big * 2 AS n, COUNT(*) AS c FROM notes GROUP BY 1) AS q WHERE n > 5"}`, `[{"n":12}]`},
					{`{"sql":"SELECT n FROM (SELECT big AS n FROM notes OFFSET 0) AS q WHERE n * 2 > 5"}`, `[{"n":6}]`},
					{`{"sql":"SELECT n FROM (SELECT DISTINCT use_twice AS n FROM uses) AS q WHERE n > 5"}`, `[{"n":12}]`},
					{`{"sql":"SELECT n FROM (SELECT twice AS n FROM notes UNION ALL SELECT use_twice FROM uses) AS q WHERE n > 5"}`, `[{"n":12},{"n":12}]`},
					{`{"sql":"WITH q AS (SELECT twice AS n, COUNT(*) AS c FROM notes GROUP BY 1) SELECT MAX(n) AS n FROM q WHERE n > 5"}`, `[{"n":12}]`},
					{`{"sql":"SELECT n, r FROM (SELECT twice AS n, SUM(note_id) OVER (PARTITION BY twice) AS r FROM (SELECT * FROM notes OFFSET 0) AS z) AS q WHERE n > 5"}`, `[{"n":12,"r":2}]`},
				}},
				// MariaDB can compute a condition on pairs of rows that a LEFT join does not join: use 3 beside note 1 meets the rule.
				{"over a relationship", `uses: {rows: "notes.secret = 0", fields: all}`, []question{
					{`{"metrics":["use_count"],"where_sql":"uses.use_big * 2 > 5"}`, `[{"use_count":1}]`},
					{`{"metrics":["use_count"],"group_by":[{"field":"uses.use_twice"}],"where_sql":"uses.use_twice > 5"}`, `[{"use_twice":12,"use_count":1}]`},
				}},
				{"over a relationship, or own fields", `uses: {rows: "notes.secret = 0 OR use_id > 99", fields: all}`, []question{
					{`{"metrics":["use_count"],"where_sql":"uses.use_big * 2 > 5"}`, `[{"use_count":1}]`},
					{`{"metrics":["use_count"],"group_by":[{"field":"uses.use_twice"}],"where_sql":"uses.use_twice > 5"}`, `[{"use_twice":12,"use_count":1}]`},
					{`{"sql":"SELECT n FROM (SELECT use_big * 2 AS n, COUNT(*) AS c FROM uses GROUP BY 1) AS q WHERE n > 5"}`, `[{"n":12}]`},
				}},
				{"over a relationship, of text", `uses: {rows: "notes.secret = 0", fields: all}`, []question{
					{`{"metrics":["use_count"],"where_sql":"CAST(uses.weight AS INTEGER) > 0"}`, `[{"use_count":2}]`},
					{`{"from":"uses","fields":["uses.use_id"],"where_sql":"CAST(uses.weight AS INTEGER) > 1","order_by":[{"key":"use_id"}]}`, `[{"use_id":2}]`},
				}},
			} {
				t.Run(c.name, func(t *testing.T) {
					policies := "version: 1\nroles:\n  r:\n    datasets:\n      \"*\": {rows: all, fields: all}\n      " + c.rule + "\n    metrics: all\n"
					e, err := engine.Open(t.Context(), engine.Config{
						ModelText: []byte(notesModel), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
						Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
					})
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { _ = e.Close() })
					reader, err := as(t, e, policies, `{"roles": ["r"]}`)
					if err != nil {
						t.Fatal(err)
					}
					for _, q := range c.questions {
						got := outcome(t, reader, q.body)
						if strings.Contains(got, canary) {
							t.Errorf("%s: the answer holds a forbidden value: %s", q.body, got)
						}
						if diff := cmp.Diff(q.want, got); diff != "" {
							t.Errorf("%s: %s", q.body, diff)
						}
					}
				})
			}
		})
	}
}

// DuckDB converts a text to a boolean or a number where a model gives no type, and computes the cheapest condition first.
func TestBarrier_ImplicitConversionsWaitForTheRule(t *testing.T) {
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{
		"CREATE TABLE notes AS SELECT i AS note_id, CASE WHEN i % 4 = 0 THEN 'true' ELSE 'canary51200' END AS flag, CASE WHEN i % 4 = 0 THEN '5' ELSE 'canary51200' END AS note FROM range(1, 9) t(i)",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	const policies = "version: 1\nroles: {r: {metrics: all, datasets: {notes: {rows: \"note_id % 4 = 0\", fields: all}}}}\n"
	const model = `
version: 0.2.0.dev0
name: notes
datasets:
  - name: notes
    source: notes
    primary_key: [note_id]
    fields:
      - {name: note_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: note_id}]}}
      - {name: flag, expression: {dialects: [{dialect: ANSI_SQL, expression: flag}]}}
      - {name: note, expression: {dialects: [{dialect: ANSI_SQL, expression: note}]}}
metrics:
  - {name: note_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(notes.note_id)}]}}
`
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(model), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
		Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	reader, err := as(t, e, policies, `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	for condition, want := range map[string]string{
		"notes.flag":                            `[{"note_count":2}]`,
		"notes.flag AND notes.note_id > 0":      `[{"note_count":2}]`,
		"NOT notes.flag":                        `[{"note_count":0}]`,
		"notes.flag IS TRUE":                    `[{"note_count":2}]`,
		"CASE WHEN notes.flag THEN 1 END = 1":   `[{"note_count":2}]`,
		"NULLIF(notes.note, 5) IS NULL":         `[{"note_count":2}]`,
		"CASE notes.note WHEN 5 THEN 1 END = 1": `[{"note_count":2}]`,
		"CASE 5 WHEN notes.note THEN 1 END = 1": `[{"note_count":2}]`,
	} {
		if got := outcome(t, reader, `{"metrics":["note_count"],"where_sql":"`+condition+`"}`); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}
