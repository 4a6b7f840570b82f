package integration_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

const visitsModel = `
version: 0.2.0.dev0
name: visits
datasets:
  - name: members
    source: members
    primary_key: [code]
    fields:
      - {name: code, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: code}]}}
      - {name: fee, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: fee}]}}
  - name: visits
    source: visits
    primary_key: [visit_id]
    fields:
      - {name: visit_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: visit_id}]}}
      - {name: code, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: code}]}}
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
relationships:
  - {name: visit_member, from: visits, to: members, from_columns: [code], to_columns: [code]}
metrics:
  - {name: fees, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(members.fee)}]}}
`

// TestOncePerGroup_ComparesTextsUnderBothCollations joins texts that are equal under the collation of one column, and differ under that of
// the other one, which decides: A pays 10 and a pays 5, and both came for a swim.
func TestOncePerGroup_ComparesTextsUnderBothCollations(t *testing.T) {
	s := servers.MariaDB(t, shared)
	db, err := s.Load(t.Context(), t.Name(), `
CREATE TABLE members (code VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PRIMARY KEY, fee INTEGER);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, code VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, kind VARCHAR(10));
INSERT INTO members VALUES ('A', 10), ('a', 5);
INSERT INTO visits VALUES (1, 'A', 'swim'), (2, 'a', 'swim'), (3, 'A', 'swim');
`)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = db.Close()
		_ = s.Drop(context.WithoutCancel(t.Context()), t.Name())
	})
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(visitsModel), Connections: []engine.ProgramConnection{{Name: "w", Executor: db}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	q, err := query.DecodeMetric([]byte(`{"metrics":["fees"],"group_by":[{"field":"visits.kind"}],"fan_out":"once_per_group","connection":"w"}`))
	if err != nil {
		t.Fatal(err)
	}
	result, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(result.Rows)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`[{"kind":"swim","fees":15}]`, string(got)); diff != "" {
		t.Error(diff)
	}
}

const guildModel = `
version: 0.2.0.dev0
name: guild
datasets:
  - name: masters
    source: masters
    primary_key: [name]
    fields:
      - {name: name, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
      - name: works
        datatype: Integer
        expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(pots.pot_id)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "lod": {"grain": ["name"]}}'}]
  - name: pots
    source: pots
    primary_key: [pot_id]
    fields:
      - {name: pot_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: pot_id}]}}
      - {name: master, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: master}]}}
relationships:
  - {name: pot_master, from: pots, to: masters, from_columns: [master], to_columns: [name]}
metrics:
  - {name: pot_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(pots.pot_id)}]}}
  - {name: works_total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(masters.works)}]}}
`

// TestLevelOfDetail_ComparesTextsAsTheJoin counts pots by their masters in both ways: SQLite compares two columns by the collation of the
// left one, which is the foreign key in the join. Two of three pots are Ada's where case counts, and three where it does not.
func TestLevelOfDetail_ComparesTextsAsTheJoin(t *testing.T) {
	for name, test := range map[string]struct{ name, master, want string }{
		"the key ignores case":         {"TEXT COLLATE NOCASE", "TEXT", "2"},
		"the foreign key ignores case": {"TEXT", "TEXT COLLATE NOCASE", "3"},
		"both ignore case":             {"TEXT COLLATE NOCASE", "TEXT COLLATE NOCASE", "3"},
		"case counts":                  {"TEXT", "TEXT", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := servers.SQLite(t)
			db, err := s.Load(t.Context(), t.Name(), `
CREATE TABLE masters (name `+test.name+` PRIMARY KEY);
CREATE TABLE pots (pot_id INTEGER PRIMARY KEY, master `+test.master+`);
INSERT INTO masters VALUES ('Ada'), ('Bo');
INSERT INTO pots VALUES (1, 'Ada'), (2, 'Ada'), (3, 'ada');
`)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			e, err := engine.Open(t.Context(), engine.Config{
				Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(guildModel), Connections: []engine.ProgramConnection{{Name: "w", Executor: db}},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			for metric, from := range map[string]string{"pot_count": "pots", "works_total": "masters"} {
				result, err := prepare.Rows(t.Context(), e, &query.MetricQuery{Metrics: []string{metric}, WhereSQL: "masters.name = 'Ada'", Connection: "w"})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(`[{"`+metric+`":`+test.want+`}]`, string(result.Rows)); diff != "" {
					t.Errorf("counted from %s: %s", from, diff)
				}
			}
		})
	}
}

const boxesModel = `
version: 0.2.0.dev0
name: boxes
datasets:
  - name: boxes
    source: boxes
    primary_key: [box_id]
    fields:
      - {name: box_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: box_id}]}}
      - {name: mark, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: mark}]}}
      - {name: day_text, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: day_text}]}}
      - {name: packed_on, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: packed_on}]}}
metrics:
  - {name: numbered, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(CASE WHEN boxes.mark = CAST(boxes.box_id AS VARCHAR) THEN 1 END)}]}}
  - {name: cut, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(CASE WHEN boxes.mark = CAST(boxes.box_id AS VARCHAR(1)) THEN 1 END)}]}}
  - {name: of_day, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(CASE WHEN boxes.day_text = CAST(boxes.packed_on AS VARCHAR) THEN 1 END)}]}}
  - {name: of_year, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(CASE WHEN boxes.mark = CAST(YEAR(boxes.packed_on) AS VARCHAR) THEN 1 END)}]}}
`

// TestCast_TextTakesTheCollationOfTheColumn compares columns of several collations with the strings of numbers and dates.
func TestCast_TextTakesTheCollationOfTheColumn(t *testing.T) {
	for _, collation := range []string{"utf8mb4_nopad_bin", "utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_swedish_ci"} {
		t.Run(collation, func(t *testing.T) {
			s := servers.MariaDB(t, shared)
			db, err := s.Load(t.Context(), t.Name(), `
CREATE TABLE boxes (box_id INTEGER PRIMARY KEY, mark VARCHAR(20), day_text VARCHAR(20), packed_on DATE) CHARACTER SET utf8mb4 COLLATE `+collation+`;
INSERT INTO boxes VALUES (12, '12', '2024-01-05', '2024-01-05'), (13, '1', '2024-01-06', '2024-01-05'), (14, '2024', NULL, '2024-02-05');
`)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = db.Close()
				_ = s.Drop(context.WithoutCancel(t.Context()), t.Name())
			})
			e, err := engine.Open(t.Context(), engine.Config{
				Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(boxesModel), Connections: []engine.ProgramConnection{{Name: "w", Executor: db}},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			result, err := prepare.Rows(t.Context(), e, &query.MetricQuery{Metrics: []string{"numbered", "cut", "of_day", "of_year"}, Connection: "w"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(`[{"numbered":1,"cut":1,"of_day":1,"of_year":1}]`, string(result.Rows)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
