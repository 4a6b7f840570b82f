package cli

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
)

// Five Parquet files, one command and one request: a metric by a column of a joined dataset.
func TestServe_FolderOfParquetFilesWithoutModel(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, query := range map[string]string{
		"trips": `SELECT * FROM (VALUES (1, 10, 7, DATE '2024-01-05', 4.50::DECIMAL(8,2)), (2, 10, 8, DATE '2024-01-06', 3.25), (3, 11, 7, DATE '2024-02-01', 7.00))
			AS v(trip_id, bike_id, station_id, start_date, fare)`,
		"bikes":    "SELECT * FROM (VALUES (10, 1), (11, 2), (12, 1)) AS v(bike_id, kind_id)",
		"kinds":    "SELECT * FROM (VALUES (1, 'city'), (2, 'electric')) AS v(id, kind_name)",
		"stations": "SELECT * FROM (VALUES (7, 'north', 100), (8, 'south', 101)) AS v(id, station_name, district_code)",
		"district": "SELECT * FROM (VALUES (100, 'old town'), (101, 'harbour')) AS v(district_code, district_name)",
	} {
		files = append(files, "COPY ("+query+") TO '"+dir+"/"+name+".parquet'")
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{ExternalAccess: true, Setup: files})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ask := func(url, body string) string {
		got, err := http.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		text, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var rows string
	code, text := serveExample(t, []string{"serve", "--data", dir, "--bind", "127.0.0.1:0"}, func(base string) {
		rows = ask(base+"/v1/query/execute", `{"metrics": ["total_fare"], "group_by": [{"field": "kinds.kind_name"}, {"field": "district.district_name"}], "order_by": [{"key": "kind_name"}, {"key": "district_name"}]}`)
	})
	const want = `"rows":[{"kind_name":"city","district_name":"harbour","total_fare":3.25},{"kind_name":"city","district_name":"old town","total_fare":4.50},` +
		`{"kind_name":"electric","district_name":"old town","total_fare":7.00}]`
	if code != exitOK || !strings.Contains(rows, want) {
		t.Errorf("exit code %d, %s", code, rows)
	}
	if !strings.Contains(text, "generated one of 5 datasets") || !strings.Contains(text, "and 4 relationships") {
		t.Errorf("the log is\n%s", text)
	}
}
