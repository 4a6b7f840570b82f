package integration_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// nativeEntry is an expression that only one dialect spells so, over the rows of
// source, and what it is in each of them, in their order.
type nativeEntry struct{ dialect, source, expression, want string }

func nativeEntries() []nativeEntry {
	const (
		duck    = `SELECT 1 AS i, '12' AS txt, ['a', 'b'] AS tags, '{"k": "v", "n": [7]}'::JSON AS js, {'city': 'Rome', 'geo': {'lat': 41}} AS addr UNION ALL SELECT 2, 'x', [], '{}', NULL`
		pg      = `SELECT 1 AS i, ARRAY['a', 'b'] AS tags, '{"k": "v", "n": [7]}'::jsonb AS js UNION ALL SELECT 2, ARRAY[]::text[], '{}'`
		mariadb = `SELECT 1 AS i, DATE '2024-03-02' AS a, DATE '2024-02-28' AS b UNION ALL SELECT 2, DATE '2024-01-01', NULL`
	)
	return []nativeEntry{
		{"duckdb", duck, "TRY_CAST(txt AS INTEGER)", "12 ∅"},
		{"duckdb", duck, "TRY_CAST(txt AS DECIMAL(4, 1)) * 2", "24.0 ∅"},
		{"duckdb", duck, "tags[1]", "a ∅"},
		{"duckdb", duck, "js->>'$.k'", "v ∅"},
		{"duckdb", duck, "js->>'k' = 'v'", "true ∅"},
		{"duckdb", duck, "(js->'n'->>0)::int + 1", "8 ∅"},
		{"duckdb", duck, "addr.city", "Rome ∅"},
		{"duckdb", duck, "d.addr.geo.lat + 1", "42 ∅"},
		{"postgres", pg, "js->>'k'", "v ∅"},
		{"postgres", pg, "(js #>> '{n,0}')::int + 1", "8 ∅"},
		{"postgres", pg, "js->'n'->>0 = '7'", "true ∅"},
		{"postgres", pg, "tags[2]", "b ∅"},
		{"postgres", pg, "string_to_array('p,q', ',')[i]", "p q"},
		{"mariadb", mariadb, "DATEDIFF(a, b)", "3 ∅"}, // over a leap day
	}
}

func (n nativeEntry) model() []byte {
	source, _ := json.Marshal(n.source)
	expression, _ := json.Marshal(n.expression)
	return fmt.Appendf(nil, `
version: 0.2.0.dev0
name: m
datasets:
  - name: d
    source: %s
    fields:
      - {name: i, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}, datatype: Integer}
      - {name: v, expression: {dialects: [{dialect: %s, expression: %s}]}}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(d.v)}]}}
  - {name: total, expression: {dialects: [{dialect: DUCKDB, expression: SUM(TRY_CAST(d.v AS INTEGER))}]}}
`, source, strings.ToUpper(n.dialect), expression)
}

func TestNativeExpression_GivesValuesOfItsEngine(t *testing.T) {
	for _, b := range backends() {
		t.Run(b.name, func(t *testing.T) {
			var db executor.Executor
			for _, n := range nativeEntries() {
				if n.dialect != b.dialect {
					continue
				}
				if db == nil {
					b.start(t)
					var err error
					if db, err = b.load(t.Context(), "native", "CREATE TABLE nothing (i INTEGER);"); err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { _ = db.Close() })
				}
				t.Run(n.expression, func(t *testing.T) { n.check(t, db) })
			}
		})
	}
}

func (n nativeEntry) check(t *testing.T, db executor.Executor) {
	s, err := open(n.model(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.engine.Close() }()
	q, err := query.DecodeMetric([]byte(`{"metrics": ["n"], "group_by": [{"field": "d.i"}, {"field": "d.v"}], "order_by": [{"key": "i"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Dialect = n.dialect
	compiled, err := prepare.SQL(t.Context(), s.engine, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := servers.QueryTable(t.Context(), db, compiled.SQL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v := valuesOf(got, 1); v != n.want {
		t.Errorf("%s\n got %s\nwant %s", compiled.SQL, v, n.want)
	}
	n.expectRejected(t, s)
}

// expectRejected holds that a query's condition may not use the spelling.
func (n nativeEntry) expectRejected(t *testing.T, s *subject) {
	condition := n.expression + " IS NULL"
	where, _ := json.Marshal(condition)
	q, err := query.DecodeMetric(fmt.Appendf(nil, `{"metrics": ["n"], "where_sql": %s}`, where))
	if err == nil {
		q.Dialect = n.dialect
		_, err = prepare.SQL(t.Context(), s.engine, q)
	}
	var coded engine.CodedError
	if !errors.As(err, &coded) || !slices.Contains([]string{"unsupported_filter", "unknown_dimension", "unknown_relationship"}, coded.ErrorCode()) {
		t.Errorf("a query may ask for %s: %v", condition, err)
	}
}

// valuesOf joins the values of a column.
func valuesOf(tb *table.Table, column int) string {
	var out []string
	for _, row := range tb.Rows {
		out = append(out, fmt.Sprint(row[column]))
	}
	return strings.Join(out, " ")
}

func TestNativeExpression_RejectedOnOtherEngines(t *testing.T) {
	s, err := open(nativeEntry{"duckdb", "SELECT 1 AS i, '12' AS txt UNION ALL SELECT 2, 'x' UNION ALL SELECT 3, '30'", "txt", ""}.model(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.engine.Close() })
	q, err := query.DecodeMetric([]byte(`{"metrics": ["total"]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := prepare.Rows(t.Context(), s.engine, q)
	if err != nil || string(got.Rows) != `[{"total":42}]` {
		t.Errorf("%v, %v", got, err)
	}
	q.Dialect = "postgres"
	_, err = prepare.SQL(t.Context(), s.engine, q)
	var coded engine.CodedError
	if !errors.As(err, &coded) || coded.ErrorCode() != "not_implemented" {
		t.Errorf("for another dialect: %v", err)
	}
}
