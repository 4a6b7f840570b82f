package generate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// openDuckDB opens a database in memory that a script fills.
func openDuckDB(t testing.TB, script ...string) executor.Executor {
	t.Helper()
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: script})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// run generates a model of a script, and checks that validation finds nothing in it but the
// codes of allowed.
func run(t *testing.T, o generate.Options, script string, allowed ...string) *generate.ModelTextWithReport {
	t.Helper()
	if o.Name == "" {
		o.Name = "m"
	}
	out, err := generate.GenerateFromWarehouse(t.Context(), openDuckDB(t, script), o)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := modelspec.Parse(out.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Text)
	}
	issues, err := modelspec.Validate(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{Advice: true})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, i := range issues {
		codes = append(codes, i.Code)
	}
	for _, w := range cat.Warnings {
		codes = append(codes, w.Code)
	}
	if diff := cmp.Diff(allowed, codes); diff != "" || len(cat.Errors) > 0 {
		t.Errorf("findings %s\n%v\n%s", diff, cat.Errors, out.Text)
	}
	return out
}

func keyTexts(out *generate.ModelTextWithReport) string {
	var b strings.Builder
	for _, k := range out.Report.Keys {
		fmt.Fprintf(&b, "%s(%s) %s; ", k.Dataset, strings.Join(k.Columns, ","), k.How)
	}
	return b.String()
}

func edgeTexts(out *generate.ModelTextWithReport) string {
	var b strings.Builder
	for _, r := range out.Report.Relationships {
		fmt.Fprintf(&b, "%s: %s.%s -> %s.%s %s", r.Name, r.From, strings.Join(r.FromColumns, ","), r.To, strings.Join(r.ToColumns, ","), r.How)
		if !r.Written {
			b.WriteString(" not written")
		}
		b.WriteString("; ")
	}
	return b.String()
}

