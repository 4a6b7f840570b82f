package postgres_test

import (
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
)

func served() executortest.ServerBackend {
	return executortest.ServerBackend{
		Start:  localdb.StartPostgres,
		Shared: servers.Postgres,
		Open:   openWith,
		OpenTLS: func(t testing.TB, a localdb.Address) executor.Executor {
			o := options(a)
			o.SSLMode = "require"
			return open(t, o)
		},
		Series:    func(n int) string { return "SELECT generate_series(0, " + strconv.Itoa(n-1) + ") AS i" },
		Slow:      "SELECT sum(a::bigint * b % 7) AS s FROM generate_series(1, 200000) a, generate_series(1, 200000) b",
		Sleep:     "SELECT pg_sleep(61)",
		Sleeping:  "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(61)%'",
		NoColumns: "SET application_name = 'x'",
	}
}

func TestServer_DriverConventions(t *testing.T) { executortest.TestServerDriver(t, served()) }

func TestFaults_NeverReportSuccess(t *testing.T) { executortest.TestServerFaults(t, served()) }
