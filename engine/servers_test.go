package engine_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/localdb"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

// closedPort is a port that no program uses.
const closedPort = 1

func TestConnections_QueryRunsOnItsServer(t *testing.T) {
	tests := []struct {
		kind   string
		server func(testing.TB) *localdb.Server
	}{
		{"postgres", servers.Postgres},
		{"mariadb", servers.MariaDB},
	}
	for _, tt := range tests {
		t.Run(tt.kind, func(t *testing.T) {
			s := tt.server(t)
			t.Setenv("SEMLAYER_TEST_PASSWORD", s.Password)
			const profile = "  %s: {type: %s, host: '%s', port: %d, username: '%s', password: '%s', database: '%s'}\n"
			e := connected(t, "datasources:\n"+
				fmt.Sprintf(profile, "good", tt.kind, s.Host, s.Port, s.User, "${SEMLAYER_TEST_PASSWORD}", s.Database)+
				fmt.Sprintf(profile, "intruder", tt.kind, s.Host, s.Port, s.User, "wrong-pass-word", s.Database)+
				fmt.Sprintf(profile, "down", tt.kind, s.Host, closedPort, s.User, s.Password, s.Database)+
				fmt.Sprintf(profile, "nowhere", tt.kind, s.Host, s.Port, s.User, s.Password, "no_such_database"))
			for _, c := range e.Connections() {
				if !c.Available || c.Dialect != tt.kind {
					t.Errorf("%+v", c)
				}
			}

			got, err := askRows(context.Background(), e, metricQuery(t, `{`+totals+`,"connection":"good"}`))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(`[{"region":"east","total":12},{"region":"west","total":30}]`, string(got.Rows)); d != "" {
				t.Error(d)
			}
			if got.Dialect != tt.kind {
				t.Errorf("dialect %s", got.Dialect)
			}

			for _, failing := range []struct{ connection, body, code string }{
				{"good", `"metrics":["haunted"]`, "sql_rejected"},
				{"intruder", totals, "auth"},
				{"down", totals, "connection"},
				{"nowhere", totals, "config"},
			} {
				_, err := askRows(context.Background(), e, metricQuery(t, `{`+failing.body+`,"connection":"`+failing.connection+`"}`))
				if codeOf(err) != failing.code {
					t.Errorf("%s: %v, want %s", failing.connection, err, failing.code)
					continue
				}
				told := wire(t, err)
				hidden := []string{s.Password, "wrong-pass-word", s.Host}
				if failing.code != "sql_rejected" {
					hidden = append(hidden, s.User) // called like the database, which MariaDB names with a table
				}
				for _, h := range hidden {
					if strings.Contains(told, h) {
						t.Errorf("%s: %s tells %s", failing.connection, told, h)
					}
				}
			}
			if _, err := askRows(context.Background(), e, metricQuery(t, `{`+totals+`,"connection":"good"}`)); err != nil {
				t.Errorf("after the failures: %v", err)
			}
		})
	}
}
