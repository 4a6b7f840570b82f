package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

// sessionTable is a table whose policy shows a tenant its own rows, to members of the role tenants alone.
var sessionTable = []string{
	"CREATE ROLE tenants", "CREATE ROLE outsiders", "CREATE ROLE " + `"Odd ""role"`,
	"CREATE TABLE letters (tenant text, body text)",
	"INSERT INTO letters SELECT 't' || n % 16, 'letter ' || n FROM generate_series(0, 159) n",
	"ALTER TABLE letters ENABLE ROW LEVEL SECURITY",
	"CREATE POLICY own ON letters TO tenants USING (tenant = current_setting('app.tenant', true))",
	`GRANT SELECT ON letters TO tenants, "Odd ""role"`,
}

var tenants sync.Once

func serverWithTenants(t *testing.T) *localdb.Server {
	t.Helper()
	s := servers.Postgres(t)
	tenants.Do(func() { admin(t, s, sessionTable...) })
	return s
}

const countLetters = "SELECT current_user AS who, coalesce(current_setting('app.tenant', true), '') AS tenant, count(*) AS n, count(DISTINCT tenant) AS tenants FROM letters"

func sessionOf(role string, settings ...string) *executor.Session {
	s := &executor.Session{Role: role}
	for i := 0; i < len(settings); i += 2 {
		s.Settings = append(s.Settings, executor.SessionSetting{Name: settings[i], Value: settings[i+1]})
	}
	return s
}

func TestSession_LastsForItsStatementAlone(t *testing.T) {
	s := serverWithTenants(t)
	o := options(s.Address)
	o.PoolSize = 1
	for name, e := range map[string]executor.Executor{
		"own pool":   open(t, o),
		"ready pool": fromPool(t, readyPool(t, s.Address, connections(1)), postgres.FromPoolOptions{}),
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				session *executor.Session
				want    string
			}{
				{sessionOf("tenants", "app.tenant", "t3"), `[{"who":"tenants","tenant":"t3","n":10,"tenants":1}]`},
				{sessionOf("tenants", "app.tenant", "t4' OR true --"), `[{"who":"tenants","tenant":"t4' OR true --","n":0,"tenants":0}]`},
				{sessionOf(`Odd "role`, "app.tenant", "t3", "app.two", "x"), `[{"who":"Odd \"role","tenant":"t3","n":0,"tenants":0}]`}, // no policy is for this role
				{nil, `[{"who":"` + s.Address.User + `","tenant":"","n":160,"tenants":16}]`},
				{sessionOf("", "app.tenant", "t5"), `[{"who":"` + s.Address.User + `","tenant":"t5","n":160,"tenants":16}]`},
				{nil, `[{"who":"` + s.Address.User + `","tenant":"","n":160,"tenants":16}]`},
			} {
				got, err := executortest.QueryRowsJSON(executor.WithSession(t.Context(), c.session), e, countLetters)
				if err != nil || got != c.want {
					t.Errorf("%+v: got %s, %v, want %s", c.session, got, err, c.want)
				}
			}
			for _, c := range []struct {
				session *executor.Session
				sql     string
				code    string
			}{
				{sessionOf("nobody_has_this"), countLetters, executor.CodeAuth},
				{sessionOf("outsiders"), countLetters, executor.CodeSQLRejected},
				{sessionOf("tenants", "app.tenant", "t1"), "SELECT 1 / count(*) FROM letters WHERE false", executor.CodeSQLRejected},
				{sessionOf("tenants", "app.tenant", "t1"), "INSERT INTO letters VALUES ('t1', 'new')", executor.CodeSQLRejected},
				{nil, countLetters, ""},
			} {
				_, err := executortest.QueryRowsJSON(executor.WithSession(t.Context(), c.session), e, c.sql)
				if c.code != "" {
					wantError(t, err, c.code, s)
				} else if err != nil {
					t.Error(err)
				}
			}
			// A statement whose columns are known fails for its own reason.
			for range 2 {
				_, err := executortest.QueryRowsJSON(executor.WithSession(t.Context(), sessionOf("tenants", "app.tenant", "t1")), e, "SELECT 7 / (count(*) - 10) AS n FROM letters")
				if err == nil || !strings.Contains(err.Error(), "division by zero") {
					t.Errorf("got %v, want the division", err)
				}
			}
		})
	}
}

// Sixteen tenants share two connections, which are cut again and again and whose statements are given up: each result is that of its
// tenant, and nothing of a session stays on a connection.
func TestSession_IsNeverThatOfAnother(t *testing.T) {
	s := serverWithTenants(t)
	o := options(s.Address)
	o.PoolSize = 2
	e := open(t, o)
	killer := open(t, options(s.Address))
	var asking sync.WaitGroup
	answers := make([]int, 16)
	for tenant := range answers {
		asking.Add(1)
		go func() {
			defer asking.Done()
			name := fmt.Sprintf("t%d", tenant)
			want := fmt.Sprintf(`[{"who":"tenants","tenant":"%s","n":10,"tenants":1}]`, name)
			inSession := executor.WithSession(t.Context(), sessionOf("tenants", "app.tenant", name))
			for round := range 16 {
				if (tenant+round)%16 == 0 {
					_, _ = executortest.QueryRowsJSON(t.Context(), killer, "SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity WHERE query LIKE '%letters%' AND pid <> pg_backend_pid()")
				}
				if round%4 == 0 { // a client leaves before its rows
					leaving, leave := context.WithCancel(inSession)
					rows, err := e.Query(leaving, countLetters)
					leave()
					if err == nil {
						_ = rows.Close()
					}
				}
				got, err := executortest.QueryRowsJSON(inSession, e, countLetters)
				switch {
				case err != nil: // cut
				case got != want:
					t.Errorf("the tenant %s got %s", name, got)
				default:
					answers[tenant]++
				}
			}
		}()
	}
	asking.Wait()
	for tenant, n := range answers {
		if n == 0 {
			t.Errorf("the tenant t%d has no answer", tenant)
		}
	}
	want := `[{"who":"` + s.Address.User + `","tenant":"","n":160,"tenants":16}]`
	for range 8 {
		if got, err := executortest.QueryRowsJSON(t.Context(), e, countLetters); err != nil || got != want {
			t.Errorf("a statement without a session got %s, %v, want %s", got, err, want)
		}
	}
}
