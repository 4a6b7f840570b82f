package engine_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
)

// silentServer accepts connections and answers nothing.
func silentServer(t *testing.T) (port int) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().(*net.TCPAddr).Port
}

func TestCheckConnections_ReportsEachWarehouse(t *testing.T) {
	pg, maria := servers.Postgres(t), servers.MariaDB(t)
	const profile = "  %s: {type: %s, host: '%s', port: %d, username: '%s', password: '%s', database: '%s', sslmode: disable}\n"
	text := "datasources:\n" +
		fmt.Sprintf(profile, "pg", "postgres", pg.Host, pg.Port, pg.User, pg.Password, pg.Database) +
		fmt.Sprintf(strings.Replace(profile, ", sslmode: disable", "", 1), "maria", "mariadb", maria.Host, maria.Port, maria.User, maria.Password, maria.Database) +
		fmt.Sprintf(profile, "intruder", "postgres", pg.Host, pg.Port, pg.User, "wrong", pg.Database) +
		fmt.Sprintf(profile, "down", "postgres", "127.0.0.1", closedPort, "u", "p", "d") +
		"  memory: {type: sqlite, uri: ':memory:'}\n  unset: {type: mysql, host: h, password: \"${SEMLAYER_TEST_UNSET}\"}\n"
	for range 5 { // more than are asked at one time
		text += fmt.Sprintf(profile, fmt.Sprintf("silent%d", strings.Count(text, "silent")), "postgres", "127.0.0.1", silentServer(t), "u", "p", "d")
	}
	e := connected(t, text)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	got, err := e.CheckConnections(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Error("the answer comes after the time of the request")
	}
	status := func(name, dialect, failure string) engine.ConnectionStatus {
		return engine.ConnectionStatus{ConnectionInfo: engine.ConnectionInfo{Name: name, Dialect: dialect, Available: failure != executor.CodeConfig}, Reachable: failure == "", Error: failure}
	}
	want := []engine.ConnectionStatus{
		status("pg", "postgres", ""), status("maria", "mariadb", ""), status("intruder", "postgres", "auth"), status("down", "postgres", "connection"),
		status("memory", "sqlite", ""), status("unset", "mysql", "config"),
	}
	for i := range 5 {
		want = append(want, status(fmt.Sprintf("silent%d", i), "postgres", "timeout"))
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(engine.ConnectionStatus{}, "LatencyMS", "Version")); d != "" {
		t.Error(d)
	}
	for i, words := range []string{"PostgreSQL", "MariaDB", "", "", "3."} {
		if !strings.Contains(got[i].Version, words) || (words == "") != (got[i].Version == "") {
			t.Errorf("%s has the version %q", got[i].Name, got[i].Version)
		}
	}
}

func TestCheckConnections_TakesASlot(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(numbers), ConnectionsPath: file(t, "datasources: {m: {type: sqlite, uri: ':memory:'}}"), MaxExecutions: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := e.CheckConnections(ctx)
	if err != nil || len(got) != 1 || got[0].Reachable || got[0].Error != executor.CodeTimeout {
		t.Errorf("the caller has left: %+v %v", got, err)
	}
	if got, err = e.CheckConnections(t.Context()); err != nil || !got[0].Reachable {
		t.Errorf("the slot is free again: %+v %v", got, err)
	}
}

func TestExecutionStats_HaveTheExpiryOfCredentials(t *testing.T) {
	s := servers.Postgres(t)
	program := filepath.Join(t.TempDir(), "program")
	script := "#!/bin/sh\necho '{\"password\":\"" + s.Password + "\",\"expires_at\":\"2999-01-01T00:00:00Z\"}'\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	e := connected(t, fmt.Sprintf("datasources: {pg: {type: postgres, host: '%s', port: %d, username: '%s', database: '%s', exec: {command: [%s]}}, m: {type: sqlite, uri: ':memory:'}}",
		s.Host, s.Port, s.User, s.Database, program))
	expiries := func() (out []string) {
		for _, c := range e.ExecutionStats().Connections {
			out = append(out, c.Connection+" "+c.CredentialExpiry.Format(time.DateOnly))
		}
		return out
	}
	if d := cmp.Diff([]string{" 0001-01-01", "pg 0001-01-01", "m 0001-01-01"}, expiries()); d != "" {
		t.Errorf("before the first connection: %s", d)
	}
	if got, err := e.CheckConnections(t.Context()); err != nil || !got[0].Reachable {
		t.Fatalf("%+v %v", got, err)
	}
	if d := cmp.Diff([]string{" 0001-01-01", "pg 2999-01-01", "m 0001-01-01"}, expiries()); d != "" {
		t.Error(d)
	}
}
