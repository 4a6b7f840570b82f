package postgres_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/postgres"
)

// writeFile puts a new file in the place of an old one.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	err := os.WriteFile(path+".new", []byte(text), 0o600)
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The password changes many times while statements run. Connections that are cut are replaced with the new password, and no statement fails
// beyond those that were cut.
func TestPasswordFile_ChangesUnderLoad(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE ROLE rotated LOGIN PASSWORD 'first'")
	path := filepath.Join(t.TempDir(), "password")
	writeFile(t, path, "first\n")
	o := options(s.Address)
	o.User, o.Password, o.PasswordSource, o.PoolSize = "rotated", executor.Secret{}, credential.File(path), 4
	e := open(t, o)
	changes, perChange := 3, 60
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		changes, perChange = 20, 500
	}
	for i := range changes {
		// One change: both are in place before a connection ends, as with a warehouse that has two valid passwords.
		password := fmt.Sprintf("next-%d'", i)
		admin(t, s, fmt.Sprintf("ALTER ROLE rotated PASSWORD 'next-%d'''", i))
		writeFile(t, path, password)
		var load sync.WaitGroup
		failures := make(chan error, 4*perChange)
		for range 4 {
			load.Go(func() {
				for range perChange {
					if _, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n"); err != nil {
						failures <- err
					}
				}
			})
		}
		load.Wait()
		if len(failures) > 0 {
			t.Fatalf("change %d: %d statements failed: %v", i, len(failures), <-failures)
		}
		// The connections end while they are idle: the next statements need new ones.
		admin(t, s, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'")
		for range 4 {
			if got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n"); err != nil || got != `[{"n":1}]` {
				t.Fatalf("after the connections have ended: %s %v", got, err)
			}
		}
	}
	// An old or missing password is an error of the query, and the next one works again.
	admin(t, s, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'")
	writeFile(t, path, "first")
	_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n")
	wantError(t, err, executor.CodeAuth, s)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err = executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n")
	wantError(t, err, executor.CodeAuth, s)
	writeFile(t, path, fmt.Sprintf("next-%d'\r\n", changes-1))
	if _, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n"); err != nil {
		t.Error(err)
	}
}

func TestOptions_ApplicationName(t *testing.T) {
	s := servers.Postgres(t)
	uri := "postgres://" + s.User + ":" + s.Password + "@" + s.HostPort() + "/" + s.Database + "?sslmode=disable"
	for name, c := range map[string]struct {
		options postgres.Options
		want    string
	}{
		"none":                {options(s.Address), "semlayer"},
		"of the profile":      {func() postgres.Options { o := options(s.Address); o.ApplicationName = "sales service"; return o }(), "sales service"},
		"of the URI":          {postgres.Options{URI: executor.NewSecret(uri + "&application_name=bi")}, "bi"},
		"of both, the former": {postgres.Options{URI: executor.NewSecret(uri + "&application_name=bi"), ApplicationName: "sales"}, "sales"},
	} {
		got, err := executortest.QueryRowsJSON(t.Context(), open(t, c.options), "SELECT application_name AS a FROM pg_stat_activity WHERE pid = pg_backend_pid()")
		if err != nil || got != `[{"a":"`+c.want+`"}]` {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}
