package postgres_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

// turnable returns the settings of sessions, each with a value that a role may have for it. For
// settings whose effect needs a large table, another locale or another version, the probe reads
// the setting itself.
func turnable() []executortest.ServerSettingCase {
	current := func(name string) string { return "SELECT current_setting('" + name + "') AS v" }
	return []executortest.ServerSettingCase{
		{Name: "client_encoding", Wrong: "LATIN1", Probe: "SELECT char_length('Zoë Müller') AS v"},
		{Name: "standard_conforming_strings", Wrong: "off", Probe: `SELECT 'a\\b' AS v`},
		{Name: "backslash_quote", Wrong: "off", Probe: `SELECT E'it\'s' AS v`},
		{Name: "TimeZone", Wrong: "Asia/Tokyo", Probe: "SELECT CAST(TIMESTAMPTZ '2024-01-05 23:00:00Z' AS date) AS v"},
		{Name: "timezone_abbreviations", Wrong: "India", Probe: "SELECT TIMESTAMPTZ '2024-01-05 00:00:00 IST' AS v"},
		{Name: "DateStyle", Wrong: "German, DMY", Probe: "SELECT CAST(DATE '2024-01-05' AS text) AS v"},
		{Name: "IntervalStyle", Wrong: "sql_standard", Probe: "SELECT CAST(INTERVAL '-1 day 02:03:04' AS text) AS v"},
		{Name: "extra_float_digits", Wrong: "-5", Probe: "SELECT CAST(0.1::float8 + 0.2::float8 AS text) AS v"},
		{Name: "bytea_output", Wrong: "escape", Probe: `SELECT CAST('\x00ff'::bytea AS text) AS v`},
		{Name: "xmlbinary", Wrong: "hex", Probe: `SELECT CAST(xmlelement(name x, '\x00ff'::bytea) AS text) AS v`},
		{Name: "xmloption", Wrong: "document", Probe: "SELECT CAST(CAST('a <b/>' AS xml) AS text) AS v"},
		{Name: "array_nulls", Wrong: "off", Probe: "SELECT (CAST('{NULL}' AS text[]))[1] IS NULL AS v"},
		{Name: "transform_null_equals", Wrong: "on", Probe: "SELECT count(*) AS v FROM (VALUES (1), (NULL)) AS t(n) WHERE n = NULL"},
		{Name: "quote_all_identifiers", Wrong: "on", Probe: "SELECT quote_ident('a') AS v"},
		{Name: "gin_fuzzy_search_limit", Wrong: "1", Probe: current("gin_fuzzy_search_limit")},
		{Name: "lc_numeric", Wrong: "C.UTF-8", Probe: current("lc_numeric")},
		{Name: "lc_time", Wrong: "C.UTF-8", Probe: current("lc_time")},
		{Name: "default_transaction_isolation", Wrong: "serializable", Probe: current("transaction_isolation")},
		{Name: "default_transaction_deferrable", Wrong: "on", Probe: current("transaction_deferrable")},
		{Name: "default_transaction_read_only", Wrong: "off", Probe: current("default_transaction_read_only")},
	}
}

func TestSession_TakesNoSettingFromTheRoleThatChangesRows(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE ROLE turned LOGIN PASSWORD 'pw'", "ALTER ROLE turned SET default_transaction_read_only = on")
	defer admin(t, s, "DROP ROLE turned")
	at := s.Address
	at.User, at.Password = "turned", "pw"
	executortest.TestIgnoresServerSettings(t, executortest.ServerSettingChangeBackend{
		Open: func(t testing.TB) executor.Executor { return open(t, options(at)) },
		Turn: func(_ testing.TB, c executortest.ServerSettingCase) {
			admin(t, s, "ALTER ROLE turned SET "+c.Name+" = '"+c.Wrong+"'")
		},
		Back:     func(_ testing.TB, c executortest.ServerSettingCase) { admin(t, s, "ALTER ROLE turned RESET "+c.Name) },
		Bare:     func(t testing.TB, sql string) string { return bare(t, at, sql) },
		Settings: turnable(),
	})
}

func TestSession_EachSettingIsTurnedByTheTest(t *testing.T) {
	executortest.CheckEverySessionSettingTested(t, postgres.SettingNames(), turnable(),
		"sql_inheritance",                                                                 // PostgreSQL before 10
		"null_ordered_last", "default_int_size", "default_transaction_use_follower_reads") // CockroachDB
}

// bare returns the result in a session that keeps all settings of the server.
func bare(t testing.TB, at localdb.Address, sql string) string {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), "postgres://"+at.User+":"+at.Password+"@"+at.HostPort()+"/"+at.Database+"?"+at.Params)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(t.Context()) }()
	results, err := c.Exec(t.Context(), sql).ReadAll()
	if err != nil {
		return err.Error()
	}
	var texts []string
	for _, row := range results[0].Rows {
		for _, cell := range row {
			texts = append(texts, string(cell))
		}
	}
	return strings.Join(texts, "|")
}

func TestSession_KeepsSettingsDespiteURI(t *testing.T) {
	s := servers.Postgres(t)
	o := options(s.Address)
	o.URI = executor.NewSecret("postgres://" + s.User + ":" + s.Password + "@" + s.HostPort() + "/" + s.Database +
		"?sslmode=disable&TimeZone=Asia/Tokyo&DateStyle=German&client_encoding=LATIN1&options=-c%20transform_null_equals%3Don")
	got, err := executortest.QueryRowsJSON(t.Context(), open(t, o),
		"SELECT current_setting('TimeZone') AS z, current_setting('DateStyle') AS d, current_setting('client_encoding') AS e, current_setting('transform_null_equals') AS n")
	if want := `[{"z":"UTC","d":"ISO, MDY","e":"UTF8","n":"off"}]`; err != nil || got != want {
		t.Fatalf("got %s, %v, want %s", got, err, want)
	}
}
