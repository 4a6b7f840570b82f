package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/localdb"
)

// found returns a check as one text: the code of each failure, by dataset.
func found(c engine.ConnectionCheck) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", c.Name, c.Dialect, codeOf(c.Err))
	for _, s := range c.Sources {
		fmt.Fprintf(&b, " %s=%s", s.Dataset, codeOf(s.Err))
	}
	return b.String()
}

func TestCheckConnection_FindsWhatTheWarehouseRefuses(t *testing.T) {
	for kind, server := range map[string]func(testing.TB) *localdb.Server{"postgres": servers.Postgres, "mariadb": servers.MariaDB} {
		t.Run(kind, func(t *testing.T) {
			s := server(t)
			const profile = "  %s: {type: %s, host: '%s', port: %d, username: '%s', password: '%s', database: '%s'}\n"
			e := connected(t, "datasources:\n"+
				fmt.Sprintf(profile, "good", kind, s.Host, s.Port, s.User, s.Password, s.Database)+
				fmt.Sprintf(profile, "intruder", kind, s.Host, s.Port, s.User, "wrong-pass-word", s.Database)+
				fmt.Sprintf(profile, "down", kind, s.Host, closedPort, s.User, s.Password, s.Database)+
				"  unset: {type: "+kind+", host: h, password: '${SEMLAYER_TEST_UNSET}'}\n")
			for name, want := range map[string]string{
				"good":     " sales= ghost=sql_rejected",
				"intruder": "auth",
				"down":     "connection",
				"unset":    "config",
			} {
				c, err := e.CheckConnection(t.Context(), name)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(name+" "+kind+" "+want, found(c)); d != "" {
					t.Errorf("%s %v", d, c)
				}
				if c.OK() {
					t.Errorf("%s counts as sound", name)
				}
			}
		})
	}
}

func TestCheckConnection_OfTheEmbeddedDatabase(t *testing.T) {
	e := shop(t)
	c, err := e.CheckConnection(t.Context(), "")
	if err != nil || !c.OK() {
		t.Fatal(err, c)
	}
	if d := cmp.Diff(" duckdb  orders= customers= products=", found(c)); d != "" {
		t.Error(d)
	}
}

func TestCheckConnection_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err := shop(t).CheckConnection(ctx, "")
	if err != nil || codeOf(c.Err) != "timeout" || len(c.Sources) != 0 {
		t.Error(err, c)
	}
}

func TestCheckConnection_OfAnUnknownName(t *testing.T) {
	if _, err := connected(t, several).CheckConnection(t.Context(), "pgg"); codeOf(err) != "config" || !strings.Contains(err.Error(), "unknown connection pgg") {
		t.Error(err)
	}
}
