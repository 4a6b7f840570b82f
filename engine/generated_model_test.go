package engine_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

// writeTrips makes a folder of the data files of one kind, by statements of DuckDB.
func writeTrips(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	db, err := duckdb.Open(t.Context(), duckdb.Options{ExternalAccess: true, Setup: []string{
		`COPY (SELECT * FROM (VALUES (1, 10, DATE '2024-01-05', 4.50::DECIMAL(8,2), 5), (2, 10, DATE '2024-01-06', 3.25, 4), (3, 11, DATE '2024-02-01', 7.00, NULL))
			AS v(trip_id, bike_id, start_date, fare, rating)) TO '` + dir + `/trips.parquet'`,
		`COPY (SELECT * FROM (VALUES (10, 'city'), (11, 'electric'), (12, 'city')) AS v(bike_id, kind)) TO '` + dir + `/bikes.csv'`,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpen_GeneratesModelOfData(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{
		Data: []string{writeTrips(t)}, GenerateModel: true, Drivers: []warehouse.Driver{duckdb.Driver()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if m := e.Model(); m.Path != "generated" || m.Datasets != 2 || m.Relationships != 1 || m.Warnings != 0 {
		t.Errorf("model %+v", m)
	}
	if names := strings.Join(e.MetricNames(), " "); names != "bikes_count trips_count total_fare average_rating" {
		t.Errorf("metrics %s", names)
	}
	r := e.GeneratedModel().Report
	if r.CountWrittenRelationships() != 1 || r.Relationships[0].Name != "trips_bikes" || r.Keys[0].How != "proven" {
		t.Errorf("report %+v", r)
	}
	result, err := askRows(t.Context(), e, &query.MetricQuery{
		Metrics: []string{"total_fare", "average_rating"}, GroupBy: []query.GroupBy{{Field: "bikes.kind"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"kind":"city","total_fare":7.75,"average_rating":4.5},{"kind":"electric","total_fare":7.00,"average_rating":null}]`; string(result.Rows) != want {
		t.Errorf("rows %s, want %s", result.Rows, want)
	}
}

func TestOpen_GivenModelIsNotGenerated(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText:     []byte("version: 0.2.0.dev0\nname: m\ndatasets: [{name: a, source: a}]\n"),
		GenerateModel: true, Drivers: []warehouse.Driver{duckdb.Driver()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.GeneratedModel() != nil || e.Model().Name != "m" {
		t.Errorf("model %+v", e.Model())
	}
}

func TestOpen_GeneratesNoModelOfNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/a.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]engine.Config{
		"a folder without data files": {Data: []string{dir}},
		"a file that does not exist":  {DBPath: dir + "/missing.duckdb"},
		"a database without tables":   {Setup: []string{"SELECT 1"}},
	} {
		c.GenerateModel, c.Drivers = true, []warehouse.Driver{duckdb.Driver()}
		_, err := engine.Open(t.Context(), c)
		var failure *engine.ExecuteError
		if !errors.As(err, &failure) || failure.Code != "config" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
