package injection_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/containers"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/restapi"
)

var shared = containers.SharedServers()

func TestMain(m *testing.M) {
	if err := makeCanary(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := shared.RunTests(m)
	_ = os.RemoveAll(canary.folder)
	os.Exit(code)
}

// token opens the doors. Most requests have it; some try others.
const token = "a-token-of-the-tests"

// testServer is the whole service over one engine, and a view of that engine from behind.
type testServer struct {
	name       string
	base       string
	connection string // that a query names; "" in process
	// takeStatements are the statements that reached the engine since the last time.
	takeStatements func(*testing.T) []string
	// state is all that should stay as it is: catalog, settings, rows.
	state func(*testing.T) string
	// readCanary reads the canary's file by the engine's own means.
	readCanary func(*testing.T) (string, error)
}

func targets() map[string]func(*testing.T) *testServer {
	return map[string]func(*testing.T) *testServer{"duckdb": inProcess, "postgres": onPostgres, "mariadb": onMariaDB}
}

// serve runs the service over an engine, until the test ends.
func serve(t *testing.T, c engine.Config) string {
	t.Helper()
	c.Logger, c.Drivers = slog.New(slog.DiscardHandler), []warehouse.Driver{duckdb.Driver()}
	e, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, broken := range e.CompileErrors() {
		t.Fatal(broken)
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return serving.Serve(t, e, restapi.Config{Tokens: []string{token}, MaxBodyBytes: 8 << 20})
}

func inProcess(t *testing.T) *testServer {
	h := &testServer{name: "duckdb"}
	h.base = serve(t, engine.Config{
		ModelText: []byte(modelFor(true)),
		Setup:     []string{script("decode(from_hex('%s'))", "VARCHAR"), "CALL enable_logging('QueryLog')"},
	})
	seen, last := 0, ""
	h.takeStatements = func(t *testing.T) []string {
		t.Helper()
		look := h.ask(t, request{path: "/v1/select/execute", body: `{"from":"queries","fields":["number","message"],"where_sql":"number > ` + strconv.Itoa(seen) + `","order_by":[{"key":"number"}],"limit":10000}`})
		// A look does not see itself, but the one before it.
		var out []string
		for _, r := range look.rows {
			if sql := r["message"].(string); sql != parsedForm {
				out = append(out, sql)
			}
		}
		if look.status != http.StatusOK || len(look.rows) == 10000 || last != "" && (len(out) == 0 || out[0] != last) {
			t.Fatalf("the log of queries is not understood: %d lines\n%.1000s", len(out), look.text)
		}
		seen += len(look.rows)
		if last != "" {
			out = out[1:]
		}
		last = look.sql
		return out
	}
	h.state = func(t *testing.T) string {
		t.Helper()
		list := `{"from":"catalog","fields":["sort","name","detail"],"order_by":[{"key":"sort"},{"key":"name"},{"key":"detail"}],"limit":10000}`
		return h.ask(t, request{path: "/v1/select/execute", body: list}).rowsText(t)
	}
	h.readCanary = func(t *testing.T) (string, error) {
		return readCanaryCell(t, openDuckDB(t), "SELECT content AS c FROM read_text('"+canary.file+"')")
	}
	return h
}

func onPostgres(t *testing.T) *testServer {
	return onServer(t, shared.Postgres(t), servers.PostgreSQL(t, shared), remote{
		script: script("convert_from(decode('%s', 'hex'), 'UTF8')", "VARCHAR"),
		read:   readPostgres,
		place:  "SELECT current_schema() AS c",
		keys: func(database, place string) string {
			return fmt.Sprintf("type: postgres, sslmode: disable, database: '%s', schema: '%s'", database, place)
		},
		canarySQL: "SELECT pg_read_file('" + canary.file + "') AS c",
		state: `SELECT 'column' AS sort, table_schema || '.' || table_name || '.' || column_name AS name, data_type AS detail FROM information_schema.columns WHERE table_schema NOT IN ('information_schema', 'pg_catalog')
			UNION ALL SELECT 'setting', name, setting FROM pg_settings WHERE source <> 'session' AND name <> 'in_hot_standby'
			UNION ALL SELECT 'function', proname, prosrc FROM pg_proc
			UNION ALL SELECT 'role', rolname, CAST(rolsuper AS text) FROM pg_roles
			UNION ALL SELECT 'large object', CAST(oid AS text), '' FROM pg_largeobject_metadata
			UNION ALL SELECT 'extension', extname, extversion FROM pg_extension
			UNION ALL SELECT 'database', datname, '' FROM pg_database
			UNION ALL SELECT 'note', CAST(id AS text), md5(concat_ws('|', body, kind, day, moment, score, flag, "odd "" name")) FROM notes
			UNION ALL SELECT 'kind', CAST(kind AS text), title FROM kinds
			ORDER BY 1, 2, 3`,
	})
}

func onMariaDB(t *testing.T) *testServer {
	return onServer(t, shared.MariaDB(t), servers.MariaDB(t, shared), remote{
		script:    script("CONVERT(X'%s' USING utf8mb4)", "TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"),
		read:      readMySQL,
		place:     "SELECT DATABASE() AS c",
		keys:      func(_, place string) string { return "type: mariadb, database: " + place },
		canarySQL: "SELECT CONVERT(LOAD_FILE('" + canary.file + "') USING utf8mb4) AS c",
		state: "SELECT 'column' AS sort, CONCAT(table_schema, '.', table_name, '.', column_name) AS name, column_type AS detail FROM information_schema.columns WHERE table_schema NOT IN ('information_schema', 'performance_schema')" +
			" UNION ALL SELECT 'setting', variable_name, variable_value FROM information_schema.global_variables WHERE variable_name NOT LIKE 'gtid%'" +
			" UNION ALL SELECT 'routine', routine_name, routine_definition FROM information_schema.routines" +
			" UNION ALL SELECT 'privilege', grantee, privilege_type FROM information_schema.user_privileges" +
			" UNION ALL SELECT 'plugin', plugin_name, plugin_status FROM information_schema.plugins" +
			" UNION ALL SELECT 'note', id, md5(concat_ws('|', hex(body), kind, day, moment, score, flag, hex(`odd \" name`))) FROM notes" +
			" UNION ALL SELECT 'kind', kind, title FROM kinds ORDER BY 1, 2, 3",
	})
}

// remote is what one kind of server needs.
type remote struct {
	script, canarySQL, state string
	// place is a statement for the namespace of the tables, and keys the lines of a profile
	// for its type, given the database of the server and that place.
	place string
	keys  func(database, place string) string
	read  reader
}

func onServer(t *testing.T, at *localdb.Server, s *servers.Server, r remote) *testServer {
	t.Helper()
	key := "injection/" + strconv.Itoa(os.Getpid())
	behind, err := s.Load(t.Context(), key, r.script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = behind.Close()
		if err := s.Drop(context.Background(), key); err != nil {
			t.Error(err)
		}
	})
	place, err := cell(t, behind, r.place)
	if err != nil {
		t.Fatal(err)
	}
	p := newTap(t, at.HostPort(), r.read)
	profiles := filepath.Join(t.TempDir(), "connections.yaml")
	text := fmt.Sprintf("datasources:\n  w: {host: 127.0.0.1, port: %d, username: '%s', password: '%s', %s}\n", p.port, at.User, at.Password, r.keys(at.Database, place))
	if err := os.WriteFile(profiles, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h := &testServer{name: s.Dialect, connection: "w"}
	// One connection, so that no other is made ready in the middle of a test.
	h.base = serve(t, engine.Config{ModelText: []byte(modelFor(false)), ConnectionsPath: profiles, PoolSize: 1})
	h.rows(t, "/v1/query/execute", `{"connection":"w","metrics":["note_count"]}`)
	p.take()
	h.takeStatements = func(*testing.T) []string {
		// The pool of PostgreSQL checks whether an idle connection is still open.
		return slices.DeleteFunc(p.take(), func(sql string) bool { return sql == "-- ping" })
	}
	h.state = func(t *testing.T) string {
		t.Helper()
		all, err := servers.QueryTable(t.Context(), behind, r.state, nil)
		if err != nil {
			t.Fatal(err)
		}
		return printed(all)
	}
	h.readCanary = func(t *testing.T) (string, error) { return readCanaryCell(t, behind, r.canarySQL) }
	return h
}

// parsedForm is the statement by which the driver of DuckDB requests the functions of another
// statement, which is its parameter.
const parsedForm = "SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)"

// errUnreachable reports that an engine does not share our files: it runs elsewhere.
var errUnreachable = errors.New("the file is not there for the engine")

func readCanaryCell(t *testing.T, db executor.Executor, sql string) (string, error) {
	t.Helper()
	text, err := cell(t, db, sql)
	if err != nil || text == "" {
		return "", errors.Join(errUnreachable, err)
	}
	return text, nil
}

// cell returns the only value of a statement.
func cell(t *testing.T, db executor.Executor, sql string) (string, error) {
	t.Helper()
	got, err := servers.QueryTable(t.Context(), db, sql, nil)
	if err != nil {
		return "", err
	}
	if len(got.Rows) != 1 {
		return "", fmt.Errorf("%d rows", len(got.Rows))
	}
	return got.Rows[0][0].Text, nil
}

func printed(all *table.Table) string {
	var b []byte
	for _, row := range all.Rows {
		for _, c := range row {
			b = append(b, c.String()...)
			b = append(b, " | "...)
		}
		b = append(b, '\n')
	}
	return string(b)
}
