package types_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// modelOfSnapshots counts and adds the rows of the last day and of all days: 2 and 3 of the 3 rows, 5 and 6.
const modelOfSnapshots = `
version: 0.2.0.dev0
name: m
datasets:
  - name: stock
    source: SELECT CAST('2024-01-01' AS DATE) AS d, 1 AS q UNION ALL SELECT CAST('2024-01-02' AS DATE), 2 UNION ALL SELECT CAST('2024-01-02' AS DATE), 3
    fields:
      - {name: d, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
      - {name: q, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: q}]}}
metrics:
  - {name: rows_in_all, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(stock.q)}]}}
  - name: last_rows
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(stock.q)}]}
    custom_extensions:
      - {vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "d", "take": "last"}}'}
  - {name: all_q, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(stock.q)}]}}
  - name: last_q
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(stock.q)}]}
    custom_extensions:
      - {vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "d", "take": "last"}}'}
  - name: last_great
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT_IF(stock.q > 2)}]}
    custom_extensions:
      - {vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "d", "take": "last"}}'}
`

func TestTypes_SnapshotsHaveTheTypesOfTheirAggregates(t *testing.T) {
	for at, name := range engines {
		t.Run(name, func(t *testing.T) {
			c := engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(modelOfSnapshots), Logger: slog.New(slog.DiscardHandler)}
			connection := ""
			if name == "SQLite" {
				c.ModelText = bytes.ReplaceAll(c.ModelText, []byte("CAST('2024-01-01' AS DATE)"), []byte("'2024-01-01'"))
				c.ModelText = bytes.ReplaceAll(c.ModelText, []byte("CAST('2024-01-02' AS DATE)"), []byte("'2024-01-02'"))
			}
			if profile := profileOf(t, at); profile != "" {
				c.ConnectionsPath = filepath.Join(t.TempDir(), "connections.yaml")
				if err := os.WriteFile(c.ConnectionsPath, []byte("datasources:\n  w: {"+profile+"}\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				connection = `,"connection":"w"`
			}
			e, err := engine.Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			for _, query := range []string{`{"metrics":[%q]%s}`, `{"metrics":[%q],"group_by":[{"field":"stock.d"}]%s}`, `{"metrics":[%q],"group_by":[{"field":"stock.d"}],"totals":[[]]%s}`} {
				types := map[string]string{}
				for _, metric := range []string{"all_q", "last_q", "rows_in_all", "last_rows", "last_great"} {
					types[metric] = typeOfMetric(t, e, fmt.Sprintf(query, metric, connection), metric)
				}
				want := map[string]string{"all_q": types["all_q"], "last_q": types["all_q"], "rows_in_all": "int64", "last_rows": "int64", "last_great": "int64"}
				if strings.Contains(query, "totals") {
					want["last_q"] = types["last_q"] // a sum of the days of several groups
				}
				if name == "ClickHouse" {
					delete(want, "rows_in_all") // a count of ClickHouse is unsigned, and a sum of counts is not
					delete(types, "rows_in_all")
				}
				if d := cmp.Diff(want, types); d != "" {
					t.Errorf("%s\n%s", query, d)
				}
			}
			q, err := query.DecodeMetric(fmt.Appendf(nil, `{"metrics":["rows_in_all","last_rows","last_great","last_q"]%s}`, connection))
			if err != nil {
				t.Fatal(err)
			}
			got, err := prepare.Rows(t.Context(), e, q)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(`[{"rows_in_all":3,"last_rows":2,"last_great":1,"last_q":5}]`, string(got.Rows)); d != "" {
				t.Error(d)
			}
		})
	}
}

// typeOfMetric returns the Arrow type of a metric in the result of a query.
func typeOfMetric(t *testing.T, e *engine.Engine, body, metric string) string {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	s, err := prepare.Stream(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var stream bytes.Buffer
	if _, err := s.Write(t.Context(), &stream); err != nil {
		t.Fatal(err)
	}
	schema, err := arrowstream.Read(&stream, func(arrow.RecordBatch) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	fields, _ := schema.FieldsByName(metric)
	return fields[0].Type.String()
}
