package postgres_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/testwait"
)

const (
	// killEnv makes the test run as the process that is killed, and holds the server's URI.
	killEnv = "SEMLAYER_TEST_STATEMENT_AT"
	// busy computes, and asks no network, for an hour.
	busy = "SELECT sum(a::bigint * b % 7) AS left_behind FROM generate_series(1, 2000000) a, generate_series(1, 2000000) b"
)

// TestKilledProcess_RunsAStatement is the process that is killed.
func TestKilledProcess_RunsAStatement(t *testing.T) {
	uri := os.Getenv(killEnv)
	if uri == "" {
		t.Skip("this is the other process of TestKill_EndsTheStatementOnTheServer")
	}
	at, err := localdb.ParseURI(localdb.Postgres, uri)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("begins\n")
	_, err = executortest.QueryRowsJSON(t.Context(), open(t, options(at)), busy)
	t.Fatalf("the statement ended before the process: %v", err)
}

func TestKill_EndsTheStatementOnTheServer(t *testing.T) {
	s := servers.Postgres(t)
	e := open(t, options(s.Address))
	running := func() string {
		got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%left_behind%' AND state = 'active' AND pid <> pg_backend_pid()")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestKilledProcess_RunsAStatement$")
	cmd.Env = append(os.Environ(), killEnv+"="+s.URI())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if !strings.HasPrefix(line, "begins") {
		t.Fatalf("got %q, %v", line, err)
	}
	waitFor(t, running, `[{"n":1}]`)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	waitFor(t, running, `[{"n":0}]`)
}

func waitFor(t *testing.T, look func() string, want string) {
	t.Helper()
	testwait.Until(t, "want "+want, func() bool { return look() == want })
}

func TestLimit_IsGivenToTheServerWithTheRowsOfABudget(t *testing.T) {
	s := servers.Postgres(t)
	admin(t, s, "CREATE ROLE limited LOGIN PASSWORD 'pw'", "ALTER ROLE limited SET statement_timeout = '20s'")
	o := options(s.Address)
	o.PoolSize = 1
	e := open(t, o)
	o.User, o.Password = "limited", executor.NewSecret("pw")
	limited := open(t, o)
	within := func(d time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(executor.WithDeadlineForRows(t.Context()), d)
		t.Cleanup(cancel)
		return ctx
	}
	first, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, c := range []struct {
		what string
		e    executor.Executor
		ctx  context.Context
		want string
	}{
		{"a budget", e, within(58 * time.Second), "65s"},
		{"another", e, within(8 * time.Second), "15s"},
		{"a deadline of the first rows", e, first, "0"},
		{"no deadline", e, t.Context(), "0"},
		{"a lower limit of the server", limited, within(58 * time.Second), "20s"},
		{"a lower budget", limited, within(3 * time.Second), "10s"},
		{"the server's limit again", limited, t.Context(), "20s"},
	} {
		got, err := executortest.QueryRowsJSON(c.ctx, c.e, "SELECT current_setting('statement_timeout') AS t")
		if want := `[{"t":"` + c.want + `"}]`; err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", c.what, got, err, want)
		}
	}
}
