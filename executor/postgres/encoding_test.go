package postgres_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
)

func TestEncoding_TextArrivesUnchanged(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
		"CREATE ROLE latin LOGIN PASSWORD 'pw'", "ALTER ROLE latin SET client_encoding = 'LATIN1'")
	o := options(s.Address)
	o.Database = "latin"
	owner := open(t, o)
	for _, sql := range []string{
		"SELECT set_config('default_transaction_read_only', 'off', false)",
		"CREATE TABLE people AS SELECT 'Zoë Müller'::text AS name", "GRANT SELECT ON people TO PUBLIC",
	} {
		if _, err := executortest.QueryRowsJSON(t.Context(), owner, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	o.User, o.Password = "latin", executor.NewSecret("pw")
	for _, sql := range []string{
		"SELECT count(*) AS n, min(name) AS name FROM people WHERE name = 'Zoë Müller'",
		"SELECT count(*) AS n, min(name) AS name FROM people WHERE name = 'Zo' || chr(235) || ' M' || chr(252) || 'ller'",
	} {
		got, err := executortest.QueryRowsJSON(t.Context(), open(t, o), sql)
		if want := `[{"n":1,"name":"Zoë Müller"}]`; err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", sql, got, err, want)
		}
	}
}

func TestEncoding_BytesThatAreNotUTF8AreAnError(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE DATABASE raw ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
	o := options(s.Address)
	o.Database = "raw"
	// The server looks at the bytes of such a database when it sends them as UTF-8.
	for _, value := range []string{"convert_from('\\x5a6feb', 'SQL_ASCII')", "ARRAY[convert_from('\\x5a6feb', 'SQL_ASCII')]"} {
		got, err := executortest.QueryRowsJSON(t.Context(), open(t, o), "SELECT "+value+" AS city")
		if e := wantError(t, err, executor.CodeSQLRejected, s); !strings.Contains(e.Message, "UTF8") {
			t.Errorf("%s: got %s, message %q", value, got, e.Message)
		}
	}
}
