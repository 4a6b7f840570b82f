package doctest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// The table of a span by four grains has in each row the value of the metric and that of the condition beside it, with the range of
// the page and without.
func TestExtension_SpansHaveTheValuesOfTheirConditions(t *testing.T) {
	page := filepath.Join(root, "docs", "extension", "windows.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n| by | bucket | without a range |")
	if !found {
		t.Fatal("the page has no table of a span by several grains")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	blocks := blocksToRun(t, page)
	t.Chdir(t.TempDir())
	run(t, "", command{text: "semlayer init retail"})
	for _, b := range blocks {
		writeFile(t, b)
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{Path: "retail/retail.duckdb"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows := 0
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 6 {
			t.Fatalf("a row of the table has %d cells: %s", len(cells), line)
		}
		rows++
		for i, bounds := range []string{"", " --start 2024-01-10 --end 2024-03-15"} {
			shown, condition := cells[2+2*i], strings.Trim(cells[3+2*i], "`")
			metric := valueInBucket(t, "semlayer query --model shop.yaml --db retail/retail.duckdb --metrics revenue_of_28_days --group-by metric_time:"+cells[0]+bounds+" --limit 10000", "revenue_of_28_days", cells[0], cells[1])
			hand := singleValue(t, db, "SELECT CAST(SUM(amount) AS VARCHAR) FROM orders WHERE "+condition)
			if shown != hand || metric != hand {
				t.Errorf("by %s, %s%s: the page shows %s, the metric is %s, and the SQL gives %s", cells[0], cells[1], bounds, shown, metric, hand)
			}
		}
	}
	if rows < 4 {
		t.Errorf("the table has %d rows", rows)
	}
}

// valueInBucket runs a query and returns the value of a metric in a bucket.
func valueInBucket(t *testing.T, query, metric, grain, bucket string) string {
	t.Helper()
	var result struct{ Rows []map[string]json.RawMessage }
	if out := run(t, "", command{text: query}); json.Unmarshal([]byte(out), &result) != nil {
		t.Fatalf("%s\n%.300s", query, out)
	}
	for _, row := range result.Rows {
		if string(row["metric_time__"+grain]) == `"`+bucket+`"` {
			return strings.Trim(string(row[metric]), `"`)
		}
	}
	t.Fatalf("%s has no row %s", query, bucket)
	return ""
}

// singleValue returns the one text that a statement gives.
func singleValue(t *testing.T, db *duckdb.Executor, sql string) string {
	t.Helper()
	rows, err := db.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	batch, err := rows.Next(t.Context())
	if errors.Is(err, io.EOF) {
		t.Fatalf("%s gives no row", sql)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Release()
	return batch.Column(0).ValueStr(0)
}
