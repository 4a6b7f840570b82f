package warehouse_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

// entry reads a profile from the keys of one entry, in YAML's flow style.
func entry(t *testing.T, keys string) profile.Profile {
	t.Helper()
	f, err := profile.Parse([]byte("datasources: {w: {"+keys+"}}"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	return f.Profiles[0]
}

// answer runs a statement and gives its rows as JSON.
func answer(ctx context.Context, p profile.Profile, o warehouse.Options, sql string) (string, error) {
	e, err := warehouse.OpenProfile(ctx, p, o)
	if err != nil {
		return "", err
	}
	defer e.Close()
	if e.Dialect() != p.Dialect {
		return "", fmt.Errorf("the executor speaks %s, the profile %s", e.Dialect(), p.Dialect)
	}
	return executortest.QueryRowsJSON(ctx, e, sql)
}

func TestOpen_MissingDriverIsExplained(t *testing.T) {
	minimal := map[string]string{
		"duckdb": "uri: a", "sqlite": "uri: a", "clickhouse": "host: h", "trino": "host: h, username: u",
		"snowflake": "account: a, username: u, password: p", "bigquery": "catalog: c", "databricks": "host: h, http_path: p, token: t",
	}
	has := map[string]bool{}
	for _, k := range warehouse.WarehouseTypesWithDrivers(warehouse.Options{}) {
		has[k.Name] = true
	}
	var with, without []string
	for _, k := range profile.DescribeWarehouseTypes() {
		keys := minimal[k.Name]
		if keys == "" {
			keys = "host: h"
		}
		p := entry(t, "type: "+k.Name+", "+keys)
		if p.Err != nil {
			t.Fatal(p.Err)
		}
		err := warehouse.CheckProfile(p, warehouse.Options{})
		if has[k.Name] {
			with = append(with, k.Name)
			if err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
			continue
		}
		without = append(without, k.Name)
		if e := executortest.ExpectError(t, err, "config"); e.Message != "this build has no driver for type "+k.Name || !strings.Contains(e.Hint, k.Name+".Driver()") {
			t.Errorf("%v", e)
		}
	}
	want := []string{"sqlite", "postgres", "greenplum", "hologres", "gaussdb", "dws", "redshift", "cockroachdb", "mysql", "mariadb", "tidb", "starrocks", "doris", "clickhouse"}
	if d := cmp.Diff(want, with); d != "" {
		t.Error(d)
	}
	if len(with)+len(without) != len(profile.DescribeWarehouseTypes()) {
		t.Errorf("with %v, without %v", with, without)
	}
}

func TestOpen_UsesGivenDriver(t *testing.T) {
	var asked profile.Profile
	refusal := &executor.Error{Code: executor.CodeConfig, Message: "not today"}
	o := warehouse.Options{Drivers: []warehouse.Driver{{Type: "trino", Open: func(p profile.Profile, _ warehouse.Options) (executor.Executor, error) {
		asked = p
		return nil, refusal
	}}}}
	p := entry(t, "type: trino, host: h, username: u")
	if _, err := warehouse.OpenProfile(t.Context(), p, o); !errors.Is(err, refusal) || asked.Name != "w" {
		t.Errorf("Open answers %v after asking for %q", err, asked.Name)
	}
	if err := warehouse.CheckProfile(p, o); !errors.Is(err, refusal) {
		t.Errorf("Check answers %v", err)
	}
	if !slices.ContainsFunc(warehouse.WarehouseTypesWithDrivers(o), func(t profile.WarehouseTypeDescription) bool { return t.Name == "trino" }) {
		t.Error("the type of the driver is not listed")
	}
}

func TestOpen_BrokenProfileReturnsItsError(t *testing.T) {
	p := entry(t, "type: postgres")
	if _, err := warehouse.OpenProfile(t.Context(), p, warehouse.Options{}); !errors.Is(err, p.Err) {
		t.Errorf("got %v, want %v", err, p.Err)
	}
	if err := warehouse.CheckProfile(p, warehouse.Options{}); !errors.Is(err, p.Err) {
		t.Errorf("got %v, want %v", err, p.Err)
	}
}

func TestCheck_FindsInvalidSettingsOffline(t *testing.T) {
	t.Run("settings that the driver rejects are found without a connection", func(t *testing.T) {
		tests := []string{
			"type: postgres, host: h, sslmode: verify-full, sslrootcert: /no/such/file.pem",
			"type: postgres, uri: 'postgres://u:c4n4ry@h/d?sslmode=sometimes'",
			"type: postgres, uri: 'host=h password=c4n4ry port=none'",
		}
		for _, keys := range tests {
			p := entry(t, keys)
			if p.Err != nil {
				t.Fatal(p.Err)
			}
			e := executortest.ExpectError(t, warehouse.CheckProfile(p, warehouse.Options{}), "config")
			if strings.Contains(fmt.Sprintf("%v %+v", e, *e), "c4n4ry") {
				t.Errorf("the secret shows: %v", e)
			}
		}
	})
}

func TestOpen_DuckDBFileFollowsProfile(t *testing.T) {
	drivers := []warehouse.Driver{duckdb.Driver()}
	path := filepath.Join(t.TempDir(), "a.duckdb")
	readOnly := entry(t, "type: duckdb, uri: 'duckdb:///"+path+"', memory_limit: 512MB, threads: 1")
	if err := warehouse.CheckProfile(readOnly, warehouse.Options{Drivers: drivers}); err != nil {
		t.Errorf("a file that is missing is no broken profile: %v", err)
	}
	_, err := answer(t.Context(), readOnly, warehouse.Options{Drivers: drivers}, "SELECT 1")
	executortest.ExpectError(t, err, "config")

	made, err := duckdb.Open(t.Context(), duckdb.Options{Path: path, ReadWrite: true, Setup: []string{"CREATE TABLE t AS SELECT 42 AS n"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	for keys, want := range map[string]string{
		"type: duckdb, uri: '" + path + "', memory_limit: 512MB, threads: 1":                               `[{"n":42,"mode":"read_only","memory":"488.2 MiB","threads":"1","external":"false"}]`,
		"type: duckdb, uri: '" + path + "', read_only: false, memory_limit: 1 GiB":                         `[{"n":42,"mode":"read_write","memory":"1.0 GiB","threads":"","external":"false"}]`,
		"type: duckdb, uri: '" + path + "', enable_external_access: true, memory_limit: 1.5gb, threads: 2": `[{"n":42,"mode":"read_only","memory":"1.3 GiB","threads":"2","external":"true"}]`,
	} {
		sql := "SELECT n, current_setting('access_mode') AS mode, current_setting('memory_limit') AS memory, current_setting('threads')::VARCHAR AS threads, current_setting('enable_external_access')::VARCHAR AS external FROM t"
		if !strings.Contains(keys, "threads") {
			sql = strings.Replace(sql, "current_setting('threads')::VARCHAR", "''", 1)
		}
		got, err := answer(t.Context(), entry(t, keys), warehouse.Options{Statements: 1, Drivers: drivers}, sql)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", keys, d)
		}
	}
}

func TestOpen_EachAddressForm(t *testing.T) {
	pg := servers.Postgres(t)
	maria := servers.MariaDB(t)
	for _, keys := range []string{
		fmt.Sprintf("type: postgres, host: %s, port: '%d', username: %s, password: %s, database: %s, schema: pg_catalog, timeout_seconds: 5", pg.Host, pg.Port, pg.User, pg.Password, pg.Database),
		fmt.Sprintf("type: redshift, uri: 'postgres://%s:%s@%s:%d/%s'", pg.User, pg.Password, pg.Host, pg.Port, pg.Database),
		fmt.Sprintf("type: postgresql, uri: 'host=%s port=%d user=%s password=%s dbname=%s'", pg.Host, pg.Port, pg.User, pg.Password, pg.Database),
		fmt.Sprintf("type: mariadb, host: %s, port: %d, username: %s, password: %s, database: %s, tls: preferred", maria.Host, maria.Port, maria.User, maria.Password, maria.Database),
		fmt.Sprintf("type: mysql, uri: 'mariadb+pymysql://%s:%s@%s:%d/%s?charset=utf8mb4'", maria.User, maria.Password, maria.Host, maria.Port, maria.Database),
	} {
		got, err := answer(t.Context(), entry(t, keys), warehouse.Options{PoolSize: 1}, "SELECT 41 + 1 AS n")
		if err != nil || got != `[{"n":42}]` {
			t.Errorf("%s: %s %v", strings.SplitN(keys, ",", 2)[0], got, err)
		}
	}
}

func TestPool_Size(t *testing.T) {
	pg := servers.Postgres(t)
	p := entry(t, fmt.Sprintf("type: postgres, host: %s, port: %d, username: %s, password: %s, database: %s", pg.Host, pg.Port, pg.User, pg.Password, pg.Database))
	e, err := warehouse.OpenProfile(t.Context(), p, warehouse.Options{PoolSize: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 2 {
		rows, err := e.Query(t.Context(), "SELECT generate_series(1, 3)")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = rows.Close() })
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = e.Query(ctx, "SELECT 1")
	executortest.ExpectError(t, err, "timeout")
}
