package mysql_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
)

func TestNoFaultOfTheNetworkIsTakenForAnAnswer(t *testing.T) {
	// A server of its own, because it is restarted.
	server, err := localdb.StartMariaDB(t.Context())
	own := err == nil
	switch {
	case own:
		defer server.Stop()
	case errors.Is(err, localdb.ErrMissing):
		server = servers.MariaDB(t)
	default:
		t.Fatal(err)
	}
	backend := executortest.FaultBackend{
		Address: server.HostPort(),
		Open: func(t testing.TB, port, connections int) executor.Executor {
			o := options(server)
			o.Port, o.PoolSize = port, connections
			e, err := mysql.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			return e
		},
		Series: func(n int) string { return "SELECT seq AS i FROM seq_0_to_" + strconv.Itoa(n-1) },
		Slow:   "SELECT SUM(a.seq * b.seq % 7) AS s FROM seq_1_to_200000 a, seq_1_to_200000 b",
	}
	if own {
		backend.Restart = server.Restart
	}
	executortest.Faults(t, backend)
}
