package integration_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
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
	q, err := engine.DecodeMetricQuery([]byte(`{"metrics":["fees"],"group_by":[{"field":"visits.kind"}],"fan_out":"once_per_group","connection":"w"}`))
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.ExecuteMetrics(t.Context(), q)
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
