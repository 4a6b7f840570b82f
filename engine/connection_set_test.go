package engine_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// numbers is a model whose data are in the model, and one table that is nowhere.
const numbers = `
version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: SELECT 'east' AS region, 5 AS amount UNION ALL SELECT 'east', 7 UNION ALL SELECT 'west', 30
    fields:
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: ghost
    source: no_such_table
    fields:
      - {name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
  - {name: haunted, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(ghost.x)}]}}
`

const totals = `"metrics":["total"],"group_by":[{"field":"sales.region"}],"order_by":[{"key":"region"}]`

// connected opens the model of numbers with a profiles file of that text.
func connected(t *testing.T, profiles string) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelText: []byte(numbers), ConnectionsPath: file(t, profiles)})
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "connections.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// several are profiles of hosts that do not exist.
const several = `
datasources:
  memory: {type: duckdb, uri: ":memory:", default: true}
  pg: {type: postgres, host: pg.invalid, username: u, password: p}
  maria: {type: mariadb, host: maria.invalid}
  lake: {type: trino, host: trino.invalid, username: u}
  unset: {type: mysql, host: h, password: "${SEMLAYER_TEST_UNSET}"}
  strange: {type: oracle, host: h}
  certless: {type: redshift, host: h, sslmode: verify-full, sslrootcert: /no/such/file.pem}
`

func TestConnections_ListDoesNotConnect(t *testing.T) {
	e := connected(t, several)
	want := `[{"name":"memory","dialect":"duckdb","available":true},` +
		`{"name":"pg","dialect":"postgres","available":true},` +
		`{"name":"maria","dialect":"mariadb","available":true},` +
		`{"name":"lake","dialect":"trino","available":false},` +
		`{"name":"unset","dialect":"mysql","available":false},` +
		`{"name":"strange","dialect":"","available":false},` +
		`{"name":"certless","dialect":"redshift","available":false}]`
	if d := cmp.Diff(want, wire(t, e.Connections())); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff("[]", wire(t, open(t, engine.Config{ModelText: []byte(numbers)}).Connections())); d != "" {
		t.Error(d)
	}
	report := e.ConnectionsFileReport()
	if report.Default != "memory" || len(report.Warnings) != 4 {
		t.Errorf("%+v", report)
	}
	for i, says := range []string{"no driver for type trino", "SEMLAYER_TEST_UNSET", "not a known type", "settings are invalid"} {
		if !strings.Contains(report.Warnings[i], says) {
			t.Errorf("%q does not say %q", report.Warnings[i], says)
		}
	}
}

func TestConnections_DialectPrecedence(t *testing.T) {
	e := connected(t, several)
	tests := []struct{ body, dialect, code, says string }{
		{`{` + totals + `}`, "duckdb", "", ""},
		{`{` + totals + `,"dialect":"mysql"}`, "mysql", "", ""},
		{`{` + totals + `,"connection":"pg"}`, "postgres", "", ""},
		{`{` + totals + `,"connection":"maria"}`, "mariadb", "", ""},
		{`{` + totals + `,"connection":"pg","dialect":"postgres"}`, "postgres", "", ""},
		{`{` + totals + `,"connection":"pg","dialect":"PostgreSQL"}`, "postgres", "", ""},
		{`{` + totals + `,"connection":"unset"}`, "mysql", "", ""}, // broken, and yet of a known dialect
		{`{` + totals + `,"connection":"pg","dialect":"mysql"}`, "", "bad_request", "the connection pg speaks postgres, not mysql"},
		{`{` + totals + `,"connection":"maria","dialect":"mysql"}`, "", "bad_request", "speaks mariadb, not mysql"},
		{`{` + totals + `,"connection":"pg","dialect":"klingon"}`, "", "bad_request", "unknown dialect"},
		{`{` + totals + `,"connection":"strange"}`, "", "config", "not a known type"},
		{`{` + totals + `,"connection":"PG"}`, "", "config", "unknown connection PG"},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			q := metricQuery(t, tt.body)
			compiled, err := askSQL(context.Background(), e, q)
			if codeOf(err) != tt.code {
				t.Fatalf("%v", err)
			}
			if _, explained := askPlan(context.Background(), e, q); codeOf(explained) != tt.code {
				t.Errorf("explain: %v", explained)
			}
			if err != nil {
				if !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%v", err)
				}
				return
			}
			if compiled.Dialect != tt.dialect {
				t.Errorf("dialect %s, want %s", compiled.Dialect, tt.dialect)
			}
		})
	}
}

