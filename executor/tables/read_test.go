package tables_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql" // which loads the data
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	_ "github.com/jackc/pgx/v5/stdlib" // which loads the data
	_ "modernc.org/sqlite"             // which loads the data

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
	"github.com/semlayer/semlayer/executor/postgres"
	"github.com/semlayer/semlayer/executor/sqlite"
	"github.com/semlayer/semlayer/executor/tables"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

// script makes the same tables on every engine. NAME is replaced by the quoted name of a
// table that is hard to write.
const script = `CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, email VARCHAR(50) UNIQUE, born DATE);
CREATE TABLE order_lines (order_id INTEGER NOT NULL, line_no INTEGER NOT NULL, customer_id INTEGER, price DECIMAL(8,2), quantity DECIMAL(8,0) NOT NULL,
  PRIMARY KEY (order_id, line_no), FOREIGN KEY (customer_id) REFERENCES customers (id));
CREATE TABLE NAME (weight DOUBLE PRECISION);
CREATE VIEW big_orders AS SELECT order_id FROM order_lines WHERE quantity > 10`

// hostile holds the quote of every engine, a dot, a space and letters beyond ASCII.
const hostile = "Zoë's `odd\" .table;--"

func scriptFor(quote string) []string {
	name := quote + strings.ReplaceAll(hostile, quote, quote+quote) + quote
	return strings.Split(strings.ReplaceAll(script, "NAME", name), ";\n")
}

// want returns the tables of the script, with the types left out.
func want(schema string) []tables.Table {
	return []tables.Table{
		{Schema: schema, Name: hostile, InDefault: true, Columns: []tables.Column{
			{Name: "weight", Datatype: tables.DatatypeFloat, Nullable: true},
		}},
		{Schema: schema, Name: "big_orders", InDefault: true, View: true, Columns: []tables.Column{
			{Name: "order_id", Datatype: tables.DatatypeInteger},
		}},
		{
			Schema: schema, Name: "customers", InDefault: true, PrimaryKey: []string{"id"}, UniqueKeys: [][]string{{"email"}},
			Columns: []tables.Column{
				{Name: "id", Datatype: tables.DatatypeInteger},
				{Name: "email", Datatype: tables.DatatypeString, Nullable: true},
				{Name: "born", Datatype: tables.DatatypeDate, Nullable: true},
			},
		},
		{
			Schema: schema, Name: "order_lines", InDefault: true, PrimaryKey: []string{"order_id", "line_no"},
			ForeignKeys: []tables.ForeignKey{{Columns: []string{"customer_id"}, Schema: schema, Table: "customers", References: []string{"id"}}},
			Columns: []tables.Column{
				{Name: "order_id", Datatype: tables.DatatypeInteger},
				{Name: "line_no", Datatype: tables.DatatypeInteger},
				{Name: "customer_id", Datatype: tables.DatatypeInteger, Nullable: true},
				{Name: "price", Datatype: tables.DatatypeDecimal, Nullable: true},
				{Name: "quantity", Datatype: tables.DatatypeInteger},
			},
		},
	}
}

