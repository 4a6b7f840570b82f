package pgwire_test

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
)

// startPortWithCatalogue serves the model of the tests with its catalogue.
func startPortWithCatalogue(t *testing.T, tokens ...string) *port {
	t.Helper()
	about := catalogue.New(slog.New(slog.DiscardHandler), nil)
	t.Cleanup(about.Close)
	return startPort(t, func(c *pgwire.Config) { c.Catalogue, c.Tokens = about, tokens })
}

func signal(t *testing.T, c *pgx.Conn, call string, pid uint32) string {
	t.Helper()
	return rowsOf(t, c.PgConn(), "SELECT "+call+"("+strconv.Itoa(int(pid))+")")[0][0]
}

const longStatement = "SELECT COUNT(DISTINCT a.label) FROM (SELECT label, k FROM numbers OFFSET 0) a JOIN (SELECT label, k FROM numbers OFFSET 0) b ON a.k = b.k"

func TestSession_CancelsStatementsOfItsIdentity(t *testing.T) {
	p := startPortWithCatalogue(t)
	one, other := connect(t, p.url("")), connect(t, p.url(""))
	ended := make(chan error, 1)
	go func() {
		_, err := one.PgConn().Exec(context.Background(), longStatement).ReadAll()
		ended <- err
	}()
	testwait.Until(t, "the statement to run", p.isBusy)
	if got := signal(t, other, "pg_cancel_backend", one.PgConn().PID()); got != "t" {
		t.Errorf("pg_cancel_backend is %s", got)
	}
	if err := testwait.Receive(t, "the end of the statement", ended); stateOf(err) != "57014" {
		t.Error(err)
	}
	if got := signal(t, other, "pg_cancel_backend", 2_000_000_000); got != "f" {
		t.Errorf("of a number without a session it is %s", got)
	}
	if got := signal(t, other, "pg_terminate_backend", one.PgConn().PID()); got != "t" {
		t.Errorf("pg_terminate_backend is %s", got)
	}
	if _, err := run(one.PgConn(), "SELECT 1"); stateOf(err) != "57P01" {
		t.Errorf("the session that was terminated answers %v", err)
	}
	if got := rowsOf(t, other.PgConn(), "SELECT count(*), min(state) FROM pg_stat_activity WHERE pid = pg_backend_pid() AND usename = current_user AND datname = current_database()"); got[0][0] != "1" || got[0][1] != "active" {
		t.Errorf("the own session is %v", got)
	}
	if got := rowsOf(t, other.PgConn(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"); len(got) != 0 {
		t.Errorf("other sessions are %v", got)
	}
}

func TestSession_DoesNotReachOtherIdentities(t *testing.T) {
	p := startPortWithCatalogue(t, "one", "two")
	one, other := connect(t, p.url("one")), connect(t, p.url("two"))
	for _, call := range []string{"pg_cancel_backend", "pg_terminate_backend"} {
		if got := signal(t, other, call, one.PgConn().PID()); got != "f" {
			t.Errorf("%s is %s", call, got)
		}
	}
	if got := rowsOf(t, one.PgConn(), "SELECT 1"); got[0][0] != "1" {
		t.Error(got)
	}
}

// The values are those that PostgreSQL 15 shows.
func TestSession_ShowsVariablesOfThePlanner(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	for _, test := range [][3]string{
		{"jit_optimize_above_cost", "-1", "-1"}, {"jit_inline_above_cost", "'2500.50'", "2500.5"}, {"cpu_tuple_cost", "1e-3", "0.001"}, {"parallel_setup_cost", "1000000", "1e+06"},
		{"enable_memoize", "no", "off"}, {"join_collapse_limit", "1", "1"}, {"constraint_exclusion", "ON", "on"},
	} {
		got := rowsOf(t, c, "SET "+test[0]+" = "+test[1]+"; SHOW "+test[0]+"; RESET "+test[0])
		if len(got) != 1 || got[0][0] != test[2] {
			t.Errorf("%s: %v, want %s", test[0], got, test[2])
		}
	}
}

func TestSession_EffectsActForEachRow(t *testing.T) {
	p := startPortWithCatalogue(t)
	c := connect(t, p.url("")).PgConn()
	got := rowsOf(t, c, "SELECT set_config(name, 'a ' || name, false) FROM pg_settings WHERE name IN ('application_name', 'lc_time') ORDER BY 1; SHOW application_name; SHOW lc_time")
	want := [][]string{{"a application_name"}, {"a lc_time"}, {"a application_name"}, {"a lc_time"}}
	for i := range want {
		if len(got) != len(want) || got[i][0] != want[i][0] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	got = rowsOf(t, c, `SELECT set_config(el->>0, el->>1, false) FROM json_array_elements('[["application_name","b"],["lc_time","\u0063"]]'::json) el; SHOW application_name; SHOW lc_time`)
	if want := [][]string{{"b"}, {"c"}, {"b"}, {"c"}}; !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%v, want %v", got, want)
	}
	for sql, state := range map[string]string{
		"SELECT NOT pg_cancel_backend(1)":                                                 "0A000",
		"SELECT x FROM (SELECT pg_terminate_backend(1) AS x) AS t":                        "0A000",
		"SELECT DISTINCT pg_cancel_backend(1)":                                            "0A000",
		"SELECT pg_cancel_backend('x')":                                                   "22P02",
		"SELECT pg_cancel_backend()":                                                      "42883",
		"SELECT set_config(relname, 'x', false) FROM pg_class WHERE relname = 'pg_class'": "42704",
	} {
		if _, err := run(c, sql); stateOf(err) != state {
			t.Errorf("%s: %v, want %s", sql, err, state)
		}
	}
	if got := rowsOf(t, c, "SELECT pg_advisory_unlock_all()"); got[0][0] != "" {
		t.Error(got)
	}
}