func TestConnections_DialectMismatchSuggestsFix(t *testing.T) {
	t.Run("a dialect that contradicts the connection is rejected with the connection's dialect as candidate", func(t *testing.T) {
		_, err := askSQL(context.Background(), connected(t, several), metricQuery(t, `{`+totals+`,"connection":"pg","dialect":"mysql"}`))
		want := &planerr.Error{Code: "bad_request", Message: "the connection pg speaks postgres, not mysql", Candidates: []string{"postgres"}, SuggestedRetry: `{"dialect":null}`}
		var got *planerr.Error
		if !errors.As(err, &got) {
			t.Fatal(err)
		}
		if d := cmp.Diff(wire(t, want), wire(t, got)); d != "" {
			t.Error(d)
		}
	})
}

func TestConnections_UnknownListsCandidates(t *testing.T) {
	many := "datasources: {"
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		many += "connection_" + string(c) + ": {type: duckdb, uri: ':memory:'}, "
	}
	tests := []struct {
		e    *engine.Engine
		hint string
	}{
		{connected(t, "datasources: {b: {type: duckdb, uri: x}, a: {type: none}}"), "the known connections are a, b"},
		{connected(t, many+"}"), " and 6 more"},
		{connected(t, ""), "no connections are configured"},
	}
	for _, tt := range tests {
		for _, verb := range []func(*query.MetricQuery) error{
			func(q *query.MetricQuery) error { _, err := askSQL(context.Background(), tt.e, q); return err },
			func(q *query.MetricQuery) error { _, err := askRows(context.Background(), tt.e, q); return err },
		} {
			var got *engine.ExecuteError
			err := verb(metricQuery(t, `{`+totals+`,"connection":"conection"}`))
			if !errors.As(err, &got) || got.Code != "config" || got.Message != "unknown connection conection" || !strings.Contains(got.Hint, tt.hint) {
				t.Errorf("%v %+v", err, got)
			}
		}
	}
}

func TestConnections_BrokenProfileIsolated(t *testing.T) {
	t.Run("a broken profile fails with its reason and the other connections work", func(t *testing.T) {
		e := connected(t, several)
		for connection, says := range map[string]string{
			"unset": "SEMLAYER_TEST_UNSET", "strange": "type is not a known type", "lake": "no driver for type trino", "certless": "settings are invalid",
		} {
			_, err := askRows(context.Background(), e, metricQuery(t, `{`+totals+`,"connection":"`+connection+`"}`))
			if codeOf(err) != "config" || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", connection, err)
			}
		}
		got, err := askRows(context.Background(), e, metricQuery(t, `{`+totals+`,"connection":"memory"}`))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(`[{"region":"east","total":12},{"region":"west","total":30}]`, string(got.Rows)); d != "" {
			t.Error(d)
		}
		testwait.Until(t, "every slot is free", func() bool { return e.RunningExecutions() == 0 })
	})
}

func TestConnections_NamedFileMustBeReadable(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "missing.yaml"), file(t, "- a\n")} {
		_, err := engine.Open(context.Background(), engine.Config{ModelText: []byte(numbers), ConnectionsPath: path, Logger: slog.New(slog.DiscardHandler)})
		if codeOf(err) != "config" || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestConnections_DiscoveryIsOptIn(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func(c engine.Config) string {
		c.ModelText = []byte(numbers)
		var out []string
		for _, c := range open(t, c).Connections() {
			out = append(out, c.Name)
		}
		return strings.Join(out, " ")
	}
	named := file(t, "datasources: {named: {type: duckdb, uri: x}}")
	write("conf/agent.yml", "agent: {services: {datasources: {found: {type: duckdb, uri: x}}}}")
	for _, tt := range []struct {
		config engine.Config
		want   string
	}{
		{engine.Config{}, ""},
		{engine.Config{DiscoverConnections: true}, "found"},
		{engine.Config{DiscoverConnections: true, ConnectionsPath: named}, "named"},
	} {
		if got := names(tt.config); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.config, got, tt.want)
		}
	}

	// A malformed file that was only discovered does not prevent Open.
	write("service-connections.yaml", "- a\n")
	e := open(t, engine.Config{ModelText: []byte(numbers), DiscoverConnections: true})
	if len(e.Connections()) != 0 || len(e.ConnectionsFileReport().Warnings) != 1 || e.ConnectionsFileReport().Path != "service-connections.yaml" {
		t.Errorf("%+v", e.ConnectionsFileReport())
	}
	_, err := askSQL(context.Background(), e, metricQuery(t, `{`+totals+`,"connection":"found"}`))
	if codeOf(err) != "config" || !strings.Contains(err.Error(), "service-connections.yaml") {
		t.Errorf("%v", err)
	}
	if _, err := askSQL(context.Background(), e, metricQuery(t, `{`+totals+`}`)); err != nil {
		t.Error(err)
	}
}
