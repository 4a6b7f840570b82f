package engine_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/planner/query"
)

// kilnModel reads a table that only the kilns of a connection have.
const kilnModel = `
version: 0.2.0.dev0
name: m
datasets:
  - name: kilns
    source: kilns
    fields:
      - {name: name, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
      - {name: opened, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: opened}]}}
      - {name: heat, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: heat}]}}
metrics:
  - {name: heat_total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(kilns.heat)}]}}
  - {name: heat_spread, expression: {dialects: [{dialect: ANSI_SQL, expression: STDDEV_SAMP(kilns.heat)}]}}
`

// kilnProfile returns a profile of a database with two kilns.
func kilnProfile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kilns.duckdb")
	if err := duckdb.CreateDatabase(t.Context(), path, "CREATE TABLE kilns AS SELECT * FROM (VALUES ('north', DATE '2024-01-05', 3), ('south', DATE '2024-02-05', 4)) AS t(name, opened, heat)"); err != nil {
		t.Fatal(err)
	}
	return "{type: duckdb, uri: '" + path + "'"
}

// askEveryDoor sends a request through each door that executes and returns the errors.
func askEveryDoor(t *testing.T, e *engine.Engine) map[string]error {
	t.Helper()
	out := map[string]error{}
	q := metricQuery(t, `{"metrics":["heat_total"]}`)
	_, out["metrics"] = askRows(t.Context(), e, q)
	s, err := askStream(t.Context(), e, q)
	if out["stream"] = err; err == nil {
		_ = s.Close()
	}
	d, err := query.DecodeDetail([]byte(`{"from":"kilns","fields":["name"]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, out["select"] = askRows(t.Context(), e, d)
	s, err = askStream(t.Context(), e, d)
	if out["select stream"] = err; err == nil {
		_ = s.Close()
	}
	statement := &query.SQLStatement{SQL: "SELECT heat_total FROM m"}
	_, out["sql"] = askRows(t.Context(), e, statement)
	s, err = askStream(t.Context(), e, statement)
	if out["sql stream"] = err; err == nil {
		_ = s.Close()
	}
	p, err := e.Prepare(t.Context(), engine.PositionalSQL{SQLStatement: statement})
	if err != nil {
		t.Fatal(err)
	}
	s, err = p.Stream(t.Context())
	if out["prepared"] = err; err == nil {
		_ = s.Close()
	}
	v, err := query.DecodeValues([]byte(`{"field":"kilns.name"}`))
	if err != nil {
		t.Fatal(err)
	}
	_, out["values"] = e.FieldValues(t.Context(), v)
	a, err := query.DecodeAttribute([]byte(`{"metric":"heat_total","dimensions":["kilns.name"],"time_dimension":"kilns.opened",
		"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`))
	if err != nil {
		t.Fatal(err)
	}
	_, out["attribute"] = e.Attribute(t.Context(), a)
	return out
}

func TestConnections_MissingTableOfTheEmptyDatabaseNamesThem(t *testing.T) {
	kilns := kilnProfile(t)
	tests := []struct {
		name, profiles, retry string
		candidates            []string
	}{
		{"the only profile is the retry", "datasources:\n  studio: " + kilns + "}\n", `{"connection":"studio"}`, []string{"studio"}},
		{"the default profile is the retry", "datasources:\n  studio: " + kilns + "}\n  archive: " + kilns + ", default: true}\n", `{"connection":"archive"}`, []string{"studio", "archive"}},
		{"several profiles are the candidates", "datasources:\n  studio: " + kilns + "}\n  archive: " + kilns + "}\n", "", []string{"studio", "archive"}},
		{"a profile that executes nothing is no retry", "datasources:\n  lake: {type: oracle, host: h}\n", "", []string{"lake"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := open(t, engine.Config{ModelText: []byte(kilnModel), ConnectionsPath: file(t, tt.profiles)})
			for door, err := range askEveryDoor(t, e) {
				failed, ok := errors.AsType[*engine.ExecuteError](err)
				if !ok || failed.Code != "sql_rejected" {
					t.Errorf("%s: %v", door, err)
					continue
				}
				if d := cmp.Diff(tt.candidates, failed.Candidates); d != "" {
					t.Errorf("%s: %s", door, d)
				}
				if failed.SuggestedRetry != tt.retry || !strings.Contains(failed.Message, "it has no table kilns") || failed.Hint == "" || strings.Contains(failed.Message, "Did you mean") {
					t.Errorf("%s: %s", door, wire(t, failed))
				}
			}
		})
	}
}

func TestConnections_MissingTableKeepsItsErrorWhereTheDatabaseHasData(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(kilnModel), Setup: []string{"CREATE TABLE bowls (x INT)"}, ConnectionsPath: file(t, "datasources:\n  studio: "+kilnProfile(t)+"}\n")})
	for door, err := range askEveryDoor(t, e) {
		if failed, ok := errors.AsType[*engine.ExecuteError](err); !ok || failed.SuggestedRetry != "" || !strings.Contains(failed.Message, "Table with name kilns does not exist") {
			t.Errorf("%s: %v", door, err)
		}
	}
}

func TestConnections_RetryCompilesOnItsConnection(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(kilnModel), ConnectionsText: []byte("datasources:\n  warehouse: {type: sqlite, path: /no/such/file}\n")})
	_, err := askRows(t.Context(), e, metricQuery(t, `{"metrics":["heat_total"]}`))
	if failed, ok := errors.AsType[*engine.ExecuteError](err); !ok || failed.SuggestedRetry != `{"connection":"warehouse"}` {
		t.Errorf("%v", err)
	}
	if _, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["heat_spread"],"connection":"warehouse"}`)); err == nil {
		t.Fatal("SQLite has STDDEV_SAMP, and the test needs a query that its connection rejects")
	}
	_, err = askRows(t.Context(), e, metricQuery(t, `{"metrics":["heat_spread"]}`))
	if failed, ok := errors.AsType[*engine.ExecuteError](err); !ok || failed.SuggestedRetry != "" || len(failed.Candidates) != 1 {
		t.Errorf("%v", err)
	}
}

func TestConnections_DefaultServesRequestsWithoutOne(t *testing.T) {
	profiles := []byte("datasources:\n  studio: " + kilnProfile(t) + "}\n  warehouse: {type: postgres, host: h.invalid, username: u, password: p}\n")
	e := open(t, engine.Config{ModelText: []byte(kilnModel), ConnectionsText: profiles, DefaultConnection: "studio"})
	for door, err := range askEveryDoor(t, e) {
		if err != nil {
			t.Errorf("%s: %v", door, err)
		}
	}
	if e.RequiresConnection() {
		t.Error("a query must name a connection")
	}
	want := `[{"name":"studio","dialect":"duckdb","available":true,"default":true},{"name":"warehouse","dialect":"postgres","available":true}]`
	if d := cmp.Diff(want, wire(t, e.Connections())); d != "" {
		t.Error(d)
	}
	e = open(t, engine.Config{ModelText: []byte(kilnModel), ConnectionsText: profiles, DefaultConnection: "warehouse"})
	for body, dialect := range map[string]string{
		`{"metrics":["heat_total"]}`:                       "postgres",
		`{"metrics":["heat_total"],"dialect":"postgres"}`:  "postgres",
		`{"metrics":["heat_total"],"dialect":"duckdb"}`:    "duckdb",
		`{"metrics":["heat_total"],"connection":"studio"}`: "duckdb",
	} {
		c, err := askSQL(t.Context(), e, metricQuery(t, body))
		if err != nil || c.Dialect != dialect {
			t.Errorf("%s: %v, %v", body, c, err)
		}
	}
	_, err := askRows(t.Context(), e, metricQuery(t, `{"metrics":["heat_total"],"dialect":"duckdb"}`))
	if codeOf(err) != "bad_request" || !strings.Contains(err.Error(), "the default connection warehouse speaks postgres, not duckdb") {
		t.Errorf("%v", err)
	}
}

func TestConnections_UnknownDefaultFailsAtOnce(t *testing.T) {
	_, err := engine.Open(t.Context(), engine.Config{ModelText: []byte(kilnModel), ConnectionsText: []byte(several), DefaultConnection: "memori"})
	if codeOf(err) != "config" || !strings.Contains(err.Error(), "unknown connection memori") {
		t.Errorf("%v", err)
	}
}

func TestLikelyConnection_IsForQueriesThatMustNameOne(t *testing.T) {
	for name, c := range map[string]struct {
		profiles string
		change   func(*engine.Config)
		want     string
	}{
		"none":                        {"{}", nil, ""},
		"the only one":                {"{a: {type: sqlite, uri: ':memory:'}}", nil, "a"},
		"the only one that is usable": {"{a: {type: sqlite, uri: ':memory:'}, b: {type: trino, host: h, username: u}, c: {type: oracle}}", nil, "a"},
		"several":                     {"{a: {type: sqlite, uri: ':memory:'}, b: {type: sqlite, uri: ':memory:'}}", nil, ""},
		"the default of several":      {"{a: {type: sqlite, uri: ':memory:'}, b: {type: sqlite, uri: ':memory:', default: true}}", nil, "b"},
		"a default that is broken":    {"{a: {type: sqlite, uri: ':memory:'}, b: {type: trino, host: h, username: u, default: true}}", nil, ""},
		"beside embedded data":        {"{a: {type: sqlite, uri: ':memory:'}}", func(c *engine.Config) { c.Setup = []string{"CREATE TABLE t AS SELECT 1"} }, ""},
		"beside a connection of all":  {"{a: {type: sqlite, uri: ':memory:'}}", func(c *engine.Config) { c.DefaultConnection = "a" }, ""},
	} {
		config := engine.Config{ModelText: []byte(numbers), ConnectionsPath: file(t, "datasources: "+c.profiles)}
		if c.change != nil {
			c.change(&config)
		}
		if got := open(t, config).LikelyConnection(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