func TestRun_TakesAndProvesKeys(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"a primary key", "CREATE TABLE a (x INTEGER PRIMARY KEY, id INTEGER)", "a(x) constraint; "},
		{"a unique key without nulls", "CREATE TABLE a (x INTEGER NOT NULL UNIQUE, id INTEGER)", "a(x) constraint; "},
		{"a unique key that may be null", "CREATE TABLE a (x INTEGER UNIQUE, y INTEGER)", "a() none; "},
		{"a unique key that may be null and is not", "CREATE TABLE a (x INTEGER UNIQUE, y INTEGER); INSERT INTO a VALUES (1, 1), (2, 1)", "a(x) proven; "},
		{"a unique key that is null", "CREATE TABLE a (x INTEGER UNIQUE, y INTEGER); INSERT INTO a VALUES (1, 1), (NULL, 1)", "a() none; "},
		{"a unique key of two columns", "CREATE TABLE a (x INTEGER, y INTEGER, UNIQUE (x, y)); INSERT INTO a VALUES (1, 1), (1, 2)", "a(x,y) proven; "},
		{"a unique key of two columns with a null", "CREATE TABLE a (x INTEGER, y INTEGER, UNIQUE (x, y)); INSERT INTO a VALUES (1, 1), (1, NULL)", "a() none; "},
		{"id before a unique key that may be null", "CREATE TABLE a (x INTEGER UNIQUE, id INTEGER); INSERT INTO a VALUES (1, 1), (2, 2)", "a(id) proven; "},
		{"id before the name of the table", "CREATE TABLE orders AS SELECT i AS order_id, i AS id FROM range(3) r(i)", "orders(id) proven; "},
		{"the name of the table", "CREATE TABLE orders AS SELECT 1 AS id, i AS orders_key FROM range(3) r(i)", "orders(orders_key) proven; "},
		{"the singular", "CREATE TABLE cities AS SELECT i AS other_id, i AS city_code FROM range(3) r(i)", "cities(city_code) proven; "},
		{"the first column", "CREATE TABLE x AS SELECT 'a' || i AS sku, i AS n FROM range(3) r(i)", "x(sku) proven; "},
		{"not another column", "CREATE TABLE x AS SELECT i AS n, i AS sku FROM range(3) r(i)", "x() none; "},
		{"not with a duplicate", "CREATE TABLE x AS SELECT * FROM (VALUES (1), (1), (2)) v(id)", "x() none; "},
		{"not with a null", "CREATE TABLE x AS SELECT * FROM (VALUES (1), (NULL), (2)) v(id)", "x() none; "},
		{"not without rows", "CREATE TABLE x (id INTEGER)", "x() none; "},
		{"a pair", "CREATE TABLE x AS SELECT i // 2 AS order_id, i % 2 AS line_no, 1 AS z_id FROM range(4) r(i)", "x(order_id,line_no) proven; "},
		{"not a pair with a null", "CREATE TABLE x AS SELECT i // 2 AS order_id, nullif(i % 2, 0) AS line_no FROM range(4) r(i)", "x() none; "},
		{"not a number that is not exact", "CREATE TABLE x AS SELECT i::DOUBLE AS id FROM range(4) r(i)", "x() none; "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := keyTexts(run(t, generate.Options{}, tt.script)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestRun_UnprovenKeyIsAComment(t *testing.T) {
	const script = "CREATE TABLE x AS SELECT i AS id FROM range(11) r(i)"
	out := run(t, generate.Options{MaxRows: 10}, script)
	if keyTexts(out) != "x() none; " || !bytes.Contains(out.Text, []byte("# primary_key: [id]  # no duplicate in the first 10 rows; not proven")) {
		t.Errorf("%s\n%s", keyTexts(out), out.Text)
	}
	if !bytes.Contains(out.Text, []byte("COUNT(*)")) || len(out.Report.Notes) != 1 || out.Report.Keys[0].RowsRead != 10 || out.Report.Keys[0].Complete {
		t.Errorf("%+v\n%s", out.Report, out.Text)
	}
	if out := run(t, generate.Options{MaxRows: 11}, script); keyTexts(out) != "x(id) proven; " {
		t.Error(keyTexts(out))
	}
	if out := run(t, generate.Options{NoInfer: true}, script); keyTexts(out) != "x() none; " {
		t.Error(keyTexts(out))
	}
}

func TestRun_FindsRelationships(t *testing.T) {
	const bikes = "CREATE TABLE bikes AS SELECT i AS bike_id, 'k' AS kind FROM range(100) r(i); "
	const stations = "CREATE TABLE stations AS SELECT i AS id FROM range(100) r(i); "
	trips := func(columns string) string {
		return "CREATE TABLE trips AS SELECT i AS trip_id, " + columns + " FROM range(200) r(i)"
	}
	tests := []struct{ name, script, want string }{
		{"named as the key", bikes + trips("i % 100 AS bike_id"), "trips_bikes: trips.bike_id -> bikes.bike_id inferred; "},
		{"five of a hundred unmatched", bikes + trips("i % 100 + 5 AS bike_id"), "trips_bikes: trips.bike_id -> bikes.bike_id inferred; "},
		{"six of a hundred unmatched", bikes + trips("i % 100 + 6 AS bike_id"), "trips_bikes: trips.bike_id -> bikes.bike_id inferred not written; "},
		{"without a value", bikes + trips("NULL::BIGINT AS bike_id"), "trips_bikes: trips.bike_id -> bikes.bike_id inferred not written; "},
		{"of another type", bikes + trips("(i % 100)::VARCHAR AS bike_id"), ""},
		{"named after the table and its key", stations + trips("i % 100 AS station_id"), "trips_stations: trips.station_id -> stations.id inferred; "},
		{"named after the table", stations + trips("i % 100 AS station"), "trips_stations: trips.station -> stations.id inferred; "},
		{"another key of the same table", "CREATE TABLE orders AS SELECT i AS id, i AS order_id FROM range(9) r(i)", ""},
		{"id alone", "CREATE TABLE a AS SELECT i AS id FROM range(9) r(i); CREATE TABLE b AS SELECT i AS id FROM range(9) r(i)", ""},
		{
			"two roles", stations + trips("i % 100 AS start_station_id, i % 7 AS end_station_id"),
			"trips_start_station: trips.start_station_id -> stations.id inferred; trips_end_station: trips.end_station_id -> stations.id inferred; ",
		},
		{"several datasets", "CREATE TABLE b1 AS SELECT i AS code FROM range(9) r(i); CREATE TABLE b2 AS SELECT i AS code FROM range(9) r(i); CREATE TABLE c AS SELECT 0 AS z, i % 9 AS code FROM range(20) r(i)", "b2_b1: b2.code -> b1.code inferred; "},
		{"the exact one of several", bikes + "CREATE TABLE racks AS SELECT i AS bike_id FROM range(50) r(i); " + trips("i % 50 AS bike_id"), "racks_bikes: racks.bike_id -> bikes.bike_id inferred; trips_bikes: trips.bike_id -> bikes.bike_id inferred; "},
		{"one to one from the contained", bikes + "CREATE TABLE a_bikes AS SELECT i AS bike_id FROM range(50) r(i)", "a_bikes_bikes: a_bikes.bike_id -> bikes.bike_id inferred; "},
		{"one to one of equals from the later name", bikes + "CREATE TABLE a_bikes AS SELECT i AS bike_id FROM range(100) r(i)", "bikes_a_bikes: bikes.bike_id -> a_bikes.bike_id inferred; "},
		{
			"a foreign key", "CREATE TABLE p (k INTEGER PRIMARY KEY); CREATE TABLE c (x INTEGER REFERENCES p(k))",
			"c_p: c.x -> p.k constraint; ",
		},
		{
			"a foreign key of two columns", "CREATE TABLE p (k INTEGER, l INTEGER, PRIMARY KEY (k, l)); CREATE TABLE c (x INTEGER, y INTEGER, FOREIGN KEY (y, x) REFERENCES p(k, l))",
			"c_p: c.y,x -> p.k,l constraint; ",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := edgeTexts(run(t, generate.Options{}, tt.script)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	t.Run("a reference to itself", func(t *testing.T) {
		out := run(t, generate.Options{}, "CREATE TABLE employees (id INTEGER PRIMARY KEY, manager INTEGER REFERENCES employees (id), pay INTEGER)", modelspec.CodeSelfRelationship)
		if got := edgeTexts(out); got != "employees_employees: employees.manager -> employees.id constraint; " {
			t.Error(got)
		}
	})
	t.Run("without inference", func(t *testing.T) {
		if got := edgeTexts(run(t, generate.Options{NoInfer: true}, bikes+trips("i % 100 AS bike_id"))); got != "" {
			t.Error(got)
		}
	})
}

func TestRun_ChoosesTheTimeDimension(t *testing.T) {
	tests := []struct{ columns, want string }{
		{"created_at TIMESTAMP, trip_at TIMESTAMP, trip_date DATE", "trip_date"},
		{"a DATE, created_at TIMESTAMP, date DATE", "date"},
		{"a DATE, created_on TIMESTAMP", "created_on"},
		{"a DATE, b DATE", "a"},
	}
	for _, tt := range tests {
		out := run(t, generate.Options{}, "CREATE TABLE trips ("+tt.columns+")")
		if !strings.Contains(string(out.Text), `"time_dimension": "`+tt.want+`"`) {
			t.Errorf("%s: no %s in\n%s", tt.columns, tt.want, out.Text)
		}
	}
	out := run(t, generate.Options{}, "CREATE TABLE trips AS SELECT 20240100 + i AS day, 20240131 + i AS update_no, 1 AS t_day FROM range(1, 4) r(i)")
	if n := strings.Count(string(out.Text), `"time": {"format": "yyyyMMdd"}`); n != 1 {
		t.Errorf("%d encoded dates in\n%s", n, out.Text)
	}
}

func TestRun_NamesThatAreHardToWrite(t *testing.T) {
	out := run(t, generate.Options{}, `
CREATE TABLE "order" ("select" INTEGER, "from" VARCHAR, "a""b" DOUBLE, "Größe" INTEGER, "a b" INTEGER, "A-B" INTEGER, "数" INTEGER, "null" DATE, "case" BOOLEAN, x INTEGER[], y JSON, z BLOB, "semi;--" INTEGER, "new
line" INTEGER, count INTEGER);
INSERT INTO "order" ("select") VALUES (1), (2);
CREATE TABLE "it's ""odd"". table;--" ("order_id" INTEGER, id INTEGER); INSERT INTO "it's ""odd"". table;--" VALUES (1, 1);
CREATE TABLE "Select" (id INTEGER);
CREATE TABLE "数据" (id INTEGER);
CREATE TABLE nothing (id INTEGER)`)
	if out.Report.Datasets != 5 {
		t.Errorf("%+v", out.Report)
	}
	for _, want := range []string{`source: '"it''s ""odd"". table;--"'`, "name: t\n", "name: a_b_2", `expression: '"Größe"'`} {
		if !bytes.Contains(out.Text, []byte(want)) {
			t.Errorf("no %s in\n%s", want, out.Text)
		}
	}
}

// A field that was named after another column would sum that one.
func TestRun_FieldsOfEqualNamesReadTheirOwnColumns(t *testing.T) {
	script := `CREATE TABLE sales ("Net Sum" INTEGER, net_sum INTEGER, "Tax Sum" INTEGER, "Tax_Sum" INTEGER, "tax-sum" INTEGER)`
	doc, err := modelspec.Parse(run(t, generate.Options{}, script).Text)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range cat.Datasets[0].Fields {
		got[f.Name] = strings.Trim(sqlexpr.Format(f.Expr.Default), `"`)
	}
	want := map[string]string{
		"net_sum_2": "Net Sum", "net_sum": "net_sum", "tax_sum": "Tax Sum", "tax_sum_2": "Tax_Sum", "tax_sum_3": "tax-sum",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRun_RefusesTooManyTablesAndNone(t *testing.T) {
	var script strings.Builder
	for i := range generate.MaxTables + 1 {
		fmt.Fprintf(&script, "CREATE TABLE t%d (id INTEGER);\n", i)
	}
	db := openDuckDB(t, script.String())
	for name, o := range map[string]generate.Options{
		"--include":   {},
		"no tables":   {Include: []string{"main.x*"}},
		"--schema":    {Schemas: []string{"other"}},
		"not a glob":  {Exclude: []string{"["}},
		"is not a gl": {Include: []string{"\\"}},
	} {
		_, err := generate.GenerateFromWarehouse(t.Context(), db, o)
		var wrong *generate.OptionError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, err := generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "m", Include: []string{"main.t*"}, Exclude: []string{"*.t300", "*.t1??"}})
	if err != nil || out.Report.Datasets != 200 {
		t.Errorf("%v", err)
	}
	out, err = generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "m", Include: []string{"t1?", "t300", "main.t7"}, Exclude: []string{"t15"}})
	if err != nil || out.Report.Datasets != 11 {
		t.Errorf("globs over the table alone: %v", err)
	}
}

func TestRun_LargestModelLoads(t *testing.T) {
	wide := func(tables, columns int) string {
		var script strings.Builder
		for i := range tables {
			fmt.Fprintf(&script, "CREATE TABLE a_table_with_a_long_name_%03d (id INTEGER", i)
			for j := range columns - 1 {
				fmt.Fprintf(&script, ", a_column_with_quite_a_long_name_%04d VARCHAR", j)
			}
			script.WriteString(");\n")
		}
		return script.String()
	}
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		run(t, generate.Options{}, wide(25, generate.MaxColumnsOfAllTables/25))
	}
	_, err := generate.GenerateFromWarehouse(t.Context(), openDuckDB(t, wide(26, generate.MaxColumnsOfAllTables/25)), generate.Options{})
	var wrong *generate.OptionError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "--include") {
		t.Error(err)
	}
}

func TestRun_SameSourceGivesSameBytes(t *testing.T) {
	const script = "CREATE TABLE bikes AS SELECT i AS bike_id, 1.5 AS price FROM range(9) r(i); CREATE TABLE trips AS SELECT i AS trip_id, i % 9 AS bike_id, DATE '2024-01-01' AS a, DATE '2024-01-02' AS b FROM range(30) r(i)"
	a, b := run(t, generate.Options{}, script), run(t, generate.Options{}, script)
	if !bytes.Equal(a.Text, b.Text) {
		t.Error(cmp.Diff(string(a.Text), string(b.Text)))
	}
}

// refusing is a warehouse that rejects the statements about data.
type refusing struct {
	executor.Executor
	statements int
	code       string
}

func (r *refusing) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if r.statements++; r.statements > 4 { // the catalog
		return nil, &executor.Error{Code: r.code, Message: "refused"}
	}
	return r.Executor.Query(ctx, sql)
}

func TestRun_StatementThatFailsProvesNothing(t *testing.T) {
	const script = "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b AS SELECT 1 AS id, 1 AS a_id, 20240101 AS day"
	out, err := generate.GenerateFromWarehouse(t.Context(), &refusing{openDuckDB(t, script), 0, executor.CodeTimeout}, generate.Options{Name: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if keyTexts(out) != "a(id) constraint; b() none; " || edgeTexts(out) != "b_a: b.a_id -> a.id inferred not written; " || len(out.Report.Notes) != 3 {
		t.Errorf("%s %s %q", keyTexts(out), edgeTexts(out), out.Report.Notes)
	}
	if _, err := generate.GenerateFromWarehouse(t.Context(), &refusing{openDuckDB(t, script), 0, executor.CodeConnection}, generate.Options{}); err == nil {
		t.Error("a warehouse that cannot be reached has a model")
	}
}
