package types_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// modelOfCounts counts the rows of the last day and of all days: 2 and 3 of the 3 rows.
const modelOfCounts = `
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
  - name: last_great
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT_IF(stock.q > 2)}]}
    custom_extensions:
      - {vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "d", "take": "last"}}'}
`

func TestTypes_CountAtASnapshotIsAnIntegerLikeAnyCount(t *testing.T) {
	for at, name := range engines {
		t.Run(name, func(t *testing.T) {
			c := engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(modelOfCounts), Logger: slog.New(slog.DiscardHandler)}
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
			types := map[string]string{}
			for _, metric := range []string{"rows_in_all", "last_rows", "last_great"} {
				types[metric] = typeOfMetric(t, e, metric, connection)
			}
			want := map[string]string{"rows_in_all": "int64", "last_rows": "int64", "last_great": "int64"}
			if name == "ClickHouse" {
				want["rows_in_all"] = types["rows_in_all"] // a count of ClickHouse is unsigned, a sum of counts is not
			}
			if d := cmp.Diff(want, types); d != "" {
				t.Error(d)
			}
			q, err := engine.DecodeMetricQuery(fmt.Appendf(nil, `{"metrics":["rows_in_all","last_rows","last_great"]%s}`, connection))
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.ExecuteMetrics(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(`[{"rows_in_all":3,"last_rows":2,"last_great":1}]`, string(got.Rows)); d != "" {
				t.Error(d)
			}
		})
	}
}

// typeOfMetric is the Arrow type of a metric alone.
func typeOfMetric(t *testing.T, e *engine.Engine, metric, connection string) string {
	t.Helper()
	q, err := engine.DecodeMetricQuery(fmt.Appendf(nil, `{"metrics":[%q]%s}`, metric, connection))
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.StreamMetrics(t.Context(), q)
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
	return schema.Field(0).Type.String()
}