// checkScript reads the tables of the script.
func checkScript(t *testing.T, e executor.Executor, schema string) {
	t.Helper()
	all, err := tables.Read(t.Context(), e, tables.Options{Views: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range all {
		for i := range table.Columns {
			// A column of a view may hold nulls as far as some engines know.
			table.Columns[i].Nullable = table.Columns[i].Nullable && !table.View
		}
	}
	ignore := cmp.Options{
		cmpopts.IgnoreFields(tables.Column{}, "Type"),
		cmpopts.IgnoreFields(tables.Table{}, "Empty"),
		cmpopts.IgnoreFields(tables.ForeignKey{}, "Name"),
		cmpopts.EquateEmpty(),
	}
	sorted := cmpopts.SortSlices(func(a, b tables.Table) bool { return a.Name < b.Name })
	if diff := cmp.Diff(want(schema), all, ignore, sorted); diff != "" {
		t.Error(diff)
	}
	named, err := tables.Read(t.Context(), e, tables.Options{Schemas: []string{schema}, Keep: func(x tables.Table) bool { return x.Name == "order_lines" }})
	if err != nil || len(named) != 1 || len(named[0].Columns) != 5 {
		t.Errorf("one table of a named schema: %v %v", named, err)
	}
	none, err := tables.Read(t.Context(), e, tables.Options{Schemas: []string{"missing"}})
	if err != nil || len(none) != 0 {
		t.Errorf("a schema that is missing: %v %v", none, err)
	}
}

func execAll(t *testing.T, db *sql.DB, statements []string) {
	t.Helper()
	for _, text := range statements {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
}

func openDuckDB(t *testing.T, script string) executor.Executor {
	t.Helper()
	e, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{script}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestRead_DuckDB(t *testing.T) {
	e := openDuckDB(t, strings.Join(scriptFor(`"`), ";\n")+`;
COMMENT ON TABLE customers IS 'who buys'; COMMENT ON COLUMN customers.born IS 'a day'; CREATE SCHEMA other; CREATE TABLE other.x (a INTEGER UNIQUE)`)
	all, err := tables.Read(t.Context(), e, tables.Options{Schemas: []string{"main", "other"}, Keep: func(x tables.Table) bool { return len(x.Name) < 10 }})
	if err != nil || len(all) != 2 || all[0].Comment != "who buys" || all[0].Columns[2].Comment != "a day" || all[1].InDefault || !all[0].InDefault {
		t.Errorf("%+v %v", all, err)
	}
	f := openDuckDB(t, strings.Join(scriptFor(`"`), ";\n"))
	checkScript(t, f, "main")
}

func openSQLite(t *testing.T, statements ...string) executor.Executor {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	execAll(t, db, statements)
	e, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestRead_SQLite(t *testing.T) {
	checkScript(t, openSQLite(t, scriptFor(`"`)...), "main")
}

func TestRead_SQLiteKeysThatMayHoldNulls(t *testing.T) {
	e := openSQLite(t,
		"CREATE TABLE a (code TEXT PRIMARY KEY)", // SQLite takes nulls here
		"CREATE TABLE b (code TEXT PRIMARY KEY) WITHOUT ROWID",
		"CREATE TABLE c (x INT, y INT NOT NULL, PRIMARY KEY (y, x))",
		"CREATE TABLE d (id INTEGER PRIMARY KEY, v, a TEXT REFERENCES b)",
		"CREATE UNIQUE INDEX partial ON d (v) WHERE v > 1",
		"CREATE UNIQUE INDEX computed ON d (abs(v))",
	)
	all, err := tables.Read(t.Context(), e, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type keys struct {
		Primary []string
		Unique  [][]string
	}
	got := map[string]keys{}
	for _, x := range all {
		got[x.Name] = keys{x.PrimaryKey, x.UniqueKeys}
	}
	want := map[string]keys{
		"a": {nil, [][]string{{"code"}}},
		"b": {[]string{"code"}, nil},
		"c": {nil, [][]string{{"y", "x"}}},
		"d": {[]string{"id"}, nil},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if !all[0].Columns[0].Nullable || all[1].Columns[0].Nullable || !all[2].Columns[0].Nullable || all[2].Columns[1].Nullable || all[3].Columns[0].Nullable {
		t.Errorf("columns that may be null: %+v", all)
	}
	reference := []tables.ForeignKey{{Name: "0", Columns: []string{"a"}, Schema: "main", Table: "b", References: []string{"code"}}}
	if diff := cmp.Diff(reference, all[3].ForeignKeys); diff != "" || all[3].Columns[1].Datatype != tables.DatatypeUndeclared {
		t.Error(diff, all[3].Columns[1])
	}
}

func TestRead_Postgres(t *testing.T) {
	a := servers.Postgres(t).Address
	db, err := sql.Open("pgx", a.URI())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	execAll(t, db, append([]string{"DROP SCHEMA IF EXISTS tables_test CASCADE", "CREATE SCHEMA tables_test", "SET search_path TO tables_test"}, scriptFor(`"`)...))
	open := func() executor.Executor {
		return executortest.OpenForTest(postgres.Open)(t, postgres.Options{
			Host: a.Host, Port: a.Port, User: a.User, Password: executor.NewSecret(a.Password), Database: a.Database, Schema: "tables_test",
		})
	}
	checkScript(t, open(), "tables_test")
	execAll(t, db, []string{
		"COMMENT ON TABLE tables_test.customers IS 'who buys'", "COMMENT ON COLUMN tables_test.customers.born IS 'a day'",
		"CREATE TYPE tables_test.mood AS ENUM ('ok')", "CREATE DOMAIN tables_test.cents AS NUMERIC(10,0)",
		`CREATE TABLE tables_test.kinds (a tables_test.mood, b tables_test.cents, c money, d timestamptz(3), e timestamp(0), f integer[], g jsonb, h uuid, i time, j bytea, k character(3), l "char", m timetz)`,
		"CREATE UNIQUE INDEX low ON tables_test.kinds (lower(k))", "CREATE UNIQUE INDEX part ON tables_test.kinds (c) WHERE k > 'a'",
		"CREATE UNIQUE INDEX whole ON tables_test.kinds (h) INCLUDE (b)",
	})
	all, err := tables.Read(t.Context(), open(), tables.Options{Keep: func(x tables.Table) bool { return x.Name == "customers" || x.Name == "kinds" }})
	if err != nil || len(all) != 2 || all[0].Comment != "who buys" || all[0].Columns[2].Comment != "a day" {
		t.Fatalf("%+v %v", all, err)
	}
	var got []tables.Datatype
	for _, c := range all[1].Columns {
		got = append(got, c.Datatype)
	}
	datatypes := []tables.Datatype{"String", "Integer", "Decimal", "DateTimeTz", "DateTime", "Opaque", "Opaque", "String", "Time", "Opaque", "String", "String", "Opaque"}
	if diff := cmp.Diff(datatypes, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"h"}}, all[1].UniqueKeys); diff != "" {
		t.Error(diff)
	}
}

func testMySQL(t *testing.T, server *localdb.Server) {
	a := server.Address
	db, err := sql.Open("mysql", a.User+":"+a.Password+"@tcp("+a.HostPort()+")/?collation=utf8mb4_bin")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	execAll(t, db, append([]string{"DROP DATABASE IF EXISTS tables_test", "CREATE DATABASE tables_test CHARACTER SET utf8mb4", "USE tables_test"}, scriptFor("`")...))
	open := func() executor.Executor {
		return executortest.OpenForTest(mysql.Open)(t, mysql.Options{
			Host: a.Host, Port: a.Port, User: a.User, Password: executor.NewSecret(a.Password), Database: "tables_test", Dialect: string(a.Engine),
		})
	}
	checkScript(t, open(), "tables_test")
	execAll(t, db, []string{
		"CREATE TABLE kinds (a TINYINT(1), b BIT(1), c BIT(3), d YEAR, e SET('x','y'), f ENUM('a(','b'), g BLOB, h DATETIME(6), i TIMESTAMP NULL, j INT UNSIGNED, k DECIMAL(10,0) UNSIGNED COMMENT 'whole') COMMENT 'every kind'",
	})
	all, err := tables.Read(t.Context(), open(), tables.Options{Keep: func(x tables.Table) bool { return x.Name == "kinds" }})
	if err != nil || len(all) != 1 || all[0].Comment != "every kind" || all[0].Columns[10].Comment != "whole" {
		t.Fatalf("%+v %v", all, err)
	}
	var got []tables.Datatype
	for _, c := range all[0].Columns {
		got = append(got, c.Datatype)
	}
	datatypes := []tables.Datatype{"Boolean", "Boolean", "Integer", "Integer", "String", "String", "Opaque", "DateTime", "DateTimeTz", "Integer", "Integer"}
	if diff := cmp.Diff(datatypes, got); diff != "" {
		t.Error(diff)
	}
}

func TestRead_MariaDB(t *testing.T) { testMySQL(t, servers.MariaDB(t)) }

func TestRead_MySQL(t *testing.T) { testMySQL(t, servers.MySQL(t)) }

// otherDialect is an executor of a warehouse whose tables cannot be listed.
type otherDialect struct{ executor.Executor }

func (otherDialect) Dialect() string { return "trino" }

func TestRead_KnowsEmptyTables(t *testing.T) {
	e := openDuckDB(t, "CREATE TABLE a (x INTEGER); CREATE TABLE b AS SELECT 1 AS x; CREATE TABLE c AS SELECT 1 AS x; DELETE FROM c; CREATE VIEW d AS FROM a")
	all, err := tables.Read(t.Context(), e, tables.Options{Views: true})
	if err != nil || !all[0].Empty || all[1].Empty || all[3].Empty {
		t.Errorf("%+v %v", all, err)
	}
	a := servers.Postgres(t).Address
	db, err := sql.Open("pgx", a.URI())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	execAll(t, db, []string{
		"DROP SCHEMA IF EXISTS empty_test CASCADE", "CREATE SCHEMA empty_test", "SET search_path TO empty_test",
		"CREATE TABLE a (x INTEGER)", "CREATE TABLE b AS SELECT 1 AS x",
		"CREATE TABLE c (x INTEGER) PARTITION BY LIST (x)", "CREATE TABLE c1 PARTITION OF c FOR VALUES IN (1)", "INSERT INTO c VALUES (1)",
		"CREATE TABLE d (x INTEGER)", "CREATE TABLE d1 () INHERITS (d)", "INSERT INTO d1 VALUES (1)",
	})
	p := executortest.OpenForTest(postgres.Open)(t, postgres.Options{URI: executor.NewSecret(a.URI()), Schema: "empty_test"})
	if all, err = tables.Read(t.Context(), p, tables.Options{}); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, x := range all {
		got[x.Name] = x.Empty
	}
	if diff := cmp.Diff(map[string]bool{"a": true, "b": false, "c": false, "d": false, "d1": false}, got); diff != "" {
		t.Error(diff)
	}
}

func TestRead_RefusesOtherDialects(t *testing.T) {
	_, err := tables.Read(t.Context(), otherDialect{}, tables.Options{})
	executortest.ExpectError(t, err, executor.CodeConfig)
}
