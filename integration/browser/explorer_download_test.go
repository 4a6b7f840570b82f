package browser_test

import (
	"log/slog"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// typed has a column of each type that a row can have, with the values at which a format loses something.
const typed = `version: 0.2.0.dev0
name: typed
datasets:
  - name: thing
    source: SELECT * FROM (VALUES (9007199254740993, 0.5, true, DATE '2024-02-29', TIMESTAMP '2024-01-02 03:04:05.123456', 'a, "b"' || chr(10) || 'é'), (-1, 1e-7, false, DATE '1969-12-31', TIMESTAMP '1960-01-01 00:00:00', '=1+1'), (NULL, NULL, NULL, NULL, NULL, NULL)) AS t(big, part, flag, day, moment, words)
    fields:
      - {name: big, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: big}]}}
      - {name: part, datatype: Float, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: part}]}}
      - {name: flag, datatype: Boolean, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: flag}]}}
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: moment, datatype: DateTime, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: moment}]}}
      - {name: words, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: words}]}}
metrics:
  - {name: things, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(thing.flag)}]}}
`

// The Parquet file of a table has its rows, with their types and every digit, as DuckDB reads it.
func TestDownload_ParquetHoldsTheRows(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, typed)
	p := b.OpenPage(t, origin+"/#/records?metric=things&from=thing")
	downloads := p.SaveDownloads()
	p.RunActions(
		waitFor(`document.querySelectorAll("tbody tr").length === 3`),
		click(`button[aria-label="Download Parquet"]`),
	)
	downloads.Read("thing.parquet")
	clean(t, p, origin)
	read := `version: 0.2.0.dev0
name: read
datasets:
  - name: file
    source: SELECT typeof(big) || ' ' || typeof(part) || ' ' || typeof(flag) || ' ' || typeof(day) || ' ' || typeof(moment) || ' ' || typeof(words) AS types, CASE WHEN big = 9007199254740993 AND part = 0.5 AND flag AND day = DATE '2024-02-29' AND moment = TIMESTAMP '2024-01-02 03:04:05.123456' AND words = 'a, "b"' || chr(10) || 'é' THEN 1 END AS one, CASE WHEN big = -1 AND part = 1e-7 AND NOT flag AND day = DATE '1969-12-31' AND moment = TIMESTAMP '1960-01-01 00:00:00' AND words = '=1+1' THEN 1 END AS two, CASE WHEN big IS NULL AND part IS NULL AND flag IS NULL AND day IS NULL AND moment IS NULL AND words IS NULL THEN 1 END AS three FROM thing
    fields:
      - {name: types, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: types}]}}
      - {name: one, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: one}]}}
      - {name: two, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: two}]}}
      - {name: three, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: three}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(file.types)}]}}
  - {name: ones, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(file.one)}]}}
  - {name: twos, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(file.two)}]}}
  - {name: threes, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(file.three)}]}}
`
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "read.yaml", ModelText: []byte(read), Data: []string{downloads.Folder()}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	readOrigin := serving.Serve(t, e, restapi.Config{})
	q := b.OpenPage(t, readOrigin+"/#/explore?metric=total&metric=ones&metric=twos&metric=threes&by=file.types&tab=table")
	q.RunActions(shows("types total ones twos threes\nBIGINT DOUBLE BOOLEAN DATE TIMESTAMP VARCHAR 3 1 1 1"))
	clean(t, q, readOrigin)
}
