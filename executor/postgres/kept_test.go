package postgres_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/postgres"
)

// single is an executor of one connection, so that it can be asked about itself.
func single(t *testing.T) (ask func(sql string) string) { return asking(t, alone(t, true)) }

func alone(t *testing.T, keeps bool) *postgres.Executor {
	o := options(servers.Postgres(t).Address)
	o.PoolSize, o.KeepPlans = 1, keeps
	return open(t, o)
}

func asking(t *testing.T, e *postgres.Executor) (ask func(sql string) string) {
	return func(sql string) string {
		t.Helper()
		got, err := executortest.Answer(t.Context(), e, sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return got
	}
}

// onServer names what the session keeps. It holds the word now, and so is not kept.
const onServer = "SELECT statement AS sql FROM pg_prepared_statements WHERE 'now' <> '' ORDER BY statement"

func TestAStatementThatComesAgainIsKeptOnTheServer(t *testing.T) {
	ask := single(t)
	ask("SELECT 1 AS once")
	for range 3 {
		if got := ask("SELECT 2 AS often"); got != `[{"often":2}]` {
			t.Fatal(got)
		}
	}
	if d := cmp.Diff(`[{"sql":"SELECT 2 AS often"}]`, ask(onServer)); d != "" {
		t.Error(d)
	}
}

func TestAKeptStatementSeesWhatItReadsAsItIs(t *testing.T) {
	s := servers.Postgres(t)
	ask := single(t)
	const sql = "SELECT count(*) AS n, max(x) AS most FROM kept_view WHERE x > 10"
	for _, step := range []struct{ change, want string }{
		{"DROP VIEW IF EXISTS kept_view", ""},
		{"DROP TABLE IF EXISTS kept_table", ""},
		{"CREATE TABLE kept_table AS SELECT x FROM generate_series(1, 5) AS s(x)", ""},
		{"CREATE VIEW kept_view AS SELECT x FROM kept_table", `[{"n":0,"most":null}]`},
		{"INSERT INTO kept_table VALUES (11), (12)", `[{"n":2,"most":12}]`},
		{"ANALYZE kept_table", `[{"n":2,"most":12}]`},
		{"INSERT INTO kept_table SELECT x FROM generate_series(100, 10000) AS s(x)", `[{"n":9903,"most":10000}]`},
		{"CREATE INDEX ON kept_table (x)", `[{"n":9903,"most":10000}]`},
		{"UPDATE kept_table SET x = x + 1", `[{"n":9903,"most":10001}]`},
		{"CREATE OR REPLACE VIEW kept_view AS SELECT x FROM kept_table WHERE x < 100", `[{"n":2,"most":13}]`},
		{"TRUNCATE kept_table", `[{"n":0,"most":null}]`},
	} {
		admin(t, s, step.change)
		for range 3 {
			if step.want == "" {
				break
			}
			if d := cmp.Diff(step.want, ask(sql)); d != "" {
				t.Fatalf("after %s: %s", step.change, d)
			}
		}
	}
}

func TestWhatIsReadFromTheClockWhileParsingIsNotKept(t *testing.T) {
	ask := single(t)
	for _, sql := range []string{
		"SELECT DATE 'today' > DATE '2000-01-01' AS b",
		"SELECT CAST('Tomorrow' AS DATE) > DATE '2000-01-01' AS b",
		"SELECT TIMESTAMP 'yesterday 10:00' > TIMESTAMP '2000-01-01' AS b",
		"SELECT TIMESTAMPTZ ' NOW ' > TIMESTAMPTZ '2000-01-01' AS b",
	} {
		for range 3 {
			if got := ask(sql); got != `[{"b":true}]` {
				t.Errorf("%s: %s", sql, got)
			}
		}
	}
	if got := ask(onServer); got != "[]" {
		t.Errorf("kept %s", got)
	}
	const current = "SELECT CURRENT_DATE > DATE '2000-01-01' AS b"
	ask(current)
	ask(current)
	if got := ask(onServer); got == "[]" {
		t.Error("CURRENT_DATE is read when the statement runs, and it was not kept")
	}
}

func TestBehindAPoolerNothingIsKept(t *testing.T) {
	ask := single(t)
	const sql = "SELECT 3 AS n"
	ask(sql)
	ask(sql)
	ask("DEALLOCATE ALL") // another session of the server looks like this
	for range 3 {
		if got := ask(sql); got != `[{"n":3}]` {
			t.Fatal(got)
		}
	}
	if got := ask(onServer); got != "[]" {
		t.Errorf("kept %s", got)
	}

	// And a session on which somebody has the name already.
	ask = single(t)
	others := single(t)
	others(sql)
	others(sql)
	name := others("SELECT name AS n FROM pg_prepared_statements WHERE statement = 'SELECT 3 AS n' AND 'now' <> ''")
	name = name[len(`[{"n":"`) : len(name)-len(`"}]`)]
	ask("PREPARE " + name + " AS SELECT 4 AS wrong")
	for range 3 {
		if got := ask(sql); got != `[{"n":3}]` {
			t.Fatal(got)
		}
	}
}

// A function that is wrongly declared immutable is computed with the plan.
func TestAPlanIsMadeAnewAfterAWhile(t *testing.T) {
	e := alone(t, true)
	ask := asking(t, e)
	const made = "SELECT prepare_time AS at FROM pg_prepared_statements WHERE 'now' <> ''"
	ask("SELECT 6 AS n")
	ask("SELECT 6 AS n")
	first := ask(made)
	ask("SELECT 6 AS n")
	if again := ask(made); again != first {
		t.Errorf("made at %s and again at %s", first, again)
	}
	e.KeepFor(time.Nanosecond)
	ask("SELECT 6 AS n")
	if later := ask(made); later == first || later == "[]" {
		t.Errorf("an old plan stayed: %s, %s", first, later)
	}
}

func TestAConnectionKeepsABoundedNumberOfStatements(t *testing.T) {
	ask := single(t)
	for i := range 50 {
		for range 2 {
			ask("SELECT " + strconv.Itoa(i) + " AS n")
		}
	}
	const count = "SELECT count(*) AS n, bool_or(statement = 'SELECT 49 AS n') AS last FROM pg_prepared_statements WHERE 'now' <> ''"
	if d := cmp.Diff(`[{"n":32,"last":true}]`, ask(count)); d != "" {
		t.Error(d)
	}
}

func TestNothingIsKeptUnlessItIsAskedFor(t *testing.T) {
	ask := asking(t, alone(t, false))
	for range 3 {
		ask("SELECT 5 AS n")
	}
	if got := ask(onServer); got != "[]" {
		t.Errorf("kept %s", got)
	}
}
