package postgres_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

func TestNoFaultOfTheNetworkIsTakenForAnAnswer(t *testing.T) {
	// A server of its own, because it is restarted.
	server, err := localdb.StartPostgres(t.Context())
	own := err == nil
	switch {
	case own:
		defer server.Stop()
	case errors.Is(err, localdb.ErrMissing):
		server = servers.Postgres(t)
	default:
		t.Fatal(err)
	}
	backend := executortest.FaultBackend{
		Address: server.HostPort(),
		Open: func(t testing.TB, port, connections int) executor.Executor {
			o := options(server)
			o.Port, o.PoolSize = port, connections
			e, err := postgres.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			return e
		},
		Series: func(n int) string { return "SELECT generate_series(0, " + strconv.Itoa(n-1) + ") AS i" },
		Slow:   "SELECT sum(a::bigint * b % 7) AS s FROM generate_series(1, 200000) a, generate_series(1, 200000) b",
	}
	if own {
		backend.Restart = server.Restart
	}
	executortest.Faults(t, backend)
}
